package check

import (
	"strings"

	"ralphex/pkg/plan"
)

// validation checks the commands that prove a task.
func (c *checker) validation() {
	if len(c.p.ValidationCommands) == 0 {
		c.noCommands()
	} else {
		for _, q := range c.p.Problems {
			if q.Code == plan.ValidationProse {
				at := c.at(q)
				line, start := c.line(q.Line)
				c.report("validation-prose", at, max(start+len(line)-at, 0), "write the command alone in `backquotes`, or take this out of the section: prose is not run", nil)
			}
		}
	}
	for _, q := range c.p.Problems {
		if q.Code == plan.ValidationPlace {
			line, start := c.line(q.Line)
			c.report("validation-place", start, len(line), "write this as `## Validation Commands`: commands are read from no other level, but for a `###` in Testing Strategy", nil)
		}
	}
	if c.o.Deep && c.o.LookPath != nil {
		c.executables()
	}
}

func (c *checker) noCommands() {
	for _, h := range c.p.Headings {
		if strings.EqualFold(bareName(h.Text), "Validation Commands") {
			line, start := c.line(h.Line)
			c.report("validation-missing", start, len(line), "write at least one command alone in `backquotes`: nothing here can be run, so tasks would be done unproven", nil)
			return
		}
	}
	line, start := c.line(1)
	c.report("validation-missing", start, len(line), "write a section `## Validation Commands` with the commands that prove a task, each an item in `backquotes`", nil)
}

// executables looks for the programs that the commands start.
func (c *checker) executables() {
	for _, cmd := range c.p.ValidationCommands {
		line, start := c.line(cmd.Line)
		for _, name := range programs(cmd.Text) {
			if _, err := c.o.LookPath(name); err == nil {
				continue
			}
			at, length := start, len(line)
			if i := wordIndex(line, name); i >= 0 {
				at, length = start+i, len(name)
			}
			c.report("validation-program", at, length, "install `"+name+"` or name another command: it is not on the PATH, so the validation would be red", nil)
		}
	}
}

// wordIndex finds a word that no letter touches, -1 if there is none.
func wordIndex(line, word string) int {
	for from := 0; ; {
		i := strings.Index(line[from:], word)
		if i < 0 {
			return -1
		}
		at := from + i
		if standsAlone(line, at, at+len(word)) {
			return at
		}
		from = at + 1
	}
}
