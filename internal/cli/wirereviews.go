package cli

import (
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/custom"
	"ralphex/pkg/processor"
)

// wireReviews adds to the processor's settings what its reviews need.
func (r *running) wireReviews(cfg *processor.Config) error {
	cfg.Review = processor.Schedule(r.cfg.Review)
	if r.reviewers.skipped != "" {
		cfg.Review = processor.ReviewNone
	}
	cfg.From = event.Stage(r.opts.from)
	cfg.ReportOnly = r.opts.report
	if r.mode() == processor.ModeTasksOnly || r.reviewers.staff.ex == nil {
		return nil
	}
	cfg.Finalize = r.cfg.FinalizeEnabled && !r.opts.report
	cfg.ReviewModel = processor.Model{Name: r.reviewers.staff.model.Name, Effort: r.reviewers.staff.model.Effort}
	cfg.ReviewLabel = reviewLabel(r.reviewers.staff.ex.Name())
	cfg.Tool = processor.Tool{Name: r.reviewers.tool, Max: r.cfg.MaxExternal, Patience: r.cfg.ReviewPatience}
	external, evaluation := "codex_review", "codex"
	if r.reviewers.tool == custom.Name {
		external, evaluation = "custom_review", "custom_eval"
		cfg.Tool.Heading = "custom review"
	}
	p := &cfg.Prompts
	reviewer := r.reviewers.staff.ex
	for _, one := range []struct {
		name string
		to   *processor.Template
		ex   executor.Executor
	}{
		{"review_first", &p.ReviewFirst, reviewer}, {"review_second", &p.ReviewSecond, reviewer}, {"finalize", &p.Finalize, reviewer},
		{external, &p.External, r.reviewers.external}, {evaluation, &p.Evaluation, reviewer},
	} {
		if one.ex == nil {
			continue
		}
		t, err := r.prompt(one.name, one.ex)
		if err != nil {
			return err
		}
		*one.to = t
	}
	return nil
}

// prompt reads a prompt for the agent that gets it, and tells once what there is to say about it.
func (r *running) prompt(name string, ex executor.Executor) (processor.Template, error) {
	t, notes, err := promptFor(r.cfg, name, ex)
	for _, n := range notes {
		if !r.noted[n.Text] {
			r.noted[n.Text] = true
			r.Emit(0, n)
		}
	}
	return t, err
}

// reviewLabel is the reviewer in headings of the log. The public format leaves it out where one agent does everything.
func reviewLabel(name string) string {
	if row, _ := rowOf(name); row.alone {
		return ""
	}
	return name
}
