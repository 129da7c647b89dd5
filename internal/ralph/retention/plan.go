package retention

import (
	"maps"
	"path/filepath"
	"slices"

	"ralphex/internal/ralph/layout"
)

// Keep is how many of the newest stay. With 0 or less nothing of that kind is deleted.
type Keep struct {
	Generated int // of each of iterations, prompts, runs, handoff notes, watchdog files (generatedArtifactRetentionCount)
	Bundles   int // of the bundles (provenanceBundleRetentionCount)
	Outputs   int // of the runs of plans whose outputs of validation commands stay

	Unfinished []string // runs of plans that are not over, or of which nobody can tell: their outputs stay, too
}

// Category is what becomes of one kind of artifacts. All lists are newest first.
type Category struct {
	Deleted   []string
	Retained  []string
	Protected []string // those of Retained that stay only because something names them
}

// Plan is what a cleanup deletes. It is computed once: what is shown is what is done.
type Plan struct {
	Keep       Keep
	Iterations Category
	Prompts    Category
	Runs       Category // base names
	Handoff    Category
	Watchdog   Category
	Bundles    Category
	Outputs    Category // ids of runs of plans
	Logs       []string // deleted

	// FailurePointer: latest-provenance-failure.json goes, since something that it names is gone, or goes with this plan.
	FailurePointer bool

	runFiles map[string][]string // base name → files
	outputs  map[string][]string // id of a run → what of its folder goes, "." = all
}

// Compute makes the plan. It is a pure function of its arguments. withLogs is for a person's cleanup.
func Compute(s Snapshot, p Protected, k Keep, withLogs bool) Plan {
	plan := Plan{Keep: k, runFiles: map[string][]string{}, outputs: s.Outputs}
	for _, file := range s.Runs {
		if base, ok := runBase(file); ok {
			plan.runFiles[base] = append(plan.runFiles[base], file)
		}
	}
	for _, files := range plan.runFiles {
		slices.Sort(files)
	}
	iteration := func(name string) bool { n, _ := layout.ParseIteration(name); return p.Iterations[n] }
	in := func(set map[string]bool) func(string) bool { return func(name string) bool { return set[name] } }
	plan.Iterations = split(newestFirst(s.Iterations, layout.ParseIteration), k.Generated, iteration)
	plan.Prompts = split(newestFirst(s.Prompts, promptNumber), k.Generated, in(p.Prompts))
	plan.Runs = split(newestFirst(slices.Collect(maps.Keys(plan.runFiles)), number), k.Generated, in(p.Runs))
	plan.Handoff = split(newestFirst(s.Handoff, noteNumber), k.Generated, in(nil))
	plan.Watchdog = split(newestFirst(s.Watchdog, noteNumber), k.Generated, in(nil))
	plan.Bundles = split(newestFirst(s.Bundles, bundle), k.Bundles, in(p.Bundles))
	plan.Outputs = split(newestFirst(slices.Collect(maps.Keys(s.Outputs)), planRun), k.Outputs, func(run string) bool { return slices.Contains(k.Unfinished, run) })
	if withLogs && k.Generated > 0 {
		for _, name := range s.Logs {
			if isLog(name) {
				plan.Logs = append(plan.Logs, name)
			}
		}
		slices.Sort(plan.Logs)
	}
	plan.FailurePointer = plan.losesFailure(s)
	return plan
}

// split keeps the first n of a list that is newest first, and the protected ones.
func split(names []string, n int, protected func(string) bool) Category {
	var c Category
	for i, name := range names {
		switch {
		case n <= 0 || i < n:
			c.Retained = append(c.Retained, name)
		case protected(name):
			c.Retained, c.Protected = append(c.Retained, name), append(c.Protected, name)
		default:
			c.Deleted = append(c.Deleted, name)
		}
	}
	return c
}

// losesFailure tells whether the failure pointer names something that is gone, or will be.
func (p Plan) losesFailure(s Snapshot) bool {
	for path, there := range s.FailurePaths {
		if !there {
			return true
		}
		for _, gone := range p.targets(s.Layout) {
			if layout.Within(gone, path) {
				return true
			}
		}
	}
	return false
}

// targets are the absolute paths of what the plan deletes, the failure pointer apart.
func (p Plan) targets(l layout.Layout) []string {
	var out []string
	for _, in := range []struct {
		dir   string
		names []string
	}{
		{l.Artifacts, p.Iterations.Deleted}, {l.Prompts, p.Prompts.Deleted}, {l.Handoff, p.Handoff.Deleted}, {l.Watchdog, p.Watchdog.Deleted},
		{l.Bundles, p.Bundles.Deleted}, {l.Logs, p.Logs},
	} {
		for _, name := range in.names {
			out = append(out, filepath.Join(in.dir, name))
		}
	}
	for _, base := range p.Runs.Deleted {
		for _, file := range p.runFiles[base] {
			out = append(out, filepath.Join(l.Runs, file))
		}
	}
	for _, run := range p.Outputs.Deleted {
		out = append(out, p.outputsOf(l, run)...)
	}
	return out
}

// outputsOf are the absolute paths of a run's outputs.
func (p Plan) outputsOf(l layout.Layout, run string) (out []string) {
	for _, name := range p.outputs[run] {
		out = append(out, filepath.Join(l.Outputs, run, name))
	}
	return out
}
