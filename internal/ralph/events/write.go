package events

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/stable"
)

// Writer appends to a journal. It is safe for use by several goroutines of the one process that runs the provenance id.
type Writer struct {
	mu    sync.Mutex
	log   *durable.Log
	dir   string
	runID string
	seq   int
	open  bool      // a run was started and not completed
	sum   hash.Hash // of all that this and earlier writers meant to be in it; nil = somebody changed what an earlier one had summed
}

// Open opens the journal of a provenance id in its bundle's folder, or makes it, and goes on with the number after the highest one. Lines that
// are no events don't keep a run from being recorded: they stay where they are, and Read names them.
func Open(dir, provenanceID string) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	path := filepath.Join(dir, FileName)
	log, err := durable.OpenLog(path, 0o640)
	if err != nil {
		return nil, err
	}
	w := &Writer{log: log, dir: dir, runID: provenanceID, sum: sha256.New()}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the journal: %w", err), log.Close())
	}
	if ok, err := continues(dir, text); err != nil || !ok {
		w.sum = nil // the old sum stays, and tells
	} else {
		w.sum.Write(text)
	}
	for _, line := range lines(text) {
		if e, err := decode(line); err == nil {
			w.seq = max(w.seq, e.Seq)
			w.note(e.Body)
		}
	}
	return w, nil
}

// note remembers whether a run is open.
func (w *Writer) note(b Body) {
	switch b.(type) {
	case RunStarted:
		w.open = true
	case RunCompleted:
		w.open = false
	}
}

// Append writes the facts, numbered in their order, in one piece: all of them are in the journal, or none.
func (w *Writer) Append(bodies ...Body) error { return w.AppendAt(time.Now(), bodies...) }

// AppendAt is Append for facts of that time.
func (w *Writer) AppendAt(at time.Time, bodies ...Body) error {
	if len(bodies) == 0 {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.append(at, bodies)
}

func (w *Writer) append(at time.Time, bodies []Body) error {
	var text []byte
	for i, b := range bodies {
		text = append(text, Event{RunID: w.runID, Seq: w.seq + i + 1, Timestamp: stable.Time(at), Body: b}.line()...)
	}
	if err := w.log.Append(text); err != nil {
		return err
	}
	if w.sum != nil {
		w.sum.Write(text)
	}
	w.seq += len(bodies)
	for _, b := range bodies {
		w.note(b)
	}
	return nil
}

// Close completes a run that nobody has completed, without a stop reason, makes the journal durable, and writes its sum beside it.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	if w.open {
		err = w.append(time.Now(), []Body{RunCompleted{}})
	}
	if err = errors.Join(err, w.log.Close()); err != nil || w.sum == nil {
		return err
	}
	err = durable.WriteFile(filepath.Join(w.dir, SumName), sumText(w.sum.Sum(nil)), 0o640)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // retention removed the bundle meanwhile
	}
	return err
}
