package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"ralphex/internal/journal"
	"ralphex/internal/price"
)

type receiptCmd struct {
	Task   string `arg:"" optional:"" help:"Task: its number in the plan's headings, or its position; of the workspace, its id."`
	All    bool   `help:"All tasks of the run."`
	RunID  string `name:"run" help:"Run: its id, the beginning of it, or its plan. Without it, the newest." placeholder:"RUN"`
	JSON   bool   `name:"json" help:"Print it as JSON."`
	Verify bool   `help:"Hold it against the repository and the evidence: commits and trees, outputs of the validation, bundles."`
}

// Help shows examples.
func (receiptCmd) Help() string {
	return `What became of a task, and how that is known: the validation commands and the hashes of their outputs, the exact tree of the commit, the sessions with
those that were repeated and the task's share of the reviews, tokens, dollars, time, commits, and what reviewers found in its files.

Examples:
  ralphex receipt 2
  ralphex receipt T7                          of the .ralph workspace: all iterations at the task
  ralphex receipt --all --run docs/plans/feature.md
  ralphex receipt --all --verify --json > receipt.json

Dollars: a * is at list price (docs/cost.md). Reviews that belong to no task are shared equally by the tasks that were done.

Exit codes: 0; 1 when --verify finds something that is not as the receipt says; 2 for a task or run that isn't there.`
}

// Run prints receipts.
func (c receiptCmd) Run(ctx context.Context, p *Proc, g *root) error {
	if c.All == (c.Task != "") {
		return usage(errors.New("a receipt of which task?"), "ralphex receipt 2, or --all")
	}
	repo, err := runsRepo(ctx, p)
	if err != nil {
		return err
	}
	prices, err := loadPrices(p, repo.Root(), g.ConfigDir)
	if err != nil {
		return err
	}
	r, err := c.read(repo.Root(), p.Dir, prices)
	if err != nil {
		return err
	}
	var wrong int
	if c.Verify {
		if wrong, err = verifyReceipts(ctx, p, repo, r); err != nil {
			return err
		}
	}
	if c.JSON {
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(r); err != nil {
			return err
		}
	} else {
		for _, t := range r.Tasks {
			t.print(p)
		}
	}
	if wrong > 0 {
		return hinted(fmt.Errorf("not as the receipt says: %d points", wrong), "each is listed with its task")
	}
	return nil
}

// read finds the receipts that are asked for.
func (c receiptCmd) read(root, dir string, prices price.List) (*receipts, error) {
	run, err := findRun(root, dir, c.RunID)
	if err != nil {
		return nil, err
	}
	r, err := receiptsOf(root, run, c.RunID == "", prices)
	if err != nil || c.All {
		return r, err
	}
	if r.only(c.Task) {
		return r, nil
	}
	missing := usage(fmt.Errorf("run %s worked on no task %s", r.Run, c.Task), "ralphex receipt --all shows those that it worked on")
	if c.RunID != "" {
		return nil, missing
	}
	runs, err := journal.ListRuns(filepath.Join(root, storeDir, "events"))
	if err != nil {
		return nil, err
	}
	for _, s := range runs { // plans and the workspace don't share their tasks
		if s.Err != nil || takesTurns(s.Start) == takesTurns(run.Start) {
			continue
		}
		if r, err = receiptsOf(root, s, true, prices); err != nil {
			return nil, err
		}
		if r.only(c.Task) {
			return r, nil
		}
		break
	}
	return nil, missing
}

// receiptsOf are the receipts of a run; of one that took turns at the workspace, with all, those of all such runs: a task may be begun in one and done in another.
func receiptsOf(root string, run journal.Summary, all bool, prices price.List) (*receipts, error) {
	paths := []string{run.Path}
	if takesTurns(run.Start) && all {
		runs, err := journal.ListRuns(filepath.Join(root, storeDir, "events"))
		if err != nil {
			return nil, err
		}
		paths = nil
		for _, s := range slices.Backward(runs) {
			if s.Err == nil && takesTurns(s.Start) {
				paths = append(paths, s.Path)
			}
		}
	}
	r, err := readReceipts(takesTurns(run.Start), prices, paths...)
	if err == nil {
		r.Plan = shownPlan(root, run.Start.Plan)
	}
	return r, err
}

// only drops the receipts of all other tasks, if the task is there: by its id, else by its position in a plan.
func (r *receipts) only(task string) bool {
	i := slices.IndexFunc(r.Tasks, func(t *receipt) bool { return t.ID == task })
	if i < 0 && r.Plan != "" {
		i = slices.IndexFunc(r.Tasks, func(t *receipt) bool { return strconv.Itoa(t.Position) == task })
	}
	if i >= 0 {
		r.Tasks = r.Tasks[i : i+1]
	}
	return i >= 0
}
