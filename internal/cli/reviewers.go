package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"ralphex/internal/config"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/codex"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor"
)

// reviewers are those who review, found before anything is touched.
type reviewers struct {
	skipped  string // why there are no reviews; empty = there are
	staff    staff  // of reviews, evaluations and the finalize step
	external executor.Executor
	outside  []executor.Executor // who stand in for it
	// tool is who reviews from outside, as the log calls it: "codex", "custom", another agent's name, "none".
	tool string
}

// toolNone says that nobody reviews from outside.
const toolNone = "none"

// reviewExecutor is the agent of reviews: review_executor, else executor, else the default.
func reviewExecutor(c *config.Config) string {
	return cmp.Or(c.ReviewExecutor, c.Executor, defaultExecutor)
}

// findReviewers finds who reviews. What a flag asks for and can't be had is an error; what is only a setting or a default is a warning,
// as in the public ralphex.
func (j *job) findReviewers(ctx context.Context) error {
	j.reviewers = reviewers{tool: toolNone}
	if err := j.checkPhases(); err != nil {
		return err
	}
	if j.mode() == processor.ModeTasksOnly {
		return nil
	}
	name := reviewExecutor(j.cfg)
	row, _ := rowOf(name)
	switch {
	case j.mode() == processor.ModeFull && j.cfg.Review == config.ReviewNone && !j.planWantsReviews() && j.opts.from != "finalize" && !j.cfg.FinalizeEnabled:
		j.reviewers.skipped = "review = none"
		return nil
	case row.tasksOnly && (j.mode() != processor.ModeFull || j.opts.from != "" && j.opts.from != "tasks"):
		return usage(fmt.Errorf("%s works tasks off and can't review", name), "name who reviews: --executor claude, or review_executor in the settings")
	case row.tasksOnly:
		j.reviewers.skipped = name + " works tasks off and can't review (review_executor names who does)"
		return nil
	}
	s, err := j.findReaders(ctx, name, j.cfg.ReviewModel)
	if err != nil {
		if worksTasks(j.mode()) {
			return hinted(fmt.Errorf("reviews: %w", err), "without reviews: add -t; "+hintOf(err))
		}
		return err
	}
	j.reviewers.staff = s
	if j.opts.report || j.mode() == processor.ModeFull && j.cfg.Review == config.ReviewNone {
		return nil
	}
	return j.findExternal(ctx)
}

// planWantsReviews tells whether a task of the plan, if there is one, says that it is reviewed, whatever the settings say.
func (j *job) planWantsReviews() bool {
	return j.plan != nil && slices.ContainsFunc(j.plan.Tasks, func(t plan.Task) bool { return t.Review.When != "" && t.Review.When != plan.ReviewNone })
}

// outsideAsked tells whether the run is nothing without a review from outside.
func (j *job) outsideAsked() bool {
	return j.mode() == processor.ModeCodexOnly || j.opts.from == "external"
}

// checkOutside refuses flags that contradict each other about the external review, before any agent is looked for: installing one would not help.
func (j *job) checkOutside() error {
	if j.mode() == processor.ModeTasksOnly || j.opts.report || !j.opts.tool && !j.outsideAsked() {
		return nil
	}
	_, err := j.externalTool()
	return err
}

// findExternal finds who reviews from outside: external_executor, else what external_review_tool says.
func (j *job) findExternal(ctx context.Context) error {
	asked := j.outsideAsked()
	tool, err := j.externalTool()
	if err != nil {
		return err
	}
	if tool == toolNone {
		if asked {
			return usage(fmt.Errorf("nobody reviews from outside: external_review_tool is none (%s)", j.cfg.Source("external_review_tool")),
				"add --external-review-tool codex, or name another agent: external_executor in the settings")
		}
		return nil
	}
	row, _ := rowOf(tool)
	if row.tasksOnly {
		return usage(fmt.Errorf("external_executor = %s: it works tasks off and can't review", tool), "name another agent")
	}
	if tool == "custom" && j.cfg.CustomReviewScript == "" {
		return usage(errors.New("custom review script not configured"), "add --custom-review-script FILE, or set custom_review_script")
	}
	ex := row.reviewer(j.cfg)
	outside := j.findOutside(ctx, tool)
	err = ex.Check(ctx)
	if err != nil && len(outside) > 0 {
		j.note(event.Note{Level: event.Warn, Text: fmt.Sprintf("external review: %v: %s looks instead", err, outside[0].Name()), Hint: hintOf(err)})
		j.reviewers.external, j.reviewers.tool, j.reviewers.outside = outside[0], outside[0].Name(), outside[1:]
		return nil
	}
	if err != nil {
		if asked || j.opts.tool || tool != codex.Name {
			return hinted(fmt.Errorf("external review by %s: %w", tool, err), hintOf(err))
		}
		j.note(event.Note{Level: event.Warn, Text: fmt.Sprintf("codex not found (codex: %v), disabling codex review phase", err), Hint: "--external-review-tool none is without this warning"})
		return nil
	}
	j.reviewers.external, j.reviewers.tool, j.reviewers.outside = ex, tool, outside
	return nil
}

// findOutside finds who stands in for the external tool: of the fallback_executors those that are there, can review, and are not the
// reviewer, whose second look at its own work is none from outside. Who is missing was said when the reviewer's were found.
func (j *job) findOutside(ctx context.Context, tool string) (found []executor.Executor) {
	reviewer := reviewExecutor(j.cfg)
	for _, name := range j.cfg.FallbackExecutors {
		row, ok := rowOf(name)
		if !ok || row.tasksOnly || name == tool || name == reviewer || slices.ContainsFunc(found, func(ex executor.Executor) bool { return ex.Name() == name }) {
			continue
		}
		if ex := row.reviewer(j.cfg); ex.Check(ctx) == nil {
			found = append(found, ex)
		}
	}
	return found
}

// externalTool is the name of who reviews from outside, by flags and settings.
func (j *job) externalTool() (string, error) {
	if name := j.cfg.ExternalExecutor; name != "" && !j.opts.tool {
		return name, nil
	}
	tool := j.cfg.ExternalReviewTool
	if !j.cfg.CodexEnabled && !j.opts.tool && j.mode() != processor.ModeCodexOnly {
		tool = toolNone
	}
	reviewer := reviewExecutor(j.cfg)
	row, _ := rowOf(reviewer)
	if !row.alone || tool == toolNone {
		return tool, nil
	}
	const way = "leave it out, or name an agent that is none of the run's: external_executor in the settings"
	switch {
	case j.opts.tool:
		return "", usage(fmt.Errorf("--external-review-tool %s: %s is the agent of the run and reviews its own way", tool, reviewer), way)
	case j.outsideAsked():
		return "", usage(fmt.Errorf("an external review alone: %s is the agent of the run and reviews its own way", reviewer), way)
	}
	if j.cfg.IsSet("external_review_tool") {
		j.note(event.Note{Level: event.Warn,
			Text: fmt.Sprintf("config-file external_review_tool=%q overridden to \"none\" because executor=%s", tool, reviewer)})
	}
	return toolNone, nil
}
