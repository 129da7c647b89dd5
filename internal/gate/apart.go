package gate

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// Limits of what is kept of one stream of one command, in bytes: together less than the 512 KiB that the evidence of an iteration keeps.
const (
	maxApartHead = 240 << 10
	maxApartEnd  = 240 << 10
)

// Streams is what a command printed, each stream by itself, without secrets: all of it, or its beginning, a note and its end.
type Streams struct{ Stdout, Stderr []byte }

// apart starts the real shell as joined does, and leaves the outputs apart.
const apart = `exec "$0" -c -- "$1" </dev/null`

// side takes one stream of a command: for the record of the stream, and, in whole lines, for the common output. A line is never torn apart by one of the
// other stream, so that a secret in it is still seen. It is written by one goroutine.
type side struct {
	common io.Writer
	safe   io.WriteCloser // to keep
	line   []byte         // what has no end yet
	head   []byte
	end    window
}

func newSide(o Options, common io.Writer) *side {
	s := &side{common: common, end: window{max: maxApartEnd}}
	s.safe = plain{writerFunc(s.keep)}
	if o.Safe != nil {
		s.safe = o.Safe(writerFunc(s.keep))
	}
	return s
}

// keep takes what may be kept.
func (s *side) keep(p []byte) (int, error) {
	n := min(maxApartHead-len(s.head), len(p))
	s.head = append(s.head, p[:n]...)
	if n < len(p) {
		s.end.add(p[n:])
	}
	return len(p), nil
}

// Write takes a piece of the stream.
func (s *side) Write(p []byte) (int, error) {
	_, _ = s.safe.Write(p) // keep never fails
	s.line = append(s.line, p...)
	if end := bytes.LastIndexByte(s.line, '\n') + 1; end > 0 {
		s.pass(end)
	}
	if len(s.line) > maxLine {
		s.pass(wholeRunes(s.line))
	}
	return len(p), nil
}

// pass gives the first n bytes of what waits to the common output.
func (s *side) pass(n int) {
	_, _ = s.common.Write(s.line[:n]) // it never fails
	s.line = slices.Delete(s.line, 0, n)
}

// close passes the rest on, and returns what was kept.
func (s *side) close() []byte {
	if len(s.line) > 0 {
		s.pass(len(s.line))
	}
	_ = s.safe.Close() // as Write
	if s.end.dropped > 0 {
		s.head = fmt.Appendf(s.head, "\n[ralphex: %d bytes are left out here]\n", s.end.dropped)
	}
	return append(s.head, s.end.bytes()...)
}
