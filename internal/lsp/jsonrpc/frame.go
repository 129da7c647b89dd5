package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The limits of a header.
const (
	maxHeaderLine  = 1 << 10 // bytes, line end included
	maxHeaderLines = 16
)

// FrameError says that the stream is no sequence of messages: where the next one begins is unknown.
type FrameError struct{ Reason string }

func (e *FrameError) Error() string { return "message header: " + e.Reason }

// TooLargeError says that a message was longer than the reader takes. It has been skipped.
type TooLargeError struct{ Size, Max int64 } // bytes

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("a message of %d bytes is more than the %d that are taken", e.Size, e.Max)
}

// Reader takes a stream apart into message bodies. It is not for several goroutines.
type Reader struct {
	r   *bufio.Reader
	max int64
}

// NewReader returns a reader that takes bodies of at most max bytes.
func NewReader(r io.Reader, max int64) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 16<<10), max: max}
}

// Read returns the body of the next message. The errors are io.EOF between two messages,
// io.ErrUnexpectedEOF inside of one, *FrameError, what the stream says, and *TooLargeError, after which the
// next Read goes on.
func (r *Reader) Read() ([]byte, error) {
	size, err := r.header()
	if err != nil {
		return nil, err
	}
	if size > r.max {
		if _, err := io.CopyN(io.Discard, r.r, size); err != nil {
			return nil, unexpected(err)
		}
		return nil, &TooLargeError{Size: size, Max: r.max}
	}
	var body bytes.Buffer
	body.Grow(int(min(size, 64<<10)) + bytes.MinRead)
	if _, err := io.CopyN(&body, r.r, size); err != nil {
		return nil, unexpected(err)
	}
	return body.Bytes(), nil
}

// header reads the lines before a body and returns the length of the body.
func (r *Reader) header() (int64, error) {
	size := int64(-1)
	for n := 0; ; n++ {
		line, err := r.line()
		switch {
		case err == io.EOF && n == 0 && line == "":
			return 0, io.EOF
		case err != nil:
			return 0, unexpected(err)
		case n >= maxHeaderLines:
			return 0, &FrameError{fmt.Sprintf("more than %d lines", maxHeaderLines)}
		case line == "" && size < 0:
			return 0, &FrameError{"no Content-Length"}
		case line == "":
			return size, nil
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return 0, &FrameError{fmt.Sprintf("%q is no header line", line)}
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue // Content-Type: nothing but UTF-8 is in use
		}
		got, err := strconv.ParseUint(strings.TrimSpace(value), 10, 62)
		if err != nil {
			return 0, &FrameError{fmt.Sprintf("%q is no length", strings.TrimSpace(value))}
		}
		if size >= 0 && size != int64(got) {
			return 0, &FrameError{"two lengths"}
		}
		size = int64(got)
	}
}

// line reads one header line without its end.
func (r *Reader) line() (string, error) {
	raw, err := r.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || len(raw) > maxHeaderLine {
		return "", &FrameError{fmt.Sprintf("a line of more than %d bytes", maxHeaderLine)}
	}
	if err != nil {
		return string(raw), err
	}
	return string(bytes.TrimSuffix(raw[:len(raw)-1], []byte("\r"))), nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Write sends one body with its header, in one call of w.Write.
func Write(w io.Writer, body []byte) error {
	frame := make([]byte, 0, len(body)+32)
	frame = fmt.Appendf(frame, "Content-Length: %d\r\n\r\n", len(body))
	if _, err := w.Write(append(frame, body...)); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}
