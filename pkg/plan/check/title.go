package check

import (
	"strings"

	"ralphex/pkg/plan"
)

// title checks that the file starts with `# Title`, and that nothing else is one.
func (c *checker) title() {
	if c.bom() > 0 {
		c.report("byte-order-mark", 0, len(bom), "save the file without a byte order mark: other readers do not see the title behind it",
			one("take the byte order mark out", 0, len(bom), ""))
	}
	titles := c.outl.titles
	if len(titles) == 0 {
		c.noTitle()
		return
	}
	first := titles[0]
	line, start := c.line(first.Line)
	switch {
	case first.Text == "":
		c.report("title-first", start, len(line), "write the plan's title behind the #", nil)
	case strings.TrimSpace(c.src[c.bom():first.Offset]) != "" && first.Offset > c.bom():
		c.report("title-first", start, len(line), "move this title to the top: a plan starts with `# Title`", nil)
	case !strings.HasPrefix(line, "# "):
		c.report("title-first", start, len(line), "write the title as `# "+first.Text+"`", c.titleFix(first, line, start))
	case first.Line > 1:
		from := c.bom()
		c.report("title-first", from, 0, "take the blank lines above the title out",
			one("take the blank lines above the title out", from, start-from, ""))
	}
	for _, h := range titles[1:] {
		line, start := c.line(h.Line)
		c.report("title-once", start, len(line), "write this as a `## section`: a plan has one title, and a second one ends the task above it", nil)
	}
}

// noTitle looks for what was meant as a title.
func (c *checker) noTitle() {
	for n := 1; n <= len(c.lines); n++ {
		line, start := c.line(n)
		if strings.TrimSpace(line) == "" {
			continue
		}
		var fix *Fix
		if text := strings.TrimLeft(line, "#"); len(line)-len(text) == 1 && strings.TrimSpace(text) != "" && text[0] != '!' && c.clear {
			fix = shape("put a blank behind the #", start+1, 0, " ")
		}
		c.report("title-first", start, len(line), "start the file with `# Title`", fix)
		return
	}
}

// titleFix rewrites a title that is indented, underlined or set apart by something else than a blank.
func (c *checker) titleFix(h plan.Heading, line string, start int) *Fix {
	if !h.Setext {
		body := strings.TrimLeft(line, " \t")
		if !strings.HasPrefix(body, "#") || strings.Trim(body[1:], " \t") == "" {
			return nil
		}
		return shape("write it as `# "+h.Text+"`", start, len(line), "# "+strings.TrimLeft(body[1:], " \t"))
	}
	if h.Line >= len(c.lines) || strings.Join(strings.Fields(line), " ") != h.Text {
		return nil // its text has several lines
	}
	under, _ := c.line(h.Line + 1)
	if under == "" || strings.Trim(under, "= \t") != "" || strings.HasPrefix(strings.TrimSpace(line), "#") {
		return nil
	}
	return shape("write it as `# "+h.Text+"`", start, c.after(h.Line+1)-start, "# "+h.Text+c.endOf(h.Line+1))
}

// endOf is the line end of the n-th line, empty at the end of a file that has none.
func (c *checker) endOf(n int) string {
	end := c.after(n)
	switch {
	case strings.HasSuffix(c.src[:end], "\r\n"):
		return "\r\n"
	case strings.HasSuffix(c.src[:end], "\n"):
		return "\n"
	}
	return ""
}
