package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/task"
)

type remediationCmd struct {
	Show  remediationShowCmd  `cmd:"" default:"withargs" help:"Show what the loop proposes about the task at which it stopped again and again (the default)."`
	Apply remediationApplyCmd `cmd:"" help:"Cut that task into the smaller ones that were proposed."`
}

// maxRemediation bounds latest-remediation.json, in bytes.
const maxRemediation = 16 << 20

// latestRemediation reads what was proposed last. It stays until the next proposal replaces it.
func latestRemediation(s *store) ([]byte, *iteration.Proposal, error) {
	path := s.Latest().Remediation
	data, err := durable.ReadFile(path, maxRemediation)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, hinted(errors.New("nothing was proposed: the loop has not stopped at the same task again and again"), "ralphex status shows where it stands")
	}
	if err != nil {
		return nil, nil, err
	}
	p, err := iteration.ReadProposal(data)
	if err != nil {
		return nil, nil, hinted(fmt.Errorf("%s can't be used: %w", s.Rel(path), err), "the iteration's own task-remediation.json may be whole; nothing was changed")
	}
	return data, p, isCopy(s, path, data, p.Iteration)
}

// isCopy holds the newest proposal against that of the iteration which it names, as far as retention has left that.
func isCopy(s *store, path string, data []byte, n int) error {
	if n <= 0 {
		return nil // of a program that does not say
	}
	it := s.Iteration(n)
	if _, err := os.Lstat(it.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	switch own, err := durable.ReadFile(it.Remediation, maxRemediation); {
	case errors.Is(err, fs.ErrNotExist):
		return hinted(fmt.Errorf("%s says that it is from iteration %d, which proposed nothing", s.Rel(path), n), "somebody else wrote it; nothing was changed")
	case err != nil:
		return err
	case !bytes.Equal(own, data):
		return hinted(fmt.Errorf("%s is not what iteration %d proposed: %s differs", s.Rel(path), n, s.Rel(it.Remediation)),
			"ralphex provenance verify tells whether that one is as it was written; nothing was changed")
	}
	return nil
}

type remediationShowCmd struct {
	JSON bool `name:"json" help:"Print the file as it is."`
}

// Help shows examples.
func (remediationShowCmd) Help() string {
	return `When the loop stops without progress, or at the same failure, it leaves a proposal: artifacts/latest-remediation.json. This shows the newest one.

Examples:
  ralphex remediation
  ralphex remediation show --json | jq -r '.suggestedChildTasks[].title'

Exit codes: 0, 1 nothing was proposed.`
}

// Run prints the proposal.
func (c remediationShowCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	data, r, err := latestRemediation(s)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err := p.Out.Write(data)
		return err
	}
	fmt.Fprintf(p.Out, "%s: %s\n%s\n", task.Plain(r.TaskID), r.Action, task.Plain(r.Summary))
	for _, child := range r.Children {
		fmt.Fprintf(p.Out, "  %s  %s\n", task.Plain(child.ID), task.Plain(child.Title))
	}
	if r.Action == task.DecomposeTask && len(r.Children) > 0 {
		fmt.Fprintln(p.Err, "next: ralphex remediation apply")
	}
	return nil
}

type remediationApplyCmd struct {
	lockWait `embed:""`
	JSON     bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (remediationApplyCmd) Help() string {
	return `Puts the proposed tasks below the one at which the loop stopped, which waits for them from then on. Only a decomposition can be applied; what is
proposed otherwise is for a person to do. A proposal that does not fit the graph any more is refused whole.

Examples:
  ralphex remediation apply
  ralphex remediation apply --json

Exit codes: 0, 1 nothing to apply or it does not fit, 10 tasks.lock is held.`
}

// Run applies the proposal.
func (c remediationApplyCmd) Run(ctx context.Context, p *Proc) error {
	s, store, err := changeTasks(ctx, p, "remediation apply", c.lockWait)
	if err != nil {
		return err
	}
	_, r, err := latestRemediation(s)
	if err != nil {
		return refusal{Code: "no_proposal"}.print(p, c.JSON, err)
	}
	if r.Action != task.DecomposeTask || len(r.Children) == 0 {
		return refusal{Code: "not_a_decomposition", Task: r.TaskID}.print(p, c.JSON, hinted(fmt.Errorf("the newest proposal is %s for %s, and only a decomposition can be applied", r.Action, task.Plain(r.TaskID)),
			"ralphex remediation shows it; ralphex task block, set and add change the graph"))
	}
	change, err := store.ApplySuggestedChildren(ctx, r.TaskID, r.Children)
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	return s.printChange(p, c.JSON, change)
}
