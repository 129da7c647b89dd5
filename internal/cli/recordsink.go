package cli

import (
	"os"
	"path/filepath"
	"sync"

	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/layout"
	"ralphex/pkg/event"
)

// layoutBundle is the folder of a run under its name in the store.
func layoutBundle(l layout.Layout, provenance string) string {
	return filepath.Join(l.Bundles, provenance)
}

// provenanceSink says the facts of the run again in events.jsonl. What comes before the file can be opened waits.
type provenanceSink struct {
	mu      sync.Mutex
	mapper  *events.Mapper
	w       *events.Writer // nil = not open
	id, dir string
	waiting []event.Event
}

// Handle writes a fact. A failure is the bus's to tell.
func (s *provenanceSink) Handle(e event.Event) error {
	if e.Data.Kind() == (event.Output{}).Kind() {
		return nil // the journal has no word for it
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil {
		s.waiting = append(s.waiting, e)
		return nil
	}
	return s.w.AppendAt(e.Time, s.mapper.Map(e)...)
}

func (s *provenanceSink) isOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w != nil
}

// open opens the file and writes what waited. before are the facts of earlier processes of the run: a file that is there has them, and they
// are only learned from.
func (s *provenanceSink) open(dir, id string, before []event.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, missing := os.Stat(filepath.Join(dir, events.FileName))
	w, err := events.Open(dir, id)
	if err != nil {
		return err
	}
	s.w, s.dir, s.id = w, dir, id
	waited := s.waiting
	s.waiting = nil
	if missing != nil {
		waited = append(before, waited...)
	} else {
		for _, e := range before {
			s.mapper.Map(e)
		}
	}
	for _, e := range waited {
		if err := w.AppendAt(e.Time, s.mapper.Map(e)...); err != nil {
			return err
		}
	}
	return nil
}

// reopen makes the file anew if somebody took it away.
func (s *provenanceSink) reopen() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(s.dir, events.FileName)); err == nil {
		return nil
	}
	w, err := events.Open(s.dir, s.id)
	if err != nil {
		return err
	}
	_ = s.w.Close() // its file is gone
	s.w = w
	return nil
}

// close completes the journal; a run that was cut off is completed without a stop reason.
func (s *provenanceSink) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil {
		return nil
	}
	err := s.w.Close()
	s.w = nil
	return err
}
