package prd_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/prd"
	"ralphex/internal/ralph/task"
)

const objective = `# Audit log

Operators can see who changed what.

## Requirements

1. Store each change
   in one table.
   - who, what, when
   - append only
2. Show the changes and let people filter them
- [ ] Keep them for a year. Then delete.

## Acceptance criteria
- a change is on the page within a second

## Constraints
- no new runtime dependency

## Background
- src/audit/

## Validation commands
- ` + "`make test`" + `
- must be green
` + "```sh\n# all of it\nmake lint\n```\n"

func generate(t *testing.T, text string) *prd.Draft {
	t.Helper()
	d, err := prd.Generate(text)
	require.NoError(t, err)
	return d
}

func titles(d *prd.Draft) []string {
	var out []string
	for _, t := range d.Tasks {
		out = append(out, t.Title)
	}
	return out
}

func TestGenerate(t *testing.T) {
	t.Parallel()
	d := generate(t, objective)
	assert.Equal(t, "Audit log", d.Title)
	assert.Equal(t, objective, d.PRD)
	assert.Equal(t, []string{"Store each change in one table", "Show the changes and let people filter them", "Keep them for a year", "Verify the acceptance criteria"}, titles(d))
	first := d.Tasks[0]
	assert.Equal(t, task.Task{ID: "T1", Title: "Store each change in one table", Status: task.Todo, Validation: "make lint && make test",
		Acceptance: []string{"who, what, when", "append only"}, Constraints: []string{"no new runtime dependency"}, Context: []string{"src/audit/"}}, first)
	assert.Equal(t, "Then delete.", d.Tasks[2].Notes)
	assert.Equal(t, []string{"T2"}, d.Tasks[2].DependsOn)
	assert.Equal(t, []string{"a change is on the page within a second"}, d.Tasks[3].Acceptance)
	assert.Equal(t, []string{"no acceptance criteria: T2, T3", "several things in one task: T2, T3; ralphex task decompose ID cuts them"}, d.Warnings)
	assert.Equal(t, d, generate(t, objective), "the same again")
}

func TestGenerateOfLess(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Build a page that shows the weather. It is for Bern.":        {"Make the smallest working version: Build a page that shows the weather", "Complete and check: Build a page that shows the weather"},
		"# P\n\n## Login\nPeople sign in.\n- by mail\n\n## Logout\nx": {"Login", "Logout"},
		"- one\n- two":                       {"one", "two"},
		"# Only a title":                     {"Make the smallest working version: Only a title", "Complete and check: Only a title"},
		"## Goals\n\n## Goals\n* a\n\t* b":   {"a"},
		"```\n- not a task\n```\n- a task":   {"a task"},
		"Ünï " + strings.Repeat("wörd ", 40): nil,
	} {
		d := generate(t, text)
		if want != nil {
			assert.Equal(t, want, titles(d), text)
		}
		assert.True(t, strings.HasPrefix(d.PRD, "#"), text)
		assert.LessOrEqual(t, len([]rune(d.Title)), 81)
		for i, task := range d.Tasks {
			assert.Equal(t, i > 0, len(task.DependsOn) == 1)
		}
	}
	_, err := prd.Generate(" \n\ufeff")
	require.ErrorIs(t, err, prd.ErrBlank)
}

// place is a workspace folder with these files.
func place(t *testing.T, files map[string]string) (dir string, s task.Store) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir, task.At(filepath.Join(dir, "tasks.json"))
}

// files are the contents of all files below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	}))
	return out
}

func TestWriteWritesTwoFilesAndNoMore(t *testing.T) {
	t.Parallel()
	dir, s := place(t, map[string]string{"progress.md": "mine", "settings.json": "{}", "prd.md": "<!-- write here -->\n", "tasks.json": `{"version":2,"tasks":[],"mutationCount":4}`})
	d := generate(t, objective)
	w, err := prd.Write(t.Context(), filepath.Join(dir, "prd.md"), s, d, false)
	require.NoError(t, err)
	assert.True(t, w.PRD && w.Tasks.Wrote)
	got := files(t, dir)
	assert.Equal(t, objective, got["prd.md"])
	f, err := task.Parse([]byte(got["tasks.json"]))
	require.NoError(t, err)
	assert.Len(t, f.Tasks, 4)
	assert.EqualValues(t, 5, *f.MutationCount)
	delete(got, "prd.md")
	delete(got, "tasks.json")
	assert.Equal(t, map[string]string{"progress.md": "mine", "settings.json": "{}"}, got)
	w, err = prd.Write(t.Context(), filepath.Join(dir, "prd.md"), s, d, false)
	require.NoError(t, err, "the same again is nothing new")
	assert.False(t, w.PRD || w.Tasks.Wrote)
}

func TestWriteIsAllOrNothing(t *testing.T) {
	t.Parallel()
	const tasks = `{"version":2,"tasks":[{"id":"A","title":"mine","status":"todo"}]}`
	for name, tt := range map[string]struct {
		files  map[string]string
		draft  func(*prd.Draft)
		replay bool
	}{
		"an objective":       {files: map[string]string{"prd.md": "# Mine\n"}},
		"tasks":              {files: map[string]string{"tasks.json": tasks}},
		"a broken task file": {files: map[string]string{"tasks.json": `{"tasks":[`}, replay: true},
		"no tasks":           {draft: func(d *prd.Draft) { d.Tasks = nil }, replay: true},
		"two of one id":      {draft: func(d *prd.Draft) { d.Tasks[1].ID = "T1" }, replay: true},
		"a held lock":        {files: map[string]string{"tasks.lock": ""}, replay: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := place(t, tt.files)
			before := files(t, dir)
			d := generate(t, objective)
			if tt.draft != nil {
				tt.draft(d)
			}
			_, err := prd.Write(context.Background(), filepath.Join(dir, "prd.md"), s, d, false)
			require.Error(t, err)
			assert.Equal(t, before, files(t, dir))
			_, err = prd.Write(context.Background(), filepath.Join(dir, "prd.md"), s, d, true)
			if tt.replay {
				require.Error(t, err)
				assert.Equal(t, before, files(t, dir))
				return
			}
			require.NoError(t, err, "the person confirmed")
		})
	}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	_, s := place(t, map[string]string{"tasks.json": `{"version":2,"tasks":[{"id":"T1","title":"mine","status":"todo"}]}`})
	c, err := prd.Append(t.Context(), s, generate(t, "- one\n- two"))
	require.NoError(t, err)
	assert.Equal(t, []string{"T2", "T3"}, c.Changed)
	assert.Equal(t, []string{"T2"}, c.File.Tasks[2].DependsOn, "T1 of the draft is T2 here")
	assert.NotEmpty(t, c.Warnings)
}

func TestStepsOfAPipeline(t *testing.T) {
	t.Parallel()
	_, s := place(t, map[string]string{"tasks.json": `{"version":2,"tasks":[]}`})
	steps, err := prd.Steps(objective)
	require.NoError(t, err)
	_, err = s.Append(t.Context(), []*task.Draft{task.BuildPipelineRoot("P", "Audit log", "from the PRD")})
	require.NoError(t, err)
	c, err := s.ApplySuggestedChildren(t.Context(), "P", task.BuildPipelineChildren("P", "", steps))
	require.NoError(t, err)
	assert.Equal(t, []string{"P.1", "P.2", "P.3", "P.4"}, c.File.Tasks[0].DependsOn)
	assert.Equal(t, []string{"P.2"}, c.File.Tasks[3].DependsOn)
	assert.Equal(t, "make lint && make test", c.File.Tasks[1].Validation)
}

func FuzzGenerate(f *testing.F) {
	f.Add(objective)
	f.Add("\xff- \x00\n\t- x\n#\n```\n~~~\n1) [x]")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := prd.Generate(text)
		if err != nil {
			return
		}
		file := task.File{Tasks: d.Tasks}
		if _, err := task.Parse(task.Stringify(&file)); err != nil {
			t.Fatalf("the draft can't be read back: %v", err)
		}
	})
}
