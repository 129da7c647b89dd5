package journal

import (
	"errors"
	"io"
	"os"
	"time"

	"ralphex/pkg/event"
)

// Ledger is what a run has used up, session by session, by its journal.
type Ledger struct {
	Run      event.RunID
	Start    event.RunStart
	Started  time.Time
	Elapsed  time.Duration // of all its processes together
	Paused   time.Duration // of that, in pauses that a person made
	End      *event.RunEnd // nil: it died, or lives
	Sessions []Spent
	Budget   event.Budget // of its newest process
	Branch   string       // where that works, if it is known
}

// Spent is one session: an attempt, a repeated one, a review.
type Spent struct {
	N        int
	Phase    event.Phase
	Task     int    // position, 0 = none
	TaskID   string // of the task, as its TaskStart has it
	Title    string // of the task
	Executor string
	Model    string // as it was asked for; empty = the agent's own choice
	Started  time.Time
	Elapsed  time.Duration
	Usage    event.Usage
	Models   map[string]event.Usage // the shares of the models that the agent named
	Open     bool                   // it has no end: it was killed with its ralphex, or goes on; Usage is what was told until then
}

var ledgerKinds = map[event.Kind]bool{
	event.RunStart{}.Kind(): true, event.RunRestart{}.Kind(): true, event.RunEnd{}.Kind(): true, event.TaskStart{}.Kind(): true,
	event.Budget{}.Kind(): true, event.SessionStart{}.Kind(): true, event.Spent{}.Kind(): true, event.SessionEnd{}.Kind(): true,
	event.Pause{}.Kind(): true, event.Branch{}.Kind(): true,
}

// ReadLedger reads the ledger of a journal. Most of the journal is passed over unread.
func ReadLedger(path string) (Ledger, error) {
	fold := newFolding()
	if err := fold.read(path); err != nil {
		return *fold.Ledger, err
	}
	fold.close()
	return *fold.Ledger, nil
}

// folding builds a ledger.
type folding struct {
	*Ledger
	tasks  map[int]event.TaskStart // by position
	open   *Spent                  // the session in flight
	began  time.Time
	last   time.Time
	paused time.Time // since when the run is paused; zero = it is not
}

func newFolding() *folding { return &folding{Ledger: &Ledger{}, tasks: map[int]event.TaskStart{}} }

// read applies what a journal holds.
func (f *folding) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r := NewReader(file, path, 0)
	r.only = ledgerKinds
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f.apply(e)
	}
}

func (f *folding) apply(e event.Event) {
	f.Run = e.Run
	switch d := e.Data.(type) {
	case event.RunStart:
		if f.Started.IsZero() {
			f.Started, f.began = e.Time, e.Time
		}
		f.Start, f.Branch = d, d.Branch
	case event.RunRestart:
		f.close()
		f.began, f.last, f.End, f.Budget = e.Time, e.Time, nil, event.Budget{}
	case event.RunEnd:
		f.End = &d
	case event.Branch:
		f.Branch = d.Name
	case event.Budget:
		f.Budget = d
	case event.Pause:
		f.resumed(e.Time)
		if !d.Over {
			f.paused = e.Time
		}
	case event.TaskStart:
		f.tasks[e.Task] = d
	case event.SessionStart:
		f.shut()
		task := f.tasks[e.Task]
		f.open = &Spent{N: d.N, Phase: e.Phase, Task: e.Task, TaskID: task.ID, Title: task.Title, Executor: d.Executor, Model: d.AskedModel(), Started: e.Time, Open: true}
	case event.Spent:
		if f.open != nil {
			f.open.Usage, f.open.Models, f.open.Elapsed = d.Usage, d.Models, e.Time.Sub(f.open.Started)
		}
	case event.SessionEnd:
		if f.open != nil {
			f.open.Usage, f.open.Models, f.open.Elapsed, f.open.Open = d.Usage, d.Models, d.Elapsed, false
			f.shut()
		}
	}
	f.last = e.Time
}

// shut puts the session in flight into the list.
func (f *folding) shut() {
	if f.open != nil {
		f.Sessions = append(f.Sessions, *f.open)
		f.open = nil
	}
}

// resumed ends a pause, if there is one.
func (f *folding) resumed(at time.Time) {
	if !f.paused.IsZero() {
		f.Paused += max(at.Sub(f.paused), 0)
		f.paused = time.Time{}
	}
}

// close ends what a process of the run did.
func (f *folding) close() {
	f.shut()
	f.resumed(f.last)
	if !f.began.IsZero() && f.last.After(f.began) {
		f.Elapsed += f.last.Sub(f.began)
	}
}
