package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ralphex/internal/journal"
	"ralphex/internal/ralph/retention"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/processor"
)

// stream is where the raw stream of the nth session is kept: .ralph/runs/RUN/NNN.jsonl. What can't be kept costs the copy, and not
// the session.
func (r *running) stream(n int) processor.Stream {
	if !r.cfg.KeepStreams || r.cfg.Record == "none" || r.cfg.Record == "journal" {
		return processor.Stream{}
	}
	dir := r.runDir()
	if err := workspace.IgnoreFolder(dir); err != nil {
		r.Emit(0, event.Note{Level: event.Warn, Text: "the raw stream is not kept: " + err.Error()})
		return processor.Stream{}
	}
	name := fmt.Sprintf("%03d.jsonl", n)
	for i := 2; ; i++ { // what is there is another session's
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			break
		}
		name = fmt.Sprintf("%03d-%d.jsonl", n, i)
	}
	return processor.Stream{Path: filepath.Join(dir, name), Name: filepath.ToSlash(filepath.Join(storeDir, "runs", string(r.bus.Run()), name)),
		Max: int64(r.cfg.StreamMaxMB) << 20, Secrets: configured(r.cfg)}
}

// runDir is the run's own folder.
func (r *running) runDir() string { return r.store("runs", string(r.bus.Run())) }

// dropOld removes the raw streams of all runs but the newest ones, and what their validation commands printed. Journals stay, and what else lies in the folders.
func (r *running) dropOld() {
	if r.cfg.StreamRuns == 0 {
		return
	}
	runs, err := journal.ListRuns(r.store("events"))
	if err != nil {
		return // told by whoever needs the list
	}
	r.dropOutputs(runs)
	runs = slices.DeleteFunc(runs, func(s journal.Summary) bool { return takesTurns(s.Start) }) // they keep no streams
	var kept []string
	for _, s := range runs[:min(len(runs), r.cfg.StreamRuns)] {
		kept = append(kept, string(s.Run))
	}
	for _, s := range runs[min(len(runs), r.cfg.StreamRuns):] {
		if s.End == nil || slices.Contains(kept, string(s.Run)) {
			continue // it may be gone on with, or running
		}
		dir := r.store("runs", string(s.Run))
		files, _ := filepath.Glob(filepath.Join(dir, "[0-9][0-9][0-9]*.jsonl"))
		for _, f := range files {
			_ = os.Remove(f) // the next run tries again
		}
		if rest, err := os.ReadDir(dir); err == nil && (len(rest) == 0 || len(rest) == 1 && rest[0].Name() == ".gitignore") {
			_ = os.RemoveAll(dir)
		}
	}
}

// dropOutputs removes what the validation commands of old runs printed. The next run tries again what can't be removed.
func (r *running) dropOutputs(runs []journal.Summary) {
	ctx, cancel := context.WithTimeout(context.Background(), projectFor)
	defer cancel()
	if s, err := r.recordStore(); err == nil {
		_, _ = retention.Prune(ctx, s.Layout, retention.Keep{Outputs: r.cfg.StreamRuns, Unfinished: unfinished(runs)})
	}
}

// unfinished are the runs that are not over, and those whose journal does not say.
func unfinished(runs []journal.Summary) (ids []string) {
	for _, s := range runs {
		if s.End == nil {
			ids = append(ids, string(s.Run))
		}
	}
	return ids
}
