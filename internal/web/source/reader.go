package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"ralphex/internal/durable"
	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// ErrReplaced says that the file is not the one any more whose beginning was read: it was cut, or another one took its place. Who reads it
// begins anew.
var ErrReplaced = errors.New("the file was replaced")

const (
	readSize = 64 << 10
	minRead  = 1 << 10
	maxText  = 64 << 10 // of a line of a progress file; a longer one is cut into parts
	maxFact  = 16 << 20 // of a line of a journal; a longer one is passed over
	markSize = 256      // bytes before a place, by which it is known again
)

// Checkpoint is a place between two lines of a file. It is a value: it holds no file open, and a Reader that begins there gives the same
// events as one that has come by. The zero value is the beginning.
type Checkpoint struct {
	offset int64
	seq    int64 // of the newest event before it
	first  int64 // of the file's first line; 0 = it was not read
	mark   uint64
	marked int // bytes before offset that mark is the sum of
	text   textState
}

// Seq is the id of the newest event before it.
func (c Checkpoint) Seq() int64 { return c.seq }

// Offset is its place in the file, in bytes.
func (c Checkpoint) Offset() int64 { return c.offset }

// Reader reads the events of a session in order, also while the file grows. It is used by one goroutine.
type Reader struct {
	path    string
	journal bool
	f       readerAt
	buf     []byte // of the file, from base on
	base    int64
	lo      int  // what was read of buf
	atEnd   bool // the end was seen: whether the file is still the same is to be looked at before more is read
	skip    bool // in the middle of a line that is passed over
	seq     int64
	first   int64 // number of the file's first line; 0 = it was not read
	text    textReader
	queue   []event.Event // of the line that was read last
	given   int           // events of queue that were returned
}

// readerAt is an open file.
type readerAt interface {
	io.ReaderAt
	io.Closer
}

// newReader opens the file at a place. The error is ErrReplaced if it has no such place.
func newReader(path string, source view.Source, loc *time.Location, from Checkpoint) (*Reader, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	size := int64(readSize)
	if fi, err := f.Stat(); err == nil {
		size = min(size, max(minRead, fi.Size()-from.offset+1)) // a line that was appended needs little
	}
	return readerOf(f, path, source, loc, from, int(size))
}

func readerOf(f readerAt, path string, source view.Source, loc *time.Location, from Checkpoint, size int) (*Reader, error) {
	r := &Reader{path: path, journal: source == view.Journal, f: f, base: from.offset - int64(from.marked), seq: from.seq, first: from.first}
	r.text = textReader{textState: from.text, loc: loc, emit: r.emit}
	r.buf = make([]byte, from.marked, size+markSize)
	if n, err := f.ReadAt(r.buf, r.base); n < from.marked || n > 0 && sum(r.buf) != from.mark {
		f.Close()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, ErrReplaced
	}
	r.lo = from.marked
	return r, nil
}

// openRegular opens a file that has an end. It waits for nobody: a pipe or a device of that name is an error.
func openRegular(path string) (*os.File, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, &durable.NotRegularError{Path: path, Mode: fi.Mode()}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	if fi, err = f.Stat(); err == nil && !fi.Mode().IsRegular() {
		err = &durable.NotRegularError{Path: path, Mode: fi.Mode()} // it was exchanged in between
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (r *Reader) emit(e event.Event) {
	r.seq++
	e.Seq = r.seq
	r.queue = append(r.queue, e)
}

// Close gives the file back.
func (r *Reader) Close() error { return r.f.Close() }

// Next returns the next event. io.EOF says that there is none yet: the call may be repeated when the session has changed. A line without its
// end is waited for. Lines that can't be read are passed over.
func (r *Reader) Next() (event.Event, error) {
	for r.given == len(r.queue) {
		r.queue, r.given = r.queue[:0], 0
		at := r.base + int64(r.lo)
		line, more, err := r.line()
		if err != nil {
			return event.Event{}, err
		}
		r.take(at, line, more)
	}
	r.given++
	return r.queue[r.given-1], nil
}

// AtLine tells whether the Reader stands between two lines, so that Checkpoint may be asked.
func (r *Reader) AtLine() bool { return r.given == len(r.queue) && !r.skip }

// Checkpoint is the place of the Reader. It must be AtLine.
func (r *Reader) Checkpoint() Checkpoint {
	from := max(0, r.lo-markSize)
	mark := r.buf[from:r.lo]
	return Checkpoint{offset: r.base + int64(r.lo), seq: r.seq, first: r.first, mark: sum(mark), marked: len(mark), text: r.text.textState}
}

// take makes events of a line that begins at an offset.
func (r *Reader) take(at int64, line []byte, more bool) {
	if !r.journal {
		r.text.line(string(line), more)
		return
	}
	if more || r.skip {
		r.skip = more
		return
	}
	e, err := event.Decode(line)
	if err != nil || e.Seq <= r.seq || !e.Fits(r.first, at) {
		return
	}
	if at == 0 {
		r.first = e.Seq
	}
	r.seq = e.Seq
	r.queue = append(r.queue, e)
}

// line returns the next line without its end, or a part of one that is too long: where it is cut depends on the line alone.
func (r *Reader) line() (line []byte, more bool, err error) {
	limit := maxText
	if r.journal {
		limit = maxFact
	}
	for looked := 0; ; {
		rest := r.buf[r.lo:]
		i := bytes.IndexByte(rest[looked:], '\n')
		if i >= 0 {
			i += looked
		}
		switch {
		case i >= 0 && i <= limit:
			r.lo += i + 1
			return rest[:i], false, nil
		case len(rest) > limit:
			n := limit
			for n > limit-utf8.UTFMax && !utf8.RuneStart(rest[n]) {
				n--
			}
			r.lo += n
			return rest[:n], true, nil
		}
		looked = len(rest)
		if err := r.fill(); err != nil {
			return nil, false, err
		}
	}
}

// fill reads more of the file.
func (r *Reader) fill() error {
	if r.atEnd {
		if err := r.same(); err != nil {
			return err
		}
		r.atEnd = false
	}
	if from := r.lo - markSize; from > 0 {
		r.buf = r.buf[:copy(r.buf, r.buf[from:])]
		r.base += int64(from)
		r.lo = markSize
	}
	if cap(r.buf)-len(r.buf) < minRead/2 {
		r.buf = append(make([]byte, 0, max(2*cap(r.buf), readSize+markSize)), r.buf...)
	}
	n, err := r.f.ReadAt(r.buf[len(r.buf):cap(r.buf)], r.base+int64(len(r.buf)))
	if n > 0 {
		r.buf = r.buf[:len(r.buf)+n]
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		// What is torn is read again when more comes: whoever goes on with the file may have cut it off.
		r.atEnd = true
		r.buf = r.buf[:r.lo]
		if cap(r.buf) > 4*readSize {
			r.buf = append(make([]byte, 0, readSize+markSize), r.buf[max(0, r.lo-markSize):]...)
			r.base += int64(r.lo - len(r.buf))
			r.lo = len(r.buf)
		}
		return io.EOF
	}
	return fmt.Errorf("read %s: %w", r.path, err)
}

// same looks whether the file still has what was read of it last.
func (r *Reader) same() error {
	if err := r.reopen(); err != nil {
		return err
	}
	mark := r.buf[max(0, r.lo-markSize):r.lo]
	var now [markSize]byte
	n, err := r.f.ReadAt(now[:len(mark)], r.base+int64(r.lo-len(mark)))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(now[:n], mark) {
		return ErrReplaced
	}
	return nil
}

// reopen opens the file that the path leads to now, if that is another one.
func (r *Reader) reopen() error {
	open, ok := r.f.(*os.File)
	if !ok {
		return nil
	}
	there, err := os.Lstat(r.path)
	if err != nil {
		return ErrReplaced
	}
	was, err := open.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(there, was) {
		f, err := openRegular(r.path)
		if err != nil {
			return ErrReplaced
		}
		r.f.Close()
		r.f = f
	}
	if there.Size() < r.base+int64(r.lo) {
		return ErrReplaced
	}
	return nil
}

// sum is FNV-1a.
func sum(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
