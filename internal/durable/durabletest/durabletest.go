package durabletest

import (
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"ralphex/internal/durable/internal/step"
)

// Steps returns the names of the system calls that durable writes make while do runs.
func Steps(do func()) []string {
	var mu sync.Mutex
	var names []string
	step.Set(func(name string) error {
		mu.Lock()
		defer mu.Unlock()
		names = append(names, name)
		return nil
	})
	defer step.Set(nil)
	do()
	return names
}

// At calls f before each step from now on, with its name: that of a system call, or "place" before a file of a batch appears under its name.
func At(f func(name string)) {
	step.Set(func(name string) error {
		f(name)
		return nil
	})
}

// KillBefore makes this process end, as by kill -9, before the n-th step from now on (from 1).
func KillBefore(n int) {
	var count atomic.Int64
	step.Set(func(string) error {
		if count.Add(1) != int64(n) {
			return nil
		}
		p, err := os.FindProcess(os.Getpid())
		if err == nil {
			_ = p.Kill()
		}
		select {} // until the signal has come
	})
}

// FailBefore makes the n-th step from now on (from 1) answer with err, until the test ends.
func FailBefore(t testing.TB, n int, err error) {
	var count atomic.Int64
	step.Set(func(string) error {
		if count.Add(1) == int64(n) {
			return err
		}
		return nil
	})
	t.Cleanup(func() { step.Set(nil) })
}
