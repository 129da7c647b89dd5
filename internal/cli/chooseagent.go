package cli

import (
	"context"
	"fmt"
	"slices"

	"ralphex/internal/config"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// findAgent finds the agent of the run and those that stand in for it. One of them must be there; what is missing is said.
func (j *job) findAgent(ctx context.Context) error {
	name := taskExecutor(j.cfg)
	if err := checkPhaseAgents(j.cfg); err != nil {
		return err
	}
	row, _ := rowOf(name)
	if j.cfg.PassClaudeMD && !row.claudeMD {
		return usage(fmt.Errorf("pass_claude_md requires the codex executor; this run uses %s", name), "add --codex, or leave pass_claude_md out")
	}
	if row.alone && j.cfg.IsSet("external_review_tool") && j.cfg.ExternalReviewTool != "none" {
		j.notes = append(j.notes, event.Note{Level: event.Warn,
			Text: fmt.Sprintf("config-file external_review_tool=%q overridden to \"none\" because executor=%s", j.cfg.ExternalReviewTool, name)})
	}
	ex, err := newExecutor(j.cfg, name)
	if err != nil {
		return err
	}
	if err := executor.CheckModel(ex, j.cfg.TaskModel.Name, j.cfg.TaskModel.Effort); err != nil {
		return usage(err, hintOf(err))
	}
	j.ex = ex
	missing := ex.Check(ctx)
	for _, other := range slices.DeleteFunc(slices.Compact(slices.Clone(j.cfg.FallbackExecutors)), func(n string) bool { return n == name }) {
		ex, err := newExecutor(j.cfg, other)
		if err != nil {
			return err
		}
		if err := ex.Check(ctx); err != nil {
			j.notes = append(j.notes, event.Note{Level: event.Warn, Text: fmt.Sprintf("%s can't stand in: %v", other, err), Hint: hintOf(err)})
			continue
		}
		j.fallbacks = append(j.fallbacks, ex)
	}
	if missing == nil || len(j.fallbacks) == 0 {
		return missing
	}
	j.notes = append(j.notes, event.Note{Level: event.Warn, Text: fmt.Sprintf("%v: %s works instead", missing, j.fallbacks[0].Name()), Hint: hintOf(missing)})
	j.ex, j.fallbacks = j.fallbacks[0], j.fallbacks[1:]
	j.cfg.TaskModel = config.Model{} // a name of the missing agent's
	return nil
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
	base := c.Executor
	if base == "" {
		base = defaultExecutor
	}
	var out []phaseAgent
	for _, p := range []phaseAgent{{"review", c.ReviewExecutor, c.ReviewModel}, {"plan", c.PlanExecutor, c.PlanModel}, {"external", c.ExternalExecutor, config.Model{}}} {
		if p.agent == "" && p.model == (config.Model{}) {
			continue
		}
		if p.agent == "" {
			p.agent = base
		}
		out = append(out, p)
	}
	return out
}
