package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ralphex/internal/journal"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// chooseReviewed is the place of a review that --worktree sends to the branch of its plan: the worktree where that is checked out, or one
// that is made for it. The branch must be there: it is what is reviewed.
func (j *job) chooseReviewed(ctx context.Context, main vcs.Repo) error {
	trees, err := workspace.Trees(j.repo)
	if err != nil {
		return err
	}
	base, err := j.treeBase(main.Root())
	if err != nil {
		return err
	}
	if err := j.legalBranch(); err != nil {
		return err
	}
	named := j.planAt
	if j.hasPlan() && main != j.repo {
		named = carried(j.planAt, j.repo.Root(), main.Root())
	}
	ref := workspace.TreeRef{Branch: vcs.Branch(j.opts.branch)}
	switch {
	case !j.hasPlan() && ref.Branch == "":
		return usage(errors.New("--worktree: which branch is to be reviewed?"), "name its plan, or the branch: --branch BRANCH")
	case ref.Branch == "":
		if ref, err = j.workedIn(main, named); err != nil {
			return err
		}
	}
	if exists, err := trees.BranchExists(ctx, ref.Branch); err != nil {
		return err
	} else if !exists {
		return usage(fmt.Errorf("nothing to review: there is no branch %s", ref.Branch), "run the plan first, or name its branch: --branch BRANCH")
	}
	if ref.Dir == "" {
		ref.Dir = filepath.Join(base, filepath.FromSlash(string(ref.Branch)))
	}
	if err := j.notCheckedOut(ctx, main, ref.Branch); err != nil {
		return err
	}
	j.home, j.named = main, named
	j.tree = &treeJob{repo: trees, base: base, source: j.planAt, reviewed: &ref}
	return nil
}

// workedIn is where the newest run of a plan worked; the folder is empty where that was no worktree.
func (j *job) workedIn(main vcs.Repo, named string) (workspace.TreeRef, error) {
	last, err := journal.Latest(filepath.Join(main.Root(), storeDir, "events"), named, doesTasks)
	if err != nil {
		return workspace.TreeRef{}, hinted(fmt.Errorf("read the journal of the last run: %w", err), "name the branch: --branch BRANCH")
	}
	if last == nil || last.WorkedOn() == "" {
		return workspace.TreeRef{Branch: vcs.Branch(plan.BranchName(named))}, nil
	}
	return workspace.TreeRef{Dir: last.Start.Worktree, Branch: vcs.Branch(last.WorkedOn())}, nil
}

// notCheckedOut refuses a branch that the main checkout has: no second one can have it, too.
func (j *job) notCheckedOut(ctx context.Context, main vcs.Repo, b vcs.Branch) error {
	head, err := main.Head(ctx)
	if err != nil {
		return err
	}
	if head.Detached || head.Branch != b {
		return nil
	}
	return usage(fmt.Errorf("--worktree: branch %s is checked out in %s", b, main.Root()), "leave --worktree out, and review it there")
}

// reviewedOptions are what a review wants of its worktree: it is there, or is made from the branch; never another one.
func (j *job) reviewedOptions(o workspace.TreeOptions) workspace.TreeOptions {
	o.Last, o.Resume = j.tree.reviewed, true
	return o
}

// lookAtReviewed reads in the worktree what a review needs of its plan, and whether there is anything to look at.
func (j *job) lookAtReviewed(ctx context.Context) error {
	if j.hasPlan() {
		at, err := plan.Locate(j.planAt)
		if err != nil {
			return usage(err, "branch "+string(j.tree.made.Branch)+" does not have this plan: name the branch alone, --branch")
		}
		if j.plan, err = plan.ParsePlanFile(at); err != nil {
			return usage(err, "")
		}
	}
	if err := j.findAgent(ctx); err != nil {
		return err
	}
	if err := j.checkPlace(ctx); err != nil {
		return err
	}
	return j.checkChange(ctx)
}

// madeForReview tells whether a worktree was made for a review that only looks or mends: it goes again, if it holds nothing.
func (r *running) madeForReview() bool { return r.tree.reviewed != nil && r.tree.made.Add }

// staysAsItWas tells whether the worktree is none of the run's to remove: a review came to visit.
func (r *running) staysAsItWas() bool { return r.tree.reviewed != nil && !r.tree.made.Add }

// sameTree tells whether an earlier run worked where this one does: in place, or in the worktree of the branch.
func (j *job) sameTree(s event.RunStart, here vcs.Branch) bool {
	if j.tree != nil {
		here = j.tree.reviewed.Branch
	}
	return inTree(s) == (j.tree != nil) && s.Branch == string(here)
}
