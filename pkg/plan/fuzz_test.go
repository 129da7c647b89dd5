package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// seeds are small plans that touch each rule; the fuzz targets share them.
var seeds = []string{
	"",
	"# T\n\n### Task 1: a\n- [ ] b\n- [x] c\n  - [X] d\n* [~] e\n+ [-] f\n\n## End\n- [ ] stray\n",
	bom + "# T\r\n\r\n### Iteration 2.5: a ###\r\n\t- [ ] b\r\n",
	"### Task 1: a\n```sh\n- [ ] b\n```\n~~~\n- [ ] c\n~~~\n> - [ ] d\n<!-- - [ ] e\n- [ ] f -->\n",
	"### Task 1: a\n- b\n  ```\n```\n- [ ] c\n```\nx\n```\n- [ ] d\n",
	"### Task 1: a\n- ```\n  - [ ] b\n  ```\n- [ ] c\n```\n- [ ] d\n```\n",
	"<details>\n### Task 1: a\n- [ ] b\n## c\n\n- [ ] d\n</details>\n",
	"<!-- x\n### Task 1: a\n- [ ] b\n# c\n- [ ] d\n",
	"### Task 1: a\nText\n---\n- [ ] b\n* [ ] c\n ## x\n- [ ] d\n",
	"### Task 1: a\n- [x](u)\n- [ ]b\n1. [ ] c\n- - [ ] d\n1. - [ ] e\n-\n  [ ] f\n",
	"## Testing Strategy\n### Validation Commands\n- `a b`\n- $ c\n- d:\n  ```sh\n  e\n  ```\n1. ``f`g``\n- [ ] `h`\n## x\n",
	"### Task 1: a\n```sh\nx\n```\n- [ ] b\n\n  ```bash\n  y\n\tz\n  ```\n- [ ] (manual) c\n",
	"### Задача 1: a\n### Task 2 - b\n###Task 3: c\n## Task 4: d\n### task 5: e\n",
	"### Task 1: a\n>\t- [ ] b\n-\t- [ ] c\n\t\t- [ ] d\n \t - [ ] e\n",
	"### Task 1: a\n<pre>\n```\n- [ ] b\n</pre>\n- [ ] c\n",
	"### Task 1: a\r- [ ] b\r",
	"### Task 1: a\n\n- [ ] b\n\n\n      - [ ] c\n   text\n   - [ ] d\n```",
}

func addSeeds(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
}

// FuzzParsePlan checks what holds for the reading of any bytes.
func FuzzParsePlan(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		p, err := ParsePlan([]byte(src))
		if err != nil {
			require.ErrorIs(t, err, ErrLimit)
			return
		}
		checkPlan(t, p, src)
	})
}

func checkPlan(t *testing.T, p *Plan, src string) {
	t.Helper()
	require.Equal(t, src, p.Source())
	lineOf := func(at int) int { return strings.Count(src[:at], "\n") + 1 }
	last := 0
	for i, task := range p.Tasks {
		require.Equal(t, i+1, task.Position)
		require.LessOrEqual(t, last, task.Span.Start)
		require.Less(t, task.Span.Start, task.Span.End)
		require.Equal(t, task.Line, lineOf(task.Span.Start))
		last = task.Span.Start
		for _, c := range task.Checkboxes {
			require.Less(t, last, c.Offset)
			last = c.Offset
			require.Equal(t, "[", src[c.Offset-1:c.Offset])
			require.Equal(t, "]", src[c.Offset+1:c.Offset+2])
			require.True(t, isState(src[c.Offset]))
			require.Equal(t, c.Line, lineOf(c.Offset))
			require.LessOrEqual(t, task.Span.Start, c.Span.Start)
			require.LessOrEqual(t, c.Span.End, task.Span.End)
			require.Less(t, c.Span.Start, c.Offset)
			require.Less(t, c.Offset, c.Span.End)
			require.Contains(t, src[c.Span.Start:c.Span.End], c.Text)
			require.GreaterOrEqual(t, c.Depth, 0)
		}
		last = task.Span.End - 1
	}
	for _, c := range p.ValidationCommands {
		require.NotEmpty(t, strings.TrimSpace(c.Text))
	}
	for i, q := range p.Problems {
		require.Contains(t, problemTexts, q.Code)
		require.LessOrEqual(t, q.Line, strings.Count(src, "\n")+1)
		require.False(t, i > 0 && q.Line < p.Problems[i-1].Line, "sorted")
		require.NotContains(t, q.String(), "%!")
	}
	if next := p.NextPlanTaskPosition(); next > 0 {
		require.NotEmpty(t, p.Tasks[next-1].OpenForAgent())
	}
	data, err := json.Marshal(p)
	require.NoError(t, err)
	require.NotContains(t, string(data), `"checkboxes":null`)
	_ = p.Validate()
	same, err := p.Reparse([]byte(src))
	require.NoError(t, err)
	require.Same(t, p, same)
}

// FuzzTick ticks and opens one box: one byte differs, and only that box reads differently. A patched model
// equals a parsed one, whatever state the byte takes.
func FuzzTick(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, uint8(i), byte('x'))
		f.Add(s, uint8(i+1), byte('~'))
	}
	f.Fuzz(func(t *testing.T, src string, pick uint8, state byte) {
		p, err := ParsePlan([]byte(src))
		if err != nil {
			return
		}
		pos, box := pickBox(p, int(pick))
		if pos == 0 {
			return
		}
		c := p.Tasks[pos-1].Checkboxes[box-1]
		out, err := p.setIn(p, []byte(src), pos, []int{box}, !c.Checked)
		require.NoError(t, err)
		diff := 0
		for i := range out {
			if out[i] != src[i] {
				diff++
				require.Equal(t, c.Offset, i)
			}
		}
		require.Equal(t, 1, diff)
		after := parse(t, string(out))
		require.Equal(t, !c.Checked, after.Tasks[pos-1].Checkboxes[box-1].Checked)
		after.Tasks[pos-1].Checkboxes[box-1] = c
		after.Tasks[pos-1].Status = p.Tasks[pos-1].Status
		require.Equal(t, p.Tasks, after.Tasks)

		if isState(state) {
			out[c.Offset] = state
		}
		patched, err := p.Reparse(out)
		require.NoError(t, err)
		fresh := parse(t, string(out))
		require.Equal(t, fresh, patched)
	})
}

// pickBox chooses one of the boxes by n; pos is 0 if there is none.
func pickBox(p *Plan, n int) (pos, box int) {
	total := 0
	for i := range p.Tasks {
		total += len(p.Tasks[i].Checkboxes)
	}
	if total == 0 {
		return 0, 0
	}
	n %= total
	for i := range p.Tasks {
		if n < len(p.Tasks[i].Checkboxes) {
			return i + 1, n + 1
		}
		n -= len(p.Tasks[i].Checkboxes)
	}
	return 0, 0
}

// FuzzBranchName checks git's rules for names; see TestBranchNameIsValidForGit for git's own word.
func FuzzBranchName(f *testing.F) {
	for _, s := range []string{"2024-01-15-foo.md", "2fa-login.md", "план.md", "計画.md", "a..b.lock", "-x", "@{u}", "HEAD", "", "a\xff b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := BranchName(name)
		assert.True(t, validBranch(got), "%q -> %q", name, got)
		assert.Equal(t, got, BranchName(name))
	})
}
