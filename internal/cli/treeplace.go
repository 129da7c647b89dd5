package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/progress"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// startWait is how long a start waits for another one that is making its worktree.
const startWait = 10 * time.Minute

// holdStart keeps others from starting here: the run lock in place; for a worktree, whose own lock lies in it, a lock of the main
// checkout that is held for the moment of the start.
func (j *job) holdStart(ctx context.Context) error {
	if j.opts.dry {
		return nil // nothing is going to be made
	}
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
	j.proc.layers.Trusted = trusted(j.proc, config.Options{GlobalDir: j.opts.configDir, Env: j.proc.Env}, j.home.Root()) // what was allowed there counts here
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
	t, words := j.tree.chosen, vcs.VerbsOf(repo).Ways()
	surprise := func(what, want, found string) error {
		return &phase.SurpriseError{What: fmt.Sprintf("worktree %s: expected %s %s, found %s", t.Dir, what, want, found),
			Way: words.Tree(words.Look, t.Dir, t.Branch)}
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
	at, err := workspace.CheckedOut(ctx, repo)
	if err == nil && at != t.Branch {
		err = surprise("branch", string(t.Branch), string(at))
	}
	return err
}

// ignoreBase keeps the worktrees out of the main checkout's status.
func (j *job) ignoreBase() error {
	if err := j.ignoreOurs(); err != nil {
		return err
	}
	rel, err := filepath.Rel(j.home.Root(), j.tree.base)
	if err != nil || !filepath.IsLocal(rel) || rel == filepath.Join(".ralphex", "worktrees") {
		return nil
	}
	if j.repo.Kind() == "hg" {
		return nil // Mercurial passes over repositories in its tree
	}
	return workspace.EnsureSelfIgnored(j.tree.base)
}

// ignoreOurs makes .ralphex ignore what a run leaves in it. Where a worktree run finds an ignore file, which may well be a tracked one of the
// person's, each folder ignores itself instead: the main checkout stays as it is.
func (j *job) ignoreOurs() error {
	dir := filepath.Join(j.home.Root(), ".ralphex")
	text, err := durable.ReadFile(filepath.Join(dir, ".gitignore"), 1<<20)
	if j.tree == nil || err != nil {
		_, err := progress.Ignore(dir)
		return err
	}
	have := strings.Fields(string(text))
	for _, sub := range []string{"progress", "worktrees"} {
		if slices.Contains(have, sub+"/") || slices.Contains(have, "*") {
			continue
		}
		if err := workspace.IgnoreFolder(filepath.Join(dir, sub)); err != nil {
			return err
		}
	}
	return nil
}

// lookAgain reads in the worktree what was read in the main checkout before: settings, plan, agent, and what is dirty.
func (j *job) lookAgain(ctx context.Context) error {
	if err := j.branchConfig(); err != nil {
		return err
	}
	if !worksTasks(j.mode()) {
		return j.lookAtReviewed(ctx)
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
	cfg, warnings, err := config.Load(j.proc.settingsAt(j.repo.Root()))
	if err != nil {
		return usage(fmt.Errorf("settings of branch %s: %w", j.tree.made.Branch, err), hintOf(err))
	}
	for _, w := range warnings {
		j.note(event.Note{Level: event.Warn, Text: w.String()})
	}
	j.cfg = cfg
	return nil
}
