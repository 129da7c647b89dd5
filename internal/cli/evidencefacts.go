package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/pkg/event"
	"ralphex/pkg/processor"
	"ralphex/pkg/vcs"
)

// facts are what happened since a session was prepared, without secrets.
type facts struct {
	session  *provenance.Session // nil = no session is open
	launch   processor.Launch
	prepared time.Time

	started time.Time
	argv    []string // nil = no process was started
	ended   time.Time
	end     event.SessionEnd
	heard
	signals []string
	ticks   int
	gate    []event.GateCommand // of the last gate
	verdict *event.GateEnd
	paths   []string // of commits
	commits []string
	task    *event.TaskEnd
	round   *event.ReviewRound
}

// Handle notes a fact of the run.
func (e *evidence) Handle(fact event.Event) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch d := fact.Data.(type) {
	case event.PhaseStart:
		e.stage = d.Stage
	case event.TaskStart:
		e.task = d
	}
	if e.facts.session != nil {
		e.facts.add(fact.Data)
	}
	return nil
}

func (f *facts) add(d event.Data) {
	switch d := d.(type) {
	case event.SessionStart:
		f.argv, f.started = d.Argv, time.Now()
	case event.Output:
		f.hear(d)
	case event.Claimed:
		f.signals = append(f.signals, strings.TrimSpace(d.Signal+" "+d.Payload))
	case event.Tick:
		f.ticks++
	case event.SessionEnd:
		f.end, f.ended = d, time.Now()
	case event.GateStart:
		f.gate, f.verdict = nil, nil
	case event.GateCommand:
		f.gate = append(f.gate, d)
	case event.GateEnd:
		f.verdict = &d
	case event.Commit:
		f.commits = append(f.commits, d.Rev)
		f.paths = append(f.paths, d.Paths...)
	case event.TaskEnd:
		f.task = &d
	case event.ReviewRound:
		f.round = &d
	}
}

// outcome is what became of the session, in the words of the store.
func (e *evidence) outcome(f facts) provenance.Outcome {
	it := f.session.Iteration()
	o := provenance.Outcome{Stderr: f.errs.Bytes(), Transcript: f.words.Bytes(), Report: f.report(it.TaskID)}
	o.LastMessage = tail(o.Transcript, 4<<10)
	o.LastWords = stable.CutUTF16(lastLine(o.Transcript), 240)
	if f.argv != nil {
		o.Invocation = &artifact.Invocation{Command: f.argv[0], Args: f.argv[1:], Effort: f.launch.Effort, At: f.started}
	}
	o.Stdout = readTail(f.launch.Stream)
	if o.Stdout == nil {
		o.Stdout = o.Transcript
	}
	o.Validation, o.Outputs = f.validation(it)
	paths := slices.Compact(slices.Sorted(slices.Values(f.paths)))
	git := vcs.VerbsOf(e.c.run.repo).System == "Git"
	o.Diff = &artifact.Diff{Available: true, Git: git, Summary: fmt.Sprintf("%d files in %d commits", len(paths), len(f.commits)), Changed: paths, Relevant: paths}
	if it.TaskID != "" {
		o.State = &artifact.State{TaskID: it.TaskID, FileDiff: f.ticks > 0}
	}
	o.Verifiers = f.verifiers(it, o.Validation, paths)
	if f.end.Usage.CostUSD > 0 {
		o.CostUSD = &f.end.Usage.CostUSD
	}
	o.Result = e.result(f, it, o)
	return o
}

// report is what the agent claims. A plan run knows signals, and asks for no report.
func (f *facts) report(task string) artifact.CompletionReport {
	return artifact.CompletionReport{Status: string(iteration.Missing), TaskID: task, RawBlock: strings.Join(f.signals, "\n"), ClaimedSignals: append([]string{}, f.signals...),
		Warnings: []string{"a plan run asks for no report: what the session claimed are signals and ticks"}}
}

// validation is the last gate behind the session; nil = there was none.
func (f *facts) validation(it artifact.Iteration) (*artifact.Validation, [][]byte) {
	if f.verdict == nil || len(f.gate) == 0 {
		return nil, nil
	}
	v := &artifact.Validation{Command: it.Validation.Effective, Commands: it.Validation, TreeHash: f.tree()}
	var outputs [][]byte
	for _, g := range f.gate {
		v.EachCommand = append(v.EachCommand, artifact.CommandRun{Command: g.Command, Exit: g.Exit, Cause: g.Cause, OutputHash: g.OutputHash})
		outputs = append(outputs, readTail(g.OutputFile))
		if red := g.Exit != 0 || g.Cause != ""; red && v.Signature == "" {
			v.TimedOut = strings.HasPrefix(g.Cause, "timed out")
			v.Exit = g.Exit
			v.Signature = artifact.FailureSignature(g.Command, max(g.Exit, 1), v.TimedOut, "", g.Tail)
		}
	}
	return v, outputs
}

// tree is the name of the tree that the gate judged: that of the commit behind it, where the gate itself names none.
func (f *facts) tree() string {
	if f.verdict.TreeHash == "" && f.task != nil {
		return f.task.TreeHash
	}
	return f.verdict.TreeHash
}

// verifiers are what speaks for and against the session. v is the last gate behind it, nil = there was none.
func (f *facts) verifiers(it artifact.Iteration, v *artifact.Validation, paths []string) []artifact.Verifier {
	gate := artifact.Verifier{Name: artifact.ValidationCommand, Status: artifact.Skipped, Summary: "no validation command was run", Command: it.Validation.Effective}
	if f.verdict != nil && f.verdict.Commands > 0 {
		gate.ArtifactPath = filepath.Join(it.Paths.Dir, "validation-command.json")
		gate.Status, gate.Summary = artifact.Passed, fmt.Sprintf("passed: %d of %d commands", f.verdict.Commands, f.verdict.Commands)
		if tree := f.tree(); tree != "" {
			gate.Summary += ", on tree " + tree
		}
		if !f.verdict.Green {
			gate.Status, gate.Summary = artifact.Failed, "a validation command failed"
			if v != nil {
				gate.FailureSignature = v.Signature
			}
		}
	}
	diff := artifact.Verifier{Name: artifact.GitDiff, Status: artifact.Skipped, Summary: "no task was worked on", ArtifactPath: it.Paths.DiffSummary}
	switch {
	case len(paths) > 0:
		diff.Status, diff.Summary = artifact.Passed, fmt.Sprintf("%d files were committed", len(paths))
	case it.TaskID != "":
		diff.Status, diff.Summary = artifact.Failed, "nothing was committed"
	}
	task := artifact.Verifier{Name: artifact.TaskState, Status: artifact.Skipped, Summary: "no box changed", ArtifactPath: it.Paths.TaskState}
	switch {
	case it.TaskID == "":
		task.ArtifactPath = ""
	case f.taskDone():
		task.Status, task.Summary = artifact.Passed, "the task is done: "+string(f.task.Outcome)
	case f.ticks > 0:
		task.Status, task.Summary = artifact.Passed, fmt.Sprintf("%d boxes changed", f.ticks)
	}
	return []artifact.Verifier{gate, diff, task}
}

func (f *facts) taskDone() bool {
	return f.task != nil && f.task.Outcome.Completed()
}

// result is the iteration's, as far as the session itself does not know it.
func (e *evidence) result(f facts, it artifact.Iteration, o provenance.Outcome) state.Iteration {
	left := max(e.c.run.start.Tasks-len(e.c.run.start.Done), 0)
	r := state.Iteration{TaskID: it.TaskID, TaskTitle: it.TaskTitle, ExecutionStatus: string(iteration.Succeeded), VerificationStatus: artifact.Aggregate(o.Verifiers...),
		StartedAt: stable.Time(f.prepared), FinishedAt: stable.Time(time.Now()), SelectedModel: f.launch.Model,
		Backlog: state.Backlog{RemainingTaskCount: left, ActionableTaskAvailable: left > 0}, Phases: f.phases()}
	r.Execution.ExitCode = sessionExit(f.end.Exit)
	switch {
	case f.argv == nil && f.ended.IsZero():
		r.ExecutionStatus, r.Execution.Message = string(iteration.Skipped), "no process was started"
	case f.ended.IsZero():
		r.ExecutionStatus, r.Execution.Message = string(iteration.Crashed), "the run ended before the session did"
	case f.end.Failure != "" || f.end.Cause != "":
		r.ExecutionStatus, r.Execution.Message = string(iteration.Crashed), strings.TrimSpace(f.end.Failure+" "+f.end.Message+" "+f.end.Cause)
	case f.end.Exit != "exit 0":
		r.ExecutionStatus, r.Execution.Message = string(iteration.Crashed), f.end.Exit
	}
	if r.Execution.Message != "" && r.ExecutionStatus == string(iteration.Crashed) {
		r.Errors = []string{r.Execution.Message}
	}
	class, follow := f.classify(it, r)
	r.Classification, r.FollowUp = string(class), string(follow)
	r.Summary = r.SummaryText()
	return r
}

func (f *facts) phases() state.Phases {
	p := state.Phases{"promptGeneratedAt": stable.Time(f.prepared)}
	if !f.started.IsZero() {
		p["executionStartedAt"] = stable.Time(f.started)
	}
	if !f.ended.IsZero() {
		p["executionFinishedAt"], p["resultCollectedAt"] = stable.Time(f.ended), stable.Time(f.ended)
	}
	p["persistedAt"] = stable.Time(time.Now())
	return p
}

// classify says what came of the iteration, and what the run does next. The run has decided that already: this only words it.
func (f *facts) classify(it artifact.Iteration, r state.Iteration) (iteration.Classification, iteration.FollowUp) {
	moved := len(f.paths) > 0 || f.ticks > 0 || f.verdict != nil && f.verdict.Green && f.verdict.Commands > 0
	switch {
	case f.task != nil && f.task.Outcome == event.LeftHuman:
		return iteration.NeedsHumanReview, iteration.AskPerson
	case r.ExecutionStatus == string(iteration.Crashed):
		return iteration.Failed, iteration.RetryTask
	case f.taskDone(), it.TaskID == "" && f.round != nil && f.round.Result == event.RoundClean:
		if r.Backlog.ActionableTaskAvailable {
			return iteration.Complete, iteration.NextTask
		}
		return iteration.Complete, iteration.StopLoop
	case f.verdict != nil && !f.verdict.Green:
		return iteration.Failed, iteration.RetryTask
	case moved:
		return iteration.PartialProgress, iteration.SameTask
	}
	return iteration.NoProgress, iteration.RetryTask
}

// sessionExit reads how a session ended; nil = by a signal, or it is not known.
func sessionExit(text string) *int {
	var code int
	if _, err := fmt.Sscanf(text, "exit %d", &code); err != nil {
		return nil
	}
	return &code
}

// readTail is what is kept of a file; nil if there is none.
func readTail(path string) []byte {
	if path == "" {
		return nil
	}
	const limit = 8 << 20
	if fi, err := os.Stat(path); err == nil && fi.Size() > limit {
		return []byte(fmt.Sprintf("[%d bytes: too many for a copy. They are in %s]\n", fi.Size(), path))
	}
	data, err := durable.ReadFile(path, limit)
	if err != nil {
		return nil // the copy is missing; the original's hash is in the record
	}
	return data
}

func tail(text []byte, n int) []byte {
	return []byte(strings.ToValidUTF8(string(text[max(len(text)-n, 0):]), ""))
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
