package source

import (
	"os"
	"path/filepath"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// process is what a session's own file says of the process that writes it.
type process struct {
	run      event.RunID
	host     string
	worktree string
	ended    bool

	plan, mode    string
	started, last time.Time
}

// learn takes what an event tells of it.
func (p *process) learn(e event.Event) {
	if p.last = e.Time; p.started.IsZero() {
		p.started = e.Time
	}
	switch d := e.Data.(type) {
	case event.RunStart:
		p.run, p.host, p.worktree, p.ended = e.Run, d.Host, d.Worktree, false
		p.plan, p.mode = d.Plan, d.Mode
	case event.RunRestart:
		p.host, p.ended = d.Host, false
	case event.RunEnd:
		p.ended = true
	}
}

// alive looks whether the process is still there, by the lock that it holds. A lock that is held is seen without taking it; one that is not is taken
// together with others for a moment, and then not again until the file changes: a run that goes on writes that first. It needs mu.
func (s *Session) alive() view.Alive {
	if s.dead {
		return view.Dead
	}
	alive := s.look()
	s.dead = alive == view.Dead
	return alive
}

func (s *Session) look() view.Alive {
	p := s.proc
	if p.ended {
		return view.Dead
	}
	if s.file.source == view.Progress {
		held, err := durable.Locked(s.file.path)
		switch {
		case held:
			return view.Running
		case err != nil || !locksTell(s.file.path):
			return view.Unknown
		}
		return view.Dead
	}
	if own, err := os.Hostname(); err != nil || p.host != "" && p.host != own {
		return view.Unknown // its lock can't be seen from here
	}
	root := s.root
	if p.worktree != "" {
		root = p.worktree
	}
	holder, held, err := durable.Probe(filepath.Join(root, ".ralph", "run.lock"))
	switch {
	case err != nil:
		return view.Unknown
	case held && holder.Run == string(p.run):
		return view.Running
	}
	return view.Dead
}
