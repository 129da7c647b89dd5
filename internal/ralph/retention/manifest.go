package retention

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// Manifest is what a cleanup did, or would do.
type Manifest struct {
	Mode      string // preview, applied
	CreatedAt time.Time
	Plan      Plan

	Repaired   []string // latest summaries that were made again
	Stale      []string // those that can't be, and latest-provenance-failure.json if it was deleted
	Registry   bool     // there is an index.json
	Reconciled []string // registry entries that were dropped
}

// ManifestName is the newest manifest, in the artifacts folder. Each one also stays under a name with its time.
const ManifestName = "cleanup-manifest"

// Stable is cleanup-manifest.json.
func (m Manifest) Stable() any {
	p := m.Plan
	registry := "absent"
	if m.Registry {
		registry = "present"
	}
	return stable.NewObject("schemaVersion", 1, "kind", "cleanupManifest", "mode", m.Mode, "createdAt", stable.Time(m.CreatedAt), "retentionCount", p.Keep.Generated,
		"deleted", stable.NewObject("iterationDirectories", p.Iterations.Deleted, "promptFiles", p.Prompts.Deleted,
			"runArtifactBaseNames", p.Runs.Deleted, "handoffFiles", p.Handoff.Deleted, "watchdogFiles", p.Watchdog.Deleted),
		"retained", stable.NewObject("iterationDirectories", p.Iterations.Retained, "promptFiles", p.Prompts.Retained,
			"runArtifactBaseNames", p.Runs.Retained, "protectedIterationDirectories", p.Iterations.Protected,
			"protectedPromptFiles", p.Prompts.Protected, "protectedRunArtifactBaseNames", p.Runs.Protected),
		"provenanceBundles", stable.NewObject("deletedBundleIds", p.Bundles.Deleted, "retainedBundleIds", p.Bundles.Retained,
			"protectedBundleIds", p.Bundles.Protected),
		"validationOutputs", stable.NewObject("deletedRunIds", p.Outputs.Deleted, "retainedRunIds", p.Outputs.Retained, "protectedRunIds", p.Outputs.Protected),
		"deletedLogFiles", p.Logs,
		"pointerIntegrity", stable.NewObject("repairedLatestArtifactPaths", m.Repaired, "staleLatestArtifactPaths", m.Stale),
		"registryStatus", registry, "registryReconciledEntryCount", len(m.Reconciled))
}

// Markdown is the manifest for people.
func (m Manifest) Markdown() string {
	p := m.Plan
	var b strings.Builder
	fmt.Fprintf(&b, "# Ralph cleanup manifest (%s)\n\n- Created: %s\n- Retention count: %d\n", m.Mode, stable.Time(m.CreatedAt), p.Keep.Generated)
	for _, c := range []struct {
		title string
		of    Category
	}{
		{"Iteration directories", p.Iterations}, {"Prompt files", p.Prompts}, {"Run artifacts", p.Runs}, {"Handoff notes", p.Handoff},
		{"Watchdog files", p.Watchdog}, {"Provenance bundles", p.Bundles}, {"Validation outputs of runs", p.Outputs},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n- Deleted (%d): %s\n- Retained (%d): %s\n", c.title, len(c.of.Deleted), line(c.of.Deleted), len(c.of.Retained), line(c.of.Retained))
		if len(c.of.Protected) > 0 {
			fmt.Fprintf(&b, "- Retained only because something names it (%d): %s\n", len(c.of.Protected), line(c.of.Protected))
		}
	}
	fmt.Fprintf(&b, "\n## Other\n\n- Deleted logs: %s\n- Latest files made again: %s\n- Latest files that are stale: %s\n- Registry entries dropped: %d\n",
		line(p.Logs), line(m.Repaired), line(m.Stale), len(m.Reconciled))
	return stable.Page(b.String())
}

// write puts both forms beside the artifacts, as the newest and under their time.
func (m Manifest) write(w *durable.Dir, l layout.Layout) error {
	dir, err := filepath.Rel(l.Root, l.Artifacts)
	if err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if err := w.Root().MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	data, text := stable.Marshal(m.Stable()), []byte(m.Markdown())
	dated := ManifestName + "-" + m.CreatedAt.UTC().Format("20060102T150405.000Z")
	for _, name := range []string{dated, ManifestName} {
		if err := w.WriteFile(filepath.Join(dir, name+".json"), data, 0o640); err != nil {
			return fmt.Errorf("write the manifest: %w", err)
		}
		if err := w.WriteFile(filepath.Join(dir, name+".md"), text, 0o640); err != nil {
			return fmt.Errorf("write the manifest: %w", err)
		}
	}
	return nil
}

func registryThere(l layout.Layout) bool {
	_, err := os.Lstat(l.Registry)
	return err == nil
}

func line(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
