package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor"
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
	// reviewed is the worktree that a review was sent to, whether it is there or not; nil where a plan is worked off.
	reviewed *workspace.TreeRef
	guard    *durable.Lock // held from the choice of a worktree until its own lock is taken
}

// inTree tells whether a run works in a worktree of its own.
func inTree(s event.RunStart) bool { return s.Worktree != "" }

// sameKind tells whether a run does what this one does, where this one does it: tasks in place or in a worktree, reviews on this branch.
func (j *job) sameKind(s event.RunStart, here vcs.Branch) bool {
	switch {
	case worksTasks(j.mode()):
		return doesTasks(s) && inTree(s) == (j.tree != nil)
	case j.drafts():
		return s.Mode == j.modeName() && s.Request == j.opts.create.request
	default:
		return s.Mode == j.modeName() && j.sameTree(s, here)
	}
}

// tasksInTree tells whether a run works a plan off in a worktree.
func tasksInTree(s event.RunStart) bool { return inTree(s) && doesTasks(s) }

// doesTasks tells whether a run works tasks off.
func doesTasks(s event.RunStart) bool { return worksTasks(processor.Mode(s.Mode)) }

// mainCheckout is the checkout that worktrees belong to; a repository without a working tree has none, then it is this one.
func mainCheckout(ctx context.Context, p *Proc, repo vcs.Repo) (vcs.Repo, error) {
	if !isLinked(repo.Root()) {
		return repo, nil
	}
	trees, err := workspace.Trees(repo)
	if err != nil {
		return repo, nil
	}
	list, err := trees.Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || list[0].Bare || list[0].Missing {
		return repo, nil
	}
	if vcs.Top(list[0].Dir) != list[0].Dir {
		return repo, nil // a submodule's: its git folder is elsewhere
	}
	return openRepo(ctx, p.at(list[0].Dir))
}

// isLinked tells a checkout whose history lies elsewhere.
func isLinked(root string) bool {
	fi, err := os.Lstat(filepath.Join(root, ".git"))
	if errors.Is(err, fs.ErrNotExist) {
		fi, err = os.Lstat(filepath.Join(root, ".hg", "sharedpath"))
	}
	return err == nil && fi.Mode().IsRegular()
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
	main, err := mainCheckout(ctx, j.proc, j.repo)
	if err != nil {
		return false
	}
	last, err := journal.Latest(filepath.Join(main.Root(), storeDir, "events"), carried(path, j.repo.Root(), main.Root()), tasksInTree)
	if err != nil || last == nil || worksTasks(j.mode()) && !goesOn(last) {
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
	main, err := mainCheckout(ctx, j.proc, j.repo)
	if err != nil {
		return err
	}
	switch {
	case !worksTasks(j.mode()) && j.opts.worktree != nil && *j.opts.worktree:
		return j.chooseReviewed(ctx, main)
	case !worksTasks(j.mode()):
		return j.chooseHere(ctx, main == j.repo)
	}
	named := j.planAt
	if main.Root() != j.repo.Root() {
		named = carried(j.planAt, j.repo.Root(), main.Root())
	}
	events := filepath.Join(main.Root(), storeDir, "events")
	newest, err := journal.Latest(events, named, func(s event.RunStart) bool {
		return doesTasks(s) && (main == j.repo || s.Worktree == j.repo.Root())
	})
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
		return j.refuseMain(main == j.repo, "add --worktree")
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
	if j.tree.last, err = journal.Latest(events, named, tasksInTree); err != nil {
		return err
	}
	if newest != nil && !inTree(newest.Start) && goesOn(newest) && newest.End == nil {
		j.notes = append(j.notes, event.Note{Level: event.Warn,
			Text: fmt.Sprintf("run %s of this plan in %s is not finished, and stays as it is", newest.Run, main.Root())})
	}
	return nil
}

// chooseHere is the place of a run that stays on the branch that is checked out.
func (j *job) chooseHere(ctx context.Context, inMain bool) error {
	head, err := j.repo.Head(ctx)
	if err != nil {
		return err
	}
	j.stays(head)
	if j.opts.report {
		return nil
	}
	return j.refuseMain(inMain, "add --worktree and name the plan, or review a worktree from inside of it")
}

// refuseMain obeys require_worktree.
func (j *job) refuseMain(inMain bool, way string) error {
	if j.cfg.RequireWorktree && inMain {
		return usage(fmt.Errorf("%s: require_worktree: a run in the main checkout is refused", j.cfg.Source("require_worktree")), way)
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
	if j.tree.reviewed != nil {
		o = j.reviewedOptions(o)
	}
	t, err := workspace.ChooseTree(ctx, j.tree.repo, o)
	if errors.Is(err, workspace.ErrTreeGone) && j.tree.reviewed == nil {
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
	s, err := journal.Latest(j.store("events"), j.named, func(s event.RunStart) bool { return s.Branch == string(b) })
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

// mainCheckoutEnv tells what runs in a worktree where the main checkout is, whose store is the run's.
const mainCheckoutEnv = "RALPHEX_MAIN_CHECKOUT"

// childEnv is the environment of what runs in the checkout. In a worktree with a broken link, git would climb on into the
// repository around it.
func (j *job) childEnv() []string {
	if j.tree == nil {
		return withDepth(j.proc.Env)
	}
	ceiling := filepath.Dir(j.repo.Root())
	env := make([]string, 0, len(j.proc.Env)+2)
	for _, kv := range j.proc.Env {
		if rest, ok := strings.CutPrefix(kv, "GIT_CEILING_DIRECTORIES="); ok {
			ceiling += string(filepath.ListSeparator) + rest
			continue
		}
		env = append(env, kv)
	}
	return append(withDepth(env), "GIT_CEILING_DIRECTORIES="+ceiling, mainCheckoutEnv+"="+j.home.Root())
}

// namedBranch is what the text log of the run is called after: the branch, where it is not the plan's own name. A worktree whose name was taken
// has a number, and the log of the run that has the name is in use.
func (j *job) namedBranch() string {
	if j.tree != nil && j.tree.chosen != nil && string(j.tree.chosen.Branch) != plan.BranchName(j.named) {
		return string(j.tree.chosen.Branch)
	}
	return j.opts.branch
}
