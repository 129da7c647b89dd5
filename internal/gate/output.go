package gate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"ralphex/pkg/event"
)

// Limits of what is kept of one command's output. The hash has none.
const (
	maxTail   = 4 << 10  // for the prompt of the next session
	maxStream = 1 << 20  // for those who watch
	maxHead   = 8 << 20  // in the file, from the beginning
	maxEnd    = 8 << 20  // in the file, from the end
	maxLine   = 16 << 10 // without a newline, after which a part of a line is sent
)

// output takes what one command prints: to the file, the watchers, the hash and the tail. It never fails, so
// that a full disk doesn't look like a failed test.
type output struct {
	emit func(event.Data)

	mu     sync.Mutex
	hash   hash.Hash
	tail   window
	file   *cappedFile
	safe   io.WriteCloser // to hash and file
	line   []byte         // what was not sent yet
	sent   int            // bytes sent to the watchers
	silent bool           // the watchers have had enough
}

func newOutput(o Options, n int) *output {
	out := &output{emit: o.Emit, hash: sha256.New(), tail: window{max: maxTail}}
	if o.OutputDir != "" {
		out.file = &cappedFile{dir: o.OutputDir, name: fmt.Sprintf("command-%02d", n), end: window{max: maxEnd}}
	}
	out.safe = plain{writerFunc(out.keep)}
	if o.Safe != nil {
		out.safe = o.Safe(writerFunc(out.keep))
	}
	return out
}

// keep takes what may be kept.
func (o *output) keep(p []byte) (int, error) {
	o.hash.Write(p)
	if o.file != nil {
		o.file.add(p)
	}
	return len(p), nil
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// plain lets everything pass.
type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// Write takes a piece of output.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail.add(p)
	_, _ = o.safe.Write(p) // keep never fails
	o.stream(p)
	return len(p), nil
}

// stream sends the whole lines of what has come.
func (o *output) stream(p []byte) {
	if o.silent {
		return
	}
	if end := bytes.LastIndexByte(p, '\n'); end >= 0 {
		o.send(append(o.line, p[:end]...), false)
		o.line, p = o.line[:0], p[end+1:]
	}
	o.line = append(o.line, p...)
	if len(o.line) > maxLine {
		end := wholeRunes(o.line)
		o.send(o.line[:end], true)
		o.line = append(o.line[:0], o.line[end:]...)
	}
	if o.sent > maxStream {
		o.silent, o.line = true, nil
		text := "… (more output follows, only its end is shown)"
		if o.file != nil {
			text = "… (more output follows, see " + o.file.path() + ")"
		}
		o.emit(event.Output{Text: text, Source: event.FromTool})
	}
}

// wholeRunes is the length of text without a character at its end that is still to come in full.
func wholeRunes(text []byte) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

func (o *output) send(text []byte, partial bool) {
	o.sent += len(text) + 1
	o.emit(event.Output{Text: strings.ToValidUTF8(string(text), "?"), Source: event.FromCommand, Partial: partial})
}

// close sends the rest, and returns the file's path (empty = none), the hash and the tail.
func (o *output) close() (file, sum, tail string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.line) > 0 {
		o.send(o.line, false)
	}
	_ = o.safe.Close() // as Write
	if o.file != nil {
		if err := o.file.close(); err != nil {
			o.emit(event.Note{Level: event.Warn, Text: fmt.Sprintf("the output of a validation command could not be kept: %v", err)})
		} else if o.file.f != nil {
			file = o.file.path()
		}
	}
	return file, hex.EncodeToString(o.hash.Sum(nil)), readable(o.tail)
}

// readable makes text of the last bytes: whole characters, whole lines where there are any.
func readable(w window) string {
	text := w.bytes()
	if w.dropped > 0 {
		if end := bytes.IndexByte(text, '\n'); end >= 0 && end < len(text)/2 {
			text = text[end+1:]
		}
		for len(text) > 0 && !utf8.RuneStart(text[0]) {
			text = text[1:]
		}
	}
	return strings.ToValidUTF8(string(text), "?")
}

// window keeps the last bytes of a stream.
type window struct {
	max     int
	buf     []byte // a ring once it is full
	at      int    // where the oldest byte is, when full
	dropped int64
}

func (w *window) add(p []byte) {
	if len(p) >= w.max {
		w.dropped += int64(len(w.buf) + len(p) - w.max)
		w.buf, w.at = append(w.buf[:0], p[len(p)-w.max:]...), 0
		return
	}
	if room := w.max - len(w.buf); room > 0 {
		n := min(room, len(p))
		w.buf = append(w.buf, p[:n]...)
		p = p[n:]
	}
	w.dropped += int64(len(p))
	for len(p) > 0 {
		n := copy(w.buf[w.at:], p)
		p, w.at = p[n:], (w.at+n)%w.max
	}
}

// bytes returns the window in order.
func (w *window) bytes() []byte {
	return append(append(make([]byte, 0, len(w.buf)), w.buf[w.at:]...), w.buf[:w.at]...)
}

// cappedFile is the output on disk: all of it, or its beginning, a note, and its end.
type cappedFile struct {
	dir, name string
	f         *os.File
	head      int
	end       window
	err       error // the first one; nothing is written after it
}

func (c *cappedFile) path() string {
	if c.f == nil {
		return filepath.Join(c.dir, c.name+".log")
	}
	return c.f.Name()
}

// add takes a piece. The file is made with the first one.
func (c *cappedFile) add(p []byte) {
	if c.f == nil && c.err == nil {
		c.f, c.err = create(c.dir, c.name)
	}
	if c.err != nil {
		return
	}
	if n := min(maxHead-c.head, len(p)); n > 0 {
		_, c.err = c.f.Write(p[:n])
		c.head, p = c.head+n, p[n:]
	}
	if len(p) > 0 {
		c.end.add(p)
	}
}

// close writes the end, with a note before it if something is missing in between.
func (c *cappedFile) close() error {
	if c.f == nil {
		return c.err
	}
	if c.err == nil && c.end.dropped > 0 {
		_, c.err = fmt.Fprintf(c.f, "\n[ralphex: %d bytes are left out here]\n", c.end.dropped)
	}
	if c.err == nil {
		_, c.err = c.f.Write(c.end.bytes())
	}
	if err := c.f.Close(); c.err == nil {
		c.err = err
	}
	c.end.buf = nil
	return c.err
}

// create makes dir/name.log, or a numbered one: evidence is never written over.
func create(dir, name string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for i := 1; ; i++ {
		path := filepath.Join(dir, name+".log")
		if i > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.log", name, i))
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil || !os.IsExist(err) {
			return f, err
		}
	}
}
