package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ralphex/internal/config"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// staff is the agent of some phases, with those that stand in for it.
type staff struct {
	ex       executor.Executor
	standIns []executor.Executor
	model    config.Model
}

// all are those who may work, in the order of preference.
func (s staff) all() []executor.Executor { return append([]executor.Executor{s.ex}, s.standIns...) }

// findAgent finds the agents of the run. What is missing is said.
func (j *job) findAgent(ctx context.Context) error {
	name := taskExecutor(j.cfg)
	switch {
	case j.drafts():
		name = planExecutor(j.cfg)
	case !worksTasks(j.mode()):
		name = reviewExecutor(j.cfg)
	}
	if err := checkPhaseAgents(j.cfg); err != nil {
		return err
	}
	row, _ := rowOf(name)
	if j.cfg.PassClaudeMD && !row.claudeMD {
		return usage(fmt.Errorf("pass_claude_md requires the codex executor; this run uses %s", name), "add --codex, or leave pass_claude_md out")
	}
	if j.drafts() {
		return j.findDrafter(ctx, name)
	}
	if err := j.checkOutside(); err != nil {
		return err
	}
	if worksTasks(j.mode()) {
		s, err := j.findStaff(ctx, name, j.cfg.TaskModel, func(executorRow) bool { return true })
		if err != nil {
			return err
		}
		j.agent = s
	}
	if err := j.findReviewers(ctx); err != nil {
		return err
	}
	if !worksTasks(j.mode()) {
		j.agent = j.reviewers.staff
	}
	return nil
}

// findStaff finds an agent and those that stand in for it, if they can do what it does. One of them must be there.
func (j *job) findStaff(ctx context.Context, name string, model config.Model, fits func(executorRow) bool) (staff, error) {
	ex, err := newExecutor(j.cfg, name)
	if err != nil {
		return staff{}, err
	}
	if err := executor.CheckModel(ex, model.Name, model.Effort); err != nil {
		return staff{}, usage(err, hintOf(err))
	}
	s := staff{ex: ex, model: model}
	missing := ex.Check(ctx)
	for _, other := range slices.DeleteFunc(slices.Compact(slices.Clone(j.cfg.FallbackExecutors)), func(n string) bool { return n == name }) {
		ex, err := newExecutor(j.cfg, other)
		if err != nil {
			return staff{}, err
		}
		if row, _ := rowOf(other); !fits(row) {
			continue
		}
		if err := ex.Check(ctx); err != nil {
			j.note(event.Note{Level: event.Warn, Text: fmt.Sprintf("%s can't stand in: %v", other, err), Hint: hintOf(err)})
			continue
		}
		s.standIns = append(s.standIns, ex)
	}
	if missing == nil || len(s.standIns) == 0 {
		return s, missing
	}
	j.note(event.Note{Level: event.Warn, Text: fmt.Sprintf("%v: %s works instead", missing, s.standIns[0].Name()), Hint: hintOf(missing)})
	// The model's name is one of the missing agent's.
	return staff{ex: s.standIns[0], standIns: s.standIns[1:]}, nil
}

// findReaders finds an agent that reads prompts, and those that stand in for it. Where no model is set for what it does, that of tasks is taken.
func (j *job) findReaders(ctx context.Context, name string, model config.Model) (staff, error) {
	if name == taskExecutor(j.cfg) {
		model = model.Or(j.cfg.TaskModel) // of another agent it would be no name
	}
	return j.findStaff(ctx, name, model, func(r executorRow) bool { return !r.tasksOnly })
}

// checkPhaseAgents refuses agents and models of phases that could not be used, hours before it is their turn.
func checkPhaseAgents(c *config.Config) error {
	for _, ph := range phaseAgents(c) {
		ex, err := newExecutor(c, ph.agent)
		if err != nil {
			return err
		}
		if err := executor.CheckModel(ex, ph.model.Name, ph.model.Effort); err != nil {
			return usage(fmt.Errorf("%s: %w", ph.phase, err), hintOf(err))
		}
	}
	return nil
}

// phaseAgent says who works in a phase.
type phaseAgent struct {
	phase string // "review"
	agent string
	model config.Model
}

// phaseAgents lists the phases whose agent or model is set apart from that of tasks.
func phaseAgents(c *config.Config) []phaseAgent {
	var out []phaseAgent
	for _, p := range []phaseAgent{{"review", c.ReviewExecutor, c.ReviewModel}, {"plan", c.PlanExecutor, c.PlanModel}, {"external", c.ExternalExecutor, config.Model{}}} {
		if p.agent == "" && p.model == (config.Model{}) {
			continue
		}
		p.agent = cmp.Or(p.agent, c.Executor, defaultExecutor)
		out = append(out, p)
	}
	return out
}
