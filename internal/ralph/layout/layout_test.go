package layout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newLayout(t *testing.T, root string, o Overrides) Layout {
	t.Helper()
	l, err := New(root, o)
	require.NoError(t, err)
	return l
}

func TestDefaultPlaces(t *testing.T) {
	root := t.TempDir()
	l := newLayout(t, root, Overrides{})
	for want, got := range map[string]string{
		".ralph/prd.md": l.PRD, ".ralph/progress.md": l.Progress, ".ralph/tasks.json": l.Tasks, ".ralph/doctrine": l.Doctrine,
		".ralph/claims.json": l.Claims, ".ralph/state.json": l.State, ".ralph/prompts": l.Prompts, ".ralph/runs": l.Runs,
		".ralph/handoff": l.Handoff, ".ralph/handoffs": l.Handoffs, ".ralph/artifacts": l.Artifacts, ".ralph/artifacts/runs": l.Bundles,
		".ralph/artifacts/watchdog": l.Watchdog, ".ralph/artifacts/task-seeding": l.Seeding, ".ralph/artifacts/index.json": l.Registry,
		".ralph/artifacts/index.json.lock": l.RegistryLock(), ".ralph/logs/extension.log": l.ExtensionLog, ".ralph/agents": l.Agents,
		".ralph/agents/tasks.lock": l.AgentsLock(), ".ralph/memory-summary.md": l.Memory, ".ralph/dead-letter.json": l.DeadLetter,
		".ralph/structure.json": l.Structure, ".ralph/.gitignore": l.Ignore, ".ralph/tasks.lock": l.TasksLock(),
		".ralph/state.lock": l.StateLock(), ".ralph/claims.json.lock": l.ClaimsLock(),
	} {
		assert.Equal(t, want, l.Rel(got))
	}
	assert.NoError(t, l.CheckInside())
}

func TestMovedPlaces(t *testing.T) {
	root := t.TempDir()
	abs := filepath.Join(root, "elsewhere", "tasks.json")
	l := newLayout(t, root, Overrides{PRD: "docs/goal.md", Tasks: abs, Artifacts: "build/ralph"})
	assert.Equal(t, "docs/goal.md", l.Rel(l.PRD))
	assert.Equal(t, abs, l.Tasks)
	assert.Equal(t, "elsewhere/tasks.lock", l.Rel(l.TasksLock()), "the lock stays beside its file")
	assert.Equal(t, "build/ralph/runs", l.Rel(l.Bundles))
	assert.Equal(t, ".ralph/runs", l.Rel(l.Runs))
	assert.Equal(t, ".ralph/prd.md", l.Rel(l.InitGuard()), "the guard does not move")
	assert.NoError(t, l.CheckInside())
}

func TestNothingOutsideTheWorkspace(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "work")
	require.NoError(t, os.MkdirAll(filepath.Join(base, "other"), 0o750))
	require.NoError(t, os.MkdirAll(root, 0o750))
	for name, o := range map[string]Overrides{
		"dots":     {Tasks: "../other/tasks.json"},
		"absolute": {PRD: filepath.Join(base, "other", "prd.md")},
		"sibling":  {Artifacts: root + "-artifacts"},
	} {
		t.Run(name, func(t *testing.T) {
			var out *OutsideError
			require.ErrorAs(t, newLayout(t, root, o).CheckInside(), &out)
			assert.Contains(t, out.Hint(), "ralphCodex."+out.Key)
		})
	}
	t.Run("symlink", func(t *testing.T) {
		if err := os.Symlink(filepath.Join(base, "other"), filepath.Join(root, "link")); err != nil {
			t.Skip("no symlinks here:", err)
		}
		var out *OutsideError
		require.ErrorAs(t, newLayout(t, root, Overrides{Artifacts: "link/deep/artifacts"}).CheckInside(), &out)
		assert.True(t, strings.HasSuffix(out.Real, filepath.Join("other", "deep", "artifacts")), out.Real)
	})
	t.Run("the store itself is a link", func(t *testing.T) {
		if err := os.Symlink(filepath.Join(base, "other"), filepath.Join(root, ".ralph")); err != nil {
			t.Skip("no symlinks here:", err)
		}
		var out *OutsideError
		require.ErrorAs(t, newLayout(t, root, Overrides{}).CheckInside(), &out)
		assert.Empty(t, out.Key)
		assert.Contains(t, out.Hint(), "instead of a link")
		require.NoError(t, os.Remove(filepath.Join(root, ".ralph")))
	})
	t.Run("a file of it is a link to what is not there yet", func(t *testing.T) {
		require.NoError(t, os.MkdirAll(filepath.Join(root, ".ralph"), 0o750))
		for _, name := range []string{"tasks.json", "claims.json", "state.json", "artifacts"} {
			at := filepath.Join(root, ".ralph", name)
			if err := os.Symlink("../../other/new", at); err != nil {
				t.Skip("no symlinks here:", err)
			}
			var out *OutsideError
			require.ErrorAs(t, newLayout(t, root, Overrides{}).CheckInside(), &out, name)
			require.NoError(t, os.Remove(at))
			require.NoError(t, os.Symlink("within", at))
			if err := newLayout(t, root, Overrides{}).CheckInside(); name == "artifacts" {
				var no *NotFolderError
				require.ErrorAs(t, err, &no, "no folder can be made through such a link")
				assert.Contains(t, err.Error(), "is a link to within, where nothing is")
			} else {
				assert.NoError(t, err, name)
			}
			require.NoError(t, os.Remove(at))
		}
		at := filepath.Join(root, ".ralph", "runs")
		require.NoError(t, os.Symlink("runs", at))
		var nowhere *UnresolvedError
		require.ErrorAs(t, newLayout(t, root, Overrides{}).CheckInside(), &nowhere, "a link to itself")
		assert.Contains(t, nowhere.Hint(), "move away")
		require.NoError(t, os.Remove(at))
	})
	t.Run("each folder of it", func(t *testing.T) {
		for _, name := range []string{"events", "runs", "prompts", "handoff", "handoffs", "logs", "agents", "doctrine", "artifacts", "artifacts/runs", "artifacts/watchdog", "artifacts/task-seeding"} {
			at := filepath.Join(root, ".ralph", filepath.FromSlash(name))
			require.NoError(t, os.RemoveAll(filepath.Join(root, ".ralph")))
			require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o750))
			require.NoError(t, os.WriteFile(at, nil, 0o600))
			var no *NotFolderError
			require.ErrorAs(t, newLayout(t, root, Overrides{}).CheckInside(), &no, name)
			assert.Equal(t, at, no.Path)
			require.NoError(t, os.Remove(at))
			if err := os.Symlink(filepath.Join(base, "other"), at); err != nil {
				t.Skip("no symlinks here:", err)
			}
			var out *OutsideError
			require.ErrorAs(t, newLayout(t, root, Overrides{}).CheckInside(), &out, name)
		}
	})
}

func TestWhoMayNotLookIsToldSo(t *testing.T) {
	may := &UnresolvedError{"x", os.ErrPermission}
	assert.Empty(t, may.Hint(), "nothing is to be moved away")
	assert.EqualError(t, may, "look at x: permission denied")
}

func TestIterationNames(t *testing.T) {
	assert.Equal(t, "iteration-001", IterationName(1))
	assert.Equal(t, "iteration-1000", IterationName(1000))
	for name, want := range map[string]int{"iteration-001": 1, "iteration-1000": 1000, "iteration-7": 7, "iteration-000": 0} {
		n, ok := ParseIteration(name)
		assert.True(t, ok, name)
		assert.Equal(t, want, n, name)
	}
	for _, name := range []string{"iteration-", "iteration-1a", "iteration--1", "iteration-+1", "Iteration-001", "iteration-001.bak", "latest", "iteration-99999999999999999999"} {
		_, ok := ParseIteration(name)
		assert.False(t, ok, name)
	}
}

func TestIterationPaths(t *testing.T) {
	l := newLayout(t, t.TempDir(), Overrides{})
	it := l.Iteration(42)
	assert.Equal(t, ".ralph/artifacts/iteration-042/iteration-result.json", l.Rel(it.Result))
	assert.Equal(t, ".ralph/artifacts/iteration-042/preflight-summary.md", l.Rel(it.PreflightSummary))
	assert.Equal(t, l.Preflight(42), it.PreflightFiles)
	transcript, last := l.RunFiles("fix-failure", 7)
	assert.Equal(t, ".ralph/runs/fix-failure-007.transcript.md", l.Rel(transcript))
	assert.Equal(t, ".ralph/runs/fix-failure-007.last-message.md", l.Rel(last))
	assert.Equal(t, ".ralph/prompts/bootstrap-1000.prompt.md", l.Rel(l.PromptFile("bootstrap", 1000)))
	assert.Len(t, l.Latest().Paths(), 12)
}

func TestFoldersNamedByOthersArePlain(t *testing.T) {
	l := newLayout(t, t.TempDir(), Overrides{})
	dir, err := l.Bundle("run-i007-cli-20260317T120000Z")
	require.NoError(t, err)
	assert.Equal(t, ".ralph/artifacts/runs/run-i007-cli-20260317T120000Z", l.Rel(dir))
	for _, bad := range []string{"", ".", "..", "../x", "a/b", `a\b`, "/etc"} {
		_, err := l.TaskDir(bad)
		assert.ErrorContains(t, err, "plain name", bad)
	}
	for _, taken := range []string{"runs", "Watchdog", "task-seeding", "iteration-001", "ITERATION-1", "index.json", "index.json.lock", "cleanup-manifest-20260317", filepath.Base(l.Latest().Summary)} {
		_, err := l.TaskDir(taken)
		assert.ErrorContains(t, err, "files of the store are called so", taken)
	}
	dir, err = l.TaskDir("T1")
	require.NoError(t, err)
	assert.Equal(t, ".ralph/artifacts/T1", l.Rel(dir))
}
