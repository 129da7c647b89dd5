package plan

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func parse(t testing.TB, src string) *Plan {
	t.Helper()
	p, err := ParsePlan([]byte(src))
	require.NoError(t, err)
	return p
}

// sketch draws a plan's tasks and boxes on one line each: "1|2.5|Title|active" and "  x0 text".
func sketch(p *Plan) string {
	var b strings.Builder
	for _, t := range p.Tasks {
		fmt.Fprintf(&b, "%d|%s|%s|%s\n", t.Number, t.ID, t.Title, t.Status)
		for _, c := range t.Checkboxes {
			mark := map[BoxState]string{BoxOpen: "o", BoxChecked: "x", BoxManual: "m", BoxSkipped: "s"}[c.State]
			if c.Sample {
				mark += "?"
			}
			fmt.Fprintf(&b, " %s%d %s\n", mark, c.Depth, c.Text)
		}
	}
	return b.String()
}

func codes(p *Plan) string {
	var out []string
	for _, q := range p.Problems {
		out = append(out, fmt.Sprintf("%s@%d:%d", q.Code, q.Line, q.Col))
	}
	return strings.Join(out, " ")
}

// TestGolden reads every testdata/*.md and compares the JSON; the public part of its shape is fixed.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p, err := ParsePlanFile(path)
			require.NoError(t, err)
			p.Path = "" // separators differ
			got := indentJSON(t, p)
			golden := strings.TrimSuffix(path, ".md") + ".json"
			if *update {
				require.NoError(t, os.WriteFile(golden, got, 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got))
		})
	}
}

func TestParsePlanFileErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := ParsePlanFile(filepath.Join(dir, "none.md"))
	require.ErrorIs(t, err, fs.ErrNotExist)

	_, err = ParsePlanFile(dir)
	require.ErrorContains(t, err, "a folder, not a plan file")

	big := filepath.Join(dir, "big.md")
	require.NoError(t, os.WriteFile(big, nil, 0o644))
	require.NoError(t, os.Truncate(big, MaxSize+1))
	_, err = ParsePlanFile(big)
	require.ErrorIs(t, err, ErrLimit)
	assert.ErrorContains(t, err, "big.md: more bytes than a plan may have")

	deep := filepath.Join(dir, "deep.md")
	require.NoError(t, os.WriteFile(deep, []byte("# x\n\n"+strings.Repeat("> ", 101)+"x\n"), 0o644))
	_, err = ParsePlanFile(deep)
	require.ErrorIs(t, err, ErrLimit)
	assert.ErrorContains(t, err, "deep.md:3:201: lists or quotes stand more than 100 deep")
	limit, ok := errors.AsType[*LimitError](err)
	require.True(t, ok)
	assert.Equal(t, 3, limit.Line)
}

func TestHeaders(t *testing.T) {
	for _, tt := range []struct{ name, src, want, problems string }{
		{"plain", "### Task 1: Title\n", "1|1|Title|pending\n", "no-boxes@1:1"},
		{"iteration", "### Iteration 3: Title", "3|3|Title|pending\n", "no-boxes@1:1"},
		{"no integer", "### Task 2.5: a: b\n### Task 2a: c", "0|2.5|a: b|pending\n0|2a|c|pending\n", "no-boxes@1:1 no-boxes@2:1"},
		{"words", "### Task the last one:", "0|the last one||pending\n", "no-boxes@1:1"},
		{"tabs", "###\tTask\t1 :\tTitle\t\n", "1|1|Title|pending\n", "no-boxes@1:1"},
		{"blank identifier", "###  Task  : x", "0||x|pending\n", "no-boxes@1:1"},
		{"no identifier", "### Task : x\n### Task: x", "", ""},
		{"closed", "### Task 1: Title ###\n### Task 2: C#\n", "1|1|Title|pending\n2|2|C#|pending\n", "no-boxes@1:1 no-boxes@2:1"},
		{"indented", "  ### Task 1: x\n- [ ] a\n", "1|1|x|pending\n o0 a\n", "public-blind-header@1:3 public-blind-box@2:1"},
		{"indented code", "    ### Task 1: x\n", "", ""},
		{"four", "#### Task 1: x\n", "", "wrong-level@1:1"},
		{"two", "## Task 1: x\n", "", "wrong-level@1:1"},
		{"crlf", "### Task 1: Title\r\n- [ ] a\r\n", "1|1|Title|pending\n o0 a\n", ""},
		{"bom", bom + "### Task 1: Title\n- [x] a\n", "1|1|Title|done\n x0 a\n", ""},
		{"in a list", "- a\n\n  ### Task 1: x\n", "", "nested-header@3:3"},
		{"in a quote", "> ### Task 1: x\n", "", "nested-header@1:1"},
		{"in details", "<details>\n### Task 1: x\n- [ ] a\n</details>\n", "1|1|x|pending\n o0 a\n", "line-only-header@2:1 line-only-box@3:1"},
		{"after an open comment", "<!-- note\n### Task 1: x\n- [ ] a\n", "1|1|x|pending\n o0 a\n", "unclosed-comment@1:1 line-only-header@2:1 line-only-box@3:1"},
		{"in a comment", "<!--\n### Task 1: x\n- [ ] a\n-->\n", "", "hidden-header@2:1 hidden-box@3:1"},
		{"in a fence", "```\n### Task 1: x\n```\n", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, tt.src)
			assert.Equal(t, tt.want, sketch(p))
			assert.Equal(t, tt.problems, codes(p))
		})
	}
}

// TestBoxes has one task `### Task 1: T` in line 1; the source begins in line 2.
func TestBoxes(t *testing.T) {
	for _, tt := range []struct{ name, src, want, problems string }{
		{"marks", "- [ ] a\n- [x] b\n- [X] c\n- [~] d\n- [-] e\n", " o0 a\n x0 b\n x0 c\n m0 d\n s0 e\n", "our-mark@5:1 our-mark@6:1"},
		{"manual", "- [ ] (manual) a\n- [ ] (Manual) b\n- [x] (manual) c\n", " m0 (manual) a\n m0 (Manual) b\n x0 (manual) c\n", ""},
		{"bullets", "* [ ] a\n+ [x] b\n", " o0 a\n x0 b\n", "public-blind-box@2:1 public-blind-box@3:1"},
		{"numbered", "1. [ ] a\n2) [x] b\n", "", "no-boxes@1:1 numbered-box@2:1 numbered-box@3:1"},
		{"nested", "- [ ] a\n  - [ ] b\n    - [x] c\n- [ ] d\n", " o0 a\n o1 b\n x2 c\n o0 d\n", ""},
		{"tab nested", "- [ ] a\n\t- [ ] b\n\t\t- [ ] c\n", " o0 a\n o1 b\n o2 c\n", ""},
		{"four blanks", "\n    - [ ] a\n", " o0 a\n", "line-only-box@3:5"},
		{"deep indent", "\ntext\n\n\t\t\t- [ ] a\n", " o0 a\n", "line-only-box@5:4"},
		{"below a paragraph", "text\n     - [ ] a\n", " o0 a\n", "line-only-box@3:6"},
		{"far text", "-      [ ] a\n", " o0 a\n", "line-only-box@2:1"},
		{"no blank after", "- [ ]a\n", " o0 a\n", "glued-box@2:1"},
		{"no text", "- [ ]\n- [x] \n", " o0 \n x0 \n", ""},
		{"trailing blanks", "- [ ]   a b\t \n", " o0 a b\n", ""},
		{"date", "- [2026-01-29] note\n- [ab] c\n", "", "no-boxes@1:1"},
		{"links", "- [](link)\n- [a](b)\n- [x][y]\n", " x0 [y]\n", "glued-box@4:1"},
		{"link that the public rule counts", "- [x](url)\n- [ ](url)\n", " x0 (url)\n o0 (url)\n", "glued-box@2:1 glued-box@3:1"},
		{"link that nobody counts", "* [x](url)\n- [-](url)\n", "", "no-boxes@1:1"},
		{"near", "- [] a\n-[ ] b\n- [x ] c\n- [  ] d\n- [\u00a0] e\n* [ ]f\n", "", "no-boxes@1:1 near-box@2:1 near-box@3:1 near-box@4:1 near-box@5:1 near-box@6:1 near-box@7:1"},
		{"W1", "- [ ] change to []byte\n- [ ] parse `[ ]` and [x]\n", " o0 change to []byte\n o0 parse `[ ]` and [x]\n", ""},
		{"samples", "- [ ] `- [ ]`\n- [ ] [x]\n- [ ] \"[]\"\n", " o?0 `- [ ]`\n o?0 [x]\n o?0 \"[]\"\n", "sample-box@2:1 sample-box@3:1 sample-box@4:1"},
		{"quote", "> - [ ] a\n> - [x] b\n", "", "no-boxes@1:1"},
		{"lazy in a quote", "> text\n     - [ ] a\n", " o0 a\n", "line-only-box@3:6"},
		{"quote in a list", "- > - [ ] a\n", "", "no-boxes@1:1"},
		{"two markers", "- - [ ] a\n1. - [ ] b\n", " o1 a\n o1 b\n", "public-blind-box@2:3 public-blind-box@3:4"},
		{"fences", "```\n- [ ] a\n```\n~~~sh\n- [ ] b\n```\n- [ ] c\n~~~\n- [ ] d\n", " o0 d\n", ""},
		{"long fence", "````\n```\n- [ ] a\n````\n- [ ] b\n", " o0 b\n", ""},
		{"fence in an item", "- [ ] a\n  ```\n  - [ ] no\n  ```\n- [ ] b\n", " o0 a\n o0 b\n", ""},
		{"fence deep in an item", "1. a\n   - b\n\n     ```\n     - [ ] no\n     ```\n- [ ] c\n", " o0 c\n", "hidden-box@6:6"},
		{"fence behind a marker", "- ```\n  - [ ] no\n  ```\n- [ ] a\n", " o0 a\n", "hidden-box@3:3 public-fence@4:3 public-blind-box@5:1"},
		{"fence that a list ends", "- a\n  ```\n```\n- [ ] b\n```\nmore\n```\n- [ ] c\n", " o0 b\n o0 c\n", "unclosed-fence@3:3 line-only-box@5:1 unclosed-fence@8:1 line-only-box@9:1"},
		{"no fence", "``` a`b\n- [ ] a\n", " o0 a\n", ""},
		{"unclosed fence", "- [ ] a\n```\n- [ ] b\n### Task 2: c\n", " o0 a\n", "unclosed-fence@3:1"},
		{"comment", "<!-- - [ ] a\n- [ ] b -->\n- [ ] c\n", " o0 c\n", "hidden-box@3:1"},
		{"comment on one line", "<!-- x -->\n- [ ] a <!-- y -->\n", " o0 a <!-- y -->\n", ""},
		{"short comment", "<!-->\n- [ ] a\n", " o0 a\n", ""},
		{"comment in an item", "- [ ] a\n  <!--\n  - [ ] b\n  -->\n", " o0 a\n", "hidden-box@4:3"},
		{"comment with a comment", "<!--\n<!-- x -->\n- [ ] a\n-->\n", " o0 a\n", "comment-inside@2:1"},
		{"open comment", "<!-- x\n- [ ] a\n\n- [ ] b\n", " o0 a\n o0 b\n", "unclosed-comment@2:1 line-only-box@3:1 line-only-box@5:1"},
		{"details", "<details>\n- [ ] a\n\n- [ ] b\n</details>\n", " o0 a\n o0 b\n", "line-only-box@3:1"},
		{"details with a comment", "<details>\n<!--\n- [ ] a\n-->\n- [ ] b\n</details>\n", " o0 b\n", "hidden-box@4:1 line-only-box@6:1"},
		{"pre", "<pre>\n- [ ] a\n\n- [ ] b\n</pre>\n", " o0 a\n o0 b\n", "line-only-box@3:1 line-only-box@5:1"},
		{"crlf", "- [ ] a\r\n\r\n- [x] b  \r\n", " o0 a\n x0 b\n", ""},
		{"nul and bad bytes", "- [ ] a\x00\xff\n", " o0 a\x00\xff\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, "### Task 1: T\n"+tt.src)
			require.NotEmpty(t, p.Tasks)
			_, boxes, _ := strings.Cut(sketch(p), "\n")
			assert.Equal(t, tt.want, boxes)
			assert.Equal(t, tt.problems, codes(p))
		})
	}
}

func TestWhereTasksEnd(t *testing.T) {
	const task = "# Plan\n\n### Task 1: T\n- [x] a\n"
	for _, tt := range []struct{ name, src, want, problems string }{
		{"h2", "## Notes\n- [ ] b\n", "", "stray-box@6:1"},
		{"h1", "# Notes\n- [ ] b\n", "", "stray-box@6:1"},
		{"h3 and h4", "### Notes\n- [ ] b\n#### More\n- [ ] c\n", " o0 b\n o0 c\n", ""},
		{"hashtag", "\n#hashtag\n- [ ] b\n", " o0 b\n", "public-blind-box@7:1"},
		{"shebang", "\n#!/bin/sh\n- [ ] b\n", " o0 b\n", "public-blind-box@7:1"},
		{"double hashtag", "\n##tag\n- [ ] b\n", " o0 b\n", "public-blind-box@7:1"},
		{"heading in a fence", "```sh\n# comment\n```\n- [ ] b\n", " o0 b\n", ""},
		{"setext alone", "\nNotes\n-----\ntext\n", "", ""},
		{"setext, then a box", "\nNotes\n-----\n- [ ] b\n* [ ] c\n", " o0 b\n o0 c\n", "box-after-end@8:1 public-blind-box@9:1"},
		{"setext, then a box of ours", "\nNotes\n-----\n* [ ] c\n", "", "stray-box@8:1"},
		{"rule without a blank line", "\ntext\n---\n- [ ] b\n", " o0 b\n", "box-after-end@8:1"},
		{"indented h2", "\n ## Notes\n- [ ] b\n", " o0 b\n", "box-after-end@7:1"},
		{"h2 in details", "<details>\n## x\n\n- [ ] b\n</details>\n", " o0 b\n", "public-blind-box@8:1"},
		{"h2 in an open comment", "<!--\n## x\n- [ ] b\n", "", "unclosed-comment@5:1 stray-box@7:1"},
		{"next task is hidden", "## Notes\n<!--\n### Task 2: U\n-->\n- [ ] b\n", "", "hidden-header@7:1 stray-box@9:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, task+tt.src)
			require.Len(t, p.Tasks, 1)
			assert.Equal(t, tt.want, strings.TrimPrefix(sketch(p), "1|1|T|"+string(p.Tasks[0].Status)+"\n x0 a\n"))
			assert.Equal(t, tt.problems, codes(p))
		})
	}
	t.Run("a title may come late", func(t *testing.T) {
		p := parse(t, "### Task 1: T\n# Title\n- [ ] a\n")
		assert.Equal(t, "1|1|T|pending\n o0 a\n", sketch(p))
		assert.Equal(t, "Title", p.Title)
	})
}

func TestTitle(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"# A *title* `x`\n", "A *title* `x`"},
		{"# A title ##\n# Other\n", "A title"},
		{"A title\n===\n", "A title"},
		{"Two\nlines\n===\n", "Two lines"},
		{bom + "# A title\r\n", "A title"},
		{"#tag\n\n#\n\n# Title\n", "Title"},
		{"```\n# no\n```\n# Title\n", "Title"},
		{"<!--\n# no\n-->\n# Title\n", "Title"},
		{"<!-- x\n# Title\n", "Title"},
		{"## no\n", ""},
	} {
		assert.Equal(t, tt.want, parse(t, tt.src).Title, "%q", tt.src)
	}
}

func TestSpansAndPlaces(t *testing.T) {
	src := bom + "# P\r\n\r\n### Task 1: T\r\n- [ ] a\r\n  more\r\n  - [x] b\r\n\r\n- [ ] c\r\n\r\n## End\r\n"
	p := parse(t, src)
	require.Len(t, p.Tasks, 1)
	task := p.Tasks[0]
	cut := func(s Span) string { return src[s.Start:s.End] }
	assert.Equal(t, "### Task 1: T\r\n- [ ] a\r\n  more\r\n  - [x] b\r\n\r\n- [ ] c\r\n\r\n", cut(task.Span))
	assert.Equal(t, 3, task.Line)
	require.Len(t, task.Checkboxes, 3)
	assert.Equal(t, "- [ ] a\r\n  more\r\n  - [x] b\r\n", cut(task.Checkboxes[0].Span))
	assert.Equal(t, "  - [x] b\r\n", cut(task.Checkboxes[1].Span))
	assert.Equal(t, "- [ ] c\r\n", cut(task.Checkboxes[2].Span))
	assert.Equal(t, []int{4, 6, 8}, []int{task.Checkboxes[0].Line, task.Checkboxes[1].Line, task.Checkboxes[2].Line})
	assert.Equal(t, byte('x'), src[task.Checkboxes[1].Offset])
}

func TestBlocks(t *testing.T) {
	p := parse(t, "### Task 1: T\r\n```sh\r\nfirst\r\n```\r\n- [ ] a\r\n\r\n  ```bash title=x\r\n  one\r\n    two\r\n  ```\r\n  - [ ] b\r\n  text\r\n```Shell\r\nthree\r\n```\r\n```go\r\nno\r\n```\r\n> ```sh\r\n> no\r\n> ```\r\n<!--\r\n```sh\r\nno\r\n```\r\n-->\r\n## End\r\n```sh\r\nno\r\n```\r\n")
	require.Len(t, p.Tasks, 1)
	task := p.Tasks[0]
	assert.Equal(t, []Block{{Lang: "sh", Info: "sh", Text: "first\n", Line: 2}}, task.Blocks)
	require.Len(t, task.Checkboxes, 2)
	assert.Equal(t, []Block{{Lang: "bash", Info: "bash title=x", Text: "one\n  two\n", Line: 7}}, task.Checkboxes[0].Blocks)
	assert.Equal(t, []Block{{Lang: "Shell", Info: "Shell", Text: "three\n", Line: 13}}, task.Checkboxes[1].Blocks)

	p = parse(t, "### Task 1: T\n- [ ] a\n```sh\nrm -rf x\n### Task 2: U\n")
	assert.Empty(t, p.Tasks[0].Checkboxes[0].Blocks, "an unclosed fence holds the rest of the plan and must not run")
}

func TestHostile(t *testing.T) {
	deep := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", 2*i) + "- x\n")
		}
		return b.String()
	}
	for _, tt := range []struct {
		name, src string
		refused   bool
	}{
		{"1,600-deep list", deep(1600), true},
		{"100-deep list", deep(100), false},
		{"101-deep list", deep(101), true},
		{"link definitions", strings.Repeat("[a]: /b\n", 50000), false},
		{"brackets", strings.Repeat("[", MaxSize), false},
		{"quotes", strings.Repeat(">", MaxSize), true},
		{"markers", strings.Repeat("- ", MaxSize/2), false},
		{"markers, then text", strings.Repeat("- ", MaxSize/2-1) + "a", true},
		{"backquotes", strings.Repeat("`a", MaxSize/8), false},
		{"NUL", strings.Repeat("\x00", MaxSize/4), false},
		{"blank lines", strings.Repeat("\n", MaxSize/4), false},
		{"many lines", strings.Repeat("a\n", MaxLines+1), true},
		{"many items", strings.Repeat("- a\n", MaxLines/8), false},
		{"many comments", strings.Repeat("<!-- x -->", 100000), false},
		{"many open comments", strings.Repeat("<!--", 100000), false},
		{"many fences", strings.Repeat("- ```\n", 50000), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ParsePlan([]byte(tt.src))
			if tt.refused {
				require.ErrorIs(t, err, ErrLimit)
				return
			}
			require.NoError(t, err)
			assert.Empty(t, p.Tasks)
		})
	}
	t.Run("a very long line", func(t *testing.T) {
		p := parse(t, "### Task 1: T\n- [ ] "+strings.Repeat("x", 1<<20)+"\n- [ ] b\n")
		require.Len(t, p.Tasks[0].Checkboxes, 2)
	})
}

func TestUTF16IsNamed(t *testing.T) {
	for _, src := range []string{"\xff\xfe#\x00 \x00P\x00", "\xfe\xff\x00#\x00 \x00P"} {
		_, err := ParsePlan([]byte(src))
		var limit *LimitError
		require.ErrorAs(t, err, &limit)
		assert.Equal(t, [2]int{1, 1}, [2]int{limit.Line, limit.Col})
		assert.ErrorContains(t, err, "iconv -f UTF-16 -t UTF-8")
	}
}
