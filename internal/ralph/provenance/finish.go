package provenance

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

// Outcome is what became of a launch. Texts are without secrets already.
type Outcome struct {
	Invocation     *artifact.Invocation // nil = no process was started
	Stdout, Stderr []byte
	Transcript     []byte
	LastMessage    []byte
	LastWords      string // a short form of the last message
	Report         artifact.CompletionReport
	Validation     *artifact.Validation // nil = none was run; its paths come from Outputs
	Outputs        [][]byte             // of the validation's commands: stdout, or both streams where Errors is nil
	Errors         []byte               // stderr of a validation of one command; nil = it was not kept apart
	Diff           *artifact.Diff       // nil = nobody looked
	StatusBefore   []byte               // nil = nobody looked
	StatusAfter    []byte
	State          *artifact.State // nil = no task
	Verifiers      []artifact.Verifier
	Result         state.Iteration // what only the caller knows of it: Finish fills in identity, paths, integrity and the verifiers
	CostUSD        *float64        // nil = unknown
	Others         []File          // of the iteration's folder, whatever else belongs there
}

// File is a file of the iteration's folder that only its writer knows.
type File struct {
	Path   string
	Latest string // a copy under a latest pointer; empty = none
	Data   []byte
}

// Finish writes what became of the launch, the bundle, and the latest pointers; of one that was never handed over, too. It returns the result as it was written, for the state's
// history: also with an error, which says what of the evidence could not be written. The rest is there then.
func (s *Session) Finish(o Outcome) (state.Iteration, error) {
	s.out = o
	p, latest := s.it.Paths, s.w.Latest()
	var files []put
	add := func(data []byte, paths ...string) { files = append(files, put{data, paths}) }
	add(Cap(o.Stdout), p.Stdout)
	add(Cap(o.Stderr), p.Stderr)
	if s.it.Transcript != "" {
		add(Cap(o.Transcript), s.it.Transcript)
		add(Cap(o.LastMessage), s.it.LastMessage)
	}
	if o.Invocation != nil {
		v := *o.Invocation
		v.PromptHash, v.PromptBytes, v.StdinHash = s.in.PromptHash, s.in.PromptBytes, s.in.PayloadHash
		s.in.Effort, s.in.Invoked = v.Effort, true
		add(stable.Marshal(s.it.Invocation(v)), p.CLIInvocation, s.file("cli-invocation.json"), latest.CLIInvocation)
	}
	add(stable.Marshal(o.Report), p.CompletionReport)
	s.validation(add)
	if o.Diff != nil {
		diff := stable.Marshal(*o.Diff)
		add(diff, p.GitDiff, p.DiffSummary)
	}
	if o.StatusBefore != nil {
		add(o.StatusBefore, p.GitStatusBefore)
		add(o.StatusAfter, p.GitStatusAfter)
	}
	if o.State != nil {
		add(stable.Marshal(*o.State), p.TaskState)
	}
	res := s.result()
	projection := stable.Marshal(s.it.Projection(s.in, res))
	page := artifact.Render(projection)
	result := stable.Marshal(res)
	add(stable.Marshal(s.it.ExecutionSummary(s.in, res, o.LastWords)), p.ExecutionSummary)
	add(stable.Marshal(artifact.VerifierSummary(o.Verifiers)), p.VerifierSummary)
	add(result, p.Result, s.file("iteration-result.json"))
	add(page, p.Summary, latest.Summary)
	add(projection, latest.Result)
	for _, f := range o.Others {
		add(f.Data, f.Path)
		if f.Latest != "" {
			add(f.Data, f.Latest)
		}
	}
	var errs []error
	for _, f := range files {
		errs = append(errs, s.put(f))
	}
	status := Executed
	if s.in.PayloadHash == "" {
		status = Prepared // whatever kept it from being handed over
	}
	return res, brief(append(errs, s.bundle(status, res.Summary)))
}

// brief is the first of several errors, with how many there are: a disk that is full is told once.
func brief(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) < 2 {
		return errors.Join(errs...)
	}
	return fmt.Errorf("%w; %d more files could not be written", errs[0], len(errs)-1)
}

// result fills in what the session knows itself.
func (s *Session) result() state.Iteration {
	res, it, o := s.out.Result, s.it, s.out
	res.AgentID, res.ProvenanceID, res.Number = it.AgentID, it.ProvenanceID, it.Paths.Number
	res.TaskID, res.TaskTitle, res.PromptKind, res.PromptPath, res.ArtifactDir = it.TaskID, it.TaskTitle, it.Kind, it.PromptFile, it.Paths.Dir
	res.AdapterUsed = "cliExec"
	res.ExecutionIntegrity = it.IntegrityRecord(s.in)
	res.Execution.TranscriptPath, res.Execution.LastMessagePath = it.Transcript, it.LastMessage
	res.Execution.StdoutPath, res.Execution.StderrPath = it.Paths.Stdout, it.Paths.Stderr
	v := &res.Verification
	v.TaskValidationHint, v.EffectiveValidationCommand, v.NormalizedValidationCommandFrom = it.Validation.Hint, it.Validation.Effective, it.Validation.NormalizedFrom
	v.Verifiers = nil
	for _, one := range o.Verifiers {
		v.Verifiers = append(v.Verifiers, one.Stable().(*stable.Object))
	}
	if o.Validation != nil {
		v.PrimaryCommand, v.ValidationFailureSignature = o.Validation.Command, o.Validation.Signature
	}
	if o.Diff != nil {
		res.DiffSummary = o.Diff.Stable().(*stable.Object)
	}
	res.CompletionReportStatus, res.ReconciliationWarnings = o.Report.Status, o.Report.Warnings
	if res.ReconciliationWarnings == nil {
		res.ReconciliationWarnings = []string{}
	}
	return res
}

// validation adds validation-command.json and the outputs of its commands. Those of the first have the names that other programs know.
func (s *Session) validation(add func([]byte, ...string)) {
	if s.out.Validation == nil {
		return
	}
	v := *s.out.Validation
	for _, c := range v.EachCommand { // outputs that were kept in the iteration's folder while they came
		if rel, err := filepath.Rel(s.it.Paths.Dir, c.OutputPath); err == nil && filepath.IsLocal(rel) {
			if hash, err := hashFile(c.OutputPath); err == nil {
				s.sums[c.OutputPath] = hash
			}
		}
	}
	for i, output := range s.out.Outputs {
		name := "validation-command.stdout.log"
		if i > 0 {
			name = fmt.Sprintf("validation-command-%d.stdout.log", i+1)
		}
		path := filepath.Join(s.it.Paths.Dir, name)
		add(Cap(output), path)
		if i == 0 {
			v.Stdout = path
		}
		if i < len(v.EachCommand) && len(output) > 0 && s.out.Errors == nil {
			v.EachCommand[i].OutputPath = path
		}
	}
	if s.out.Errors != nil {
		v.Stderr = filepath.Join(s.it.Paths.Dir, "validation-command.stderr.log")
		add(Cap(s.out.Errors), v.Stderr)
	}
	add(stable.Marshal(v), filepath.Join(s.it.Paths.Dir, "validation-command.json"))
}
