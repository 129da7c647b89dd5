package phase

import (
	"context"
	"fmt"
	"slices"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

// Site is the checkout that the phases of a run work in: what it looked like when it was last looked at, and which of its uncommitted
// paths are not the run's. All phases of a run share one, so that what one of them learned the next one knows.
type Site struct {
	log       Log
	tree      Tree
	commits   Committer
	gate      Gate
	keeper    Keeper
	deletions Deletions
	rules     SiteOptions

	state           treeState
	foreign         map[string]stamp // paths that are not ours to commit: the user's, and what gate, hooks and tools made
	passed          map[string]stamp // what a skipped task left, as it left it; what a later task changes further is that task's
	hiddenAtStart   map[string]stamp // see Missed
	excludesAtStart vcs.Excludes     // see excluded
	kept, swept     []string         // see Report
	lastEvidence    string           // of the last gate: another one is new evidence, as good as a change
	provenAt        vcs.Rev          // where the last gate of this process was green; empty = none was
}

// SiteParts are the collaborators of a Site; all are needed, but for Keeper and Deletions: without them nothing is kept, and any
// commit may delete anything.
type SiteParts struct {
	Log       Log
	Tree      Tree
	Committer Committer
	Gate      Gate
	Keeper    Keeper
	Deletions Deletions
}

// SiteOptions are what holds for the run's checkout in every phase.
type SiteOptions struct {
	Root      string       // repository root, for the content stamps of dirty paths
	Validate  ValidateMode // empty = ValidateGate
	UserDirty []string     // root-relative paths that were dirty or staged at start: never committed here
	Aside     []string     // paths that are nobody's: what validation commands, hooks and worktree_setup left; not committed either
	Passed    []string     // paths that a task left which was skipped by an earlier process: not committed as long as nobody changes them
	// Later are paths that the run's caller changes between its tasks and commits when the phases are over; nil = none. See Missed.
	Later   func() []string
	Trailer string
	// MaxDeleteShare is the part of the files, in percent, that one commit may delete; 0 or 100 = any.
	MaxDeleteShare int
	Verbs          vcs.Verbs // the repository's words, for hints; zero = git's
	Line           vcs.Line  // what counts as the run's branch; zero = the branch that it begins on
	Title          string    // of the run's commit, where it is one that grows
}

// NewSite returns the site of a run.
func NewSite(p SiteParts, o SiteOptions) *Site {
	if o.Validate == "" {
		o.Validate = ValidateGate
	}
	if p.Keeper == nil {
		p.Keeper = careless{}
	}
	if p.Deletions == nil {
		p.Deletions, o.MaxDeleteShare = boundless{}, 0
	}
	if p.Gate == nil {
		p.Gate = ungated{}
	}
	if o.Verbs.System == "" {
		o.Verbs = vcs.GitVerbs("git")
	}
	return &Site{log: p.Log, tree: p.Tree, commits: p.Committer, gate: p.Gate, keeper: p.Keeper, deletions: p.Deletions, rules: o}
}

// open takes the first picture of the checkout, and later ones at the beginning of each phase.
func (s *Site) open(ctx context.Context) error {
	if s.foreign == nil {
		s.foreign = map[string]stamp{}
		for _, path := range slices.Concat(s.rules.UserDirty, s.rules.Aside) {
			s.foreign[path] = stampOf(s.rules.Root, path)
		}
		s.pass(s.rules.Passed)
		s.hiddenAtStart = map[string]stamp{}
		for _, path := range s.hidden(ctx) {
			s.hiddenAtStart[path] = stampOf(s.rules.Root, path)
		}
		if x, ok := s.tree.(excluder); ok {
			s.excludesAtStart = x.Excludes()
		}
		if err := s.look(ctx); err != nil {
			return err
		}
		return s.lostBefore(ctx)
	}
	return s.look(ctx)
}

// pass leaves paths to a task that was skipped.
func (s *Site) pass(paths []string) {
	if s.passed == nil {
		s.passed = map[string]stamp{}
	}
	for _, p := range paths {
		s.passed[p] = stampOf(s.rules.Root, p)
	}
}

// skipped tells whether a path is as a skipped task left it.
func (s *Site) skipped(path string) bool {
	at, ok := s.passed[path]
	return ok && stampOf(s.rules.Root, path) == at
}

// treeState is the repository as last seen.
type treeState struct {
	head  vcs.Head
	dirty vcs.Status
	stamp vcs.Fingerprint // changes when HEAD, the dirty paths or the content of one of them changes
}

// look asks the repository.
func (s *Site) look(ctx context.Context) error {
	head, err := s.tree.Head(ctx)
	if err != nil {
		return fmt.Errorf("read HEAD: %w", err)
	}
	dirty, err := s.tree.Status(ctx)
	if err != nil {
		return fmt.Errorf("read status: %w", err)
	}
	return s.seen(ctx, head, dirty)
}

// seen takes a picture of the repository. It compares content: a file that is only touched has not changed.
func (s *Site) seen(ctx context.Context, head vcs.Head, dirty vcs.Status) error {
	print, err := s.tree.FingerprintOf(ctx, dirty)
	if err != nil {
		return fmt.Errorf("fingerprint of the tree: %w", err)
	}
	s.state = treeState{head: head, dirty: dirty, stamp: print}
	return nil
}

func (s *Site) note(pos int, level event.Level, text, hint string) {
	s.log.Emit(pos, event.Note{Level: level, Text: text, Hint: hint})
}

// Rev is the revision that the checkout is at now.
func (s *Site) Rev(ctx context.Context) (vcs.Rev, error) {
	h, err := s.tree.Head(ctx)
	return h.Rev, err
}

// Touched names the user's dirty paths that sessions touched too, and those that they or a hook committed or undid.
func (s *Site) Touched() (kept, swept []string) {
	for path, at := range s.foreign {
		if slices.Contains(s.rules.UserDirty, path) && stampOf(s.rules.Root, path) != at {
			s.kept = append(s.kept, path)
		}
	}
	s.kept = slices.DeleteFunc(s.kept, func(p string) bool { return !s.state.dirty.Has(p) }) // a session committed it
	slices.Sort(s.kept)
	s.kept = slices.Compact(s.kept)
	return slices.Clone(s.kept), slices.Clone(s.swept)
}
