package jsonl

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"ralphex/pkg/event"
)

// Long is a JSON line that is too long for memory. Its bytes go to a file without a name; what stays here is its
// skeleton: the same JSON with the long strings cut. A cut string ends with a reference to its place in the file.
type Long struct {
	f     *os.File
	w     *bufio.Writer
	size  int64
	err   error // of the file; then long strings stay cut
	skel  skeleton
	spans []span // of the long strings' insides, by reference
	lost  int64  // bytes of text that could not be read back
}

// span is a piece of the line, by its place.
type span struct{ from, to int64 }

// newLong begins a line; strings of more than cut bytes stay in the file only.
func newLong(cut int) *Long {
	p := &Long{}
	p.skel.max = cut
	p.skel.nonce = "\x00" + rand.Text() + ":"
	p.skel.out = make([]byte, 0, 64<<10)
	if p.f, p.err = os.CreateTemp("", "ralphex-line-*"); p.err == nil {
		_ = os.Remove(p.f.Name()) // where that isn't possible, close removes it
		p.w = bufio.NewWriterSize(p.f, 256<<10)
	}
	return p
}

func (p *Long) add(b []byte) {
	p.skel.add(b, p.size)
	p.size += int64(len(b))
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}

// end reads the line: its structure from the skeleton, its texts from the file.
func (p *Long) end(s Sink) {
	defer p.close()
	if p.err == nil {
		p.err = p.w.Flush()
	}
	p.spans = p.skel.spans
	switch {
	case p.skel.full:
		s.Note(event.Warn, fmt.Sprintf("a line of %s was left out: its structure is too large to be read", p.Size()))
		return
	case !s.Long(p.skel.out, p):
		p.raw(s)
	}
	switch {
	case p.err != nil:
		s.Note(event.Warn, fmt.Sprintf("a line of %s was cut: %v", p.Size(), p.err))
	case p.lost > 0:
		s.Note(event.Warn, fmt.Sprintf("%s of a line's text could not be read: it is no JSON string", megabytes(p.lost)))
	}
}

// Whole tells whether everything that was asked for could be read so far.
func (p *Long) Whole() bool { return p.err == nil && p.lost == 0 }

// Size is the line's length for a person: "4.6 MB".
func (p *Long) Size() string { return megabytes(p.size) }

// raw hands on a line that began like JSON and is none.
func (p *Long) raw(s Sink) {
	r := longRaw{s: s}
	p.read(span{0, p.size}, func(b []byte, _ bool) int { r.add(b); return len(b) })
	r.end(s)
}

// Each gives a string of the skeleton to f: in one piece, or, if it was cut, decoded piece by piece from the file.
// A nil Long is a line that was read whole: its strings are what they are.
func (p *Long) Each(text string, f func([]byte)) {
	if ref, ok := p.ref(text); ok {
		p.text(ref, f)
		return
	}
	f([]byte(text))
}

// IsCut tells whether a string of the skeleton was cut.
func (p *Long) IsCut(text string) bool {
	_, ok := p.ref(text)
	return ok
}

func (p *Long) ref(text string) (int, bool) {
	if p == nil {
		return 0, false
	}
	i := strings.LastIndex(text, p.skel.nonce)
	if i < 0 {
		return 0, false
	}
	n, err := strconv.Atoi(text[i+len(p.skel.nonce):])
	return n, err == nil && n >= 0 && n < len(p.spans)
}

// text reads a long string back, decoded, piece by piece.
func (p *Long) text(ref int, f func([]byte)) {
	var buf []byte
	p.read(p.spans[ref], func(b []byte, last bool) int {
		out, used, ok := Unescape(buf[:0], b, last)
		buf = out
		f(out)
		if !ok {
			p.lost += int64(len(b) - used)
			return len(b)
		}
		return used
	})
}

// read gives a part of the file to f, which says how much it took; the rest comes again with more behind it.
func (p *Long) read(s span, f func(b []byte, last bool) int) {
	if p.f == nil {
		return
	}
	r := io.NewSectionReader(p.f, s.from, s.to-s.from)
	buf := make([]byte, 128<<10)
	for kept := 0; ; {
		n, err := io.ReadFull(r, buf[kept:])
		last := err != nil
		used := f(buf[:kept+n], last)
		if last {
			return
		}
		kept = copy(buf, buf[used:kept+n])
	}
}

func (p *Long) close() {
	if p.f != nil {
		p.f.Close()
		_ = os.Remove(p.f.Name())
	}
}

func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d kB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
