package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/gate"
	"ralphex/internal/proc"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// validationTime is how long a task's validation command may take.
const validationTime = 5 * time.Minute

// execute runs the session and all that follows it. What follows also happens when a person ends the session: what is recorded must be what was.
func (o *oneTurn) execute(ctx, held context.Context, session *provenance.Session) (turned, error) {
	before, err := o.lookAround(held)
	if err != nil {
		return turned{}, err
	}
	text, err := session.Prompt()
	if err == nil {
		err = session.Payload(text)
	}
	if err != nil {
		return turned{}, err
	}
	said, words := &heard{}, &shown{w: o.words}
	guard := o.guardFiles()
	o.phase("executionStartedAt")
	o.tell(events.ProviderInvoked{TaskID: o.task.ID, Provider: o.ex.Name(), Iteration: &o.n})
	res, failed := o.ask(held, text, before, func(d event.Output) {
		said.hear(d)
		words.show(d)
	})
	o.phase("executionFinishedAt")
	end := context.WithoutCancel(ctx)
	after, err := o.lookAround(end)
	if err != nil {
		return turned{}, err
	}
	o.inspect(end, guard)
	o.over(end, res, failed, before, after)
	if err := o.s.CheckInside(); err != nil {
		return turned{}, err // a link that the session made would have us write there
	}
	e := &ending{oneTurn: o, before: before, after: after, tree: after.committed(end, o.s.repo), res: res, heard: *said, execution: iteration.Succeeded}
	if message := sessionTrouble(res, failed); message != "" {
		e.execution, e.message = iteration.Crashed, o.safe.redactor.String(message)
	}
	o.failure = res.Failure
	o.tell(events.ProviderCompleted{TaskID: o.task.ID, Provider: o.ex.Name(), Iteration: &o.n, Status: string(e.execution)})
	o.hook(end, settings.AfterIteration, string(e.execution), "")
	if e.execution == iteration.Crashed {
		o.hook(end, settings.OnFailure, string(e.execution), "")
	}
	o.phase("resultCollectedAt")
	out, err := e.finish(end, held, session)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return out, err
}

// sessionTrouble says why a session did not succeed; "" = it did.
func sessionTrouble(res executor.Result, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case res.Failure != nil:
		return res.Failure.Error()
	case res.Cause != nil:
		return res.Cause.Error()
	case res.Exit.Code != 0:
		return fmt.Sprintf("the agent ended with exit code %d", res.Exit.Code)
	}
	return ""
}

// ending is a turn whose session is over.
type ending struct {
	*oneTurn
	before, after ground
	tree          string // of the commit, where all that the session left is committed
	res           executor.Result
	heard         heard
	execution     iteration.Execution
	message       string

	validation *artifact.Validation
	streams    gate.Streams // what the validation command printed
	diff       artifact.Diff
	verdicts   []artifact.Verifier
	judgement  iteration.Judgement
	parsed     iteration.Parsed
	graph      *task.Graph // as it is now; nil = it can't be read
	now        *task.Task  // the task in it
	graphErr   string
	doubted    bool // that the task is done, or how it is to be proven
}

// on tells whether a verifier is switched on.
func (e *ending) on(name string) bool { return slices.Contains(e.s.settings.Verifiers, name) }

// finish verifies, judges, classifies, decides and records.
func (e *ending) finish(ctx, held context.Context, session *provenance.Session) (turned, error) {
	if len(e.harm.broken) > 0 {
		return e.stopHarmed(ctx, session)
	}
	if e.kind == iteration.Replenish {
		return e.finishReplenishment(ctx, session)
	}
	command, documentation := e.report.Validation.Effective, e.task.Mode == task.Documentation
	if e.on(artifact.ValidationCommand) && command != "" && !documentation && e.execution == iteration.Succeeded && iteration.Validates(e.s.settings.AgentRole) {
		if err := e.validate(held, command); err != nil {
			return turned{}, err
		}
	}
	changed := e.before.changed(e.after)
	for _, path := range changed {
		if path == e.s.Rel(e.s.Tasks) || path == e.s.Rel(e.s.Progress) {
			e.warnings = append(e.warnings, path+" was changed during the session, and not by this run.")
		}
	}
	for _, f := range doctrine.Changed(e.before.doctrine, e.after.doctrine) {
		e.warnings = append(e.warnings, f.Code+": "+f.Message)
	}
	set := e.s.settings
	e.compare(changed)
	e.verdicts = []artifact.Verifier{
		iteration.VerifyCommand(e.on(artifact.ValidationCommand), command, e.execution, documentation, e.validation),
		iteration.VerifyFiles(e.on(artifact.GitDiff) || set.GitCheckpointMode == "snapshotAndDiff", true, set.AgentRole, e.diff),
	}
	preliminary := task.Verifier(artifact.Aggregate(e.verdicts...))
	e.readGraph(ctx)
	if err := e.judge(ctx, command, preliminary); err != nil {
		return turned{}, err
	}
	e.doubt(ctx)
	e.readGraph(ctx)
	wrote := e.judgement.Status == iteration.Applied
	e.verdicts = append(e.verdicts, iteration.VerifyState(e.on(artifact.TaskState), &e.task, e.now, e.graphErr, wrote || len(changed) > 0))
	for _, v := range e.verdicts {
		e.tell(events.VerifierResult{TaskID: e.task.ID, Verifier: v.Name, Status: v.Status, Iteration: &e.n})
	}
	e.phase("verificationFinishedAt")
	return e.record(ctx, session, len(changed) > 0)
}

// looksAtTree tells whether the working tree is looked at before and behind a session. Git is never written.
func (e *ending) looksAtTree() bool {
	return e.on(artifact.GitDiff) || e.s.settings.GitCheckpointMode != "off"
}

// compare says what became of the files. Where nobody looks at the tree, only the durable files count.
func (e *ending) compare(changed []string) {
	before, after, committed := e.before.tree, e.after.tree, e.committed
	if !e.looksAtTree() {
		before, after, committed = nil, nil, nil
	}
	e.diff = iteration.CompareTrees(before, after, changed, committed, filepath.Base(e.s.Iteration(e.n).Dir))
	if e.s.settings.GitCheckpointMode == "off" {
		e.diff.CheckpointRef = ""
	}
}

// validate runs the task's validation command and keeps what it said.
func (e *ending) validate(ctx context.Context, command string) error {
	fmt.Fprintf(e.p.Err, "validation: %s\n", task.Plain(command))
	v, err := gate.Run(ctx, gate.Options{Dir: e.s.inspectionRoot(), Commands: []event.Command{{Text: command}}, Timeout: validationTime, Env: e.p.Env,
		OutputDir: filepath.Join(e.s.Iteration(e.n).Dir, "validation"), Mark: proc.NewMark(), Keep: keepProcesses(e.cfg), Safe: e.safe.Writer, Apart: true,
		Tree: func(context.Context) (string, []string, error) { return e.tree, nil, nil },
		Emit: func(d event.Data) {
			if d.Kind() != (event.Output{}).Kind() {
				e.log.emit(e.task.ID, d)
			}
		}})
	if len(v.Results) == 0 {
		return fmt.Errorf("run the validation command: %w", err)
	}
	r := v.Results[0]
	e.streams = v.Streams[0]
	slow := strings.Contains(r.Cause, "timed out")
	exit := r.Exit
	if err != nil && exit == 0 {
		exit = -1
	}
	e.validation = &artifact.Validation{Command: command, Commands: e.iteration().Validation, Exit: exit, TimedOut: slow, TimeoutMs: validationTime.Milliseconds(), TreeHash: e.tree,
		EachCommand: []artifact.CommandRun{{Command: command, Exit: exit, Cause: r.Cause, OutputPath: r.OutputFile, OutputHash: r.OutputHash}},
		Signature:   artifact.FailureSignature(command, exit, slow, string(e.streams.Stderr), string(e.streams.Stdout))}
	return nil
}

// readGraph takes down how the task stands now.
func (e *ending) readGraph(ctx context.Context) {
	e.graph, e.now, e.graphErr = nil, nil, ""
	in, err := e.tasks.Read(ctx)
	if err == nil {
		err = in.Err(e.s.Tasks)
	}
	if err != nil {
		e.graphErr = err.Error()
		return
	}
	e.graph = task.NewGraph(in.File.Tasks)
	if t, ok := e.graph.Task(e.task.ID); ok {
		e.now = &t
	}
}

// judge holds the report against the facts, and applies it.
func (e *ending) judge(ctx context.Context, command string, preliminary task.Verifier) error {
	if e.execution == iteration.Succeeded {
		e.parsed = iteration.ParseReport(e.safe.redactor.String(e.res.Text)) // its notes go into the graph, the progress file, warnings and the evidence
	} else {
		e.parsed = iteration.Parsed{Status: iteration.ReportMissing} // what a session said that went wrong is not believed
	}
	set := e.s.settings
	terms := iteration.Terms{Task: &e.task, Kind: e.kind, Role: set.AgentRole, Command: command, CommandOn: e.on(artifact.ValidationCommand),
		Validation: task.Verifier(e.verdicts[0].Status), Preliminary: preliminary, StateOnly: len(set.Verifiers) == 1 && e.on(artifact.TaskState) && set.GitCheckpointMode != "snapshotAndDiff",
		PlannedCommand: e.plannedCommand(), ContractTask: iteration.AcceptedContract(e.s.Layout, set.AgentRole, e.task.ID, time.Now()),
		Class: iteration.Classify(e.facts(preliminary, false), e.earlier.LastIteration).Classification}
	e.judgement = iteration.Judge(e.parsed, terms).Doubt(terms, e.now)
	if r := e.parsed.Report; r != nil {
		e.tell(events.CompletionReportParsed{TaskID: e.task.ID, RequestedStatus: string(r.Requested), Parsed: true, NeedsHumanReview: r.NeedsHumanReview})
	} else {
		e.tell(events.CompletionReportParsed{TaskID: e.task.ID})
	}
	ledger := iteration.Ledger{Tasks: e.tasks, Claims: e.claims, Progress: e.s.Progress, AgentID: set.AgentID, ProvenanceID: e.id}
	var change *task.Change
	var err error
	if e.judgement, change, err = ledger.Apply(ctx, e.judgement, preliminary, e.plannedCommand()); err != nil {
		return err
	}
	if change != nil {
		now, err := change.File.Get(e.task.ID)
		if err != nil {
			return err
		}
		e.forRole(ctx, e.w, ledger, now)
		if now.Status != e.task.Status {
			e.tell(events.TaskStateChanged{TaskID: e.task.ID, From: string(e.task.Status), To: string(now.Status), Reason: "completion report"})
		}
	}
	return nil
}

// plannedCommand is the validation that the plan of the task suggests; "" = none.
func (e *ending) plannedCommand() string {
	if e.plan == nil {
		return ""
	}
	return e.plan.SuggestedValidation
}

// facts are what the turn left.
func (e *ending) facts(verified task.Verifier, stateChanged bool) iteration.Facts {
	f := iteration.Facts{TaskID: e.task.ID, Exhausted: e.kind == iteration.Replenish, Documentation: e.task.Mode == task.Documentation, Execution: e.execution, Verification: verified,
		HumanReview: e.judgement.NeedsHumanReview || iteration.WantsPerson(e.now), RelevantChange: len(e.diff.Relevant) > 0 && iteration.Works(e.s.settings.AgentRole),
		StateChanged: stateChanged}
	if e.validation != nil {
		f.Signature = e.validation.Signature
	}
	if e.now != nil {
		f.Blocked, f.Done = e.now.Status == task.Blocked, e.now.Status == task.Done
		f.StateChanged = f.StateChanged || e.now.Status != e.task.Status
	}
	if e.graph != nil {
		f.DescendantsLeft, f.BacklogLeft = len(e.graph.Remaining(e.task.ID)) > 0, e.graph.Counts().Remaining() > 0
	}
	return f
}
