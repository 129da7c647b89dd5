package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/status"
	"ralphex/internal/term"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor"
	"ralphex/pkg/vcs"
)

type statusCmd struct {
	JSON bool `name:"json" help:"Print it as JSON."`
	All  bool `short:"a" help:"All runs, not only the newest of each plan."`

	Store bool `help:"The whole status of the .ralph workspace instead, as a document."`
}

// Help shows examples.
func (statusCmd) Help() string {
	return `Examples:
  ralphex status
  ralphex status --json | jq -r '.runs[] | select(.state == "died") | .plan'
  ralphex status --store

States: running, paused, died (killed: the same command goes on), done, unproven (no validation commands), left (items for a person), failed, interrupted, skipped.

Where ralphex workspace init was run, the state of the store follows the runs: backlog, drift, claims, Agent Health.`
}

// statusReport is the answer as JSON.
type statusReport struct {
	Version int             `json:"version"`
	Root    string          `json:"root"`
	Holder  *durable.Holder `json:"holder,omitempty"` // of the run lock
	Runs    []runStatus     `json:"runs"`
	Store   *status.Report  `json:"store,omitempty"` // where there is a .ralph workspace
}

type runStatus struct {
	Run     string    `json:"run"`
	Plan    string    `json:"plan"`
	State   string    `json:"state"`
	Mode    string    `json:"mode"`
	Branch  string    `json:"branch,omitempty"`
	Tree    string    `json:"worktree,omitempty"` // where it works, if not in place
	Started time.Time `json:"started"`
	Last    time.Time `json:"last"` // newest event
	Exit    *int      `json:"exit,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Waits   *waiting  `json:"waiting,omitempty"` // for a limit
	Paused  *paused   `json:"paused,omitempty"`  // it holds its place
	Tasks   int       `json:"tasks"`
	Done    *int      `json:"done,omitempty"` // by the plan as it is now
	Cost    float64   `json:"cost_usd,omitempty"`
	Tokens  int64     `json:"output_tokens,omitempty"`
	// Usage is of all sessions, of the one in flight as far as it told.
	Usage   *event.Usage `json:"usage,omitempty"`
	Journal string       `json:"journal"`
	Record  string       `json:"provenance,omitempty"` // its name in the store
	Events  string       `json:"events,omitempty"`     // its events.jsonl, where there is one
	Problem string       `json:"problem,omitempty"`
}

// waiting tells what a run waits for.
type waiting struct {
	Agent string    `json:"agent"`
	Until time.Time `json:"until"`
	Why   string    `json:"why"`
}

// paused tells who paused a run, and when.
type paused struct {
	By    string    `json:"by"`
	Since time.Time `json:"since"`
}

// Run lists the runs, and says how the store stands.
func (c statusCmd) Run(ctx context.Context, p *Proc, g *root) error {
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	if c.Store || s.repo == nil && s.initialized() { // a workspace needs no repository; without one there are no runs
		return c.runStore(ctx, p, s, g.ConfigDir)
	}
	if s.repo == nil {
		_, err := openRepo(ctx, p)
		return err
	}
	repo, err := withRuns(ctx, p, s.repo)
	if err != nil {
		return err
	}
	report, err := c.collect(repo)
	if err != nil {
		return err
	}
	if s.initialized() {
		if report.Store, err = s.report(ctx, p, g.ConfigDir); err != nil {
			return err
		}
	}
	if c.JSON {
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(report)
	}
	printStatus(plainly(p.Out), report)
	if report.Store != nil {
		printStore(plainly(p.Out), report.Store)
	}
	return nil
}

func (c statusCmd) collect(repo vcs.Repo) (statusReport, error) {
	report := statusReport{Version: 1, Root: repo.Root(), Runs: []runStatus{}}
	holder, held, err := durable.Probe(filepath.Join(repo.Root(), storeDir, "run.lock"))
	if err != nil {
		return report, err
	}
	if held {
		report.Holder = &holder
	}
	runs, err := journal.ListRuns(filepath.Join(repo.Root(), storeDir, "events"))
	if err != nil {
		return report, err
	}
	place, err := storeAt(repo)
	if err != nil {
		return report, err
	}
	seen := map[about]bool{}
	for _, s := range runs {
		what := about{plan: s.Start.Plan, tasks: doesTasks(s.Start)}
		if !what.tasks {
			what.mode, what.branch = s.Start.Mode, s.Start.Branch
		}
		if seen[what] && !c.All {
			continue
		}
		seen[what] = true
		runs, working := held && holder.Run == string(s.Run), s.Start.Worktree
		if working != "" {
			there, busy, err := workspace.Busy(working)
			if err != nil {
				return report, err
			}
			runs = busy && there.Run == string(s.Run)
		}
		run := describeRun(repo.Root(), s, runs)
		run.Record = s.Start.Provenance
		if s.End != nil && s.End.Provenance != "" {
			run.Record = s.End.Provenance
		}
		if run.Record != "" {
			at := filepath.Join(layoutBundle(place.Layout, run.Record), events.FileName)
			if _, err := os.Stat(at); err == nil {
				run.Events = relative(repo.Root(), at)
			}
		}
		report.Runs = append(report.Runs, run)
	}
	return report, nil
}

// about is what a run was for: a plan's tasks, or a review of a branch.
type about struct {
	plan         string
	tasks        bool
	mode, branch string // of a review
}

func describeRun(root string, s journal.Summary, running bool) runStatus {
	r := runStatus{Run: string(s.Run), Plan: shownPlan(root, s.Start.Plan), Mode: s.Start.Mode, Branch: s.Start.Branch, Tree: s.Start.Worktree,
		Started: s.Started, Last: s.Last, Tasks: s.Start.Tasks, Journal: relative(root, s.Path)}
	switch {
	case s.Err != nil:
		r.State, r.Problem = "unreadable", s.Err.Error()
		return r
	case running:
		r.State = "running"
		if p := s.Paused; p != nil {
			r.State, r.Paused = "paused", &paused{By: p.By, Since: s.Since}
		}
		if w := s.Waiting; w != nil {
			r.Waits = &waiting{Agent: w.Agent, Until: w.Until, Why: w.Reason}
		}
	case s.End == nil:
		r.State = "died"
	default:
		r.State, r.Exit, r.Reason = string(s.End.Outcome), &s.End.Exit, s.End.Reason
	}
	r.read(s)
	if s.Start.Plan == "" {
		return r
	}
	at := s.Start.Plan
	if s.Start.Worktree != "" { // the ticks are there, as long as it is
		at = carried(at, root, s.Start.Worktree)
	}
	if at, err := plan.Locate(at); err == nil {
		if p, err := plan.ParsePlanFile(at); err == nil {
			done := 0
			for _, t := range p.Tasks {
				if t.Status == plan.TaskStatusDone {
					done++
				}
			}
			r.Done, r.Tasks = &done, len(p.Tasks)
		}
	}
	return r
}

// read says what a run has used up, and where it worked last. The end of a run has both; of one without an end the journal is read.
func (r *runStatus) read(s journal.Summary) {
	var u event.Usage
	if s.End != nil {
		u, r.Branch = s.End.Usage, cmp.Or(s.End.Branch, r.Branch)
	} else if l, err := journal.ReadLedger(s.Path); err == nil {
		for _, one := range l.Sessions {
			u = u.Add(one.Usage)
		}
		r.Branch = cmp.Or(l.Branch, r.Branch)
	}
	r.Cost, r.Tokens = u.CostUSD, u.OutputTokens
	if u != (event.Usage{}) {
		r.Usage = &u
	}
}

func printStatus(w io.Writer, report statusReport) {
	w = plainly(w)
	if len(report.Runs) == 0 {
		fmt.Fprintln(w, "no runs in this repository yet")
	}
	for _, r := range report.Runs {
		progress := fmt.Sprintf("%d tasks", r.Tasks)
		if r.Done != nil {
			progress = fmt.Sprintf("%d/%d tasks", *r.Done, r.Tasks)
		}
		if !worksTasks(processor.Mode(r.Mode)) {
			progress = r.Mode
		}
		fmt.Fprintf(w, "%-11s %s  %s", r.State, cmp.Or(r.Plan, noPlan), progress)
		if r.Branch != "" {
			fmt.Fprintf(w, "  on %s", r.Branch)
		}
		if r.Usage != nil {
			fmt.Fprintf(w, "  %s", strings.Join(term.UsageParts(*r.Usage), ", "))
		}
		fmt.Fprintf(w, "  %s, %s\n", r.Started.Local().Format("2006-01-02 15:04"), r.Last.Sub(r.Started).Round(time.Second))
		if r.State == "died" {
			fmt.Fprintf(w, "            killed without an end; `%s` %s\n", r.again(), r.then())
		}
		if r.Events != "" {
			fmt.Fprintf(w, "            recorded in %s\n", r.Events)
		}
		if p := r.Paused; p != nil {
			fmt.Fprintf(w, "            paused by %s since %s; ralphex resume goes on\n", p.By, p.Since.Local().Format("2006-01-02 15:04:05"))
		}
		if waits := r.Waits; waits != nil {
			fmt.Fprintf(w, "            waits until %s: %s\n            ralphex retry-now ends the wait\n", waits.Until.Local().Format("2006-01-02 15:04:05"), firstLine(waits.Why))
		}
		for _, text := range []string{r.Reason, r.Problem} {
			if text != "" {
				fmt.Fprintf(w, "            %s\n", firstLine(text))
			}
		}
	}
	if h := report.Holder; h != nil {
		fmt.Fprintf(w, "\nthe run lock is held by %s\n", h)
	}
}

// again is the command that goes on with the run.
func (r runStatus) again() string {
	words := []string{"ralphex"}
	switch processor.Mode(r.Mode) {
	case processor.ModeReview:
		words = append(words, "--review")
	case processor.ModeCodexOnly:
		words = append(words, "--external-only")
	case modeReport:
		words = append(words, "--review", "--report")
	}
	if r.Plan != "" {
		words = append(words, shellQuote(r.Plan))
	}
	if r.Mode == modeIterate || r.Mode == modeLoop {
		words = append(words, r.Mode)
	}
	return strings.Join(words, " ")
}

// then is what that command does: a report is made once more, all else goes on.
func (r runStatus) then() string {
	if r.Mode == modeReport {
		return "makes it afresh"
	}
	return "goes on"
}

// shownPlan is a run's plan as a person names it; empty = it has none.
func shownPlan(root, plan string) string {
	if plan == "" {
		return ""
	}
	return relative(root, plan)
}

func firstLine(s string) string {
	for i := range len(s) {
		if s[i] == '\n' {
			return s[:i]
		}
	}
	return s
}
