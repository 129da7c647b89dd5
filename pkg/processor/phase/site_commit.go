package phase

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// record commits what sessions of this run changed and did not commit, under the message. It returns the revision, "" if there was
// nothing to commit. who is whose work it is, for errors. A hook that refuses is a *vcs.HookError.
func (s *Site) record(ctx context.Context, pos int, who, msg string) (string, error) {
	paths := s.leftovers()
	if len(paths) == 0 {
		return "", nil
	}
	if err := s.refuseDeletions(ctx, pos, who, paths); err != nil {
		return "", err
	}
	proven := s.ProvenAt(s.state.head.Rev)
	at, err := s.stillHere(ctx, s.state.head)
	if err != nil {
		return "", err
	}
	res, err := s.commits.Commit(ctx, vcs.CommitRequest{Message: msg, Title: s.rules.Title, Paths: paths, Trailer: s.rules.Trailer, Expect: &at})
	if err != nil && res.Rev == "" {
		return "", s.moved(ctx, err, at)
	}
	if err != nil { // the commit is there; what came after it went wrong
		s.note(pos, event.Warn, "after the commit: "+err.Error(), "")
		if err := s.look(ctx); err != nil {
			return "", err
		}
	}
	if err := s.afterCommit(ctx, res, paths); err != nil {
		return "", err
	}
	if res.Rev == "" {
		return "", nil
	}
	if proven { // it is what the commands saw
		s.prove()
	}
	s.committed(pos, res, msg, paths)
	s.noticeBrought(pos, res.Brought)
	s.setAside(pos, res.Left)
	return string(res.Rev), nil
}

// leftovers are the dirty paths that are ours to commit.
func (s *Site) leftovers() []string {
	var out []string
	for _, c := range s.state.dirty.Changes {
		for _, p := range []string{c.Path, c.From} {
			if _, foreign := s.foreign[p]; p != "" && !foreign && !s.skipped(p) && !strings.HasSuffix(p, plan.TempSuffix) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// committed journals a commit of ours.
func (s *Site) committed(pos int, res vcs.CommitResult, msg string, paths []string) {
	if res.Titled {
		msg = s.rules.Title
	}
	s.log.Emit(pos, event.Commit{Rev: string(res.Rev), Message: msg, By: "ralphex", Paths: paths, Replaced: string(res.Replaced)})
}

// setAside takes paths that a commit could not bring in out of the run's hands: they would stop every later commit.
func (s *Site) setAside(pos int, paths []string) {
	if len(paths) == 0 {
		return
	}
	for _, p := range paths {
		s.foreign[p] = stampOf(s.rules.Root, p)
		s.kept = append(s.kept, p)
	}
	s.log.Emit(pos, event.SetAside{Paths: paths, By: event.ByHook})
	s.note(pos, event.Warn, "left uncommitted (a repository within the repository, a name that the repository can't keep, or changed again by a hook): "+list(paths), "")
}

// afterCommit updates the picture of the tree without asking git again: what was committed is clean, unless
// the commit says otherwise.
func (s *Site) afterCommit(ctx context.Context, res vcs.CommitResult, paths []string) error {
	want := s.state.head
	head, err := s.tree.Head(ctx)
	if err != nil {
		return fmt.Errorf("read HEAD: %w", err)
	}
	if res.Rev != "" {
		want.Rev = res.Rev
	}
	if err := s.unmoved("a hook", want, head); err != nil {
		return err
	}
	if len(res.Left) > 0 || len(res.Brought) > 0 {
		return s.look(ctx)
	}
	rest := vcs.Status{}
	for _, c := range s.state.dirty.Changes {
		if !slices.Contains(paths, c.Path) {
			rest.Changes = append(rest.Changes, c)
		}
	}
	return s.seen(ctx, head, rest)
}

// noticeBrought names what a hook added to a commit of ours. What was the user's is theirs to look at.
func (s *Site) noticeBrought(pos int, brought []string) {
	theirs, others := Brought(brought, s.rules.UserDirty)
	s.swept = append(s.swept, theirs...)
	for _, n := range BroughtNotes(theirs, others) {
		s.log.Emit(pos, n)
	}
}
