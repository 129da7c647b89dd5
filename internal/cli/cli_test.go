package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/lock"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestExitCodes(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"nothing", nil, 0},
		{"aborted after a pause", phase.ErrAborted, 0},
		{"a failed task", &phase.TaskError{Position: 1}, 1},
		{"wrong command line", usage(errors.New("x"), ""), 2},
		{"left for a person", &exitError{code: exitLeft}, 3},
		{"limit", fmt.Errorf("run: %w", &executor.Failure{Class: executor.ClassLimit}), 4},
		{"login", &executor.Failure{Class: executor.ClassLogin}, 5},
		{"money", &executor.Failure{Class: executor.ClassMoney}, 5},
		{"another failure of the agent", &executor.Failure{Class: executor.ClassRequest}, 1},
		{"budget", fmt.Errorf("run: %w", &processor.BudgetError{Key: "max_cost"}), 4},
		{"busy", busy(&durable.HeldError{}), 10},
		{"Ctrl+C", fmt.Errorf("session: %w", errInterrupted), 130},
		{"a lock of the store", fmt.Errorf("write: %w", &lock.TimeoutError{}), 10},
		{"SIGTERM", errTerminated, 143},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, exitCode(tt.err)) })
	}
}

func TestReportPrintsTheHint(t *testing.T) {
	var w bytes.Buffer
	code := report(&w, fmt.Errorf("outer: %w", hinted(errors.New("no repository"), "git init\nor go elsewhere")))
	assert.Equal(t, 1, code)
	assert.Equal(t, "error: outer: no repository\n  next: git init\n        or go elsewhere\n", w.String())
}

func TestNearVerb(t *testing.T) {
	for word, want := range map[string]string{
		"statu": "status", "stauts": "status", "dmo": "demo", "doctr": "doctor", "shwo": "show", "hepl": "--help", "chekc": "check", "lopo": "loop", "clenup": "cleanup",
		"plan.md": "", "docs/statu": "", "x": "", "feature": "",
	} {
		assert.Equal(t, want, nearVerb(word), word)
	}
}

func TestRewriteShort(t *testing.T) {
	assert.Equal(t, []string{"-m5", "-rbmain", "-t=true", "--max-iterations=5", "-t", "--", "-m=5"},
		rewriteShort([]string{"-m=5", "-rb=main", "-t=true", "--max-iterations=5", "-t", "--", "-m=5"}))
}

func TestShellQuote(t *testing.T) {
	assert.Equal(t, "docs/plans/a-b_1.md", shellQuote("docs/plans/a-b_1.md"))
	assert.Equal(t, `'it'\''s a plan.md'`, shellQuote("it's a plan.md"))
}

// Help texts are golden: a change to a flag is reviewed as its user will read it. Each verb tells its exit codes.
func TestHelp(t *testing.T) {
	t.Setenv("COLUMNS", "")
	var grammar root
	parser, err := newParser(&grammar, Proc{Out: &strings.Builder{}, Err: &strings.Builder{}})
	require.NoError(t, err)
	for _, n := range manNodes(parser.Model.Node) {
		verb := strings.Fields(typed(n))[1:]
		t.Run("help "+strings.Join(verb, " "), func(t *testing.T) {
			out := run(t, 0, append(verb, "--help")...)
			golden(t, strings.Join(append([]string{"help"}, verb...), "_")+".txt", out)
			if len(n.Children) == 0 {
				assert.Regexp(t, "(?i)exit", out)
			}
		})
	}
}

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			golden(t, "completion."+shell, run(t, 0, "completion", shell))
		})
	}
}

// What belongs to the dashboard alone is said to have no effect without it. The variable is for all invocations, and says nothing.
func TestDashboardFlagsWithoutServe(t *testing.T) {
	for _, flag := range []string{"-p", "--port=1", "-w", "--watch=d", "--host=h"} {
		t.Run(flag, func(t *testing.T) {
			args := []string{flag}
			if flag == "-p" || flag == "-w" {
				args = append(args, "1")
			}
			var stderr bytes.Buffer
			Main(args, Proc{Out: &bytes.Buffer{}, Err: &stderr, Dir: t.TempDir()})
			assert.Equal(t, flag != "--host=h", strings.Contains(stderr.String(), "has no effect without --serve"))
		})
	}
}

func run(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	code := Main(args, Proc{Out: &out, Err: &stderr, Dir: t.TempDir()})
	require.Equal(t, want, code, stderr.String())
	return out.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestOnlyPlan(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "odd [name]")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "completed"), 0o755))
	_, err := onlyPlan(dir, filepath.Dir(dir))
	require.ErrorContains(t, err, "none in")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.md"), nil, 0o644))
	got, err := onlyPlan(dir, filepath.Dir(dir))
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "a.md"), got)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.md"), nil, 0o644))
	_, err = onlyPlan(dir, filepath.Dir(dir))
	require.EqualError(t, err, "no plan named, and odd [name] has 2: a.md, b.md")
	assert.Equal(t, "name one: ralphex 'odd [name]/a.md'", filepath.ToSlash(hintOf(err)))
}

func TestInterruptible(t *testing.T) {
	ctx, stop := interruptible(context.Background(), &bytes.Buffer{}, nil)
	stop()
	stop() // may be called twice
	require.ErrorIs(t, context.Cause(ctx), context.Canceled)
}

// A view that takes each key sends Ctrl+C as a key, and shows itself what follows.
func TestInterruptibleByKey(t *testing.T) {
	var said bytes.Buffer
	keys := make(chan os.Signal, 1)
	ctx, stop := interruptible(context.Background(), &said, keys)
	keys <- os.Interrupt
	<-ctx.Done()
	stop()
	require.ErrorIs(t, context.Cause(ctx), errInterrupted)
	assert.Empty(t, said.String())
}

// What the system refuses comes up anywhere, and names its place itself; what to do is said in one place.
func TestSystemErrorsHaveANextStep(t *testing.T) {
	at := func(err error) error {
		return fmt.Errorf("write tasks: %w", &fs.PathError{Op: "open", Path: "/a b/x.md", Err: err})
	}
	for err, want := range map[error]string{
		at(syscall.ENOSPC):                         "free some space",
		at(syscall.EROFS):                          "read-only",
		at(syscall.EACCES):                         "ls -ld '/a b' '/a b/x.md'",
		usage(at(syscall.EACCES), ""):              "ls -ld '/a b' '/a b/x.md'",
		usage(at(syscall.ENOSPC), "do this first"): "do this first",
	} {
		assert.Contains(t, hintOf(err), want)
	}
	assert.Empty(t, hintOf(errors.New("odd")))
}
