package cli

import (
	"context"
	"fmt"
	"io"

	"ralphex/internal/ralph/status"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/vcs"
)

// firstChanges is how many changed paths a store's status names.
const firstChanges = 10

// report says how the store stands (Show Status in the seed). It writes nothing.
func (s *store) report(ctx context.Context, p *Proc, configDir string) (*status.Report, error) {
	var around status.Repo
	if s.repo != nil {
		head, err := s.repo.Head(ctx)
		if err != nil {
			return nil, fmt.Errorf("read HEAD: %w", err)
		}
		tree, err := s.repo.Status(ctx)
		if err != nil {
			return nil, fmt.Errorf("read the working tree: %w", err)
		}
		around = status.Repo{Present: true, Branch: string(head.Branch), Changes: len(tree.Changes), Untracked: untracked(tree)}
		for _, c := range tree.Changes[:min(firstChanges, len(tree.Changes))] {
			around.First = append(around.First, c.String())
		}
	}
	return status.Collect(ctx, s.snapshot(ctx, p, configDir), around), nil
}

// untracked counts the files that git does not know; .ralph is not among them.
func untracked(tree vcs.Status) int {
	n := 0
	for _, c := range tree.Changes {
		if c.Untracked() {
			n++
		}
	}
	return n
}

// printStore prints the store's status below the runs.
func printStore(w io.Writer, r *status.Report) {
	fmt.Fprintln(w, "\nstore (.ralph; all of it: ralphex status --store):")
	for _, line := range r.Lines() {
		fmt.Fprintf(w, "  %s\n", task.Plain(line))
	}
}

// runStore is `status --store`: the whole report, as a document or as JSON.
func (c statusCmd) runStore(ctx context.Context, p *Proc, s *store, configDir string) error {
	if err := s.mustExist(); err != nil {
		return err
	}
	r, err := s.report(ctx, p, configDir)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(p.Out, r)
	}
	_, err = io.WriteString(plainly(p.Out), r.Markdown())
	return err
}
