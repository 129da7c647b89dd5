package session

import (
	"bytes"
	"sync"
)

// stderrLines shows stderr line by line and keeps its end.
type stderrLines struct {
	show func(string)
	mu   sync.Mutex
	line []byte
	last []byte
}

const (
	maxStderrLine = 64 << 10 // a longer line is shown in pieces
	maxStderrTail = 4 << 10
)

func (l *stderrLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(p)
	l.last = append(l.last, p[max(0, n-maxStderrTail):]...)
	l.last = l.last[max(0, len(l.last)-maxStderrTail):]
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.line = append(l.line, p...)
			if len(l.line) > maxStderrLine {
				l.flush()
			}
			break
		}
		l.line = append(l.line, p[:i]...)
		l.flush()
		p = p[i+1:]
	}
	return n, nil
}

func (l *stderrLines) flush() {
	text := bytes.ToValidUTF8(bytes.TrimRight(l.line, "\r"), []byte("\uFFFD"))
	l.line = l.line[:0]
	l.show(string(text))
}

func (l *stderrLines) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.line) > 0 {
		l.flush()
	}
}

func (l *stderrLines) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(bytes.TrimSpace(bytes.ToValidUTF8(l.last, []byte("\uFFFD"))))
}
