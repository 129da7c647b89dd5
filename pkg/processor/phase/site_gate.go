package phase

import (
	"context"
	"errors"
	"fmt"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

func (s *Site) gated() bool { return s.rules.Validate != ValidateOff && s.gate.Commands() > 0 }

// check runs the gate, and sets aside what the commands themselves made dirty: it is reported, never committed.
func (s *Site) check(ctx context.Context, pos int) (Verdict, error) {
	before, held := s.state, s.hold(ctx)
	stamps := stampsOf(s.rules.Root, held.yours)
	v, err := s.gate.Check(ctx, pos)
	if err != nil { // told to end: what they took away until then is gone all the same
		if lerr := s.look(context.WithoutCancel(ctx)); lerr != nil {
			return v, errors.Join(err, lerr)
		}
		return v, errors.Join(err, s.lost(ctx, pos, s.whose(pos), held, stamps))
	}
	s.lastEvidence = v.Evidence
	if err := s.look(ctx); err != nil {
		return v, err
	}
	if err := s.lost(ctx, pos, s.whose(pos), held, stamps); err != nil {
		return v, errors.Join(err, s.unmoved("a validation command", before.head, s.state.head))
	}
	if err := s.unmoved("a validation command", before.head, s.state.head); err != nil {
		return v, err
	}
	if s.provenAt = ""; v.Green {
		s.prove()
	}
	if made := s.made(before); len(made) > 0 {
		s.log.Emit(pos, event.SetAside{Paths: made, By: event.ByValidation})
		s.note(pos, event.Warn, "the validation commands changed files, which are left uncommitted: "+list(made), "")
	}
	return v, nil
}

// whose is the work that a gate judges.
func (s *Site) whose(pos int) string {
	if pos == 0 {
		return "the run"
	}
	return fmt.Sprintf("task %d", pos)
}

// made lists paths that are dirty now and were clean before, and marks them as not ours.
func (s *Site) made(before treeState) []string {
	known := map[string]bool{}
	for _, p := range before.dirty.Paths() {
		known[p] = true
	}
	var made []string
	for _, p := range s.state.dirty.Paths() {
		if _, ok := s.foreign[p]; !ok && !known[p] {
			s.foreign[p] = stampOf(s.rules.Root, p)
			made = append(made, p)
		}
	}
	return made
}

// unmoved checks that what ralphex ran itself, a validation command or a hook, left branch and HEAD alone.
func (s *Site) unmoved(who string, want, now vcs.Head) error {
	if s.at(now, want) {
		return nil
	}
	return &SurpriseError{
		What: fmt.Sprintf("%s moved HEAD from %s (%.10s) to %s (%.10s)", who, where(want), want.Rev, where(now), now.Rev),
		Way:  fmt.Sprintf("validation commands and hooks must leave the repository where it is; `%s` and run the same command", s.back(want)),
	}
}

// ungated is the gate of a run without validation commands.
type ungated struct{}

func (ungated) Check(context.Context, int) (Verdict, error) { return Verdict{Green: true}, nil }
func (ungated) Commands() int                               { return 0 }
