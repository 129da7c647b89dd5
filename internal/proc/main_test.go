package proc

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain fails the package if a child or a goroutine outlives its tests.
func TestMain(m *testing.M) {
	before := runtime.NumGoroutine()
	code := m.Run()
	if left := ownChildren(); len(left) > 0 {
		for pid := range left {
			fmt.Fprintf(os.Stderr, "left over: child %d\n", pid)
		}
		code = 1
	}
	if stacks := goroutinesAbove(before); stacks != "" {
		fmt.Fprintf(os.Stderr, "left over goroutines:\n%s\n", stacks)
		code = 1
	}
	os.Exit(code)
}

// goroutinesAbove gives goroutines that have ended their work a moment to be gone, then returns all stacks.
func goroutinesAbove(n int) string {
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); runtime.Gosched() {
		if runtime.NumGoroutine() <= n {
			return ""
		}
	}
	buf := make([]byte, 1<<20)
	return strings.TrimSpace(string(buf[:runtime.Stack(buf, true)]))
}
