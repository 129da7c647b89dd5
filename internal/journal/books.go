package journal

import (
	"slices"
	"sync"

	"ralphex/pkg/event"
)

// Books are the sink that keeps a run's ledger while the run goes on, so that nobody has to read its journal for it. They are safe
// for use by several goroutines.
type Books struct {
	mu   sync.Mutex
	fold *folding
}

// OpenBooks begins with what the run's journal holds already: that of an earlier process, or nothing.
func OpenBooks(path string) (*Books, error) {
	b := &Books{fold: newFolding()}
	return b, b.fold.read(path)
}

// Handle enters what the event tells of time and money, if it does.
func (b *Books) Handle(e event.Event) error {
	if !ledgerKinds[e.Data.Kind()] {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fold.apply(e)
	return nil
}

// Ledger is what ReadLedger would say now. It is the caller's.
func (b *Books) Ledger() Ledger {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := *b.fold.Ledger
	l.Sessions = slices.Clone(l.Sessions)
	now := *b.fold
	now.Ledger = &l
	now.close()
	return l
}
