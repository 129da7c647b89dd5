package planimport_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/planimport"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/convert"
)

// randomPlan writes a plan of what both models hold: each task is untouched, ticked whole, or ticked but for people's boxes. Only the last
// touched task may be followed by untouched ones, as in a plan that is worked off in order.
func randomPlan(r *rand.Rand) string {
	words := []string{"storage", "the page", "an index", "Größe", "数据", "a `code` span", "50% <fast>", "& more"}
	word := func() string { return words[r.IntN(len(words))] }
	var b strings.Builder
	fmt.Fprintf(&b, "# Plan of %s\n\n## Validation Commands\n- `make test`\n\n## Implementation Steps\n", word())
	n := 1 + r.IntN(6)
	done := r.IntN(n + 1)
	for i := range n {
		fmt.Fprintf(&b, "\n### Task %d: Part %d, %s\n", i+1, i+1, word())
		boxes := 1 + r.IntN(4)
		for j := range boxes {
			mark := " "
			if i < done {
				mark = "x"
			}
			switch {
			case j > 0 && r.IntN(5) == 0:
				fmt.Fprintf(&b, "- [ ] (manual) ask about %s %d\n", word(), j)
			default:
				fmt.Fprintf(&b, "- [%s] make %s %d\n", mark, word(), j)
			}
		}
	}
	return b.String()
}

// shape is what both models hold: title, tasks, boxes and their states; without the endings and the last task that convert adds.
func shape(t *testing.T, text string, tasks int) []string {
	t.Helper()
	p := parse(t, text)
	out := []string{p.Title}
	for _, c := range p.ValidationCommands {
		out = append(out, "$ "+c.Text)
	}
	require.GreaterOrEqual(t, len(p.Tasks), tasks)
	for _, task := range p.Tasks[:tasks] {
		out = append(out, "## "+task.Title)
		for _, b := range task.Checkboxes {
			if b.Text != "write tests" && b.Text != "run project tests" {
				out = append(out, fmt.Sprintf("%s %s", b.State, b.Text))
			}
		}
	}
	return out
}

func TestImportAndConvertAreInverse(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		text := randomPlan(rand.New(rand.NewPCG(seed, 7)))
		n := len(parse(t, text).Tasks)
		s := empty(t)
		_, err := planimport.Import(t.Context(), s, parse(t, text), planimport.Options{Path: "docs/plans/p.md"})
		require.NoError(t, err)
		in := convert.FromBytes(".ralph/tasks.json", []byte(bytes(t, s)))
		r, err := convert.Convert(in, convert.Options{})
		require.NoError(t, err, text)
		assert.Equal(t, convert.Ralph, r.Format)
		assert.Empty(t, r.Losses, "%s\n%s", text, r.Output)
		require.Equal(t, shape(t, text, n), shape(t, string(r.Output), n), "%s\n%s", text, r.Output)

		// And once more: what comes back is imported to the same statuses.
		again := empty(t)
		_, err = planimport.Import(t.Context(), again, parse(t, string(r.Output)), planimport.Options{Path: "docs/plans/p.md"})
		require.NoError(t, err)
		first, second := r0(t, s), r0(t, again)
		require.Len(t, second.Tasks[1:n+1], n)
		for i := range first.Tasks {
			assert.Equal(t, first.Tasks[i].ID, second.Tasks[i].ID)
			// The endings that convert adds to a task that waits for a person are open: from there on there is work again.
			if first.Tasks[i].Status == task.Blocked {
				break
			}
			if i > 0 {
				assert.Equal(t, first.Tasks[i].Status, second.Tasks[i].Status, "%s\n%s", first.Tasks[i].ID, text)
			}
		}
	}
}

func TestWhatTheProjectionCannotSayIsTold(t *testing.T) {
	t.Parallel()
	s := empty(t)
	_, err := planimport.Import(t.Context(), s, parse(t, tick(login, "the page")), planimport.Options{Path: loginPath})
	require.NoError(t, err)
	r, err := convert.Convert(convert.FromBytes(".ralph/tasks.json", []byte(bytes(t, s))), convert.Options{})
	require.NoError(t, err)
	require.Len(t, r.Losses, 1, "that a task is begun, but not which of its boxes is ticked")
	assert.Equal(t, "in_progress", r.Losses[0].Text)
	p := parse(t, string(r.Output))
	assert.Equal(t, plan.BoxOpen, p.Tasks[0].Checkboxes[0].State)
}
