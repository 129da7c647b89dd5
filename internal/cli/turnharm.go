package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
	"ralphex/internal/wait"
)

// harm is what sessions of a turn did to the workspace's own files.
type harm struct {
	broken   []string // sentences: files that can't be used any more, or lost what only grows
	graph    bool     // tasks.json is one of them
	stops    bool     // nothing goes on before a person has looked
	undo     []string // commands that have the files back as they were
	unproven []string // ids of tasks that were made done
}

// saving is how long a file gets to be whole again before it counts as lost.
const saving = 300 * time.Millisecond

// inspect holds the workspace's own files against what they were before the session. What it finds are warnings, and the harm.
func (o *oneTurn) inspect(ctx context.Context, g guard) {
	for _, was := range g.files {
		now := lookAt(was.path)
		what := was.lost(now)
		if what != "" && wait.For(ctx, saving) == nil { // a person who saves it may have emptied it first
			now = lookAt(was.path)
			what = was.lost(now)
		}
		alike := what == "" && bytes.Equal(was.data, now.data)
		stops := false
		if !alike && what == "" {
			what, stops = o.became(ctx, g, was, now)
		}
		rel := o.s.Rel(was.path)
		switch {
		case alike:
			continue
		case what != "":
			o.harm.broken = append(o.harm.broken, task.Plain(rel+" "+what)+" during the session")
			o.harm.stops, o.harm.graph = true, o.harm.graph || was.path == o.s.Tasks
		case stops:
			o.harm.stops = true
		default:
			continue
		}
		if undo := o.undo(was, now); undo != "" {
			o.harm.undo = append(o.harm.undo, undo)
		}
	}
	for path, was := range g.journals {
		if was.cut(path) {
			o.harm.broken = append(o.harm.broken, o.s.Rel(path)+" was cut, removed or replaced during the session: what it told is lost")
			o.harm.stops = true
		}
	}
}

// became looks into a file that can be read, and whose bytes are others. broken says why it can't be used; stops that a person has to look.
func (o *oneTurn) became(ctx context.Context, g guard, was, now guarded) (broken string, stops bool) {
	rel := o.s.Rel(was.path)
	warn := func(format string, args ...any) {
		o.warnings = append(o.warnings, fmt.Sprintf(format, args...))
		stops = true
	}
	shrunk := len(now.data)*2 < len(was.data)
	switch was.path {
	case o.s.Tasks:
		return o.graphBecame(ctx, g, was)
	case o.s.Claims:
		return o.claimsBecame(was, now)
	case o.s.State:
		switch loaded, err := o.state.Load(ctx); {
		case err != nil:
			return "can't be read any more (" + err.Error() + ")", true
		case loaded.Warning != nil:
			return "was broken (" + loaded.Warning.Error() + ")", true
		case loaded.NextIteration <= o.n || len(loaded.IterationHistory) < len(o.earlier.IterationHistory):
			return "was set back", true
		}
	case o.s.Progress:
		if before := stable.TrimEnd(string(was.data)); !strings.HasPrefix(string(now.data), before) && len(now.data) < len(was.data) {
			warn("%s lost lines during the session.", rel)
		}
	default:
		if shrunk {
			warn("%s lost more than half of its text during the session.", rel)
		} else if was.path == o.s.PRD {
			o.warnings = append(o.warnings, rel+" was changed during the session, and not by this run.")
		}
	}
	return "", stops
}

// graphBecame looks at the task graph.
func (o *oneTurn) graphBecame(ctx context.Context, g guard, was guarded) (broken string, stops bool) {
	before := task.ParseText(was.data)
	in, err := o.tasks.Read(ctx)
	if err == nil {
		err = in.Err(o.s.Tasks)
	}
	switch invalid, ok := errors.AsType[*task.InvalidError](err); {
	case ok:
		return "was broken (" + o.s.broken(invalid) + ")", true
	case err != nil:
		return "can't be read any more (" + err.Error() + ")", true
	case before.File == nil:
		return "", false
	case in.Legacy && !before.Legacy:
		return "was taken back to an older version of the format", true
	}
	written := o.tasks.WrittenSince(g.written)
	for _, m := range iteration.Meddled(before.File.Tasks, in.File.Tasks, o.task.ID, func(id string) bool { return written[id] || o.othersDo(ctx, id, g) }) {
		o.warnings = append(o.warnings, m.Text)
		if m.Unproven { // a verb opens it again; the graph of before would lack what was proven meanwhile
			o.harm.unproven, o.harm.stops = append(o.harm.unproven, m.TaskID), true
			continue
		}
		stops = stops || m.Stops
	}
	return "", stops
}

// othersDo tells whether another run worked on a task while the session ran: it has a claim of its own, and a journal that says what it is for.
func (o *oneTurn) othersDo(ctx context.Context, id string, g guard) bool {
	now, err := o.claims.Read(ctx)
	if err != nil {
		return false
	}
	before := claimsBefore(g, now.Path)
	return slices.ContainsFunc(now.Claims, func(c claim.Claim) bool {
		if c.TaskID != id || c.ProvenanceID == o.id {
			return false
		}
		was := slices.IndexFunc(before.Claims, c.Same)
		return (was < 0 || before.Claims[was].Status == claim.Active) && o.backed(c)
	})
}

// claimsBefore is the claims file as it was before the session.
func claimsBefore(g guard, path string) *claim.File {
	for _, was := range g.files {
		if was.path == path {
			if f, err := claim.Parse(path, was.data); err == nil {
				return f
			}
		}
	}
	return &claim.File{Path: path}
}

// backed tells whether the run that a claim names has a journal of its work on the task.
func (o *oneTurn) backed(c claim.Claim) bool {
	return slices.ContainsFunc(o.journalOf(c), func(e events.Event) bool {
		b, ok := e.Body.(events.TaskSelected)
		return ok && b.TaskID == c.TaskID
	})
}

// journalOf is the journal of the run that a claim names. A run begins it before it claims, and says then what it works on.
func (o *oneTurn) journalOf(c claim.Claim) []events.Event {
	dir, err := o.s.Bundle(c.ProvenanceID)
	if err != nil {
		return nil
	}
	list, _ := events.Read(filepath.Join(dir, events.FileName)) //nolint:errcheck // what can't be read speaks for nobody
	return list
}

// claimsBecame looks at the claims.
func (o *oneTurn) claimsBecame(was, now guarded) (broken string, stops bool) {
	before, err := claim.Parse(was.path, was.data)
	if err != nil {
		return "", false
	}
	after, err := claim.Parse(now.path, now.data)
	if err != nil {
		return "was broken (" + err.Error() + ")", true
	}
	lost := after.Lost(before)
	ours := slices.ContainsFunc(lost, func(c claim.Claim) bool { return c.ProvenanceID == o.id })
	switch {
	case ours && len(lost) == 1: // which is a claim that was lost, however: the report is not applied
		o.warnings = append(o.warnings, fmt.Sprintf("The claim of this run on %s was taken out of %s during the session.", task.Plain(lost[0].TaskID), o.s.Rel(was.path)))
	case len(lost) > 0:
		return fmt.Sprintf("lost the claim of %s on %s", task.Plain(lost[0].AgentID), task.Plain(lost[0].TaskID)), true
	}
	for _, c := range after.Added(before) {
		if len(o.journalOf(c)) == 0 {
			o.warnings = append(o.warnings, fmt.Sprintf("A claim of %s on %s was written during the session, and no run stands behind it: `ralphex claim list` shows it.", task.Plain(c.AgentID), task.Plain(c.TaskID)))
			stops = true
		}
	}
	return "", stops
}

// stopHarmed records an iteration whose session broke a file of the workspace: nothing is verified, judged or written by what is there now.
func (e *ending) stopHarmed(ctx context.Context, session *provenance.Session) (turned, error) {
	if e.readGraph(ctx); e.harm.graph {
		e.graph, e.now, e.graphErr = nil, nil, e.harm.broken[0] // one that is blank would be read as the one that every workspace begins with
	}
	e.verdicts = nil
	for _, name := range []string{artifact.ValidationCommand, artifact.GitDiff, artifact.TaskState} {
		e.verdicts = append(e.verdicts, iteration.NotVerified(name, "A file of the workspace was broken during the session."))
	}
	e.judgement = iteration.Judgement{Status: iteration.Missing, Warnings: slices.Clone(e.harm.broken), NeedsHumanReview: true, Stop: iteration.HumanReviewNeeded}
	e.doubted = true
	changed := e.before.changed(e.after)
	e.compare(changed)
	e.phase("verificationFinishedAt")
	return e.record(ctx, session, len(changed) > 0)
}

// doubt notes what nobody has proven, also in the graph: the next loop knows it then.
func (e *ending) doubt(ctx context.Context) {
	e.doubted = e.judgement.Stop == iteration.HumanReviewNeeded
	ids := e.harm.unproven
	if e.doubted && e.now != nil && e.now.Status == task.Done && e.task.Status != task.Done {
		ids = append(slices.Clip(ids), e.task.ID)
	}
	if len(ids) > 0 {
		if err := e.tasks.Doubt(ctx, ids, fmt.Sprintf("it was made done during the session of %s in iteration %d, and nobody has proven it", e.task.ID, e.n)); err != nil {
			e.warnings = append(e.warnings, fmt.Sprintf("That nobody has proven %s could not be noted: %v.", task.Plain(strings.Join(ids, ", ")), err))
		}
	}
	if e.harm.stops {
		e.judgement.NeedsHumanReview = true
		if e.judgement.Stop == "" {
			e.judgement.Stop = iteration.HumanReviewNeeded
		}
	}
}

// harmed is the end of a turn whose sessions broke files: that is also why a claim could not be released, or something not be written.
func (o *oneTurn) harmed(out turned, err error) (turned, error) {
	if len(o.harm.broken) == 0 {
		return out, err
	}
	if err != nil {
		fmt.Fprintf(o.p.Err, "warning: %s\n", task.Plain(err.Error()))
	}
	out.stop, out.harm = iteration.HumanReviewNeeded, o.harm
	return out, nil
}

// err is the error of a turn that broke files: what happened, and the command that has them back.
func (h harm) err() error {
	if len(h.broken) == 0 {
		return nil
	}
	next := "look at it before anything goes on"
	if len(h.undo) > 0 {
		next = strings.Join(h.undo, "\n")
	}
	return hinted(errors.New(strings.Join(h.broken, "\n       ")), next)
}
