package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// choose tries the wanted name, then the same with a number.
func (t *Tree) choose(ctx context.Context, changed bool) error {
	want := t.opts.Branch
	if want == "" {
		want = t.opts.Derived
	}
	if want == "" {
		return &RefusedError{Kind: ErrBranch, Why: "the plan gives no name for a branch", Todo: "name one with --branch NAME"}
	}
	for n := 1; n <= maxTrees; n++ {
		name := want
		if n > 1 {
			name = fmt.Sprintf("%s-%d", want, n)
		}
		why, err := t.try(ctx, TreeRef{Dir: filepath.Join(t.opts.Base, filepath.FromSlash(name)), Branch: vcs.Branch(name)}, changed)
		if err != nil || why == "" {
			return err
		}
		t.warn("not %s: %s", name, why)
	}
	return &RefusedError{Kind: ErrBranch, Why: fmt.Sprintf("%d worktrees and branches are called like %s", maxTrees, want),
		Todo: "ralphex worktrees gc; or name another branch with --branch NAME"}
}

// try looks whether a name can be had; why says why not.
func (t *Tree) try(ctx context.Context, ref TreeRef, changed bool) (why string, err error) {
	at, holder := t.at(ref.Dir), t.holder(ref.Branch)
	if at != nil && at.Missing {
		if at.Locked {
			return "its worktree is locked, and its folder is not there", nil
		}
		t.Forget = true
		defer func() { t.Forget = t.Forget && why == "" }()
		if holder == at {
			holder = nil
		}
		at = nil
	}
	switch {
	case holder != nil && holder != at:
		return "the branch is checked out in " + holder.Dir, nil
	case at != nil && at.Branch != ref.Branch:
		return "its worktree has another branch checked out", nil
	case at == nil && !vacant(ref.Dir):
		return ref.Dir + " holds files, and is no worktree", nil
	case at != nil:
		if why, err := t.leftOver(ctx, ref.Dir); why != "" || err != nil {
			return why, err
		}
	}
	exists, err := t.repo.BranchExists(ctx, ref.Branch)
	if err != nil {
		return "", err
	}
	if exists {
		why, err = t.leftBranch(ctx, ref, at != nil, changed)
		if why != "" || err != nil {
			return why, err
		}
	} else {
		other, err := t.repo.BranchInTheWay(ctx, ref.Branch)
		if err != nil {
			return "", err
		}
		if other != "" {
			return "there is a branch " + string(other) + ", and one name can't be both", nil
		}
		t.BringPlan = changed
	}
	t.Add, t.Create = at == nil, !exists
	t.use(ref)
	return "", nil
}

// leftOver says what keeps a worktree that is there from being used for another run.
func (t *Tree) leftOver(ctx context.Context, dir string) (why string, err error) {
	holder, busy, err := Busy(dir)
	if err != nil {
		return "", err
	}
	if busy {
		return "a run works there: " + holder.String(), nil
	}
	if !linked(dir, t.repo.Root()) {
		return "its worktree's link to the repository is broken", nil
	}
	repo, err := t.opts.Open(ctx, dir)
	if err != nil {
		return "its worktree can't be opened: " + err.Error(), nil
	}
	what, err := repo.InProgress(ctx)
	if err != nil {
		return "", err
	}
	if what != "" {
		return "a " + what + " is unfinished in its worktree", nil
	}
	status, err := repo.Status(ctx)
	if err != nil {
		return "", err
	}
	for _, c := range status.Changes {
		if c.Path != t.plan || !t.samePlan(onDisk(repo, c.Path)) {
			return "its worktree has uncommitted changes", nil
		}
	}
	return "", nil
}

// samePlan reports whether a file is the plan byte for byte: a copy that a killed start did not come to commit.
func (t *Tree) samePlan(file string) bool {
	a, err := plan.ReadFile(file)
	if err != nil {
		return false
	}
	b, err := plan.ReadFile(t.opts.Plan)
	return err == nil && bytes.Equal(a, b)
}

// leftBranch says what keeps a branch that exists from being worked on. One that was merged is brought up to Start.
func (t *Tree) leftBranch(ctx context.Context, ref TreeRef, hasTree, changed bool) (why string, err error) {
	rev := vcs.Rev("refs/heads/" + string(ref.Branch))
	merged, err := t.repo.IsAncestor(ctx, rev, t.Start)
	if err != nil {
		return "", err
	}
	level := false // it holds nothing, and is not behind: nobody would notice
	if merged {
		if level, err = t.repo.IsAncestor(ctx, t.Start, rev); err != nil {
			return "", err
		}
	}
	ours := hasTree || level || t.opts.Branch != "" || t.opts.Mine != nil && t.opts.Mine(ref.Branch)
	switch {
	case !ours:
		return "the branch exists, and no run of this plan made it", nil
	case merged:
		t.Forward, t.BringPlan = !level, changed
		return "", nil
	case t.plan == "":
		return "", nil
	}
	same, err := t.sameWork(ctx, ref)
	if err != nil {
		return "", err
	}
	if !same {
		return "the branch is not merged, and its plan is another one", nil
	}
	theirs, err := t.planOn(ctx, ref.Branch)
	t.BringPlan = theirs == nil
	return "", err
}

// planOn reads the plan as a branch has it, in its place or in the archive; nil if it has none.
func (t *Tree) planOn(ctx context.Context, b vcs.Branch) ([]byte, error) {
	for _, p := range []string{t.plan, archivePath(t.plan)} {
		text, err := t.repo.FileAt(ctx, vcs.Rev("refs/heads/"+string(b)), p)
		if text != nil || err != nil {
			return text, err
		}
	}
	return nil, nil
}

// sameWork reports whether the branch's plan asks for the same work as the one that the run is started with: the same tasks with the
// same boxes, ticked or not. A branch without the plan does; a plan that isn't there to compare with, too.
func (t *Tree) sameWork(ctx context.Context, ref TreeRef) (bool, error) {
	if t.plan == "" {
		return true, nil
	}
	theirs, err := t.planOn(ctx, ref.Branch)
	if theirs == nil || err != nil {
		return true, err
	}
	ours, err := plan.ReadFile(t.opts.Plan)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	a, aerr := plan.ParsePlan(theirs)
	b, berr := plan.ParsePlan(ours)
	return aerr == nil && berr == nil && outline(a) == outline(b), nil
}

// outline is a plan's tasks and boxes without their ticks.
func outline(p *plan.Plan) string {
	var b strings.Builder
	for _, t := range p.Tasks {
		fmt.Fprintf(&b, "%q\n", t.Title)
		for _, box := range t.Checkboxes {
			fmt.Fprintf(&b, "\t%q\n", box.Text)
		}
	}
	for _, c := range p.ValidationCommands {
		fmt.Fprintf(&b, "$ %q\n", c.Text)
	}
	return b.String()
}
