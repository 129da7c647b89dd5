package runbook

import (
	"bytes"
	"io"
	"strings"

	"ralphex/pkg/event"
)

// maxHeld is how much of a line without an end is kept back for the rest of it.
const maxHeld = 32 << 10

// lines turns what a command prints into Output events of whole lines.
type lines struct {
	emit func(event.Data)
	held []byte
}

var _ io.Writer = (*lines)(nil)

// Write takes a piece of output.
func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	l.held = append(l.held, p...)
	if i := bytes.LastIndexByte(l.held, '\n'); i >= 0 {
		l.send(l.held[:i], false)
		l.held = append(l.held[:0], l.held[i+1:]...)
	}
	if len(l.held) > maxHeld {
		l.send(l.held, true)
		l.held = l.held[:0]
	}
	return n, nil
}

func (l *lines) flush() {
	if len(l.held) > 0 {
		l.send(l.held, false)
		l.held = nil
	}
}

func (l *lines) send(text []byte, partial bool) {
	l.emit(event.Output{Text: strings.ToValidUTF8(string(text), "\uFFFD"), Source: event.FromCommand, Partial: partial})
}
