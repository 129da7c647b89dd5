package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/ticks"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/convert"
	"ralphex/pkg/plan/origin"
)

// pushTicks writes the ticks of a plan to the sources that it was made from.
func pushTicks(ctx context.Context, p *Proc, g *root, arg string) error {
	path, err := findPlan(arg, p.Dir)
	if err != nil {
		return err
	}
	if path, err = plan.Locate(path); err != nil {
		return err
	}
	pl, err := plan.ParsePlanFile(path)
	if err != nil {
		return usage(err, "")
	}
	top, err := originTop(ctx, p, path)
	if err != nil {
		return err
	}
	record, err := syncRecord(pl, relative(p.Dir, path), top)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(record.Sources, func(s origin.Source) bool { return s.Format == string(convert.Ralph) }) {
		if err := refuseInSession(p, "convert --push-ticks"); err != nil {
			return err
		}
	}
	report, err := record.Push(ctx, pl, top, nil, knownSources)
	for _, t := range report.Ticked {
		place := relative(p.Dir, filepath.Join(top, filepath.FromSlash(t.Path)))
		if t.ID == "" {
			place += fmt.Sprintf(":%d", t.Line)
		}
		fmt.Fprintf(plainly(p.Out), "ticked %s: %s\n", place, t.Text)
	}
	if len(report.Ticked) == 0 && err == nil {
		fmt.Fprintf(plainly(p.Out), "nothing to tick: %d %s ticked already\n", report.Before, plural(report.Before, "box is", "boxes are"))
	}
	if report.Unlinked > 0 {
		fmt.Fprintf(p.Err, "note: %d ticked %s of the plan came from no box of a source, or had other words then\n", report.Unlinked, plural(report.Unlinked, "box", "boxes"))
	}
	return err
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// originTop is what the paths of sources are relative to: the repository of the plan, or the working folder where
// there is none.
func originTop(ctx context.Context, p *Proc, planPath string) (string, error) {
	repo, err := openRepo(ctx, p.at(filepath.Dir(planPath)))
	switch {
	case noRepo(err):
		return p.Dir, nil
	case err != nil:
		return "", err
	}
	return repo.Root(), nil
}

// knownSources answers which formats can be ticked; it ticks nothing.
var knownSources = ticks.Sources{}

// syncRecord returns what a plan remembers, or says why ticks can't go back.
func syncRecord(pl *plan.Plan, name, top string) (*origin.Record, error) {
	record, err := origin.Read([]byte(pl.Source()))
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", name, err), "convert the source again; docs/sync.md")
	}
	if record != nil && len(record.Entries) == 0 {
		for _, s := range record.Sources { // some files have no boxes: say so, rather than that nothing is remembered
			if err := s.Writable(top, knownSources); errors.Is(err, origin.ErrStore) {
				return nil, usage(fmt.Errorf("%s: %w", name, err), "docs/sync.md says what can be synchronized")
			}
		}
	}
	if record == nil || len(record.Entries) == 0 {
		return nil, usage(fmt.Errorf("%s does not remember where its boxes came from", name), "make it with ralphex convert SOURCE --sync; docs/sync.md")
	}
	for i, s := range record.Sources {
		if !record.Has(i) {
			continue
		}
		if err := s.Writable(top, knownSources); err != nil {
			hint := ""
			switch {
			case errors.Is(err, origin.ErrStore):
				hint = "docs/sync.md says what can be synchronized"
			case errors.Is(err, fs.ErrNotExist):
				hint = "bring the source back, or take the ralphex-origin comment out of a plan that goes its own way"
			}
			return nil, usage(fmt.Errorf("%s: %w", name, err), hint)
		}
	}
	return record, nil
}

// ticksBySource words a report for the log: one line a source.
func ticksBySource(r origin.Report) []string {
	var lines []string
	for i := 0; i < len(r.Ticked); {
		j := i
		var at []string
		for ; j < len(r.Ticked) && r.Ticked[j].Path == r.Ticked[i].Path; j++ {
			place := r.Ticked[j].ID
			if place == "" {
				place = fmt.Sprintf("line %d", r.Ticked[j].Line)
			}
			at = append(at, place)
		}
		lines = append(lines, fmt.Sprintf("ticked in %s: %s", r.Ticked[i].Path, strings.ReplaceAll(strings.Join(at, ", "), ", line ", ", ")))
		i = j
	}
	return lines
}

// convertedFlags are the flags of convert that look at plans that were converted before.
type convertedFlags struct {
	PushTicks string `help:"Write the ticks of this plan back to the source it was made from, one byte each." placeholder:"PLAN" xor:"converted"`
	Check     bool   `help:"Find plans whose source changed since; the arguments are plans or sources (default: all plans)." xor:"converted"`
	Staged    bool   `help:"With --check: look at what is staged, and only at what the next commit touches."`
}

// given tells whether one of them was given: then nothing is converted.
func (c convertedFlags) given() bool { return c.PushTicks != "" || c.Check || c.Staged }

// run does what they ask for.
func (c convertedFlags) run(ctx context.Context, p *Proc, g *root, args []string) error {
	switch {
	case c.Check:
		return checkConverted(ctx, p, g, args, c.Staged)
	case c.PushTicks != "" && len(args) == 0 && !c.Staged:
		return pushTicks(ctx, p, g, c.PushTicks)
	case c.PushTicks != "":
		return usage(errors.New("--push-ticks takes a plan and nothing else"), "ralphex convert --push-ticks PLAN")
	}
	return usage(errors.New("--staged goes with --check"), "ralphex convert --check --staged")
}
