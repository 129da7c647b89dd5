package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// value is a JSON value that knows where it stands. Keys keep their order and their case.
type value struct {
	kind    byte   // '{', '[', '"', 'n' number, 't' true, 'f' false, '0' null
	text    string // of a string or number
	keys    []string
	members []*value // of an object or array
	line    int
}

const maxJSONDepth = 100

var errTooDeep = errors.New("values are nested more than 100 deep")

// looksJSON tells whether a text is an object or array, by its first sign.
func looksJSON(text string) bool {
	t := strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	return strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") && jsonArray(t)
}

// jsonArray tells an array from a Markdown link or box.
func jsonArray(t string) bool {
	t = strings.TrimLeft(t[1:], " \t\r\n")
	return t == "" || t[0] == '{' || t[0] == '"' || strings.TrimSpace(t) == "]"
}

// jsonReader counts lines while it parses.
type jsonReader struct {
	dec  *json.Decoder
	text string
	at   int // offset up to which lines were counted
	line int
}

// parseJSON reads one value and nothing behind it.
func parseJSON(text string) (*value, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	r := &jsonReader{dec: json.NewDecoder(strings.NewReader(text)), text: text, line: 1}
	r.dec.UseNumber()
	v, err := r.value(0)
	if err == nil {
		if _, more := r.dec.Token(); more != io.EOF {
			err = errors.New("something follows the end")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: not JSON: %w", r.count(), err)
	}
	return v, nil
}

// count is the line of what was read last.
func (r *jsonReader) count() int {
	to := min(int(r.dec.InputOffset()), len(r.text))
	r.line += strings.Count(r.text[r.at:to], "\n")
	r.at = to
	return r.line
}

func (r *jsonReader) value(depth int) (*value, error) {
	tok, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	return r.from(tok, depth)
}

func (r *jsonReader) from(tok json.Token, depth int) (*value, error) {
	v := &value{line: r.count()}
	switch t := tok.(type) {
	case string:
		v.kind, v.text = '"', t
	case json.Number:
		v.kind, v.text = 'n', t.String()
	case bool:
		v.kind = 'f'
		if t {
			v.kind = 't'
		}
	case nil:
		v.kind = '0'
	case json.Delim:
		if depth > maxJSONDepth {
			return nil, errTooDeep
		}
		v.kind = byte(t)
		return v, r.fill(v, depth)
	}
	return v, nil
}

// fill reads the members of an object or array.
func (r *jsonReader) fill(v *value, depth int) error {
	for {
		tok, err := r.dec.Token()
		if err != nil {
			return err
		}
		if d, ok := tok.(json.Delim); ok && (d == '}' || d == ']') {
			return nil
		}
		if v.kind == '{' {
			key, _ := tok.(string)
			v.keys = append(v.keys, key)
			if tok, err = r.dec.Token(); err != nil {
				return err
			}
		}
		m, err := r.from(tok, depth+1)
		if err != nil {
			return err
		}
		v.members = append(v.members, m)
	}
}

// get is a member by its exact key; of equal keys the last one counts. It is never nil.
func (v *value) get(keys ...string) *value {
	for _, key := range keys {
		for i := len(v.keys) - 1; i >= 0; i-- {
			if v.keys[i] == key {
				return v.members[i]
			}
		}
	}
	return &value{kind: '0', line: v.line}
}

func (v *value) has(key string) bool {
	for _, k := range v.keys {
		if k == key {
			return true
		}
	}
	return false
}

// list are the members of an array.
func (v *value) list() []*value {
	if v.kind != '[' {
		return nil
	}
	return v.members
}

// str is a string, or a number as it is written.
func (v *value) str() string {
	if v.kind == '"' || v.kind == 'n' {
		return strings.TrimSpace(v.text)
	}
	return ""
}

// strs are the strings and numbers of an array.
func (v *value) strs() []string {
	var out []string
	for _, m := range v.list() {
		if s := m.str(); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (v *value) isInt() bool {
	_, err := strconv.Atoi(v.text)
	return v.kind == 'n' && err == nil
}

// jsonUnits are the strings of a file.
func jsonUnits(f *File, v *value) []unit {
	var out []unit
	var walk func(v *value)
	walk = func(v *value) {
		if v.kind == '"' {
			for _, l := range splitLines(v.text) {
				out = append(out, unit{f.Path, v.line, unmarked(l.raw)})
			}
		}
		for _, m := range v.members {
			walk(m)
		}
	}
	walk(v)
	return out
}

// texts are all strings in a value, for losses.
func (v *value) texts() []string {
	var out []string
	if v.kind == '"' {
		out = append(out, oneLine(v.text))
	}
	for _, m := range v.members {
		out = append(out, m.texts()...)
	}
	return out
}
