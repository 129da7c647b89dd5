package event

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSumsStopAtTheEnds(t *testing.T) {
	large := Usage{InputTokens: math.MaxInt64, OutputTokens: math.MaxInt64 - 1, CacheReadTokens: 5, CostUSD: 1e308, Turns: math.MaxInt}
	twice := large.Add(large)
	assert.Equal(t, Usage{InputTokens: math.MaxInt64, OutputTokens: math.MaxInt64, CacheReadTokens: 10, CostUSD: math.MaxFloat64, Turns: math.MaxInt}, twice)
	assert.Equal(t, int64(math.MaxInt64), twice.Tokens(), "what is used up is not less than nothing")
	_, err := json.Marshal(twice)
	require.NoError(t, err)

	assert.Equal(t, int64(-math.MaxInt64), sum[int64](math.MinInt64, -1))
	assert.Equal(t, int64(-1), sum[int64](math.MinInt64, math.MaxInt64))
	assert.Equal(t, -math.MaxFloat64, SumUSD(-1e308, -1e308))
	assert.Equal(t, 3.5, SumUSD(1, 2.5))

	limit := Limits{CostUSD: 1e308, Tokens: 1, Time: time.Hour, Sessions: 1}
	more := Limits{CostUSD: 1e308, Tokens: math.MaxInt64, Time: math.MaxInt64, Sessions: math.MaxInt}
	assert.Equal(t, Limits{CostUSD: math.MaxFloat64, Tokens: math.MaxInt64, Time: math.MaxInt64, Sessions: math.MaxInt}, limit.Plus(more), "more is not less")
}
