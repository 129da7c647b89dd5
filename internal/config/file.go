package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/ini.v1"
)

// bom is what some editors begin a file with.
var bom = []byte("\xef\xbb\xbf")

// maxFile is how large a settings or prompt file may be.
const maxFile = 1 << 20

// readFile reads one settings file. A file that is not there sets nothing.
func readFile(f file) ([]setting, []Warning, error) {
	text, err := readOptional(f)
	if err != nil || text == nil {
		return nil, nil, err
	}
	return parseFile(text, Origin{Layer: f.layer, Name: f.shown})
}

// readOptional reads the text of a settings file without its byte order mark, nil where there is no file.
func readOptional(f file) ([]byte, error) {
	if err := ignoreMissing(stayWithin(f.within, f.path, f.shown)); err != nil {
		return nil, err
	}
	text, err := readSmall(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &FileError{Origin{Layer: f.layer, Name: f.shown}, err}
	}
	return bytes.TrimPrefix(text, bom), nil
}

// unreadable words what the INI library says about a line that it cannot read.
func unreadable(at Origin, err error) error {
	return &FileError{at, fmt.Errorf("%s; write name = value, or begin the line with #", strings.TrimSpace(err.Error()))}
}

// parseFile reads the text of a settings file in the dialect of the public ralphex.
func parseFile(text []byte, at Origin) ([]setting, []Warning, error) {
	text = bytes.TrimPrefix(text, bom)
	entries, fault := scan(text)
	parsed, err := ini.LoadSources(ini.LoadOptions{IgnoreInlineComment: true}, text)
	if err != nil {
		at.Line = fault
		return nil, nil, unreadable(at, err)
	}
	var (
		list     []setting
		warnings = suspicious(entries, at)
		section  = parsed.Section("")
	)
	for _, got := range section.Keys() {
		at.Line = lineOf(entries, got.Name())
		k, ok := Lookup(got.Name())
		if !ok {
			warnings = append(warnings, unknown(got.Name(), at))
			continue
		}
		raw := strings.TrimSpace(got.String())
		warnings = append(warnings, surprising(got, at)...)
		list = append(list, setting{k, raw, at})
	}
	slices.SortStableFunc(warnings, func(a, b Warning) int { return a.Origin.Line - b.Origin.Line })
	return list, warnings, nil
}

// suspicious finds what the dialect reads in another way than it looks: keys below a section heading,
// keys that are set twice, and values that go on in the next line.
func suspicious(entries []entry, at Origin) []Warning {
	var warnings []Warning
	first := map[string]int{}
	for _, e := range entries {
		at.Line = e.line
		switch {
		case e.section == checkSection:
			continue // LoadChecks reads them
		case e.section != "":
			warnings = append(warnings, Warning{at, fmt.Sprintf("%s stands below [%s] and has no effect", e.name, e.section), "move it above the first [section]"})
			continue
		case first[e.name] > 0:
			warnings = append(warnings, Warning{at, fmt.Sprintf("%s is set in line %d already; this line wins", e.name, first[e.name]), ""})
		case e.continued:
			warnings = append(warnings, Warning{at, e.name + " ends in a backslash, so that the next line is part of its value", ""})
		}
		if first[e.name] == 0 {
			first[e.name] = e.line
		}
	}
	return warnings
}

// inlineComment matches what looks like a comment behind a value.
var inlineComment = regexp.MustCompile(`\s[#;]\s`)

// surprising finds values that are not what was typed.
func surprising(got *ini.Key, at Origin) []Warning {
	var warnings []Warning
	if got.String() != got.Value() {
		warnings = append(warnings, Warning{at, fmt.Sprintf("%s holds %%(…)s, which stands for another key's value: it is %q", got.Name(), got.String()), ""})
	}
	if inlineComment.MatchString(got.Value()) {
		warnings = append(warnings, Warning{at, fmt.Sprintf("%s is %q, with what looks like a comment", got.Name(), got.Value()), "a comment needs a line of its own"})
	}
	return warnings
}

// unknown is the warning for a key that is not in the table.
func unknown(name string, at Origin) Warning {
	names := make([]string, 0, len(table()))
	for _, k := range table() {
		names = append(names, k.Name)
	}
	return Warning{Origin: at, Text: fmt.Sprintf("unknown key %s has no effect", name), Hint: DidYouMean(name, names, "")}
}

// readSmall reads a text of a size that a person could have written. The error does not name the path, but where it comes from the system.
func readSmall(path string) ([]byte, error) {
	if fi, err := os.Stat(path); err == nil && !fi.Mode().IsRegular() {
		return nil, errNoFile // a pipe would be waited for
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("larger than %d bytes", maxFile)
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, errNoText
	}
	return text, nil
}
