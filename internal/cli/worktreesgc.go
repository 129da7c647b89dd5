package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
)

type worktreesGCCmd struct {
	DryRun bool `short:"n" help:"Only say what would go."`
	JSON   bool `name:"json" help:"Print it as JSON."`
}

// Help says what is kept.
func (worktreesGCCmd) Help() string {
	return `Removes worktrees of runs that are clean and merged, and forgets those whose folder is gone. What is running, dirty, broken or not merged is
kept. Ignored files in them (build outputs) go along and are named. Branches are never deleted.

Examples:
  ralphex worktrees gc --dry-run
  ralphex worktrees gc --json | jq -r '.kept[] | "\(.name): \(.why)"'`
}

// gcReport is the answer of gc as JSON.
type gcReport struct {
	Version int            `json:"version"`
	DryRun  bool           `json:"dry_run,omitempty"`
	Removed []worktreeInfo `json:"removed"`
	Kept    []worktreeInfo `json:"kept"`
}

// Run removes what holds nothing of its own.
func (c worktreesGCCmd) Run(ctx context.Context, p *Proc, g *root) error {
	l, err := lookAtTrees(ctx, p, g, !c.DryRun)
	if err != nil {
		return err
	}
	defer l.releaseStart()
	report := gcReport{Version: 1, DryRun: c.DryRun, Removed: []worktreeInfo{}, Kept: []worktreeInfo{}}
	for _, i := range l.infos {
		if i.Why = l.stays(ctx, i); i.Why == "" && !c.DryRun {
			if err := l.remove(ctx, i); err != nil {
				i.Why = firstLine(err.Error())
			}
		}
		if i.Why == "" {
			report.Removed = append(report.Removed, i)
		} else {
			report.Kept = append(report.Kept, i)
		}
	}
	if c.JSON {
		return printJSON(p.Out, report)
	}
	report.print(p.Out)
	return nil
}

func (r gcReport) print(w io.Writer) {
	verb := "removed"
	if r.DryRun {
		verb = "would remove"
	}
	if len(r.Removed) == 0 {
		fmt.Fprintln(w, "nothing to remove")
	}
	for _, i := range r.Removed {
		fmt.Fprintf(w, "%s %s (%s)", verb, i.Name, i.State)
		if len(i.Ignored) > 0 {
			fmt.Fprintf(w, ", with the ignored files %s", strings.Join(i.Ignored[:min(len(i.Ignored), 10)], " "))
			if more := len(i.Ignored) - 10; more > 0 {
				fmt.Fprintf(w, " and %d more", more)
			}
		}
		fmt.Fprintln(w)
	}
	for _, i := range r.Kept {
		fmt.Fprintf(w, "kept %s (%s): %s\n", i.Name, i.State, i.Why)
	}
}

// stays says what keeps a worktree, "" if it may go.
func (l *treeList) stays(ctx context.Context, i worktreeInfo) string {
	words := vcs.VerbsOf(l.home).Ways()
	switch i.State {
	case workspace.TreeMerged:
		if i.tree.Locked {
			return "it is locked: " + words.Tree(words.Unlock, i.Dir, i.tree.Branch)
		}
		return ""
	case workspace.TreeMissing:
		exists, err := l.repo.BranchExists(ctx, i.tree.Branch)
		switch {
		case err != nil:
			return err.Error()
		case i.tree.Locked:
			return "it is locked, its folder may come back: " + words.Tree(words.Unlock, i.Dir, i.tree.Branch)
		case !exists:
			return "no branch has what it was at: " + strings.NewReplacer("{branch}", "NAME", "{rev}", i.tree.Rev.Short()).Replace(words.Keep)
		}
		return ""
	case workspace.TreeUnmerged:
		return fmt.Sprintf("branch %s is not merged", i.Branch)
	}
	return i.Why
}

// remove removes one worktree; its run lock keeps runs out that are started inside of it.
func (l *treeList) remove(ctx context.Context, i worktreeInfo) error {
	if i.State != workspace.TreeMissing {
		lock, err := durable.Acquire(workspace.LockFile(i.Dir), durable.Holder{What: "gc", Since: time.Now()})
		if err != nil {
			return err
		}
		defer func() { _ = lock.Release() }() // its file is gone with the worktree
	}
	return workspace.Remove(ctx, l.repo, i.Dir, l.base)
}
