package redact

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// Most of a text is short words with blanks, quotes and brackets between them, and most secrets are one long word. A secret
// that begins with 15 bytes which never stand between words holds eight of them in a row at a place that is a multiple of
// eight away from wherever the search began. So eight bytes among which there is one that does are passed over at a glance.
//
// A private key may have line ends anywhere: what stands before it is searched for as the text that it is.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080

	firstSolid = '+' // bytes below it stand between words
	solidRun   = 15  // bytes
)

// solid tells whether searchSolid finds the pattern.
func (p pattern) solid() bool {
	if p.isPEM() {
		return true
	}
	head := p.text
	if p.shape != nil {
		head += strings.Repeat("x", p.shape.least) // what a word or a jwt is made of is solid
	}
	if len(head) < solidRun {
		return false
	}
	for i := range solidRun {
		if head[i] < firstSolid {
			return false
		}
	}
	return true
}

func (p pattern) isPEM() bool { return p.shape != nil && p.shape.chars == "pem" }

// searchSolid is search where all patterns are solid.
func (r *Redactor) searchSolid(b []byte, from int, loose bool) (at, n int, p *pattern) {
	at, n, p = r.words(b, from, loose)
	for i := range r.patterns {
		if key := &r.patterns[i]; key.isPEM() {
			if place, size := key.before(b[:min(len(b), at+len(key.text)-1)], b, from, loose); size > 0 {
				at, n, p = place, size, key
			}
		}
	}
	return at, n, p
}

// words finds the first secret that is one long word; that of another kind, or none.
func (r *Redactor) words(b []byte, from int, loose bool) (at, n int, p *pattern) {
	i := from
	for ; i+8 <= len(b); i += 8 {
		for ; i+32 <= len(b); i += 32 {
			q := b[i : i+32 : i+32]
			if !between(binary.LittleEndian.Uint64(q)) || !between(binary.LittleEndian.Uint64(q[8:])) ||
				!between(binary.LittleEndian.Uint64(q[16:])) || !between(binary.LittleEndian.Uint64(q[24:])) {
				break
			}
		}
		for end := min(i+32, len(b)); i+8 <= end; i += 8 {
			if between(binary.LittleEndian.Uint64(b[i:])) {
				continue
			}
			if i > 8 && r.far(binary.LittleEndian.Uint64(b[i-8:])) && r.far(binary.LittleEndian.Uint64(b[i:])) {
				continue
			}
			if at, n, p := r.closer(b, max(from, i-7), i+1, loose); n > 0 {
				return at, n, p
			}
		}
		i -= 8
	}
	return len(b), 0, nil
}

// before finds the pattern in part, which is the beginning of b.
func (p *pattern) before(part, b []byte, from int, loose bool) (at, n int) {
	for from < len(part) {
		i := bytes.Index(part[from:], []byte(p.text))
		if i < 0 {
			break
		}
		from += i
		if loose {
			return from, len(p.text)
		}
		if n := p.matches(b, from); n > 0 {
			return from, n
		}
		from++
	}
	return len(b), 0
}

// between tells whether one of eight bytes stands between words.
func between(v uint64) bool { return (v-ones*firstSolid)&^v&highs != 0 }
