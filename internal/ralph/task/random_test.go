package task

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestConcurrentChangesKeepTheGraphRight lets several people change a backlog at once, at random. Whatever is refused, the file is right at
// every moment, no task is lost, and each change that was made was counted.
func TestConcurrentChangesKeepTheGraphRight(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "T1 todo", "T2 todo - T1", "T3 todo T2")
	var wrote atomic.Int64
	var made sync.Map
	var wg sync.WaitGroup
	for who := range uint64(6) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(who, 3))
			for i := range 12 {
				c, err := change(t.Context(), s, r, fmt.Sprintf("W%d_%d", who, i))
				if err == nil && c.Wrote {
					wrote.Add(1)
					for _, id := range c.Changed {
						made.Store(id, true)
					}
				}
				in, err := s.Read(t.Context())
				if !assert.NoError(t, err) || !assert.NoError(t, in.Err(s.Path)) {
					return
				}
			}
		})
	}
	wg.Wait()
	f := mustParse(t, s.bytes(t))
	assert.EqualValues(t, wrote.Load(), *f.MutationCount)
	assert.Greater(t, wrote.Load(), int64(10))
	made.Range(func(id, _ any) bool {
		return assert.GreaterOrEqual(t, f.Find(id.(string)), 0, "%s is lost", id)
	})
	assert.NoFileExists(t, LockPath(s.Path))
}

// change does one thing that people do.
func change(ctx context.Context, s Store, r *rand.Rand, fresh string) (*Change, error) {
	in, err := s.Read(ctx)
	if err != nil || in.File == nil {
		return nil, fmt.Errorf("not readable: %w", err)
	}
	pick := func() string { return in.File.Tasks[r.IntN(len(in.File.Tasks))].ID }
	switch id := pick(); r.IntN(8) {
	case 0:
		return s.Done(ctx, id)
	case 1:
		return s.Block(ctx, id, "for a reason")
	case 2:
		return s.Set(ctx, id, "status", string(Statuses[r.IntN(4)]))
	case 3:
		return s.Set(ctx, id, "dependsOn", pick(), pick())
	case 4:
		return s.Set(ctx, id, "parentId", pick())
	case 5:
		return s.Add(ctx, draft("title", "new"), AddOptions{ID: fresh, Parent: id})
	case 6:
		return s.Append(ctx, []*Draft{draft("id", fresh, "title", "new", "dependsOn", array([]string{id}))})
	default:
		return s.ApplySuggestedChildren(ctx, id, []SuggestedChild{child(fresh+".1", id), child(fresh+".2", id, fresh+".1")})
	}
}

// TestA35LookingChangesNothing does all that looks at a backlog, and compares every byte.
func TestA35LookingChangesNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{string(Stringify(backlog(30))), `{"tasks":[{"id":"A","title":"a","status":"todo","files":["x"]}]}`, "", `{"tasks":[`} {
		s := storeOf(t, text)
		in, err := s.Read(t.Context())
		require.NoError(t, err)
		in.Migrated()
		if in.File != nil {
			g := NewGraph(in.File.Tasks)
			if next, ok := g.Next(Role{}); ok {
				assert.Equal(t, Todo, next.Status, "selecting is no starting")
				SeedPrompt("more", in.File)
				BuildDecompositionProposal(&next, "")
			}
			for _, d := range Drawings {
				Draw(in.File.Tasks, d)
			}
		}
		assert.Equal(t, text, s.bytes(t))
		names, err := os.ReadDir(s.dir())
		require.NoError(t, err)
		assert.Len(t, names, 1)
	}
}
