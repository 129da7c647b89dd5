package weaken

import (
	"iter"
	"strconv"
	"strings"
)

// maxLine is how long a line may be that is looked at: what is longer is data, or made by a program.
const maxLine = 2000

// change is what a diff says of one file.
type change struct {
	old, path string // before and after; path is the old one where the file is gone
	gone, new bool
	lines     []line
}

// line is one line of a hunk.
type line struct {
	kind    byte // ' ', '+', '-', '@' for the beginning of a hunk, whose text is what stands behind the second @@
	text    string
	at      int // line in the new file; of a removed one, the line that took its place
	trimmed string
}

// changes reads a unified diff as git and hg write it, file by file. What is no diff is passed over.
func changes(diff string) iter.Seq[*change] {
	return func(yield func(*change) bool) {
		var c *change
		minus, plus := 0, 0 // lines of the hunk that are still to come
		at := 0
		for text := range strings.Lines(diff) {
			text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
			if c != nil && (minus > 0 || plus > 0) && hunkLine(text) {
				kind, said := byte(' '), ""
				if text != "" {
					kind, said = text[0], text[1:]
				}
				switch kind {
				case '\\':
					continue
				case ' ':
					minus, plus = minus-1, plus-1
				case '-':
					minus--
				case '+':
					plus--
				}
				c.add(kind, said, at)
				if kind != '-' {
					at++
				}
				continue
			}
			switch {
			case strings.HasPrefix(text, "diff --git "):
				if c != nil && !yield(c) {
					return
				}
				c, minus, plus = &change{}, 0, 0
				c.names(text)
			case c == nil:
			case strings.HasPrefix(text, "deleted file"):
				c.gone = true
			case strings.HasPrefix(text, "new file"):
				c.new = true
			case strings.HasPrefix(text, "rename from "):
				c.old = unquote(text[len("rename from "):])
			case strings.HasPrefix(text, "rename to "):
				c.path = unquote(text[len("rename to "):])
			case strings.HasPrefix(text, "--- "):
				if name, ok := side(text[4:], "a/"); ok {
					c.old = name
				}
			case strings.HasPrefix(text, "+++ "):
				if name, ok := side(text[4:], "b/"); ok {
					c.path = name
				}
			case strings.HasPrefix(text, "@@ "):
				var said string
				minus, at, plus, said = hunk(text)
				c.add('@', said, at)
			}
		}
		if c != nil {
			yield(c)
		}
	}
}

func (c *change) add(kind byte, text string, at int) {
	if len(text) > maxLine {
		text = ""
	}
	c.lines = append(c.lines, line{kind, text, at, strings.TrimSpace(text)})
}

func hunkLine(text string) bool {
	return text == "" || strings.IndexByte(" +-\\", text[0]) >= 0
}

// names reads "diff --git a/x b/x", for files whose content isn't shown; other lines know better.
func (c *change) names(text string) {
	rest := text[len("diff --git "):]
	if half := len(rest) / 2; len(rest)%2 == 1 && rest[half] == ' ' {
		c.old, c.path = unquote(rest[:half]), unquote(rest[half+1:])
		c.old, c.path = strings.TrimPrefix(c.old, "a/"), strings.TrimPrefix(c.path, "b/")
	}
}

// side reads the name behind --- or +++; /dev/null is none.
func side(s, prefix string) (string, bool) {
	s, _, _ = strings.Cut(s, "\t")
	if s == "/dev/null" {
		return "", false
	}
	return strings.TrimPrefix(unquote(s), prefix), true
}

// unquote reads a name that git put in quotes for its odd bytes.
func unquote(s string) string {
	if len(s) > 1 && s[0] == '"' {
		if plain, err := strconv.Unquote(s); err == nil {
			return plain
		}
	}
	return s
}

// hunk reads "@@ -1,2 +3,4 @@ func x".
func hunk(text string) (minus, at, plus int, said string) {
	ranges, said, _ := strings.Cut(strings.TrimPrefix(text, "@@ "), "@@")
	before, after, _ := strings.Cut(strings.TrimSpace(ranges), " ")
	_, minus = span(before)
	at, plus = span(after)
	return minus, at, plus, strings.TrimSpace(said)
}

func span(s string) (start, n int) {
	first, count, has := strings.Cut(strings.TrimLeft(s, "+-"), ",")
	start, _ = strconv.Atoi(first)
	n = 1
	if has {
		n, _ = strconv.Atoi(count)
	}
	return start, max(n, 0)
}
