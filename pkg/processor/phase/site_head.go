package phase

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

// commitsSince journals the commits that a session made since the picture before it, and looks at what they took away.
func (s *Site) commitsSince(ctx context.Context, pos int, who string, before treeState) error {
	if s.state.head.Rev != before.head.Rev {
		entries, err := s.tree.Log(ctx, before.head.Rev, s.state.head.Rev, 50)
		if err != nil {
			s.note(pos, event.Warn, "the session's commits could not be listed: "+err.Error(), "")
		}
		replaced := s.amended(ctx, pos, before.head.Rev)
		for i, e := range slices.Backward(entries) {
			c := event.Commit{Rev: string(e.Rev), Message: e.Subject, By: "agent", Replaced: replaced}
			if i == 0 {
				c.Paths = s.changedSince(ctx, before.head.Rev)
			}
			s.log.Emit(pos, c)
			replaced = ""
		}
	}
	return s.noticeDeletions(ctx, pos, who, before.head.Rev)
}

// maxChanged is how many files of a session's commits are named.
const maxChanged = 1000

// changedSince names the files in which HEAD differs from a revision; none where that can't be said.
func (s *Site) changedSince(ctx context.Context, before vcs.Rev) []string {
	l, ok := s.tree.(lister)
	if !ok {
		return nil
	}
	paths, err := l.Changed(ctx, before, s.state.head.Rev)
	if err != nil {
		return nil // names for the record: the commits themselves are told
	}
	return paths[:min(len(paths), maxChanged)]
}

// surprise refuses to go on when the branch is another one, or the history was rewritten below the start.
func (s *Site) surprise(ctx context.Context, before treeState) error {
	now := s.state.head
	if !s.rules.Line.Same(now.Branch, before.head.Branch) {
		return &SurpriseError{
			What: fmt.Sprintf("the session left branch %s: HEAD is at %s now", before.head.Branch, where(now)),
			Way:  fmt.Sprintf("see what happened (%s), then `%s`%s and run the same command: it goes on", s.rules.Verbs.History, s.back(before.head), s.remake(before.head)),
		}
	}
	if now.Unborn {
		return &SurpriseError{
			What: fmt.Sprintf("branch %s is gone: it was at %.10s before the session", before.head.Branch, before.head.Rev),
			Way:  fmt.Sprintf("bring it back (`git branch %s %.10s`) and run the same command: it goes on", before.head.Branch, before.head.Rev),
		}
	}
	if now.Rev == before.head.Rev {
		return nil
	}
	if ok, err := s.tree.IsAncestor(ctx, before.head.Rev, now.Rev); err != nil || ok {
		return wrapAncestor(err)
	}
	what := fmt.Sprintf("the session rewrote history: the commit before it (%.10s) is no ancestor of HEAD (%.10s), so work that was done may be gone", before.head.Rev, now.Rev)
	if s.rules.Line.Grows() { // amending is no rewriting there
		what = fmt.Sprintf("the session left the run's commit: it was at %.10s, and is at %.10s now, which does not stand on it; work that was done may be gone", before.head.Rev, now.Rev)
	}
	return &SurpriseError{
		Rewritten: true,
		What:      what,
		Way: fmt.Sprintf("look at it (%s), put the branch right (%s), and run the same command: it goes on",
			s.rules.Verbs.With("rev", fmt.Sprintf("%.10s", before.head.Rev)).Show, s.rules.Verbs.Ways().Recover),
	}
}

// stillHere checks, right before a commit, that branch and HEAD are those that were judged: somebody may have switched since.
// What it read goes with the commit, which makes sure of it once more when it writes.
func (s *Site) stillHere(ctx context.Context, want vcs.Head) (vcs.Head, error) {
	now, err := s.tree.Head(ctx)
	if err != nil {
		return now, fmt.Errorf("read HEAD: %w", err)
	}
	if !s.at(now, want) {
		return now, s.elsewhere(now, want)
	}
	return now, s.unfinished(ctx)
}

// unfinished refuses a commit in the middle of a merge or the like: it would be one of everything, or none.
func (s *Site) unfinished(ctx context.Context) error {
	t, ok := s.tree.(operated)
	if !ok {
		return nil
	}
	what, err := t.InProgress(ctx)
	if err != nil || what == "" {
		return err
	}
	return &SurpriseError{What: "a " + what + " is unfinished here: nothing was committed",
		Way: s.rules.Verbs.Ways().Unfinished[what] + ", and run the same command: it goes on"}
}

// elsewhere says that somebody moved HEAD before a commit of ours.
func (s *Site) elsewhere(now, want vcs.Head) error {
	return &SurpriseError{
		What: fmt.Sprintf("before a commit HEAD is at %s (%.10s), and not at %s (%.10s), where the work was judged: nothing was committed", where(now), now.Rev, where(want), want.Rev),
		Way:  fmt.Sprintf("somebody else works in this checkout (%s); `%s` and run the same command: it goes on", s.rules.Verbs.History, s.back(want)),
	}
}

// moved makes the end of a run out of a commit that was refused because HEAD had moved since it was looked at.
func (s *Site) moved(ctx context.Context, err error, want vcs.Head) error {
	if _, ok := errors.AsType[*vcs.SurpriseError](err); !ok {
		return err
	}
	now, herr := s.tree.Head(ctx)
	if herr != nil || s.at(now, want) { // unreadable, or back again
		return err
	}
	return s.elsewhere(now, want)
}

// at tells whether HEAD is where it should be.
func (s *Site) at(now, want vcs.Head) bool {
	return s.rules.Line.Same(now.Branch, want.Branch) && now.Rev == want.Rev
}

// back is the command that goes to where the run was.
func (s *Site) back(h vcs.Head) string {
	to := string(h.Branch)
	if s.rules.Line.Grows() && (h.Branch == s.rules.Line.Public || h.Branch == "draft") {
		to = h.Rev.Short() // these are no names there
	}
	return s.rules.Verbs.With("branch", to).Switch
}

// remake is the command for a branch that was deleted in the meantime.
func (s *Site) remake(h vcs.Head) string {
	if s.rules.Line.Grows() {
		return ""
	}
	return fmt.Sprintf(" (if it was deleted: `git branch %s %.10s` first)", h.Branch, h.Rev)
}

// amended returns the commit before the session if the session amended it, which is the way of a repository where commits grow.
func (s *Site) amended(ctx context.Context, pos int, before vcs.Rev) string {
	t, ok := s.tree.(amender)
	if !ok || !s.rules.Line.Grows() {
		return ""
	}
	yes, err := t.Amended(ctx, before, s.state.head.Rev)
	if err != nil {
		s.note(pos, event.Warn, "whether the session amended its commit could not be found out: "+err.Error(), "")
	}
	if !yes {
		return ""
	}
	return string(before)
}

// noticeSwept names the user's paths that were dirty before the session and are clean after it: the session
// committed them, or threw the changes away.
func (s *Site) noticeSwept(pos int, before treeState) {
	for _, p := range s.rules.UserDirty {
		if before.dirty.Has(p) && !s.state.dirty.Has(p) && !slices.Contains(s.swept, p) {
			s.swept = append(s.swept, p)
			s.note(pos, event.Warn, "the session committed or undid your changes of "+p, "`ralphex restore` has the copy from the start of the run")
		}
	}
}
