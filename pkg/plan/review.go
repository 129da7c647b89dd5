package plan

import (
	"slices"
	"strings"
)

// This file reads what a task says about its own review, in a comment that other readers of plans pass over:
//
//	### Task 2: The parser
//
//	<!-- ralphex-review: task -->

// ReviewWhen is when the work of a task is reviewed.
type ReviewWhen string

// The values of the comment and of the `review` key.
const (
	ReviewEnd   ReviewWhen = "end"   // with the whole change
	ReviewTask  ReviewWhen = "task"  // when the task is done
	ReviewGroup ReviewWhen = "group" // when the tasks below its heading are done
	ReviewNone  ReviewWhen = "none"  // not
)

// ReviewWords are all values, for messages.
var ReviewWords = []ReviewWhen{ReviewEnd, ReviewTask, ReviewGroup, ReviewNone}

// ReviewMark is the comment of a task. The zero value is none.
type ReviewMark struct {
	When   ReviewWhen
	Line   int
	Offset int // of the comment's first byte
}

const reviewMark = "ralphex-review"

// reviewMarks gives the tasks their marks. The first one of a task counts.
func (r *reading) reviewMarks() {
	next, line, counted := 0, 1, 0
	for _, c := range r.o.hidden {
		value, ok := markValue(r.body[c.start:c.end])
		if !ok {
			continue
		}
		line += strings.Count(r.body[counted:c.start], "\n")
		counted = c.start
		at := r.base + c.start
		for next < len(r.p.Tasks) && r.p.Tasks[next].Span.End <= at {
			next++
		}
		problem := func(code Code, detail string) {
			col := c.start - strings.LastIndexByte(r.body[:c.start], '\n')
			r.p.Problems = append(r.p.Problems, Problem{Code: code, Line: line, Col: col, Detail: detail})
		}
		when := ReviewWhen(strings.ToLower(value))
		switch {
		case next == len(r.p.Tasks) || at < r.p.Tasks[next].Span.Start:
			problem(ReviewPlace, "")
		case !slices.Contains(ReviewWords, when):
			problem(ReviewValue, value)
		case r.p.Tasks[next].Review.When != "":
			problem(ReviewTwice, "")
		default:
			r.p.Tasks[next].Review = ReviewMark{When: when, Line: line, Offset: at}
		}
	}
}

// markValue is what a comment that is such a mark says.
func markValue(comment string) (string, bool) {
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->"))
	if len(text) < len(reviewMark) || !strings.EqualFold(text[:len(reviewMark)], reviewMark) {
		return "", false
	}
	rest := text[len(reviewMark):]
	if rest != "" && rest[0] != ':' && !isBlank(rest[0]) && rest[0] != '\n' {
		return "", false // a longer word
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), ":")), true
}
