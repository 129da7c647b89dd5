package claude

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

// spool is a JSON line that is too long for memory. Its bytes go to a file without a name; what stays here is its
// skeleton: the same JSON with the long strings cut. A cut string ends with a reference to its place in the file.
type spool struct {
	f     *os.File
	w     *bufio.Writer
	size  int64
	err   error // of the file; then long strings stay cut
	skel  skeleton
	spans []span // of the long strings' insides, by reference
	lost  int64  // bytes of text that could not be read back
}

// newSpool begins a line; strings of more than cut bytes stay in the file only.
func newSpool(cut int) *spool {
	p := &spool{}
	p.skel.max = cut
	p.skel.nonce = "\x00" + rand.Text() + ":"
	p.skel.out = make([]byte, 0, 64<<10)
	if p.f, p.err = os.CreateTemp("", "ralphex-line-*"); p.err == nil {
		_ = os.Remove(p.f.Name()) // where that isn't possible, close removes it
		p.w = bufio.NewWriterSize(p.f, 256<<10)
	}
	return p
}

func (p *spool) add(b []byte) {
	p.skel.add(b, p.size)
	p.size += int64(len(b))
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}

// end reads the line: its structure from the skeleton, its texts from the file.
func (p *spool) end(s *stream) {
	defer p.close()
	if p.err == nil {
		p.err = p.w.Flush()
	}
	p.spans = p.skel.spans
	var w wire
	whole := !p.skel.full && readWire(p.skel.out, &w)
	switch {
	case whole:
		s.take(&w, p)
	case p.skel.full:
		s.note(event.Warn, fmt.Sprintf("a line of %s was left out: its structure is too large to be read", megabytes(p.size)))
		return
	default:
		p.raw(s)
	}
	p.report(s, w.Type)
}

// report says what was not read, so that nothing is cut silently.
func (p *spool) report(s *stream, typ string) {
	switch {
	case p.err != nil:
		s.note(event.Warn, fmt.Sprintf("a line of %s was cut: %v", megabytes(p.size), p.err))
	case p.lost > 0:
		s.note(event.Warn, fmt.Sprintf("%s of a line's text could not be read: it is no JSON string", megabytes(p.lost)))
	case typ == "user":
		s.note(event.Info, fmt.Sprintf("a tool result of %s is not shown", megabytes(p.size)))
	case typ != "" && typ != "assistant" && typ != "result" && typ != "stream_event" && !strings.HasPrefix(typ, "content_block"):
		s.note(event.Info, fmt.Sprintf("a line of %s (%s) is not shown", megabytes(p.size), firstLine(typ)))
	}
}

// raw shows a line that began like JSON and is none.
func (p *spool) raw(s *stream) {
	r := longRaw{s: s}
	p.read(span{0, p.size}, func(b []byte, _ bool) int { r.add(b); return len(b) })
	r.end(s)
}

// ref tells whether a string of the skeleton was cut, and which one it is.
func (p *spool) ref(text string) (int, bool) {
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
func (p *spool) text(ref int, f func([]byte)) {
	var buf []byte
	p.read(p.spans[ref], func(b []byte, last bool) int {
		out, used, ok := unescape(buf[:0], b, last)
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
func (p *spool) read(s span, f func(b []byte, last bool) int) {
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

func (p *spool) close() {
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
