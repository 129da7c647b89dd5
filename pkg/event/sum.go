package event

import (
	"math"
	"time"
)

// sum adds what agents and files say, which may be anything: it stops at the largest and the smallest number, where others would begin again at the
// other end. A budget that is used up stays so.
func sum[T int | int64 | time.Duration](a, b T) T {
	c := a + b
	switch {
	case a > 0 && b > 0 && c < 0:
		return most[T]()
	case a < 0 && b < 0 && c >= 0:
		return -most[T]()
	}
	return c
}

func most[T int | int64 | time.Duration]() T {
	if n := int64(math.MaxInt64); int64(T(n)) == n {
		return T(n)
	}
	n := int64(math.MaxInt32) // an int of 32 bits
	return T(n)
}

// SumUSD adds dollars. The sum of finite numbers is finite, so that it can be written as JSON.
func SumUSD(a, b float64) float64 { return max(-math.MaxFloat64, min(a+b, math.MaxFloat64)) }
