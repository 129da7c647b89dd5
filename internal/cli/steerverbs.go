package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/control"
	"ralphex/internal/journal"
	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
)

// steered are the arguments that the four verbs share.
type steered struct {
	Run_ string `arg:"" optional:"" name:"run" help:"The run, the beginning of its id, or its plan (default: the only one that goes on)."`
	JSON bool   `name:"json" help:"Print it as JSON."`
}

type pauseCmd struct {
	steered   `embed:""`
	AfterTask bool `help:"Let the task that is being worked on come to its end first."`
}

type resumeCmd struct {
	steered `embed:""`
}

type stopCmd struct {
	steered   `embed:""`
	AfterTask bool `help:"Let the task that is being worked on come to its end first."`
}

type skipCmd struct {
	steered `embed:""`
}

// Help says what it does.
func (pauseCmd) Help() string {
	return `Examples:
  ralphex pause
  ralphex pause --after-task docs/plans/feature.md

The session is asked to end, and the run waits, holding its place and its lock, until ralphex resume or ralphex stop. The session is then run again, on
the tree as it is. It needs no terminal. See docs/control.md. Exit 1 if no such run goes on.`
}

// Help says what it does.
func (resumeCmd) Help() string {
	return `Examples:
  ralphex resume
  ralphex resume 20260129-153012

A run that is paused goes on, by ralphex pause or by Ctrl+\ at its terminal; a pause that is still to come is taken back. What was killed or has
ended goes on with the same command that began it. Exit 1 if there is nothing to resume.`
}

// Help says what it does.
func (stopCmd) Help() string {
	return `Examples:
  ralphex stop
  ralphex stop --after-task

As the first Ctrl+C: the session is asked to end, and the run ends with exit 130. The same command goes on where it was. Exit 1 if no such run goes on.`
}

// Help says what it does.
func (skipCmd) Help() string {
	return `Examples:
  ralphex skip

The task that is being worked on stays open, and the run goes on with the next one; it ends with exit 3 and names what is open. A review, the
external review or the last step is ended, and what comes behind it follows; what it would have found is not known. Exit 1 if no such run goes on.`
}

// Run gives the order.
func (c pauseCmd) Run(ctx context.Context, p *Proc) error {
	return c.give(ctx, p, control.Pause, c.AfterTask)
}

// Run gives the order.
func (c resumeCmd) Run(ctx context.Context, p *Proc) error {
	return c.give(ctx, p, control.Resume, false)
}

// Run gives the order.
func (c stopCmd) Run(ctx context.Context, p *Proc) error {
	return c.give(ctx, p, control.Stop, c.AfterTask)
}

// Run gives the order.
func (c skipCmd) Run(ctx context.Context, p *Proc) error {
	return c.give(ctx, p, control.Skip, false)
}

// living is a run that goes on.
type living struct {
	Run    string `json:"run"`
	Plan   string `json:"plan"`
	socket string
	pid    int
}

func (l living) String() string { return l.Run + " (" + cmp.Or(l.Plan, "no plan") + ")" }

// give gives an order and tells what the run says.
func (c steered) give(ctx context.Context, p *Proc, order string, afterTask bool) error {
	if err := aPersons(p, order, "a run is a person's to steer: do it in a shell of your own"); err != nil {
		return err
	}
	repo, err := runsRepo(ctx, p)
	if err != nil {
		return err
	}
	run, err := pickLiving(repo, p.Dir, order, c.Run_)
	if err != nil {
		return err
	}
	return c.order(ctx, p, run, control.Request{Order: order, AfterTask: afterTask})
}

// order gives an order to a run that goes on, and tells what it says.
func (c steered) order(ctx context.Context, p *Proc, run living, q control.Request) error {
	q.ID, q.Run, q.By = rand.Text(), run.Run, asPerson(p)
	reply, err := askRun(ctx, run, q)
	if err != nil {
		return err
	}
	if !reply.OK {
		return hinted(fmt.Errorf("run %s of %s: %s", run.Run, cmp.Or(run.Plan, noPlan), reply.Text), reply.Hint)
	}
	if c.JSON {
		return json.NewEncoder(p.Out).Encode(map[string]any{"version": 1, "order": q.Order, "told": run, "reply": reply.Text})
	}
	fmt.Fprintf(plainly(p.Out), "run %s of %s: %s\n", run.Run, cmp.Or(run.Plan, noPlan), reply.Text)
	return nil
}

// userName is who types, for the journal.
func userName(p *Proc) string {
	return cmp.Or(getenv(p.Env, "USER"), getenv(p.Env, "LOGNAME"), getenv(p.Env, "USERNAME"), "somebody")
}

// askRun asks, and once more where the answer did not come: the run obeys an order once.
func askRun(ctx context.Context, run living, q control.Request) (control.Reply, error) {
	if run.socket == "" {
		return control.Reply{}, hinted(fmt.Errorf("run %s has no control socket", run.Run), "it is a loop, or its ralphex is another version: use its terminal, or kill -INT")
	}
	began := time.Now()
	reply, err := control.Ask(ctx, run.socket, q)
	if _, unsure := errors.AsType[*control.UnsureError](err); unsure && ctx.Err() == nil {
		reply, err = control.Ask(ctx, run.socket, q)
	}
	switch {
	case errors.Is(err, control.ErrGone):
		return reply, hinted(fmt.Errorf("run %s does not answer: %w", run.Run, err), "it is just beginning or ending: ralphex status tells")
	case errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(ctx.Err(), context.Canceled):
		return reply, hinted(fmt.Errorf("run %s was given the order and has said nothing for %s: its process, pid %d, is stopped (Ctrl+Z, kill -STOP), or has too much to do",
			run.Run, time.Since(began).Round(time.Second), run.pid),
			fmt.Sprintf("kill -CONT %d lets a stopped process go on; it may obey then, so look before you order it again: ralphex status", run.pid))
	case err != nil:
		return reply, hinted(fmt.Errorf("run %s: %w", run.Run, err), "ralphex status tells whether it was obeyed")
	}
	return reply, nil
}

// pickLiving finds the run that is meant among those that go on.
func pickLiving(repo vcs.Repo, dir, order, want string) (living, error) {
	runs, err := livingRuns(repo.Root())
	if err != nil {
		return living{}, err
	}
	if want == "" {
		switch len(runs) {
		case 1:
			return runs[0], nil
		case 0:
			return living{}, hinted(errors.New("no run of this repository goes on"), "ralphex status shows how they ended; ralphex PLAN begins one, or goes on")
		}
		return living{}, usage(fmt.Errorf("%d runs go on: %s", len(runs), livingNames(runs)), "name one of them: ralphex "+order+" RUN")
	}
	s, err := findRun(repo.Root(), dir, want)
	if err != nil {
		return living{}, err
	}
	for _, l := range runs {
		if l.Run == string(s.Run) {
			return l, nil
		}
	}
	how := "it was killed"
	if s.End != nil {
		how = "it ended as " + string(s.End.Outcome)
	}
	again := "ralphex status shows what goes on"
	if s.Start.Plan != "" && (s.End == nil || order == control.Resume) {
		again = "the same command goes on: ralphex " + shellQuote(relative(dir, s.Start.Plan))
	}
	return living{}, hinted(fmt.Errorf("run %s does not go on: %s", s.Run, how), again)
}

// livingRuns lists the runs of a checkout and of its worktrees whose processes hold their locks.
func livingRuns(root string) ([]living, error) {
	runs, err := journal.ListRuns(filepath.Join(root, storeDir, "events"))
	if err != nil {
		return nil, err
	}
	var out []living
	for _, s := range runs {
		if s.Err != nil || s.End != nil {
			continue
		}
		holder, held, err := workspace.Busy(cmp.Or(s.Start.Worktree, root))
		if err == nil && held && holder.Run == string(s.Run) {
			plan := ""
			if s.Start.Plan != "" {
				plan = relative(root, s.Start.Plan)
			}
			out = append(out, living{Run: string(s.Run), Plan: plan, socket: holder.ControlSocket, pid: holder.PID})
		}
	}
	return out, nil
}

// livingRun is a run of a checkout, if it goes on; else nil.
func livingRun(root, run string) (*living, error) {
	runs, err := livingRuns(root)
	for _, l := range runs {
		if l.Run == run {
			return &l, err
		}
	}
	return nil, err
}

func livingNames(runs []living) string {
	var names []string
	for _, l := range runs {
		names = append(names, l.String())
	}
	return strings.Join(names, ", ")
}

// asPerson says for a journal who gives an order at a shell.
func asPerson(p *Proc) string { return fmt.Sprintf("%s, pid %d", userName(p), os.Getpid()) }
