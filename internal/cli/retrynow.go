package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/control"
	"ralphex/internal/journal"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
)

type retryNowCmd struct {
	Run_ string `arg:"" optional:"" name:"run" help:"The run, or the beginning of its id (default: the one that waits)."`
	JSON bool   `name:"json" help:"Print it as JSON."`
}

// Help says what it does.
func (retryNowCmd) Help() string {
	return `Examples:
  ralphex retry-now
  ralphex retry-now 20260129-153012

A run that waits for a usage limit tries again at once: you have bought credit, or another limit was lifted. If the limit is
still there, it waits again. ralphex status shows which runs wait. Exit 1 if none does.`
}

// heardWithin is how long a run may take to hear an order.
const heardWithin = 10 * time.Second

// waitingRun is a run of this repository that waits.
type waitingRun struct {
	Run   string    `json:"run"`
	Plan  string    `json:"plan"`
	Agent string    `json:"agent,omitempty"`
	Until time.Time `json:"until"`
}

// Run tells the run.
func (c retryNowCmd) Run(ctx context.Context, p *Proc) error {
	repo, err := runsRepo(ctx, p)
	if err != nil {
		return err
	}
	waiting, err := waitingRuns(repo.Root())
	if err != nil {
		return err
	}
	run, err := pickWaiting(waiting, c.Run_)
	if err != nil {
		return err
	}
	if err := tellRetryNow(ctx, repo.Root(), run.Run, asPerson(p)); err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(p.Out).Encode(map[string]any{"version": 1, "told": run})
	}
	fmt.Fprintf(plainly(p.Out), "run %s of %s tries again now\n", run.Run, cmp.Or(run.Plan, noPlan))
	return nil
}

// tellRetryNow ends the wait of a run. by is for its journal.
func tellRetryNow(ctx context.Context, root, run, by string) error {
	hear, cancel := context.WithTimeout(ctx, heardWithin)
	defer cancel()
	err := control.Tell(hear, control.Dir(filepath.Join(root, storeDir), run), control.RetryNow, []byte(by))
	if errors.Is(err, context.DeadlineExceeded) {
		return hinted(fmt.Errorf("run %s did not answer within %s", run, heardWithin), "ralphex status tells whether it lives; the order stays, and is heard at its next wait")
	}
	return err
}

// waitingRuns lists the living runs of a checkout that wait for a limit now.
func waitingRuns(root string) ([]waitingRun, error) {
	runs, err := journal.ListRuns(filepath.Join(root, storeDir, "events"))
	if err != nil {
		return nil, err
	}
	var out []waitingRun
	for _, s := range runs {
		place := root
		if s.Start.Worktree != "" {
			place = s.Start.Worktree
		}
		if s.Err != nil || s.Waiting == nil {
			continue
		}
		if holder, held, err := workspace.Busy(place); err != nil || !held || holder.Run != string(s.Run) {
			continue
		}
		out = append(out, waitingRun{Run: string(s.Run), Plan: relative(root, s.Start.Plan), Agent: s.Waiting.Agent, Until: s.Waiting.Until})
	}
	return out, nil
}

// waitingWords are the runs that retry-now can tell.
func waitingWords(ctx context.Context, p *Proc) []string {
	repo, err := runsRepo(ctx, p)
	if err != nil {
		return nil
	}
	runs, _ := waitingRuns(repo.Root())
	var out []string
	for _, w := range runs {
		out = append(out, w.Run)
	}
	return out
}

func pickWaiting(waiting []waitingRun, want string) (waitingRun, error) {
	var fit []waitingRun
	for _, w := range waiting {
		if strings.HasPrefix(w.Run, want) {
			fit = append(fit, w)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) > 1:
		return waitingRun{}, usage(fmt.Errorf("%d runs wait: %s", len(fit), runNames(fit)), "name one of them: ralphex retry-now RUN")
	case want != "" && len(waiting) > 0:
		return waitingRun{}, usage(fmt.Errorf("no run %s waits", want), "these do: "+runNames(waiting))
	}
	return waitingRun{}, hinted(errors.New("no run of this repository waits for a limit"), "ralphex status shows what goes on")
}

func runNames(runs []waitingRun) string {
	var names []string
	for _, w := range runs {
		names = append(names, w.Run+" ("+w.Plan+")")
	}
	return strings.Join(names, ", ")
}

// nudged tells a wait of this run when somebody wants it to end.
func (r *running) nudged(ctx context.Context) <-chan struct{} {
	heard := control.Listen(ctx, control.Dir(r.store(), string(r.bus.Run())), control.RetryNow)
	out := make(chan struct{}, 1)
	go func() {
		if by, ok := <-heard; ok {
			r.Emit(0, event.Order{What: control.RetryNow, By: cmp.Or(string(by[:min(len(by), 200)]), "somebody")})
			out <- struct{}{}
		}
	}()
	return out
}
