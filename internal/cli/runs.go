package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/journal"
	"ralphex/pkg/vcs"
)

// runsRepo is the checkout whose .ralph has the journals: from the worktree of a run it is the main one.
func runsRepo(ctx context.Context, p *Proc) (vcs.Repo, error) {
	repo, err := openRepo(ctx, p)
	if err != nil {
		return nil, err
	}
	return withRuns(ctx, p, repo)
}

// withRuns is runsRepo for a repository that is open already.
func withRuns(ctx context.Context, p *Proc, repo vcs.Repo) (vcs.Repo, error) {
	if _, err := os.Stat(filepath.Join(repo.Root(), storeDir, "events")); err == nil {
		return repo, nil
	}
	return mainCheckout(ctx, p, repo)
}

// namedRun is findRun in the checkout that has the journals.
func namedRun(ctx context.Context, p *Proc, name string) (vcs.Repo, journal.Summary, error) {
	repo, err := runsRepo(ctx, p)
	if err != nil {
		return nil, journal.Summary{}, err
	}
	run, err := findRun(repo.Root(), p.Dir, name)
	return repo, run, err
}

// findRun finds a run by its id, the beginning of it, or its plan (the newest run of that). Empty = the newest run.
func findRun(root, dir, name string) (journal.Summary, error) {
	runs, err := journal.ListRuns(filepath.Join(root, storeDir, "events"))
	if err != nil {
		return journal.Summary{}, err
	}
	if len(runs) == 0 {
		return journal.Summary{}, usage(errors.New("no runs in this repository yet"), "ralphex PLAN begins one")
	}
	slices.SortStableFunc(runs, func(a, b journal.Summary) int { return b.Started.Compare(a.Started) }) // ids know seconds only
	if name == "" {
		return runs[0], nil
	}
	plan := name
	if !filepath.IsAbs(plan) {
		plan = filepath.Join(dir, name)
	}
	var found []journal.Summary
	for _, s := range runs {
		switch {
		case string(s.Run) == name:
			return s, nil
		case strings.HasPrefix(string(s.Run), name):
			found = append(found, s)
		case s.Start.Plan == plan && len(found) == 0:
			return s, nil
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return journal.Summary{}, usage(fmt.Errorf("no run %s", name), "ralphex status --all lists them")
	}
	return journal.Summary{}, usage(fmt.Errorf("%d runs begin with %s", len(found), name), "give more of its id: "+string(found[0].Run)+", "+string(found[1].Run))
}
