package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ralphex/internal/journal"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/retention"
	"ralphex/internal/ralph/stable"
	"ralphex/pkg/event"
)

type timelineCmd struct {
	Name   string `arg:"" optional:"" name:"run" help:"Provenance id of an iteration, or a run: its id, its plan; the beginning is enough. Without it, the newest."`
	Intent bool   `help:"Instead, what the next iteration of the .ralph workspace would do, by its settings and the task that would be selected."`
	JSON   bool   `name:"json" help:"Print it as JSON, as it is in any case."`
}

// Help shows examples.
func (timelineCmd) Help() string {
	return `What happened, step by step, with totals and the remediations that were applied or proposed, folded from events.jsonl of a bundle or from the
journal of a run. Nothing is changed. It is JSON only: for people the dashboard draws it.

Examples:
  ralphex timeline | jq -r '.entries[] | "\(.seq) \(.summary)"'
  ralphex timeline run-i007                  of a session of a plan: its run's
  ralphex timeline docs/plans/feature.md
  ralphex timeline --intent | jq .verifierStack`
}

// Run prints a timeline.
func (c timelineCmd) Run(ctx context.Context, p *Proc, g *root) error {
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	if c.Intent {
		return c.intent(ctx, p, g, s)
	}
	list, err := c.events(ctx, p, s)
	if err != nil {
		return err
	}
	_, err = p.Out.Write(stable.Marshal(events.Fold(list).Stable()))
	return err
}

// events finds what is asked for: a bundle, else a run.
func (c timelineCmd) events(ctx context.Context, p *Proc, s *store) ([]events.Event, error) {
	ids := journalledBundles(s)
	id, err := bundleNamed(ids, c.Name)
	if err == nil && id == "" {
		id, err = bundleOfRun(s, ids, c.Name)
	}
	switch {
	case err != nil:
		return nil, err
	case id != "":
		return events.Read(filepath.Join(s.Bundles, id, events.FileName))
	case s.repo == nil:
		return nil, usage(errors.New("there is no such bundle, and no run outside a repository"), "ralphex workspace path artifacts has the bundles, under runs/")
	}
	repo, err := withRuns(ctx, p, s.repo)
	if err != nil {
		return nil, err
	}
	run, err := findRun(repo.Root(), p.Dir, c.Name)
	if err != nil && len(ids) > 0 {
		return nil, usage(fmt.Errorf("no bundle and no run begins with %s", c.Name), "the newest bundle is "+ids[0]+"; ralphex status --all lists the runs")
	}
	if err != nil {
		return nil, err
	}
	var facts []event.Event
	for e, err := range journal.Events(run.Path, (event.Output{}).Kind()) {
		if err != nil {
			return nil, err
		}
		facts = append(facts, e)
	}
	return events.Project(events.NewMapper(repo.Root(), nil), string(run.Run), facts), nil
}

// bundleOfRun finds the bundle with the journal of the run that a session is a part of: a run of a plan has one for all its sessions. "" = there is none.
func bundleOfRun(s *store, journalled []string, name string) (string, error) {
	all, err := provenance.List(s.Layout)
	if err != nil {
		return "", err
	}
	id, err := bundleNamed(all, name)
	if err != nil || id == "" {
		return "", err
	}
	run := latestObject(filepath.Join(s.Bundles, id, provenance.BundleFile)).Text("runProvenanceId")
	if !slices.Contains(journalled, run) {
		return "", nil
	}
	return run, nil
}

// journalledBundles are the bundles with a journal, the newest first.
func journalledBundles(s *store) []string {
	entries, err := os.ReadDir(s.Bundles)
	if err != nil {
		return nil
	}
	var ids []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(s.Bundles, e.Name(), events.FileName)); err == nil {
			ids = append(ids, e.Name())
		}
	}
	return retention.NewestBundles(ids)
}

// intent prints what the next iteration is about to do.
func (c timelineCmd) intent(ctx context.Context, p *Proc, g *root, s *store) error {
	if err := s.mustExist(); err != nil {
		return err
	}
	_, err := p.Out.Write(stable.Marshal(s.intent(ctx, p, g.ConfigDir)))
	return err
}

// intent is what the next iteration is about to do.
func (s *store) intent(ctx context.Context, p *Proc, configDir string) *stable.Object {
	snap := s.snapshot(ctx, p, configDir)
	r := preflight.Evaluate(snap, preflight.Request{})
	set, o := s.settings, &stable.Object{}
	id, title := any(nil), any(nil)
	if r.Selected != nil {
		id, title = r.Selected.ID, r.Selected.Title
	}
	notes := []string{r.Summary}
	if set.AgentRole == claim.WatchdogRole {
		notes = append(notes, "the watchdog role may resolve stale claims")
	}
	for _, f := range []struct {
		key   string
		value any
	}{
		{"provider", snap.Provider.Name}, {"autonomyMode", set.AutonomyMode}, {"agentRole", set.AgentRole}, {"verifierStack", slices.Concat([]string{}, set.Verifiers)},
		{"gitCheckpointMode", set.GitCheckpointMode}, {"scmStrategy", "none"}, {"autoAppliedRemediations", slices.Concat([]string{}, set.AutoApplyRemediation)},
		{"selectedTaskId", id}, {"selectedTaskTitle", title}, {"notes", notes},
	} {
		o.Set(f.key, f.value)
	}
	return o
}
