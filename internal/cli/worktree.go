package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/progress"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// treeJob is what a run in a worktree knows of its place.
type treeJob struct {
	repo   workspace.TreeRepo // the checkout that the run was started from
	base   string             // folder of the worktrees
	source string             // the plan, where the run was started
	last   *journal.State     // the newest run of this plan that worked in a worktree
	chosen *workspace.Tree
	made   *workspace.Tree // chosen, when it is there
	guard  *durable.Lock   // held from the choice of a worktree until its own lock is taken
}

// inTree tells whether a run works in a worktree of its own.
func inTree(s event.RunStart) bool { return s.Worktree != "" }

// sameKind tells whether a run works where this one does: in place, or in a worktree.
func (j *job) sameKind(s event.RunStart) bool { return inTree(s) == (j.tree != nil) }

// mainCheckout is the checkout that worktrees belong to; a repository without a working tree has none, then it is this one.
func (j *job) mainCheckout(ctx context.Context) (vcs.Repo, error) {
	if fi, err := os.Lstat(filepath.Join(j.repo.Root(), ".git")); err != nil || fi.IsDir() {
		return j.repo, nil // not a linked one
	}
	trees, err := workspace.Trees(j.repo)
	if err != nil {
		return j.repo, nil
	}
	list, err := trees.Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || list[0].Bare || list[0].Missing {
		return j.repo, nil
	}
	if _, err := os.Lstat(filepath.Join(list[0].Dir, ".git")); err != nil {
		return j.repo, nil // a submodule's: its git folder is elsewhere
	}
	return openRepo(ctx, j.proc.at(list[0].Dir))
}

// carried is a path below one folder, below another one.
func carried(path, from, to string) string {
	rel, err := filepath.Rel(from, workspace.Settled(path))
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.Join(to, rel)
}

// knownPlan finds a plan that is not there any more, but that a worktree run of this repository goes on with.
func (j *job) knownPlan(ctx context.Context) bool {
	if j.opts.plan == "" {
		return false
	}
	path := absolute(j.proc.Dir, j.opts.plan)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	main, err := j.mainCheckout(ctx)
	if err != nil {
		return false
	}
	last, err := journal.LatestWhere(filepath.Join(main.Root(), storeDir, "events"), carried(path, j.repo.Root(), main.Root()), inTree)
	if err != nil || last == nil || !goesOn(last) {
		return false
	}
	j.planAt = path
	return true
}

// goesOn tells whether a run has not come to an end that needs nothing more.
func goesOn(s *journal.State) bool {
	return s.End == nil || s.End.Outcome == event.Failed || s.End.Outcome == event.Interrupted || s.End.Outcome == event.LeftHuman
}

// choosePlace decides whether the run works in place or in a worktree: flags and settings say, and else the run that is gone on with.
func (j *job) choosePlace(ctx context.Context) error {
	j.named = j.planAt
	main, err := j.mainCheckout(ctx)
	if err != nil {
		return err
	}
	named := j.planAt
	if main.Root() != j.repo.Root() {
		named = carried(j.planAt, j.repo.Root(), main.Root())
	}
	events := filepath.Join(main.Root(), storeDir, "events")
	newest, err := journal.LatestWhere(events, named, func(s event.RunStart) bool { return main == j.repo || s.Worktree == j.repo.Root() })
	if err != nil {
		return hinted(fmt.Errorf("read the journal of the last run: %w", err), "move the file away to start afresh; the plan's boxes tell what is done")
	}
	want := j.cfg.UseWorktree
	if !want && j.opts.worktree == nil && newest != nil && inTree(newest.Start) && goesOn(newest) {
		want = true
		j.notes = append(j.notes, event.Note{Level: event.Info,
			Text: fmt.Sprintf("the last run of this plan works in %s: going on there (--no-worktree: in place)", relative(j.proc.Dir, newest.Start.Worktree))})
	}
	if !want {
		if j.cfg.RequireWorktree && main == j.repo {
			return usage(fmt.Errorf("%s: require_worktree: a run in the main checkout is refused", j.cfg.Source("require_worktree")), "add --worktree")
		}
		return nil
	}
	trees, err := workspace.Trees(j.repo)
	if err != nil {
		return err
	}
	base, err := j.treeBase(main.Root())
	if err != nil {
		return err
	}
	j.home, j.named = main, named
	j.tree = &treeJob{repo: trees, base: base, source: j.planAt}
	if j.tree.last, err = journal.LatestWhere(events, named, inTree); err != nil {
		return err
	}
	if newest != nil && !inTree(newest.Start) && goesOn(newest) && newest.End == nil {
		j.notes = append(j.notes, event.Note{Level: event.Warn,
			Text: fmt.Sprintf("run %s of this plan in %s is not finished, and stays as it is", newest.Run, main.Root())})
	}
	return nil
}

// treeBase is the folder of the worktrees. A repository must not choose a place outside of itself.
func (j *job) treeBase(root string) (string, error) {
	dir := filepath.FromSlash(j.cfg.WorktreeDir)
	if filepath.IsLocal(dir) {
		return workspace.Settled(filepath.Join(root, dir)), nil
	}
	if j.cfg.Origin("worktree_dir").Layer == config.Local {
		return "", usage(j.cfg.Reject("worktree_dir", "a repository's own settings may only name a folder inside of it"), "put it into the global settings")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	return workspace.Settled(filepath.Join(dir, filepath.Base(root))), nil
}

// chooseTree finds the worktree that the run will have.
func (j *job) chooseTree(ctx context.Context) error {
	if j.tree == nil {
		return nil
	}
	if err := j.legalBranch(); err != nil {
		return err
	}
	o := workspace.TreeOptions{Base: j.tree.base, Branch: j.opts.branch, Derived: plan.BranchName(j.named), Plan: j.tree.source,
		Resume: j.earlier != nil, Mine: j.ranOn, Open: func(ctx context.Context, dir string) (workspace.Repo, error) {
			return openRepo(ctx, j.proc.at(dir))
		}}
	if last := j.tree.last; last != nil {
		o.Last = &workspace.TreeRef{Dir: last.Start.Worktree, Branch: vcs.Branch(last.Start.Branch)}
	}
	t, err := workspace.ChooseTree(ctx, j.tree.repo, o)
	if errors.Is(err, workspace.ErrTreeGone) {
		j.notes = append(j.notes, event.Note{Level: event.Warn, Text: err.Error() + ": the plan is begun afresh", Hint: hintOf(err)})
		j.earlier, j.tree.last, j.id = nil, nil, journal.NewRunID(time.Now())
		return j.chooseTree(ctx)
	}
	if err != nil {
		return err
	}
	j.tree.chosen = t
	return nil
}

// ranOn tells whether some run of this plan worked on a branch.
func (j *job) ranOn(b vcs.Branch) bool {
	s, err := journal.LatestWhere(j.store("events"), j.named, func(s event.RunStart) bool { return s.Branch == string(b) })
	return err == nil && s != nil
}

// planNow is the plan that counts: the worktree's, where there is one that is gone on with.
func (j *job) planNow() (string, error) {
	if j.tree != nil && j.tree.chosen != nil {
		if t := j.tree.chosen; !t.Add && !t.BringPlan {
			if at, err := plan.Locate(t.PlanPath); err == nil {
				return at, nil
			}
		}
	}
	return plan.Locate(j.planAt)
}

// startWait is how long a start waits for another one that is making its worktree.
const startWait = 10 * time.Minute

// holdStart keeps others from starting here: the run lock in place; for a worktree, whose own lock lies in it, a lock of the main
// checkout that is held for the moment of the start.
func (j *job) holdStart(ctx context.Context) error {
	if j.tree == nil {
		return j.lock(j.id)
	}
	if j.tree.guard != nil {
		return nil
	}
	if err := workspace.EnsureSelfIgnored(j.store()); err != nil {
		return fmt.Errorf("make %s: %w", j.store(), err)
	}
	who := durable.Holder{Run: string(j.id), What: "gc", Since: time.Now()}
	if j.named != "" {
		who.Plan, who.What = relative(j.home.Root(), j.named), "start in a worktree"
	}
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	for {
		l, err := durable.Acquire(j.store("worktrees.lock"), who)
		if err == nil {
			j.tree.guard = l
			return nil
		}
		if !errors.Is(err, durable.ErrHeld) {
			return err
		}
		select {
		case <-ctx.Done():
			return busy(err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (j *job) releaseStart() {
	if j.tree != nil && j.tree.guard != nil {
		_ = j.tree.guard.Release() // the OS lock ends with the process at the latest
		j.tree.guard = nil
	}
}

// takePlace takes the run lock of the checkout that is worked in, which is made first where it is a worktree.
func (j *job) takePlace(ctx context.Context) error {
	if j.tree == nil {
		return j.lock(j.id)
	}
	if err := j.holdStart(ctx); err != nil {
		return err
	}
	defer j.releaseStart()
	if err := j.chooseTree(ctx); err != nil { // once more: another start may have been faster
		return err
	}
	if err := j.ignoreBase(); err != nil {
		return err
	}
	if err := j.tree.chosen.Make(ctx); err != nil {
		return err
	}
	repo, err := openRepo(ctx, j.proc.at(j.tree.chosen.Dir))
	if err != nil {
		return err
	}
	if err := j.expected(ctx, repo); err != nil {
		return err
	}
	j.tree.made, j.repo, j.planAt = j.tree.chosen, repo, j.tree.chosen.PlanPath
	if err := j.lock(j.id); err != nil {
		return err
	}
	return j.lookAgain(ctx)
}

// expected makes sure that what was opened is the worktree that was made: its folder, its repository, its branch.
func (j *job) expected(ctx context.Context, repo vcs.Repo) error {
	t := j.tree.chosen
	surprise := func(what, want, found string) error {
		return &phase.SurpriseError{What: fmt.Sprintf("worktree %s: expected %s %s, found %s", t.Dir, what, want, found),
			Way: "git worktree list shows what Git knows of it; git worktree repair mends its link"}
	}
	if want := workspace.Settled(t.Dir); repo.Root() != want {
		return surprise("top-level", want, repo.Root())
	}
	trees, err := workspace.Trees(repo)
	if err != nil {
		return err
	}
	list, err := trees.Worktrees(ctx)
	if err != nil {
		return err
	}
	ours, err := j.tree.repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	if list[0].Dir != ours[0].Dir {
		return surprise("repository", ours[0].Dir, list[0].Dir)
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return err
	}
	if head.Branch != t.Branch {
		return surprise("branch", string(t.Branch), string(head.Branch))
	}
	return nil
}

// ignoreBase keeps the worktrees out of the main checkout's status.
func (j *job) ignoreBase() error {
	if _, err := progress.Ignore(filepath.Join(j.home.Root(), ".ralphex")); err != nil {
		return err
	}
	rel, err := filepath.Rel(j.home.Root(), j.tree.base)
	if err != nil || !filepath.IsLocal(rel) || rel == filepath.Join(".ralphex", "worktrees") {
		return nil
	}
	return workspace.EnsureSelfIgnored(j.tree.base)
}

// lookAgain reads in the worktree what was read in the main checkout before: settings, plan, agent, and what is dirty.
func (j *job) lookAgain(ctx context.Context) error {
	if err := j.branchConfig(); err != nil {
		return err
	}
	at, err := plan.Locate(j.planAt)
	if err != nil {
		return err
	}
	if j.plan, err = readPlan(at); err != nil {
		return err
	}
	if err := j.findAgent(ctx); err != nil {
		return err
	}
	return j.checkPlace(ctx)
}

// branchConfig takes the settings as the branch has them, if it has any of its own; what decided on the place has done so.
func (j *job) branchConfig() error {
	own := false
	for _, name := range []string{"config", "prompts"} {
		if _, err := os.Stat(filepath.Join(j.repo.Root(), ".ralphex", name)); err == nil {
			own = true
		}
	}
	if !own {
		return nil
	}
	cfg, warnings, err := config.Load(config.Options{GlobalDir: j.opts.configDir, RepoRoot: j.repo.Root(), Env: j.proc.Env,
		Flags: j.opts.flags, TrustRepo: j.opts.trustRepo, Executors: executorNames()})
	if err != nil {
		return usage(fmt.Errorf("settings of branch %s: %w", j.tree.made.Branch, err), hintOf(err))
	}
	notes := keysNotYet(cfg)
	for _, w := range warnings {
		notes = append(notes, event.Note{Level: event.Warn, Text: w.String()})
	}
	for _, n := range notes {
		if !hasNote(j.notes, n.Text) {
			j.notes = append(j.notes, n)
		}
	}
	j.cfg = cfg
	return nil
}

func hasNote(notes []event.Note, text string) bool {
	for _, n := range notes {
		if n.Text == text {
			return true
		}
	}
	return false
}

// treeDir is the worktree's folder for the journal, "" in place.
func (j *job) treeDir() string {
	if j.tree == nil {
		return ""
	}
	return j.repo.Root()
}

// treePlan is the plan in the worktree for the progress file, "" in place.
func (j *job) treePlan() string {
	if j.tree == nil || j.planAt == j.named {
		return ""
	}
	return j.planAt
}

// told is how a path is told to people: the worktree is gone when they read it, so it is the place in the branch.
func (j *job) told(path string) string {
	if j.tree == nil {
		return path
	}
	return filepath.ToSlash(relative(j.repo.Root(), path))
}

// childEnv is the environment of what runs in the checkout. In a worktree with a broken link, git would climb on into the
// repository around it.
func (j *job) childEnv() []string {
	if j.tree == nil {
		return j.proc.Env
	}
	ceiling := filepath.Dir(j.repo.Root())
	env := make([]string, 0, len(j.proc.Env)+2)
	for _, kv := range j.proc.Env {
		if rest, ok := cutVar(kv, "GIT_CEILING_DIRECTORIES"); ok {
			ceiling += string(filepath.ListSeparator) + rest
			continue
		}
		env = append(env, kv)
	}
	return append(env, "GIT_CEILING_DIRECTORIES="+ceiling, "RALPHEX_MAIN_CHECKOUT="+j.home.Root())
}

func cutVar(kv, name string) (value string, ok bool) {
	if len(kv) > len(name) && kv[:len(name)] == name && kv[len(name)] == '=' {
		return kv[len(name)+1:], true
	}
	return "", false
}
