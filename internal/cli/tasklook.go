package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/task"
)

type taskListCmd struct {
	Status []string `help:"Only tasks of this status: todo, in_progress, blocked, done; may be given again." placeholder:"STATUS"`
	Open   bool     `help:"Only tasks that are not done."`
	Below  string   `help:"Only what lies below this task." placeholder:"ID"`
	JSON   bool     `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskListCmd) Help() string {
	return `In the order of the file, as status, id, title, what it waits for, and who claimed it.

Examples:
  ralphex task list --open
  ralphex task list --status blocked --status in_progress
  ralphex task list --below T4 --json | jq -r '.tasks[].id'`
}

// Run lists.
func (c taskListCmd) Run(ctx context.Context, p *Proc) error {
	for _, s := range c.Status {
		if !slices.Contains(task.Statuses, task.Status(s)) {
			return usage(fmt.Errorf("--status %s: no such status", s), "one of "+statusWords())
		}
	}
	b, err := openBacklog(ctx, p, c.JSON)
	if err != nil {
		return err
	}
	tasks := b.in.File.Tasks
	if c.Below != "" {
		if _, err := b.in.File.Get(c.Below); err != nil {
			return b.taskError(p, c.JSON, err)
		}
		tasks = b.graph.Descendants(c.Below)
	}
	infos := []taskInfo{}
	for i := range tasks {
		t := &tasks[i]
		if c.Open && t.Status == task.Done || len(c.Status) > 0 && !slices.Contains(c.Status, string(t.Status)) {
			continue
		}
		infos = append(infos, b.info(t))
	}
	counts := b.graph.Counts()
	if c.JSON {
		return printJSON(p.Out, struct {
			Version     int               `json:"version"`
			File        string            `json:"file"`
			Counts      task.Counts       `json:"counts"`
			Remaining   int               `json:"remaining"`
			Tasks       []taskInfo        `json:"tasks"`
			Diagnostics []task.Diagnostic `json:"diagnostics,omitempty"` // warnings
		}{1, b.Rel(b.Tasks), counts, counts.Remaining(), infos, b.in.Diagnostics})
	}
	out := printInfos(infos)
	out += fmt.Sprintf("%d todo, %d in progress, %d blocked, %d done\n", counts.Todo, counts.InProgress, counts.Blocked, counts.Done)
	_, err = io.WriteString(p.Out, out)
	return err
}

func printInfos(infos []taskInfo) string {
	var b strings.Builder
	tasks := make([]task.Task, len(infos))
	for i := range infos {
		tasks[i] = infos[i].Task
	}
	wide := idWidth(tasks)
	for i := range infos {
		b.WriteString(infos[i].row(wide) + "\n")
	}
	return b.String()
}

func statusWords() string {
	var words []string
	for _, s := range task.Statuses {
		words = append(words, string(s))
	}
	return strings.Join(words, ", ")
}

type taskShowCmd struct {
	ID   string `arg:"" help:"Id of the task."`
	JSON bool   `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskShowCmd) Help() string {
	return `Examples:
  ralphex task show T3
  ralphex task show T3 --json | jq -r .task.validation`
}

// Run shows a task.
func (c taskShowCmd) Run(ctx context.Context, p *Proc) error {
	b, err := openBacklog(ctx, p, c.JSON)
	if err != nil {
		return err
	}
	t, err := b.in.File.Get(c.ID)
	if err != nil {
		return b.taskError(p, c.JSON, err)
	}
	remaining := ids(b.graph.Remaining(c.ID))
	if c.JSON {
		return printJSON(p.Out, struct {
			Version   int      `json:"version"`
			Task      taskInfo `json:"task"`
			Below     []string `json:"below"`     // all that lies below it
			Remaining []string `json:"remaining"` // of those, what is not done
		}{1, b.info(t), append([]string{}, ids(b.graph.Descendants(c.ID))...), append([]string{}, remaining...)})
	}
	_, err = io.WriteString(p.Out, b.describe(t, remaining))
	return err
}

// describe is a task in full, field by field.
func (b *backlog) describe(t *task.Task, remaining []string) string {
	var out strings.Builder
	field := func(name string, values ...string) {
		for i, v := range values {
			if i > 0 {
				name = ""
			}
			for _, line := range strings.Split(strings.TrimRight(v, "\n"), "\n") {
				fmt.Fprintf(&out, "%-13s %s\n", name, task.Plain(line))
				name = ""
			}
		}
	}
	one := func(name, v string) {
		if v != "" {
			field(name, v)
		}
	}
	info := b.info(t)
	fmt.Fprintf(&out, "%s  %s\n\n", task.Plain(t.ID), task.Plain(t.Title))
	field("status", string(t.Status))
	one("blocker", t.Blocker)
	if info.Claim != nil {
		field("claim", info.Claim.line(time.Now()))
	}
	one("parent", t.ParentID)
	if len(t.DependsOn) > 0 {
		field("depends on", strings.Join(t.DependsOn, ", "))
	}
	if len(info.Unmet) > 0 && t.Status != task.Done {
		field("waits for", some(info.Unmet))
	}
	if len(remaining) > 0 {
		field("left below", some(remaining))
	}
	one("priority", string(t.Priority))
	one("mode", string(t.Mode))
	one("tier", string(t.Tier))
	one("validation", t.Validation)
	field("acceptance", t.Acceptance...)
	field("constraints", t.Constraints...)
	field("context", t.Context...)
	field("write risks", t.WriteRiskLabels...)
	one("notes", t.Notes)
	one("last verifier", string(t.LastVerifierResult))
	one("last warning", t.LastReconciliationWarning)
	if t.Source != nil {
		field("place", fmt.Sprintf("%s:%d:%d", b.Rel(b.Tasks), t.Source.Line, t.Source.Column))
	}
	return out.String()
}

type taskNextCmd struct {
	JSON bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskNextCmd) Help() string {
	return `The first task that can be worked on and that nobody has claimed: what is in progress, then todo; by priority; then as in the file. Where the
setting agentRole is planner, implementer or reviewer, it is the first for that role: without a plan, with one, done and not reviewed. Nothing is
claimed by looking. Exit 1 when there is none; the message says why.

Examples:
  ralphex task next
  id=$(ralphex task next --json | jq -r .task.id)`
}

// Run shows the next task.
func (c taskNextCmd) Run(ctx context.Context, p *Proc) error {
	b, err := openBacklog(ctx, p, c.JSON)
	if err != nil {
		return err
	}
	var next *taskInfo
	var claimed []string
	role := preflight.RoleOf(b.Layout, b.settings)
	for _, t := range b.graph.Candidates(role) {
		info := b.info(&t)
		if info.Claim == nil {
			next = &info
			break
		}
		claimed = append(claimed, fmt.Sprintf("%s (%s)", t.ID, info.Claim.AgentID))
	}
	if c.JSON {
		err = printJSON(p.Out, struct {
			Version int       `json:"version"`
			Task    *taskInfo `json:"task"`    // null = none
			Claimed []string  `json:"claimed"` // what would come before it
		}{1, next, append([]string{}, claimed...)})
	} else if next != nil {
		_, err = fmt.Fprintln(p.Out, next.row(idWidth([]task.Task{next.Task})))
	}
	if err != nil || next != nil {
		return err
	}
	return b.nothingReady(claimed, role)
}

// nothingReady says why there is nothing to work on.
func (b *backlog) nothingReady(claimed []string, role task.Role) error {
	counts := b.graph.Counts()
	switch {
	case len(claimed) > 0:
		return hinted(fmt.Errorf("%w: %s", errNothingReady, "claimed are "+some(claimed)), "ralphex claim list")
	case counts.Remaining() == 0 && counts.Done == 0:
		return hinted(fmt.Errorf("%w: there are no tasks", errNothingReady), "ralphex task add TITLE, or ralphex task import PLAN")
	case role.Name != "" && (len(b.graph.Ready()) > 0 || counts.Remaining() == 0 && role.Name == "reviewer"):
		return hinted(fmt.Errorf("%w: nothing is for the role %s", errNothingReady, role.Name), "ralphex task ready lists what others can do; the setting agentRole makes the choice")
	case counts.Remaining() == 0:
		return hinted(fmt.Errorf("%w: all %d are done", errNothingReady, counts.Done), "ralphex task add TITLE")
	}
	return hinted(fmt.Errorf("%w: %d wait for others, %d are blocked", errNothingReady, counts.Todo+counts.InProgress, counts.Blocked), "ralphex task list --open")
}

type taskReadyCmd struct {
	JSON bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskReadyCmd) Help() string {
	return `What is in progress, then todo; by priority; then as in the file. A task is ready when all that it depends on is done. Tasks that somebody
claimed are listed with the name.

Examples:
  ralphex task ready
  ralphex task ready --json | jq -r '.tasks[] | select(.claim == null).id'`
}

// Run lists what is ready.
func (c taskReadyCmd) Run(ctx context.Context, p *Proc) error {
	b, err := openBacklog(ctx, p, c.JSON)
	if err != nil {
		return err
	}
	infos := []taskInfo{}
	for _, t := range b.graph.Ready() {
		infos = append(infos, b.info(&t))
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version int        `json:"version"`
			Tasks   []taskInfo `json:"tasks"`
		}{1, infos})
	}
	if len(infos) == 0 {
		fmt.Fprintf(p.Err, "note: %v\n", b.nothingReady(nil, task.Role{}))
	}
	_, err = io.WriteString(p.Out, printInfos(infos))
	return err
}

type taskGraphCmd struct {
	Format string `help:"text (the default), mermaid or dot." placeholder:"NAME" enum:"text,mermaid,dot" default:"text"`
	Open   bool   `help:"Leave out tasks that are done."`
	JSON   bool   `name:"json" help:"Print nodes and edges as JSON."`
}

// Help shows examples.
func (taskGraphCmd) Help() string {
	return `Examples:
  ralphex task graph
  ralphex task graph --format mermaid >> docs/backlog.md
  ralphex task graph --format dot --open | dot -Tsvg > backlog.svg`
}

// graphEdge is an arrow of the graph.
type graphEdge struct {
	From string `json:"from"`
	To   string `json:"to"`
	Kind string `json:"kind"` // dependency: from is done before to; part: to lies below from
}

// Run draws.
func (c taskGraphCmd) Run(ctx context.Context, p *Proc) error {
	b, err := openBacklog(ctx, p, c.JSON)
	if err != nil {
		return err
	}
	tasks := b.in.File.Tasks
	if c.Open {
		tasks = openTasksOnly(b.graph, tasks)
	}
	if !c.JSON {
		_, err := io.WriteString(p.Out, task.Draw(tasks, task.Drawing(c.Format)))
		return err
	}
	shown := map[string]bool{}
	for i := range tasks {
		shown[tasks[i].ID] = true
	}
	nodes, edges := []taskInfo{}, []graphEdge{}
	for i := range tasks {
		t := &tasks[i]
		nodes = append(nodes, b.info(t))
		if shown[t.ParentID] {
			edges = append(edges, graphEdge{t.ParentID, t.ID, "part"})
		}
		for _, d := range t.DependsOn {
			if shown[d] {
				edges = append(edges, graphEdge{d, t.ID, "dependency"})
			}
		}
	}
	return printJSON(p.Out, struct {
		Version int         `json:"version"`
		Nodes   []taskInfo  `json:"nodes"`
		Edges   []graphEdge `json:"edges"`
	}{1, nodes, edges})
}

// openTasksOnly leaves out what is done, also where somebody depends on it.
func openTasksOnly(g *task.Graph, tasks []task.Task) []task.Task {
	var out []task.Task
	for _, t := range tasks {
		if t.Status != task.Done {
			t.DependsOn = g.Unmet(&t)
			out = append(out, t)
		}
	}
	return out
}
