package planimport_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/planimport"
	"ralphex/internal/ralph/task"
)

// part is a task of a plan that changes from import to import.
type part struct {
	number, title string
	boxes         []string // marks
}

func write(parts []part) string {
	var b strings.Builder
	b.WriteString("# P\n\n## Validation Commands\n- `true`\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "\n### Task %s: %s\n", p.number, p.title)
		for i, mark := range p.boxes {
			fmt.Fprintf(&b, "- [%s] box %d\n", mark, i)
		}
	}
	return b.String()
}

// TestAnyHistoryOfAPlanCanBeFollowed edits a plan as people and agents do, in any order, and people edit the projection meanwhile. Whatever
// happens, an import ends in a graph without errors, finds every task of the plan, loses none of the store's, and has nothing to do
// the second time.
func TestAnyHistoryOfAPlanCanBeFollowed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := empty(t)
		next := 0
		fresh := func() part {
			next++
			p := part{fmt.Sprint(1 + r.IntN(6)), fmt.Sprintf("part %d", next), nil}
			for range r.IntN(4) {
				p.boxes = append(p.boxes, " ")
			}
			return p
		}
		parts := []part{fresh(), fresh(), fresh()}
		known := map[string]bool{}
		var history []string
		for range 14 {
			switch i := r.IntN(len(parts)); r.IntN(7) {
			case 0:
				parts = slices.Insert(parts, i, fresh())
			case 1:
				if len(parts) > 1 {
					parts = slices.Delete(parts, i, i+1)
				}
			case 2:
				j := r.IntN(len(parts))
				parts[i], parts[j] = parts[j], parts[i]
			case 3:
				parts[i].title += " again"
			case 4:
				parts[i].number = fmt.Sprintf("%d.5", r.IntN(4))
			default:
				for j := range parts[i].boxes {
					parts[i].boxes[j] = []string{" ", "x", "x", "x", "~"}[r.IntN(5)]
				}
			}
			text := write(parts)
			history = append(history, text)
			res, err := planimport.Import(t.Context(), s, parse(t, text), planimport.Options{Path: "p.md"})
			require.NoError(t, err, "seed %d\n%s", seed, strings.Join(history, "\n---\n"))
			require.Len(t, res.Children, len(parts))
			ids := map[string]bool{}
			for _, c := range res.Children {
				assert.NotEmpty(t, c.TaskID)
				assert.NotEmpty(t, c.Status)
				assert.False(t, ids[c.TaskID], "two tasks of the plan are one")
				ids[c.TaskID] = true
			}
			for id := range known {
				assert.GreaterOrEqual(t, res.File.Find(id), 0, "%s is lost", id)
			}
			for _, x := range res.File.Tasks {
				known[x.ID] = true
			}
			again, err := planimport.Import(t.Context(), s, parse(t, text), planimport.Options{Path: "p.md"})
			require.NoError(t, err)
			require.False(t, again.Wrote, "seed %d: %v\n%s", seed, again.Changed, strings.Join(history, "\n---\n"))
			meddle(t, r, s, res)
		}
	}
}

// meddle is what a person does to the projection.
func meddle(t *testing.T, r *rand.Rand, s task.Store, res *planimport.Result) {
	t.Helper()
	id := res.Children[r.IntN(len(res.Children))].TaskID
	var err error
	switch r.IntN(6) {
	case 0:
		_, err = s.Block(t.Context(), id, "I say so")
	case 1:
		_, err = s.Done(t.Context(), id)
	case 2:
		_, err = s.Set(t.Context(), id, "status", "todo")
	case 3:
		d := new(task.Draft)
		d.Set("title", "one and two")
		_, err = s.Add(t.Context(), d, task.AddOptions{Parent: id})
	case 4:
		_, _, err = s.Decompose(t.Context(), id, "")
	}
	if err != nil { // refused: then the file is as it was, and right
		in, readErr := s.Read(t.Context())
		require.NoError(t, readErr)
		require.NoError(t, in.Err(""))
	}
}
