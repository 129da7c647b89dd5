package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralphex/internal/durable"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// Why a run can't have a worktree; each is the Kind of a RefusedError.
var (
	ErrNoTrees  = errors.New("no worktrees here")
	ErrTreeGone = errors.New("the branch of the earlier run is gone")
)

// TreeHistory answers what a worktree's branch is worth.
type TreeHistory interface {
	Head(ctx context.Context) (vcs.Head, error)
	BranchExists(ctx context.Context, b vcs.Branch) (bool, error)
	IsAncestor(ctx context.Context, a, b vcs.Rev) (bool, error)
	FileAt(ctx context.Context, r vcs.Rev, path string) ([]byte, error)
}

// TreeRepo is what a worktree run asks of the checkout that it is started from.
type TreeRepo interface {
	Place
	Files
	TreeHistory
	vcs.Worktrees
	Identity(ctx context.Context) error
}

// Trees returns the repository as one that can have worktrees, or the refusal that names the alternative.
func Trees(repo vcs.Repo) (TreeRepo, error) {
	if t, ok := repo.(TreeRepo); ok && repo.Caps().Worktrees {
		return t, nil
	}
	return nil, &RefusedError{Kind: ErrNoTrees, Why: "no worktrees with " + repo.Kind() + ": they need Git and its command",
		Todo: "leave --worktree (use_worktree) out to run in place; or make a second checkout by hand (hg share --bookmarks . ../OTHER, or a clone) and run there"}
}

// TreeRef names a worktree and the branch that belongs there.
type TreeRef struct {
	Dir    string
	Branch vcs.Branch
}

// TreeOptions say what a run wants of its worktree.
type TreeOptions struct {
	Base    string // absolute folder of the worktrees
	Branch  string // the user's own choice; empty = Derived
	Derived string // the name that the plan's file name gives
	Plan    string // absolute
	// Last is where the newest run of this plan worked, nil if it did not work in a worktree. With Resume the run must go on there.
	Last   *TreeRef
	Resume bool
	// Mine tells whether some run of this plan worked on the branch.
	Mine func(b vcs.Branch) bool
	// Open opens the checkout in a folder.
	Open func(ctx context.Context, dir string) (Repo, error)
}

// Tree is the worktree that a run will work in. It is chosen; Make makes it.
type Tree struct {
	TreeRef
	Start     vcs.Rev // where the checkout stands that the run is started from
	Add       bool    // the folder is made
	Create    bool    // so is the branch, at Start
	Forward   bool    // the branch holds nothing that Start does not have: it is brought up to it
	Forget    bool    // the repository remembers a folder that is gone
	PlanPath  string  // absolute, in the worktree; where the plan is no part of the repository: where it is
	BringPlan bool    // the plan is new or changed where the run is started, and copied from there
	Warnings  []string

	repo TreeRepo
	opts TreeOptions
	plan string // relative to the root; empty if it is no part of the repository
	list []vcs.Worktree
}

// maxTrees bounds the search for a free name.
const maxTrees = 100

// ChooseTree finds the worktree for a run and touches nothing. A left-over branch or folder is used again if it is this plan's, or
// holds nothing of its own; else the name gets a number. It returns *RefusedError or *vcs.IdentityError when the user has to do
// something first; ErrTreeGone is one of them.
func ChooseTree(ctx context.Context, repo TreeRepo, o TreeOptions) (*Tree, error) {
	t := &Tree{repo: repo, opts: o, PlanPath: o.Plan}
	head, err := repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	if head.Unborn {
		return nil, &RefusedError{Kind: ErrUnborn, Why: "the repository has no commit yet", Todo: `make one: git commit --allow-empty -m "initial commit"`}
	}
	t.Start = head.Rev
	if err := repo.Identity(ctx); err != nil {
		return nil, err
	}
	if t.list, err = repo.Worktrees(ctx); err != nil {
		return nil, err
	}
	changed, err := t.locatePlan(ctx)
	if err != nil {
		return nil, err
	}
	if o.Last != nil {
		if done, err := t.again(ctx); done || err != nil {
			return t, err
		}
	}
	return t, t.choose(ctx, changed)
}

// locatePlan finds the plan's path in the repository, and whether its text is not what HEAD has.
func (t *Tree) locatePlan(ctx context.Context) (changed bool, err error) {
	rel, err := t.repo.Rel(t.opts.Plan)
	if errors.Is(err, vcs.ErrOutside) {
		t.warn("the plan lies outside of the repository: its boxes are ticked there, and it is not committed")
		return false, nil
	}
	if err != nil {
		return false, err
	}
	rel = spelled(t.repo.Root(), rel, listDir)
	status, err := t.repo.Status(ctx)
	if err != nil {
		return false, err
	}
	for _, c := range status.Changes {
		if samePath(t.repo, c.Path, rel) {
			t.plan = c.Path
			return true, nil
		}
	}
	tracked, err := t.repo.Tracked(ctx, rel)
	if err != nil {
		return false, err
	}
	if tracked {
		t.plan = rel
		return false, nil
	}
	if _, err := os.Lstat(t.opts.Plan); errors.Is(err, fs.ErrNotExist) {
		t.plan = rel // renamed or archived: the worktree has it
		return false, nil
	}
	t.warn("the repository ignores the plan: its boxes are ticked where it lies, and it is not committed")
	return false, nil
}

// again tries the worktree of the plan's newest run. done is false where another one may be chosen.
func (t *Tree) again(ctx context.Context) (done bool, err error) {
	last := *t.opts.Last
	exists, err := t.repo.BranchExists(ctx, last.Branch)
	if err != nil {
		return false, err
	}
	if !exists {
		if !t.opts.Resume {
			return false, nil
		}
		return false, &RefusedError{Kind: ErrTreeGone, Why: fmt.Sprintf("branch %s, which the run worked on, is gone", last.Branch),
			Todo: "git reflog may still have it: git branch " + string(last.Branch) + " COMMIT"}
	}
	if !t.opts.Resume {
		if at := t.at(last.Dir); at == nil || at.Missing || at.Branch != last.Branch {
			return false, nil
		}
		if _, busy, err := Busy(last.Dir); busy || err != nil {
			return false, err
		}
		same, err := t.sameWork(ctx, last)
		if err != nil || !same {
			return false, err
		}
	}
	if err := t.settle(last); err != nil {
		return false, err
	}
	return true, nil
}

// settle makes t the worktree ref, whose branch exists; what is in the way is an error.
func (t *Tree) settle(ref TreeRef) error {
	at, holder := t.at(ref.Dir), t.holder(ref.Branch)
	switch {
	case at != nil && !at.Missing && at.Branch != ref.Branch:
		found := "branch " + string(at.Branch)
		if at.Branch == "" {
			found = "a detached HEAD at " + at.Rev.Short()
		}
		return &RefusedError{Kind: ErrMoved, Why: fmt.Sprintf("the run worked in %s: expected branch %s there, found %s", ref.Dir, ref.Branch, found),
			Todo: fmt.Sprintf("git -C %s switch %s, and run the same command", ref.Dir, ref.Branch)}
	case at != nil && !at.Missing && !linked(ref.Dir), at == nil && !vacant(ref.Dir):
		return &RefusedError{Kind: ErrMoved, Why: fmt.Sprintf("the run worked in %s, whose link to the repository is broken: expected the file %s, found none",
			ref.Dir, filepath.Join(ref.Dir, ".git")),
			Todo: fmt.Sprintf("git worktree repair, in the main checkout; or move the folder away, then it is made anew from branch %s", ref.Branch)}
	case at != nil && !at.Missing:
	case holder != nil && !holder.Missing && !holder.Main: // git worktree move
		t.warn("the worktree is in %s now", holder.Dir)
		ref.Dir = holder.Dir
	case holder != nil && !holder.Missing:
		return &RefusedError{Kind: ErrBranch, Why: fmt.Sprintf("branch %s, which the run worked on in a worktree, is checked out in %s", ref.Branch, holder.Dir),
			Todo: fmt.Sprintf("switch to another branch there (git -C %s switch -), and run the same command", holder.Dir)}
	default:
		t.warn("the worktree %s is gone; it is made anew from branch %s", ref.Dir, ref.Branch)
		t.Add, t.Forget = true, at != nil
	}
	t.use(ref)
	return nil
}

// use takes the decision.
func (t *Tree) use(ref TreeRef) {
	t.TreeRef = ref
	if t.plan != "" {
		t.PlanPath = filepath.Join(ref.Dir, filepath.FromSlash(t.plan))
	}
}

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
	if !linked(dir) {
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

// at is the worktree in a folder, if the repository knows one there.
func (t *Tree) at(dir string) *vcs.Worktree {
	dir = Settled(dir)
	for i, w := range t.list {
		if w.Dir == dir || sameFile(w.Dir, dir) {
			return &t.list[i]
		}
	}
	return nil
}

// holder is the worktree that has a branch checked out.
func (t *Tree) holder(b vcs.Branch) *vcs.Worktree {
	for i, w := range t.list {
		if w.Branch == b && !w.Bare {
			return &t.list[i]
		}
	}
	return nil
}

// vacant reports whether a folder is empty or not there.
func vacant(dir string) bool {
	entries, err := os.ReadDir(dir)
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0
}

// linked reports whether a folder has the file that links a worktree to its repository. Without it the folder belongs to whatever
// repository lies around it.
func linked(dir string) bool {
	fi, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && fi.Mode().IsRegular()
}

// Settled resolves the links of a path, as far as it exists.
func Settled(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(Settled(up), filepath.Base(path))
	}
	return path
}

// Busy tells whether a run works in a checkout, and which.
func Busy(dir string) (durable.Holder, bool, error) {
	return durable.Probe(LockFile(dir))
}

// LockFile is the run lock of a checkout.
func LockFile(dir string) string { return filepath.Join(dir, ".ralph", "run.lock") }

func (t *Tree) warn(format string, args ...any) {
	t.Warnings = append(t.Warnings, fmt.Sprintf(format, args...))
}
