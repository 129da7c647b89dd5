package redact

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unsafe"
)

// Text redacts a text that comes in pieces, and gives each piece back at once, but for an end that may be the beginning of a
// secret: that comes with a later piece.
type Text struct {
	w   Writer
	out bytes.Buffer
}

// Text begins a text.
func (r *Redactor) Text() *Text {
	t := &Text{}
	t.w.r, t.w.w = r, &t.out
	return t
}

// Add takes a piece and returns what is certain by now. A piece in which nothing is found is returned as it is.
func (t *Text) Add(piece string) string {
	if t.w.passes(piece) {
		return piece
	}
	t.w.buf = append(t.w.buf, piece...)
	_ = t.w.settle() // a buffer takes everything
	return t.take()
}

// Rest returns what was held back.
func (t *Text) Rest() string {
	_ = t.w.flush(0)
	return t.take()
}

func (t *Text) take() string {
	s := t.out.String()
	t.out.Reset()
	return s
}

// passes tells whether nothing is held and nothing in the piece looks like a secret or the beginning of one; then the piece counts
// as written.
func (w *Writer) passes(piece string) bool {
	if w.done != len(w.buf) || w.token != nil || piece == "" {
		return false
	}
	b := unsafe.Slice(unsafe.StringData(piece), len(piece)) // read only
	lone := len(b) == 1 && len(w.r.first[b[0]]) == 0        // a line end, mostly: no secret begins with it
	if !lone && (w.r.hints(b) || w.r.opens(b, 0, true) < len(b)) {
		return false
	}
	if keep := b[max(0, len(b)-lookBack):]; len(keep) == lookBack {
		w.buf = append(w.buf[:0], keep...)
	} else {
		w.buf = append(w.buf, keep...)
		w.buf = append(w.buf[:0], w.buf[max(0, len(w.buf)-lookBack):]...)
	}
	w.done = len(w.buf)
	return true
}

// settle writes all but an end that may be the beginning of a secret.
func (w *Writer) settle() error {
	for {
		w.skipToken()
		at, n, p := w.r.find(w.buf, w.done)
		open := w.r.opens(w.buf, w.done, false)
		if n == 0 || open <= at {
			return w.write(open, "")
		}
		if err := w.write(at, p.mark()); err != nil {
			return err
		}
		w.done += n
		w.token = p.shape
	}
}

// opens is where the first secret may begin that b does not hold to its end; len(b) if there is none. loose = whatever stands before it.
func (r *Redactor) opens(b []byte, from int, loose bool) int {
	from = max(from, len(b)-r.longest+1)
	i := from
	for ; i+8 <= len(b); i += 8 {
		if r.far(binary.LittleEndian.Uint64(b[i:])) {
			continue
		}
		if at := r.opensIn(b, max(from, i-1), i+8, loose); at < i+8 {
			return at
		}
	}
	return r.opensIn(b, max(from, i-1), len(b), loose)
}

// opensIn looks at each place between two; to = at none of them.
func (r *Redactor) opensIn(b []byte, from, to int, loose bool) int {
	for at := from; at < to; at++ {
		for _, j := range r.beginners(b[at:]) {
			if r.patterns[j].goesOn(b, at, loose) {
				return at
			}
		}
	}
	return to
}

// beginners are the patterns that may stand at the beginning of b: as few as can be told quickly.
func (r *Redactor) beginners(b []byte) []uint16 {
	if len(b) < window {
		return r.first[b[0]]
	}
	if k := three(b[0], b[1], b[2]); r.begins[hash(k)] {
		return r.bucket[k]
	}
	return nil
}

// goesOn tells whether what stands at a place could become the pattern with more text behind it.
func (p *pattern) goesOn(b []byte, at int, loose bool) bool {
	rest := b[at:]
	if p.shape != nil && !loose && !p.shape.mayBegin(b[:at]) {
		return false
	}
	if len(rest) < len(p.text) {
		return strings.HasPrefix(p.text, string(rest))
	}
	if p.shape == nil || len(rest) >= p.need() || string(rest[:len(p.text)]) != p.text {
		return false
	}
	for _, c := range rest[len(p.text):] {
		if !p.shape.has(c) {
			return false
		}
	}
	return true
}
