package cli

import (
	"path/filepath"

	findings "ralphex/internal/report"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/custom"
	"ralphex/pkg/processor"
)

// wireReviews adds to the processor's settings what its reviews need.
func (r *running) wireReviews(cfg *processor.Config) error {
	cfg.Review, cfg.Reviews, cfg.Tasks = processor.Schedule(r.cfg.Review), r.start.Reviews, r.start.Tasks
	if r.reviewers.skipped != "" {
		cfg.Review, cfg.Unreviewed = processor.ReviewNone, r.reviewers.skipped
	}
	cfg.From = event.Stage(r.opts.from)
	cfg.ReportOnly = r.opts.report
	if r.mode() == processor.ModeTasksOnly || r.drafts() || r.reviewers.staff.ex == nil {
		return nil
	}
	cfg.Finalize = r.cfg.FinalizeEnabled && !r.opts.report
	cfg.ReviewModel = processor.Model{Name: r.reviewers.staff.model.Name, Effort: r.reviewers.staff.model.Effort}
	cfg.ReviewLabel = reviewLabel(r.reviewers.staff.ex.Name())
	cfg.ExternalTimeout = r.cfg.ExternalTimeout
	cfg.Tool = processor.Tool{Name: r.reviewers.tool, Max: r.cfg.MaxExternal, Patience: r.cfg.ReviewPatience}
	external, evaluation := "codex_review", "codex"
	if r.reviewers.tool == custom.Name {
		external, evaluation = "custom_review", "custom_eval"
		cfg.Tool.Heading, cfg.Tool.Message = "custom review", "fix: address external review findings"
	}
	p := &cfg.Prompts
	reviewer := r.reviewers.staff.all()
	var tool []executor.Executor
	if ex := r.reviewers.external; ex != nil {
		tool = append(append(tool, ex), r.reviewers.outside...)
	}
	for _, one := range []struct {
		name string
		to   *processor.Template
		who  []executor.Executor
	}{
		{"review_first", &p.ReviewFirst, reviewer}, {"review_second", &p.ReviewSecond, reviewer}, {"finalize", &p.Finalize, reviewer},
		{external, &p.External, tool}, {evaluation, &p.Evaluation, reviewer},
	} {
		if len(one.who) == 0 {
			continue
		}
		t, err := r.prompt(one.name, one.who...)
		if err != nil {
			return err
		}
		*one.to = t
	}
	return nil
}

// prompt reads a prompt for the agents that may get it, and tells once what there is to say about it.
func (r *running) prompt(name string, agents ...executor.Executor) (processor.Template, error) {
	t, notes, err := promptFor(r.cfg, name, agents...)
	for _, n := range notes {
		if !r.noted[n.Text] {
			r.noted[n.Text] = true
			r.Emit(0, n)
		}
	}
	return t, err
}

// printReport prints what a report found, the only thing on stdout.
func (r *running) printReport() error {
	plan := ""
	if r.hasPlan() {
		plan = filepath.ToSlash(relative(r.repo.Root(), r.named))
	}
	return printFindings(r.proc, r.opts.plain, r.opts.format, findings.Findings{Run: string(r.bus.Run()), Plan: plan, Version: versionString(), Entries: r.findings})
}

// reviewLabel is the reviewer in headings of the log. The public format leaves it out where one agent does everything.
func reviewLabel(name string) string {
	if row, _ := rowOf(name); row.alone {
		return ""
	}
	return name
}
