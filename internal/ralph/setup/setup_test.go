package setup

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
)

var noon = time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)

func place(t *testing.T, o layout.Overrides) layout.Layout {
	t.Helper()
	l, err := layout.New(t.TempDir(), o)
	require.NoError(t, err)
	return l
}

func write(t *testing.T, l layout.Layout, name, text string) {
	t.Helper()
	at := filepath.Join(l.Root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o750))
	require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// tree is every file below the workspace with its bytes and time.
func tree(t *testing.T, l layout.Layout) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(l.Root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		fi, _ := d.Info()
		out[l.Rel(path)] = fi.ModTime().String() + "\n" + read(t, path)
		return nil
	}))
	return out
}

func TestA01_InitMakesAWorkspace(t *testing.T) {
	l := place(t, layout.Overrides{})
	made, err := Init(t.Context(), l, "", noon)
	require.NoError(t, err)
	assert.Equal(t, []string{".ralph/prd.md", ".ralph/tasks.json", ".ralph/progress.md", ".ralph/.gitignore"}, made.Created[:4])
	assert.Len(t, made.Created, 13, "and the nine files of the doctrine")
	assert.Equal(t, "{\n  \"version\": 2,\n  \"tasks\": []\n}\n", read(t, l.Tasks))
	assert.Empty(t, read(t, l.Progress))
	assert.Regexp(t, `^<!-- .* -->\n$`, read(t, l.PRD))
	assert.Equal(t, "/artifacts\n/done-task-audit*.md\n/logs\n/prompts\n/runs\n/state.json\n/events\n/daemon\n/*.lock\n", read(t, l.Ignore))
	assert.Equal(t, doctrine.Healthy, doctrine.Inspect(l).Health)
	assert.NoFileExists(t, l.TasksLock())
}

func TestA02_InitRefusesWhereThereIsAnObjective(t *testing.T) {
	for name, text := range map[string]string{"with text": "# Goal\n", "empty": ""} {
		t.Run(name, func(t *testing.T) {
			l := place(t, layout.Overrides{})
			write(t, l, ".ralph/prd.md", text)
			before := tree(t, l)
			_, err := Init(t.Context(), l, "another goal", noon)
			var init *InitializedError
			require.ErrorAs(t, err, &init)
			assert.Contains(t, err.Error(), "objective exists")
			assert.Equal(t, before, tree(t, l))
		})
	}
	t.Run("moved", func(t *testing.T) {
		l := place(t, layout.Overrides{PRD: "docs/goal.md"})
		write(t, l, "docs/goal.md", "# Goal\n")
		before := tree(t, l)
		_, err := Init(t.Context(), l, "", noon)
		assert.ErrorContains(t, err, "docs/goal.md")
		assert.Equal(t, before, tree(t, l))
	})
}

func TestA03_InitKeepsWhatIsThere(t *testing.T) {
	l := place(t, layout.Overrides{})
	kept := map[string]string{".ralph/doctrine/risks.md": "mine", ".ralph/tasks.json": "{\"tasks\": [1]}", ".ralph/progress.md": "day one\n", ".ralph/.gitignore": "/private\n"}
	for name, text := range kept {
		write(t, l, name, text)
	}
	before := tree(t, l)
	made, err := Init(t.Context(), l, "Build it.", noon)
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{".ralph/doctrine/risks.md", ".ralph/tasks.json", ".ralph/progress.md", ".ralph/.gitignore"}, made.Present)
	after := tree(t, l)
	for name := range kept {
		assert.Equal(t, before[name], after[name], name)
	}
	assert.Equal(t, "# Objective\n\nBuild it.\n", read(t, l.PRD))
}

func TestInitAfterAPlanRun(t *testing.T) {
	l := place(t, layout.Overrides{})
	write(t, l, ".ralph/.gitignore", "*\n")
	write(t, l, ".ralph/events/run.jsonl", "{}\n")
	made, err := Init(t.Context(), l, "# Mine\n\ntext\n\n", noon)
	require.NoError(t, err)
	assert.Equal(t, []string{".ralph/.gitignore"}, made.Replaced, "the star would hide the workspace from git")
	assert.Contains(t, read(t, l.Ignore), "/events\n")
	assert.Equal(t, "{}\n", read(t, filepath.Join(l.Ralph, "events", "run.jsonl")))
	assert.Equal(t, "# Mine\n\ntext\n", read(t, l.PRD))
}

func TestInitFillsABlankTaskFile(t *testing.T) {
	l := place(t, layout.Overrides{})
	write(t, l, ".ralph/tasks.json", " \n")
	_, err := Init(t.Context(), l, "", noon)
	require.NoError(t, err)
	assert.Contains(t, read(t, l.Tasks), `"version": 2`)
}

func TestInitMovesWithItsSettings(t *testing.T) {
	l := place(t, layout.Overrides{PRD: "docs/goal.md", Tasks: "plan/tasks.json"})
	_, err := Init(t.Context(), l, "x", noon)
	require.NoError(t, err)
	assert.FileExists(t, filepath.Join(l.Root, "docs", "goal.md"))
	assert.FileExists(t, filepath.Join(l.Root, "plan", "tasks.json"))
	assert.NoFileExists(t, l.InitGuard())
}

func TestInitWritesNothingOutside(t *testing.T) {
	l := place(t, layout.Overrides{Tasks: "../tasks.json"})
	_, err := Init(t.Context(), l, "", noon)
	var out *layout.OutsideError
	require.ErrorAs(t, err, &out)
	assert.Empty(t, tree(t, l))
}

func TestInitNamesAHeldLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := place(t, layout.Overrides{})
		write(t, l, ".ralph/tasks.lock", "")
		_, err := Init(t.Context(), l, "", noon)
		var timeout *lock.TimeoutError
		require.ErrorAs(t, err, &timeout)
		assert.Equal(t, 11, timeout.Result.Attempts)
		assert.NoFileExists(t, l.Tasks)
		assert.FileExists(t, l.TasksLock(), "somebody else's lock stays")
	})
}

// used is a workspace with every kind of file.
func used(t *testing.T) layout.Layout {
	t.Helper()
	l := place(t, layout.Overrides{})
	_, err := Init(t.Context(), l, "Goal.", noon)
	require.NoError(t, err)
	for _, name := range []string{"claims.json", "agents/a.json", "handoffs/h.json", "memory-summary.md", "dead-letter.json", "structure.json", "settings.json",
		"events/r.jsonl", "prompts/iteration-001.prompt.md", "runs/iteration-001.transcript.md", "handoff/a-001.json", "logs/extension.log",
		"artifacts/iteration-001/summary.md", "artifacts/index.json", "artifacts/cleanup-manifest.json", "artifacts/runs/run-i001/provenance-bundle.json", "state.json"} {
		write(t, l, ".ralph/"+name, "{}\n")
	}
	return l
}

func TestA64_ResetKeepsWhatPeopleWrote(t *testing.T) {
	l := used(t)
	before := tree(t, l)
	plan, err := PlanReset(l, nil, false)
	require.NoError(t, err)
	assert.Equal(t, before, tree(t, l), "planning changes nothing")
	assert.Equal(t, []Removal{{".ralph/prompts", 1, 3}, {".ralph/runs", 1, 3}, {".ralph/handoff", 1, 3}, {".ralph/logs", 1, 3}, {".ralph/artifacts", 4, 12},
		{".ralph/state.json", 1, 3}}, plan.Remove)
	require.NoError(t, plan.Apply(t.Context(), l))
	after := tree(t, l)
	for _, gone := range plan.Remove {
		assert.NoFileExists(t, filepath.Join(l.Root, filepath.FromSlash(gone.Path)))
	}
	for _, name := range []string{"prd.md", "progress.md", "tasks.json", "claims.json", "doctrine/invariants.md", "agents/a.json", "handoffs/h.json", "memory-summary.md",
		"dead-letter.json", "structure.json", "settings.json", "events/r.jsonl", ".gitignore"} {
		assert.Equal(t, before[".ralph/"+name], after[".ralph/"+name], name)
		assert.NotEmpty(t, after[".ralph/"+name], name)
	}
	assert.Len(t, after, len(before)-9)

	again, err := PlanReset(l, nil, false)
	require.NoError(t, err)
	assert.Empty(t, again.Remove)
}

func TestResetRefusesWhileSomebodyWorks(t *testing.T) {
	l := used(t)
	claim := func(provenance, status, at string) {
		write(t, l, ".ralph/claims.json", `{"version":1,"claims":[{"taskId":"T1","agentId":"a","provenanceId":"`+provenance+`","claimedAt":"`+at+`","status":"`+status+`"}]}`)
	}
	for name, row := range map[string]struct {
		provenance, status, at string
		works                  bool
	}{
		"active":   {"run-i001-cli-x", "active", "2026-03-17T11:00:00.000Z", true},
		"no date":  {"run-i001-cli-x", "active", "yesterday", true},
		"unknown":  {"run-i001-cli-x", "whatever", "2026-03-17T11:00:00.000Z", true},
		"stale":    {"run-i001-cli-x", "active", "2026-03-16T11:00:00.000Z", false},
		"released": {"run-i001-cli-x", "released", "2026-03-17T11:00:00.000Z", false},
		"editor":   {"run-i001-ide-x", "active", "2026-03-17T11:00:00.000Z", false},
	} {
		t.Run(name, func(t *testing.T) {
			claim(row.provenance, row.status, row.at)
			holders, err := ActiveHolders(l, 24*time.Hour, noon)
			require.NoError(t, err)
			assert.Equal(t, row.works, len(holders) == 1)
			_, err = PlanReset(l, holders, false)
			var claimed *ClaimedError
			assert.Equal(t, row.works, assertAs(err, &claimed))
			_, err = PlanReset(l, holders, true)
			assert.NoError(t, err, "forced")
		})
	}
	write(t, l, ".ralph/claims.json", "{")
	_, err := ActiveHolders(l, 24*time.Hour, noon)
	assert.ErrorContains(t, err, ".ralph/claims.json")
}

func assertAs(err error, target **ClaimedError) bool {
	c, ok := err.(*ClaimedError) //nolint:errorlint // it is returned bare
	*target = c
	return ok
}

func TestResetRemovesNoFolderThatHoldsMore(t *testing.T) {
	for name, o := range map[string]layout.Overrides{
		"the workspace": {Artifacts: "."},
		"the store":     {Artifacts: ".ralph"},
		"the PRD":       {Artifacts: "docs", PRD: "docs/goal.md"},
		"the tasks":     {Tasks: ".ralph/runs/tasks.json"},
	} {
		t.Run(name, func(t *testing.T) {
			l := place(t, o)
			_, err := Init(t.Context(), l, "x", noon)
			require.NoError(t, err)
			_, err = PlanReset(l, nil, true)
			var kept *KeptInsideError
			require.ErrorAs(t, err, &kept)
		})
	}
	_, err := PlanReset(place(t, layout.Overrides{Artifacts: "../elsewhere"}), nil, true)
	var out *layout.OutsideError
	require.ErrorAs(t, err, &out)
}

func TestResetRemovesALinkAndNotWhereItLeads(t *testing.T) {
	l := used(t)
	docs := filepath.Join(l.Root, "docs")
	write(t, l, "docs/book.md", "mine")
	require.NoError(t, os.RemoveAll(l.Logs))
	if err := os.Symlink(docs, l.Logs); err != nil {
		t.Skip("no symlinks here:", err)
	}
	plan, err := PlanReset(l, nil, false)
	require.NoError(t, err)
	require.NoError(t, plan.Apply(context.Background(), l))
	assert.NoFileExists(t, l.Logs)
	assert.Equal(t, "mine", read(t, filepath.Join(docs, "book.md")))
}
