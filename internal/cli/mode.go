package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/config"
	"ralphex/pkg/event"
	"ralphex/pkg/processor"
	"ralphex/pkg/vcs"
)

// modeReport is what a run that only looks is called in the journal and in its log; for the processor it is a review.
const modeReport = "report"

// The phases that --from names, in the order of a run.
var fromPhases = []string{"tasks", "review", "external", "review2", "finalize"}

// chosen is the mode that the flags name. Several are no conflict, the narrowest wins: the public rule.
func (c *runCmd) chosen() processor.Mode {
	switch {
	case c.TasksOnly:
		return processor.ModeTasksOnly
	case c.ExternalOnly, c.CodexOnly:
		return processor.ModeCodexOnly
	case c.Review:
		return processor.ModeReview
	}
	return processor.ModeFull
}

// worksTasks tells whether a mode works a plan's tasks off: it has a plan, a branch of its own, and an archive. The others look at what
// is there, and stay where they are.
func worksTasks(m processor.Mode) bool {
	return m == processor.ModeFull || m == processor.ModeTasksOnly
}

// drafts tells whether a run makes a plan.
func (j *job) drafts() bool { return j.mode() == processor.ModePlan }

// modeName is how the mode is called in the journal, in the log and in its name.
func (j *job) modeName() string {
	if j.opts.report {
		return modeReport
	}
	return string(j.mode())
}

func (j *job) mode() processor.Mode {
	if j.opts.mode == "" {
		return processor.ModeFull
	}
	return j.opts.mode
}

// hasPlan tells whether the run is about a plan; without one it is about the branch that is checked out.
func (j *job) hasPlan() bool { return j.planAt != "" }

// shown is what the run is about, as a person in dir names it: its plan, or that it has none.
func (j *job) shown(dir string) string {
	if j.named == "" {
		return noPlan
	}
	return relative(dir, j.named)
}

// noPlan stands where a run has no plan.
const noPlan = "(no plan)"

// checkFrom refuses --from a phase that the mode does not have, and --report where something would be changed.
func (o runOptions) checkFrom() error {
	if o.report && o.mode != processor.ModeReview {
		return usage(fmt.Errorf("--report is a review that changes nothing, and this is mode %s", o.mode), "ralphex --review --report")
	}
	if o.report && o.json {
		return usage(errors.New("--report and --json both want to print on stdout"), "--format json prints the findings as JSON")
	}
	if o.from == "" {
		return nil
	}
	if o.report {
		return usage(fmt.Errorf("--report has one pass: --from has nothing to choose"), "leave --from out")
	}
	has := map[processor.Mode][]string{
		processor.ModeFull: fromPhases, processor.ModeTasksOnly: fromPhases[:1], processor.ModeReview: fromPhases[1:], processor.ModeCodexOnly: fromPhases[2:],
	}[o.mode]
	if !slices.Contains(has, o.from) {
		return usage(fmt.Errorf("--from %s: mode %s has no such phase", o.from, o.mode), fmt.Sprintf("it has: %s", strings.Join(has, ", ")))
	}
	return nil
}

// checkPhases refuses --from a phase that the settings switch off, before anything is touched: it would do nothing, and look like success.
func (j *job) checkPhases() error {
	if j.opts.from == "finalize" && !j.cfg.FinalizeEnabled {
		why := "finalize_enabled is false (" + j.cfg.Source("finalize_enabled") + ")"
		return usage(fmt.Errorf("--from finalize: there is no finalize step, %s", why), "set finalize_enabled = true, and leave --skip-finalize out")
	}
	if j.mode() == processor.ModeFull && j.cfg.Review == config.ReviewNone && slices.Contains(fromPhases[1:4], j.opts.from) {
		return usage(fmt.Errorf("--from %s: review = none (%s)", j.opts.from, j.cfg.Source("review")), "add --review-when end")
	}
	return nil
}

// stays says what of the flags means nothing to a run that stays on the branch that is checked out.
func (j *job) stays(head vcs.Head) {
	if b := j.opts.branch; b != "" && b != string(head.Branch) {
		j.note(event.Note{Level: event.Warn, Text: fmt.Sprintf("--branch %s only names the log: mode %s stays on %s", b, j.modeName(), head.Branch), Hint: "--worktree goes to its worktree"})
	}
}

// base is what the change of a branch is compared with: --base-ref, else the settings, else what the repository says.
func (j *job) base() string {
	return cmp.Or(j.opts.baseRef, j.cfg.DefaultBranch, vcs.VerbsOf(j.repo).Base, string(j.ready.Default))
}

// baseRev is the same as the repository is asked for it: its own word for the base may be no name.
func (j *job) baseRev() vcs.Rev {
	return vcs.Rev(cmp.Or(j.opts.baseRef, j.cfg.DefaultBranch, string(j.ready.Default)))
}

// checkChange refuses a review where there is nothing to look at. Where that can't be told the reviewer will see. A file that the repository
// doesn't know yet is something: reviewers are told of what is not recorded, too, and a new file often is the work.
func (j *job) checkChange(ctx context.Context) error {
	if worksTasks(j.mode()) || j.drafts() || j.earlier != nil || j.tree != nil && j.tree.made == nil {
		return nil // a worktree is looked at when it is there
	}
	status, err := j.repo.Status(ctx)
	if err != nil || len(status.Changes) > 0 {
		return err
	}
	if same, err := j.repo.IsAncestor(ctx, j.ready.Start.Rev, j.baseRev()); err == nil && same {
		return usage(fmt.Errorf("nothing to review: %s has nothing that %s does not have", j.ready.Start.Branch, j.baseRev()), "go to the branch of the work, or name what it is compared with: --base-ref REF")
	}
	return nil
}

// note keeps what was noticed while looking, once, until the journal is open.
func (j *job) note(n event.Note) {
	if !slices.Contains(j.notes, n) {
		j.notes = append(j.notes, n)
	}
}
