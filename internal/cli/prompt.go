package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/retention"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
	"ralphex/internal/term"
)

type promptCmd struct {
	Task string `help:"Prepare it for this task (default: the one that the loop would take)." placeholder:"ID"`
	JSON bool   `name:"json" help:"Print what was prepared, and where it lies, as JSON."`
}

// Help shows examples.
func (promptCmd) Help() string {
	return `Prepares the prompt of the next iteration for a session of your own, prints it, and keeps it with its evidence under artifacts/iteration-NNN and artifacts/runs.
No process is started, no task is claimed, and none changes its status. What is wrong with the workspace is told, and stops nothing: with a task graph that
contradicts itself, the prompt asks for its repair.

Examples:
  ralphex prompt
  ralphex prompt --task T7 | claude
  ralphex prompt --json | jq -r .prompt_path

Exit codes: 0, 1 tasks.json can't be read or has no such task that is open, 2 no workspace, 10 a lock is held.`
}

// promptAnswer is the answer as JSON. Paths are relative to the workspace.
type promptAnswer struct {
	Version    int         `json:"version"`
	Iteration  int         `json:"iteration"`
	Provenance string      `json:"provenance_id"`
	Kind       string      `json:"kind"`
	Target     string      `json:"target"`
	Reason     string      `json:"reason"`
	Task       *promptTask `json:"task"`
	Validation string      `json:"validation"`
	Ready      bool        `json:"ready"`
	Summary    string      `json:"summary"`
	Prompt     string      `json:"prompt_path"`
	Hash       string      `json:"prompt_hash"`
	Bytes      int         `json:"prompt_bytes"`
	Evidence   string      `json:"evidence_path"`
	Bundle     string      `json:"bundle_dir"`
	Trust      string      `json:"trust_level"`
}

type promptTask struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Run prepares and prints.
func (c promptCmd) Run(ctx context.Context, p *Proc, g *root) error {
	t, err := openTurner(ctx, p, g, "prompt")
	if err != nil {
		return err
	}
	o, err := t.startPrompt(ctx, c.Task)
	if err != nil {
		return err
	}
	o.look(ctx, &looker{p: p, store: t.s, configDir: t.configDir})
	w, err := artifact.Open(t.s.Layout)
	if err != nil {
		return err
	}
	defer w.Close()
	session, err := o.prepare(w)
	if err != nil {
		return err
	}
	if err := w.Sync(); err != nil {
		return err
	}
	if err := t.state.RecordPrompt(ctx, o.recordedPrompt(session.Iteration().PromptFile)); err != nil {
		return err
	}
	o.settle(ctx, session)
	return c.print(p, o, session)
}

// settle does what follows a session's files: what is too old goes, and other programs' registry gets the new ones. Neither can undo the session.
func (o *oneTurn) settle(ctx context.Context, session *provenance.Session) {
	o.show(session)
	if _, err := retention.Prune(ctx, o.s.Layout, retention.Keep{Generated: o.s.settings.GeneratedRetention, Bundles: o.s.settings.BundleRetention}); err != nil {
		fmt.Fprintf(o.p.Err, "warning: retention: %v\n", err)
	}
	if err := (artifact.Registry{Layout: o.s.Layout}).Register(ctx, session.Entries()...); err != nil {
		fmt.Fprintf(o.p.Err, "warning: registry: %v\n", err)
	}
}

// show writes the latest copies. They are copies: without them the session goes on all the same.
func (o *oneTurn) show(session *provenance.Session) {
	for _, err := range session.Show() {
		fmt.Fprintf(o.p.Err, "warning: a latest copy is missing: %v\n", err)
	}
}

func (c promptCmd) print(p *Proc, o *oneTurn, session *provenance.Session) error {
	it := session.Iteration()
	if !o.report.Ready {
		fmt.Fprintf(p.Err, "warning: %s\n", firstLine(o.report.Summary))
	}
	if !c.JSON {
		fmt.Fprintf(p.Err, "prompt of iteration %d: %s\n", o.n, o.s.Rel(it.Paths.Prompt))
		text := o.promptText
		if term.Of(p.In, p.Out, p.Err, p.Env, true).Live {
			text = term.Clean(text) // it has words of files that anybody may have written
		}
		_, err := io.WriteString(p.Out, text)
		return err
	}
	dir, err := o.s.Bundle(o.id)
	if err != nil {
		return err
	}
	a := promptAnswer{Version: 1, Iteration: o.n, Provenance: o.id, Kind: it.Kind, Target: it.Target, Reason: it.Reason, Validation: it.Validation.Effective,
		Ready: o.report.Ready, Summary: o.report.Summary, Prompt: o.s.Rel(it.Paths.Prompt), Hash: stable.Hash([]byte(o.promptText)), Bytes: len(o.promptText),
		Evidence: o.s.Rel(it.Paths.PromptEvidence), Bundle: o.s.Rel(dir), Trust: it.Trust()}
	if t := o.selected(); t != nil {
		a.Task = &promptTask{t.ID, t.Title}
	}
	return printJSON(p.Out, a)
}

// startPrompt chooses the task and the kind of a prompt that is only prepared, and takes a number for it. Nothing is claimed.
func (t *turner) startPrompt(ctx context.Context, id string) (*oneTurn, error) {
	o, in, err := t.survey(ctx, artifact.IDEHandoff)
	if err != nil {
		return nil, err
	}
	switch {
	case o.usable:
		if err := o.choose(ctx, id); err != nil {
			return nil, err
		}
	case id != "":
		return nil, t.s.taskError(t.p, false, in.Err(t.s.Tasks))
	}
	o.kind, o.reason = iteration.ChooseKind(o.selected(), o.counts, o.usable, o.earlier)
	o.phase("taskSelectedAt")
	return o, o.number(ctx, claim.IDE)
}

// choose takes the task with the id, else the first one that nobody has claimed, as the loop does, else the first one.
func (o *oneTurn) choose(ctx context.Context, id string) error {
	claims, err := o.claims.Inspect(ctx, time.Now())
	if err != nil {
		fmt.Fprintf(o.p.Err, "warning: who has claimed what is not known: %v\n", err)
	}
	holder := func(id string) string {
		if held := claims.Task(id); held != nil {
			return held.Canonical.AgentID
		}
		return ""
	}
	if id == "" {
		candidates := o.graph.Candidates(preflight.RoleOf(o.s.Layout, o.s.settings))
		free := slices.IndexFunc(candidates, func(t task.Task) bool { return holder(t.ID) == "" })
		if len(candidates) == 0 {
			return nil
		}
		id = candidates[max(free, 0)].ID
	}
	t, ok := o.graph.Task(id)
	switch {
	case !ok:
		return hinted(fmt.Errorf("there is no task %s", task.Plain(id)), "ralphex task list")
	case t.Status == task.Done && o.s.settings.AgentRole != "reviewer":
		return hinted(fmt.Errorf("%s is done", task.Plain(id)), "ralphex task set "+task.Plain(id)+" status todo opens it again")
	}
	o.task, o.plan = t, o.s.readTaskPlan(&t)
	if by := holder(id); by != "" {
		fmt.Fprintf(o.p.Err, "note: %s is claimed by %s\n", task.Plain(id), task.Plain(by))
	}
	return nil
}
