package check

import (
	"cmp"
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// A comment takes rules off:
//
//	<!-- ralphex-check: off RULE … -->        for the next line that is not blank; at the end of a line, for that line
//	<!-- ralphex-check: off-file RULE … -->   for the whole file

const offMark = "<!-- ralphex-check:"

// off is one such comment.
type off struct {
	rules []string
	line  int // 0 = the whole file
}

// findOffs reads the comments, the first of each line, and reports those that cannot be obeyed.
func (c *checker) findOffs() {
	for from := 0; ; {
		i := strings.Index(c.src[from:], offMark)
		if i < 0 {
			return
		}
		at := from + i
		from = at + len(offMark)
		n, _ := c.place(at)
		line, start := c.line(n)
		from = max(from, c.after(n))
		end := strings.Index(line[at-start:], "-->")
		if c.inFence(at) || inCode(line, at-start) {
			continue
		}
		if end < 0 {
			c.report("off-comment", at, len(line)-(at-start), "close this comment on its line with `-->`", nil)
			continue
		}
		text := line[at-start+len(offMark) : at-start+end]
		c.readOff(strings.Fields(text), at, end+len("-->"), n, strings.TrimSpace(line[:at-start]) == "" && strings.TrimSpace(line[at-start+end+3:]) == "")
	}
}

// readOff reads the words of one comment. alone tells whether nothing else stands on its line.
func (c *checker) readOff(words []string, at, length, n int, alone bool) {
	if len(words) < 2 || words[0] != "off" && words[0] != "off-file" {
		c.report("off-comment", at, length, "write `<!-- ralphex-check: off RULE -->`, or `off-file RULE` for the whole file", nil)
		return
	}
	o := off{line: n}
	for _, id := range words[1:] {
		id = strings.Trim(id, ",")
		if _, ok := Lookup(id); !ok && id != "" {
			c.report("off-comment", at, length, "name a rule of `ralphex check --list-rules`: there is no `"+id+"`", nil)
			continue
		}
		o.rules = append(o.rules, id)
	}
	switch {
	case words[0] == "off-file":
		o.line = 0
	case alone:
		o.line = c.nextLine(n)
	}
	c.offs = append(c.offs, o)
}

// nextLine is the next line that is neither blank nor another such comment. Comments come in file order, and
// those that stand above each other have the same one.
func (c *checker) nextLine(n int) int {
	if c.offNext > n {
		return c.offNext
	}
	for n++; n <= len(c.lines); n++ {
		line, _ := c.line(n)
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, offMark) {
			break
		}
	}
	c.offNext = n
	return n
}

// inFence tells whether an offset is within a fence, or within a comment that began before it.
func (c *checker) inFence(at int) bool {
	i, _ := slices.BinarySearchFunc(c.p.Opaque, at, func(s plan.Span, at int) int { return cmp.Compare(s.End-1, at) })
	return i < len(c.p.Opaque) && c.p.Opaque[i].Start < at
}

// dropSuppressed takes away what comments have taken off.
func (c *checker) dropSuppressed() {
	if len(c.offs) == 0 {
		return
	}
	type key struct {
		rule string
		line int
	}
	gone := map[key]bool{}
	for _, o := range c.offs {
		for _, id := range o.rules {
			gone[key{id, o.line}] = true
		}
	}
	kept := c.out[:0]
	for _, f := range c.out {
		if !gone[key{f.Rule, 0}] && !gone[key{f.Rule, f.Line}] {
			kept = append(kept, f)
		}
	}
	c.out = kept
}
