package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"ralphex/internal/gate"
	"ralphex/internal/proc"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// topChecker makes sure that a checkout still belongs to its repository.
type topChecker interface {
	CheckTop(ctx context.Context) error
}

// checkTop is the question before each look and write of a worktree run: is this still the worktree that was made?
func (r *running) checkTop(ctx context.Context) error {
	if c, ok := r.repo.(topChecker); ok && r.tree != nil {
		return c.CheckTop(ctx)
	}
	return nil
}

// checkedTree is a repository that is asked nothing, and commits nothing, when the worktree is not the expected one.
type checkedTree struct {
	vcs.Repo
	run *running
}

// checked is the run's repository, behind those questions where it is a worktree.
func (r *running) checked() vcs.Repo {
	if r.tree == nil {
		return r.repo
	}
	return &checkedTree{Repo: r.repo, run: r}
}

// Head is asked before and after each session and command.
func (c *checkedTree) Head(ctx context.Context) (vcs.Head, error) {
	if err := c.run.checkTop(ctx); err != nil {
		return vcs.Head{}, err
	}
	return c.Repo.Head(ctx)
}

// Commit commits on the run's branch only.
func (c *checkedTree) Commit(ctx context.Context, req vcs.CommitRequest) (vcs.CommitResult, error) {
	if err := c.run.checkTop(ctx); err != nil {
		return vcs.CommitResult{}, err
	}
	at, err := workspace.CheckedOut(ctx, c.Repo)
	if err != nil {
		return vcs.CommitResult{}, err
	}
	if want := c.run.tree.made.Branch; at != want {
		words, found := vcs.VerbsOf(c.Repo).Ways(), "branch "+string(at)
		if at == "" {
			h, err := c.Repo.Head(ctx)
			if err != nil {
				return vcs.CommitResult{}, err
			}
			found = words.Nowhere + " " + h.Rev.Short()
		}
		return vcs.CommitResult{}, &phase.SurpriseError{
			What: fmt.Sprintf("before a commit in %s: expected branch %s, found %s", c.Root(), want, found),
			Way:  words.Tree(words.GoBack, c.Root(), want) + ", and run the same command: it goes on"}
	}
	return c.Repo.Commit(ctx, req)
}

// Changed and Amended are powers that not every repository has; see vcs.ChangeLister and vcs.Grower.
func (c *checkedTree) Changed(ctx context.Context, from, to vcs.Rev) ([]string, error) {
	return vcs.Changed(ctx, c.Repo, from, to)
}

// Hidden lists changed files that the repository was told to look away from; see vcs.Hider.
func (c *checkedTree) Hidden(ctx context.Context) ([]string, error) {
	if h, ok := c.Repo.(vcs.Hider); ok {
		return h.Hidden(ctx)
	}
	return nil, nil
}

// Amended tells whether a commit was replaced.
func (c *checkedTree) Amended(ctx context.Context, a, b vcs.Rev) (bool, error) {
	if g, ok := c.Repo.(vcs.Grower); ok {
		return g.Amended(ctx, a, b)
	}
	return false, nil
}

// makeReady brings ignored files into a new worktree and runs worktree_setup, once each: the worktree remembers it.
func (r *running) makeReady(ctx context.Context) error {
	if r.tree == nil {
		return nil
	}
	for _, w := range r.tree.made.Warnings {
		r.Emit(0, event.Note{Level: event.Info, Text: w})
	}
	dir := r.repo.Root()
	m, ok := workspace.ReadMarker(dir)
	if !ok {
		brought, err := r.tree.made.Bring(ctx, r.tree.repo.Root(), r.cfg.WorktreeCopy)
		if err != nil {
			return err
		}
		if n := len(brought); n > 0 {
			r.Emit(0, event.Note{Level: event.Info, Text: fmt.Sprintf("%d ignored %s brought into the worktree", n, plural(n, "file", "files"))})
		}
		m.Brought = brought
		if err := m.Write(dir); err != nil {
			return err
		}
	}
	hash := workspace.SetupHash(r.cfg.WorktreeSetup)
	if r.cfg.WorktreeSetup == "" || m.Setup == hash {
		return nil
	}
	before, err := r.repo.Status(ctx)
	if err != nil {
		return err
	}
	err = r.setup(ctx)
	if derr := r.setupDirt(ctx, before); err == nil {
		err = derr
	}
	if err != nil {
		return err
	}
	m.Setup = hash
	return m.Write(dir)
}

// setup runs the setup command to its end or its deadline.
func (r *running) setup(ctx context.Context) error {
	limit := r.cfg.WorktreeSetupTimeout
	if limit == 0 {
		limit = -1 // none, as the gate has it
	}
	r.Emit(0, event.Note{Level: event.Info, Text: "worktree_setup: " + firstLine(r.cfg.WorktreeSetup)})
	began := time.Now()
	v, err := gate.Run(ctx, gate.Options{Dir: r.repo.Root(), Commands: []event.Command{{Text: r.cfg.WorktreeSetup}}, Timeout: limit,
		OutputDir: r.store("artifacts", string(r.bus.Run()), "setup"), Mark: proc.NewMark(), Env: r.childEnv(), Keep: r.keep(), Safe: r.secrets.Writer,
		Emit: func(d event.Data) {
			switch d.(type) {
			case event.Output, event.Survivor, event.Note:
				r.Emit(0, d)
			}
		}})
	if err != nil {
		return fmt.Errorf("run worktree_setup: %w", err)
	}
	if !v.Green {
		text := "worktree_setup failed: " + v.Summary()
		if tail := strings.TrimSpace(v.Results[0].Tail); tail != "" {
			text += "\n" + tail
		}
		return hinted(errors.New(text), "mend it (ralphex worktrees open prints the folder) and run the same command: the setup is run again")
	}
	r.Emit(0, event.Note{Level: event.Info, Text: "worktree_setup is done, " + event.Elapsed(time.Since(began))})
	return nil
}

// setupDirt makes what the setup changed nobody's, also when it failed: it is told, and not committed.
func (r *running) setupDirt(ctx context.Context, before vcs.Status) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute) // the run may have been told to end
	defer cancel()
	after, err := r.repo.Status(ctx)
	if err != nil {
		return err
	}
	var made, lines []string
	for _, p := range after.Paths() {
		if p != r.ready.Plan && !before.Has(p) {
			made, lines = append(made, p), append(lines, "  "+p)
		}
	}
	r.setAside(made, event.BySetup)
	r.tellPaths(event.Warn, "worktree_setup changed these paths; ralphex does not commit them, and so the worktree will be kept:", lines)
	return nil
}

// leaveTree removes the worktree of a run that is done, if it holds nothing that its branch does not have. Else it says why it stays.
func (r *running) leaveTree(ctx context.Context, end event.RunEnd) {
	if r.tree == nil {
		return
	}
	dir, name := r.repo.Root(), relative(r.proc.Dir, r.repo.Root())
	keep := func(level event.Level, why, hint string) {
		r.Emit(0, event.Note{Level: level, Text: fmt.Sprintf("the worktree %s is kept: %s", name, why), Hint: hint})
	}
	if r.staysAsItWas() {
		return
	}
	switch {
	case end.Outcome == event.Failed || end.Outcome == event.Interrupted:
		keep(event.Info, "the same command goes on there", "")
		return
	case end.Outcome == event.LeftHuman && !(r.madeForReview() && r.opts.report):
		keep(event.Info, "a person has something to do there", "")
		return
	case isBelow(r.proc.Dir, dir):
		keep(event.Info, "you are in it", "when you have left it and merged branch "+string(r.tree.made.Branch)+": ralphex worktrees gc")
		return
	case r.cfg.WorktreeKeep:
		keep(event.Info, "worktree_keep", "ralphex worktrees gc removes it when branch "+string(r.tree.made.Branch)+" is merged")
		return
	}
	l, err := workspace.Examine(ctx, r.repo.(workspace.LeaveRepo), dir, r.tree.made.Branch)
	if err == nil && l.Why == "" {
		r.tellIgnored(l.Ignored)
		if runtime.GOOS == "windows" {
			r.release() // an open file can't be removed there
		}
		err = r.removeTree(ctx, dir)
	}
	words, branch := vcs.VerbsOf(r.home).Ways(), r.tree.made.Branch
	switch hint := fmt.Sprintf("cd %s; when nothing in it is needed: %s", shellQuote(name), words.Tree(words.Drop, shellQuote(name), branch)); {
	case err != nil:
		keep(event.Warn, firstLine(err.Error()), hint)
	case l.Why != "":
		keep(event.Warn, l.Why, hint)
	default:
		r.Emit(0, event.Note{Level: event.Info, Text: fmt.Sprintf("the worktree is removed, branch %s has the work: %s", branch, words.Tree(words.Take, "", branch))})
	}
}

// isBelow tells whether a folder is another one, or lies in it.
func isBelow(dir, top string) bool {
	rel, err := filepath.Rel(top, workspace.Settled(dir))
	return err == nil && filepath.IsLocal(rel)
}

func (r *running) removeTree(ctx context.Context, dir string) error {
	main, err := workspace.Trees(r.home) // not from inside of what is removed
	if err != nil {
		return err
	}
	return workspace.Remove(ctx, main, dir, r.tree.base)
}

// tellIgnored names what goes with the worktree, before it goes.
func (r *running) tellIgnored(paths []string) {
	var lines []string
	for _, p := range paths {
		lines = append(lines, "  "+p)
	}
	r.tellPaths(event.Info, "ignored files that go with the worktree:", lines)
}
