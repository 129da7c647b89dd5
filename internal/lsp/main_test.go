package lsp

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMain fails the package if a goroutine of ours outlives its tests.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 {
		if stacks := leftOver(); stacks != "" {
			fmt.Fprintf(os.Stderr, "left over goroutines:\n%s\n", stacks)
			code = 1
		}
	}
	os.Exit(code)
}

// leftOver gives goroutines that have ended their work a moment to be gone, then returns the stacks of ours.
func leftOver() string {
	limit := time.After(time.Minute)
	for {
		buf := make([]byte, 1<<20)
		buf = buf[:runtime.Stack(buf, true)]
		var ours []string
		for i, g := range strings.Split(string(buf), "\n\n") {
			if i > 0 && strings.Contains(g, "ralphex/internal/lsp") {
				ours = append(ours, g)
			}
		}
		if len(ours) == 0 {
			return ""
		}
		select {
		case <-limit:
			return strings.Join(ours, "\n\n")
		default:
			runtime.Gosched()
		}
	}
}
