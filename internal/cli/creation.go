package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/journal"
	"ralphex/pkg/event"
	plancheck "ralphex/pkg/plan/check"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
)

// creating are the settings of a run that makes a plan.
type creating struct {
	request string      // what the plan is for, in the person's words
	run     event.RunID // the run that is answered; empty = the newest with this request
	answers *answers    // said beforehand; nil = none
	asks    bool        // a person sits at the terminal
}

// goesOn tells whether the newest run with the request is gone on with. One whose draft was rejected is over.
func (c creating) goesOn(state *journal.Resume) (*journal.Resume, error) {
	if c.run != "" && state.Run != c.run {
		return nil, usage(fmt.Errorf("run %s is not the newest with this description: %s is", c.run, state.Run), "ralphex answer "+string(state.Run))
	}
	if phase.Rejected(state.Talk) {
		if c.run != "" {
			return nil, usage(fmt.Errorf("run %s: its draft was rejected", c.run), "ralphex create begins another one")
		}
		return nil, nil
	}
	return state, nil
}

// planExecutor is the agent of plan creation: plan_executor, else executor, else the default.
func planExecutor(c *config.Config) string {
	return cmp.Or(c.PlanExecutor, c.Executor, defaultExecutor)
}

// findDrafter finds the agent that makes the plan.
func (j *job) findDrafter(ctx context.Context, name string) error {
	if row, _ := rowOf(name); row.tasksOnly {
		return usage(fmt.Errorf("%s works tasks off and can't make a plan", name), "name who drafts: --executor claude, or plan_executor in the settings")
	}
	s, err := j.findReaders(ctx, name, j.cfg.PlanModel)
	j.agent = s
	return err
}

// planModel is how the log names the model of plan creation; empty in other modes.
func (r *running) planModel() string {
	if !r.drafts() {
		return ""
	}
	return r.agent.model.String()
}

// subject is what the log of a run is named after: its plan, or the description of the one to be made.
func (j *job) subject() string {
	if j.drafts() {
		return j.opts.create.request
	}
	return j.named
}

// answersOnly tells whether standard output is for the answer alone, and the log goes to standard error.
func (r *running) answersOnly() bool {
	return r.opts.report || r.drafts() && !r.opts.create.asks && !r.opts.json
}

// goingOn says what is gone on with.
func (r *running) goingOn() string {
	e := r.earlier
	head := fmt.Sprintf("going on with run %s of %s: ", e.Run, e.Started.Local().Format(time.DateTime))
	if !r.drafts() {
		return head + fmt.Sprintf("%d %s done", len(e.Proven), plural(len(e.Proven), "task is", "tasks are"))
	}
	n := 0
	for _, d := range e.Talk {
		if draft, ok := d.(event.Draft); ok {
			n = draft.N
		}
	}
	return head + fmt.Sprintf("%d %s so far", n, plural(n, "draft", "drafts"))
}

// wireCreation adds to the processor's settings what plan creation needs.
func (r *running) wireCreation(cfg *processor.Config, prompt processor.Template) {
	cfg.Prompts.Plan = prompt
	cfg.Vars = maps.Clone(cfg.Vars)
	cfg.Vars["PLAN_DESCRIPTION"] = r.opts.create.request
	cfg.Create.ToolWrites = r.cfg.PlanWrite == "tool"
	if r.earlier != nil {
		cfg.Create.Talk = r.earlier.Talk
	}
}

// collector is who answers the run's questions: what was said beforehand, then the person, if there is one.
func (r *running) collector() phase.InputCollector {
	if !r.drafts() {
		return nil
	}
	var then phase.InputCollector
	if r.opts.create.asks {
		then = &person{run: r}
	}
	if a := r.opts.create.answers; a != nil {
		then = &prepared{answers: a, then: then}
	}
	// With a dashboard there is a place to answer; else nobody would know of it.
	patient := r.opts.web.answers() && !r.opts.create.asks
	if then == nil && !patient {
		return nil
	}
	r.elsewhere.here, r.elsewhere.patient = then, patient
	return &r.elsewhere
}

// mostProblems is how many broken rules are told of a draft.
const mostProblems = 20

// draftProblems are the strict rules that a draft breaks, those that are errors.
func draftProblems(text string) []string {
	var out []string
	for _, f := range plancheck.Check([]byte(text), plancheck.Options{}) {
		if f.Severity == plancheck.Error {
			out = append(out, fmt.Sprintf("line %d: %s [%s]", f.Line, f.Message, f.Rule))
		}
	}
	if n := len(out); n > mostProblems {
		out = append(out[:mostProblems], fmt.Sprintf("and %d more", n-mostProblems))
	}
	return out
}

// createPlan makes a plan and, where that is wanted, works it off. then are the settings of that run.
func createPlan(ctx context.Context, p *Proc, o, then runOptions, implement *bool) error {
	j, err := prepare(ctx, p, o)
	if err != nil {
		return err
	}
	err = j.run(ctx)
	var waits *phase.PendingError
	switch {
	case errors.As(err, &waits) && !o.json:
		if perr := printPending(p.Out, j.id, waits); perr != nil {
			return perr
		}
		return &exitError{code: exitLeft}
	case errors.Is(err, phase.ErrRejected):
		return fmt.Errorf("plan creation: %w", err)
	}
	if j.created == "" {
		return err
	}
	if !o.create.asks && !o.json {
		if perr := printCreated(p.Out, j.id, j.created); perr != nil {
			return perr
		}
	}
	if err != nil {
		return err // it is made, and something is to be looked at before it is run
	}
	at := filepath.Join(j.repo.Root(), filepath.FromSlash(j.created))
	if yes, err := wantsRun(ctx, p, o, implement); err != nil || !yes {
		if err == nil && o.create.asks {
			fmt.Fprintf(p.Err, "next: ralphex %s\n", shellQuote(relative(p.Dir, at)))
		}
		return err
	}
	then.plan = at
	return work(ctx, p, then)
}

// wantsRun tells whether the plan is to be run now: by flag, or by asking.
func wantsRun(ctx context.Context, p *Proc, o runOptions, implement *bool) (bool, error) {
	if implement != nil || !o.create.asks {
		return implement != nil && *implement, nil
	}
	lines := p.afresh()
	fmt.Fprint(p.Err, "Continue with plan implementation? [y/N]: ")
	line, err := lines.next(ctx)
	if err != nil {
		return false, endOfInput(err)
	}
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line))), nil
}
