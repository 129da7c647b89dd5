package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ralphex/internal/durable"
	"ralphex/pkg/event"
)

const (
	suffix    = ".jsonl"
	maxBuffer = 64 << 10 // of Output, before it is written
	maxUnsent = 1 << 20  // kept for another try while the disk refuses it
	idle      = 100 * time.Millisecond
)

// boundaries are the facts after which the file is synced: what a run must not do twice when it is resumed.
var boundaries = map[event.Kind]bool{
	event.RunStart{}.Kind(): true, event.RunRestart{}.Kind(): true, event.RunEnd{}.Kind(): true,
	event.SessionStart{}.Kind(): true, event.SessionEnd{}.Kind(): true, event.TaskEnd{}.Kind(): true,
	event.Opinion{}.Kind(): true, event.ReviewRound{}.Kind(): true, event.PhaseEnd{}.Kind(): true,
	event.Asked{}.Kind(): true, event.Draft{}.Kind(): true, event.DraftReview{}.Kind(): true, event.PlanFile{}.Kind(): true,
	event.GateEnd{}.Kind(): true, event.Commit{}.Kind(): true, event.Archived{}.Kind(): true,
}

// NewRunID makes the id of a run that starts now, in UTC, so that ids sort by time. Behind the second are its fraction in 1/256, 4 ms, since a run that is
// refused at once and the one after it may well begin in the same second, and two bytes of chance.
func NewRunID(now time.Time) event.RunID {
	tail := [3]byte{byte(now.Nanosecond() * 256 / int(time.Second))}
	_, _ = rand.Read(tail[1:]) // never fails
	return event.RunID(now.UTC().Format("20060102-150405-") + hex.EncodeToString(tail[:]))
}

// Writer is the sink that appends events to a run's file. It is safe for use by several goroutines.
type Writer struct {
	log  *durable.Log
	work chan struct{} // a token: something is to be flushed or synced, or Close was called
	done chan struct{} // closed when the goroutine has ended

	mu     sync.Mutex
	buf    []byte // whole lines that are not written
	sync   bool   // a boundary was written and not synced
	err    error  // of the goroutine, for the next Handle
	closed bool
}

// Open opens the file of a run in dir (.ralph/events), or makes it. It cuts off a torn last line. There must be no other
// Writer of this run.
func Open(dir string, run event.RunID) (*Writer, error) {
	if err := validID(run); err != nil {
		return nil, err
	}
	d, err := durable.OpenDir(dir)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	defer d.Close()
	if _, err := d.Root().Stat(".gitignore"); errors.Is(err, os.ErrNotExist) {
		if err := d.WriteFile(".gitignore", []byte("*\n"), 0o644); err != nil {
			return nil, fmt.Errorf("open journal: %w", err)
		}
	}
	log, err := d.OpenLog(string(run)+suffix, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	w := &Writer{log: log, work: make(chan struct{}, 1), done: make(chan struct{})}
	go w.run()
	return w, nil
}

// validID keeps ids of other hands from being paths.
func validID(run event.RunID) error {
	for _, c := range run {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' {
			return fmt.Errorf("run id %q: only letters, digits and - are allowed", run)
		}
	}
	if run == "" {
		return errors.New("run id is empty")
	}
	return nil
}

// Path returns the file's path.
func (w *Writer) Path() string { return w.log.Path() }

// Contents returns all that was handled, also where somebody took the file away.
func (w *Writer) Contents() ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.flush(); err != nil {
		return nil, err
	}
	return w.log.Contents()
}

// Handle appends the event. When it returns without error, an event that is no Output survives the process, and the
// first and last event of a run the machine.
func (w *Writer) Handle(e event.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return event.ErrClosed
	}
	buf, err := event.AppendJSON(w.buf, e)
	if err != nil {
		return fmt.Errorf("encode event %d: %w", e.Seq, err)
	}
	w.buf = append(buf, '\n')
	kind := e.Data.Kind()
	if _, isOutput := e.Data.(event.Output); isOutput && len(w.buf) < maxBuffer {
		w.wake()
		return w.takeError()
	}
	if err := w.flush(); err != nil {
		return err
	}
	switch e.Data.(type) {
	case event.RunStart, event.RunEnd:
		w.sync = false
		return errors.Join(w.log.Sync(), w.takeError())
	}
	if boundaries[kind] {
		w.sync = true
		w.wake()
	}
	return w.takeError()
}

// flush writes what is buffered. What the disk refuses is kept for another try, within limits.
func (w *Writer) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	if err := w.log.Append(w.buf); err != nil {
		if len(w.buf) > maxUnsent {
			w.buf = w.buf[:0]
		}
		return err
	}
	w.buf = w.buf[:0]
	return nil
}

func (w *Writer) takeError() error {
	err := w.err
	w.err = nil
	return err
}

// wake lets the goroutine look.
func (w *Writer) wake() {
	select {
	case w.work <- struct{}{}:
	default:
	}
}

// run syncs behind boundaries, and writes Output that nothing follows for a while, until Close.
func (w *Writer) run() {
	defer close(w.done)
	var flushAt <-chan time.Time // nil = nothing waits
	for {
		select {
		case <-w.work:
			w.mu.Lock()
			closed, boundary, waiting := w.closed, w.sync, len(w.buf) > 0
			w.sync = false
			w.mu.Unlock()
			if closed {
				return
			}
			if boundary {
				w.keep(w.log.Sync()) // beside Append, not under mu
			}
			if waiting && flushAt == nil {
				flushAt = time.After(idle)
			}
		case <-flushAt:
			flushAt = nil
			w.mu.Lock()
			err := w.flush()
			w.mu.Unlock()
			w.keep(err)
		}
	}
}

func (w *Writer) keep(err error) {
	if err == nil {
		return
	}
	w.mu.Lock()
	w.err = err
	w.mu.Unlock()
}

// Close writes and syncs what is left, and closes the file. It may be called again.
func (w *Writer) Close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil
	}
	err := errors.Join(w.takeError(), w.flush())
	w.closed = true
	w.wake()
	w.mu.Unlock()
	<-w.done
	return errors.Join(err, w.log.Close())
}

// pathOf returns the file of a run, and runOf the run of a file's name.
func pathOf(dir string, run event.RunID) string { return filepath.Join(dir, string(run)+suffix) }

func runOf(name string) (event.RunID, bool) {
	id, ok := strings.CutSuffix(name, suffix)
	return event.RunID(id), ok && validID(event.RunID(id)) == nil
}
