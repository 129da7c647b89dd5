package task

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

// LockName is the file beside a task file that serializes all writes to it.
const LockName = "tasks.lock"

// LockPath is the lock of a task file.
func LockPath(path string) string { return filepath.Join(filepath.Dir(path), LockName) }

// Store is a task file on disk. The zero Budget is lock.Tasks; it is only for callers that may wait longer.
type Store struct {
	Path   string
	Budget lock.Budget
	Log    string // file that is told of each change; "" = none
}

// maxText is how large a task file may be: some 700,000 tasks.
const maxText = 256 << 20

// At is the store of a task file.
func At(path string) Store { return Store{Path: path} }

// Change is what an operation did to a task file.
type Change struct {
	File        *File        `json:"-"`                     // the graph as it is now, read back
	Wrote       bool         `json:"wrote"`                 // false: the file has the same bytes as before
	Changed     []string     `json:"changed"`               // ids of the tasks that are other than before, in file order
	Removed     []string     `json:"removed,omitempty"`     // ids that are gone; only Replace takes tasks away
	Warnings    []string     `json:"warnings,omitempty"`    // for the person; none of them stopped anything
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"` // warnings of reading the file, repairs among them
}

// withLock runs do under tasks.lock (withTaskFileLock). A time-out is a *lock.TimeoutError.
func (s Store) withLock(ctx context.Context, do func() error) error {
	b := s.Budget
	if b == (lock.Budget{}) {
		b = lock.Tasks
	}
	r, err := lock.With(ctx, LockPath(s.Path), b, do)
	if err != nil {
		return err
	}
	return r.Err()
}

func (s Store) load() (*Inspection, error) {
	text, err := durable.ReadFile(s.Path, maxText)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read tasks: %w", err)
	}
	return ParseText(text), nil
}

// Read looks at the file and writes nothing: a repair is told and not made. It takes no lock where it need not: a file that was
// written whole can be read at any time. One that is blank or broken may be in the middle of the write of another program, and is
// read again under the lock, or without it if that is held for longer than the budget.
func (s Store) Read(ctx context.Context) (*Inspection, error) {
	in, err := s.load()
	if err != nil || !in.torn() {
		return in, err
	}
	if _, err := os.Stat(filepath.Dir(s.Path)); err != nil {
		return in, nil // no folder: nobody is writing, and none must be made for the lock
	}
	var again *Inspection
	err = s.withLock(ctx, func() error {
		again, err = s.load()
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, err
	case again != nil:
		return again, nil
	}
	if in, err = s.load(); err == nil && in.Blank {
		return nil, fmt.Errorf("%s is blank, and its lock is held: somebody may be writing it", s.Path)
	}
	return in, err
}

// torn tells whether a text may be half of a write.
func (in *Inspection) torn() bool {
	return in.Blank || len(in.Diagnostics) > 0 && in.Diagnostics[0].Code == FileJSONInvalid
}

// Migrate is Read for callers that may write: under the lock, a blank file gets the default graph, and one that is legacy, repaired
// or not canonical is written as it should be. A file with errors is left as it is.
func (s Store) Migrate(ctx context.Context) (in *Inspection, wrote bool, err error) {
	err = s.withLock(ctx, func() error {
		if in, err = s.load(); err != nil || !in.Migrated() {
			return err
		}
		wrote = true
		return s.write(Stringify(in.File))
	})
	if err != nil {
		return nil, false, err
	}
	return in, wrote, nil
}

// Make gives a missing or blank file an empty graph. Any other one stays as it is, whatever is in it.
func (s Store) Make(ctx context.Context) (made bool, err error) {
	err = s.withLock(ctx, func() error {
		in, err := s.load()
		if err != nil || !in.Blank {
			return err
		}
		made = true
		return s.write(Stringify(&File{}))
	})
	return made, err
}

func (s Store) write(text []byte) error {
	durable.Sweep(s.Path) // what a killed write left: we hold the lock
	if err := durable.WriteFile(s.Path, text, 0o644); err != nil {
		return fmt.Errorf("write tasks: %w", err)
	}
	return nil
}

// update changes the file: under the lock it is read, changed by edit, counted, checked and written whole, and read back. edit may
// be given a blank file's empty graph only if blank is true; else a blank file is an error, for appending to nothing would hide that
// something is lost. What the result of edit would break is an *InvalidError, and nothing is written; nor is anything if edit
// changes nothing.
// before runs when all is checked, before the write, also if there is nothing to write; nil = nothing.
func (s Store) update(ctx context.Context, blank bool, edit func(*File) error, before func() error) (*Change, error) {
	var c *Change
	err := s.withLock(ctx, func() (err error) {
		c, err = s.updateHeld(blank, edit, before)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// updateHeld is update for who has the lock.
func (s Store) updateHeld(blank bool, edit func(*File) error, before func() error) (*Change, error) {
	in, err := s.load()
	switch {
	case err != nil:
		return nil, err
	case in.Blank && !blank:
		return nil, &BlankError{Path: s.Path}
	case in.Blank:
		in.File = &File{}
	case in.File == nil:
		return nil, in.Err(s.Path)
	}
	return s.apply(in, edit, before)
}

// Update is what a caller with a change of its own uses.
func (s Store) Update(ctx context.Context, edit func(*File) error) (*Change, error) {
	return s.update(ctx, false, edit, nil)
}

// UpdateThen is Update, and then, still under the lock, what belongs to the change elsewhere. An error of then does not take the tasks back: it is
// returned with the Change.
func (s Store) UpdateThen(ctx context.Context, edit func(*File) error, then func() error) (*Change, error) {
	var c *Change
	err := s.withLock(ctx, func() error {
		var err error
		if c, err = s.updateHeld(false, edit, nil); err != nil {
			return err
		}
		return then()
	})
	return c, err
}

func (s Store) apply(in *Inspection, edit func(*File) error, before func() error) (*Change, error) {
	next := in.File.Clone()
	if err := edit(next); err != nil {
		return nil, err
	}
	c := &Change{File: in.File, Diagnostics: in.Diagnostics}
	c.Changed, c.Removed = differ(in.File, next)
	if before == nil {
		before = func() error { return nil }
	}
	if string(Stringify(in.File)) == string(Stringify(next)) {
		return c, before()
	}
	next.bump()
	text := Stringify(next)
	after := ParseText(text)
	if after.File == nil {
		return nil, fmt.Errorf("nothing was written: %w", &InvalidError{Path: s.Path, Diagnostics: after.Diagnostics, Proposed: true})
	}
	if after.Repaired { // a change that reading would undo is no change
		return nil, fmt.Errorf("nothing was written: %s", firstMessages(after.Diagnostics))
	}
	if err := before(); err != nil {
		return nil, err
	}
	s.note(c)
	if err := s.write(text); err != nil {
		return nil, err
	}
	c.File, c.Wrote = after.File, true
	return c, nil
}

// differ lists the tasks that are new or other than before, and the ids that are gone.
func differ(before, after *File) (changed, removed []string) {
	changed = []string{}
	old, now := NewGraph(before.Tasks), NewGraph(after.Tasks)
	for i := range after.Tasks {
		t := &after.Tasks[i]
		if at, ok := old.index(t.ID); !ok || !t.equal(&old.tasks[at]) {
			changed = append(changed, t.ID)
		}
	}
	for i := range before.Tasks {
		if _, ok := now.index(before.Tasks[i].ID); !ok {
			removed = append(removed, before.Tasks[i].ID)
		}
	}
	return changed, removed
}

// equal tells whether two tasks are written alike.
func (t *Task) equal(u *Task) bool { return string(stable.Compact(t)) == string(stable.Compact(u)) }

// BlankError says that there is no task file where one was expected.
type BlankError struct{ Path string }

func (e *BlankError) Error() string { return fmt.Sprintf("%s is blank or missing", e.Path) }

// Hint says what to do.
func (e *BlankError) Hint() string { return "make the workspace first: ralphex workspace init" }
