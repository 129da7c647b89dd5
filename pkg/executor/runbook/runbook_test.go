package runbook_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/runbook"
	"ralphex/pkg/plan"
)

// box is a box of a plan with its block; an empty block means none.
func box(text, block string) string {
	if block == "" {
		return "- [ ] " + text + "\n"
	}
	return fmt.Sprintf("- [ ] %s\n  ```sh\n  %s\n  ```\n", text, strings.ReplaceAll(block, "\n", "\n  "))
}

type outcome struct {
	res    executor.Result
	dir    string
	states string // of the task's boxes: "x" ticked, "." open
	output string
	notes  string
	starts int
}

func run(t *testing.T, ctx context.Context, boxes string, change func(*executor.Request)) (outcome, error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "plan.md")
	require.NoError(t, os.WriteFile(path, []byte("# P\n\n### Task 1: one\n"+boxes), 0o644))
	o := outcome{dir: dir}
	req := executor.Request{Plan: path, Position: 1, Dir: dir, Grace: 200 * time.Millisecond,
		Started: func(p executor.Process) {
			o.starts++
			assert.Positive(t, p.PID)
		},
		Emit: func(d event.Data) {
			switch d := d.(type) {
			case event.Output:
				if d.Source == event.FromCommand {
					o.output += d.Text + "\n"
				}
			case event.Note:
				o.notes += d.Text + "\n"
			}
		}}
	if change != nil {
		change(&req)
	}
	res, err := runbook.New().Run(ctx, req)
	o.res = res
	p, perr := plan.ParsePlanFile(path)
	require.NoError(t, perr)
	for _, b := range p.Tasks[0].Checkboxes {
		if b.Checked {
			o.states += "x"
		} else {
			o.states += "."
		}
	}
	return o, err
}

func gated(r *executor.Request) { r.Commands = []event.Command{{Text: "true"}} }

func TestRunbook(t *testing.T) {
	tests := []struct {
		name    string
		boxes   string
		change  func(*executor.Request)
		states  string
		left    []int
		failure string
		output  string
	}{
		{"blocks run in order and tick their boxes", box("a", "echo one > f") + box("b", "cat f; echo two >&2"), nil, "xx", nil, "", "one\ntwo\n"},
		{"a failing block stops", box("a", "true") + box("b", "echo no; exit 3") + box("c", "touch never"), nil, "x..", nil, "box 1.2 (b), ended with exit 3", "no\n"},
		{"set -e", box("a", "false\ntrue"), nil, ".", nil, "exit 1", ""},
		{"set -u", box("a", "echo $surely_unset_here"), nil, ".", nil, "line 5", ""},
		{"a box without a block is left and does not stop", box("look at it", "") + box("b", "true"), nil, ".x", []int{1}, "", ""},
		{"the gate's box is a claim", box("Run project tests (all)", ""), gated, "x", nil, "", ""},
		{"the gate's box without commands is left", box("run project tests", ""), nil, ".", []int{1}, "", ""},
		{"a gate's box with a block of its own runs it", box("run project tests", "echo own"), nil, "x", nil, "", "own\n"},
		{"people's boxes are not touched", "- [~] a\n" + box("(manual) b", "touch never") + "- [-] c\n", nil, "...", nil, "", ""},
		{"no stdin to wait for", box("a", "cat; echo read"), nil, "x", nil, "", "read\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, err := run(t, t.Context(), tt.boxes, tt.change)
			require.NoError(t, err)
			assert.Equal(t, tt.states, o.states)
			assert.Equal(t, tt.left, o.res.LeftBoxes)
			if tt.failure == "" {
				assert.Nil(t, o.res.Failure)
			} else if assert.NotNil(t, o.res.Failure) {
				assert.Contains(t, o.res.Failure.Message, tt.failure)
				assert.Equal(t, executor.ClassCrash, o.res.Failure.Class)
			}
			if tt.output != "" {
				assert.Equal(t, tt.output, o.output)
			}
			assert.NoFileExists(t, filepath.Join(o.dir, "never"))
			assert.LessOrEqual(t, o.starts, 1)
		})
	}
}

func TestBlockBeforeTheFirstBoxIsNamed(t *testing.T) {
	o, err := run(t, t.Context(), "```sh\ntouch never\n```\n"+box("a", "true"), nil)
	require.NoError(t, err)
	assert.Contains(t, o.notes, "line 4: a shell block before the first box")
	assert.NoFileExists(t, filepath.Join(o.dir, "never"))
}

func TestTimeouts(t *testing.T) {
	o, err := run(t, t.Context(), box("a", "sleep 60"), func(r *executor.Request) { r.IdleTimeout = 200 * time.Millisecond })
	require.NoError(t, err)
	require.ErrorIs(t, o.res.Cause, executor.ErrIdle)
	o, err = run(t, t.Context(), box("a", "sleep 60"), func(r *executor.Request) { r.SessionTimeout = 200 * time.Millisecond })
	require.NoError(t, err)
	require.ErrorIs(t, o.res.Cause, executor.ErrSessionTimeout)
	assert.Equal(t, ".", o.states)
}

func TestCancelEndsTheBlock(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := run(t, ctx, box("a", "echo up; sleep 60"), func(r *executor.Request) {
		emit := r.Emit
		r.Emit = func(d event.Data) {
			emit(d)
			if o, ok := d.(event.Output); ok && o.Text == "up" {
				cancel(stop)
			}
		}
	})
	require.ErrorIs(t, err, stop)
}

func TestPlanEditedByABlock(t *testing.T) {
	o, err := run(t, t.Context(), box("a", `sed -i 's/^### Task 1/intro\n\n### Task 1/' plan.md`)+box("b", "true"), nil)
	require.NoError(t, err)
	assert.Equal(t, "xx", o.states)
}

func TestLongOutputKeepsItsLines(t *testing.T) {
	o, err := run(t, t.Context(), box("a", "seq 1 20000; printf 'no end'"), nil)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(o.output, "\n"), "\n")
	require.Len(t, lines, 20001)
	assert.Equal(t, "20000", lines[19999])
	assert.Equal(t, "no end", lines[20000])
}
