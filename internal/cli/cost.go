package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/journal"
	"ralphex/internal/price"
	"ralphex/pkg/event"
)

// pricesFile is the name of a price list beside a settings file.
const pricesFile = "prices"

type costCmd struct {
	Name   string `arg:"" optional:"" name:"run" help:"Run: its id, the beginning of it, or its plan. Without it, the newest."`
	All    bool   `short:"a" help:"All runs."`
	Since  string `help:"Runs that began on that day or later, or so long ago at most: 2026-11-30, 7d, 12h." placeholder:"DATE"`
	JSON   bool   `name:"json" help:"Print it as JSON."`
	CSV    bool   `name:"csv" help:"Print a line a session, for spreadsheets."`
	Prices bool   `help:"Print the price list instead."`
}

// Help shows examples.
func (costCmd) Help() string {
	return `Examples:
  ralphex cost                       the newest run: by task, by phase, by model
  ralphex cost docs/plans/feature.md
  ralphex cost --since 7d            a line a run, and the models
  ralphex cost --all --csv > cost.csv
  ralphex cost --prices

Dollars are what the agent reported. Where it reports none, and the price list knows the model, they are at API list price, and marked with *.
Repeated sessions and reviews are counted. Your prices: .ralphex/prices, or the file prices beside the global configuration (docs/cost.md).`
}

// Run adds up journals and prints the sums.
func (c costCmd) Run(ctx context.Context, p *Proc, g *root) error {
	repo, err := runsRepo(ctx, p)
	if err != nil {
		return err
	}
	prices, err := loadPrices(p, repo.Root(), g.ConfigDir)
	if err != nil {
		return err
	}
	if c.Prices {
		return c.printPrices(p, prices)
	}
	ledgers, warnings, err := c.ledgers(repo.Root(), p.Dir)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(p.Err, "warning: not counted: %v\n", w)
	}
	report := newCostReport(repo.Root(), ledgers, prices)
	switch {
	case c.JSON:
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(report)
	case c.CSV:
		return report.csv(p.Out)
	}
	return report.text(plainly(p.Out), c.All || c.Since != "")
}

func loadPrices(p *Proc, root, configDir string) (price.List, error) {
	list, err := price.Load(config.Paths(config.Options{GlobalDir: configDir, RepoRoot: root, Env: p.Env}, pricesFile)...)
	var bad *price.Error
	if errors.As(err, &bad) {
		return list, usage(err, bad.Hint())
	}
	return list, err
}

// ledgers reads the journals that are asked for, the newest first. One that can't be read is a warning, if it is one of many.
func (c costCmd) ledgers(root, dir string) (ledgers []journal.Ledger, warnings []error, err error) {
	if !c.All && c.Since == "" {
		run, err := findRun(root, dir, c.Name)
		if err != nil {
			return nil, nil, err
		}
		l, err := journal.ReadLedger(run.Path)
		return []journal.Ledger{l}, nil, err
	}
	if c.Name != "" {
		return nil, nil, usage(errors.New("a run, or --all or --since: not both"), "")
	}
	since, err := sinceTime(c.Since, time.Now())
	if err != nil {
		return nil, nil, err
	}
	runs, err := journal.ListRuns(filepath.Join(root, storeDir, "events"))
	if err != nil {
		return nil, nil, err
	}
	for _, s := range runs {
		if s.Err == nil && s.Started.Before(since) {
			continue
		}
		l, err := journal.ReadLedger(s.Path)
		if err != nil {
			warnings = append(warnings, err)
			continue
		}
		ledgers = append(ledgers, l)
	}
	return ledgers, warnings, nil
}

// sinceTime reads a day, or a time back from now; empty = ever.
func sinceTime(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return t, nil
	}
	var days int
	if n, err := fmt.Sscanf(text, "%dd", &days); err == nil && n == 1 && text == fmt.Sprintf("%dd", days) && days >= 0 {
		return now.AddDate(0, 0, -days), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, usage(fmt.Errorf("--since %q is no date", text), "write a day, 2026-11-30, or how long ago: 7d, 12h")
}

// dollarsOf are the dollars of a session. list = at list prices; known = false: nobody knows.
func dollarsOf(s journal.Spent, prices price.List) (usd float64, list, known bool) {
	if s.Usage.CostUSD > 0 {
		return s.Usage.CostUSD, false, true
	}
	if s.Usage == (event.Usage{}) {
		return 0, false, false
	}
	usd, known = prices.Dollars(s.Model, s.Usage, s.Models)
	return usd, known, known
}

// listPrice is what those sessions of a run cost at list price that reported no dollars, and how many of them nobody can price. Where
// the journal of an earlier process can't be read the summary goes without.
func (r *running) listPrice() (usd float64, unpriced int) {
	if r.books == nil {
		return 0, 0
	}
	total := newCostReport(r.home.Root(), []journal.Ledger{r.books.Ledger()}, r.prices).Total
	return total.ListUSD, total.Unpriced
}

func (c costCmd) printPrices(p *Proc, prices price.List) error {
	if c.JSON {
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			Version int         `json:"version"`
			Unit    string      `json:"unit"`
			Prices  []price.Row `json:"prices"`
		}{1, "USD per million tokens", prices.Rows()})
	}
	t := table{head: []string{"model", "input", "output", "cache read", "cache write", "date", "source"}, right: "-rrrr--"}
	for _, r := range prices.Rows() {
		t.add(r.Model, usd3(r.Input), usd3(r.Output), usd3(r.CacheRead), usd3(r.CacheWrite), r.Date, relative(p.Dir, r.Source))
	}
	fmt.Fprintln(plainly(p.Out), "API list prices, in dollars per million tokens; the first line that fits counts")
	return t.print(plainly(p.Out))
}

func usd3(f float64) string { return fmt.Sprintf("%.3f", f) }
