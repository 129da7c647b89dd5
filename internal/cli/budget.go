package cli

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/control"
	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/price"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/processor"
)

// budgetFile is where additions to a run's budget stand, one JSON object a line, in the run's own folder. A run reads it whenever a
// limit is reached, so an addition counts at once, for a run that goes on and for one that is gone on with.
const budgetFile = "budget.jsonl"

type budgetCmd struct {
	Show budgetShowCmd `cmd:"" default:"withargs" help:"Show limits, what was added, and what is used up."`
	Add  budgetAddCmd  `cmd:"" help:"Give a run more, while it goes on or after it has ended with exit 4."`
}

type budgetShowCmd struct {
	Name string `arg:"" optional:"" name:"run" help:"Run: its id, the beginning of it, or its plan. Without it, the newest."`
	JSON bool   `name:"json" help:"Print it as JSON."`
}

type budgetAddCmd struct {
	Name     string        `arg:"" optional:"" name:"run" help:"Run: its id, the beginning of it, or its plan. Without it, the newest."`
	Cost     string        `help:"Dollars." placeholder:"USD"`
	Tokens   string        `help:"Tokens: 500k, 2M." placeholder:"N"`
	Time     time.Duration `help:"Time." placeholder:"D"`
	Sessions int           `help:"Sessions." placeholder:"N"`
}

// Help shows examples.
func (budgetCmd) Help() string {
	return `Examples:
  ralphex --max-cost 10 --max-time 3h docs/plans/feature.md
  ralphex budget
  ralphex budget add --cost 5                  the newest run
  ralphex budget add docs/plans/feature.md --tokens 2M --time 1h

A run that has used up its budget ends with exit 4. After an addition the same command goes on; one that goes on takes notice by itself.
Limits: max_cost, max_tokens, max_time, max_sessions in the settings or as flags, and max_task_… for each task (docs/cost.md).`
}

// addition is a line of the file.
type addition struct {
	V    int       `json:"v"`
	Time time.Time `json:"time"`
	By   string    `json:"by,omitempty"` // who gave it, for the journal of the run
	ID   string    `json:"id,omitempty"` // of the order
	event.Limits
}

// added is the sum of what was added to a run. dir is the run's folder.
func added(dir string) (sum event.Limits, err error) {
	list, err := additions(dir)
	for _, a := range list {
		sum = sumOf(sum, a.Limits)
	}
	return sum, err
}

// additions are what was added to a run, in order.
func additions(dir string) (list []addition, err error) {
	f, err := os.Open(filepath.Join(dir, budgetFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var a addition
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil || a.V != 1 {
			return list, fmt.Errorf("%s:%d: no addition to a budget", f.Name(), n)
		}
		list = append(list, a)
	}
	return list, lines.Err()
}

// Run writes the addition down.
func (c *budgetAddCmd) Run(ctx context.Context, p *Proc) error {
	if err := aPersons(p, "budget add", "a budget is a person's to raise: do it in a shell of your own"); err != nil {
		return err
	}
	more, err := c.limits()
	if err != nil {
		return err
	}
	repo, run, err := namedRun(ctx, p, c.Name)
	if err != nil {
		return err
	}
	limits, err := addBudget(ctx, repo.Root(), run, more, asPerson(p))
	if err != nil {
		return err
	}
	fmt.Fprintf(plainly(p.Out), "run %s may use %s\n", run.Run, limits)
	if run.End != nil {
		fmt.Fprintf(plainly(p.Out), "the same command goes on: %s\n", runStatus{Plan: shownPlan(p.Dir, run.Start.Plan), Mode: run.Start.Mode}.again())
	}
	return nil
}

// addBudget gives a run more, and returns what it may use now. One that goes on is told, so that its journal says who gave it; one that can't be told
// finds the addition when it needs it.
func addBudget(ctx context.Context, root string, run journal.Summary, more event.Limits, by string) (limits event.Limits, err error) {
	if end := run.End; end != nil && end.Outcome != event.Interrupted && end.Outcome != event.Failed {
		return limits, usage(fmt.Errorf("run %s has ended: %s; there is nothing to go on with", run.Run, end.Outcome), "ralphex status lists the runs")
	}
	ledger, err := journal.ReadLedger(run.Path)
	if err != nil {
		return limits, err
	}
	if l := ledger.Budget.Run; l.Plus(more) == l {
		return limits, usage(fmt.Errorf("run %s has no such limit: its budget is %s", run.Run, l), "what is not limited needs no addition")
	}
	dir := filepath.Join(root, storeDir, "runs", string(run.Run))
	if err := workspace.IgnoreFolder(dir); err != nil {
		return limits, err
	}
	a := addition{V: 1, Time: time.Now().UTC(), By: by, ID: rand.Text(), Limits: more}
	if err := appendAddition(dir, a); err != nil {
		return limits, err
	}
	if there, err := livingRun(root, string(run.Run)); err == nil && there != nil {
		_, _ = askRun(ctx, *there, control.Request{ID: a.ID, Run: there.Run, Order: control.Budget, By: by})
	}
	sum, err := added(dir)
	return ledger.Budget.Run.Plus(sum), err
}

func appendAddition(dir string, a addition) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	log, err := durable.OpenLog(filepath.Join(dir, budgetFile), 0o600)
	if err != nil {
		return err
	}
	return errors.Join(log.Append(append(line, '\n')), log.Close())
}

// limits reads the flags.
func (c *budgetAddCmd) limits() (l event.Limits, err error) {
	if c.Cost != "" {
		if l.CostUSD, err = config.ParseDollars(c.Cost); err != nil {
			return l, usage(fmt.Errorf("--cost: %w", err), "")
		}
	}
	if c.Tokens != "" {
		n, err := config.ParseCount(c.Tokens)
		if err != nil {
			return l, usage(fmt.Errorf("--tokens: %w", err), "")
		}
		l.Tokens = int64(n)
	}
	l.Time, l.Sessions = c.Time, c.Sessions
	if l.Time < 0 || l.Sessions < 0 || l == (event.Limits{}) {
		return l, usage(errors.New("nothing to add"), "ralphex budget add --cost 5, or --tokens 2M, --time 1h, --sessions 10")
	}
	return l, nil
}

// budgetReport is the answer of show as JSON.
type budgetReport struct {
	Version int          `json:"version"`
	Run     string       `json:"run"`
	Plan    string       `json:"plan"`
	Limits  event.Limits `json:"limits"` // with what was added
	Added   event.Limits `json:"added"`
	Task    event.Limits `json:"task_limits"`
	Used    event.Limits `json:"used"`
}

// Run prints limits and what is used up.
func (c *budgetShowCmd) Run(ctx context.Context, p *Proc, g *root) error {
	repo, run, err := namedRun(ctx, p, c.Name)
	if err != nil {
		return err
	}
	ledger, err := journal.ReadLedger(run.Path)
	if err != nil {
		return err
	}
	prices, err := loadPrices(p, repo.Root(), g.ConfigDir)
	if err != nil {
		return err
	}
	more, err := added(filepath.Join(repo.Root(), storeDir, "runs", string(run.Run)))
	if err != nil {
		return err
	}
	all, _ := spendingOf(ledger, prices)
	r := budgetReport{Version: 1, Run: string(run.Run), Plan: relative(repo.Root(), run.Start.Plan), Limits: ledger.Budget.Run.Plus(more), Added: more,
		Task: ledger.Budget.Task, Used: event.Limits{CostUSD: all.CostUSD, Tokens: all.Tokens, Time: all.Time, Sessions: all.Sessions}}
	if c.JSON {
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	fmt.Fprintf(plainly(p.Out), "run    %s  %s\nlimits %s\n", r.Run, r.Plan, r.Limits)
	if more != (event.Limits{}) {
		fmt.Fprintf(plainly(p.Out), "       of that added: %s\n", more)
	}
	if r.Task != (event.Limits{}) {
		fmt.Fprintf(plainly(p.Out), "       of each task: %s\n", r.Task)
	}
	fmt.Fprintf(plainly(p.Out), "used   %s\n", r.Used)
	if all.Unpriced > 0 {
		fmt.Fprintf(plainly(p.Out), "       without the dollars of %d session(s): none reported, no price known (ralphex cost --prices)\n", all.Unpriced)
	}
	return nil
}

// budget is what the run may use up, and has used up in earlier processes.
func (r *running) budget() processor.Budget {
	b := processor.Budget{
		Run:     r.limits(),
		Task:    r.taskLimits(),
		Dollars: r.prices.Dollars,
		Added:   func() (event.Limits, error) { return added(r.runDir()) },
	}
	if r.earlier != nil {
		ledger, err := journal.ReadLedger(r.earlier.Path)
		if err != nil {
			r.Emit(0, event.Note{Level: event.Warn, Text: "what the run has used up so far can't be read, and is not counted: " + err.Error()})
		}
		b.Spent, b.Tasks = spendingOf(ledger, r.prices)
	}
	if b.Run != (event.Limits{}) || b.Task != (event.Limits{}) {
		r.tellBudget(b)
	}
	return b
}

// tellBudget journals what was added since the journal last told of it, with who gave it, and what may be used up now.
func (r *running) tellBudget(b processor.Budget) {
	list, err := additions(r.runDir())
	if err != nil {
		r.Emit(0, event.Note{Level: event.Warn, Text: "what was added to the budget can't be read: " + err.Error()})
	}
	told := event.Budget{Run: b.Run, Task: b.Task}
	for _, a := range list {
		told.Added = sumOf(told.Added, a.Limits)
		if r.earlier == nil || a.Time.After(r.earlier.Last) {
			r.Emit(0, event.Order{What: event.OrderBudget, By: cmp.Or(a.By, "somebody"), ID: a.ID, Text: a.Limits.String()})
		}
	}
	r.Emit(0, told)
}

// addition words what was added by the order with an id; "" = there is none.
func (r *running) addition(id string) string {
	list, _ := additions(r.runDir())
	if i := slices.IndexFunc(list, func(a addition) bool { return a.ID == id }); i >= 0 && id != "" {
		return list[i].Limits.String()
	}
	return ""
}

// givenMore journals what may be used up now that somebody added to it.
func (r *running) givenMore() string {
	told := event.Budget{Run: r.limits(), Task: r.taskLimits()}
	told.Added, _ = added(r.runDir())
	r.Emit(0, told)
	return "it may use " + told.Run.Plus(told.Added).String()
}

func (r *running) limits() event.Limits {
	return event.Limits{CostUSD: r.cfg.MaxCost, Tokens: int64(r.cfg.MaxTokens), Time: r.cfg.MaxTime, Sessions: r.cfg.MaxSessions}
}

func (r *running) taskLimits() event.Limits {
	return event.Limits{CostUSD: r.cfg.MaxTaskCost, Tokens: int64(r.cfg.MaxTaskTokens), Time: r.cfg.MaxTaskTime, Sessions: r.cfg.MaxTaskSessions}
}

// sumOf adds up; unlike Limits.Plus it knows no "never limited".
func sumOf(a, b event.Limits) event.Limits {
	return event.Limits{CostUSD: a.CostUSD + b.CostUSD, Tokens: a.Tokens + b.Tokens, Time: a.Time + b.Time, Sessions: a.Sessions + b.Sessions}
}

// spendingOf adds a ledger up: the run, and its tasks by position.
func spendingOf(l journal.Ledger, prices price.List) (all processor.Spending, tasks map[int]processor.Spending) {
	tasks = map[int]processor.Spending{}
	for _, s := range l.Sessions {
		usd, _, known := dollarsOf(s, prices)
		one := processor.Spending{CostUSD: usd, Tokens: s.Usage.Tokens(), Time: s.Elapsed, Sessions: 1}
		if !known && one.Tokens > 0 {
			one.Unpriced = 1
		}
		all, tasks[s.Task] = all.Plus(one), tasks[s.Task].Plus(one)
	}
	all.Time = l.Elapsed - l.Paused // a person who pauses a run does not use it up
	return all, tasks
}
