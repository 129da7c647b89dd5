package origin

import "strings"

// lines finds lines of a text by number.
type lines struct {
	text   string
	starts []int
}

func newLines(text string) lines {
	l := lines{text: text, starts: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' && i+1 < len(text) {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// at returns line n, 1-based, without its line end, and where it begins.
func (l lines) at(n int) (line string, off int, ok bool) {
	if n < 1 || n > len(l.starts) {
		return "", 0, false
	}
	off = l.starts[n-1]
	line, _, _ = strings.Cut(l.text[off:], "\n")
	return strings.TrimSuffix(line, "\r"), off, true
}

// find returns the only line with a box whose text has this hash, 0 if there is none or several.
func (l lines) find(hash string) int {
	found := 0
	for n := range l.starts {
		line, _, _ := l.at(n + 1)
		if _, text, ok := Mark(line); !ok || short(text) != hash {
			continue
		}
		if found > 0 {
			return 0
		}
		found = n + 1
	}
	return found
}
