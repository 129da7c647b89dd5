package config

import (
	"bytes"
	"strings"
)

// entry is a key of a settings file with its place, which the INI library does not keep.
type entry struct {
	name      string
	section   string // empty: none, where the settings are
	line      int    // 1-based
	continued bool   // a backslash carries the value on into the next line
}

// scan finds the keys of a settings file in the way the INI library splits lines. The second result is
// the first line that the library cannot read, 0 where there is none. What scan says is for messages
// only: values come from the library.
func scan(text []byte) (entries []entry, fault int) {
	lines := bytes.Split(text, []byte("\n"))
	section := ""
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(string(lines[i]))
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
			continue
		case line[0] == '[':
			end := strings.LastIndexByte(line, ']')
			if end < 0 {
				return entries, i + 1
			}
			if section = line[1:end]; section == "DEFAULT" {
				section = ""
			}
			continue
		}
		name, value, ok := cutKey(line)
		if !ok {
			return entries, i + 1
		}
		e := entry{name: name, section: section, line: i + 1}
		i, e.continued = lastLine(lines, i, value)
		if i >= len(lines) {
			return entries, e.line
		}
		entries = append(entries, e)
	}
	return entries, 0
}

// cutKey splits a line at its delimiter; the name may be quoted.
func cutKey(line string) (name, value string, ok bool) {
	quote := ""
	switch {
	case strings.HasPrefix(line, `"""`) && len(line) > 6:
		quote = `"""`
	case line[0] == '"' || line[0] == '`':
		quote = line[:1]
	}
	rest := line[len(quote):]
	if quote != "" {
		end := strings.Index(rest, quote)
		if end < 0 {
			return "", "", false
		}
		name, rest = rest[:end], rest[end+len(quote):]
	}
	at := strings.IndexAny(rest, "=:")
	if at < 0 || (at == 0 && quote == "") {
		return "", "", false
	}
	if quote == "" {
		name = rest[:at]
	}
	return strings.TrimSpace(name), strings.TrimSpace(rest[at+1:]), true
}

// lastLine returns the index of the line in which the value that begins in line i ends: len(lines) when
// its closing quote is missing. The bool tells whether a backslash carried it on.
func lastLine(lines [][]byte, i int, value string) (int, bool) {
	quote := ""
	switch {
	case strings.HasPrefix(value, `"""`):
		quote = `"""`
	case strings.HasPrefix(value, "`"):
		quote = "`"
	}
	if quote != "" {
		if strings.Contains(value[len(quote):], quote) {
			return i, false
		}
		for i++; i < len(lines) && !bytes.Contains(lines[i], []byte(quote)); i++ {
		}
		return i, false
	}
	if !strings.HasSuffix(value, `\`) {
		return i, false
	}
	for i+1 < len(lines) {
		i++
		if !bytes.HasSuffix(bytes.TrimSpace(lines[i]), []byte(`\`)) {
			break
		}
	}
	return i, true
}

// lineOf finds the line that sets a key for good: the last one.
func lineOf(entries []entry, name string) int { return lineIn(entries, "", name) }

// lineIn does so for a key of a section.
func lineIn(entries []entry, section, name string) int {
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].section == section && entries[i].name == name {
			return entries[i].line
		}
	}
	return 0
}
