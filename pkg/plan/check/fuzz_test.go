package check

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
)

// seeds touch each rule and each fix; the fuzz targets share them.
func addSeeds(f *testing.F) {
	for _, r := range Rules() {
		if r.Wrong.Text != "" {
			f.Add(string(r.Wrong.Plan()))
			f.Add(r.Wrong.Text)
			f.Add(strings.ReplaceAll(string(r.Wrong.Plan()), "\n", "\r\n"))
		}
	}
	for _, s := range []string{
		"", "#", "#T", "#!x", " # T\n", "T\n===\n", "T\n=", "a\nb\n===\n", bom, bom + "\n\n# T", "\n\n# T\n", "#\n", "# # x\n", "#\tT\n",
		"# T\n\n### Task 1: a\n- [ ] b\n- [x] c\n  - [X] d\n* [~] e\n+ [-] f\n\n## End\n- [ ] stray\n",
		bom + "# T\r\n\r\n### Iteration 2.5: a ###\r\n\t- [ ] b\r\n",
		"# T\n### Задача 1: a\n### Task 2 - b\n###Task 3: c\n## Task 4: d\n### task 5: e\n- [ ] f",
		"# T\n## Task 1: a\n- [ ] b\n## Task 3: c\n- [ ] d\n",
		"# T\n#### Task 1: a\n- [ ] b\n",
		"# T\n## Tasks\n### Task 1: a\n- [ ] b\n## Overview\n- [ ] c\n- [ ] [ ] d\n## Context\n",
		"# T\n## Post-Completion\nx\n## Overview\n<details>\n## Context\ny",
		"# T\n### Overview\n## Tasks\n## **context**\n##\tTesting strategy ##\nProgress Tracking\n---\n",
		"### Task 1: a\n- [ ] write tests\n### Task 2: b\n- [ ] run project tests",
		"### Task 1: a\n>\t- [ ] b\n-\t- [ ] c\n\t\t- [ ] d\n \t - [ ] e\n",
		"### Task 1: a\n- [x](u)\n- [ ]b\n1. [ ] c\n- - [ ] d\n1. - [ ] e\n-\n  [ ] f\n- []g\n-[x ] h\n[ ] i\n",
		"### Task 1: a\n- [~] (manual) b\n- [-]\n* [-] c\n+ [~] d",
		"### Task 1: a\n- [ ] b\n  c\n\n  d\n### Task 1: Verify Acceptance Criteria.\n- [ ] x",
		"<!-- ralphex-check: off-file title-first -->\n### Task 1: a <!-- ralphex-check: off task-empty -->\n<!-- ralphex-check: off -->",
		"## Validation Commands\n- [ ] `a b`\n- x\n### Task 1: a\n- [ ] b\n## Implementation Steps\n",
	} {
		f.Add(s)
	}
}

// FuzzCheck checks what holds for the findings of any bytes.
func FuzzCheck(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		for _, p := range []Profile{Strict, Run} {
			found := Check([]byte(src), Options{Profile: p})
			checkFindings(t, src, found)
			require.Equal(t, found, Check([]byte(src), Options{Profile: p}))
		}
		runs := Worst(Check([]byte(src), Options{Profile: Run})) != Error
		p, err := plan.ParsePlan([]byte(src))
		refused := err != nil || p.Validate() != nil
		if !strings.Contains(src, offMark) {
			require.Equal(t, refused, !runs, "the profile run says what a run says")
		}
	})
}

func checkFindings(t *testing.T, src string, found []Finding) {
	t.Helper()
	last := 0
	for _, x := range found {
		r, ok := Lookup(x.Rule)
		require.True(t, ok, x.Rule)
		require.LessOrEqual(t, last, x.Offset, "in file order")
		last = x.Offset
		require.GreaterOrEqual(t, x.Len, 0, x.Rule)
		require.LessOrEqual(t, x.Offset+x.Len, len(src), x.Rule)
		require.Equal(t, strings.Count(src[:x.Offset], "\n")+1, x.Line, x.Rule)
		require.Equal(t, x.Offset-strings.LastIndexByte(src[:x.Offset], '\n'), x.Col, x.Rule)
		require.NotEmpty(t, x.Message)
		if x.Fix == nil {
			continue
		}
		require.True(t, r.Fixable, x.Rule)
		require.NotEmpty(t, x.Fix.Title)
		require.NotEmpty(t, x.Fix.Edits)
		at := 0
		for _, e := range x.Fix.Edits {
			require.LessOrEqual(t, at, e.Offset, x.Rule)
			at = e.end()
			require.LessOrEqual(t, at, len(src), x.Rule)
			require.NotEqual(t, src[e.Offset:at], e.New, "%s changes nothing", x.Rule)
		}
	}
}

// FuzzFix checks that fixing loses no word, that fixing twice is fixing once, and that no certain fix is left.
func FuzzFix(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		fixed, rest, err := FixAll([]byte(src), Options{})
		require.NoError(t, err)
		for _, x := range rest {
			require.Nil(t, x.Fix, x.Rule)
		}
		require.Equal(t, rest, Check(fixed, Options{}))
		again, _, err := FixAll(fixed, Options{})
		require.NoError(t, err)
		require.Equal(t, string(fixed), string(again))
		requireWords(t, src, string(fixed))
		for _, x := range Check([]byte(src), Options{}) {
			if x.Fix != nil { // each alone, as an editor makes it
				requireWords(t, src, string(Apply([]byte(src), x.Fix.Edits)))
			}
		}
	})
}

// requireWords checks that the words of src are all in fixed, but for keywords: the word for Task, the number
// and the level of a header, the old name of Implementation Steps, the mark of a box, the number of an item.
func requireWords(t *testing.T, src, fixed string) {
	t.Helper()
	count := map[string]int{}
	for _, w := range keptWords(fixed) {
		count[w]++
	}
	for _, w := range keptWords(src) {
		count[w]--
		require.GreaterOrEqual(t, count[w], 0, "lost %q\n%q\n%q", w, src, fixed)
	}
}

// keptWords are the words of a text without what may change.
func keptWords(text string) []string {
	var out []string
	text = strings.TrimPrefix(text, bom)
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.ToLower(strings.TrimLeft(line, " \t\r"))
		if strings.HasPrefix(line, "#") {
			line = taskHeader.ReplaceAllString(line, "")
			if Words(line) != nil && strings.Join(Words(line), " ") == "tasks" {
				line = ""
			}
		}
		for _, mark := range []string{"[x]", "[ x]", "[x ]"} {
			line = strings.ReplaceAll(line, mark, "[]")
		}
		if i := strings.IndexAny(line, ".)"); i > 0 && strings.Trim(line[:i], "0123456789") == "" {
			line = line[i:]
		}
		out = append(out, Words(line)...)
	}
	return out
}

// taskHeader matches keyword and number of what was meant as a task header.
var taskHeader = regexp.MustCompile(`^#+[ \t]*\p{L}+[ \t#№.]*[0-9]+(\.[0-9]+)*[a-z]?`)
