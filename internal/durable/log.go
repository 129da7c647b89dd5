package durable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const logFlags = os.O_RDWR | os.O_CREATE | os.O_APPEND

// Log is a file of JSON lines that only grows. It has one writer; that there is no second one is a Lock's job.
type Log struct {
	f       *os.File
	path    string
	size    int64
	dropped int64
	torn    bool // the end of the file may hold a part of a line
}

// OpenLog opens the log for appending, or makes it. A torn last line, which is one without a newline or one that is no
// JSON, is cut off.
func OpenLog(path string, perm fs.FileMode) (*Log, error) {
	return openLog(path, func() (*os.File, error) { return os.OpenFile(path, logFlags, perm) })
}

func openLog(path string, open func() (*os.File, error)) (*Log, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	l := &Log{f: f, path: path}
	if err := l.mend(); err != nil {
		f.Close()
		return nil, fmt.Errorf("open log %s: %w", path, err)
	}
	return l, nil
}

// mend cuts the torn last line off.
func (l *Log) mend() error {
	info, err := l.f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("no regular file")
	}
	whole, err := wholeLines(l.f, info.Size())
	if err != nil {
		return err
	}
	l.size, l.dropped = whole, info.Size()-whole
	if l.dropped == 0 {
		return nil
	}
	return l.f.Truncate(whole)
}

// wholeLines returns how many bytes of the file are left without a torn last line.
func wholeLines(f io.ReaderAt, size int64) (int64, error) {
	end, err := lineStart(f, size) // behind the last newline
	if err != nil || end != size || size == 0 {
		return end, err
	}
	start, err := lineStart(f, size-1) // the last line
	if err != nil {
		return 0, err
	}
	last := make([]byte, end-start)
	if _, err := f.ReadAt(last, start); err != nil {
		return 0, err
	}
	if !json.Valid(last) {
		return start, nil
	}
	return end, nil
}

// LastLine returns the last whole line of a log, without its newline, and its offset. A torn end is passed over. The
// line is nil if there is none.
func LastLine(f io.ReaderAt, size int64) (line []byte, offset int64, err error) {
	end, err := wholeLines(f, size)
	if err != nil || end == 0 {
		return nil, 0, err
	}
	start, err := lineStart(f, end-1)
	if err != nil {
		return nil, 0, err
	}
	line = make([]byte, end-1-start)
	_, err = f.ReadAt(line, start)
	return line, start, err
}

// lineStart returns where the line begins that the byte before end belongs to: behind the last newline before end.
func lineStart(f io.ReaderAt, end int64) (int64, error) {
	buf := make([]byte, 32<<10)
	for end > 0 {
		n := min(int64(len(buf)), end)
		if _, err := f.ReadAt(buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, nil
}

// Append adds whole lines, each with its newline, by one write(2): when it returns, they survive the process. On an error
// none of them is in the log.
func (l *Log) Append(lines []byte) error {
	if l.torn {
		if err := l.f.Truncate(l.size); err != nil {
			return fmt.Errorf("append to %s: %w", l.path, err)
		}
		l.torn = false
	}
	if _, err := l.f.Write(lines); err != nil {
		l.torn = l.f.Truncate(l.size) != nil // tried again by the next Append
		return fmt.Errorf("append to %s: %w", l.path, err)
	}
	l.size += int64(len(lines))
	return nil
}

// Sync makes what was appended survive the machine. It may run beside Append.
func (l *Log) Sync() error {
	if err := syncData(l.f); err != nil {
		return fmt.Errorf("sync %s: %w", l.path, err)
	}
	return nil
}

// Size returns the length in bytes.
func (l *Log) Size() int64 { return l.size }

// Dropped tells how many bytes of a torn line were cut off at open.
func (l *Log) Dropped() int64 { return l.dropped }

// Path returns the path as it was given.
func (l *Log) Path() string { return l.path }

// Contents returns what is in the log. The open file has it also where its name was taken away.
func (l *Log) Contents() ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(l.f, 0, l.size))
}

// Close syncs and closes.
func (l *Log) Close() error { return errors.Join(l.Sync(), l.f.Close()) }
