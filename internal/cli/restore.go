package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

type restoreCmd struct {
	ID        string   `arg:"" optional:"" name:"run" help:"Run whose copies are meant: its id, the beginning of it, or last. Without it: all runs."`
	Copy      string   `arg:"" optional:"" name:"copy" help:"Bring the files of this copy back: its number, or start (see --list)."`
	List      bool     `help:"List the copies (the default without COPY, --path or --to)."`
	Show      string   `help:"List the files of copy N." placeholder:"N"`
	Path      []string `help:"Only this file or folder, from the repository's root; may be given again." placeholder:"P" sep:"none"`
	To        string   `help:"Write into this folder and not into the working tree; works while a run goes on." placeholder:"DIR"`
	Staged    bool     `help:"What was staged, where the working tree had something else."`
	Overwrite bool     `help:"Replace files that differ. A copy of the working tree is kept first."`
	Drop      bool     `help:"Forget copies: those of RUN, or with --older-than those of all runs. It is the only thing that does."`
	OlderThan *int     `help:"With --list or --drop: only copies that are so many days old." placeholder:"DAYS"`
	JSON      bool     `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (restoreCmd) Help() string {
	return `A run keeps copies of the working tree, untracked files included, before anything could be lost: uncommitted changes at its start,
a session that was cut off or failed, a task that was given up, a commit that would delete much. docs/nothing-lost.md tells all.

Examples:
  ralphex restore                         what was kept, when and why
  ralphex restore last --show 2           the files of a copy
  ralphex restore last 2                  bring back what is missing; a file that differs is left alone
  ralphex restore last 2 --path src/a.go --overwrite
  ralphex restore last start --to /tmp/before
  ralphex restore --drop --older-than 90

Exit codes: 0 all is as in the copy; 3 something was left as it is, and is named; 10 a run works here (--to DIR works all the same).`
}

// Run lists, shows, brings back or drops.
func (c restoreCmd) Run(ctx context.Context, p *Proc) error {
	if err := c.check(); err != nil {
		return err
	}
	repo, err := openRepo(ctx, p)
	if err != nil {
		return err
	}
	store, err := vcs.Snapshots(repo)
	if err != nil {
		return err
	}
	copies, err := c.find(ctx, p, repo, store)
	if err != nil {
		return err
	}
	switch {
	case c.Drop:
		return c.drop(ctx, p, repo, store, copies)
	case c.Show != "":
		return c.show(ctx, p, store, copies)
	case !c.List && (c.Copy != "" || c.To != "" || len(c.Path) > 0):
		return c.restore(ctx, p, repo, store, copies)
	}
	return c.list(ctx, p, store, copies)
}

// check refuses what can't go together.
func (c restoreCmd) check() error {
	back := c.Copy != "" || c.To != "" || len(c.Path) > 0 || c.Overwrite || c.Staged
	switch {
	case c.Drop && (back || c.Show != "" || c.List):
		return usage(errors.New("--drop stands alone, or with RUN and --older-than"), "ralphex restore RUN --drop")
	case c.Drop && c.ID == "" && c.OlderThan == nil:
		return usage(errors.New("--drop without RUN or --older-than would forget every copy"), "ralphex restore --drop --older-than 90, or ralphex restore RUN --drop")
	case c.Show != "" && (c.List || c.Copy != ""):
		return usage(errors.New("--show N stands without --list and COPY"), "ralphex restore RUN --show N")
	case (c.Overwrite || c.Staged) && c.Copy == "" && c.To == "" && len(c.Path) == 0:
		return usage(errors.New("--overwrite and --staged need a copy or a path to bring back"), "ralphex restore RUN N --overwrite")
	case c.To != "" && c.Overwrite:
		return usage(errors.New("--overwrite is for the working tree: what lies in another folder is never overwritten"), "name a new folder")
	case c.OlderThan != nil && *c.OlderThan < 0:
		return usage(fmt.Errorf("--older-than %d: give a number of days", *c.OlderThan), "")
	}
	return nil
}

// keptCopy is one copy as the command shows it.
type keptCopy struct {
	Run  string    `json:"run"`
	Name string    `json:"copy"` // "start", "1"
	Ref  string    `json:"ref"`
	Rev  vcs.Rev   `json:"rev"`
	Time time.Time `json:"time"`
	Why  string    `json:"why"`
	Plan string    `json:"plan,omitempty"` // of the run, while its journal is there
	// Worktree is where the run worked, if that was not the main checkout.
	Worktree string `json:"worktree,omitempty"`
	// Files counts what differs from the commit that the copy was taken on.
	Files int `json:"files"`
}

// number is the copy's number within its run, 0 for those of a start.
func (k keptCopy) number() int {
	n, _ := strconv.Atoi(k.Name) // "start-2" is none
	return n
}

// find collects the copies that RUN and --older-than mean, the oldest first.
func (c restoreCmd) find(ctx context.Context, p *Proc, repo vcs.Repo, store vcs.SnapshotStore) ([]keptCopy, error) {
	all, err := store.Snapshots(ctx, vcs.SnapshotRoot)
	if err != nil {
		return nil, err
	}
	starts, err := runStarts(ctx, p, repo)
	if err != nil {
		return nil, err
	}
	var copies []keptCopy
	for _, s := range all {
		run, name, ok := strings.Cut(strings.TrimPrefix(s.Ref, vcs.SnapshotRoot), "/")
		if ok {
			copies = append(copies, keptCopy{Run: run, Name: name, Ref: s.Ref, Rev: s.Rev, Time: s.Time, Why: s.Message,
				Plan: starts[run].Plan, Worktree: starts[run].Worktree})
		}
	}
	slices.SortStableFunc(copies, func(a, b keptCopy) int {
		// Copies of one second: that of the start is the oldest, then they are numbered.
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.number(), b.number()), cmp.Compare(a.Ref, b.Ref))
	})
	if copies, err = c.ofRun(copies); err != nil {
		return nil, err
	}
	if c.OlderThan != nil {
		before := time.Now().AddDate(0, 0, -*c.OlderThan)
		copies = slices.DeleteFunc(copies, func(k keptCopy) bool { return k.Time.After(before) })
	}
	return copies, nil
}

// runStarts reads how each run began, from the journals of the main checkout. Plans are relative to it.
func runStarts(ctx context.Context, p *Proc, repo vcs.Repo) (map[string]event.RunStart, error) {
	main, err := mainCheckout(ctx, p, repo)
	if err != nil {
		return nil, err
	}
	runs, err := journal.ListRuns(filepath.Join(main.Root(), storeDir, "events"))
	if err != nil {
		return nil, err
	}
	starts := map[string]event.RunStart{}
	for _, r := range runs {
		if r.Start.Plan != "" {
			r.Start.Plan = relative(main.Root(), r.Start.Plan)
		}
		starts[string(r.Run)] = r.Start
	}
	return starts, nil
}

// elsewhere refuses to put the files of one checkout into another one, where another branch is checked out.
func (k keptCopy) elsewhere(p *Proc, repo vcs.Repo) error {
	if k.Worktree == "" || k.Worktree == repo.Root() {
		return nil
	}
	hint := "put the files elsewhere: --to DIR"
	if _, err := os.Stat(k.Worktree); err == nil {
		hint = "go there: cd " + shellQuote(relative(p.Dir, k.Worktree)) + "; or " + hint
	}
	return usage(fmt.Errorf("run %s worked in the worktree %s, not in this checkout", k.Run, k.Worktree), hint)
}

// ofRun keeps the copies of the run that was named.
func (c restoreCmd) ofRun(copies []keptCopy) ([]keptCopy, error) {
	if c.ID == "" || len(copies) == 0 && c.ID == "last" {
		return copies, nil
	}
	var ids []string
	for _, k := range copies {
		if k.Run == c.ID {
			ids = []string{k.Run}
			break
		}
		if strings.HasPrefix(k.Run, c.ID) && !slices.Contains(ids, k.Run) {
			ids = append(ids, k.Run)
		}
	}
	if c.ID == "last" {
		ids = []string{copies[len(copies)-1].Run}
	}
	switch len(ids) {
	case 0:
		return nil, usage(fmt.Errorf("no copy of a run %s was kept here", c.ID), "ralphex restore lists what there is")
	case 1:
		return slices.DeleteFunc(copies, func(k keptCopy) bool { return k.Run != ids[0] }), nil
	}
	return nil, usage(fmt.Errorf("%s is the beginning of %d runs: %s", c.ID, len(ids), strings.Join(ids, ", ")), "give more of the id")
}

// pick is the copy of that name; without a name the newest one that has one of the paths.
func (c restoreCmd) pick(ctx context.Context, store vcs.SnapshotStore, copies []keptCopy, name string) (keptCopy, error) {
	if len(copies) == 0 {
		return keptCopy{}, usage(errors.New("no copy was kept in this repository"), "ralphex restore --help tells when copies are kept")
	}
	if name == "" {
		for _, k := range slices.Backward(copies) {
			files, err := store.SnapshotFiles(ctx, k.Ref)
			if err != nil {
				return keptCopy{}, err
			}
			if len(c.Path) == 0 || slices.ContainsFunc(files, func(f vcs.SnapshotFile) bool { return f.Staged == c.Staged && workspace.Under(f.Path, c.Path) }) {
				return k, nil
			}
		}
		return keptCopy{}, usage(fmt.Errorf("no copy has %s", strings.Join(c.Path, ", ")), "ralphex restore RUN --show N lists the files of a copy; paths are from the repository's root")
	}
	var found []keptCopy
	for _, k := range copies {
		if k.Name == name {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return keptCopy{}, usage(fmt.Errorf("there is no copy %s", name), "ralphex restore --list")
	}
	return keptCopy{}, usage(fmt.Errorf("%d runs have a copy %s", len(found), name), "name the run, too: ralphex restore RUN "+name)
}

// restore brings files back.
func (c restoreCmd) restore(ctx context.Context, p *Proc, repo vcs.Repo, store vcs.SnapshotStore, copies []keptCopy) error {
	k, err := c.pick(ctx, store, copies, c.Copy)
	if err != nil {
		return err
	}
	o := workspace.RestoreOptions{Paths: c.Path, Staged: c.Staged, Overwrite: c.Overwrite, Run: k.Run}
	if c.To != "" {
		if o.To = c.To; !filepath.IsAbs(o.To) {
			o.To = filepath.Join(p.Dir, o.To)
		}
	} else {
		if err := k.elsewhere(p, repo); err != nil {
			return err
		}
		release, err := alone(repo, "restore "+k.Run+" "+k.Name)
		if err != nil {
			return err
		}
		defer release()
	}
	res, err := workspace.Restore(ctx, repo, k.Ref, o)
	if perr := c.printRestored(p, k, res); perr != nil && err == nil {
		err = perr
	}
	if err == nil && res.Left() > 0 {
		return &exitError{code: exitLeft}
	}
	return err
}

// alone holds the run lock, so that no run works in the tree meanwhile.
func alone(repo vcs.Repo, what string) (release func(), err error) {
	dir := filepath.Join(repo.Root(), storeDir)
	if err := workspace.EnsureSelfIgnored(dir); err != nil {
		return nil, fmt.Errorf("make %s: %w", dir, err)
	}
	l, err := durable.Acquire(workspace.LockFile(repo.Root()), durable.Holder{What: what, Since: time.Now()})
	if errors.Is(err, durable.ErrHeld) {
		return nil, hinted(fmt.Errorf("a run works in this checkout: %w", err), "wait for it (ralphex status), or write into another folder with --to DIR")
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = l.Release() }, nil // the OS lock ends with the process at the latest
}

// drop forgets copies, and tells each with what brings it back.
func (c restoreCmd) drop(ctx context.Context, p *Proc, repo vcs.Repo, store vcs.SnapshotStore, copies []keptCopy) error {
	release, err := alone(repo, "restore --drop")
	if err != nil {
		return err
	}
	defer release()
	for i, k := range copies {
		if err := store.DropSnapshot(ctx, k.Ref, k.Rev); err != nil {
			return errors.Join(err, c.printList(p, "dropped", copies[:i]))
		}
	}
	return c.printList(p, "dropped", copies)
}
