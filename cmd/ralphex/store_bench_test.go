//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/task"
)

// BenchmarkTaskReady is `ralphex task ready` as a person calls it: a new process each time, over backlogs of four sizes. The floor beside it is
// the same program that prints its version.
func BenchmarkTaskReady(b *testing.B) {
	b.Run("floor", func(b *testing.B) { benchProcess(b, b.TempDir(), "--version") })
	for _, n := range []int{100, 1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			require.NoError(b, exec.Command("git", "init", "-q", dir).Run())
			storeOf(b, dir, n)
			benchProcess(b, dir, "task", "ready")
		})
	}
}

// storeOf makes a workspace with a backlog: nine parts below each parent, one after the other, nine of ten done.
func storeOf(tb testing.TB, dir string, n int) {
	tb.Helper()
	f := &task.File{}
	for i := range n {
		t := task.Task{ID: fmt.Sprintf("T%d", i), Title: fmt.Sprintf("Make part %d of the product do what it should", i), Status: task.Done,
			Notes: "What is known about it, in a sentence of some length.", Validation: "go test ./internal/...", Acceptance: []string{"it works", "its test is green"}}
		if i >= n*9/100*10 {
			t.Status = task.Todo
		}
		if i%10 != 0 {
			t.ParentID = fmt.Sprintf("T%d", i/10*10)
		}
		if i%10 > 1 {
			t.DependsOn = []string{fmt.Sprintf("T%d", i-1)}
		}
		f.Tasks = append(f.Tasks, t)
	}
	require.NoError(tb, os.MkdirAll(filepath.Join(dir, ".ralph"), 0o755))
	require.NoError(tb, os.WriteFile(filepath.Join(dir, ".ralph", "prd.md"), []byte("# Product\n"), 0o644))
	require.NoError(tb, os.WriteFile(filepath.Join(dir, ".ralph", "tasks.json"), task.Stringify(f), 0o644))
}

// benchProcess runs ralphex again and again, and reports its peak memory and processor time.
func benchProcess(b *testing.B, dir string, args ...string) {
	home := b.TempDir()
	var peak, cpu float64
	for b.Loop() {
		cmd := exec.Command("ralphex", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		require.NoError(b, err, string(out))
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		peak = max(peak, float64(usage.Maxrss)/1024)
		cpu += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds() * 1e3
	}
	b.ReportMetric(peak, "peak-MiB")
	b.ReportMetric(cpu/float64(b.N), "cpu-ms/op")
}
