package check

import (
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// sections checks that the eight sections are there, once, in their order, under their names.
func (c *checker) sections() {
	o := &c.outl
	for i, found := range o.found {
		if len(found) == 0 {
			if !names[i].optional {
				c.missingSection(i)
			}
			continue
		}
		for _, k := range found[1:] {
			s := o.sections[k]
			line, start := c.line(s.Line)
			c.report("section-once", start, len(line), "merge this into the first `## "+s.name()+"`: each section stands once", nil)
		}
	}
	for _, s := range o.sections {
		if s.index >= 0 && !s.exact {
			c.sectionName(s)
		}
	}
	c.order()
}

// missingSection reports a section that is not there, at the heading that it should stand before.
func (c *checker) missingSection(i int) {
	at, length := c.home(i)
	message := "write a section `## " + names[i].name + "`"
	var fix *Fix
	if h, ok := c.otherLevel(names[i].name); ok {
		line, start := c.line(h.Line)
		at, length = start, len(line)
		message = "write this as `## " + names[i].name + "`"
		fix = c.levelFix(h, names[i].name, line, start)
	} else if i == stepIndex && c.clear && len(c.p.Tasks) > 0 {
		at = c.p.Tasks[0].Span.Start
		line, _ := c.line(c.p.Tasks[0].Line)
		length = len(line)
		message += " above the first task"
		fix = one("put `## "+steps+"` above the first task", at, 0, "## "+steps+c.eol+c.eol)
	}
	c.report("section-missing", at, length, message, fix)
}

// home is where a section is missed: at the next one that is there, else at the first line.
func (c *checker) home(i int) (at, length int) {
	for _, found := range c.outl.found[i+1:] {
		if len(found) > 0 {
			line, start := c.line(c.outl.sections[found[0]].Line)
			return start, len(line)
		}
	}
	line, start := c.line(1)
	return start, len(line)
}

// otherLevel finds a heading of that name at another level.
func (c *checker) otherLevel(name string) (plan.Heading, bool) {
	for k, h := range c.p.Headings {
		if h.Level != 2 && k > 0 && h.Text == name {
			return h, true
		}
	}
	return plan.Heading{}, false
}

// levelFix makes a section of a heading that has one # too many or too few. What is deeper was meant as a
// part of something else.
func (c *checker) levelFix(h plan.Heading, name, line string, start int) *Fix {
	body := strings.TrimLeft(line, " ")
	if h.Setext || h.Level > 3 || !c.clear || strings.TrimLeft(body, "#")[0] != ' ' {
		return nil
	}
	for _, t := range c.p.Tasks {
		if t.Span.Start <= h.Offset && h.Offset < t.Span.End {
			return nil
		}
	}
	return shape("write it as `## "+name+"`", start, len(line)-len(strings.TrimLeft(body, "#")), "##")
}

// sectionName reports a section whose name is written in another way.
func (c *checker) sectionName(s section) {
	line, start := c.line(s.Line)
	var fix *Fix
	if !s.Setext && len(c.outl.found[s.index]) == 1 {
		fix = one("write it as `## "+s.name()+"`", start, len(line), "## "+s.name())
	}
	c.report("section-name", start, len(line), "write this as `## "+s.name()+"`", fix)
}

// order reports sections that stand behind one that they belong before.
func (c *checker) order() {
	var known []section
	once := true
	for _, s := range c.outl.sections {
		if s.index >= 0 {
			known = append(known, s)
			once = once && len(c.outl.found[s.index]) == 1
		}
	}
	highest := -1
	var fix *Fix
	for k, s := range known {
		if highest >= 0 && s.index < known[highest].index {
			if fix == nil && once {
				fix = c.orderFix(known)
			}
			before := slices.IndexFunc(known, func(o section) bool { return o.index > s.index })
			line, start := c.line(s.Line)
			c.report("section-order", start, len(line), "move `## "+s.name()+"` above `## "+known[before].name()+"`", fix)
			continue
		}
		highest = k
	}
}

// orderFix puts the known sections into their order. Other sections stay where they are.
func (c *checker) orderFix(known []section) *Fix {
	if !c.clear || !c.on("section-order") {
		return nil
	}
	sorted := slices.Clone(known)
	slices.SortFunc(sorted, func(a, b section) int { return a.index - b.index })
	var edits []Edit
	for k, slot := range known {
		if sorted[k].index != slot.index {
			text := c.src[sorted[k].Offset:sorted[k].end]
			if slot.end < len(c.src) {
				text = c.padded(text)
			}
			edits = append(edits, Edit{Offset: slot.Offset, Len: slot.end - slot.Offset, New: text})
		}
	}
	if !c.sameParts(edits) {
		return nil
	}
	return &Fix{order: shaping, Title: "put the sections into their order", Edits: edits}
}

// padded ends a text with a blank line.
func (c *checker) padded(text string) string {
	if !strings.HasSuffix(text, "\n") {
		text += c.eol
	}
	if strings.HasSuffix(text, "\n\n") || strings.HasSuffix(text, "\n\r\n") {
		return text
	}
	return text + c.eol
}

// sameParts tells whether the plan has the same headings and tasks after the edits. A section that ends in
// open HTML would swallow what comes behind it now.
func (c *checker) sameParts(edits []Edit) bool {
	q, err := plan.ParsePlan(Apply([]byte(c.src), edits))
	return err == nil && slices.Equal(parts(c.p), parts(q))
}

func parts(p *plan.Plan) []string {
	var out []string
	for _, h := range p.Headings {
		out = append(out, "heading "+h.Text)
	}
	for _, t := range p.Tasks {
		for _, b := range t.Checkboxes {
			out = append(out, "box "+t.Title+" "+b.Text)
		}
	}
	for _, q := range p.Problems {
		out = append(out, "problem "+string(q.Code))
	}
	slices.Sort(out)
	return out
}
