package session

import (
	"fmt"
	"io"
	"os"
	"sync"

	"ralphex/internal/redact"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// defaultTranscript is how large a transcript may become, in bytes.
const defaultTranscript = 256 << 20

// transcript copies the raw stream into a file, without secrets, up to a size. A full disk costs the copy, not the session.
type transcript struct {
	file *capped
	safe *redact.Writer
	next io.Writer
	note func(event.Data)
	bad  bool
}

// newTranscript begins the file that a request asks for. next gets the stream as it is.
func newTranscript(req executor.Request, next io.Writer, note func(event.Data)) (*transcript, error) {
	f, err := os.OpenFile(req.Transcript, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the transcript: %w", err)
	}
	limit := req.TranscriptMax
	if limit <= 0 {
		limit = defaultTranscript
	}
	t := &transcript{file: &capped{f: f, left: limit}, next: next, note: note}
	t.safe = redact.New(req.Env, req.Secrets...).Writer(t.file)
	return t, nil
}

// besideFrom is the size from which a piece is kept and understood side by side: below it, waking somebody up costs more.
const besideFrom = 16 << 10

// Write returns when the piece is kept and next has had it.
func (t *transcript) Write(p []byte) (int, error) {
	if t.bad {
		return t.next.Write(p)
	}
	if len(p) < besideFrom {
		_, err := t.safe.Write(p)
		t.check(err)
		return t.next.Write(p)
	}
	var keeping sync.WaitGroup
	var kept error
	keeping.Go(func() { _, kept = t.safe.Write(p) })
	n, err := t.next.Write(p)
	keeping.Wait()
	t.check(kept)
	return n, err
}

func (t *transcript) check(err error) {
	if err != nil && !t.bad {
		t.bad = true
		t.note(event.Note{Level: event.Warn, Text: "the transcript ends here: " + err.Error()})
	}
}

func (t *transcript) close() {
	if !t.bad {
		t.check(t.safe.Close())
	}
	t.check(t.file.close())
}

// capped writes to a file up to a size, and says at its end what is missing.
type capped struct {
	f    *os.File
	left int64
	cut  int64
}

func (c *capped) Write(p []byte) (int, error) {
	take := min(int64(len(p)), c.left)
	c.cut += int64(len(p)) - take
	if take > 0 {
		if _, err := c.f.Write(p[:take]); err != nil {
			return 0, err
		}
		c.left -= take
	}
	return len(p), nil
}

func (c *capped) close() error {
	var err error
	if c.cut > 0 {
		_, err = fmt.Fprintf(c.f, "\n{\"type\":\"ralphex_note\",\"text\":\"cut here: %d bytes more\"}\n", c.cut)
	}
	if e := c.f.Close(); err == nil {
		err = e
	}
	return err
}
