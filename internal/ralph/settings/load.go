package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"ralphex/internal/durable"
)

// Files, relative to the workspace, in the order in which they win.
const (
	editorFile = ".vscode/settings.json"
	ownFile    = ".ralph/settings.json"
)

const prefix = "ralphCodex."

// maxSize bounds a settings file: more than this is no settings file.
const maxSize = 4 << 20

// Load reads the settings of the workspace at root. Files that are not there set nothing; one that can't be understood sets nothing and is
// named in Warnings. Both are read inside root only: a link that leads out of it is such a file.
func Load(root string) (Settings, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return Settings{}, fmt.Errorf("open workspace: %w", err)
	}
	defer dir.Close()
	s := Defaults()
	set := map[string]value{}
	for _, file := range []string{ownFile, editorFile} {
		values, problem := readFile(dir, file)
		if problem != "" {
			s.Warnings = append(s.Warnings, Warning{File: file, Problem: problem})
		}
		for name, raw := range values {
			set[name] = value{raw, file}
		}
	}
	for _, k := range keys {
		v, ok := set[k.name]
		if !ok {
			continue
		}
		if problem := k.read(&s, v.raw); problem != "" {
			s.Warnings = append(s.Warnings, Warning{v.file, k.name, problem})
			continue
		}
		s.Origin[k.name] = v.file
	}
	for _, name := range gitKeys {
		if v, ok := set[name]; ok && !slices.Contains(asksForNothing, strings.TrimSpace(string(v.raw))) {
			s.Warnings = append(s.Warnings, Warning{v.file, name, "is not obeyed: the loop never writes Git; ralphex PLAN commits"})
		}
	}
	s.Warnings = append(s.Warnings, unknown(set)...)
	s.finish()
	return s, nil
}

type value struct {
	raw  json.RawMessage
	file string
}

// unknown names keys that nobody knows, since a slip of the pen looks like a setting that has no effect.
func unknown(set map[string]value) []Warning {
	var out []Warning
	for name, v := range set {
		known := slices.Contains(dropped, name) || slices.ContainsFunc(keys, func(k key) bool { return k.name == name })
		if !known && v.file == ownFile { // in the editor's file other versions of the extension may know more keys
			out = append(out, Warning{v.file, name, "no such setting"})
		}
	}
	slices.SortFunc(out, func(a, b Warning) int { return strings.Compare(a.Key, b.Key) })
	return out
}

func readFile(dir *os.Root, name string) (map[string]json.RawMessage, string) {
	data, err := durable.ReadIn(dir, name, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ""
	}
	if err != nil {
		return nil, "can't be read: " + err.Error()
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(plainJSON(data), &all); err != nil {
		return nil, "is no JSON object: " + err.Error()
	}
	out := map[string]json.RawMessage{}
	for key, raw := range all {
		key, prefixed := strings.CutPrefix(key, prefix)
		if prefixed || name == ownFile {
			out[key] = raw
		}
	}
	return out, ""
}

// plainJSON blanks comments and commas before a closing bracket, so that what remains has its bytes at the same places.
func plainJSON(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	out := slices.Clone(data)
	comma := -1 // of the last token, when that was a comma
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			i = stringEnd(out, i)
			comma = -1
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := commentEnd(out, i)
			for j := i; j < end; j++ {
				if out[j] != '\n' {
					out[j] = ' '
				}
			}
			i = end - 1
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return out
}

// stringEnd returns the place of the closing quote, or the end of the text.
func stringEnd(b []byte, from int) int {
	for i := from + 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(b)
}

// commentEnd returns the place behind a comment.
func commentEnd(b []byte, from int) int {
	mark := []byte("\n")
	skip := 0
	if b[from+1] == '*' {
		mark, skip = []byte("*/"), 2
	}
	if at := bytes.Index(b[from+2:], mark); at >= 0 {
		return from + 2 + at + skip
	}
	return len(b)
}
