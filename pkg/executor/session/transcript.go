package session

import (
	"io"
	"os"

	"ralphex/pkg/event"
)

// transcript copies the raw stream into a file. A full disk costs the copy, not the session.
type transcript struct {
	f    *os.File
	next io.Writer
	note func(event.Data)
	bad  bool
}

func (t *transcript) Write(p []byte) (int, error) {
	if !t.bad {
		if _, err := t.f.Write(p); err != nil {
			t.bad = true
			t.note(event.Note{Level: event.Warn, Text: "the transcript ends here: " + err.Error()})
		}
	}
	return t.next.Write(p)
}

func (t *transcript) close() { t.f.Close() }
