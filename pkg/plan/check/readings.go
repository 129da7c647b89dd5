package check

import (
	"strings"

	"ralphex/pkg/plan"
)

// reading is how a problem of the reader is told.
type reading struct {
	rule    string
	message string
}

// readingRules are the problems that are told as they are. The others have rules that look closer.
var readingRules = map[plan.Code]reading{
	plan.LineOnlyBox:     {"two-readings", "put a blank line before this list and indent it like its neighbours: it counts as a box, and Markdown shows plain text"},
	plan.LineOnlyHeader:  {"two-readings", "put a blank line before this header, outside of HTML: it counts as a task, and Markdown shows none"},
	plan.PublicFence:     {"two-readings", "close this fence with the same characters, at most three blanks before them: other readers think that it is open"},
	plan.BoxAfterEnd:     {"two-readings", "write the heading above at the start of its line: this box still counts for the task before it"},
	plan.UnclosedFence:   {"unclosed", "close this fence: it swallows all that follows"},
	plan.UnclosedComment: {"unclosed", "close this comment with `-->`: what follows is not shown and counts all the same"},
	plan.CommentInside:   {"unclosed", "take the comment inside of this one out: the first `-->` ends both"},
	plan.HiddenBox:       {"hidden-work", "take this box out of the comment if it is work, or write it without brackets"},
	plan.HiddenHeader:    {"hidden-work", "take this task out of the comment or fence if it is one: it is left out"},
	plan.ReviewValue:     {"review-comment", "write `<!-- ralphex-review: task -->`, or `group`, `end`, `none`: this one is ignored"},
	plan.ReviewPlace:     {"review-comment", "move this comment below a `### Task N: title`: here it is ignored; for all tasks there is the key `review`"},
	plan.ReviewTwice:     {"review-comment", "leave one review comment in the task: this one is ignored"},
	plan.BareCR:          {"line-ends", "save the file with LF or CRLF line ends: it is one line now"},
	plan.NotMarkdown:     {"two-readings", "please report this file: the Markdown reader gave up on it"},
}

// readings tells where Markdown and the line rule of other readers differ.
func (c *checker) readings() {
	for _, q := range c.p.Problems {
		r, ok := readingRules[q.Code]
		if !ok {
			continue
		}
		at, length := 0, 0
		if q.Line > 0 {
			at = c.at(q)
			line, start := c.line(q.Line)
			length = max(start+len(strings.TrimRight(line, " \t"))-at, 0)
			if q.Code == plan.LineOnlyBox && strings.Contains(line[:at-start], "\t") {
				r = reading{"tab-code", "indent this box with blanks instead of tabs: Markdown reads it as code"}
			}
		}
		if q.Code == plan.BareCR {
			length = 1
		}
		c.report(r.rule, at, length, r.message, nil)
	}
}
