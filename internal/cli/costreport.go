package cli

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"ralphex/internal/journal"
	"ralphex/internal/price"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/event"
)

// costReport is the answer of cost.
type costReport struct {
	Version   int       `json:"version"`
	Runs      []costRow `json:"runs"`
	Tasks     []costRow `json:"tasks,omitempty"`  // of one run
	Phases    []costRow `json:"phases,omitempty"` // of one run
	Models    []costRow `json:"models"`
	Total     costRow   `json:"total"`
	sessions  [][]string
	dates     []string // of the price lists that were used
	priceless []string // models that no price is known of, where it was needed
}

// costRow is a sum.
type costRow struct {
	Name     string        `json:"name"`
	Title    string        `json:"title,omitempty"`
	Started  *time.Time    `json:"started,omitempty"`
	Sessions int           `json:"sessions"`
	Elapsed  time.Duration `json:"elapsed_ns"` // of a run: of its processes; else of the sessions
	Usage    event.Usage   `json:"usage"`
	Tokens   int64         `json:"tokens"`
	ListUSD  float64       `json:"list_price_usd,omitempty"` // at list prices, for sessions that reported no dollars
	Unpriced int           `json:"unpriced_sessions,omitempty"`
}

func (r *costRow) add(s journal.Spent, u event.Usage, listUSD float64, known bool) {
	r.Sessions++
	r.Elapsed += s.Elapsed
	r.Usage = r.Usage.Add(u)
	r.Tokens = r.Usage.Tokens()
	r.ListUSD = event.SumUSD(r.ListUSD, listUSD)
	if !known && u.Tokens() > 0 {
		r.Unpriced++
	}
}

// dollars words them: reported, with a star where list prices are in it, and a plus where a part is unknown.
func (r costRow) dollars() string {
	sum := event.SumUSD(r.Usage.CostUSD, r.ListUSD)
	if sum == 0 && r.Unpriced > 0 || r.Sessions == 0 || r.Tokens == 0 && sum == 0 {
		return "-"
	}
	text := fmt.Sprintf("$%.2f", sum)
	if sum > 0 && sum < 0.1 {
		text = fmt.Sprintf("$%.4f", sum)
	}
	if r.ListUSD > 0 {
		text += "*"
	}
	if r.Unpriced > 0 {
		text += "+"
	}
	return text
}

func newCostReport(root string, ledgers []journal.Ledger, prices price.List) *costReport {
	c := &costReport{Version: 1, Runs: []costRow{}, Models: []costRow{}, Total: costRow{Name: "total"}}
	one := len(ledgers) == 1
	for _, l := range ledgers {
		run := costRow{Name: string(l.Run), Title: cmp.Or(shownPlan(root, l.Start.Plan), l.Start.Mode), Started: &l.Started}
		for _, s := range l.Sessions {
			usd, list, known := dollarsOf(s, prices)
			listUSD := 0.0
			if list {
				listUSD = usd
				c.note(s, prices)
			}
			if !known {
				c.missPrice(s, prices)
			}
			rows := []*costRow{&run, &c.Total}
			if one {
				rows = append(rows, row(&c.Tasks, taskName(l.Start, s), s.Title), row(&c.Phases, string(s.Phase), ""))
			}
			for _, r := range rows {
				r.add(s, s.Usage, listUSD, known)
			}
			c.model(s, prices, list, known)
			c.session(run, l, s, listUSD)
		}
		c.Total.Elapsed += l.Elapsed - run.Elapsed
		run.Elapsed = l.Elapsed
		c.Runs = append(c.Runs, run)
	}
	return c
}

func taskName(start event.RunStart, s journal.Spent) string {
	switch {
	case s.Task == 0:
		return "no task"
	case takesTurns(start):
		return "task " + s.TaskID
	}
	return "task " + strconv.Itoa(s.Task)
}

// row finds or makes the row of a name.
func row(rows *[]costRow, name, title string) *costRow {
	i := slices.IndexFunc(*rows, func(r costRow) bool { return r.Name == name })
	if i < 0 {
		*rows = append(*rows, costRow{Name: name})
		i = len(*rows) - 1
	}
	if title != "" {
		(*rows)[i].Title = title
	}
	return &(*rows)[i]
}

// note remembers the date of the list that a session was priced by.
func (c *costReport) note(s journal.Spent, prices price.List) {
	shares := s.Models
	if len(shares) == 0 {
		shares = map[string]event.Usage{s.Model: s.Usage}
	}
	for name := range shares {
		if row, ok := prices.Find(name); ok && row.Date != "" && !slices.Contains(c.dates, row.Date) {
			c.dates = append(c.dates, row.Date)
			slices.Sort(c.dates)
		}
	}
}

// missPrice remembers which models had no price when one was needed.
func (c *costReport) missPrice(s journal.Spent, prices price.List) {
	shares := s.Models
	if len(shares) == 0 {
		shares = map[string]event.Usage{s.Model: s.Usage}
	}
	for name, u := range shares {
		if _, ok := prices.Find(name); !ok && name != "" && u.Tokens() > 0 && !slices.Contains(c.priceless, name) {
			c.priceless = append(c.priceless, name)
			slices.Sort(c.priceless)
		}
	}
}

// model adds the shares of a session to the models.
func (c *costReport) model(s journal.Spent, prices price.List, list, known bool) {
	if len(s.Models) == 0 {
		name := s.Model
		if name == "" {
			name = "unknown (" + s.Executor + ")"
		}
		usd := 0.0
		if list {
			usd, _ = prices.Dollars(s.Model, s.Usage, nil)
		}
		row(&c.Models, name, "").add(s, s.Usage, usd, known)
		return
	}
	rest := s.Usage.CostUSD
	for _, u := range s.Models {
		rest -= u.CostUSD
	}
	for name, u := range s.Models {
		if len(s.Models) == 1 {
			u.CostUSD = event.SumUSD(u.CostUSD, max(0, rest))
		}
		usd := 0.0
		if list {
			usd, _ = prices.Dollars(name, u, nil)
		}
		row(&c.Models, name, "").add(s, u, usd, known)
	}
	slices.SortStableFunc(c.Models, func(a, b costRow) int { return strings.Compare(a.Name, b.Name) })
}

func (c *costReport) session(run costRow, l journal.Ledger, s journal.Spent, listUSD float64) {
	n := func(i int64) string { return strconv.FormatInt(i, 10) }
	usd := func(f float64) string {
		if f == 0 {
			return ""
		}
		return strconv.FormatFloat(f, 'f', 6, 64)
	}
	u := s.Usage
	c.sessions = append(c.sessions, []string{run.Name, run.Title, s.Started.UTC().Format(time.RFC3339), string(s.Phase), strconv.Itoa(s.Task), s.Title,
		strconv.Itoa(s.N), s.Executor, s.Model, fmt.Sprintf("%.1f", s.Elapsed.Seconds()), n(u.InputTokens), n(u.CacheReadTokens), n(u.CacheWriteTokens),
		n(u.OutputTokens), n(u.ReasoningTokens), usd(u.CostUSD), usd(listUSD)})
}

func (c *costReport) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"run", "plan", "started", "phase", "task", "title", "session", "executor", "model", "seconds", "input_tokens", "cache_read_tokens",
		"cache_write_tokens", "output_tokens", "reasoning_tokens", "reported_usd", "list_price_usd"})
	return out.WriteAll(c.sessions) // which tells of the first line, too
}

func (c *costReport) text(w io.Writer, many bool) error {
	w = plainly(w)
	parts := []struct {
		title string
		rows  []costRow
	}{{"task", c.Tasks}, {"phase", c.Phases}, {"model", c.Models}}
	if many {
		parts[0].title, parts[0].rows, parts[1].rows = "run", c.Runs, nil
	} else if len(c.Runs) == 1 {
		fmt.Fprintf(w, "run %s  %s  %s\n\n", c.Runs[0].Name, c.Runs[0].Title, event.Elapsed(c.Runs[0].Elapsed))
	}
	if c.Total.Sessions == 0 {
		fmt.Fprintln(w, "no sessions yet")
		return nil
	}
	t := table{right: "-rrrrrrr"}
	for _, part := range parts {
		if len(part.rows) == 0 {
			continue
		}
		t.add(part.title, "sessions", "time", "input", "cache read", "cache write", "output", "dollars")
		for _, r := range part.rows {
			t.addCost(r)
		}
		t.add()
	}
	t.addCost(c.Total)
	if err := t.print(w); err != nil {
		return err
	}
	if c.Total.ListUSD > 0 {
		fmt.Fprintf(w, "\n* API list price (list of %s), where the agent reports no dollars; not what you were billed\n", strings.Join(c.dates, ", "))
	}
	if c.Total.Unpriced > 0 {
		which := "the model"
		if len(c.priceless) > 0 {
			which = strings.Join(c.priceless, ", ")
		}
		fmt.Fprintf(w, "\n%d session(s) without dollars: none reported, and no price is known of %s (ralphex cost --prices; put it into .ralphex/prices)\n", c.Total.Unpriced, which)
	}
	return nil
}

// table is text in columns.
type table struct {
	head  []string
	rows  [][]string
	right string // r = numbers, at the right of their column
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) addCost(r costRow) {
	name := task.Plain(r.Name)
	if r.Title != "" {
		name += "  " + task.Plain(r.Title)
	}
	if utf8.RuneCountInString(name) > 48 {
		name = string([]rune(name)[:47]) + "…"
	}
	n := func(i int64) string { return strconv.FormatInt(i, 10) }
	u := r.Usage
	t.add(name, strconv.Itoa(r.Sessions), event.Brief(r.Elapsed), n(u.InputTokens), n(u.CacheReadTokens), n(u.CacheWriteTokens), n(u.OutputTokens), r.dollars())
}

func (t *table) print(w io.Writer) error {
	rows := t.rows
	if t.head != nil {
		rows = append([][]string{t.head}, rows...)
	}
	width := make([]int, len(t.right))
	for _, r := range rows {
		for i, cell := range r {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if t.right[i] == 'r' {
				cell = pad + cell
			} else {
				cell += pad
			}
			line.WriteString(cell + "  ")
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}
