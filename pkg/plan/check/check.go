package check

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// Options say how to check. The zero value is the strict profile.
type Options struct {
	Profile    Profile
	Severities map[string]Severity               // by rule id; what is not in it has the rule's own
	Path       string                            // for messages; the file is not read
	Deep       bool                              // look for the executables of validation commands
	LookPath   func(file string) (string, error) // nil: Deep does nothing
}

// Check returns the findings in src, in file order. It never panics; what cannot be read as a plan is a
// finding. Equal arguments give equal answers, as long as LookPath does.
func Check(src []byte, o Options) []Finding {
	c := &checker{o: o, src: string(src)}
	p, err := plan.ParsePlan(src)
	var limit *plan.LimitError
	switch {
	case errors.As(err, &limit):
		c.unreadable(limit)
		return c.out
	case err != nil:
		c.report("plan-unreadable", 0, 0, "make it a Markdown file: "+err.Error(), nil)
		return c.out
	}
	c.p = p
	c.prepare(src)
	for _, pass := range passes {
		pass(c)
	}
	c.dropSuppressed()
	sortFindings(c.out)
	return c.out
}

// passes are the concerns, each in its own file. Their order does not matter.
var passes = []func(*checker){
	(*checker).title,
	(*checker).sections,
	(*checker).tasks,
	(*checker).headers,
	(*checker).endings,
	(*checker).lastTask,
	(*checker).boxes,
	(*checker).words,
	(*checker).validation,
	(*checker).readings,
}

// checker is one check of one text.
type checker struct {
	o       Options
	src     string
	p       *plan.Plan
	lines   []int  // offset of each line
	eol     string // what ends the lines of this file
	clear   bool   // both readings agree about the structure, so that text can be inserted
	outl    outline
	offs    []off
	offNext int // the line that the last of them was about
	// murkyTasks are the positions of tasks in which the two readings disagree about a box; nil = not known yet.
	murkyTasks map[int]bool
	out        []Finding
}

func (c *checker) prepare(src []byte) {
	c.lines = make([]int, 1, bytes.Count(src, []byte("\n"))+1)
	for i := 0; ; {
		n := strings.IndexByte(c.src[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		c.lines = append(c.lines, i)
	}
	c.eol = "\n"
	if i := strings.IndexByte(c.src, '\n'); i > 0 && c.src[i-1] == '\r' {
		c.eol = "\r\n"
	}
	c.clear = !slices.ContainsFunc(c.p.Problems, func(q plan.Problem) bool { return unclear[q.Code] })
	c.outl = readOutline(c.p)
	c.findOffs()
}

// unclear are problems after which nobody knows what inserted text would be part of.
var unclear = map[plan.Code]bool{
	plan.UnclosedFence: true, plan.PublicFence: true, plan.UnclosedComment: true, plan.CommentInside: true,
	plan.NotMarkdown: true, plan.BareCR: true, plan.BoxAfterEnd: true, plan.LineOnlyHeader: true, plan.HiddenHeader: true,
}

// severity is what the options make of a rule, Off if it is not asked.
func (c *checker) severity(id string) Severity {
	r := byID()[id]
	if c.o.Profile == Run && r.Profile != Run {
		return Off
	}
	if s, ok := c.o.Severities[id]; ok {
		return s
	}
	return r.Severity
}

// on tells whether a rule is asked, to spare work whose result nobody wants.
func (c *checker) on(id string) bool { return c.severity(id) != Off }

// report adds a finding about length bytes at offset.
func (c *checker) report(id string, offset, length int, message string, fix *Fix) {
	s := c.severity(id)
	if s == Off {
		return
	}
	f := Finding{Rule: id, Severity: s, Offset: offset, Len: length, Message: message, Fix: fix}
	f.Line, f.Col = c.place(offset)
	f.EndLine, f.EndCol = c.place(offset + length)
	c.out = append(c.out, f)
}

// place turns an offset into a line and a column, both 1-based.
func (c *checker) place(offset int) (line, col int) {
	if c.lines == nil {
		return strings.Count(c.src[:offset], "\n") + 1, offset - strings.LastIndexByte(c.src[:offset], '\n')
	}
	i, ok := slices.BinarySearch(c.lines, offset)
	if !ok {
		i--
	}
	return i + 1, offset - c.lines[i] + 1
}

// at is the offset of a problem of the reader. Its columns do not count a byte order mark.
func (c *checker) at(q plan.Problem) int {
	at := c.lines[min(max(q.Line-1, 0), len(c.lines)-1)] + max(q.Col-1, 0)
	if q.Line == 1 {
		at += c.bom()
	}
	return min(at, len(c.src))
}

const bom = "\xef\xbb\xbf"

func (c *checker) bom() int {
	if strings.HasPrefix(c.src, bom) {
		return len(bom)
	}
	return 0
}

// line returns the n-th line, 1-based, without its line end, and its offset.
func (c *checker) line(n int) (text string, start int) {
	start = c.lines[n-1]
	end := len(c.src)
	if n < len(c.lines) {
		end = c.lines[n] - 1
	}
	if n == 1 {
		start += c.bom()
	}
	return strings.TrimSuffix(c.src[start:end], "\r"), start
}

// after is the offset behind a line and its line end.
func (c *checker) after(n int) int {
	if n < len(c.lines) {
		return c.lines[n]
	}
	return len(c.src)
}

// one makes a fix of one edit.
func one(title string, offset, length int, text string) *Fix {
	return &Fix{Title: title, Edits: []Edit{{Offset: offset, Len: length, New: text}}}
}

// later is one for text that is missing.
func later(title string, offset int, text string) *Fix {
	f := one(title, offset, 0, text)
	f.order = late
	return f
}

// shape is one after which more tasks or boxes may be seen.
func shape(title string, offset, length int, text string) *Fix {
	f := one(title, offset, length, text)
	f.order = shaping
	return f
}

func (c *checker) unreadable(l *plan.LimitError) {
	offset := 0
	if l.Line > 0 {
		for range l.Line - 1 {
			offset += strings.IndexByte(c.src[offset:], '\n') + 1
		}
	}
	c.report("plan-unreadable", offset, 0, "this is beyond what ralphex reads: "+l.Reason, nil)
}
