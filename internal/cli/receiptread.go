package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralphex/internal/journal"
	"ralphex/internal/price"
	"ralphex/pkg/event"
	"ralphex/pkg/finding"
)

// receipts are those of a run.
type receipts struct {
	Version int        `json:"version"`
	Run     string     `json:"run"`
	Plan    string     `json:"plan"`              // empty = of the .ralph workspace
	Earlier []string   `json:"earlier,omitempty"` // runs before it that are in the receipts, too: of iterate and loop, the oldest first
	Tasks   []*receipt `json:"tasks"`

	branch string // of the newest run, "" = unknown
}

// receipt is what became of a task, from the run's journal.
type receipt struct {
	Position   int              `json:"position"`
	ID         string           `json:"id"`
	Title      string           `json:"title"`
	Outcome    string           `json:"outcome"` // empty = it has come to no end
	Reason     string           `json:"reason,omitempty"`
	Commit     string           `json:"commit,omitempty"`
	Tree       string           `json:"tree,omitempty"` // of the commit: what the validation judged
	Commits    []string         `json:"commits"`
	Green      *bool            `json:"validation_green"` // null = no validation was run
	Validation []receiptCommand `json:"validation"`       // of the last gate
	Sessions   []receiptSession `json:"sessions"`
	Repeated   int              `json:"repeated_sessions"`
	Tokens     int64            `json:"tokens"`
	USD        float64          `json:"usd"`      // reported, or at list price
	ListUSD    float64          `json:"list_usd"` // the part at list price
	Elapsed    time.Duration    `json:"elapsed_ns"`
	Review     reviewShare      `json:"review_share"`
	Findings   []receiptFinding `json:"findings"`
	Checked    *receiptCheck    `json:"verified,omitempty"`

	paths map[string]bool // of its commits
}

type receiptCommand struct {
	Command    string `json:"command"`
	Exit       int    `json:"exit"`
	Cause      string `json:"cause,omitempty"`
	OutputHash string `json:"output_sha256"`
	OutputFile string `json:"output_file,omitempty"`
}

type receiptSession struct {
	Run       string        `json:"run,omitempty"` // where receipts are of several
	N         int           `json:"n"`
	Executor  string        `json:"executor"`
	Model     string        `json:"model,omitempty"`
	Iteration int           `json:"iteration,omitempty"`
	Evidence  string        `json:"evidence,omitempty"` // provenance id of its bundle
	Prompt    string        `json:"prompt_sha256,omitempty"`
	Exit      string        `json:"exit"`
	Failure   string        `json:"failure,omitempty"`
	Tokens    int64         `json:"tokens"`
	USD       float64       `json:"usd"`
	Elapsed   time.Duration `json:"elapsed_ns"`

	start journal.Spent
	task  int
	gate  []receiptCommand // of the gate behind it; nil = none was run
	tree  string           // that the gate named, or its task's commit has; "" = none
}

// reviewShare is the task's part of reviews that belong to no task.
type reviewShare struct {
	Sessions float64       `json:"sessions"`
	Tokens   int64         `json:"tokens"`
	USD      float64       `json:"usd"`
	Elapsed  time.Duration `json:"elapsed_ns"`
}

type receiptFinding struct {
	ID          string `json:"id"`
	File        string `json:"file"`
	Text        string `json:"text"`
	Severity    string `json:"severity,omitempty"`
	Disposition string `json:"disposition"`
	Reason      string `json:"reason,omitempty"`
}

// receiptCheck is what --verify found.
type receiptCheck struct {
	OK      int      `json:"ok"`
	Wrong   []string `json:"wrong"`
	Unknown []string `json:"unknown"` // what is not there any more to be held against
}

func (c *receiptCheck) wrong(format string, args ...any) {
	c.Wrong = append(c.Wrong, fmt.Sprintf(format, args...))
}
func (c *receiptCheck) unknown(format string, args ...any) {
	c.Unknown = append(c.Unknown, fmt.Sprintf(format, args...))
}

// receiptReading makes receipts of a journal.
type receiptReading struct {
	*receipts
	prices price.List
	turns  bool             // of iterate and loop: tasks are known by their ids, in all journals
	at     map[int]*receipt // by position in the journal that is read
	open   *receiptSession
	judged *receipt         // whose last session is the one that a gate is about now; nil = a gate is about none
	other  []receiptSession // of no task
	ledger finding.Ledger
}

// readReceipts reads those of a plan's run; or, with turns, those of calls of iterate and loop, the oldest first.
func readReceipts(turns bool, prices price.List, paths ...string) (*receipts, error) {
	r := receiptReading{receipts: &receipts{Version: 1, Tasks: []*receipt{}}, turns: turns, prices: prices}
	for _, path := range paths {
		if r.at = map[int]*receipt{}; r.Run != "" {
			r.Earlier = append(r.Earlier, r.Run)
		}
		for e, err := range journal.Events(path, (event.Output{}).Kind()) {
			if err != nil {
				return nil, err
			}
			r.Run = string(e.Run)
			r.ledger.Read(e.Data)
			r.apply(e)
		}
		r.cutOff()
	}
	r.share()
	return r.receipts, nil
}

// cutOff ends a session whose end nobody saw: that of a run that was killed, or goes on.
func (r *receiptReading) cutOff() {
	r.ended(event.SessionEnd{Exit: "no end"})
}

// begin finds or makes the receipt of a task that begins.
func (r *receiptReading) begin(position int, d event.TaskStart) {
	t := r.at[position]
	if i := slices.IndexFunc(r.Tasks, func(t *receipt) bool { return t.ID == d.ID }); r.turns && t == nil && i >= 0 {
		t = r.Tasks[i]
	}
	if t == nil {
		t = &receipt{Position: position, Commits: []string{}, Validation: []receiptCommand{}, Sessions: []receiptSession{}, Findings: []receiptFinding{}, paths: map[string]bool{}}
		if r.Tasks = append(r.Tasks, t); r.turns {
			t.Position = len(r.Tasks)
		}
	}
	r.at[position] = t
	t.ID, t.Title = d.ID, d.Title
}

func (r *receiptReading) apply(e event.Event) {
	switch d := e.Data.(type) {
	case event.RunStart:
		r.branch, r.judged = d.Branch, nil
	case event.RunRestart:
		r.judged = nil
	case event.TaskStart:
		r.begin(e.Task, d)
	case event.SessionStart:
		r.cutOff()
		r.open = &receiptSession{N: d.N, Executor: d.Executor, Model: d.Model, Iteration: d.Iteration, Evidence: d.Evidence, Prompt: d.PromptHash, task: e.Task,
			start: journal.Spent{N: d.N, Executor: d.Executor, Model: d.Model}}
	case event.SessionEnd:
		r.ended(d)
	}
	t := r.at[e.Task]
	if t == nil {
		return
	}
	switch d := e.Data.(type) {
	case event.GateStart:
		t.Validation, t.Green = []receiptCommand{}, nil
		r.judge(t, nil, "")
	case event.GateCommand:
		t.Validation = append(t.Validation, receiptCommand{Command: d.Command, Exit: d.Exit, Cause: d.Cause, OutputHash: d.OutputHash, OutputFile: d.OutputFile})
		r.judge(t, t.Validation, "")
	case event.GateEnd:
		if d.Commands > 0 {
			t.Green = &d.Green
		}
		r.judge(t, t.Validation, d.TreeHash)
	case event.Commit:
		t.Commits = append(t.Commits, d.Rev)
		for _, p := range d.Paths {
			t.paths[p] = true
		}
	case event.TaskEnd:
		t.Outcome, t.Reason, t.Commit, t.Tree = string(d.Outcome), d.Reason, d.Commit, d.TreeHash
		t.Elapsed += d.Elapsed
		if last := len(t.Sessions) - 1; r.judged == t && t.Sessions[last].tree == "" {
			t.Sessions[last].tree = d.TreeHash
		}
		r.judged = nil
	}
}

// judge notes what a gate found behind the last session of a task, if it is about that.
func (r *receiptReading) judge(t *receipt, commands []receiptCommand, tree string) {
	if r.judged == t {
		last := &t.Sessions[len(t.Sessions)-1]
		last.gate, last.tree = commands, tree
	}
}

func (r *receiptReading) ended(d event.SessionEnd) {
	if r.open == nil {
		return
	}
	one := *r.open
	if r.open = nil; r.turns {
		one.Run = r.Run
	}
	one.Exit, one.Failure, one.Elapsed, one.Tokens = d.Exit, d.Failure, d.Elapsed, d.Usage.Tokens()
	one.start.Usage, one.start.Models = d.Usage, d.Models
	usd, list, _ := dollarsOf(one.start, r.prices)
	one.USD = usd
	t := r.at[one.task]
	if r.judged = t; t == nil {
		r.other = append(r.other, one)
		return
	}
	t.Sessions = append(t.Sessions, one)
	t.Repeated = len(t.Sessions) - 1
	t.Tokens += one.Tokens
	t.USD = event.SumUSD(t.USD, usd)
	if list {
		t.ListUSD = event.SumUSD(t.ListUSD, usd)
	}
}

// share gives each task that was done its part of the sessions of no task, and the findings in its files.
func (r *receiptReading) share() {
	done := 0
	isDone := func(t *receipt) bool { return event.Outcome(t.Outcome).Completed() }
	for _, t := range r.Tasks {
		if isDone(t) {
			done++
		}
	}
	for _, t := range r.Tasks {
		if isDone(t) {
			for _, s := range r.other {
				t.Review.Tokens += s.Tokens / int64(done)
				t.Review.USD = event.SumUSD(t.Review.USD, s.USD/float64(done))
				t.Review.Elapsed += s.Elapsed / time.Duration(done)
			}
			t.Review.Sessions = float64(len(r.other)) / float64(done)
		}
		for _, f := range r.ledger.Entries() {
			if t.paths[f.File] {
				t.Findings = append(t.Findings, receiptFinding{ID: string(f.ID), File: f.File, Text: f.Text, Severity: string(f.Severity),
					Disposition: string(f.Disposition), Reason: f.Reason})
			}
		}
	}
}

// print shows a receipt to a person.
func (t *receipt) print(p *Proc) {
	out := plainly(p.Out)
	row := func(label, format string, args ...any) {
		fmt.Fprintf(out, "  %-11s %s\n", label, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(out, "task %s: %s\n", t.ID, t.Title)
	outcome := t.Outcome
	if outcome == "" {
		outcome = "not at its end"
	}
	if t.Reason != "" {
		outcome += ": " + t.Reason
	}
	row("outcome", "%s", outcome)
	if t.Commit != "" {
		row("commit", "%s", t.Commit)
		row("tree", "%s", t.Tree)
	}
	if len(t.Validation) == 0 {
		row("validation", "none was run")
	} else if t.Tree == "" && t.Outcome != "" {
		row("tree", "it has no name: not all of it was committed when it was judged")
	}
	for _, v := range t.Validation {
		end := fmt.Sprintf("exit %d", v.Exit)
		if v.Cause != "" {
			end = v.Cause
		}
		row("validation", "%s: %s, output sha256 %s", oneLineOf(v.Command), end, v.OutputHash)
	}
	row("sessions", "%d, of them repeated: %d; share of reviews: %.2f", len(t.Sessions), t.Repeated, t.Review.Sessions)
	for _, s := range t.Sessions {
		evidence := s.Evidence
		if evidence == "" {
			evidence = "no evidence"
		}
		name := fmt.Sprintf("session %d", s.N)
		if s.Run != "" { // of which each has its own count
			name = fmt.Sprintf("iteration %d", s.Iteration)
		}
		row("", "%s: %s, %s, %s", name, s.Executor, strings.TrimSpace(s.Exit+" "+s.Failure), evidence)
	}
	star := ""
	if t.ListUSD > 0 {
		star = "*"
	}
	row("used up", "%d tokens, $%.4f%s; of reviews %d tokens, $%.4f", t.Tokens, t.USD, star, t.Review.Tokens, t.Review.USD)
	row("time", "%s; of reviews %s", event.Elapsed(t.Elapsed), event.Elapsed(t.Review.Elapsed))
	if len(t.Commits) > 0 {
		row("commits", "%s", strings.Join(t.Commits, " "))
	}
	for _, f := range t.Findings {
		row("finding", "%s: %s: %s", f.Disposition, f.File, f.Text)
	}
	if c := t.Checked; c != nil {
		row("verified", "%d points are as they say; wrong: %d; not known any more: %d", c.OK, len(c.Wrong), len(c.Unknown))
		for _, w := range c.Wrong {
			row("", "wrong: %s", w)
		}
		for _, u := range c.Unknown {
			row("", "not known: %s", u)
		}
	}
}
