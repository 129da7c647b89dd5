package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/layout"
	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

// record is the journal of a run, whose file can be made anew when somebody took it away.
type record struct {
	mu sync.Mutex
	w  *journal.Writer
}

// Handle hands the event to the journal.
func (r *record) Handle(e event.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.w.Handle(e)
}

func (r *record) path() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.w.Path()
}

func (r *record) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.w.Close() // the last events were written when they were handled
}

// remake makes the journal's file anew, where it is missing, with all that was in it. False: that is lost, and the file begins with the fact first.
func (r *record) remake(open func() (*journal.Writer, error), first event.Event) (whole bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := os.Lstat(r.w.Path()); err != nil {
		if text, err := r.w.Contents(); err == nil {
			whole = durable.WriteFile(r.w.Path(), text, 0o600) == nil
		}
	}
	w, err := open()
	if err != nil {
		return false, err
	}
	_ = r.w.Close() // its file is gone
	r.w = w
	if whole {
		return true, nil
	}
	return false, w.Handle(first)
}

// guardStore looks after each session whether the store is still there: an agent's `git clean -fdx` takes the lock
// and the journal with it, and then nothing would keep a second run out, or let this one be gone on with.
func (r *running) guardStore() {
	if err := r.remakeLog(); err != nil {
		r.Emit(0, event.Note{Level: event.Warn, Text: err.Error()})
	}
	_, err := os.Lstat(r.journal.w.Path())
	if err == nil && (!r.held.Lost() || r.treeGone()) {
		return
	}
	text := "the session deleted .ralph: lock and journal are made anew, what was journalled before is gone"
	switch whole, err := r.remakeStore(); {
	case err != nil:
		text = fmt.Sprintf("the session deleted .ralph, and it can't be made anew: %v; if this run dies, it can't be gone on with", err)
	case whole:
		text = "the session deleted .ralph: lock and journal are made anew, with all that was journalled; evidence and streams of the sessions before are gone"
	}
	r.Emit(0, event.Note{Level: event.Warn, Text: text})
	if err := r.record.sink.reopen(); err != nil {
		r.record.warn("events.jsonl", err)
	}
}

// remakeLog makes the progress file anew, and its folder's .gitignore, where the session deleted them.
func (r *running) remakeLog() error {
	if _, err := os.Lstat(r.progress); err == nil || r.log == nil {
		return nil
	}
	return errors.Join(r.ignoreOurs(), r.log.Remake())
}

// treeGone tells whether the worktree of the run was deleted or moved away. A lock would make its folder anew with nothing else in it, and
// that would stand in the way of the worktree itself.
func (r *running) treeGone() bool {
	if r.tree == nil {
		return false
	}
	return vcs.Top(r.repo.Root()) != r.repo.Root()
}

func (r *running) remakeStore() (whole bool, err error) {
	old := r.held
	r.held = nil
	if err := r.lock(r.id); err != nil {
		r.held = old
		return false, err
	}
	_ = old.Release() // of a file that has no name any more
	if err := os.MkdirAll(r.store("events"), 0o750); err != nil {
		return false, err
	}
	return r.journal.remake(func() (*journal.Writer, error) { return journal.Open(r.store("events"), r.id) },
		event.Event{Seq: r.bus.Last(), Time: time.Now(), Run: r.id, Data: r.start})
}

// protected hashes the protected doctrine of the workspace that the run works in; where there is none, of nothing.
func (r *running) protected() doctrine.Protection {
	l, err := layout.New(r.repo.Root(), layout.Overrides{})
	if err != nil {
		return nil
	}
	return doctrine.Take(l)
}

// guardDoctrine tells after each session whether it changed what an agent may only propose changes to. Nothing is taken back: which of both
// texts is right is for a person to say.
func (r *running) guardDoctrine() {
	now := r.protected()
	for _, f := range doctrine.Changed(r.doctrine, now) {
		r.Emit(0, event.Note{Level: event.Warn, Text: f.Message + " [" + f.Code + "]"})
	}
	r.doctrine = now
}

// guardOurs tells when a session took the folders of ralphex under version control. Where they can't ignore themselves, an agent that adds all
// there is adds them, too; and what is tracked goes away when somebody goes to another commit.
func (r *running) guardOurs() {
	if _, shown := r.repo.(vcs.IgnoreAdviser); !shown || r.oursTold {
		return
	}
	name, err := r.repo.Rel(r.journal.w.Path())
	if err != nil {
		return // the store of another checkout
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if tracked, err := r.repo.Tracked(ctx, name); err != nil || !tracked {
		return // best effort: a question that fails here fails where it counts, too
	}
	r.oursTold = true
	r.Emit(0, event.Note{Level: event.Warn, Text: "the session took the folders of ralphex under version control, the journal of this run, too",
		Hint: "when the run is over: hg forget .ralph .ralphex/progress, then amend; ralphex doctor prints the lines for .hgignore that keep it from happening"})
}
