package textdiff

import (
	"fmt"
	"strings"
	"time"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// patience is how long the search for the shortest difference may take. What is not looked at by then is told
// as replaced, which is right as well, only longer.
const patience = 2 * time.Second

// line is one line of a diff.
type line struct {
	mark byte // ' ', '-' or '+'
	text string
}

// Unified returns the difference from a to b with so many lines of context, "" if there is none. The names are
// written as they are given; git's own are "a/path" and "b/path".
func Unified(oldName, newName, a, b string, context int) string {
	if a == b {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", oldName, newName)
	lines := compare(a, b)
	oldAt, newAt := 1, 1 // number of the line at i
	for i := 0; i < len(lines); {
		if lines[i].mark == ' ' && !changesWithin(lines[i:], context) {
			i, oldAt, newAt = i+1, oldAt+1, newAt+1
			continue
		}
		end := hunkEnd(lines, i, context)
		o, n := writeHunk(&out, lines[i:end], oldAt, newAt)
		i, oldAt, newAt = end, oldAt+o, newAt+n
	}
	return out.String()
}

// changesWithin tells whether a change begins within so many lines, the first one included: lines[0] is then
// part of a hunk.
func changesWithin(lines []line, context int) bool {
	for i := 0; i <= context && i < len(lines); i++ {
		if lines[i].mark != ' ' {
			return true
		}
	}
	return false
}

// hunkEnd is the end of the hunk that begins at from. Changes that are so near that their context would touch
// are one hunk.
func hunkEnd(lines []line, from, context int) int {
	last := from
	for i := from; i < len(lines) && i-last <= 2*context+1; i++ {
		if lines[i].mark != ' ' {
			last = i
		}
	}
	return min(last+context+1, len(lines))
}

// writeHunk writes lines as a hunk, and returns how many of them are old and new ones.
func writeHunk(out *strings.Builder, lines []line, oldAt, newAt int) (olds, news int) {
	for _, l := range lines {
		if l.mark != '+' {
			olds++
		}
		if l.mark != '-' {
			news++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(oldAt, olds), span(newAt, news))
	for _, l := range lines {
		out.WriteByte(l.mark)
		out.WriteString(l.text)
		if !strings.HasSuffix(l.text, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	return olds, news
}

// span is "start,count" as diff writes it.
func span(start, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", start-1)
	case 1:
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, count)
}

// compare lists the lines of both texts in the order of a diff.
func compare(a, b string) []line {
	codes := coder{known: map[string]rune{}}
	ra, rb := codes.encode(a), codes.encode(b)
	if codes.full {
		return append(marked('-', a), marked('+', b)...)
	}
	d := diffmatchpatch.New()
	d.DiffTimeout = patience
	var out []line
	for _, part := range d.DiffMainRunes(ra, rb, false) {
		mark := map[diffmatchpatch.Operation]byte{diffmatchpatch.DiffDelete: '-', diffmatchpatch.DiffInsert: '+', diffmatchpatch.DiffEqual: ' '}[part.Type]
		for _, r := range part.Text {
			out = append(out, line{mark, codes.lines[r-firstCode-gap(r)]})
		}
	}
	return oldFirst(out)
}

// oldFirst puts the lines that go before those that come, within each run of changes.
func oldFirst(lines []line) []line {
	out := make([]line, 0, len(lines))
	for i := 0; i < len(lines); {
		if lines[i].mark == ' ' {
			out = append(out, lines[i])
			i++
			continue
		}
		end := i
		for end < len(lines) && lines[end].mark != ' ' {
			end++
		}
		for _, mark := range []byte{'-', '+'} {
			for _, l := range lines[i:end] {
				if l.mark == mark {
					out = append(out, l)
				}
			}
		}
		i = end
	}
	return out
}

func marked(mark byte, text string) []line {
	var out []line
	for l := range strings.Lines(text) {
		out = append(out, line{mark, l})
	}
	return out
}

// The runes that lines become. The surrogates between are no runes of a string.
const (
	firstCode  = 1
	surrogates = 0xD800
	afterThem  = 0xE000
	lastCode   = 0x10FFFF
	replaced   = 0xFFFD // what a string has in the place of broken bytes
)

// coder gives each different line a rune.
type coder struct {
	known map[string]rune
	lines []string
	full  bool // there are more lines than runes
}

func (c *coder) encode(text string) []rune {
	out := make([]rune, 0, strings.Count(text, "\n")+1)
	for l := range strings.Lines(text) {
		r, ok := c.known[l]
		if !ok {
			r = code(len(c.lines))
			if r > lastCode {
				c.full = true
				return nil
			}
			c.known[l] = r
			c.lines = append(c.lines, l)
		}
		out = append(out, r)
	}
	return out
}

// code is the rune of the n-th line.
func code(n int) rune {
	r := rune(n) + firstCode
	if r >= surrogates {
		r += afterThem - surrogates
	}
	if r >= replaced {
		r++
	}
	return r
}

// gap is how many runes below r are left out.
func gap(r rune) rune {
	n := rune(0)
	if r >= afterThem {
		n = afterThem - surrogates
	}
	if r > replaced {
		n++
	}
	return n
}
