package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"ralphex/pkg/vcs"
)

// Options say what a run wants of its place.
type Options struct {
	// PlanPath is absolute; empty for a run without a plan, which stays where it is.
	PlanPath string
	// Branch is the user's own choice (--branch); empty = DerivedBranch.
	Branch string
	// DerivedBranch is the name that the plan's file name gives.
	DerivedBranch string
	// DefaultBranch is configured; empty = what the repository says.
	DefaultBranch string
	// Trailer goes under each commit message.
	Trailer string
	// PlansDir is where plans live, relative to the root; for messages only.
	PlansDir string
	// RunID names the snapshot's ref; empty = the start commit does.
	RunID string
	// Resume says that a run of this plan was killed. What it left of a tracked plan is then not committed as the plan:
	// its ticks are claims that no gate has seen.
	Resume bool
	// Verbs are the repository's words, for hints; zero = git's.
	Verbs vcs.Verbs
	// ReadOnly says that the run commits nothing: nobody has to be known who would.
	ReadOnly bool
	// Title is what the run's commit is called, where it is one that grows.
	Title string
}

// Prepared is a place in which a run may start. Nothing has been touched yet.
type Prepared struct {
	Start   vcs.Head
	Default vcs.Branch
	Branch  vcs.Branch // to be worked on
	Create  bool       // Branch is made at Start
	Switch  bool       // Branch exists and is switched to

	// Dirty lists the paths that are the user's: changed or staged before the run, the plan aside. We never commit them.
	Dirty   []string
	Changes []vcs.Change // the same, as the repository tells it

	Plan        string // relative to the root; empty if it lies outside
	PlanCommit  bool   // the plan is new or changed, and will be committed
	PlanIgnored bool   // the repository ignores the plan
	// PlanChanges says that the plan is another one after Switch: read it again.
	PlanChanges bool
	Warnings    []string

	repo      Repo
	opts      Options
	ways      vcs.Ways
	ahead     vcs.Branch // the branch that is checked out and doesn't show in Start yet, since it has no commit; see vcs.Grower
	planPaths []string   // what the plan's commit holds: both ends if it was renamed
}

// Check finds out whether a run may start, and how. It touches nothing. It returns *RefusedError, *DirtyError, *vcs.HeldError or
// *vcs.IdentityError when the user has to do something first.
func Check(ctx context.Context, repo Repo, o Options) (*Prepared, error) {
	p := &Prepared{repo: repo, opts: o}
	if p.opts.Verbs.System == "" {
		p.opts.Verbs = vcs.GitVerbs("git")
	}
	p.ways = p.opts.Verbs.Ways()
	for _, step := range []func(context.Context) error{p.checkHead, p.checkPlan, p.chooseBranch, p.checkDirty, p.checkBranch, p.checkSwitch, p.checkIdentity} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Prepared) checkIdentity(ctx context.Context) error {
	if p.opts.ReadOnly {
		return nil
	}
	return p.repo.Identity(ctx)
}

// checkReady asks a repository that has conditions of its own, and what it keeps back about the branch.
func (p *Prepared) checkReady(ctx context.Context) error {
	if r, ok := p.repo.(vcs.Readier); ok {
		if err := r.Ready(ctx); err != nil {
			return err
		}
	}
	g, ok := p.repo.(vcs.Grower)
	if !ok {
		return nil
	}
	var err error
	p.ahead, err = g.Ahead(ctx)
	return err
}

func (p *Prepared) checkHead(ctx context.Context) error {
	what, err := p.repo.InProgress(ctx)
	if err != nil {
		return err
	}
	if what != "" {
		return &RefusedError{Kind: ErrUnfinished, Why: "a " + what + " is unfinished here", Todo: p.ways.Unfinished[what]}
	}
	if err := p.checkReady(ctx); err != nil {
		return err
	}
	if p.Start, err = p.repo.Head(ctx); err != nil {
		return err
	}
	switch {
	case p.Start.Unborn:
		return &RefusedError{Kind: ErrUnborn, Why: "the repository has no commit yet", Todo: "make one: " + p.ways.First}
	case p.Start.Detached:
		return &RefusedError{Kind: ErrDetached, Why: "HEAD is detached at " + p.Start.Rev.Short() + ": commits would belong to no branch",
			Todo: fmt.Sprintf("make a branch here with `%s`, or go to one with `%s`", named(p.ways.NewBranch), named(p.opts.Verbs.Switch))}
	}
	p.Default = vcs.Branch(p.opts.DefaultBranch)
	if g, ok := p.repo.(vcs.Grower); ok && g.Public() != "" {
		p.Default = g.Public() // what is configured is for prompts to compare with: no commit is ever on it
	}
	if p.Default == "" {
		p.Default, err = p.repo.DefaultBranch(ctx)
	}
	return err
}

// checkPlan sorts the plan's change from the user's.
func (p *Prepared) checkPlan(ctx context.Context) error {
	status, err := p.repo.Status(ctx)
	if err != nil {
		return err
	}
	if err := p.locatePlan(); err != nil {
		return err
	}
	changed, untracked := false, false
	for _, c := range status.Changes {
		if c.Unmerged() {
			return &RefusedError{Kind: ErrConflict, Why: printable(c.Path) + " is in conflict", Todo: "resolve it, then `" + strings.ReplaceAll(p.ways.Resolved, "{path}", printable(c.Path)) + "`"}
		}
		if p.Plan != "" && samePath(p.repo, c.Path, p.Plan) {
			p.Plan, p.planPaths = c.Path, c.Paths()
			changed, untracked = true, c.Untracked()
			continue
		}
		p.Changes = append(p.Changes, c)
		p.Dirty = append(p.Dirty, c.Paths()...)
	}
	switch {
	case p.Plan == "":
	case changed:
		p.PlanCommit = untracked || !p.opts.Resume
	default:
		tracked, err := p.repo.Tracked(ctx, p.Plan)
		if err != nil {
			return err
		}
		p.PlanIgnored = !tracked
	}
	return nil
}

// locatePlan finds the plan's path in the repository.
func (p *Prepared) locatePlan() error {
	if p.opts.PlanPath == "" {
		return nil
	}
	rel, err := p.repo.Rel(p.opts.PlanPath)
	if errors.Is(err, vcs.ErrOutside) {
		p.warn("the plan lies outside of the repository: it is not committed")
		return nil
	}
	if err != nil {
		return err
	}
	p.Plan = spelled(p.repo.Root(), rel, listDir)
	return nil
}

// chooseBranch picks the branch to work on: on the default branch, or when the user names one, that one; else the current one.
func (p *Prepared) chooseBranch(context.Context) error {
	own, onDefault := vcs.Branch(p.opts.Branch), p.OnDefault()
	want := own
	if want == "" {
		want = vcs.Branch(p.opts.DerivedBranch)
	}
	p.Branch = p.Start.Branch
	switch {
	case p.opts.PlanPath == "" && own == "":
	case own == "" && !onDefault:
		if want != p.Branch {
			p.warn("working on branch %s: a branch of the plan's own is only made from %s", p.Branch, p.Default)
		}
	case want == "":
		return &RefusedError{Kind: ErrBranch, Why: "the plan gives no name for a branch", Todo: "name one with --branch NAME"}
	case want == p.Start.Branch && own == "":
		return &RefusedError{Kind: ErrBranch, Why: fmt.Sprintf("the plan is named like the default branch %s, and the work should not go there", want),
			Todo: "name another branch with --branch NAME, or rename the plan"}
	case want == p.Start.Branch:
		if onDefault {
			p.warn("working on the default branch %s, as asked", want)
		}
	case want == p.ahead && onDefault:
		p.Branch = want // a run made it before, and did not come to its first commit
	default:
		p.Branch, p.Create = want, true // checkBranch finds out whether it is there
	}
	return nil
}

// named puts a placeholder for people into a command that wants a branch.
func named(command string) string { return strings.ReplaceAll(command, "{branch}", "NAME") }

// OnDefault reports whether the run begins on the default branch, where only the plan may be changed.
func (p *Prepared) OnDefault() bool { return p.Start.Branch.IsLocal(p.Default) }

// checkDirty applies the rule for changed files: on the default branch only the plan may be dirty. Elsewhere they are the user's to keep.
func (p *Prepared) checkDirty(context.Context) error {
	if len(p.Changes) == 0 {
		return nil
	}
	// A run on the default branch, as asked, that was killed amid its work; or one whose branch has no commit yet.
	goesOn := p.opts.Resume && (p.Branch == p.Start.Branch || p.Branch == p.ahead)
	if p.OnDefault() && p.opts.PlanPath != "" && !goesOn {
		return p.dirty("")
	}
	return nil
}

func (p *Prepared) dirty(to vcs.Branch) error {
	e := p.dirtyHere()
	e.Switch = to
	for _, c := range p.Changes {
		e.Files = append(e.Files, describe(c, p.ways.Staging))
	}
	return e
}

func (p *Prepared) dirtyHere() *DirtyError {
	e := &DirtyError{Branch: p.Start.Branch, PutAway: p.ways.PutAway}
	if len(p.planPaths) > 0 { // what is put away takes the plan along, and the run would not find it
		e.PutAway = p.ways.PutAwayBut(p.Plan)
	}
	if r, ok := p.repo.(interface{ Caps() vcs.Caps }); ok {
		e.Worktrees = r.Caps().Worktrees
	}
	if p.ways.Staging { // elsewhere uncommitted changes stay on what is public, whatever the branch
		e.NewBranch = named(p.ways.NewBranch)
	}
	return e
}

// ClearWay tells how changed paths are brought out of the way of a run.
func (p *Prepared) ClearWay() string { return p.dirtyHere().Hint() }

// checkBranch finds out whether the wanted branch is to be made or switched to.
func (p *Prepared) checkBranch(ctx context.Context) error {
	if !p.Create {
		return nil
	}
	exists, err := p.repo.BranchExists(ctx, p.Branch)
	if err != nil {
		return err
	}
	holder, err := p.repo.BranchHolder(ctx, p.Branch)
	if err != nil {
		return err
	}
	if holder != "" {
		return &vcs.HeldError{Branch: p.Branch, Dir: holder}
	}
	if r, ok := p.repo.(interface {
		BranchInTheWay(ctx context.Context, b vcs.Branch) (vcs.Branch, error)
	}); ok && !exists {
		other, err := r.BranchInTheWay(ctx, p.Branch)
		if err != nil {
			return err
		}
		if other != "" {
			return &RefusedError{Kind: ErrBranch, Why: fmt.Sprintf("branch %s can't be made: there is a branch %s, and one name can't be a branch and a folder of branches", p.Branch, other),
				Todo: "name another branch with --branch NAME"}
		}
	}
	p.Create, p.Switch = !exists, exists
	if p.Create && !p.OnDefault() {
		p.warn("branch %s starts at %s, not at %s", p.Branch, p.Start.Branch, p.Default)
	}
	return nil
}

// checkSwitch makes sure that the plan survives the switch to a branch that exists, before anything is switched.
func (p *Prepared) checkSwitch(ctx context.Context) error {
	if !p.Switch {
		return nil
	}
	if len(p.Changes) > 0 {
		return p.dirty(p.Branch)
	}
	if p.Plan == "" || p.PlanIgnored {
		return nil
	}
	there := vcs.Rev("refs/heads/" + string(p.Branch))
	theirs, err := p.repo.PathAt(ctx, there, p.Plan)
	if err != nil {
		return err
	}
	ours, err := p.repo.PathAt(ctx, p.Start.Rev, p.Plan)
	if err != nil {
		return err
	}
	p.PlanChanges = theirs != ours
	if !p.PlanChanges || ours == "" && theirs == "" {
		return nil
	}
	if len(p.planPaths) > 0 {
		return p.otherPlan("branch %s has another version of %s, and yours is not committed", "commit yours first")
	}
	if theirs == "" {
		archived, err := p.repo.PathAt(ctx, there, archivePath(p.Plan))
		if err != nil {
			return err
		}
		if archived == "" {
			return p.otherPlan("branch %s does not have the plan %s", "bring it up to date: "+p.ways.Update+", from that branch")
		}
		p.warn("branch %s has the plan in %s already", p.Branch, path.Dir(archivePath(p.Plan)))
		return nil
	}
	p.warn("branch %s has another version of the plan; that one counts", p.Branch)
	return nil
}

func (p *Prepared) otherPlan(why, todo string) error {
	return &RefusedError{Kind: ErrPlanOther, Why: fmt.Sprintf(why, p.Branch, p.Plan), Todo: todo + "; or work on a new branch with --branch NAME"}
}

func (p *Prepared) warn(format string, args ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...))
}
