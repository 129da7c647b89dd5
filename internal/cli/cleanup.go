package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/retention"
	"ralphex/internal/ralph/stable"
)

type cleanupCmd struct {
	DryRun bool `name:"dry-run" short:"n" help:"Only show what would go."`
	Keep   int  `help:"How many of the newest of each kind stay; 0 deletes nothing." default:"1" placeholder:"N"`
	JSON   bool `name:"json" help:"Print the manifest as JSON."`
}

// Help shows examples.
func (cleanupCmd) Help() string {
	return `Deletes what old iterations left below .ralph: their folders, prompts, transcripts, handoff notes, watchdog files, and logs; of the bundles under
artifacts/runs as many stay as provenanceBundleRetentionCount says. What the validation commands of runs of plans printed goes, too, but of a run that is
not over (journals and receipts stay, and say what is not known any more). What the current state and the latest-* files name stays besides. No objective,
task, claim, doctrine or file with another name is touched. What was done stands in cleanup-manifest.json and .md in the artifacts folder.

Examples:
  ralphex cleanup --dry-run
  ralphex cleanup
  ralphex cleanup --keep 10 --json

Exit codes: 0, 1 something could not be deleted, 2 wrong command line, 10 a run goes on in this checkout.`
}

// Run shows, or does, a cleanup.
func (c cleanupCmd) Run(ctx context.Context, p *Proc) error {
	if c.Keep < 0 {
		return usage(fmt.Errorf("--keep %d: expected 0 or more", c.Keep), "ralphex cleanup --keep 1")
	}
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	runs, err := journal.ListRuns(s.Events)
	if err != nil {
		return err
	}
	keep := retention.Keep{Generated: c.Keep, Bundles: s.settings.BundleRetention, Outputs: c.Keep, Unfinished: unfinished(runs)}
	if c.Keep == 0 {
		keep.Bundles = 0
	}
	if c.DryRun {
		m, err := retention.Preview(s.Layout, keep, time.Now())
		if err != nil {
			return err
		}
		return c.print(p, m)
	}
	if err := refuseInSession(p, "cleanup"); err != nil {
		return err
	}
	if err := s.CheckInside(); err != nil {
		return err
	}
	if fi, err := os.Stat(s.Ralph); err != nil || !fi.IsDir() {
		return usage(errors.New("there is no .ralph folder here"), "run it where a workspace or a run of ralphex is; ralphex status shows the runs")
	}
	release, err := s.takeCheckout(durable.Holder{What: "cleanup"})
	if err != nil {
		return err
	}
	defer release()
	m, err := retention.Cleanup(ctx, s.Layout, keep, s.surfaces(), time.Now())
	if m.Mode == "" {
		return err
	}
	s.register(ctx, p, "cleanup-manifest", artifact.Durable, filepath.Join(s.Artifacts, retention.ManifestName+".json"))
	return errors.Join(c.print(p, m), err)
}

// print shows a manifest.
func (c cleanupCmd) print(p *Proc, m retention.Manifest) error {
	if c.JSON {
		_, err := p.Out.Write(stable.Marshal(m.Stable()))
		return err
	}
	verb := "deleted"
	if c.DryRun {
		verb = "would go"
	}
	plan, gone := m.Plan, 0
	for _, k := range []struct {
		what string
		of   retention.Category
	}{
		{"iterations", plan.Iterations}, {"prompts", plan.Prompts}, {"runs", plan.Runs}, {"handoff notes", plan.Handoff},
		{"watchdog files", plan.Watchdog}, {"bundles", plan.Bundles}, {"runs' validation outputs", plan.Outputs}, {"logs", retention.Category{Deleted: plan.Logs}},
	} {
		gone += len(k.of.Deleted)
		printPaths(p.Out, verb, k.of.Deleted)
		if n := len(k.of.Protected); n > 0 {
			printPaths(p.Out, "named", k.of.Protected)
		}
		if len(k.of.Deleted)+len(k.of.Retained) > 0 {
			fmt.Fprintf(p.Out, "%s: %d %s, %d stay, %d of them only because something names them\n", k.what, len(k.of.Deleted), verb, len(k.of.Retained), len(k.of.Protected))
		}
	}
	printPaths(p.Out, "made again", m.Repaired)
	printPaths(p.Out, "stale", m.Stale)
	switch {
	case gone == 0:
		fmt.Fprintln(p.Err, "nothing is old enough")
	case c.DryRun:
		fmt.Fprintln(p.Err, "nothing was deleted; next: ralphex cleanup")
	}
	return nil
}

// surfaces are what has to fit what is on disk after a deletion.
func (s *store) surfaces() retention.Surfaces {
	return retention.Surfaces{
		Repair:    func(ctx context.Context) (repaired, stale []string, err error) { return artifact.Repair(ctx, s.Layout) },
		Reconcile: artifact.Registry{Layout: s.Layout}.Reconcile,
	}
}
