package phase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralphex/internal/wait"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// Holder is a Keeper that holds files while validation commands run: they may take away what is committed only behind them.
type Holder interface {
	// Hold copies the paths, as they are at this head. nil = this repository can't.
	Hold(ctx context.Context, head vcs.Rev, paths []string) (*vcs.Hold, error)
	// Held is what an earlier process of the run held when it was killed; nil = nothing.
	Held() (*vcs.Hold, error)
	// KeepHold makes a copy of it that a person finds, and returns its name. It tells the run's log itself.
	KeepHold(ctx context.Context, position int, h *vcs.Hold, why string) (string, error)
}

// LostError is work that validation commands took away or changed back: what they proved is not what was done. It is a person's to look at.
type LostError struct {
	Position int
	Who      string // whose work it was: "task 3 (Add the parser)"
	Paths    []string
	Copied   []string // those of them that the copy has
	Kept     string   // the copy that has them, as `ralphex restore` takes it: "20260129-153012-4f2a9c 2"; empty = there is none
	There    bool     // some of the files are there and hold something else
	Yours    bool     // some were changed before the run began, and a copy of its start has them
	Reopened bool     // the task's boxes are open again
}

func (e *LostError) Error() string {
	return fmt.Sprintf("the validation commands took away or changed back what %s had changed: %s", e.Who, list(e.Paths))
}

// namedPaths is up to how many paths the command to be typed names them.
const namedPaths = 5

// Hint says what to do next.
func (e *LostError) Hint() string {
	var b strings.Builder
	if e.Kept != "" {
		b.WriteString("a copy from before them has it: ralphex restore " + e.Kept)
		if len(e.Copied) <= namedPaths {
			for _, path := range e.Copied {
				b.WriteString(" --path " + quoted(path))
			}
		}
		if e.There {
			b.WriteString(" --overwrite")
		}
		b.WriteString("\nwhat you bring back is yours: commit it, or let a session do the task again\n")
	}
	if e.Yours {
		b.WriteString("what was yours is in the copy from the start of the run: ralphex restore\n")
	}
	b.WriteString("have the validation commands leave alone what is not committed")
	if e.Reopened {
		return b.String() + "; the task's boxes are open again: the same command goes on there"
	}
	return b.String() + ", and run the same command: it goes on"
}

// hold is what is uncommitted before validation commands run.
type hold struct {
	*vcs.Hold          // nil = nothing is held
	ours      []string // the run's, and what a person has changed since the run began
	yours     []string // the person's, as they were at the start
}

// hold copies what a gate could take away: nothing where all is committed.
func (s *Site) hold(ctx context.Context) hold {
	h := hold{}
	for _, c := range s.state.dirty.Changes {
		for _, p := range []string{c.Path, c.From} {
			at, foreign := s.foreign[p]
			switch {
			case p == "" || strings.HasSuffix(p, "/") || strings.HasSuffix(p, plan.TempSuffix):
			case !foreign, slices.Contains(s.rules.UserDirty, p) && stampOf(s.rules.Root, p) != at:
				h.ours = append(h.ours, p)
			case slices.Contains(s.rules.UserDirty, p):
				h.yours = append(h.yours, p)
			}
		}
	}
	keeper, ok := s.keeper.(Holder)
	if !ok || len(h.ours) == 0 {
		return h
	}
	var err error
	if h.Hold, err = keeper.Hold(ctx, s.state.head.Rev, h.ours); err != nil {
		s.note(0, event.Warn, "no copy could be made before the validation commands: "+err.Error(), "")
	}
	return h
}

// drop forgets what was not needed.
func (s *Site) drop(h hold) {
	if h.Hold == nil {
		return
	}
	if err := h.Drop(); err != nil {
		s.note(0, event.Warn, "a copy that is not needed any more could not be removed: "+err.Error(), "")
	}
}

// settle is how long a file that was taken away gets to be there again: who saves a file may empty it first, or put another one in its place.
const settle = 500 * time.Millisecond

// lost compares the tree with what was held, keeps what is gone, and returns it as a *LostError, or nil. The status is the one behind it. Nothing is said
// to be gone by one look: people work on in their files while validation commands run.
func (s *Site) lost(ctx context.Context, pos int, who string, h hold, stamps map[string]stamp) error {
	ours, yours := s.losses(pos, h, stamps)
	if len(ours)+len(yours) > 0 && wait.For(ctx, settle) == nil {
		if err := s.look(ctx); err != nil {
			return err
		}
		again, yoursAgain := s.losses(pos, h, stamps)
		ours, yours = both(ours, again), both(yours, yoursAgain)
	}
	if len(ours)+len(yours) == 0 {
		s.drop(h)
		return nil
	}
	e := &LostError{Position: pos, Who: who, Paths: slices.Concat(ours, yours), Copied: ours, Yours: len(yours) > 0}
	e.There = slices.ContainsFunc(ours, func(p string) bool { return stampOf(s.rules.Root, p) != "" })
	if keeper, ok := s.keeper.(Holder); ok && h.Hold != nil && len(e.Copied) > 0 {
		ref, err := keeper.KeepHold(context.WithoutCancel(ctx), pos, h.Hold, who+": before the validation commands took files away")
		if err != nil {
			s.note(pos, event.Warn, "no copy of it could be kept: "+err.Error(), "")
		}
		e.Kept = strings.Replace(strings.TrimPrefix(ref, vcs.SnapshotRoot), "/", " ", 1)
	} else {
		s.drop(h)
	}
	return e
}

// losses are the paths which, by one look, are gone or as they were before: those that are held, and those that were the person's and are as at the start.
func (s *Site) losses(pos int, h hold, stamps map[string]stamp) (ours, yours []string) {
	for _, p := range h.ours {
		gone, err := s.gone(h, p)
		if err != nil {
			s.note(pos, event.Warn, "what the validation commands did to "+p+" could not be found out: "+err.Error(), "")
		}
		if gone {
			ours = append(ours, p)
		}
	}
	for _, p := range h.yours {
		if !s.state.dirty.Has(p) || stamps[p] != "" && stampOf(s.rules.Root, p) == "" {
			yours = append(yours, p)
		}
	}
	return ours, yours
}

// both are the elements that two lists have.
func both(a, b []string) []string {
	return slices.DeleteFunc(a, func(p string) bool { return !slices.Contains(b, p) })
}

// gone tells whether a path lost what was changed there. A file that still differs from the last commit was formatted or made anew, which
// is what validation commands may do.
func (s *Site) gone(h hold, p string) (bool, error) {
	if h.Hold == nil {
		return !s.state.dirty.Has(p), nil
	}
	fate, err := h.Fate(p)
	if err != nil {
		return false, err
	}
	switch fate {
	case vcs.FateGone, vcs.FateEmptied:
		return true, nil
	case vcs.FateSpaced:
		return false, nil
	}
	return h.Head() == s.state.head.Rev && !s.state.dirty.Has(p), nil
}

// lostBefore looks for what the validation commands of an earlier process took away, which was killed before it could look.
func (s *Site) lostBefore(ctx context.Context) error {
	keeper, ok := s.keeper.(Holder)
	if !ok {
		return nil
	}
	held, err := keeper.Held()
	if err != nil || held == nil {
		return err
	}
	return s.lost(ctx, 0, "the session before", hold{Hold: held, ours: held.Paths()}, nil)
}

// lost is what becomes of tasks whose work a gate took away: they are not done, and their boxes say so.
func (w *work) lost(ctx context.Context, pos int, err error) error {
	e, ok := errors.AsType[*LostError](err)
	if !ok {
		return err
	}
	if rerr := w.reload("while the validation commands ran", byValidation); rerr != nil {
		return errors.Join(err, w.planGone(w.plans.Path(), rerr))
	}
	positions := w.claims()
	if pos == 0 && len(positions) > 0 {
		pos = positions[0]
	}
	reopened, rerr := w.reopen(positions)
	if rerr != nil {
		return errors.Join(err, rerr)
	}
	e.Reopened = reopened
	if reopened && pos > 0 {
		if cerr := w.commitReopened(w.title(pos), pos); cerr != nil {
			w.note(pos, event.Warn, "the reopened boxes could not be committed: "+cerr.Error(), "")
		}
	}
	for _, c := range positions {
		task := w.plan.Tasks[c-1]
		w.log.Emit(c, event.TaskEnd{ID: task.ID, Title: task.Title, Outcome: event.Failed, Reason: e.Error(), Iterations: w.sessionN[Key(task)]})
	}
	return err
}

// byValidation is who ticked or opened a box while the validation commands ran: they, or somebody meanwhile.
const byValidation = "validation"

// reread takes what the validation commands, or somebody meanwhile, did to the plan. False = a claim is none any more.
func (w *work) reread(claims []int) (bool, error) {
	keys := make([]string, 0, len(claims))
	for _, c := range claims {
		keys = append(keys, Key(w.plan.Tasks[c-1]))
	}
	before := w.changed
	if err := w.reload("while the validation commands ran", byValidation); err != nil {
		return false, w.planGone(w.plans.Path(), err)
	}
	w.changed = w.changed || before
	for _, key := range keys {
		if pos := w.position(key); pos == 0 || !w.settled(w.plan.Tasks[pos-1]) {
			return false, w.opened(pos, key)
		}
	}
	return true, nil
}

// opened is a task whose boxes were opened again while the commands ran. Once may be a person; twice is what the commands do each time.
func (w *work) opened(pos int, key string) error {
	w.reopenings[key]++
	if pos == 0 || w.reopenings[key] == 1 {
		w.note(pos, event.Warn, "its boxes were opened again while the validation commands ran: it is not done", "")
		return nil
	}
	task := w.plan.Tasks[pos-1]
	e := &TaskError{Position: pos, Title: task.Title, Reopened: true, Reason: "its boxes are opened again while the validation commands run, each time: they change the plan"}
	w.log.Emit(pos, event.TaskEnd{ID: task.ID, Title: task.Title, Outcome: event.Failed, Reason: e.Reason, Iterations: w.sessionN[key]})
	return e
}
