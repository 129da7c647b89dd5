package format_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
	"ralphex/pkg/plan/format"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden formats each testdata/*.md and compares with *.golden.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			res, err := format.Format(src)
			require.NoError(t, err)
			golden := strings.TrimSuffix(file, ".md") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, res.Text, 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(res.Text))
			again, err := format.Format(res.Text)
			require.NoError(t, err)
			assert.Equal(t, string(res.Text), string(again.Text), "twice is once")
		})
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"tidy stays", "# P\n\n### Task 1: a\n\n- [ ] b\n", "# P\n\n### Task 1: a\n\n- [ ] b\n"},
		{"nothing stays nothing", "", ""},
		{"blanks only", " \n\n", " \n\n"},
		{"numbers", "# P\n### Task 2.5: a\n- [ ] x\n### Iteration 9: b\n- [ ] y\n", "# P\n\n### Task 1: a\n\n- [ ] x\n\n### Iteration 2: b\n\n- [ ] y\n"},
		{"heading marks", "#  P\n##\tA \n###   Task   3  :  a  \n- [ ] x", "# P\n\n## A\n\n### Task 1: a\n\n- [ ] x\n"},
		{"indented heading", "# P\n  ### Task 1: a\n- [ ] x\n", "# P\n\n### Task 1: a\n\n- [ ] x\n"},
		{"runs of blank lines", "\n\n# P\n\n\n\ntext\n\n\n\n- a\n\n\n", "# P\n\ntext\n\n- a\n"},
		{"boxes", "# P\n\n### Task 1: a\n\n-   [ ]   x \n*  [x] y\n", "# P\n\n### Task 1: a\n\n- [ ] x\n* [x] y\n"},
		{"a box with more lines keeps its indentation", "# P\n\n### Task 1: a\n\n-   [ ]  x\n    more\n", "# P\n\n### Task 1: a\n\n-   [ ] x\n    more\n"},
		{"a box keeps its indentation if something would slip into it", "# P\n\n### Task 1: a\n\n-   [ ]  x\n\n  text\n", "# P\n\n### Task 1: a\n\n-   [ ] x\n\n  text\n"},
		{"line ends of the most", "# P\r\n\r\ntext\r\nmore\n", "# P\r\n\r\ntext\r\nmore\r\n"},
		{"byte order mark", "\ufeff# P\ntext\n", "\ufeff# P\n\ntext\n"},
		{"hard break", "# P\n\none   \ntwo  \n\nthree \nfour\n", "# P\n\none  \ntwo\n\nthree\nfour\n"},
		{"fence", "# P\n```sh\n# no heading\n\n\n a  \n```\n", "# P\n\n```sh\n# no heading\n\n\n a  \n```\n"},
		{"open fence", "# P\n\n```\n### Task 7: x  \n\n\n", "# P\n\n```\n### Task 7: x  \n\n\n"},
		{"comment", "# P\n\n<!-- a  \n\n\n### Task 7: x\n-->\n\n\ntext\n", "# P\n\n<!-- a  \n\n\n### Task 7: x\n-->\n\ntext\n"},
		{"indented code", "# P\n\n    a\n\n\n    b\n\n\ntext\n", "# P\n\n    a\n\n\n    b\n\ntext\n"},
		{"literal HTML", "# P\n\n<pre>\n a  \n\n\n# b\n</pre>\n\n\ntext\n", "# P\n\n<pre>\n a  \n\n\n# b\n</pre>\n\ntext\n"},
		{"a task in HTML is numbered in its place", "# P\n\n<details>\n### Task 5: a\n- [ ] x\n</details>\n", "# P\n\n<details>\n### Task 1: a\n- [ ] x\n</details>\n"},
		{"front matter", "---\na:   b  \n# c\n---\n\n\n# P\n", "---\na:   b  \n# c\n---\n\n# P\n"},
		{"underlined heading", "P\n===\ntext\n", "P\n===\ntext\n"},
		{"no task, no heading", "text  \n\n\nmore", "text\n\nmore\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := format.Format([]byte(tt.in))
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(res.Text))
			again, err := format.Format(res.Text)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(again.Text), "twice is once")
		})
	}
}

func TestRenumberingNamesWhatSpeaksOfTheOldNumbers(t *testing.T) {
	t.Parallel()
	res, err := format.Format([]byte("# P\n\n## Context\n\nTask 2.5 needs task 3; task 1 does not.\n\n### Task 1: a\n\n- [ ] x\n\n### Task 2.5: b\n\n- [ ] after Task 1\n\n### Task 3: c\n\n- [ ] see Task 2.5.\n"))
	require.NoError(t, err)
	assert.Equal(t, 1, res.Renumbered, "2.5 became 2; 3 was right by chance")
	assert.Equal(t, []format.Note{{5, 5, `says "Task 2.5", which is task 2 now`}, {17, 17, `says "Task 2.5", which is task 2 now`}}, res.Notes)
	assert.Contains(t, string(res.Text), "Task 2.5 needs", "words are not ours to change")
}

func TestLimits(t *testing.T) {
	t.Parallel()
	_, err := format.Format([]byte(strings.Repeat("- ", plan.MaxDepth+10) + "x"))
	require.ErrorIs(t, err, plan.ErrLimit)
}

// odd are texts that a careless formatter would damage.
var odd = []string{
	"# P\n\n### Task 2: a\n-  [ ]   b  \n\n\n    - [x] c\n", "---\n---\n", "<pre>\n\n\n# x", "```\n\n", "-\t[ ] a\n\n\n\tb\n",
	"# P\r\n## X\r\n### Task 1 : y\r\n+ [~] z", "> # a\n\n\n> - [ ] b\n", "<!-->\n### Task 1: a\n", "\ufeff\n\n# P", "a  \n# b\n===\n", "1. a\n\n\n   # b\n",
	"###\fTask 0:", "\ufeff\n", "\n\ufeff\n0", "<0\n#\n0 \n", "<A>\n0\r\r\n", "### Task 0:\n-  [X] \n  ```\n0 0 \n00", "### Task 1: a\n-   [ ] x\n\n  text\n", "# P\n### Task 0:#  \n- [ ] a", "#\f", "### Task 1: a ###\n- [ ]\tx\n  ```sh\n\n\n  y\n  ```\n",
}

// A refusal keeps a plan safe, but nobody should ever see one.
func TestNoRefusals(t *testing.T) {
	t.Parallel()
	for _, s := range odd {
		_, err := format.Format([]byte(s))
		assert.NoError(t, err, s)
	}
}

// FuzzFormat: no panic, no plan that says something else, twice is once, and no word lost.
func FuzzFormat(f *testing.F) {
	for _, s := range odd {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		res, err := format.Format(src)
		if err != nil {
			if _, changed := err.(*format.ChangedError); changed {
				t.Logf("refused: %v", err) // the plan is safe
			}
			return
		}
		again, err := format.Format(res.Text)
		if err != nil {
			t.Fatalf("the result is refused: %v\n%q\n%q", err, src, res.Text)
		}
		if string(again.Text) != string(res.Text) {
			t.Fatalf("twice is other:\n%q\n%q\n%q", src, res.Text, again.Text)
		}
		if res.Renumbered == 0 {
			if a, b := strings.Fields(string(src)), strings.Fields(string(res.Text)); strings.Join(a, "") != strings.Join(b, "") {
				t.Fatalf("other words:\n%q\n%q", src, res.Text)
			}
		}
	})
}

func BenchmarkFormat(b *testing.B) {
	var s strings.Builder
	s.WriteString("# P\n\n## Implementation Steps\n")
	for range 20 {
		s.WriteString("### Task 1: some title\n- [ ] one thing to do, in some words\n- [ ] another\n\n\n  with more text\n- [x] write tests\n- [ ] run project tests\n")
	}
	src := []byte(s.String())
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := format.Format(src); err != nil {
			b.Fatal(err)
		}
	}
}
