package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"
	"unicode/utf8"

	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/task"
)

type taskCmd struct {
	List      taskListCmd      `cmd:"" default:"withargs" help:"List the tasks."`
	Show      taskShowCmd      `cmd:"" help:"Show all that is known of a task."`
	Next      taskNextCmd      `cmd:"" help:"Show the task that comes next."`
	Ready     taskReadyCmd     `cmd:"" help:"List the tasks that can be worked on now, best first."`
	Graph     taskGraphCmd     `cmd:"" help:"Draw the graph: text, mermaid, dot."`
	Add       taskAddCmd       `cmd:"" help:"Add a task."`
	Set       taskSetCmd       `cmd:"" help:"Give a field of a task a value, or take it away."`
	Done      taskDoneCmd      `cmd:"" help:"Make tasks done, and what is complete with them."`
	Block     taskBlockCmd     `cmd:"" help:"Make a task blocked, with the reason."`
	Decompose taskDecomposeCmd `cmd:"" help:"Cut a compound task into parts, by its own words."`
	Seed      taskSeedCmd      `cmd:"" help:"Let the agent propose tasks for a feature, and add them."`
	Import    taskImportCmd    `cmd:"" help:"Project a plan into the graph, or bring its projection up to date."`
}

// Help shows examples.
func (taskCmd) Help() string {
	return `The task graph is .ralph/tasks.json. Every change is made under tasks.lock, checked as a whole, and written whole; what the checks don't let
pass is refused, and the file keeps its bytes.

Examples:
  ralphex task
  ralphex task add 'Limit requests per key' --acceptance 'the 101st answers 429' --validation 'go test ./limit'
  ralphex task next
  ralphex task done T3

Exit codes: 0, 1 refused or the file is broken, 2 wrong command line (an id, a field, a value that is not there), 10 tasks.lock is held.
docs/ralph-store.md has the shapes of --json.`
}

// backlog is the workspace with its tasks, as a command that only looks reads them.
type backlog struct {
	*store
	in     *task.Inspection
	graph  *task.Graph
	claims claim.Graph
}

// openBacklog reads the tasks and who claimed them. Warnings go to stderr. The error is for the person, and with json on stdout, too.
func openBacklog(ctx context.Context, p *Proc, json bool) (*backlog, error) {
	s, err := openTasks(ctx, p)
	if err != nil {
		return nil, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a look is short: collecting costs more of its time than anything but the parser
	b := &backlog{store: s}
	if b.in, err = task.At(s.Tasks).Read(ctx); err == nil {
		err = b.in.Err(s.Tasks)
	}
	if err == nil && b.in.Blank {
		err = &task.BlankError{Path: s.Tasks}
	}
	if err != nil {
		return nil, s.taskError(p, json, err)
	}
	s.tell(p, b.in.Diagnostics)
	b.graph = task.NewGraph(b.in.File.Tasks)
	if b.claims, err = claim.New(s.Claims, s.settings.ClaimTTL).Inspect(ctx, time.Now()); err != nil {
		fmt.Fprintf(p.Err, "warning: claims are not shown: %v\n", s.explain(&refusal{}, err))
	}
	return b, nil
}

// openTasks is openStore for verbs of the task graph: there is one, or a workspace that lacks it.
func openTasks(ctx context.Context, p *Proc) (*store, error) {
	s, err := openStore(ctx, p)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.Tasks); err != nil && !s.initialized() {
		return nil, s.mustExist()
	}
	return s, nil
}

// changeTasks is openTasks for a verb that writes them.
func changeTasks(ctx context.Context, p *Proc, verb string, wait lockWait) (*store, task.Store, error) {
	budget, err := wait.budget()
	if err != nil {
		return nil, task.Store{}, err
	}
	if err := refuseInSession(p, verb); err != nil {
		return nil, task.Store{}, err
	}
	s, err := openTasks(ctx, p)
	if err != nil {
		return nil, task.Store{}, err
	}
	if err := s.CheckInside(); err != nil {
		return nil, task.Store{}, err
	}
	return s, s.taskStore(budget), nil
}

// tell prints warnings of reading the file.
func (s *store) tell(p *Proc, diagnostics []task.Diagnostic) {
	for _, d := range diagnostics {
		fmt.Fprintf(p.Err, "warning: %s\n", s.diagnosis(d))
	}
}

// diagnosis is a diagnostic as "file:line:column: message [code]".
func (s *store) diagnosis(d task.Diagnostic) string {
	at := s.Rel(s.Tasks)
	if d.Location != nil {
		at = fmt.Sprintf("%s:%d:%d", at, d.Location.Line, d.Location.Column)
	}
	return fmt.Sprintf("%s: %s [%s]", at, d.Message, d.Code)
}

// taskInfo is a task as the verbs print it: its fields as in the file, and what follows from the others.
type taskInfo struct {
	task.Task
	Source *task.SourceLocation `json:"source,omitempty"`
	Ready  bool                 `json:"ready"`           // it can be selected
	Unmet  []string             `json:"unmet,omitempty"` // what it waits for
	Claim  *claimJSON           `json:"claim,omitempty"` // who works on it
}

func (b *backlog) info(t *task.Task) taskInfo {
	i := taskInfo{Task: *t, Source: t.Source, Ready: b.graph.Selectable(t), Unmet: b.graph.Unmet(t)}
	if c := b.claims.Task(t.ID); c != nil {
		held := asJSON(c.Canonical, b.claims)
		i.Claim = &held
	}
	return i
}

// idWidth is how wide the column of ids is: no narrower than usual, and no wider than a line bears.
func idWidth(tasks []task.Task) int {
	wide := 8
	for i := range tasks {
		wide = max(wide, min(utf8.RuneCountInString(task.Plain(tasks[i].ID)), 24))
	}
	return wide
}

// row is a task on one line, the id in a column of that width.
func (i *taskInfo) row(wide int) string {
	s := fmt.Sprintf("%-11s %-*s %s", i.Status, wide, task.Plain(i.ID), task.Plain(i.Title))
	if i.Priority != "" && i.Priority != task.Normal {
		s += fmt.Sprintf("  (%s)", i.Priority)
	}
	if len(i.Unmet) > 0 && i.Status != task.Done {
		s += "  waits for " + some(i.Unmet)
	}
	if i.Blocker != "" {
		s += "  blocked: " + task.Plain(i.Blocker)
	}
	if i.Claim != nil {
		s += "  claimed by " + task.Plain(i.Claim.AgentID)
	}
	return s
}

// some names a few ids.
func some(ids []string) string {
	const shown = 5
	out := ""
	for n, id := range ids {
		if n == shown {
			return fmt.Sprintf("%s and %d more", out, len(ids)-shown)
		}
		if n > 0 {
			out += ", "
		}
		out += task.Plain(id)
	}
	return out
}

// taskChanged is what a change of the graph says as JSON.
type taskChanged struct {
	Version int `json:"version"`
	*task.Change
	Tasks []task.Task `json:"tasks"` // those that are other than before, as they are now
}

func newTaskChanged(c *task.Change) taskChanged {
	out := taskChanged{Version: 1, Change: c, Tasks: []task.Task{}}
	changed := map[string]bool{}
	for _, id := range c.Changed {
		changed[id] = true
	}
	for i := range c.File.Tasks {
		if changed[c.File.Tasks[i].ID] {
			out.Tasks = append(out.Tasks, c.File.Tasks[i])
		}
	}
	return out
}

// printChange tells what became of the graph.
func (s *store) printChange(p *Proc, json bool, c *task.Change) error {
	s.tell(p, c.Diagnostics)
	for _, w := range c.Warnings {
		fmt.Fprintf(p.Err, "note: %s\n", task.Plain(w))
	}
	answer := newTaskChanged(c)
	if json {
		return printed(c, printJSON(p.Out, answer))
	}
	if !c.Wrote {
		_, err := fmt.Fprintln(p.Out, "nothing to change")
		return err
	}
	for i := range answer.Tasks {
		info := taskInfo{Task: answer.Tasks[i]}
		if _, err := fmt.Fprintf(p.Out, "now     %s\n", info.row(idWidth(answer.Tasks))); err != nil {
			return printed(c, err)
		}
	}
	return nil
}

// printed says of a change that could not be printed that it is made: who tries again would make it twice.
func printed(c *task.Change, err error) error {
	if err == nil || !c.Wrote {
		return err
	}
	return hinted(fmt.Errorf("the change is made (%s), but can't be printed: %w", some(c.Changed), err), "don't repeat it; ralphex task list shows it")
}

// warnHolder tells that somebody works on a task which a person changes under them.
func (s *store) warnHolder(ctx context.Context, p *Proc, ids ...string) {
	g, err := claim.New(s.Claims, s.settings.ClaimTTL).Inspect(ctx, time.Now())
	if err != nil {
		return // the change needs no claim; `claim list` says what is wrong
	}
	for _, id := range ids {
		if c := g.Task(id); c != nil {
			fmt.Fprintf(p.Err, "note: %s has a claim on %s since %s (ralphex claim list)\n", task.Plain(c.Canonical.AgentID), task.Plain(id), task.Plain(c.Canonical.ClaimedAt))
		}
	}
}

// readText is an argument, or standard input where it is "-".
func readText(p *Proc, arg, what string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	const most = 1 << 20
	if p.In == nil {
		return "", usage(fmt.Errorf("there is no standard input to read %s from", what), "")
	}
	text, err := io.ReadAll(io.LimitReader(p.In, most+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read %s: %w", what, err)
	case len(text) > most:
		return "", usage(fmt.Errorf("%s is larger than 1 MiB", what), "")
	}
	if !utf8.Valid(text) {
		return "", usage(fmt.Errorf("%s is not UTF-8", what), "save it as UTF-8")
	}
	return string(text), nil
}

// refuseBadText refuses words for the store that JSON can't hold: they would be written as something else.
func refuseBadText(args []string) error {
	if len(args) == 0 || !slices.Contains(completed, args[0]) {
		return nil
	}
	for i, a := range args {
		if !utf8.ValidString(a) {
			return usage(fmt.Errorf("word %d of the command line, %q, is not UTF-8", i+1, a), "type it as UTF-8")
		}
	}
	return nil
}

var errNothingReady = errors.New("no task can be worked on now")
