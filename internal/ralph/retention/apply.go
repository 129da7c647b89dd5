package retention

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
)

// Surfaces are what has to fit what is on disk after a deletion. Both functions may be nil.
type Surfaces struct {
	// Repair makes latest summaries again that are missing (repairLatestArtifactSurfaces in the seed), and names those it can't, all relative to
	// the workspace.
	Repair func(context.Context) (repaired, stale []string, err error)
	// Reconcile drops registry entries whose file is gone (reconcileArtifactRegistry in the seed), and returns them.
	Reconcile func(context.Context) (dropped []string, err error)
}

// Preview is what Cleanup would do with the workspace as it is (previewRuntimeArtifactCleanup in the seed). It changes no byte.
func Preview(l layout.Layout, k Keep, now time.Time) (Manifest, error) {
	plan, err := planFor(l, Current, k, true)
	if err != nil {
		return Manifest{}, err
	}
	return Manifest{Mode: "preview", CreatedAt: now, Plan: plan, Registry: registryThere(l)}, nil
}

// Cleanup deletes old artifacts for a person (cleanupRuntimeArtifacts in the seed), and writes its manifest last. An error says what could not be
// deleted; the manifest then tells what was.
func Cleanup(ctx context.Context, l layout.Layout, k Keep, s Surfaces, now time.Time) (Manifest, error) {
	plan, err := planFor(l, Current, k, true)
	if err != nil {
		return Manifest{}, err
	}
	w, err := durable.OpenDir(l.Root)
	if err != nil {
		return Manifest{}, err
	}
	defer w.Close()
	m := Manifest{Mode: "applied", CreatedAt: now}
	m.Plan, err = plan.apply(ctx, w, l)
	if s.Repair != nil {
		var failed error
		m.Repaired, m.Stale, failed = s.Repair(ctx)
		err = errors.Join(err, failed)
	}
	if m.Plan.FailurePointer {
		m.Stale = append([]string{l.Rel(l.Latest().ProvenanceFailure)}, m.Stale...)
	}
	if m.Registry = registryThere(l); m.Registry && s.Reconcile != nil {
		var failed error
		m.Reconciled, failed = s.Reconcile(ctx)
		err = errors.Join(err, failed)
	}
	return m, errors.Join(err, m.write(w, l))
}

// Prune deletes old artifacts after an iteration was recorded. The state with its histories protects.
func Prune(ctx context.Context, l layout.Layout, k Keep) (Plan, error) {
	plan, err := planFor(l, Histories, k, false)
	if err != nil {
		return Plan{}, err
	}
	w, err := durable.OpenDir(l.Root)
	if err != nil {
		return Plan{}, err
	}
	defer w.Close()
	return plan.apply(ctx, w, l)
}

func planFor(l layout.Layout, scope Scope, k Keep, withLogs bool) (Plan, error) {
	s, err := Look(l)
	if err != nil {
		return Plan{}, err
	}
	protected, err := ReadProtected(l, scope)
	if err != nil {
		return Plan{}, err
	}
	return Compute(s, protected, k, withLogs), nil
}

// apply deletes what the plan names, and returns the plan without what could not be deleted: that counts as retained.
func (p Plan) apply(ctx context.Context, w *durable.Dir, l layout.Layout) (Plan, error) {
	var errs []error
	remove := func(path string) bool {
		err := context.Cause(ctx)
		rel, bad := filepath.Rel(l.Root, path)
		if err = errors.Join(err, bad); err == nil {
			err = w.Root().RemoveAll(rel)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("delete %s: %w", l.Rel(path), err))
			return false
		}
		return true
	}
	each := func(c *Category, files func(string) []string) {
		all := c.Deleted
		c.Deleted = nil
		for _, name := range all {
			ok := true
			for _, file := range files(name) {
				ok = remove(file) && ok
			}
			if ok {
				c.Deleted = append(c.Deleted, name)
			} else {
				c.Retained = append(slices.Clip(c.Retained), name)
			}
		}
	}
	in := func(dir string) func(string) []string {
		return func(name string) []string { return []string{filepath.Join(dir, name)} }
	}
	each(&p.Iterations, in(l.Artifacts))
	each(&p.Prompts, in(l.Prompts))
	each(&p.Runs, func(base string) (files []string) {
		for _, file := range p.runFiles[base] {
			files = append(files, filepath.Join(l.Runs, file))
		}
		return files
	})
	each(&p.Handoff, in(l.Handoff))
	each(&p.Watchdog, in(l.Watchdog))
	each(&p.Bundles, in(l.Bundles))
	each(&p.Outputs, func(run string) []string { return p.outputsOf(l, run) })
	if p.FailurePointer {
		p.FailurePointer = remove(l.Latest().ProvenanceFailure)
	}
	p.Logs = slices.DeleteFunc(slices.Clone(p.Logs), func(name string) bool { return !remove(filepath.Join(l.Logs, name)) })
	return p, errors.Join(errs...)
}
