package durable

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// CorruptError is a line of a log that is broken, and is not the last one.
type CorruptError struct {
	Path   string // empty if the reader does not know it
	Offset int64  // of the line's first byte
	Err    error  // what is wrong with it
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s: broken line at byte %d: %v", e.Path, e.Offset, e.Err)
}

func (e *CorruptError) Unwrap() error { return e.Err }

// LineReader reads the lines of a log, of any length, in memory of the longest one.
type LineReader struct {
	r    *bufio.Reader
	long []byte // a line that does not fit into r's buffer
	next int64  // offset of the next line
}

// NewLineReader returns a reader of the lines of r. offset is that of r's first byte in the file.
func NewLineReader(r io.Reader, offset int64) *LineReader {
	return &LineReader{r: bufio.NewReaderSize(r, 64<<10), next: offset}
}

// Next returns the next line without its newline, and its offset. The line is good until the next call. A last line
// without newline is torn: it is left out, and the error is io.EOF.
func (l *LineReader) Next() (line []byte, offset int64, err error) {
	offset = l.next
	line, err = l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.rest(line)
	}
	if err != nil {
		return nil, offset, err
	}
	l.next += int64(len(line))
	return line[:len(line)-1], offset, nil
}

func (l *LineReader) rest(begin []byte) ([]byte, error) {
	l.long = append(l.long[:0], begin...)
	for {
		part, err := l.r.ReadSlice('\n')
		l.long = append(l.long, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
	}
}

// AtEnd tells whether no whole line follows.
func (l *LineReader) AtEnd() bool {
	_, err := l.r.Peek(1)
	return err != nil
}

// Offset returns where the next line begins; after io.EOF, where the whole lines end.
func (l *LineReader) Offset() int64 { return l.next }
