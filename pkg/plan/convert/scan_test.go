package convert

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMessy checks single lines of Markdown by the plan that they become: what must be in it, and the losses.
func TestMessy(t *testing.T) {
	for _, tc := range []struct {
		name, src, want string
		losses          int
	}{
		{"a fence ends with its item", "- a\n  ```\n  code\n- [ ] b\n\nc\n\n```\nd\n```\n", "- [ ] b\n", 0},
		{"a fence that is never closed hides nothing", "- [ ] a\n```\n- [ ] b\n", "- [ ] a\n- [ ] b\n", 1},
		{"a box in a fence is none", "- [ ] a\n\n```\n- [ ] b\n```\n", "```\n- [ ] b\n```\n", 0},
		{"a hashtag ends no task", "- [ ] a\n\n#b\n- [ ] c\n", "\\#b\n", 0},
		{"HTML stays text", "- [ ] a\n\n<pre>\n", "\\<pre>\n", 0},
		{"a heading like a task is none", "## A\n- [ ] a\n  ### Task 7: b\n", "Task 7: b\n", 0},
		{"a box in a quote is none", "- [ ] a\n\n> - [ ] b\n", "> - b\n", 0},
		{"a comment is a loss", "- [ ] a <!-- b -->\n", "- [ ] a\n", 1},
		{"a placeholder in code stays", "- [ ] print `TBD`\n", "- [ ] print `TBD`\n", 0},
		{"a placeholder outside is a loss", "- [ ] print TBD soon\n", "- [ ] print soon\n", 1},
		{"lines that go on are one", "- [ ] a\n  b\nc\n", "- [ ] a b c\n", 0},
		{"a paragraph below a box is its detail", "- [ ] a\n\n  b\n", "- [ ] a\n\n  b\n", 0},
		{"indented code becomes a fence", "- [ ] x\n\nText.\n\n    code\n", "```\ncode\n```\n", 0},
		{"tabs in code stay", "- [ ] x\n\n```make\nall:\n\tgo build\n```\n", "\n\tgo build\n", 0},
		{"underlined headings", "Title\n=====\n\nGroup\n-----\n- [ ] a\n", "### Task 1: Group\n", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := FromBytes("x.md", []byte(tc.src))
			r, err := Convert(in, Options{From: List})
			require.NoError(t, err)
			checkResult(t, in, r)
			assert.Contains(t, string(r.Output), tc.want)
			assert.Len(t, r.Losses, tc.losses, "%v", r.Losses)
		})
	}
}
