package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

// Mirror is a second place for the state, written after the file and under the same lock, and read only where the file
// is absent or broken. (An editor's extension keeps such a copy. By itself ralphex has none.)
type Mirror interface {
	// Load returns the last state that was saved, or false.
	Load(context.Context) ([]byte, bool, error)
	Save(context.Context, []byte) error
}

// Options are what a Store may need. The zero value works.
type Options struct {
	Artifacts string      // the folder of the iteration folders, whose numbers are never given out again
	Mirror    Mirror      // nil = none
	Budget    lock.Budget // zero = lock.Others
	Warn      func(error) // is told of a broken file when a write keeps it aside; nil = nobody
}

// Store is the state file of a workspace.
type Store struct {
	path string
	Options
	wrote atomic.Pointer[[]byte] // what this Store wrote last; nil = nothing
}

// New returns the store of the state file at path.
func New(path string, o Options) *Store {
	if o.Budget == (lock.Budget{}) {
		o.Budget = lock.Others
	}
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	return &Store{path: path, Options: o}
}

// LockPath returns the path of state.lock, which lies beside the file.
func (s *Store) LockPath() string { return filepath.Join(filepath.Dir(s.path), "state.lock") }

// Loaded is a state, and where it comes from.
type Loaded struct {
	State
	From    Source
	Warning error // a *BrokenError if the file is there and can't be read
}

// Source says where a state comes from.
type Source string

// The sources.
const (
	FromFile     Source = "file"
	FromMirror   Source = "mirror"
	FromDefaults Source = "defaults"
)

// BrokenError says that state.json is there and holds no state.
type BrokenError struct {
	Path string
	Err  error
	Kept string // where a write kept its bytes; empty while nothing was written
}

func (e *BrokenError) Error() string {
	s := fmt.Sprintf("%s can't be read: %v", e.Path, e.Err)
	if e.Kept != "" {
		s += "; it was kept as " + e.Kept
	}
	return s
}

func (e *BrokenError) Unwrap() error { return e.Err }

// Hint says what a person can do.
func (e *BrokenError) Hint() string {
	return "iterations go on behind the last iteration folder; to have the histories back, repair the file while nothing runs"
}

// NewerError says that a newer program wrote the file. It is neither read nor written.
type NewerError struct {
	Path    string
	Version float64
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s has version %v, and this ralphex knows %d", e.Path, e.Version, Version)
}

// Hint says what a person can do.
func (e *NewerError) Hint() string { return "use a newer ralphex in this workspace" }

// live is the file as it is on disk: its object, or what stands in for it.
type live struct {
	o      *stable.Object
	from   Source
	broken *BrokenError
	text   []byte // the broken bytes
}

// Load returns the state, without the lock and without writing anything (loadState in the seed). A program that writes
// in place may be at it: what looks broken or absent under a held lock is looked at again under the lock.
func (s *Store) Load(ctx context.Context) (Loaded, error) {
	l, err := s.read(ctx)
	if err == nil && l.from != FromFile {
		if _, held, lookErr := lock.Inspect(s.LockPath()); lookErr == nil && held {
			_, err = lock.With(ctx, s.LockPath(), lock.Tasks, func() (err error) {
				l, err = s.read(ctx)
				return err
			})
		}
	}
	if err != nil {
		return Loaded{}, fmt.Errorf("load the state: %w", err)
	}
	return l.loaded(), nil
}

func (l live) loaded() Loaded {
	r := Loaded{State: read(l.o), From: l.from}
	if l.broken != nil {
		r.Warning = l.broken
	}
	return r
}

func (s *Store) read(ctx context.Context) (live, error) {
	var l live
	text, err := durable.ReadFile(s.path, 64<<20)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return l, err
	default:
		o, err := stable.ParseObject(text)
		if err == nil {
			if v, _ := o.Get("version"); isNewer(v) {
				return l, &NewerError{s.path, v.(float64)}
			}
			return live{o: o, from: FromFile}, nil
		}
		l.broken, l.text = &BrokenError{Path: s.path, Err: err}, text
	}
	return l, s.standIn(ctx, &l)
}

func isNewer(v any) bool {
	f, ok := v.(float64)
	return ok && f > Version
}

// standIn fills in the mirror's state, or an empty one. Numbers of iteration folders are taken, whatever either says.
func (s *Store) standIn(ctx context.Context, l *live) error {
	l.o, l.from = (&State{}).Stable().(*stable.Object), FromDefaults
	if s.Mirror != nil {
		text, ok, err := s.Mirror.Load(ctx)
		if err != nil {
			return fmt.Errorf("the mirror: %w", err)
		}
		if o, err := stable.ParseObject(text); ok && err == nil {
			l.o, l.from = o, FromMirror
		}
	}
	f := in{o: l.o}
	l.o.Set("nextIteration", float64(max(f.count("nextIteration", 1), s.lastFolder()+1)))
	return nil
}

// lastFolder returns the highest number of an iteration folder, 0 if there is none.
func (s *Store) lastFolder() int {
	last := 0
	if s.Artifacts == "" {
		return last
	}
	entries, _ := os.ReadDir(s.Artifacts) // absent = none
	for _, e := range entries {
		if n, ok := layout.ParseIteration(e.Name()); ok && e.IsDir() {
			last = max(last, n)
		}
	}
	return last
}

// locked runs do under state.lock (withStateLock in the seed). A lock that is not had is an error.
func (s *Store) locked(ctx context.Context, verb string, do func() error) error {
	r, err := lock.With(ctx, s.LockPath(), s.Budget, do)
	if err == nil {
		err = r.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	return nil
}

// update changes the live state under the lock and saves it.
func (s *Store) update(ctx context.Context, verb string, change func(*State)) error {
	return s.locked(ctx, verb, func() error {
		l, err := s.read(ctx)
		if err != nil {
			return err
		}
		st := read(l.o)
		change(&st)
		return s.write(ctx, l, st)
	})
}

// write saves a state over what was read.
func (s *Store) write(ctx context.Context, l live, st State) error {
	st.UpdatedAt = stable.Time(time.Now())
	return s.put(ctx, l, stable.Marshal(st))
}

// put writes the file, and then the mirror. The bytes of a broken file are kept aside before.
func (s *Store) put(ctx context.Context, l live, text []byte) error {
	durable.Sweep(s.path)
	if l.broken != nil {
		l.broken.Kept = s.path + ".corrupt-" + time.Now().UTC().Format("20060102T150405.000Z")
		if err := durable.WriteFile(l.broken.Kept, l.text, 0o644); err != nil {
			return err
		}
	}
	if err := durable.WriteFile(s.path, text, 0o644); err != nil {
		return err
	}
	s.wrote.Store(&text)
	if l.broken != nil {
		s.Warn(l.broken)
	}
	if s.Mirror != nil {
		if err := s.Mirror.Save(ctx, text); err != nil {
			return fmt.Errorf("the file is written, its mirror is not: %w", err)
		}
	}
	return nil
}

// Save writes the caller's state (saveState in the seed). Two of them can't mix, but the later one replaces the earlier one.
func (s *Store) Save(ctx context.Context, st State) error {
	return s.locked(ctx, "save the state", func() error {
		l, err := s.read(ctx) // a broken or newer file must not be lost
		if err != nil {
			return err
		}
		return s.write(ctx, l, st)
	})
}

// Refresh normalizes the file and makes it where it is missing. Only updatedAt changes in one that is normal.
func (s *Store) Refresh(ctx context.Context) error {
	return s.update(ctx, "save the state", func(*State) {})
}

// Allocate gives out the next iteration's number (allocateIteration in the seed). Callers in any number of processes get
// different ones. A number is used up by this call, whatever becomes of its iteration.
func (s *Store) Allocate(ctx context.Context) (n int, err error) {
	err = s.locked(ctx, "allocate an iteration", func() error {
		if text, number := s.counted(); number > 0 {
			n = number
			return s.put(ctx, live{from: FromFile}, text)
		}
		l, err := s.read(ctx)
		if err != nil {
			return err
		}
		f := in{o: l.o}
		n = f.count("nextIteration", 1)
		l.o.Set("nextIteration", n+1)
		l.o.Set("updatedAt", stable.Time(time.Now()))
		return s.put(ctx, l, stable.Marshal(l.o)) // all other keys as they are, unknown ones too
	})
	return n, err
}

// Prompt is the last prompt that was made.
type Prompt struct {
	ObjectivePreview string
	Kind, Path       string
}

func (s *State) prompt(p Prompt) {
	s.ObjectivePreview, s.LastPromptKind, s.LastPromptPath = p.ObjectivePreview, p.Kind, p.Path
}

// RecordPrompt notes a prompt that was made for a person (recordPrompt in the seed). Nothing was executed.
func (s *Store) RecordPrompt(ctx context.Context, p Prompt) error {
	return s.update(ctx, "record the prompt", func(st *State) { st.prompt(p) })
}

// Record appends a finished iteration and its run, if it had one, to the live histories (recordIteration in the seed). The next number lies behind both the
// iteration's and what others were given meanwhile.
func (s *Store) Record(ctx context.Context, it Iteration, r *Run, p Prompt) error {
	return s.RecordAll(ctx, Ended{it, r, p})
}

// Ended is an iteration that has ended, with the run and the prompt of it; without a run, nil.
type Ended struct {
	Iteration Iteration
	Run       *Run
	Prompt    Prompt
}

// RecordAll is Record for several iterations, the oldest first, in one write.
func (s *Store) RecordAll(ctx context.Context, all ...Ended) error {
	return s.update(ctx, "record the iteration", func(st *State) {
		for _, e := range all {
			st.prompt(e.Prompt)
			st.IterationHistory = append(st.IterationHistory, e.Iteration)
			if e.Run != nil {
				st.RunHistory = append(st.RunHistory, *e.Run)
			}
			st.NextIteration = max(st.NextIteration, e.Iteration.Number+1)
		}
	})
}
