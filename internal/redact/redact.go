package redact

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pattern is a text that begins a secret.
type pattern struct {
	text  string // at least window bytes
	name  string // what it is called in the place of the secret
	shape *shape // of what follows; nil: text is the whole secret
}

// window is how many bytes of a pattern the search looks at.
const window = 3

// minValue is how long a value must be, in bytes, to be searched for: a shorter one is part of many words.
const minValue = 8

// Redactor knows what to look for. It may be used by several goroutines.
type Redactor struct {
	patterns []pattern
	near     [1 << 16]byte       // for each two bytes: 1 = a pattern holds them at its beginning, or one byte later
	begins   [1 << 13]bool       // by a hash of three bytes: a pattern begins so
	bucket   map[uint32][]uint16 // patterns by their first three bytes
	first    [256][]uint16       // patterns by their first byte
	longest  int                 // bytes that decide whether a pattern is there
	solid    bool                // all patterns are; see solid.go
}

// names are parts of variable names that hold secrets.
var names = []string{"TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"}

// New returns a Redactor for the secrets of an environment (nil = this process's), for more texts, and for known shapes of
// tokens.
func New(env []string, more ...string) *Redactor {
	if env == nil {
		env = os.Environ()
	}
	r := &Redactor{bucket: map[uint32][]uint16{}}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if isSecret(name, value) {
			r.add(value, name)
		}
	}
	for _, value := range more {
		r.add(value, "setting")
	}
	for i := range shapes {
		r.patterns = append(r.patterns, pattern{shapes[i].begin, shapes[i].name, &shapes[i]})
	}
	r.build()
	return r
}

// isSecret tells whether a variable holds a secret: its name says so, and its value is no path.
func isSecret(name, value string) bool {
	upper := strings.ToUpper(name)
	if strings.HasPrefix(upper, "GIT_CONFIG_KEY_") || filepath.IsAbs(value) && !strings.ContainsAny(value, "+=") {
		return false
	}
	return slices.ContainsFunc(names, func(part string) bool { return strings.Contains(upper, part) })
}

// add looks for a value, as it is and as JSON writes it.
func (r *Redactor) add(value, name string) {
	value = strings.TrimSpace(value)
	if len(value) < minValue {
		return
	}
	forms := []string{value}
	if b, err := json.Marshal(value); err == nil {
		forms = append(forms, string(b[1:len(b)-1]))
	}
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if enc.Encode(value) == nil {
		forms = append(forms, strings.Trim(strings.TrimSpace(plain.String()), `"`))
	}
	for _, f := range forms {
		known := slices.ContainsFunc(r.patterns, func(p pattern) bool { return p.text == f })
		if !known && len(f) >= minValue {
			r.patterns = append(r.patterns, pattern{text: f, name: name})
		}
	}
}

// build makes the tables. Longer patterns come first: one may begin another.
func (r *Redactor) build() {
	slices.SortStableFunc(r.patterns, func(a, b pattern) int { return len(b.text) - len(a.text) })
	r.solid = !slices.ContainsFunc(r.patterns, func(p pattern) bool { return !p.solid() })
	for i, p := range r.patterns {
		for _, v := range []uint16{pair(p.text[0], p.text[1]), pair(p.text[1], p.text[2])} {
			r.near[v] = 1
		}
		k := three(p.text[0], p.text[1], p.text[2])
		r.begins[hash(k)] = true
		r.bucket[k] = append(r.bucket[k], uint16(i))
		r.first[p.text[0]] = append(r.first[p.text[0]], uint16(i))
		r.longest = max(r.longest, p.need())
	}
}

// need is how many bytes decide whether the pattern is there.
func (p pattern) need() int {
	if p.shape == nil {
		return len(p.text)
	}
	return len(p.text) + p.shape.least
}

// pair is as a little-endian load has it.
func pair(a, b byte) uint16 { return uint16(b)<<8 | uint16(a) }

func three(a, b, c byte) uint32 { return uint32(a)<<16 | uint32(b)<<8 | uint32(c) }

func hash(k uint32) uint32 { return k * 0x9E3779B1 >> 19 }

// find returns the first secret in b that begins at from or later, and how long its deciding part is. n = 0: none.
// Whatever begins a secret holds two bytes at an even distance from from that near knows.
func (r *Redactor) find(b []byte, from int) (at, n int, p *pattern) { return r.search(b, from, false) }

// hints tells whether a secret may stand in b, whatever stands before it. It may say yes of what begins like one.
func (r *Redactor) hints(b []byte) bool {
	_, n, _ := r.search(b, 0, true)
	return n > 0
}

func (r *Redactor) search(b []byte, from int, loose bool) (at, n int, p *pattern) {
	if r.solid {
		return r.searchSolid(b, from, loose)
	}
	i := from
	for ; i+8 <= len(b); i += 8 {
		if r.far(binary.LittleEndian.Uint64(b[i:])) {
			continue
		}
		if at, n, p := r.closer(b, max(from, i-1), i+8, loose); n > 0 {
			return at, n, p
		}
	}
	return r.closer(b, max(from, i-1), len(b), loose)
}

// far tells that no pattern begins in eight bytes, or one byte before them, but perhaps at the last of them.
func (r *Redactor) far(v uint64) bool {
	return r.near[uint16(v)]|r.near[uint16(v>>16)]|r.near[uint16(v>>32)]|r.near[uint16(v>>48)] == 0
}

// closer looks at each place between two.
func (r *Redactor) closer(b []byte, from, to int, loose bool) (at, n int, p *pattern) {
	for at := from; at < to && at+window <= len(b); at++ {
		k := three(b[at], b[at+1], b[at+2])
		if !r.begins[hash(k)] {
			continue
		}
		for _, j := range r.bucket[k] {
			p := &r.patterns[j]
			if len(b)-at < len(p.text) || string(b[at:at+len(p.text)]) != p.text {
				continue
			}
			if loose {
				return at, len(p.text), p
			}
			if n := p.matches(b, at); n > 0 {
				return at, n, p
			}
		}
	}
	return len(b), 0, nil
}

// matches tells how many bytes of a secret are there whose text has been found, 0 = it is none.
func (p *pattern) matches(b []byte, at int) int {
	if p.shape == nil {
		return len(p.text)
	}
	rest := b[at+len(p.text):]
	if len(rest) < p.shape.least || !p.shape.mayBegin(b[:at]) {
		return 0
	}
	for _, c := range rest[:p.shape.least] {
		if !p.shape.has(c) {
			return 0
		}
	}
	return p.need()
}

// Bytes returns a text without secrets: b itself if it holds none, else a copy.
func (r *Redactor) Bytes(b []byte) []byte {
	at, n, p := r.find(b, 0)
	if n == 0 {
		return b
	}
	var out []byte
	from := 0
	for n > 0 {
		out = append(append(out, b[from:at]...), p.mark()...)
		from = at + n
		for p.shape != nil && from < len(b) && p.shape.has(b[from]) {
			from++
		}
		at, n, p = r.find(b, from)
	}
	return append(out, b[from:]...)
}

// String is Bytes for a string.
func (r *Redactor) String(s string) string {
	if _, n, _ := r.find([]byte(s), 0); n == 0 {
		return s
	}
	return string(r.Bytes([]byte(s)))
}

func (p *pattern) mark() string { return "[redacted:" + p.name + "]" }
