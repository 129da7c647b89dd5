package claude

import (
	"encoding/json"
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

// describe says in one line what a tool call does: "Bash: go test ./...".
func describe(name string, input json.RawMessage) string {
	var in map[string]any
	_ = jsonUnmarshal(input, &in)
	for _, key := range []string{"command", "file_path", "notebook_path", "pattern", "url", "query", "description", "skill", "path", "prompt"} {
		if v, ok := in[key].(string); ok && strings.TrimSpace(v) != "" {
			return name + ": " + firstLine(v)
		}
	}
	return name
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
