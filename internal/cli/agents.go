package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ralphex/internal/config"
	"ralphex/pkg/executor"
)

// examineAgents says of each agent whether it is there, its version and what it can. The one that a run would use must
// be there, others may. The commands are asked side by side: some start a whole runtime to say their version.
func examineAgents(ctx context.Context, p *Proc, cfg *config.Config) []check {
	used := taskExecutor(cfg)
	out := make([]check, len(executors))
	var wg sync.WaitGroup
	for i, row := range executors {
		wg.Go(func() { out[i] = examineAgent(ctx, row, cfg, row.name == used) })
	}
	wg.Wait()
	out = append(out, examinePhases(cfg)...)
	out = append(out, examineReviews(ctx, cfg))
	return append(out, examineEnvironments(cfg, p.Env)...)
}

// examineEnvironments says of each agent that a run may use how its environment differs from ours; the one who reviews from outside may
// have other rules than the same agent at work.
func examineEnvironments(cfg *config.Config, env []string) (out []check) {
	told := map[string]bool{}
	tell := func(name string, make func(executorRow, *config.Config) executor.Executor) {
		row, ok := rowOf(name)
		if !ok {
			return
		}
		d, ok := make(row, cfg).(executor.Describer)
		if !ok {
			return
		}
		text := name + " gets yours, " + environment(d.EnvRules(), env)
		if told[text] {
			return
		}
		if told[name] {
			text = name + ", as the reviewer from outside," + strings.TrimPrefix(text, name)
		}
		told[name], told[text] = true, true
		out = append(out, check{Name: "environment", State: "ok", Text: text})
	}
	for _, name := range append([]string{taskExecutor(cfg), reviewExecutor(cfg), planExecutor(cfg)}, cfg.FallbackExecutors...) {
		tell(name, func(r executorRow, c *config.Config) executor.Executor { return r.make(c) })
	}
	outside := cfg.ExternalExecutor
	if outside == "" && cfg.CodexEnabled && cfg.ExternalReviewTool != toolNone {
		outside = cfg.ExternalReviewTool
	}
	tell(outside, executorRow.reviewer)
	return out
}

func examineAgent(ctx context.Context, row executorRow, cfg *config.Config, used bool) check {
	ex := row.make(cfg)
	k := check{Name: row.name, State: "ok", Text: "ready"}
	if used {
		k.Text = "ready; a run uses it (" + sourceOfExecutor(cfg) + ")"
	}
	if err := ex.Check(ctx); err != nil {
		k.State, k.Text, k.Next = "warn", err.Error(), hintOf(err)
		if used {
			k.State = "fail"
		}
		return k
	}
	if v, ok := ex.(executor.Versioned); ok {
		if version, err := v.Version(ctx); err == nil {
			k.Text += "; " + version
		} else {
			k.Text += "; version unknown"
		}
	}
	if d, ok := ex.(executor.Describer); ok {
		k.Text += "; " + d.Caps().String()
	}
	if err := executor.CheckModel(ex, cfg.TaskModel.Name, cfg.TaskModel.Effort); used && err != nil {
		k.State, k.Text, k.Next = "fail", err.Error(), hintOf(err)
	}
	return k
}

// examinePhases tells who works in phases that have an agent or a model of their own, and who stands in for whom.
func examinePhases(cfg *config.Config) []check {
	var out []check
	for _, ph := range phaseAgents(cfg) {
		text := ph.agent
		if m := ph.model.String(); m != "" {
			text += ", model " + m
		}
		k := check{Name: ph.phase + " agent", State: "ok", Text: text}
		ex, err := newExecutor(cfg, ph.agent)
		if err == nil {
			err = executor.CheckModel(ex, ph.model.Name, ph.model.Effort)
		}
		if err != nil {
			k.State, k.Text, k.Next = "fail", err.Error(), hintOf(err)
		}
		out = append(out, k)
	}
	if len(cfg.FallbackExecutors) > 0 {
		out = append(out, check{Name: "stand-ins", State: "ok", Text: strings.Join(cfg.FallbackExecutors, ", then ") + " (" + cfg.Source("fallback_executors") + ")"})
	}
	return out
}

// examineReviews says who would review the work of a run.
func examineReviews(ctx context.Context, cfg *config.Config) check {
	j := &job{cfg: cfg}
	if err := j.findReviewers(ctx); err != nil {
		return check{Name: "reviews", State: "warn", Text: err.Error(), Next: hintOf(err)}
	}
	r := j.reviewers
	k := check{Name: "reviews", State: "ok", Text: r.skipped}
	if r.skipped == "" {
		k.Text = fmt.Sprintf("by %s, review = %s; from outside: %s", r.staff.ex.Name(), cfg.Review, r.tool)
	}
	for _, n := range j.notes {
		k.Text += "; " + n.Text
	}
	return k
}

// environment says how an agent's environment differs from ours now; values are nobody's business.
func environment(rules executor.EnvRules, env []string) string {
	after := rules.Apply(env)
	var gone, set []string
	for _, e := range env {
		if name, _, _ := strings.Cut(e, "="); !slices.Contains(after, e) {
			gone = append(gone, name)
		}
	}
	for _, e := range after {
		if !slices.Contains(env, e) {
			set = append(set, e)
		}
	}
	slices.Sort(gone)
	slices.Sort(set)
	var how []string
	if len(gone) > 0 {
		how = append(how, "without "+strings.Join(gone, ", "))
	}
	if len(set) > 0 {
		how = append(how, "with "+strings.Join(set, ", "))
	}
	if len(how) == 0 {
		return "as it is"
	}
	return strings.Join(how, "; ")
}
