package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/prompt"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// look looks at the workspace for this iteration: a preflight with the task that was chosen, and the note of the session before.
func (o *oneTurn) look(ctx context.Context, look preflight.Looker) {
	o.request = preflight.Request{AgentID: o.s.settings.AgentID, ProvenanceID: o.id, Iteration: o.n, PromptKind: string(o.kind), PromptTarget: preflight.Target(o.target),
		Selected: o.selected(), Chosen: true, Created: o.created}
	o.note = iteration.ReadHandoff(o.s.Layout, o.s.settings.AgentID, o.n)
	if o.note != nil {
		o.request.Handoff = o.note.Text("humanSummary")
	}
	if o.s.repo != nil {
		if tree, err := o.s.repo.Status(ctx); err == nil { // what can't be read is told where it is needed
			o.request.Untracked = untracked(tree)
		}
	}
	o.snap = preflight.Read(ctx, o.s.Layout, o.s.settings, look, time.Now())
	o.report = preflight.Evaluate(o.snap, o.request)
	o.phase("inspectFinishedAt")
}

// preflightFiles are the bytes of the preflight's report and of its page.
func (o *oneTurn) preflightFiles() (report, page []byte) {
	return stable.Marshal(o.report.Record(o.s.Layout, o.request, o.note, time.Now())), []byte(o.report.RenderFor(o.request, o.s.Preflight(o.n).PreflightReport))
}

// prepare makes the prompt, and all that binds it.
func (o *oneTurn) prepare(w *artifact.Writer) (*provenance.Session, error) {
	in, err := o.promptInput(w)
	if err != nil {
		return nil, err
	}
	p := prompt.Render(in)
	it := o.iteration()
	it.Template = in.Template.Path
	report, page := o.preflightFiles()
	session, err := provenance.Prepare(w, it, provenance.Preparation{Prompt: p.Text, PreflightReport: report, PreflightSummary: page, Inputs: p.Inputs, Measures: p.Measures,
		Envelope: o.envelope(it, p), Before: o.kept, Now: time.Now})
	if err != nil {
		return nil, err
	}
	o.show(session) // a session may look at what it is asked there
	o.promptText = p.Text
	o.wrote(events.PromptFile, it.Paths.Prompt)
	o.wrote(events.ExecutionPlan, it.Paths.ExecutionPlan)
	o.phase("promptGeneratedAt")
	return session, nil
}

// envelope says which files of the store the agent was shown, in parts of its prompt, and which not.
func (o *oneTurn) envelope(it artifact.Iteration, p prompt.Prompt) *stable.Object {
	exposed, omitted := []string{it.Paths.Prompt}, []artifact.Omitted{{Path: o.s.Runs, Reason: "transcripts are never shown"}}
	plan := ""
	if dir, err := o.s.TaskDir(o.task.ID); err == nil {
		plan = filepath.Join(dir, taskPlanFile)
	}
	for _, part := range []struct{ key, path string }{{"objectiveContext", o.s.PRD}, {"taskContext", o.s.Tasks}, {"progressContext", o.s.Progress}, {"structureContext", o.s.Structure},
		{"taskPlanContext", plan}, {"priorIterationContext", o.s.State}} {
		switch {
		case slices.Contains(p.Selected, part.key):
			exposed = append(exposed, part.path)
		case slices.Contains(p.Omitted, part.key):
			omitted = append(omitted, artifact.Omitted{Path: part.path, Reason: "the prompt would have been too long"})
		}
	}
	return it.Envelope(o.s.settings.AgentRole, "preset", exposed, omitted)
}

// wrote tells the journal of a file of the iteration.
func (o *oneTurn) wrote(kind, path string) {
	o.tell(events.ArtifactWritten{ArtifactType: kind, RelativePath: filepath.ToSlash(o.s.Rel(path)), Iteration: &o.n})
}

// iteration is what all files of the turn share.
func (o *oneTurn) iteration() artifact.Iteration {
	kind := string(o.kind)
	it := artifact.Iteration{AgentID: o.s.settings.AgentID, ProvenanceID: o.id, Paths: o.s.Iteration(o.n), PromptFile: o.s.PromptFile(kind, o.n),
		Kind: kind, Target: o.target, Reason: o.reason, Template: "built in: " + kind, TaskID: o.task.ID, TaskTitle: o.task.Title, Policy: o.s.policy()}
	if it.Role = o.s.settings.AgentRole; o.ex != nil {
		it.Provider = o.ex.Name()
	}
	if o.target == artifact.CLIExec {
		it.Transcript, it.LastMessage = o.s.RunFiles(kind, o.n)
	}
	if o.report != nil {
		v := o.report.Validation
		it.Validation = artifact.Commands{Hint: v.Hint, Effective: v.Effective, NormalizedFrom: v.NormalizedFrom}
	}
	return it
}

// inspectionRoot is where the agent works, and is judged.
func (s *store) inspectionRoot() string {
	if s.settings.InspectionRoot == "" && s.repo != nil {
		return s.repo.Root()
	}
	return preflight.VerificationRoot(s.Layout, s.settings)
}

// policySummary is what holds where nothing is overridden.
const policySummary = "the agent works, and is judged, in the checkout; evidence lies in its .ralph"

// policy says which folder is what.
func (s *store) policy() artifact.Policy {
	p := artifact.Policy{Workspace: s.Root, Inspection: s.inspectionRoot(), Strategy: "workspaceRoot", Selection: "the checkout that has the workspace", Summary: policySummary}
	if s.settings.InspectionRoot != "" {
		p.Strategy, p.Selection = "manualOverride", "the folder that inspectionRootOverride names"
		p.Summary = "the agent works, and is judged, in that folder; evidence lies in the .ralph of the workspace"
	}
	return p
}

// checkInspectionRoot refuses a folder that is not there, or that is no part of the workspace: the agent may change what is in it.
func (s *store) checkInspectionRoot() error {
	at := s.inspectionRoot()
	rel, err := filepath.Rel(s.Root, at)
	if s.settings.InspectionRoot == "" {
		return nil
	}
	if err == nil && filepath.IsLocal(rel) {
		var real, top string
		if top, err = filepath.EvalSymlinks(s.Root); err == nil {
			real, err = filepath.EvalSymlinks(at)
		}
		if err == nil {
			if rel, err = filepath.Rel(top, real); err == nil && filepath.IsLocal(rel) {
				if fi, statErr := os.Stat(real); statErr == nil && fi.IsDir() {
					return nil
				}
			}
		}
	}
	return usage(fmt.Errorf("ralphCodex.inspectionRootOverride: %s is no folder of the workspace", s.settings.InspectionRoot), "set it to a folder below "+s.Root+", or leave it out")
}

// maxStructure bounds structure.json, in bytes.
const maxStructure = 4 << 20

// promptInput collects what the prompt is made of.
func (o *oneTurn) promptInput(w *artifact.Writer) (prompt.Input, error) {
	set := o.s.settings
	in := prompt.Input{Kind: o.kind, Target: o.target, Reason: o.reason, Usable: o.usable, Task: o.selected(), Plan: o.plan.Lines(), Command: o.report.Validation.Effective,
		Preflight: strings.Split(strings.TrimSpace(o.report.Summary), "\n"), History: o.earlier.IterationHistory, Note: o.note.Text("humanSummary"), Diagnosis: o.diagnosis(), Role: set.AgentRole,
		Memory: prompt.Memory{Strategy: set.MemoryStrategy, Window: set.MemoryWindow, Threshold: set.MemorySummaryThreshold, Lines: set.PromptPriorBudget, Feedback: set.PromptVerifierFeedback},
		Budget: prompt.Budget{Profile: set.PromptBudgetProfile, Custom: set.CustomPromptBudget}, Runtime: o.runtime()}
	for _, f := range []struct {
		what, path string
		into       *string
		must       bool
	}{{"the objective", o.s.PRD, &in.Objective, true}, {"the progress file", o.s.Progress, &in.Progress, false}, {"the structure", o.s.Structure, &in.Structure, false}} {
		limit := int64(maxObjective)
		if f.path == o.s.Structure {
			limit = maxStructure
		}
		text, err := durable.ReadFile(f.path, limit)
		if err != nil && (f.must || !errors.Is(err, fs.ErrNotExist)) {
			return in, fmt.Errorf("read %s: %w", f.what, err)
		}
		*f.into = string(text)
	}
	if o.graph != nil && in.Task != nil {
		for id := in.Task.ParentID; id != "" && len(in.Parents) < 8; {
			parent, ok := o.graph.Task(id)
			if !ok {
				break
			}
			in.Parents, id = append(in.Parents, parent), parent.ParentID
		}
	}
	if o.kind == iteration.Replenish && o.target == artifact.CLIExec {
		in.Proposal = o.proposal()
	}
	in.Repo, in.Snapshot = o.repoContext()
	for _, d := range o.report.Diagnostics {
		if d.Severity != preflight.Info {
			in.Preflight = append(in.Preflight, "- "+d.Line())
		}
	}
	if text := in.Memory.Summary(in.History); text != "" {
		if err := w.Put([]byte(text), o.s.Memory); err != nil {
			return in, fmt.Errorf("write %s: %w", o.s.Rel(o.s.Memory), err)
		}
	}
	var err error
	in.Template, err = o.s.template(o.kind)
	return in, err
}

// checkTemplates refuses templates that can't be used before anything is done: the kind that is needed is known late.
func (s *store) checkTemplates() error {
	for _, kind := range state.PromptKinds {
		if _, err := s.template(iteration.Kind(kind)); err != nil {
			return err
		}
	}
	return nil
}

// template is the workspace's own, or the built-in one.
func (s *store) template(kind iteration.Kind) (prompt.Template, error) {
	set, dir, role := s.settings, "", ""
	if at := set.PromptTemplateDir; at != "" {
		if dir = at; !filepath.IsAbs(at) {
			dir = filepath.Join(s.Root, filepath.FromSlash(at))
		}
		if _, err := os.Stat(dir); err != nil {
			return prompt.Template{}, usage(fmt.Errorf("ralphCodex.promptTemplateDirectory: %w", err), "make the folder, or leave the setting out: the built-in templates are used then")
		}
	}
	if set.RoleSet {
		role = set.AgentRole
	}
	t, err := prompt.LoadTemplate(dir, kind, role)
	if err != nil {
		return t, usage(err, hintOf(err))
	}
	return t, nil
}

// repoContext tells of the project in a few lines; it lists no files.
func (o *oneTurn) repoContext() ([]string, *stable.Object) {
	p := o.snap.Project
	var lines []string
	add := func(label string, list []string) {
		const most = 8
		if len(list) > most {
			list = append(list[:most:most], fmt.Sprintf("and %d more", len(list)-most))
		}
		if len(list) > 0 {
			lines = append(lines, "- "+label+": "+strings.Join(list, ", "))
		}
	}
	add("Manifests", p.Manifests)
	add("Folders with sources", p.Sources)
	add("Commands that the project names", o.snap.Scanned)
	if !p.Tests {
		lines = append(lines, "- No tests were found at the top of it.")
	}
	snapshot := stable.NewObject("rootPath", o.s.inspectionRoot(), "manifests", p.Manifests, "sourceRoots", p.Sources, "hasTests", p.Tests, "validationCommands", o.snap.Scanned)
	return lines, snapshot
}

func (o *oneTurn) runtime() []string {
	set := o.s.settings
	return []string{fmt.Sprintf("- Iteration %d of agent %s, role %s", o.n, set.AgentID, set.AgentRole), "- Working folder: " + o.s.inspectionRoot(),
		"- Verified by: " + strings.Join(set.Verifiers, ", ")}
}

// recordedPrompt is the prompt as the state notes it.
func (o *oneTurn) recordedPrompt(path string) state.Prompt {
	out := state.Prompt{Kind: string(o.kind), Path: path}
	if text, err := durable.ReadFile(o.s.PRD, maxObjective); err == nil {
		out.ObjectivePreview = state.ObjectivePreview(string(text))
	}
	return out
}

// selected is the task of the turn, nil where there is none.
func (o *oneTurn) selected() *task.Task {
	if o.task.ID == "" {
		return nil
	}
	return &o.task
}
