package phase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

// minDeletions is how many files a commit may always delete: in a small repository that is soon a large share, and soon looked through.
const minDeletions = 10

// Deletions says what a change takes away.
type Deletions interface {
	Deleted(ctx context.Context, from, to vcs.Rev) ([]string, error)
	CountFiles(ctx context.Context, r vcs.Rev) (int, error)
}

// DeletionsError is a change that deletes more of the tree than max_delete_share allows. It is a person's to look at.
type DeletionsError struct {
	Position  int
	Who       string   // whose change it is: "task 3 (Add the parser)", "the review"
	Files     []string // what is gone
	Of        int      // files that there were
	Share     int      // what is allowed, percent
	Committed bool     // by the session itself; else the files are gone from the tree and nothing was committed
	Kept      string   // the copy of the tree; the last commit has the deleted files, too
	Before    vcs.Rev  // the commit that has them
	Undo      string   // what brings a file back, to be typed
}

// shownDeletions is how many names the message lists.
const shownDeletions = 20

func (e *DeletionsError) Error() string {
	var b strings.Builder
	did := "would delete"
	if e.Committed {
		did = "deleted, in commits of the session's own,"
	}
	fmt.Fprintf(&b, "%s %s %d of %d files (%d%%), more than max_delete_share = %d allows:", e.Who, did, len(e.Files), e.Of, percent(len(e.Files), e.Of), e.Share)
	for _, f := range e.Files[:min(len(e.Files), shownDeletions)] {
		fmt.Fprintf(&b, "\n  %s", f)
	}
	if more := len(e.Files) - shownDeletions; more > 0 {
		fmt.Fprintf(&b, "\n  ... and %d more", more)
	}
	return b.String()
}

// Hint says what to do next.
func (e *DeletionsError) Hint() string {
	hint := fmt.Sprintf("nothing is lost, commit %s has the files", e.Before.Short())
	if e.Committed {
		return hint + "\nif they should go: run the same command, it goes on\nif not: bring them back from that commit first"
	}
	if e.Kept != "" {
		hint += ", and " + e.Kept + " the tree with the task's work"
	}
	return hint + "\nif they should go: run the same command with --allow-deletions\nif not: bring them back (" + e.Undo + ") and run the same command"
}

func percent(n, of int) int { return n * 100 / max(of, 1) }

// guarded tells whether deletions are limited at all.
func (s *Site) guarded() bool { return s.rules.MaxDeleteShare > 0 && s.rules.MaxDeleteShare < 100 }

// tooMany reports whether so many deletions of a tree need a person.
func (s *Site) tooMany(ctx context.Context, gone int, before vcs.Rev) (bool, int, error) {
	if gone <= minDeletions || before == "" {
		return false, 0, nil
	}
	n, err := s.deletions.CountFiles(ctx, before)
	if err != nil {
		return false, 0, fmt.Errorf("count the files of the last commit: %w", err)
	}
	return gone*100 > n*s.rules.MaxDeleteShare, n, nil
}

// refuseDeletions looks at what a commit of these paths would take away, before it is made. The status alone does not know a file that was moved
// from one that was deleted; so where it looks bad, a copy of the tree is kept and compared.
func (s *Site) refuseDeletions(ctx context.Context, pos int, who string, paths []string) error {
	if !s.guarded() {
		return nil
	}
	var gone []string
	for _, c := range s.state.dirty.Changes {
		if (c.Index == 'D' || c.Work == 'D') && slices.Contains(paths, c.Path) {
			gone = append(gone, c.Path)
		}
	}
	before := s.state.head.Rev
	if bad, _, err := s.tooMany(ctx, len(gone), before); err != nil || !bad {
		return err
	}
	ref := s.keep(ctx, pos, fmt.Sprintf("%s: before a commit that deletes %d files", who, len(gone)))
	if ref != "" {
		really, err := s.deletions.Deleted(ctx, before, vcs.Rev(ref))
		if err != nil && !errors.Is(err, vcs.ErrUnsupported) {
			return err
		}
		if err == nil {
			gone = slices.DeleteFunc(gone, func(p string) bool { return !slices.Contains(really, p) })
		}
	}
	bad, of, err := s.tooMany(ctx, len(gone), before)
	if err != nil || !bad {
		return err
	}
	return &DeletionsError{Position: pos, Who: who, Files: gone, Of: of, Share: s.rules.MaxDeleteShare, Kept: ref, Before: before,
		Undo: s.rules.Verbs.With("path", quoted(gone[0])).Restore}
}

// noticeDeletions looks at what the commits of a session took away. They are made, and history has the files; but the run must not build on
// them before a person has looked.
func (s *Site) noticeDeletions(ctx context.Context, pos int, who string, before vcs.Rev) error {
	now := s.state.head.Rev
	if !s.guarded() || before == now || before == "" {
		return nil
	}
	gone, err := s.deletions.Deleted(ctx, before, now)
	if errors.Is(err, vcs.ErrUnsupported) {
		return nil
	}
	if err != nil {
		s.note(pos, event.Warn, "what the session's commits deleted could not be listed: "+err.Error(), "")
		return nil
	}
	bad, of, err := s.tooMany(ctx, len(gone), before)
	if err != nil || !bad {
		return err
	}
	return &DeletionsError{Position: pos, Who: who, Files: gone, Of: of, Share: s.rules.MaxDeleteShare, Committed: true, Before: before}
}

// quoted is a path as a shell takes it.
func quoted(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool {
		return !strings.ContainsRune("/._-+@", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// boundless deletes nothing that anybody knows of.
type boundless struct{}

func (boundless) Deleted(context.Context, vcs.Rev, vcs.Rev) ([]string, error) {
	return nil, vcs.ErrUnsupported
}
func (boundless) CountFiles(context.Context, vcs.Rev) (int, error) { return 0, nil }
