package claude

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// jsonUnmarshal takes an absent value for an empty one.
func jsonUnmarshal(b json.RawMessage, v any) error {
	if len(b) == 0 {
		return nil
	}
	return json.Unmarshal(b, v)
}

// maxToolLine is how long the description of a tool call may be, in bytes.
const maxToolLine = 200

// telling are the inputs that say best what a tool call does, the best first.
var telling = []string{"command", "file_path", "notebook_path", "pattern", "url", "query", "description", "skill", "path", "prompt"}

// describe says in one line what a tool call does: "Bash: go test ./...".
func describe(name string, input []byte) string {
	best, rank := "", len(telling)
	c := cursor{b: input}
	c.expect('{')
	for n := 0; c.more(n, '}'); n++ {
		key, _ := c.str()
		c.expect(':')
		i := slices.Index(telling[:rank], string(key))
		if i < 0 || c.peek() != '"' {
			c.skip(0)
			continue
		}
		value, _ := c.str()
		if v, _, _ := unescape(nil, value[:min(len(value), 4*maxToolLine)], false); len(bytes.TrimSpace(v)) > 0 {
			best, rank = string(v), i
		}
	}
	if best == "" {
		return name
	}
	return name + ": " + firstLine(best)
}

// firstLine is the first line that holds something, shortened.
func firstLine(s string) string {
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
