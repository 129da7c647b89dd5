package retention

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/layout"
)

var now = time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)

func workspace(t testing.TB) layout.Layout {
	t.Helper()
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	return l
}

func put(t testing.TB, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func putJSON(t testing.TB, path string, v any) {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	put(t, path, string(b))
}

type fields map[string]any

func bundleID(n int) string { return fmt.Sprintf("run-i%s-cli-20260317T120000Z", layout.Number(n)) }

// iteration makes everything that an iteration leaves.
func iteration(t testing.TB, l layout.Layout, n int) {
	t.Helper()
	put(t, l.Iteration(n).Summary, "x")
	put(t, l.PromptFile("iteration", n), "x")
	transcript, last := l.RunFiles("iteration", n)
	put(t, transcript, "x")
	put(t, last, "x")
	put(t, filepath.Join(l.Handoff, "default-"+layout.Number(n)+".json"), "{}")
	put(t, filepath.Join(l.Watchdog, "dog-"+layout.Number(n)+".json"), "{}")
	put(t, filepath.Join(l.Bundles, bundleID(n), "provenance-bundle.json"), "{}")
}

// tree is every path of the workspace with its bytes.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			all[rel] = "-> " + to
		case !d.IsDir():
			b, err := os.ReadFile(path)
			all[rel] = string(b)
			return err
		}
		return nil
	}))
	return all
}

func TestA60_Iteration1000ComesAfter999(t *testing.T) {
	l := workspace(t)
	for _, n := range []int{9, 99, 998, 999, 1000} {
		iteration(t, l, n)
	}
	p, err := Prune(t.Context(), l, Keep{Generated: 1, Bundles: 1})
	require.NoError(t, err)
	assert.Equal(t, []string{"iteration-1000"}, p.Iterations.Retained)
	assert.Equal(t, []string{"iteration-999", "iteration-998", "iteration-099", "iteration-009"}, p.Iterations.Deleted)
	assert.Equal(t, []string{"iteration-1000.prompt.md"}, p.Prompts.Retained)
	assert.Equal(t, []string{"iteration-1000"}, p.Runs.Retained)
	assert.Equal(t, []string{"default-1000.json"}, p.Handoff.Retained)
	assert.Equal(t, []string{"dog-1000.json"}, p.Watchdog.Retained)
	assert.Equal(t, []string{bundleID(1000)}, p.Bundles.Retained)
	for _, gone := range []string{l.Iteration(999).Dir, l.PromptFile("iteration", 999), filepath.Join(l.Bundles, bundleID(999))} {
		assert.NoFileExists(t, gone)
		assert.NoDirExists(t, gone)
	}
}

func TestA59_ZeroDeletesNothing(t *testing.T) {
	l := workspace(t)
	for n := range 5 {
		iteration(t, l, n+1)
	}
	put(t, filepath.Join(l.Logs, "extension.log"), "x")
	before := tree(t, l.Root)
	for _, k := range []Keep{{}, {Generated: -1, Bundles: -3, Outputs: -1}} {
		p, err := Prune(t.Context(), l, k)
		require.NoError(t, err)
		assert.Len(t, p.Iterations.Retained, 5)
		m, err := Preview(l, k, now)
		require.NoError(t, err)
		assert.Empty(t, m.Plan.Logs)
	}
	assert.Equal(t, before, tree(t, l.Root))
}

func TestOtherNamesStay(t *testing.T) {
	l := workspace(t)
	iteration(t, l, 7)
	others := []string{
		l.PRD, l.Progress, l.Tasks, l.Claims, filepath.Join(l.Doctrine, "risks.md"), filepath.Join(l.Agents, "a-001.json"), filepath.Join(l.Handoffs, "h-001.json"),
		filepath.Join(l.Artifacts, "iteration-1x", "f"), filepath.Join(l.Artifacts, "iteration-", "f"), filepath.Join(l.Artifacts, "Iteration-001", "f"),
		filepath.Join(l.Artifacts, "iteration-99999999999999999999", "f"), filepath.Join(l.Artifacts, "T1", "task-plan.json"),
		filepath.Join(l.Artifacts, "iteration-002"), // a file, no folder
		filepath.Join(l.Seeding, "task-seeding-001.json"), filepath.Join(l.Artifacts, "prd-reconciliation.json"), filepath.Join(l.Artifacts, "cleanup-manifest.md"),
		filepath.Join(l.Prompts, "mine.prompt.md"), filepath.Join(l.Prompts, "iteration-001.prompt.txt"), filepath.Join(l.Prompts, "iteration-001.prompt.md", "a folder"),
		filepath.Join(l.Prompts, "-001.prompt.md"), filepath.Join(l.Runs, "notes.md"), filepath.Join(l.Runs, "iteration-001.transcript.md.bak"),
		filepath.Join(l.Handoff, "001.json"), filepath.Join(l.Handoff, "a-001.json.tmp"), filepath.Join(l.Watchdog, "README"), filepath.Join(l.Bundles, "mine", "f"),
		filepath.Join(l.Bundles, "run-", "f"), filepath.Join(l.Logs, "keep.txt"), filepath.Join(l.Ralph, "events", "20260317-120000.jsonl"),
	}
	for _, path := range others {
		put(t, path, "mine")
	}
	_, err := Cleanup(t.Context(), l, Keep{Generated: 1, Bundles: 1}, Surfaces{}, now)
	require.NoError(t, err)
	for _, path := range others {
		if b, err := os.ReadFile(path); assert.NoError(t, err) && filepath.Base(path) != "cleanup-manifest.md" {
			assert.Equal(t, "mine", string(b), path)
		}
	}
}

func TestLinksAreNeitherFollowedNorRemoved(t *testing.T) {
	l := workspace(t)
	iteration(t, l, 9)
	outside := filepath.Join(l.Root, "src")
	put(t, filepath.Join(outside, "a-001.json"), "mine")
	put(t, filepath.Join(outside, "main.go"), "mine")
	link := func(to, at string) {
		if err := os.Symlink(to, at); err != nil {
			t.Skipf("no symlinks here: %v", err)
		}
	}
	link(outside, filepath.Join(l.Artifacts, "iteration-001"))
	link(filepath.Join(outside, "main.go"), filepath.Join(l.Prompts, "iteration-001.prompt.md"))
	require.NoError(t, os.RemoveAll(l.Watchdog))
	link(outside, l.Watchdog)
	// A folder that goes takes a link in it along, and not what that leads to.
	put(t, l.Iteration(2).Summary, "x")
	link(outside, filepath.Join(l.Iteration(2).Dir, "link"))
	_, err := Cleanup(t.Context(), l, Keep{Generated: 1, Bundles: 1}, Surfaces{}, now)
	require.NoError(t, err)
	left := tree(t, l.Root)
	assert.Equal(t, "mine", left[filepath.Join("src", "a-001.json")])
	assert.Equal(t, "mine", left[filepath.Join("src", "main.go")])
	assert.Contains(t, left, filepath.Join(".ralph", "artifacts", "iteration-001"))
	assert.Contains(t, left, filepath.Join(".ralph", "prompts", "iteration-001.prompt.md"))
	assert.NoDirExists(t, l.Iteration(2).Dir)
}

func TestA61_PreviewIsWhatCleanupDoes(t *testing.T) {
	l := workspace(t)
	for n := range 12 {
		iteration(t, l, n+1)
	}
	put(t, filepath.Join(l.Logs, "extension.log"), "x")
	putJSON(t, l.Latest().Result, fields{"promptPath": l.PromptFile("iteration", 3), "artifactDir": l.Iteration(4).Dir, "provenanceId": bundleID(5)})
	putJSON(t, l.Latest().ProvenanceFailure, fields{"executionPlanPath": filepath.Join(l.Bundles, bundleID(2), "execution-plan.json")})
	put(t, filepath.Join(l.Bundles, bundleID(2), "execution-plan.json"), "{}")
	before := tree(t, l.Root)
	shown, err := Preview(l, Keep{Generated: 2, Bundles: 2}, now)
	require.NoError(t, err)
	assert.Equal(t, before, tree(t, l.Root), "a preview changes no byte")
	assert.Equal(t, "preview", shown.Mode)
	assert.Equal(t, []string{"iteration-012", "iteration-011", "iteration-004"}, shown.Plan.Iterations.Retained)
	assert.Equal(t, []string{"iteration-004"}, shown.Plan.Iterations.Protected)
	assert.Equal(t, []string{"iteration-003.prompt.md"}, shown.Plan.Prompts.Protected)
	assert.Equal(t, []string{bundleID(5), bundleID(2)}, shown.Plan.Bundles.Protected)
	assert.Equal(t, []string{"extension.log"}, shown.Plan.Logs)

	done, err := Cleanup(t.Context(), l, Keep{Generated: 2, Bundles: 2}, Surfaces{}, now)
	require.NoError(t, err)
	assert.Equal(t, shown.Plan, done.Plan)
	expect := before
	for _, gone := range shown.Plan.targets(l) {
		rel, _ := filepath.Rel(l.Root, gone)
		for path := range expect {
			if path == rel || strings.HasPrefix(path, rel+string(filepath.Separator)) {
				delete(expect, path)
			}
		}
	}
	after := tree(t, l.Root)
	for path := range after {
		if strings.Contains(path, ManifestName) {
			delete(after, path)
		}
	}
	assert.Equal(t, expect, after)

	again, err := Cleanup(t.Context(), l, Keep{Generated: 1, Bundles: 1}, Surfaces{}, now.Add(time.Hour))
	require.NoError(t, err)
	assert.Equal(t, []string{"iteration-011"}, again.Plan.Iterations.Deleted)
	for _, name := range []string{"cleanup-manifest.json", "cleanup-manifest.md", "cleanup-manifest-20260317T120000.000Z.json", "cleanup-manifest-20260317T130000.000Z.md"} {
		assert.FileExists(t, filepath.Join(l.Artifacts, name))
	}
}

// TestManifestTellsWhatIsGone: what could not be deleted is not said to be.
func TestManifestTellsWhatIsGone(t *testing.T) {
	l := workspace(t)
	iteration(t, l, 1)
	iteration(t, l, 2)
	before := tree(t, l.Root)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, err := Cleanup(ctx, l, Keep{Generated: 1, Bundles: 1}, Surfaces{}, now)
	require.ErrorIs(t, err, context.Canceled)
	for _, c := range []Category{m.Plan.Iterations, m.Plan.Prompts, m.Plan.Runs, m.Plan.Handoff, m.Plan.Watchdog, m.Plan.Bundles} {
		assert.Empty(t, c.Deleted)
		assert.Len(t, c.Retained, 2)
	}
	after := tree(t, l.Root)
	for path, data := range before {
		assert.Equal(t, data, after[path])
	}
}

func TestManifest(t *testing.T) {
	m := Manifest{Mode: "applied", CreatedAt: now, Plan: Plan{Keep: Keep{Generated: 1, Bundles: 1}, Iterations: Category{[]string{"iteration-001"}, []string{"iteration-002"}, nil}},
		Registry: true, Reconciled: []string{"x"}, Repaired: []string{"latest-summary.md"}}
	text := m.Markdown()
	assert.Contains(t, text, "# Ralph cleanup manifest (applied)\n")
	assert.Contains(t, text, "- Deleted (1): iteration-001\n")
	l := workspace(t)
	iteration(t, l, 1)
	iteration(t, l, 2)
	put(t, l.Registry, `{"schemaVersion":1,"entries":[]}`)
	order := []string{}
	_, err := Cleanup(t.Context(), l, Keep{Generated: 1, Bundles: 1}, Surfaces{
		Repair: func(ctx ctx) ([]string, []string, error) {
			order = append(order, "repair")
			assert.NoDirExists(t, l.Iteration(1).Dir, "surfaces are repaired after the deletion")
			return []string{"latest-summary.md"}, []string{"latest-result.json"}, nil
		},
		Reconcile: func(ctx ctx) ([]string, error) {
			order = append(order, "reconcile")
			assert.NoFileExists(t, filepath.Join(l.Artifacts, "cleanup-manifest.json"), "the manifest comes last")
			return []string{"a", "b"}, nil
		},
	}, now)
	require.NoError(t, err)
	assert.Equal(t, []string{"repair", "reconcile"}, order)
	b, err := os.ReadFile(filepath.Join(l.Artifacts, "cleanup-manifest.json"))
	require.NoError(t, err)
	assert.JSONEq(t, `{"schemaVersion":1,"kind":"cleanupManifest","mode":"applied","createdAt":"2026-03-17T12:00:00.000Z","retentionCount":1,
		"deleted":{"iterationDirectories":["iteration-001"],"promptFiles":["iteration-001.prompt.md"],"runArtifactBaseNames":["iteration-001"],
			"handoffFiles":["default-001.json"],"watchdogFiles":["dog-001.json"]},
		"retained":{"iterationDirectories":["iteration-002"],"promptFiles":["iteration-002.prompt.md"],"runArtifactBaseNames":["iteration-002"],
			"protectedIterationDirectories":[],"protectedPromptFiles":[],"protectedRunArtifactBaseNames":[]},
		"provenanceBundles":{"deletedBundleIds":["`+bundleID(1)+`"],"retainedBundleIds":["`+bundleID(2)+`"],"protectedBundleIds":[]},
		"validationOutputs":{"deletedRunIds":[],"retainedRunIds":[],"protectedRunIds":[]},"deletedLogFiles":[],"pointerIntegrity":{"repairedLatestArtifactPaths":["latest-summary.md"],"staleLatestArtifactPaths":["latest-result.json"]},
		"registryStatus":"present","registryReconciledEntryCount":2}`, string(b))
}

func TestFailurePointerGoesWithWhatItNames(t *testing.T) {
	l := workspace(t)
	iteration(t, l, 1)
	failure := l.Latest().ProvenanceFailure
	putJSON(t, failure, fields{"artifactDir": l.Iteration(1).Dir, "promptArtifactPath": l.Iteration(1).Prompt, "provenanceFailurePath": "relative.json"})
	p, err := Prune(t.Context(), l, Keep{})
	require.NoError(t, err)
	assert.True(t, p.FailurePointer, "its prompt isn't there, also where nothing else is cleaned")
	assert.NoFileExists(t, failure)

	putJSON(t, failure, fields{"artifactDir": l.Iteration(1).Dir})
	p, err = Prune(t.Context(), l, Keep{})
	require.NoError(t, err)
	assert.False(t, p.FailurePointer)
	assert.FileExists(t, failure)

	put(t, failure, "no JSON")
	_, err = Prune(t.Context(), l, Keep{})
	require.NoError(t, err)
	assert.FileExists(t, failure, "what can't be understood isn't stale")
}

func TestBrokenStateStopsEverything(t *testing.T) {
	l := workspace(t)
	iteration(t, l, 1)
	iteration(t, l, 2)
	put(t, l.State, `{"lastPromptPath"`)
	before := tree(t, l.Root)
	_, err := Cleanup(t.Context(), l, Keep{Generated: 1, Bundles: 1}, Surfaces{}, now)
	var broken *StateError
	require.ErrorAs(t, err, &broken)
	assert.Contains(t, err.Error(), ".ralph/state.json")
	assert.NotEmpty(t, broken.Hint())
	assert.Equal(t, before, tree(t, l.Root))
}

// A person's cleanup says that the failure pointer went, and the name of a bundle that tells no iteration is older than all that do.
func TestCleanupNamesTheFailureThatWent(t *testing.T) {
	l := workspace(t)
	iteration(t, l, 1)
	iteration(t, l, 2)
	putJSON(t, l.Latest().ProvenanceFailure, fields{"promptArtifactPath": l.PromptFile("iteration", 1)})
	m, err := Cleanup(t.Context(), l, Keep{Generated: 1}, Surfaces{}, time.Now())
	require.NoError(t, err)
	assert.NoFileExists(t, l.Latest().ProvenanceFailure)
	assert.Equal(t, []string{l.Rel(l.Latest().ProvenanceFailure)}, m.Stale)
	assert.Equal(t, []string{"run-i003-x", "run-i002-x", "run-90-x", "run-1-x"}, NewestBundles([]string{"run-1-x", "run-i002-x", "run-90-x", "run-i003-x", "other"}))
}
