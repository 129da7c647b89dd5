package check

import (
	"cmp"
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// boxes checks how boxes are written and where they stand.
func (c *checker) boxes() {
	for i := range c.p.Tasks {
		for j := range c.p.Tasks[i].Checkboxes {
			c.box(&c.p.Tasks[i].Checkboxes[j])
		}
	}
	misread := c.firstMisread()
	for _, q := range c.p.Problems {
		switch q.Code {
		case plan.StrayBox:
			c.stray(q, misread)
		case plan.GluedBox:
			c.glued(q)
		case plan.NearBox:
			c.near(q)
		case plan.NumberedBox:
			c.numbered(q)
		}
	}
	c.loose()
}

// box checks one box that counts.
func (c *checker) box(b *plan.Checkbox) {
	open := b.Offset - 1 // the bracket
	bullet := open - 1
	for bullet > b.Span.Start && isBlank(c.src[bullet]) {
		bullet--
	}
	line, start := c.line(b.Line)
	if c.src[bullet] == '*' || c.src[bullet] == '+' {
		c.report("box-bullet", bullet, 1, "begin the box with `-`: other readers do not see it",
			c.bulletFix(b, bullet))
	} else if indent, ok := c.indent(b); !ok {
		c.report("box-form", start+len(indent), len(line)-len(indent), "write this box as the first thing of its line: `- [ ] "+b.Text+"`", nil)
	}
	c.boxMark(b)
	switch {
	case b.Text == "":
		c.report("box-empty", bullet, b.Offset+2-bullet, "write what is to be done behind the box", nil)
	case b.Sample:
		c.report("box-empty", bullet, start+len(line)-bullet, "write what is to be done: this box only shows how a box is written", nil)
	}
}

// bulletFix changes a bullet that stands alone at the start of its line.
func (c *checker) bulletFix(b *plan.Checkbox, bullet int) *Fix {
	if _, ok := c.indent(b); !ok {
		return nil
	}
	return one("begin it with `-`", bullet, 1, "-")
}

// boxMark checks what stands between the brackets.
func (c *checker) boxMark(b *plan.Checkbox) {
	text := b.Offset + 2
	for text < len(c.src) && isBlank(c.src[text]) {
		text++
	}
	switch c.src[b.Offset] {
	case 'X':
		c.report("box-mark", b.Offset-1, 3, "write `[x]`", one("write `[x]`", b.Offset, 1, "x"))
	case '~':
		c.report("box-mark", b.Offset-1, 3, "write `- [ ] (manual) …` for what a person must do: other readers do not see `[~]`",
			markFix(b, " ", "(manual)", text))
	case '-':
		c.report("box-mark", b.Offset-1, 3, "write `- [x] (skipped) …` for what is left out: other readers do not see `[-]`",
			markFix(b, "x", "(skipped)", text))
	}
}

// markFix puts another mark into the box and says the meaning of the old one in words.
func markFix(b *plan.Checkbox, mark, word string, text int) *Fix {
	if b.Text == "" {
		return nil
	}
	f := one("write `["+mark+"] "+word+"`", b.Offset, 1, mark)
	if !strings.HasPrefix(strings.ToLower(b.Text), word) {
		f.Edits = append(f.Edits, Edit{Offset: text, New: word + " "})
	}
	return f
}

// firstMisread is the line of the first header that was meant as a task and is none, a large number if there
// is none. Boxes below it are no strays to their author.
func (c *checker) firstMisread() int {
	for _, q := range c.p.Problems {
		switch q.Code {
		case plan.WrongKeyword, plan.NoColon, plan.MissingSpaces, plan.WrongLevel, plan.NestedHeader, plan.HiddenHeader:
			return q.Line
		}
	}
	return int(^uint(0) >> 1)
}

// stray reports a box outside of all tasks.
func (c *checker) stray(q plan.Problem, misread int) {
	at := c.at(q)
	if s, ok := c.outl.sectionAt(at); q.Line > misread && (!ok || c.lines[misread-1] >= s.Offset) {
		return // the header is what is to be mended
	}
	line, start := c.line(q.Line)
	c.report("box-place", at, start+len(line)-at,
		"write this without brackets, or move it below a `### Task N: title`: boxes outside of tasks make extra iterations", c.strayFix(at, q.Line, misread))
}

// strayFix takes the brackets of an open box away, in a section that can hold no work.
func (c *checker) strayFix(at, line, misread int) *Fix {
	s, ok := c.outl.sectionAt(at)
	if !ok || line > misread || !c.clear || !c.holdsNoWork(s) || c.src[at] != '-' {
		return nil
	}
	bracket := strings.IndexByte(c.src[at:], '[')
	if bracket < 0 || !strings.HasPrefix(c.src[at+bracket:], "[ ] ") || strings.TrimSpace(c.src[at+1:at+bracket]) != "" {
		return nil
	}
	text, start := c.line(line)
	if rest := strings.TrimSpace(text[at+bracket+3-start:]); rest == "" || strings.HasPrefix(rest, "[") {
		return nil // another pair of brackets would be a box then
	}
	return one("take the brackets away", at+bracket, len("[ ] "), "")
}

// holdsNoWork tells whether a section is one of the format's that tell and do not do.
func (c *checker) holdsNoWork(s section) bool {
	return s.index >= 0 && s.index != stepIndex || strings.EqualFold(bareName(s.Text), "Validation Commands")
}

// glued reports `- [ ]text`. What may be a link is left alone.
func (c *checker) glued(q plan.Problem) {
	at := c.at(q)
	close := at + strings.IndexByte(c.src[at:], ']')
	line, start := c.line(q.Line)
	var fix *Fix
	if next := c.src[close+1]; strings.IndexByte("([:{`", next) < 0 && strings.IndexByte(line[close+1-start:], ']') < 0 {
		fix = one("put a blank behind the bracket", close+1, 0, " ")
	}
	c.report("box-form", at, start+len(line)-at, "put a blank behind the bracket: `- [ ] text`", fix)
}

// near reports what looks like a box and is none: `- [] x`, `-[ ] x`, `- [x ] y`.
func (c *checker) near(q plan.Problem) {
	at := c.at(q)
	line, start := c.line(q.Line)
	rest := c.src[at : start+len(line)]
	open, close := strings.IndexByte(rest, '['), strings.IndexByte(rest, ']')
	text := strings.TrimLeft(rest[close+1:], " \t")
	mark := " "
	if inner := strings.Trim(rest[open+1:close], " \t\u00a0"); strings.EqualFold(inner, "x") {
		mark = "x"
	} else if inner != "" {
		mark = ""
	}
	say := "write this as `- [ ] " + text + "`: it looks like a box and is none"
	if mark == "x" {
		say = strings.Replace(say, "[ ]", "[x]", 1)
	}
	var fix *Fix
	if mark != "" && text != "" && text[0] != '[' && rest[0] == '-' && c.clear {
		fix = shape("make a box of it", at, len(rest)-len(text), "- ["+mark+"] ")
	}
	c.report("box-form", at, len(rest), say, fix)
}

// numbered reports `1. [ ] text`.
func (c *checker) numbered(q plan.Problem) {
	at := c.at(q)
	line, start := c.line(q.Line)
	rest := c.src[at : start+len(line)]
	bracket := strings.IndexByte(rest, '[')
	var fix *Fix
	// A longer marker has its nested text so far to the right that it would become code below a dash.
	if bracket > 0 && bracket <= 4 && c.inTask(at) && c.clear && strings.TrimSpace(c.src[start:at]) == "" {
		fix = shape("begin it with `-`", at, bracket, "- ")
	}
	c.report("box-form", at, len(rest), "begin this box with `-`: a numbered item is no box", fix)
}

func (c *checker) inTask(at int) bool {
	i, found := slices.BinarySearchFunc(c.p.Tasks, at, func(t plan.Task, at int) int { return cmp.Compare(t.Span.Start, at) })
	return found || i > 0 && at < c.p.Tasks[i-1].Span.End
}

// loose reports `[ ] text` that stands in no list.
func (c *checker) loose() {
	if !c.on("box-loose") {
		return
	}
	for i := range c.p.Tasks {
		t := &c.p.Tasks[i]
		for at := t.Span.Start; at < t.Span.End; {
			end := t.Span.End
			if n := strings.IndexByte(c.src[at:end], '\n'); n >= 0 {
				end = at + n + 1
			}
			c.looseLine(at, strings.TrimRight(c.src[at:end], "\r\n"))
			at = end
		}
	}
}

func (c *checker) looseLine(at int, line string) {
	text := strings.TrimLeft(line, " \t")
	if len(text) < 5 || text[0] != '[' || text[2] != ']' || text[3] != ' ' || strings.IndexByte(" xX", text[1]) < 0 || strings.TrimSpace(text[3:]) == "" {
		return
	}
	start := at + len(line) - len(text)
	if c.opaque(start) {
		return
	}
	var fix *Fix
	if len(text) == len(line) && c.clear && c.blankBefore(at) {
		fix = shape("put `- ` before it", start, 0, "- ")
	}
	c.report("box-loose", start, len(text), "write this as `- "+text+"`: without the dash it is no box", fix)
}

// blankBefore tells whether the line that begins at an offset is the first of its paragraph, or follows one
// like itself.
func (c *checker) blankBefore(at int) bool {
	n, _ := c.place(at)
	if n < 2 {
		return false
	}
	above, _ := c.line(n - 1)
	above = strings.TrimSpace(above)
	return above == "" || strings.HasPrefix(above, "#") || strings.HasPrefix(above, "[ ] ") || strings.HasPrefix(above, "[x] ")
}

// opaque tells whether an offset is in a fence or in a closed comment.
func (c *checker) opaque(at int) bool {
	i, _ := slices.BinarySearchFunc(c.p.Opaque, at, func(s plan.Span, at int) int { return cmp.Compare(s.End-1, at) })
	return i < len(c.p.Opaque) && c.p.Opaque[i].Start <= at
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\f' }
