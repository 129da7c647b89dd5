package storetest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

// Several processes with several goroutines each do random operations, while a reader looks on. Nothing is lost, nothing is
// given out twice, no task has two holders, and every look finds whole files.
func TestManyAtOnce(t *testing.T) {
	const processes, rounds = 3, 12
	w := at(t.TempDir())
	require.NoError(t, w.state.Refresh(t.Context()))
	require.NoError(t, os.WriteFile(w.tasks.Path, []byte(noTasks), 0o600))

	var mu sync.Mutex
	var sum report
	numbers := map[int]bool{}
	var wg sync.WaitGroup
	for p := range processes {
		cmd := start(t, "work", w.dir, strconv.Itoa(p), strconv.Itoa(rounds))
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		wg.Go(func() {
			for lines := bufio.NewScanner(out); lines.Scan(); {
				var r report
				if !assert.NoError(t, json.Unmarshal(lines.Bytes(), &r), lines.Text()) {
					continue
				}
				mu.Lock()
				sum.Allocated += r.Allocated
				sum.Appended += r.Appended
				sum.Acquired += r.Acquired
				sum.Released += r.Released
				sum.Resolved += r.Resolved
				if r.Number > 0 {
					assert.False(t, numbers[r.Number], "iteration %d was given out twice", r.Number)
					numbers[r.Number] = true
				}
				mu.Unlock()
			}
			assert.NoError(t, cmd.Wait())
		})
	}
	done := make(chan struct{})
	var looks sync.WaitGroup
	looks.Go(func() { look(t, w, done) })
	wg.Wait()
	close(done)
	looks.Wait()

	open(t, w)
	l, err := w.state.Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, sum.Allocated+1, l.NextIteration)
	assert.Len(t, numbers, sum.Allocated)
	assert.Len(t, l.IterationHistory, min(sum.Allocated, state.MaxIterations), "each record is in the history")
	in, err := w.tasks.Read(t.Context())
	require.NoError(t, err)
	assert.Len(t, in.File.Tasks, sum.Appended)
	f, err := w.claims.Read(t.Context())
	require.NoError(t, err)
	assert.Len(t, f.Claims, sum.Acquired, "one record for each acquisition, and none is gone")
	ended := map[claim.Status]int{}
	for _, c := range f.Claims {
		ended[c.Status]++
		assert.Equal(t, c.Status == claim.Stale, c.ResolvedAt != "" && c.ResolvedBy != "" && c.ResolutionReason != "")
	}
	assert.Equal(t, []int{sum.Released, sum.Resolved}, []int{ended[claim.Released], ended[claim.Stale]})
	entries, err := os.ReadDir(w.dir)
	require.NoError(t, err)
	for _, e := range entries {
		assert.Contains(t, []string{"claims.json", "state.json", "tasks.json"}, e.Name(), "nothing is left over")
	}
}

// look reads until done is closed. Claims only ever grow at their end.
func look(t *testing.T, w workspace, done <-chan struct{}) {
	var before []claim.Claim
	for {
		f, err := w.claims.Read(context.Background())
		if !assert.NoError(t, err) || !assert.GreaterOrEqual(t, len(f.Claims), len(before)) {
			return
		}
		for i, c := range before {
			if !assert.True(t, c.Same(f.Claims[i]), "record %d was put elsewhere", i) {
				return
			}
		}
		before = f.Claims
		for _, name := range []string{"state.json", "tasks.json"} {
			text, err := os.ReadFile(filepath.Join(w.dir, name))
			if !assert.NoError(t, err) {
				return
			}
			if _, err := stable.ParseObject(text); !assert.NoError(t, err, name) {
				return
			}
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

// Of saves at the same time one stays, whole.
func TestSavesDoNotMix(t *testing.T) {
	w := at(t.TempDir())
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			st := state.State{NextIteration: 100 + i, ObjectivePreview: fmt.Sprint(i)}
			for range i {
				st.IterationHistory = append(st.IterationHistory, result(i))
			}
			assert.NoError(t, w.state.Save(context.Background(), st))
		})
	}
	wg.Wait()
	l, err := w.state.Load(t.Context())
	require.NoError(t, err)
	i := l.NextIteration - 100
	assert.Equal(t, fmt.Sprint(i), l.ObjectivePreview)
	assert.Len(t, l.IterationHistory, i)
}

// Fifty writers at once come through with the patience that the store's rules give them: each takes the lock four times.
func TestFiftyWritersWithTheOrdinaryBudget(t *testing.T) {
	dir := t.TempDir()
	claims, st := claim.New(filepath.Join(dir, "claims.json"), time.Hour), state.New(filepath.Join(dir, "state.json"), state.Options{})
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				ctx, id := context.Background(), fmt.Sprint("T", i)
				r, err := claims.Acquire(ctx, claim.Request{TaskID: id, AgentID: "a", ProvenanceID: "p" + id})
				if assert.NoError(t, err) {
					assert.Equal(t, claim.Acquired, r.Outcome)
				}
				n, err := st.Allocate(ctx)
				assert.NoError(t, err)
				assert.NoError(t, st.Record(ctx, result(n), nil, state.Prompt{}))
				r, err = claims.Release(ctx, id, "a")
				if assert.NoError(t, err) {
					assert.Equal(t, claim.DidRelease, r.Outcome)
				}
			})
		}
		wg.Wait()
	})
	l, err := st.Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 51, l.NextIteration)
	g, err := claims.Inspect(t.Context(), time.Now())
	require.NoError(t, err)
	assert.Empty(t, g.Tasks)
}
