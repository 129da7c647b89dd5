package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/origin"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// syncing is what --sync keeps in mind during a run.
type syncing struct {
	proven map[string]bool // task keys: only their ticks are facts
	paths  []string        // sources that were written, relative to the root
	said   map[string]bool // what was warned of already
}

// checkSync refuses --sync before anything is touched where ticks can't go back.
func (j *job) checkSync(context.Context) error {
	if !j.opts.sync || j.plan == nil {
		return nil
	}
	_, err := syncRecord(j.plan, relative(j.proc.Dir, j.planAt), j.repo.Root())
	return err
}

// syncTask writes the ticks of all proven tasks to their sources, when a task has come to an end.
func (r *running) syncTask(pos int, end event.TaskEnd) {
	if !r.opts.sync || end.Outcome == event.Failed || end.Outcome == event.Skipped {
		return
	}
	r.beginSync()
	r.sync.proven[phase.Key(plan.Task{ID: end.ID, Title: end.Title})] = true
	r.pushProven(pos)
}

// beginSync takes over what was proven before this process began.
func (r *running) beginSync() {
	if r.sync.proven != nil {
		return
	}
	r.sync.proven, r.sync.said = map[string]bool{}, map[string]bool{}
	keys := r.start.Done
	if r.earlier != nil {
		keys = r.earlier.Proven
	}
	for _, k := range keys {
		r.sync.proven[k] = true
	}
}

// pushProven writes ticks. Nothing that goes wrong here changes what was done: it is a warning, once.
func (r *running) pushProven(pos int) {
	warn := func(err error) {
		if !r.sync.said[err.Error()] {
			r.sync.said[err.Error()] = true
			r.Emit(pos, event.Note{Level: event.Warn, Text: "sync: " + err.Error(), Hint: hintOf(err)})
		}
	}
	at, err := plan.Locate(r.planAt)
	if err != nil {
		warn(err)
		return
	}
	p, err := plan.ParsePlanFile(at)
	if err != nil {
		warn(err)
		return
	}
	record, err := syncRecord(p, relative(r.proc.Dir, at), r.repo.Root())
	if err != nil {
		warn(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // the run may be ending
	defer cancel()
	report, err := record.Push(ctx, p, r.repo.Root(), func(t plan.Task) bool { return r.sync.proven[phase.Key(t)] }, knownSources)
	if err != nil {
		warn(err)
	}
	r.noteTicks(pos, report)
}

func (r *running) noteTicks(pos int, report origin.Report) {
	for _, line := range ticksBySource(report) {
		r.Emit(pos, event.Note{Level: event.Info, Text: line})
	}
	for _, t := range report.Ticked {
		// The name that git knows, where folders on the way are links.
		path := filepath.Join(r.repo.Root(), filepath.FromSlash(t.Path))
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		rel, err := r.repo.Rel(path)
		if err == nil && !slices.Contains(r.sync.paths, rel) {
			r.sync.paths = append(r.sync.paths, rel)
		}
	}
}

// syncedPaths are the sources that got ticks so far.
func (r *running) syncedPaths() []string { return slices.Clone(r.sync.paths) }

// endSync writes what is left to write and commits the sources, with a clock of its own: the run may be ending.
// A source with changes of the user's is left uncommitted, as everything of theirs is.
func (r *running) endSync() {
	if !r.opts.sync {
		return
	}
	r.beginSync()
	r.pushProven(0)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	theirs := slices.Concat(r.whose().person, r.whose().nobody)
	var ours []string
	for _, path := range r.sync.paths {
		tracked, err := r.repo.Tracked(ctx, path)
		switch {
		case err == nil && !tracked: // ignored, or never added: as the user wants it
		case slices.Contains(theirs, path):
			r.Emit(0, event.Note{Level: event.Warn, Text: path + " has ticks of this run and changes of yours: it is left uncommitted"})
		default:
			ours = append(ours, path)
		}
	}
	if len(ours) == 0 {
		return
	}
	at, err := r.onRunsBranch(ctx)
	if err != nil {
		r.Emit(0, event.Note{Level: event.Warn, Text: "sync: " + err.Error(), Hint: "the ticks are in the file; commit it where it belongs"})
		return
	}
	msg := "sync: tick " + strings.Join(ours, ", ")
	res, err := r.repo.Commit(ctx, vcs.CommitRequest{Message: msg, Title: r.title(), Paths: ours, Trailer: r.cfg.CommitTrailer, Expect: &at})
	if err != nil {
		hook := new(vcs.HookError)
		hint := "the ticks are in the file; commit it yourself"
		if errors.As(err, &hook) {
			hint = "a hook refused it: " + hint
		}
		r.Emit(0, event.Note{Level: event.Warn, Text: "sync: the ticks could not be committed: " + err.Error(), Hint: hint})
	}
	if res.Rev != "" {
		if res.Titled {
			msg = r.title()
		}
		r.Emit(0, event.Commit{Rev: string(res.Rev), Message: msg, By: "ralphex", Paths: ours, Replaced: string(res.Replaced)})
		r.brought(res.Brought)
	}
}

// onRunsBranch reads HEAD and makes sure that it is the run's: a run may end because somebody switched to another branch.
func (r *running) onRunsBranch(ctx context.Context) (vcs.Head, error) {
	at, err := r.repo.Head(ctx)
	if err == nil && !vcs.LineOf(r.repo, r.ready.Branch).Same(at.Branch, r.ready.Branch) {
		err = fmt.Errorf("HEAD is on %q, and not on the run's branch %s: nothing is committed there", at.Branch, r.ready.Branch)
	}
	return at, err
}
