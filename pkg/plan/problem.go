package plan

import (
	"fmt"
	"strings"
)

// Severity tells how much a Problem matters.
type Severity string

// The severities.
const (
	Note    Severity = "note"    // read as its author meant it, most likely; another reader may not
	Warning Severity = "warning" // something that looks like work is not counted, or counts unexpectedly
	Refusal Severity = "refusal" // Validate does not let such a plan run
)

// Code names a kind of Problem; it is stable and may be matched on.
type Code string

// The kinds of problems.
const (
	// Both readings differ, and the box or header counts.
	LineOnlyBox    Code = "line-only-box"    // Markdown sees code, HTML or plain text
	LineOnlyHeader Code = "line-only-header" // the same for a task header
	GluedBox       Code = "glued-box"        // `- [x](url)`, `- [ ]text`
	PublicBlindBox Code = "public-blind-box" // only Markdown and we see it: `*`, `+`, `- - [ ]`
	OurMark        Code = "our-mark"         // the same for [~] and [-]
	PublicBlindHdr Code = "public-blind-header"
	BoxAfterEnd    Code = "box-after-end" // stands after a heading that only Markdown sees

	// The public rule counts it and we do not.
	HiddenBox    Code = "hidden-box" // in a closed comment or fence
	HiddenHeader Code = "hidden-header"

	// Nobody counts it, or it swallows what follows.
	StrayBox        Code = "stray-box"    // outside of every task
	NumberedBox     Code = "numbered-box" // `1. [ ] x`
	NearBox         Code = "near-box"     // `- [] x`, `-[ ] x`, `- [x ] y`
	SampleBox       Code = "sample-box"
	NestedHeader    Code = "nested-header" // a task header inside a list
	WrongLevel      Code = "wrong-level"   // `## Task 1: x`
	UnclosedFence   Code = "unclosed-fence"
	PublicFence     Code = "public-fence" // only the public rule thinks that a fence is still open
	UnclosedComment Code = "unclosed-comment"
	CommentInside   Code = "comment-inside" // a comment that ends at the end of another one
	NoBoxes         Code = "no-boxes"       // a task without boxes
	ValidationPlace Code = "validation-place"
	ValidationProse Code = "validation-prose"
	ReviewValue     Code = "review-value" // a review comment that says nothing known
	ReviewPlace     Code = "review-place" // outside of every task
	ReviewTwice     Code = "review-twice" // the task has one already
	BareCR          Code = "bare-cr"
	NotMarkdown     Code = "not-markdown" // the Markdown parser gave up: only the line rule was used

	// Refused by Validate.
	Empty         Code = "empty"
	NoTasks       Code = "no-tasks"
	WrongKeyword  Code = "wrong-keyword"  // `### Задача 1: x`, `### task 1: x`
	NoColon       Code = "no-colon"       // `### Task 1 - x`
	MissingSpaces Code = "missing-spaces" // `###Task 1: x`
)

// Problem is something in a plan that a person should know about.
type Problem struct {
	Code   Code
	Line   int    // 1-based; 0 = the whole file
	Col    int    // 1-based, in bytes
	Detail string // what the message speaks about, may be empty
	Fix    string // what should have been typed, where that is known
}

type problemText struct {
	severity Severity
	message  string // %s is Detail
	hint     string // what to type instead
}

var problemTexts = map[Code]problemText{
	LineOnlyBox:     {Note, "counts as a box, though Markdown shows it as plain text%s", "indent it like its neighbours, with a blank line before the list"},
	LineOnlyHeader:  {Note, "counts as a task, though Markdown shows no heading here%s", "put a blank line before it, outside of HTML"},
	GluedBox:        {Note, "counts as a box, though Markdown reads text or a link%s", "put a blank after the bracket"},
	PublicBlindBox:  {Note, "counts as a box, though the public ralphex does not see it%s", "write `- [ ] text`"},
	OurMark:         {Note, "[~] and [-] are marks of ours, the public ralphex does not see this box%s", "write `- [ ] (manual) text` for what a person must do"},
	PublicBlindHdr:  {Note, "counts as a task, though the public ralphex does not see it%s", "write `### Task N: title` at the start of the line"},
	BoxAfterEnd:     {Warning, "counts for the task before the heading%s", "end a task with a `## heading` at the start of a line"},
	HiddenBox:       {Note, "is left out: it stands in a comment or a fence%s", "take it out of there if it is work"},
	HiddenHeader:    {Note, "this task is left out: it stands in a comment or a fence%s", "take it out of there if it is work"},
	StrayBox:        {Warning, "this box is outside of every task and is ignored%s", "move it below a `### Task N: title`, or write it without brackets"},
	NumberedBox:     {Warning, "a numbered item is no box%s", "write `- [ ] text`"},
	NearBox:         {Warning, "looks like a box, but is none%s", "write `- [ ] text` or `- [x] text`"},
	SampleBox:       {Note, "this box only shows how a box is written, no agent is asked to tick it%s", "write what is to be done"},
	NestedHeader:    {Warning, "a task header inside a list or a quote starts no task%s", "write it at the start of a line"},
	WrongLevel:      {Warning, "a task header has exactly three #, this one starts no task%s", "write `### Task N: title`"},
	UnclosedFence:   {Warning, "this fence is never closed and swallows what follows%s", "close it with the same characters at the same indentation"},
	PublicFence:     {Note, "the public ralphex thinks that this fence is never closed%s", "close it with the same characters, at most three blanks before them"},
	UnclosedComment: {Warning, "this comment is never closed; boxes after it count all the same%s", "close it with -->"},
	CommentInside:   {Warning, "this comment ends at the first -->, which seems to belong to another one inside%s", "comments do not nest"},
	NoBoxes:         {Warning, "task %s has no box: nothing in it will be worked on", "give it a `- [ ] text`"},
	ValidationPlace: {Warning, "validation commands are read from a `## Validation Commands`, or from a `###` one inside Testing Strategy%s", "write `## Validation Commands`"},
	ValidationProse: {Warning, "is no command and will not run: %s", "write the command alone in `backquotes`, or after `$ `"},
	ReviewValue:     {Warning, "is no time for a review, the comment is ignored: %s", "write `<!-- ralphex-review: task -->`, or `group`, `end`, `none`"},
	ReviewPlace:     {Warning, "this review comment is outside of every task and is ignored%s", "move it below a `### Task N: title`; for all tasks there is the key `review`"},
	ReviewTwice:     {Warning, "the task has a review comment already, this one is ignored%s", "leave one of them"},
	BareCR:          {Warning, "lines end with a bare carriage return, so the file is one line%s", "save it with LF or CRLF line ends"},
	NotMarkdown:     {Warning, "the Markdown reader gave up on this file; only the line rule was used%s", "please report this file"},
	Empty:           {Refusal, "the plan is empty%s", "begin with `# Title`, then `### Task 1: title` and `- [ ] step`"},
	NoTasks:         {Refusal, "the plan has no task%s", "write `### Task 1: title`, then `- [ ] step`"},
	WrongKeyword:    {Refusal, "a task header begins with the English word Task%s", "write `### Task N: title`"},
	NoColon:         {Refusal, "a task header needs a colon after its number%s", "write `### Task N: title`"},
	MissingSpaces:   {Refusal, "a task header needs blanks around its keyword%s", "write `### Task N: title`"},
}

// Severity tells how much the problem matters.
func (p Problem) Severity() Severity { return problemTexts[p.Code].severity }

// Hint says what to type instead.
func (p Problem) Hint() string {
	if p.Fix != "" {
		return "write `" + p.Fix + "`"
	}
	return problemTexts[p.Code].hint
}

// Message says what is wrong, without its place.
func (p Problem) Message() string {
	head, tail, _ := strings.Cut(problemTexts[p.Code].message, "%s")
	if p.Detail != "" && !strings.HasSuffix(head, " ") {
		head += ": "
	}
	return head + p.Detail + tail
}

// String is "line:col: message; hint".
func (p Problem) String() string {
	s := p.Message() + "; " + p.Hint()
	if p.Line == 0 {
		return s
	}
	return fmt.Sprintf("%d:%d: %s", p.Line, p.Col, s)
}

// Warnings returns the problems that are no mere notes.
func (p *Plan) Warnings() []Problem {
	var out []Problem
	for _, q := range p.Problems {
		if q.Severity() != Note {
			out = append(out, q)
		}
	}
	return out
}
