package session

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"ralphex/pkg/executor/jsonl"
)

// maxToolLine is how long the description of a tool call may be, in bytes.
const maxToolLine = 200

// telling are the inputs that say best what a tool call does, the best first.
var telling = []string{"command", "file_path", "filePath", "notebook_path", "pattern", "url", "query", "description", "skill", "path", "prompt"}

// Describe says in one line what a tool call does: "Bash: go test ./...".
func Describe(name string, input []byte) string {
	var rooms [2][4 * maxToolLine]byte
	best, next, rank := rooms[0][:0], rooms[1][:0], len(telling)
	c := jsonl.NewCursor(input)
	c.Expect('{')
	for n := 0; c.More(n, '}'); n++ {
		key, _ := c.Str()
		c.Expect(':')
		i := slices.Index(telling[:rank], string(key))
		if i < 0 || c.Peek() != '"' {
			c.Skip(0)
			continue
		}
		value, _ := c.Str()
		if v, _, _ := jsonl.Unescape(next[:0], value[:min(len(value), 4*maxToolLine)], false); len(bytes.TrimSpace(v)) > 0 {
			best, next, rank = v, best, i
		}
	}
	if len(best) == 0 {
		return name
	}
	return name + ": " + FirstLine(unsafe.String(unsafe.SliceData(best), len(best))) // joined, so it is a copy
}

// FirstLine is the first line that holds something, shortened.
func FirstLine(s string) string {
	s = strings.TrimSpace(s)
	line, rest, _ := strings.Cut(s, "\n")
	line = strings.TrimRight(line, " \t\r")
	if i := strings.IndexByte(line, 0); i >= 0 {
		line = line[:i] // where a long string was cut
	}
	if len(line) > maxToolLine {
		cut := maxToolLine
		for cut > 0 && !utf8.RuneStart(line[cut]) {
			cut--
		}
		return line[:cut] + "…"
	}
	if rest != "" {
		return line + " …"
	}
	return line
}

// LastLine is the last line that holds something, shortened.
func LastLine(s string) string {
	s = strings.TrimSpace(s)
	return FirstLine(s[strings.LastIndexByte(s, '\n')+1:])
}

// LineWith is the first line that holds part, shortened.
func LineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return FirstLine(line)
		}
	}
	return FirstLine(part)
}
