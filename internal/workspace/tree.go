package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralphex/internal/durable"
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
	BranchInTheWay(ctx context.Context, b vcs.Branch) (vcs.Branch, error)
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
	return nil, &RefusedError{Kind: ErrNoTrees, Why: "no worktrees with " + repo.Kind() + ": they need Git or Mercurial, and its command",
		Todo: "leave --worktree (use_worktree) out to run in place; or make a second checkout by hand (a clone) and run there"}
}

// ways are the repository's words.
func ways(repo any) vcs.Ways {
	if v, ok := repo.(vcs.Verber); ok {
		return v.Verbs().Ways()
	}
	return vcs.GitVerbs("git").Ways()
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
	Plan    string // absolute; empty where a branch is reviewed without one
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
		return nil, &RefusedError{Kind: ErrUnborn, Why: "the repository has no commit yet", Todo: "make one: " + ways(repo).First}
	}
	t.Start = head.Rev
	if err := repo.Identity(ctx); err != nil {
		return nil, err
	}
	if t.list, err = repo.Worktrees(ctx); err != nil {
		return nil, err
	}
	changed := false
	if o.Plan != "" {
		if changed, err = t.locatePlan(ctx); err != nil {
			return nil, err
		}
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
			Todo: t.way(ways(t.repo).Named, last)}
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
	at, holder, words := t.at(ref.Dir), t.holder(ref.Branch), ways(t.repo)
	switch {
	case at != nil && !at.Missing && at.Branch != ref.Branch:
		found := "branch " + string(at.Branch)
		if at.Branch == "" {
			found = words.Nowhere + " " + at.Rev.Short()
		}
		return &RefusedError{Kind: ErrMoved, Why: fmt.Sprintf("the run worked in %s: expected branch %s there, found %s", ref.Dir, ref.Branch, found),
			Todo: t.way(words.GoBack, ref) + ", and run the same command"}
	case at != nil && !at.Missing && !linked(ref.Dir, t.repo.Root()), at == nil && !vacant(ref.Dir):
		return &RefusedError{Kind: ErrMoved, Why: fmt.Sprintf("the run worked in %s, whose link to the repository is broken: %s", ref.Dir, brokenLink(ref.Dir, t.repo.Root())),
			Todo: fmt.Sprintf("%s; or move the folder away, then it is made anew from branch %s", t.way(words.Mend, ref), ref.Branch)}
	case at != nil && !at.Missing:
	case holder != nil && !holder.Missing && !holder.Main: // git worktree move
		t.warn("the worktree is in %s now", holder.Dir)
		ref.Dir = holder.Dir
	case holder != nil && !holder.Missing:
		return &RefusedError{Kind: ErrBranch, Why: fmt.Sprintf("branch %s, which the run worked on in a worktree, is checked out in %s", ref.Branch, holder.Dir),
			Todo: fmt.Sprintf("go to another branch there (%s), and run the same command", words.Tree(words.Leave, holder.Dir, ""))}
	case holder != nil && holder != at: // it may be on a disk that is away: not ours to forget
		return &RefusedError{Kind: ErrBranch, Why: fmt.Sprintf("branch %s, which the run worked on, is checked out in %s, and that is not there", ref.Branch, holder.Dir),
			Todo: words.Moved + "; then run the same command"}
	default:
		t.warn("the worktree %s is gone; it is made anew from branch %s", ref.Dir, ref.Branch)
		t.Add, t.Forget = true, at != nil
	}
	t.use(ref)
	return nil
}

// way is a command about a worktree, to be typed.
func (t *Tree) way(command string, ref TreeRef) string {
	return ways(t.repo).Tree(command, ref.Dir, ref.Branch)
}

// use takes the decision.
func (t *Tree) use(ref TreeRef) {
	t.TreeRef = ref
	if t.plan != "" {
		t.PlanPath = filepath.Join(ref.Dir, filepath.FromSlash(t.plan))
	}
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

// linked reports whether a worktree of the repository at root has the file that links it there. Without it the folder belongs to whatever
// repository lies around it.
func linked(dir, root string) bool { return brokenLink(dir, root) == "" }

// brokenLink says what is wrong with that file; "" = nothing.
func brokenLink(dir, root string) string {
	file, share := filepath.Join(dir, ".git"), filepath.Join(dir, ".hg", "sharedpath")
	if vcs.Top(dir) == dir && isFile(share) {
		return brokenShare(share)
	}
	if _, err := os.Lstat(filepath.Join(root, ".git")); errors.Is(err, fs.ErrNotExist) {
		file = share // all of it may be gone, so that the repository says what should be there
	}
	fi, err := os.Lstat(file)
	if err != nil || !fi.Mode().IsRegular() {
		return "expected the file " + file + ", found none"
	}
	text, err := os.ReadFile(file)
	target, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if err != nil || !ok {
		return file + " is no link"
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	if _, err := os.Stat(filepath.Join(target, "HEAD")); err != nil {
		return file + " leads to " + target + ", which is no repository"
	}
	return ""
}

// brokenShare is brokenLink for the one of Mercurial.
func brokenShare(link string) string {
	text, err := os.ReadFile(link)
	if err != nil {
		return err.Error()
	}
	target := filepath.FromSlash(strings.TrimRight(string(text), "\r\n"))
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(link), target)
	}
	if _, err := os.Stat(filepath.Join(target, "store")); err != nil {
		return link + " leads to " + target + ", which is no repository"
	}
	return ""
}

func isFile(path string) bool {
	fi, err := os.Lstat(path)
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
