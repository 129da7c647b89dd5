package phase_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
)

// watch is a Between that notes what it is asked.
type watch struct {
	asked []string
	looks func(next int) (bool, error)
}

func (w *watch) Tasks(_ context.Context, _ *plan.Plan, done []int, next int) (bool, error) {
	w.asked = append(w.asked, fmt.Sprintf("%v>%d", done, next))
	return w.looks(next)
}

func (b *bench) runWith(w *watch) (phase.Report, error) {
	return b.phase(phase.TaskParts{Between: w}).Run(b.t.Context())
}

func TestBetweenIsAskedBetweenTasks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		looks bool
		want  []string
	}{
		{true, []string{"[1]>2", "[2]>0"}},
		{false, []string{"[1]>2", "[1 2]>0"}}, // what was not looked at stays to be
	} {
		b := newBench(t, twoTasks, does(1), does(2))
		w := &watch{looks: func(int) (bool, error) { return tt.looks, nil }}
		_, err := b.runWith(w)
		require.NoError(t, err)
		assert.Equal(t, tt.want, w.asked)
	}
}

func TestBetweenMayEndTheRun(t *testing.T) {
	t.Parallel()
	stop := errors.New("the review is red")
	b := newBench(t, twoTasks, does(1))
	_, err := b.runWith(&watch{looks: func(int) (bool, error) { return true, stop }})
	require.ErrorIs(t, err, stop)
	assert.Equal(t, 1, b.ran)
}

// A review that opens a box again gives the task back.
func TestBetweenMayReopenATask(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(1), does(1), does(2))
	first := true
	w := &watch{}
	w.looks = func(int) (bool, error) {
		if first {
			first = false
			p, err := b.Load()
			require.NoError(t, err)
			require.NoError(t, p.SetBoxes(1, []int{2}, false))
		}
		return true, nil
	}
	_, err := b.runWith(w)
	require.NoError(t, err)
	require.Equal(t, 3, b.ran)
	assert.Equal(t, []int{1, 1, 2}, []int{b.prompts[0].Position, b.prompts[1].Position, b.prompts[2].Position})
}

// After a kill, tasks that were done and not looked at are looked at before anything else.
func TestBetweenKnowsWhatAnEarlierProcessDid(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(2))
	b.tick(1)
	b.repo.Commit("feat: one")
	b.opts.Resume = phase.Resume{Active: true, Proven: []string{"1: one"}, Unseen: []string{"1: one"}}
	w := &watch{looks: func(int) (bool, error) { return true, nil }}
	_, err := b.runWith(w)
	require.NoError(t, err)
	assert.Equal(t, []string{"[1]>2", "[2]>0"}, w.asked)
}
