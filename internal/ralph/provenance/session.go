package provenance

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/stable"
)

// maxPrompt bounds what is read back.
const maxPrompt = 64 << 20

// The statuses of a bundle.
const (
	Prepared = "prepared"
	Executed = "executed"
	Blocked  = "blocked"
)

// Session is one launch: what is prepared, handed over and left. It is made by Prepare.
type Session struct {
	it       artifact.Iteration
	w        *artifact.Writer
	dir      string // of the bundle
	in       artifact.Integrity
	run      string // provenance id of the run that the session belongs to
	measures artifact.Measures
	sums     sums
	pointers []string // latest copies that were noted
	created  time.Time
	now      func() time.Time
	status   string
	summary  string
	out      Outcome
}

// Preparation is what a launch begins with.
type Preparation struct {
	Prompt           string
	PreflightReport  []byte // preflight-report.json
	PreflightSummary []byte
	Inputs           artifact.Inputs
	Measures         artifact.Measures
	Envelope         *stable.Object // of artifact.Iteration.Envelope
	Before           []File         // of the iteration's folder, that were written already: they have their sums however it ends
	Run              string         // provenance id of the whole run, where an iteration is a part of one; empty = it is its own
	Now              func() time.Time
}

// Prepare writes all that binds the launch, and the bundle with it. Whatever is launched has to be asked from the session.
func Prepare(w *artifact.Writer, it artifact.Iteration, p Preparation) (*Session, error) {
	dir, err := w.Bundle(it.ProvenanceID)
	if err != nil {
		return nil, err
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	s := &Session{it: it, w: w, dir: dir, measures: p.Measures, sums: sums{}, run: p.Run, now: p.Now, created: p.Now()}
	for _, f := range p.Before {
		s.sums[f.Path] = sumOf(f.Data)
	}
	prompt := []byte(p.Prompt)
	plan := stable.Marshal(it.Plan(stable.Hash(prompt), len(prompt), s.created))
	s.in = artifact.Integrity{PlanHash: stable.Hash(plan), PromptHash: stable.Hash(prompt), PromptBytes: len(prompt)}
	evidence := stable.Marshal(it.Evidence(len(prompt), p.Inputs, p.Measures))
	latest := w.Latest()
	for _, f := range []put{
		{p.PreflightReport, []string{it.Paths.PreflightReport, s.file("preflight-report.json"), latest.PreflightReport}},
		{p.PreflightSummary, []string{it.Paths.PreflightSummary, s.file("preflight-summary.md"), latest.PreflightSummary}},
		{prompt, []string{it.Paths.Prompt, s.file("prompt.md"), it.PromptFile, latest.Prompt}},
		{evidence, []string{it.Paths.PromptEvidence, s.file("prompt-evidence.json"), latest.PromptEvidence}},
		{stable.Marshal(p.Envelope), []string{it.Paths.ContextEnvelope}},
		{plan, []string{it.Paths.ExecutionPlan, s.file("execution-plan.json"), latest.ExecutionPlan}},
	} {
		if err := s.put(f); err != nil {
			return nil, err
		}
	}
	return s, s.bundle(Prepared, fmt.Sprintf("Prompt of iteration %d is prepared; nothing is known yet of what was executed.", it.Paths.Number))
}

type put struct {
	data  []byte
	paths []string
}

// put writes a file, and notes the sum of it. Latest pointers are the next iteration's: they have no sum, and are written when the writer shows them. The error
// tells of all that could not be written, when everything was tried.
func (s *Session) put(f put) error {
	if len(f.data) > maxKept {
		return fmt.Errorf("write evidence: %w", &durable.TooBigError{Path: f.paths[0], Limit: maxKept})
	}
	var errs []error
	sum := sumOf(f.data)
	for _, path := range f.paths {
		if filepath.Dir(path) == s.w.Artifacts {
			s.pointers = append(s.pointers, path)
			s.w.PointTo(s.Number(), f.data, path)
			continue
		}
		s.sums[path] = sum
		errs = append(errs, s.w.Put(f.data, path))
	}
	return errors.Join(errs...)
}

// file is a file of the bundle.
func (s *Session) file(name string) string { return filepath.Join(s.dir, name) }

// Show writes the latest copies that were noted, and says why others could not be written, each once: the session is recorded all the same. Prepare and
// Finish only note them: who has many short sessions shows those of the newest one.
func (s *Session) Show() []error { return s.w.ShowLatest() }

// ID is the provenance id.
func (s *Session) ID() string { return s.it.ProvenanceID }

// Number is the iteration's.
func (s *Session) Number() int { return s.it.Paths.Number }

// Prompt reads plan and prompt back from the disk, and returns the prompt if both are what was prepared. What is launched is this text,
// and no other. The error is a *Failure, which is written into the bundle already.
func (s *Session) Prompt() (string, error) {
	plan, err := durable.ReadFile(s.it.Paths.ExecutionPlan, maxPrompt)
	if err != nil {
		return "", s.block(Failure{Stage: StagePlan, Message: "the execution plan can't be read: " + err.Error(), ExpectedPlan: s.in.PlanHash})
	}
	if got := stable.Hash(plan); got != s.in.PlanHash {
		return "", s.block(Failure{Stage: StagePlan, Message: "the execution plan is not the one that was prepared", ExpectedPlan: s.in.PlanHash, ActualPlan: got})
	}
	path, want, err := artifact.ReadPlan(plan)
	if err != nil {
		return "", s.block(Failure{Stage: StagePlan, Message: "the execution plan can't be read: " + err.Error(), ExpectedPlan: s.in.PlanHash})
	}
	prompt, err := durable.ReadFile(path, maxPrompt)
	if err != nil {
		return "", s.block(Failure{Stage: StagePrompt, Message: "the prompt can't be read: " + err.Error(), ExpectedPrompt: want})
	}
	if got := stable.Hash(prompt); got != want {
		return "", s.block(Failure{Stage: StagePrompt, Message: "the prompt is not the one that was prepared", ExpectedPrompt: want, ActualPrompt: got})
	}
	return string(prompt), nil
}

// ReadBack reads the prompt of a planning session from the disk, and returns it if it is what was written there. What is launched is this text, and no other. The
// error is a *Failure, which is not written down yet: see Refuse.
func ReadBack(path string, wrote []byte) (string, error) {
	want := stable.Hash(wrote)
	prompt, err := durable.ReadFile(path, maxPrompt)
	if err != nil {
		return "", &Failure{Stage: StagePlanning, Message: "the prompt of the planning session can't be read: " + err.Error(), ExpectedPrompt: want}
	}
	if got := stable.Hash(prompt); got != want {
		return "", &Failure{Stage: StagePlanning, Message: "the prompt of the planning session is not the one that was prepared", ExpectedPrompt: want, ActualPrompt: got}
	}
	return string(prompt), nil
}

// Payload is called with the bytes that are about to be handed over, right before that. The error is a *Failure, as Prompt's.
func (s *Session) Payload(text string) error {
	got := stable.Hash([]byte(text))
	matched := got == s.in.PromptHash
	s.in.PayloadHash, s.in.Matched = got, &matched
	if !matched {
		return s.block(Failure{Stage: StagePayload, Message: "what would be handed over is not the prompt that was prepared",
			ExpectedPayload: s.in.PromptHash, ActualPayload: got})
	}
	return nil
}
