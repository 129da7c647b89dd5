package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"ralphex/internal/durable"
	"ralphex/pkg/event"
)

// Reader reads the events of a journal in order, also of one that is being written. It is used by one goroutine.
type Reader struct {
	path  string
	lines *durable.LineReader
	skip  map[event.Kind]bool
	only  map[event.Kind]bool // nil = all; lines of others are passed over unread
	first int64               // number of the file's first line; 0 = it was not read
}

// NewReader returns a reader of r, whose first byte is at offset in the file. path is for errors. Events of the
// kinds in skip are left out; that costs much less than reading them.
func NewReader(r io.Reader, path string, offset int64, skip ...event.Kind) *Reader {
	set := map[event.Kind]bool{}
	for _, k := range skip {
		set[k] = true
	}
	return &Reader{path: path, lines: durable.NewLineReader(r, offset), skip: set}
}

// Next returns the next event, or io.EOF. A broken line is a *durable.CorruptError, and the one behind it can be read with the
// next call; a broken last line is torn, which is io.EOF.
func (r *Reader) Next() (event.Event, error) {
	for {
		line, offset, err := r.lines.Next()
		if errors.Is(err, io.EOF) {
			return event.Event{}, io.EOF
		}
		if err != nil {
			return event.Event{}, fmt.Errorf("read journal %s: %w", r.path, err)
		}
		kind, ok := event.KindOf(line)
		if ok && r.only != nil && !r.only[kind] {
			continue
		}
		if ok && r.skip[kind] && wholeOutput(line) {
			continue
		}
		e, err := event.Decode(line)
		if err == nil && r.skip[e.Data.Kind()] {
			continue
		}
		if err == nil {
			err = rightNumber(e, r.first, offset)
		}
		if err == nil {
			if offset == 0 {
				r.first = e.Seq
			}
			return e, nil
		}
		return event.Event{}, r.broken(line, offset, err)
	}
}

// rightNumber refuses an event whose number can't be.
func rightNumber(e event.Event, first, offset int64) error {
	if e.Fits(first, offset) {
		return nil
	}
	return fmt.Errorf("event %d can't be the next one here", e.Seq)
}

// broken says what a line that can't be read means.
func (r *Reader) broken(line []byte, offset int64, err error) error {
	var newer *event.VersionError
	if errors.As(err, &newer) {
		return fmt.Errorf("read journal %s: %w", r.path, err)
	}
	if torn := !json.Valid(line); torn && r.lines.AtEnd() {
		return io.EOF
	}
	return fmt.Errorf("read journal: %w", &durable.CorruptError{Path: r.path, Offset: offset, Err: err})
}

// Offset returns where the next line begins. After io.EOF, a reader of what is appended later starts there, unless the last
// line was torn.
func (r *Reader) Offset() int64 { return r.lines.Offset() }

// wholeOutput tells whether the line is one Output as event.AppendJSON writes it, to its last byte, without decoding it. Two
// events that a torn write has made one line are not. For other kinds it is false, and they are decoded.
func wholeOutput(line []byte) bool {
	const begin = `,"type":"output","data":{"text":"`
	i := bytes.Index(line[:min(len(line), 512)], []byte(begin))
	if i < 0 {
		return false
	}
	rest := line[i+len(begin):]
	for {
		q := bytes.IndexByte(rest, '"')
		if q < 0 {
			return false
		}
		escapes := 0
		for escapes < q && rest[q-1-escapes] == '\\' {
			escapes++
		}
		tail := rest[q+1:]
		if escapes%2 == 0 {
			return wholeTail(tail)
		}
		rest = tail
	}
}

// wholeTail checks what stands behind the text of an Output.
func wholeTail(tail []byte) bool {
	if after, ok := bytes.CutPrefix(tail, []byte(`,"source":"`)); ok {
		q := bytes.IndexByte(after, '"')
		if q < 0 || q > 32 {
			return false
		}
		tail = after[q+1:]
	}
	tail, _ = bytes.CutPrefix(tail, []byte(`,"partial":true`))
	return string(tail) == "}}"
}

// Events reads a whole journal. An error is the last thing it yields.
func Events(path string, skip ...event.Kind) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(event.Event{}, err)
			return
		}
		defer f.Close()
		r := NewReader(f, path, 0, skip...)
		for {
			e, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}
