package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ralphex/internal/ralph/planimport"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/plan"
)

type taskAddCmd struct {
	Title string `arg:"" help:"What is to be done, in a sentence; - reads it from standard input."`

	ID         string   `name:"id" help:"Id (default: the lowest free T<n>)." placeholder:"ID"`
	Parent     string   `help:"Task that it is a part of; that one waits for it from then on." placeholder:"ID"`
	DependsOn  []string `help:"Task that must be done before; may be given again." placeholder:"ID" sep:"none"`
	Notes      string   `help:"What is known about it; - reads it from standard input." placeholder:"TEXT"`
	Validation string   `help:"Command line that proves it." placeholder:"CMD"`
	Acceptance []string `help:"How one sees that it is done; may be given again." placeholder:"TEXT" sep:"none"`
	Constraint []string `help:"What must hold all the while; may be given again." placeholder:"TEXT" sep:"none"`
	Context    []string `help:"File or fact to start from; may be given again." placeholder:"TEXT" sep:"none"`
	Status     string   `help:"todo (the default), in_progress, blocked or done." placeholder:"STATUS" enum:"todo,in_progress,blocked,done" default:"todo"`
	Priority   string   `help:"low, normal or high." placeholder:"WORD" enum:",low,normal,high" default:""`
	Mode       string   `help:"default or documentation." placeholder:"WORD" enum:",default,documentation" default:""`
	Tier       string   `help:"simple, medium or complex." placeholder:"WORD" enum:",simple,medium,complex" default:""`
	lockWait   `embed:""`
	JSON       bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskAddCmd) Help() string {
	return `The task goes to the end of the file. It is complete when the source is complete: say what you know, and leave out what you don't.

Examples:
  ralphex task add 'Limit requests per key' --acceptance 'the 101st answers 429' --validation 'go test ./limit'
  ralphex task add 'Document the limit' --depends-on T3 --mode documentation
  ralphex task add 'Count per key' --parent T3 --notes - < notes.md`
}

// Run adds a task.
func (c taskAddCmd) Run(ctx context.Context, p *Proc) error {
	s, store, err := changeTasks(ctx, p, "task add", c.lockWait)
	if err != nil {
		return err
	}
	d, err := c.draft(p)
	if err != nil {
		return err
	}
	change, err := store.Add(ctx, d, task.AddOptions{ID: stable.Trim(c.ID), Parent: stable.Trim(c.Parent)})
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	return s.printChange(p, c.JSON, change)
}

// draft is what the flags say.
func (c taskAddCmd) draft(p *Proc) (*task.Draft, error) {
	if c.Title == "-" && c.Notes == "-" {
		return nil, usage(errors.New("title and notes can't both come from standard input"), "")
	}
	d := &task.Draft{}
	for _, f := range []struct{ field, value string }{{"title", c.Title}, {"status", c.Status}, {"notes", c.Notes}, {"validation", c.Validation},
		{"priority", c.Priority}, {"mode", c.Mode}, {"tier", c.Tier}} {
		value := f.value
		var err error
		if f.field == "title" || f.field == "notes" {
			value, err = readText(p, value, "the "+f.field)
		}
		if err != nil {
			return nil, err
		}
		if value != "" {
			d.Set(f.field, value)
		}
	}
	for _, f := range []struct {
		field  string
		values []string
	}{{"dependsOn", c.DependsOn}, {"acceptance", c.Acceptance}, {"constraints", c.Constraint}, {"context", c.Context}} {
		if len(f.values) > 0 {
			items := make([]any, len(f.values))
			for i, v := range f.values {
				if strings.TrimSpace(v) == "" {
					return nil, usage(fmt.Errorf("a value for %s is blank", f.field), "leave the flag out")
				}
				items[i] = v
			}
			d.Set(f.field, &stable.Array{Items: items})
		}
	}
	return d, nil
}

type taskSetCmd struct {
	ID       string   `arg:"" help:"Id of the task."`
	Field    string   `arg:"" help:"Field: title, status, parentId, dependsOn, notes, validation, blocker, priority, mode, tier, acceptance, constraints, context, writeRiskLabels."`
	Value    []string `arg:"" optional:"" help:"Its value; lists take several; none takes the field away. - is standard input."`
	lockWait `embed:""`
	JSON     bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskSetCmd) Help() string {
	return `A list is replaced as a whole. status done is refused while something below the task, or something that it depends on, is not done. A parent that
is done is in progress again as soon as something below it is open.

Examples:
  ralphex task set T3 priority high
  ralphex task set T3 dependsOn T1 T2
  ralphex task set T3 acceptance 'the 101st answers 429' 'the limit is a setting'
  ralphex task set T3 blocker            take it away
  ralphex task set T3 status todo`
}

// Run sets a field.
func (c taskSetCmd) Run(ctx context.Context, p *Proc) error {
	s, store, err := changeTasks(ctx, p, "task set", c.lockWait)
	if err != nil {
		return err
	}
	if len(c.Value) == 1 {
		if c.Value[0], err = readText(p, c.Value[0], "the value"); err != nil {
			return err
		}
	}
	change, err := store.Set(ctx, c.ID, c.Field, c.Value...)
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	s.warnHolder(ctx, p, c.ID)
	return s.printChange(p, c.JSON, change)
}

type taskDoneCmd struct {
	ID       []string `arg:"" help:"Ids of the tasks."`
	lockWait `embed:""`
	JSON     bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskDoneCmd) Help() string {
	return `Refused, with the ids, while something below a task, or something that it depends on, is not done. A parent without a validation of its own becomes done
when nothing below it is left. Of several tasks, all that can be done are, in whatever order they come; the others are named, and the exit code is 1.

Examples:
  ralphex task done T3
  ralphex task done T3.1 T3.2 T3
  ralphex task done T3 --json | jq -r '.error.descendants[]?'`
}

// Run makes tasks done.
func (c taskDoneCmd) Run(ctx context.Context, p *Proc) error {
	s, store, err := changeTasks(ctx, p, "task done", c.lockWait)
	if err != nil {
		return err
	}
	if len(c.ID) == 1 {
		change, err := store.Done(ctx, c.ID[0])
		if err != nil {
			return s.taskError(p, c.JSON, err)
		}
		s.warnHolder(ctx, p, c.ID...)
		return s.printChange(p, c.JSON, change)
	}
	if in, err := store.Read(ctx); err == nil && in.File != nil { // a slip of the hand must not be half done
		for _, id := range c.ID {
			if _, err := in.File.Get(id); err != nil {
				return s.taskError(p, c.JSON, err)
			}
		}
	}
	change, done, err := store.DoneAll(ctx, c.ID)
	if change == nil {
		return s.taskError(p, c.JSON, err)
	}
	s.warnHolder(ctx, p, done...)
	if err == nil || change.Wrote && !c.JSON {
		if perr := s.printChange(p, c.JSON, change); perr != nil {
			return perr
		}
	}
	if err != nil {
		err = &partlyError{err, done}
	}
	return s.taskError(p, c.JSON, err)
}

type taskBlockCmd struct {
	ID       string `arg:"" help:"Id of the task."`
	Reason   string `arg:"" help:"Why, so that somebody can take it away; - reads it from standard input."`
	lockWait `embed:""`
	JSON     bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskBlockCmd) Help() string {
	return `A blocked task is never selected. Nothing unblocks it but a person.

Examples:
  ralphex task block T3 'waits for the vendor: ticket 4711'
  ralphex task set T3 status todo       it is not blocked any more; the reason goes`
}

// Run blocks a task.
func (c taskBlockCmd) Run(ctx context.Context, p *Proc) error {
	s, store, err := changeTasks(ctx, p, "task block", c.lockWait)
	if err != nil {
		return err
	}
	reason, err := readText(p, c.Reason, "the reason")
	if err != nil {
		return err
	}
	change, err := store.Block(ctx, c.ID, reason)
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	s.warnHolder(ctx, p, c.ID)
	return s.printChange(p, c.JSON, change)
}

type taskDecomposeCmd struct {
	ID         string `arg:"" help:"Id of the task."`
	DryRun     bool   `name:"dry-run" short:"n" help:"Only show the parts."`
	Validation string `help:"Validation of the parts (default: the task's)." placeholder:"CMD"`
	lockWait   `embed:""`
	JSON       bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskDecomposeCmd) Help() string {
	return `No model is asked: the same task gives the same parts, two or three, one after the other. A task whose words name no several things is left whole
(exit 1). The task waits for its parts, and is in progress.

Examples:
  ralphex task decompose T3 --dry-run
  ralphex task decompose T3`
}

// Run decomposes.
func (c taskDecomposeCmd) Run(ctx context.Context, p *Proc) error {
	if c.DryRun {
		return c.show(ctx, p)
	}
	s, store, err := changeTasks(ctx, p, "task decompose", c.lockWait)
	if err != nil {
		return err
	}
	change, _, err := store.Decompose(ctx, c.ID, c.Validation)
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	s.warnHolder(ctx, p, c.ID)
	return s.printChange(p, c.JSON, change)
}

// show proposes and writes nothing.
func (c taskDecomposeCmd) show(ctx context.Context, p *Proc) error {
	b, err := openBacklog(ctx, p, c.JSON)
	if err != nil {
		return err
	}
	t, err := b.in.File.Get(c.ID)
	if err != nil {
		return b.taskError(p, c.JSON, err)
	}
	children := task.BuildDecompositionProposal(t, c.Validation)
	if len(children) == 0 {
		return b.taskError(p, c.JSON, &task.NotCompoundError{ID: c.ID})
	}
	if err := task.ApplySuggestedChildren(b.in.File.Clone(), c.ID, children); err != nil {
		return b.taskError(p, c.JSON, err)
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version  int                   `json:"version"`
			Children []task.SuggestedChild `json:"children"`
		}{1, children})
	}
	for _, child := range children {
		fmt.Fprintf(p.Out, "would be  %s %s\n", task.Plain(child.ID), task.Plain(child.Title))
	}
	fmt.Fprintln(p.Out, "\nnothing was written; next: ralphex task decompose "+shellQuote(c.ID))
	return nil
}

type taskImportCmd struct {
	Plan     string `arg:"" help:"Markdown plan."`
	lockWait `embed:""`
	JSON     bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskImportCmd) Help() string {
	return `The plan stays what counts: the next import overrules what its tasks in the graph say of their status. What people added there stays. Ids are stable:
a plan that was renumbered or reworded keeps them. docs/ralph-store.md says what a projection holds, and docs/convert.md what comes back of it.

Examples:
  ralphex task import docs/plans/feature.md
  ralphex convert .ralph/tasks.json -o -         the way back`
}

// Run imports a plan.
func (c taskImportCmd) Run(ctx context.Context, p *Proc) error {
	s, store, err := changeTasks(ctx, p, "task import", c.lockWait)
	if err != nil {
		return err
	}
	path, err := findPlan(c.Plan, p.Dir)
	if err != nil {
		return err
	}
	if path, err = plan.Locate(path); err != nil {
		return usage(err, "")
	}
	pl, err := plan.ParsePlanFile(path)
	if err != nil {
		return usage(err, "")
	}
	at := path
	if s.repo != nil { // in a worktree of a run: the plan is named as it is in the checkout that has the store
		at = carried(path, s.repo.Root(), s.Root)
	}
	name := sourceName(s.Root, at, c.Plan)
	r, err := planimport.Import(ctx, store, pl, planimport.Options{Path: strings.TrimPrefix(name, "./")})
	if errors.Is(err, planimport.ErrNoTasks) {
		return usage(fmt.Errorf("%s: %w", c.Plan, err), "ralphex show "+shellQuote(c.Plan))
	}
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version int `json:"version"`
			*planimport.Result
		}{1, r})
	}
	return s.printChange(p, false, r.Change)
}
