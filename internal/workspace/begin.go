package workspace

import (
	"context"
	"errors"
	"fmt"

	"ralphex/pkg/vcs"
)

// Started is what Begin has done.
type Started struct {
	Head        vcs.Head // where the run stands now
	Branch      vcs.Branch
	Created     bool
	Switched    bool
	PlanCommit  vcs.Rev // empty if the plan needed none
	PlanReadded bool    // a hook reformatted the plan
	PlanMessage string  // of the plan's commit
	Replaced    vcs.Rev // the draft that the plan's commit took the place of, where commits grow
	SnapshotRef string  // empty if nothing was dirty
	Snapshot    vcs.Rev
	Brought     []string // paths that a hook added to the plan's commit
	Warnings    []string
}

// Begin takes the place: a snapshot of what is the user's, the branch, the plan's commit, in this order. It refuses if the
// repository is no longer where Check saw it. After an error, what Started names has been done; starting again goes on from there.
func (p *Prepared) Begin(ctx context.Context) (Started, error) {
	s := Started{Head: p.Start, Branch: p.Branch}
	now, err := p.repo.Head(ctx)
	if err != nil {
		return s, err
	}
	if now != p.Start {
		return s, moved(p.Start, now, p.opts.Verbs)
	}
	if err := p.snapshot(ctx, &s); err != nil {
		return s, err
	}
	switch {
	case p.Create:
		err = p.repo.CreateBranch(ctx, p.Branch)
		s.Created = err == nil
	case p.Switch:
		err = p.repo.Switch(ctx, p.Branch)
		s.Switched = err == nil
	}
	if err != nil {
		return s, err
	}
	if err := p.commitPlan(ctx, &s); err != nil {
		return s, err
	}
	s.Head, err = p.repo.Head(ctx)
	return s, err
}

// moved says that somebody else worked here meanwhile.
func moved(want, got vcs.Head, words vcs.Verbs) error {
	todo := "somebody else works in this checkout"
	if words.History != "" {
		todo += ": look at `" + words.History + "`"
	}
	return &RefusedError{Kind: ErrMoved, Why: fmt.Sprintf("expected %s, found %s", place(want), place(got)), Todo: todo + ", then start again"}
}

func place(h vcs.Head) string {
	if h.Detached {
		return "a detached HEAD at " + h.Rev.Short()
	}
	return fmt.Sprintf("branch %s at %s", h.Branch, h.Rev.Short())
}

// snapshots is how many snapshots one run may leave: one a start.
const snapshots = 100

// snapshot keeps what is the user's under a ref of ours: an agent's own "git add -A" can't be prevented.
func (p *Prepared) snapshot(ctx context.Context, s *Started) error {
	if len(p.Dirty) == 0 {
		return nil
	}
	run := p.opts.RunID
	if run == "" {
		run = p.Start.Rev.Short()
	}
	for n := 1; n <= snapshots; n++ {
		ref := fmt.Sprintf("refs/ralphex/wip/%s/start", run)
		if n > 1 {
			ref += fmt.Sprintf("-%d", n)
		}
		rev, err := p.repo.Snapshot(ctx, ref, "your changes before the run "+run)
		if errors.Is(err, vcs.ErrExists) {
			continue
		}
		if err == nil {
			s.SnapshotRef, s.Snapshot = ref, rev
		}
		return err
	}
	return fmt.Errorf("keep your changes: %d snapshots of run %s are there already: %w", snapshots, run, vcs.ErrExists)
}

// onBranch makes sure that HEAD is on the run's branch, and, unless that was there before, where the run began.
func (p *Prepared) onBranch(ctx context.Context, switched bool) (vcs.Head, error) {
	at, err := p.repo.Head(ctx)
	if err != nil {
		return at, err
	}
	want := vcs.Head{Branch: p.Branch, Rev: p.Start.Rev}
	if switched {
		want.Rev = at.Rev
	}
	if !vcs.LineOf(p.repo, p.Branch).Same(at.Branch, want.Branch) || at.Rev != want.Rev {
		return at, moved(want, at, p.opts.Verbs)
	}
	return at, nil
}

func (p *Prepared) commitPlan(ctx context.Context, s *Started) error {
	if !p.PlanCommit {
		return nil
	}
	at, err := p.onBranch(ctx, s.Switched)
	if err != nil {
		return err
	}
	s.PlanMessage = "add plan: " + string(p.Branch)
	res, err := p.repo.Commit(ctx, vcs.CommitRequest{Message: s.PlanMessage, Title: p.opts.Title, Paths: p.planPaths, Trailer: p.opts.Trailer, Expect: &at})
	s.PlanCommit, s.PlanReadded, s.Replaced, s.Brought = res.Rev, res.Readded, res.Replaced, res.Brought
	if res.Titled {
		s.PlanMessage = p.opts.Title
	}
	if err != nil {
		return fmt.Errorf("commit the plan %s on branch %s: %w", p.Plan, p.Branch, err)
	}
	if len(res.Left) > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("a commit hook changes %s each time: it does not stay clean", p.Plan))
	}
	return nil
}
