package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// record classifies, decides, and writes it all down.
func (e *ending) record(ctx context.Context, session *provenance.Session, textChanged bool) (turned, error) {
	note := e.judgement.Status == iteration.Applied && e.judgement.Report.ProgressNote != ""
	verified := task.Verifier(artifact.Aggregate(e.verdicts...))
	class := iteration.Classify(e.facts(verified, textChanged || note), e.earlier.LastIteration)
	e.phase("classifiedAt")
	e.diagnose(e.w, class.Classification)
	it := e.result(class, verified)
	history := append(slices.Clone(e.earlier.IterationHistory), it)
	stop := e.judgement.Stop
	var cure *iteration.Remediation
	if stop == "" {
		stop = e.decide(history, it)
		cure = iteration.BuildRemediation(stop, e.now, history, e.report.Validation.Effective)
	}
	if stop != "" {
		it.FollowUp = string(iteration.StopLoop)
	}
	it.StopReason = string(stop)
	if cure != nil {
		it.Remediation = cure.Brief()
		it.Warnings = append(it.Warnings, e.cure(ctx, cure)...)
		e.readGraph(ctx)
		it.Backlog = e.backlog()
	}
	return e.close(ctx, session, it, cure, e.outcome(it))
}

// result is the iteration's result, as far as it is known before the decision.
func (e *ending) result(class iteration.Classified, verified task.Verifier) state.Iteration {
	it := state.Iteration{AgentID: e.s.settings.AgentID, ProvenanceID: e.id, Number: e.n, TaskID: e.task.ID, TaskTitle: e.task.Title, ExecutionStatus: string(e.execution),
		VerificationStatus: string(verified), Classification: string(class.Classification), FollowUp: string(class.FollowUp), StartedAt: stable.Time(e.began),
		Phases: e.phases, Warnings: append(slices.Concat([]string{}, e.warnings), e.judgement.Warnings...), Errors: []string{}, NoProgressSignals: class.Signals, SelectedModel: e.cfg.TaskModel.Name, EffectiveTier: e.tier}
	if e.execution != iteration.Skipped {
		exit := e.res.Exit.Code
		it.Execution = state.Execution{ExitCode: &exit, Message: e.message}
	}
	if e.message != "" {
		it.Errors = append(it.Errors, e.message)
	}
	if e.validation != nil {
		it.Verification.ValidationFailureSignature = e.validation.Signature
	}
	it.Backlog = e.backlog()
	return it
}

// backlog is what is left of the graph, and whether the role can work on any of it.
func (e *ending) backlog() state.Backlog {
	if e.graph == nil {
		return state.Backlog{}
	}
	return state.Backlog{RemainingTaskCount: e.graph.Counts().Remaining(), ActionableTaskAvailable: len(e.graph.Candidates(preflight.RoleOf(e.s.Layout, e.s.settings))) > 0}
}

// close writes the result, the bundle and the state, and what the next iteration and a person need.
func (e *ending) close(ctx context.Context, session *provenance.Session, it state.Iteration, cure *iteration.Remediation, out provenance.Outcome) (turned, error) {
	e.logEnd()
	it.FinishedAt = stable.Time(time.Now())
	e.phase("persistedAt")
	it.Summary = it.SummaryText()
	out.Result, out.Others = it, append(out.Others, e.kept...)
	if cure != nil {
		data := stable.Marshal(cure.Record(iteration.Place{ProvenanceID: e.id, Iteration: e.n, ArtifactDir: e.s.Iteration(e.n).Dir, ResultPath: e.s.Iteration(e.n).Result}, time.Now()))
		out.Others = append(out.Others, provenance.File{Path: e.s.Iteration(e.n).Remediation, Latest: e.s.Latest().Remediation, Data: data})
	}
	if r := e.judgement.Report; r != nil && len(r.Doctrine) > 0 {
		proposal := doctrine.Propose(r.Doctrine, r.DoctrineWarnings, doctrine.Origin{ProvenanceID: e.id, Iteration: e.n, TaskID: e.task.ID, TaskTitle: e.task.Title, Source: "completionReport"}, time.Now())
		out.Others = append(out.Others, provenance.File{Path: e.s.Iteration(e.n).DoctrineProposal, Data: stable.Marshal(proposal)})
	}
	done, missing := session.Finish(out) // what could not be written ends the turns, and is no reason to forget what is done and decided
	left, one := it.Backlog.RemainingTaskCount, 1
	e.wrote(events.IterationResult, e.s.Iteration(e.n).Result)
	e.tell(events.RunCompleted{StopReason: it.StopReason, Iterations: &one, BacklogRemaining: &left})
	err := errors.Join(missing, e.keepRest(ctx, done))
	e.remember(ctx)
	if e.completed() {
		e.hook(ctx, settings.OnTaskComplete, done.Classification, done.StopReason)
	}
	if done.StopReason != "" {
		e.hook(ctx, settings.OnStop, done.Classification, done.StopReason)
	}
	e.settle(ctx, session)
	e.sayEnd(done)
	return turned{done, iteration.StopReason(it.StopReason), e.failure, true, e.harm}, err
}

// completed tells whether the task was done with the iteration, and nobody doubts it.
func (e *ending) completed() bool {
	return e.now != nil && e.now.Status == task.Done && e.task.Status != task.Done && !e.doubted
}

// decide asks whether the loop goes on.
func (e *ending) decide(history []state.Iteration, it state.Iteration) iteration.StopReason {
	set := e.s.settings
	in := iteration.LoopInput{History: history, Actionable: it.Backlog.ActionableTaskAvailable, Remaining: it.Backlog.RemainingTaskCount, TaskDone: e.now != nil && e.now.Status == task.Done,
		AutoReplenish: set.AutoReplenish && !e.exhausted, StopOnHumanReview: set.StopOnHumanReview, NoProgressThreshold: set.NoProgressThreshold, RepeatedFailureThreshold: set.RepeatedFailureThreshold,
		Last: e.last, NonRetryable: e.failure != nil && e.failure.Class.Info().Human}
	if e.graph != nil {
		in.PreflightDiagnostics = e.graph.Check()
	}
	return iteration.DecideLoopContinuation(in)
}

// cure carries a remediation out, if the settings let it. What became of it is a warning.
func (e *ending) cure(ctx context.Context, r *iteration.Remediation) []string {
	applies := r.AutoApplies(e.s.settings.AutoApplyRemediation)
	defer func() {
		e.tell(events.RemediationApplied{TaskID: r.Task.ID, Action: string(r.Action), Applied: applies})
	}()
	if !applies {
		return nil
	}
	var err error
	if r.Action == task.MarkBlocked {
		_, err = e.tasks.Block(ctx, r.Task.ID, r.Summary)
	} else {
		_, err = e.tasks.ApplySuggestedChildren(ctx, r.Task.ID, r.Children)
	}
	if err != nil {
		applies = false
		return []string{fmt.Sprintf("The remediation %s could not be applied: %v.", r.Action, err)}
	}
	return []string{fmt.Sprintf("The remediation %s was applied.", r.Action)}
}

// outcome is what the session left, for the bundle.
func (e *ending) outcome(it state.Iteration) provenance.Outcome {
	safe := e.safe.redactor
	last := []byte(safe.String(e.res.Text))
	said := append([]byte{}, e.heard.words.Bytes()...) // not nil: a session that said nothing has said nothing
	out := provenance.Outcome{Stdout: said, Stderr: e.stderr(),
		Transcript: said, LastMessage: last, LastWords: stable.CutUTF16(firstLine(string(last)), 200), Validation: e.validation, Diff: &e.diff,
		Verifiers: e.verdicts, Result: it}
	if e.looksAtTree() {
		out.StatusBefore, out.StatusAfter = append([]byte{}, e.before.status...), append([]byte{}, e.after.status...) // of a clean tree, too: nil = nobody looked
	}
	out.Invocation = e.invocation(e.began)
	if usd := e.res.Usage.CostUSD; usd > 0 {
		out.CostUSD = &usd
	}
	if e.validation != nil {
		out.Outputs, out.Errors = [][]byte{e.streams.Stdout}, append([]byte{}, e.streams.Stderr...)
	}
	j := e.judgement
	out.Report = artifact.CompletionReport{Status: string(j.Status), Rejection: j.Reason, TaskID: e.task.ID, RawBlock: safe.String(e.parsed.Raw), Warnings: j.Warnings, NeedsHuman: j.NeedsHumanReview}
	if e.parsed.Report != nil {
		out.Report.Report, _ = e.parsed.Report.Stable().(*stable.Object)
	}
	if e.parsed.Err != nil {
		out.Report.ParseError = e.parsed.Err.Error()
	}
	st := e.noTask()
	if e.selected() != nil {
		st.TaskID, st.HumanReview = e.task.ID, iteration.WantsPerson(e.now)
		st.Before, _ = e.task.Stable().(*stable.Object)
	}
	if e.now != nil {
		st.After, _ = e.now.Stable().(*stable.Object)
	}
	out.State = st
	return out
}

// stderr is what the agent said there, and behind it why the session went wrong.
func (e *ending) stderr() []byte {
	text := string(e.heard.errs.Bytes())
	if e.message != "" {
		text += e.message + "\n"
	}
	return []byte(text)
}

// keepRest records the iteration in the state, and leaves the note for the next session.
func (e *ending) keepRest(ctx context.Context, it state.Iteration) error {
	var run *state.Run
	if it.ExecutionStatus != string(iteration.Skipped) {
		r := state.RunOf(it, e.mode)
		run = &r
	}
	if err := e.state.Record(ctx, it, run, e.recordedPrompt(it.PromptPath)); err != nil {
		return err
	}
	var progress, blocker string
	if r := e.judgement.Report; r != nil {
		progress, blocker = r.ProgressNote, r.Blocker
	}
	if note := iteration.NewHandoff(it, progress, blocker); note != nil {
		if _, err := iteration.WriteHandoff(e.s.Layout, it.AgentID, e.n, note); err != nil {
			fmt.Fprintf(e.p.Err, "warning: handoff: %v\n", err)
		}
	}
	return nil
}

// sayEnd tells a person what became of the iteration.
func (e *ending) sayEnd(it state.Iteration) {
	broken := e.harm.broken
	for _, w := range it.Warnings {
		if slices.Contains(broken, w) {
			continue // it is the error with which the turns end
		}
		fmt.Fprintf(e.p.Err, "warning: %s\n", task.Plain(w))
	}
	left := fmt.Sprintf("; %d left", it.Backlog.RemainingTaskCount)
	if len(broken) > 0 {
		left = ""
	}
	fmt.Fprintf(e.p.Err, "iteration %d: %s, verification %s%s\n", e.n, it.Classification, it.VerificationStatus, left)
}
