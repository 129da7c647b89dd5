package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/journal"
	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// owners says whose the uncommitted paths are that a run does not commit. It is found out once, at the start: later the run's own
// sessions have touched things. What stands in neither list is the run's.
type owners struct {
	person []string // sorted
	passed []string // what a task left that was skipped before the process died: the run's, but not the next task's
	nobody []string // what validation commands, hooks and worktree_setup left; sorted
}

func (r *running) whose() *owners {
	if r.owners == nil {
		r.owners = r.findOwners()
	}
	return r.owners
}

// findOwners: what was dirty when the run first began is the person's, and so is what they did between two of its processes.
func (r *running) findOwners() *owners {
	person := map[string]bool{}
	for _, p := range r.start.Dirty {
		person[p] = true
	}
	if r.earlier == nil {
		return &owners{person: slices.Sorted(maps.Keys(person))}
	}
	nobody := map[string]bool{}
	var passed []string
	for p, by := range r.earlier.Aside {
		switch {
		case by == event.ByPerson:
			person[p] = true
		case by != event.BySkip:
			nobody[p] = true
		case r.earlier.Died:
			passed = append(passed, p)
		}
	}
	for _, p := range r.ready.Dirty {
		if !person[p] && !nobody[p] && r.sinceThen(p) {
			person[p] = true
		}
	}
	return &owners{person: slices.Sorted(maps.Keys(person)), passed: passed, nobody: slices.Sorted(maps.Keys(nobody))}
}

// sinceThen tells whether a dirty path was changed by somebody else after the process before had ended. Where that can't be known for
// sure the path is the person's: what is left uncommitted is named and can still be committed.
func (r *running) sinceThen(path string) bool {
	e := r.earlier
	switch {
	case e.Sessions == 0:
		return true // no session has begun that could have made it
	case e.Died && len(r.ended) > 0:
		return false // a session that lived on may have written anything; its paths are listed at the start
	case e.Died:
		return r.touchedSince(path, e.Last.Add(quietAfter))
	case e.Blind:
		return r.touchedSince(path, e.Last)
	}
	stamp, left := e.Leftover[path] // a file that was deleted has an empty one
	return !left || stamp != phase.Stamps(r.repo.Root(), []string{path})[path]
}

// quietAfter is how long after the journal's last event a session that died with its ralphex may still have written.
const quietAfter = 5 * time.Second

// touchedSince tells whether a path was changed after a time. When ralphex was killed and nothing of its session was found alive, the
// session wrote nothing more: what is newer is the person's. The date of the content is not enough: a file that is moved or copied
// here brings its own.
func (r *running) touchedSince(path string, at time.Time) bool {
	full := filepath.Join(r.repo.Root(), filepath.FromSlash(path))
	fi, err := os.Lstat(full)
	if err == nil {
		return fi.ModTime().After(at) || changeTime(fi).After(at)
	}
	for err != nil && full != r.repo.Root() { // it was deleted: the folder knows when
		full = filepath.Dir(full)
		fi, err = os.Lstat(full)
	}
	return err != nil || fi.ModTime().After(at)
}

// setAside takes paths out of the run's hands, now and for those that go on with it.
func (r *running) setAside(paths []string, by event.Maker) {
	if len(paths) == 0 {
		return
	}
	o := r.whose()
	o.nobody = slices.Compact(slices.Sorted(slices.Values(slices.Concat(o.nobody, paths))))
	r.Emit(0, event.SetAside{Paths: paths, By: by})
}

// tellDirt lists the paths that are the user's, and those that an earlier process of the run left. The journal remembers which are
// whose: after the next break their dates say nothing any more.
func (r *running) tellDirt() {
	o := r.whose()
	if news := o.newsTo(r.earlier); len(news) > 0 {
		r.Emit(0, event.SetAside{Paths: news, By: event.ByPerson})
	}
	var yours, nobodys, ours []string
	for _, c := range r.ready.Changes {
		line := fmt.Sprintf("  %c%c %s", c.Index, c.Work, inLine(c.Path))
		switch {
		case slices.Contains(o.person, c.Path):
			yours = append(yours, line)
		case slices.Contains(o.nobody, c.Path):
			nobodys = append(nobodys, line)
		default:
			ours = append(ours, line)
		}
	}
	r.tellPaths(event.Warn, "these changes are yours and stay as they are, ralphex does not commit them:", yours)
	r.tellPaths(event.Warn, "left by validation commands, hooks or worktree_setup; ralphex does not commit them:", nobodys)
	r.tellPaths(event.Info, "left by the run so far, and gone on with:", ours)
}

// newsTo are the person's paths that the journal does not have yet.
func (o *owners) newsTo(e *journal.Resume) []string {
	if e == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(o.person), func(p string) bool {
		_, known := e.Aside[p]
		return known || slices.Contains(e.Start.Dirty, p)
	})
}

// stampLeftover stamps what the run's sessions left uncommitted, so that the next process can tell it from the user's.
func (r *running) stampLeftover(ctx context.Context, end *event.RunEnd) {
	status, err := r.repo.Status(ctx)
	if err != nil {
		end.LeftoverUnknown = true
		return
	}
	o := r.whose()
	end.Leftover = phase.Stamps(r.repo.Root(), slices.DeleteFunc(status.Paths(), func(p string) bool {
		return slices.Contains(o.person, p) || slices.Contains(o.nobody, p)
	}))
}

// brought tells what a hook added to a commit of ours, beside those of the phases, which tell it themselves.
func (r *running) brought(paths []string) {
	theirs, others := phase.Brought(paths, r.whose().person)
	r.swept = append(r.swept, theirs...)
	for _, n := range phase.BroughtNotes(theirs, others) {
		r.Emit(0, n)
	}
}
