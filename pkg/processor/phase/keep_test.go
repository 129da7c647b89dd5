package phase_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

// shelf is a Keeper that makes real copies, numbered.
type shelf struct {
	b    *bench
	why  []string
	fail error
}

func (s *shelf) Keep(ctx context.Context, _ int, why string) (string, error) {
	if s.fail != nil {
		return "", s.fail
	}
	s.why = append(s.why, why)
	ref := fmt.Sprintf("refs/ralphex/wip/r/%d", len(s.why))
	_, err := s.b.tree.Snapshot(ctx, ref, why)
	return ref, err
}

// switcher goes to another branch whenever a copy is to be kept, as a person might at any moment.
type switcher struct{ b *bench }

func (s switcher) Keep(context.Context, int, string) (string, error) {
	s.b.repo.Git("symbolic-ref", "HEAD", "refs/heads/other")
	return "HEAD", nil
}

func keeping(b *bench) *shelf {
	s := &shelf{b: b}
	b.keeper = s
	return s
}

func TestGivenUpTaskIsKeptBeforeItIsReopened(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(1))
	b.commands = []string{"echo broken; test -e never || test ! -e work1.txt"}
	b.opts.Retries = 0
	s := keeping(b)
	_, err := b.run()
	var te *phase.TaskError
	require.ErrorAs(t, err, &te)
	require.Len(t, s.why, 1)
	assert.Contains(t, s.why[0], "task 1 was given up: validation failed")
	assert.Equal(t, "done", b.repo.Git("show", "refs/ralphex/wip/r/1:work1.txt"))
	assert.Contains(t, b.repo.Git("show", "refs/ralphex/wip/r/1:docs/plans/plan.md"), "- [x] first", "as it was, ticks and all")
}

func TestUnfinishedSessionsAreKept(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks,
		func(_ context.Context, b *bench) (executor.Result, error) {
			b.repo.Write("half.txt", "h")
			return executor.Result{Cause: errors.New("session time-out")}, nil
		},
		func(_ context.Context, b *bench) (executor.Result, error) {
			b.repo.Write("half.txt", "more")
			return executor.Result{Failure: &executor.Failure{Class: executor.ClassOverload, Message: "busy\nvery"}}, nil
		}, does(1), does(2))
	s := keeping(b)
	_, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []string{"task 1: the session was ended by session time-out", "task 1: the session failed: busy"}, s.why)
	assert.Equal(t, "h", b.repo.Git("show", "refs/ralphex/wip/r/1:half.txt"))
	assert.Equal(t, "more", b.repo.Git("show", "refs/ralphex/wip/r/2:half.txt"))
}

func TestCopyThatFailsIsTold(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, func(_ context.Context, b *bench) (executor.Result, error) {
		b.repo.Write("half.txt", "h")
		return executor.Result{Cause: errors.New("session time-out")}, nil
	}, does(1), does(2))
	keeping(b).fail = errors.New("disk full")
	_, err := b.run()
	require.NoError(t, err)
	assert.Contains(t, b.notes(event.Warn), "no copy of the uncommitted work could be kept: disk full")
}

// manyFiles is a bench whose repository has 40 files in src, of 42.
func manyFiles(t *testing.T, sessions ...session) *bench {
	t.Helper()
	b := newBench(t, twoTasks, sessions...)
	for i := range 40 {
		b.repo.Write(fmt.Sprintf("src/%02d.go", i), strings.Repeat(fmt.Sprintf("line %d\n", i), 9))
	}
	b.repo.Commit("many")
	b.site.MaxDeleteShare = 25
	return b
}

func deletes(n int, then func(b *bench)) session {
	return func(_ context.Context, b *bench) (executor.Result, error) {
		for i := range n {
			b.repo.Remove(fmt.Sprintf("src/%02d.go", i))
		}
		b.tick(1)
		if then != nil {
			then(b)
		}
		return executor.Result{}, nil
	}
}

func TestCommitThatDeletesMuchIsRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		delete    int
		share     int
		then      func(b *bench)
		refused   bool
		committed bool
	}{
		{"a few", 10, 25, nil, false, false},
		{"a quarter of 42 is ten and a half", 11, 25, nil, true, false},
		{"below a larger share", 30, 80, nil, false, false},
		{"above a larger share", 40, 80, nil, true, false},
		{"no limit", 40, 0, nil, false, false},
		{"allowed", 40, 100, nil, false, false},
		{"staged", 30, 25, func(b *bench) { b.repo.Git("add", "-A", "src") }, true, false},
		{"moved, not deleted", 40, 25, func(b *bench) {
			for i := range 40 {
				b.repo.Write(fmt.Sprintf("lib/%02d.go", i), strings.Repeat(fmt.Sprintf("line %d\n", i), 9))
			}
		}, false, false},
		{"by the session's own commit", 30, 25, func(b *bench) { b.repo.Commit("feat: tidy") }, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := manyFiles(t, deletes(tt.delete, tt.then), does(2))
			b.site.MaxDeleteShare = tt.share
			keeping(b)
			_, err := b.run()
			if !tt.refused {
				require.NoError(t, err)
				assert.Empty(t, b.repo.Status())
				return
			}
			var de *phase.DeletionsError
			require.ErrorAs(t, err, &de)
			assert.Len(t, de.Files, tt.delete)
			assert.Equal(t, tt.committed, de.Committed)
			assert.Contains(t, err.Error(), "src/00.go")
			assert.Equal(t, !tt.committed, strings.Contains(de.Hint(), "--allow-deletions"))
			assert.Equal(t, !tt.committed, strings.Contains(de.Hint(), "git restore -- src/00.go"))
			assert.Contains(t, b.repo.Git("show", string(de.Before)+":src/03.go"), "line 3")
			if !tt.committed {
				assert.Equal(t, string(de.Before), b.repo.Head(), "nothing was committed")
				assert.NotEmpty(t, de.Kept)
			}
		})
	}
}
