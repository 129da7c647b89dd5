package task

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

// storeOf is a store in a fresh folder with this text as its file.
func storeOf(t testing.TB, text string) Store {
	t.Helper()
	s := Store{Path: filepath.Join(t.TempDir(), "tasks.json"), Budget: lock.Budget{Retries: 4000, Delay: 5 * time.Millisecond}}
	require.NoError(t, os.WriteFile(s.Path, []byte(text), 0o644))
	return s
}

// storeWith is a store of tasks in the notation of graph.
func storeWith(t testing.TB, lines ...string) Store {
	t.Helper()
	return storeOf(t, string(Stringify(&File{Tasks: graph(t, lines...)})))
}

func (s Store) bytes(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile(s.Path)
	require.NoError(t, err)
	return string(b)
}

// show is the file in the notation of graph.
func (s Store) show(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, task := range mustParse(t, s.bytes(t)).Tasks {
		line := task.ID + " " + string(task.Status)
		if task.ParentID != "" || len(task.DependsOn) > 0 {
			line += " " + or(task.ParentID, "-")
		}
		if len(task.DependsOn) > 0 {
			line += " " + strings.Join(task.DependsOn, ",")
		}
		out = append(out, line)
	}
	return out
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func draft(pairs ...any) *Draft { return stable.NewObject(pairs...) }

func TestA17ABlankFileIsSeededUnderTheLock(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " \n\t", "\ufeff"} {
		s := storeOf(t, text)
		in, wrote, err := s.Migrate(t.Context())
		require.NoError(t, err)
		assert.True(t, in.Blank && wrote)
		f := mustParse(t, s.bytes(t))
		require.Len(t, f.Tasks, 2)
		for i, task := range f.Tasks {
			assert.Equal(t, fmt.Sprintf("T%d todo", i+1), s.show(t)[i])
			assert.NotEmpty(t, task.Notes)
		}
		assert.Nil(t, f.MutationCount, "seeding is no mutation")
		assert.NoFileExists(t, LockPath(s.Path))
	}
	held := storeOf(t, "")
	held.Budget = lock.Budget{Retries: 1}
	require.NoError(t, os.WriteFile(LockPath(held.Path), nil, 0o644))
	_, _, err := held.Migrate(t.Context())
	var timeout *lock.TimeoutError
	require.ErrorAs(t, err, &timeout)
	assert.Empty(t, held.bytes(t), "not without the lock")
}

func TestMigrateWritesWhatIsNotCanonical(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"legacy":     `{"tasks":[{"id":"A","title":"a","status":"todo"}]}`,
		"misspelled": file(`{"id":"A","title":"a","status":"todo","donecriteria":["x"]}`),
		"repaired":   file(`{"id":"P","title":"p","status":"done"}`, `{"id":"A","title":"a","status":"todo","parentId":"P"}`),
		"one line":   file(`{"id":"A","title":"a","status":"todo"}`),
	} {
		s := storeOf(t, text)
		in, err := s.Read(t.Context())
		require.NoError(t, err)
		assert.True(t, in.Migrated(), name)
		assert.Equal(t, text, s.bytes(t), "%s: reading writes nothing", name)
		assert.NoFileExists(t, LockPath(s.Path))
		_, wrote, err := s.Migrate(t.Context())
		require.NoError(t, err)
		assert.True(t, wrote, name)
		assert.Equal(t, string(Stringify(in.File)), s.bytes(t), name)
		_, wrote, err = s.Migrate(t.Context())
		require.NoError(t, err)
		assert.False(t, wrote, "%s: once", name)
	}
	for name, text := range map[string]string{
		"A16 invalid entry": file(`{"id":"A","title":"a"}`), "drift": file(`{"id":"P","title":"p","status":"done"}`, `{"id":"A","title":"a","status":"blocked","parentId":"P"}`),
		"no JSON": `{"tasks":[`,
	} {
		s := storeOf(t, text)
		in, wrote, err := s.Migrate(t.Context())
		require.NoError(t, err)
		assert.False(t, wrote, name)
		assert.Error(t, in.Err(s.Path), name)
		assert.Equal(t, text, s.bytes(t), name)
	}
}

func TestReadOfAHalfWrittenFileLooksAgain(t *testing.T) {
	t.Parallel()
	s := storeOf(t, `{"version":2,"tasks":[`)
	held, _, err := lock.Acquire(t.Context(), LockPath(s.Path), lock.Tasks)
	require.NoError(t, err)
	done := make(chan *Inspection)
	go func() {
		in, _ := s.Read(context.Background())
		done <- in
	}()
	require.NoError(t, os.WriteFile(s.Path, []byte(file(`{"id":"A","title":"a","status":"todo"}`)), 0o644))
	require.NoError(t, held.Release())
	assert.NotNil(t, (<-done).File, "what the other program was writing")

	s = storeOf(t, " ")
	s.Budget = lock.Budget{Retries: 1}
	require.NoError(t, os.WriteFile(LockPath(s.Path), nil, 0o644))
	_, err = s.Read(t.Context())
	assert.ErrorContains(t, err, "its lock is held")
	require.NoError(t, os.WriteFile(s.Path, []byte(`{`), 0o644))
	in, err := s.Read(t.Context())
	require.NoError(t, err)
	assert.Error(t, in.Err(""), "a broken file is told as it is")
	gone := At(filepath.Join(t.TempDir(), "no", "tasks.json"))
	in, err = gone.Read(t.Context())
	require.NoError(t, err)
	assert.True(t, in.Blank)
	assert.NoDirExists(t, filepath.Dir(gone.Path))
}

func TestA26ConcurrentAppendsAllLand(t *testing.T) {
	t.Parallel()
	s := storeOf(t, `{"version":2,"tasks":[],"mutationCount":3}`)
	const n = 20
	var wg sync.WaitGroup
	errs := make(chan error, n)
	for i := range n {
		wg.Go(func() {
			_, err := s.Append(context.Background(), []*Draft{draft("id", fmt.Sprintf("T%d", i+1), "title", "t")})
			errs <- err
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	f := mustParse(t, s.bytes(t))
	assert.Len(t, f.Tasks, n)
	assert.EqualValues(t, 3+n, *f.MutationCount)
	assert.NoFileExists(t, LockPath(s.Path))
}

func TestAppendAndReplace(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "A todo")
	before := s.bytes(t)
	c, err := s.Append(t.Context(), nil)
	require.NoError(t, err)
	assert.False(t, c.Wrote)
	c, err = s.Append(t.Context(), []*Draft{draft("id", "B", "title", "b", "rationale", "why", "suggestedValidationCommand", "make test",
		"dependencies", &stable.Array{Items: []any{stable.NewObject("taskId", "A"), "A"}}, "tier", "simple", "validation", nil, "status", nil)})
	require.NoError(t, err)
	assert.Equal(t, []string{"B"}, c.Changed)
	got := c.File.Tasks[1]
	got.Source = nil
	assert.Equal(t, Task{ID: "B", Title: "b", Status: Todo, DependsOn: []string{"A"}, Notes: "why", Validation: "make test", Tier: Simple}, got)
	after := s.bytes(t)
	assert.NotEqual(t, before, after)
	for name, d := range map[string]*Draft{
		"no title": draft("id", "C"), "taken id": draft("id", "A", "title", "x"), "depends on nothing": draft("id", "C", "title", "x", "dependsOn", array([]string{"Z"})),
		"bad status": draft("id", "C", "title", "x", "status", "open"), "done behind open": draft("id", "C", "title", "x", "status", "done", "dependsOn", array([]string{"A"})),
	} {
		_, err := s.Append(t.Context(), []*Draft{d})
		assert.Error(t, err, name)
		assert.Equal(t, after, s.bytes(t), name)
	}
	var blank *BlankError
	_, err = storeOf(t, "\n").Append(t.Context(), []*Draft{draft("id", "B", "title", "b")})
	require.ErrorAs(t, err, &blank)

	c, err = s.Replace(t.Context(), []*Draft{draft("id", "N", "title", "n")})
	require.NoError(t, err)
	assert.Equal(t, []string{"A", "B"}, c.Removed)
	assert.EqualValues(t, 2, *c.File.MutationCount, "it goes on")
	_, err = s.Replace(t.Context(), nil)
	require.Error(t, err)
	broken := storeOf(t, `{"tasks":[7]}`)
	_, err = broken.Replace(t.Context(), []*Draft{draft("id", "N", "title", "n")})
	var invalid *InvalidError
	require.ErrorAs(t, err, &invalid, "what nobody could read is not overwritten")
	assert.Equal(t, `{"tasks":[7]}`, broken.bytes(t))
	fresh := storeOf(t, "")
	_, err = fresh.Replace(t.Context(), []*Draft{draft("id", "N", "title", "n")})
	require.NoError(t, err)
	assert.Equal(t, []string{"N todo"}, fresh.show(t))
}

func child(id, parent string, deps ...string) SuggestedChild {
	c := SuggestedChild{ID: id, Title: id, ParentID: parent, Rationale: "because"}
	for _, d := range deps {
		c.DependsOn = append(c.DependsOn, SuggestedDependency{d, BlocksSequence})
	}
	return c
}

func TestA23BadProposalsChangeNothing(t *testing.T) {
	t.Parallel()
	base := []string{"P todo - D", "D todo", "X todo"}
	tests := []struct {
		name     string
		parent   string
		children []SuggestedChild
		want     string
	}{
		{"no parent", "Q", []SuggestedChild{child("Q.1", "Q")}, "does not exist"},
		{"empty", "P", nil, "empty"},
		{"other parent", "P", []SuggestedChild{child("P.1", "X")}, `"X"`},
		{"no parent named", "P", []SuggestedChild{child("P.1", "")}, `""`},
		{"the parent's id", "P", []SuggestedChild{child("P", "P")}, "id of its parent"},
		{"repeated", "P", []SuggestedChild{child("P.1", "P"), child("P.1", "P")}, "P.1 is taken"},
		{"taken", "P", []SuggestedChild{child("X", "P")}, "X is taken"},
		{"unknown dependency", "P", []SuggestedChild{child("P.1", "P", "P.2")}, "P.2, which does not exist"},
		{"circle", "P", []SuggestedChild{child("P.1", "P", "P.2"), child("P.2", "P", "P.1")}, "circle"},
		{"a child that waits for its parent, which waits for it", "P", []SuggestedChild{child("P.1", "P", "P")}, "circle"},
		{"no title", "P", []SuggestedChild{{ID: "P.1", ParentID: "P"}}, `"title"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := storeWith(t, base...)
			before := s.bytes(t)
			_, err := s.ApplySuggestedChildren(t.Context(), tt.parent, tt.children)
			var refused *ProposalError
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, err.Error(), tt.want)
			assert.Equal(t, before, s.bytes(t))
		})
	}
}

func TestA24Application(t *testing.T) {
	t.Parallel()
	for status, want := range map[Status]Status{Todo: InProgress, Done: InProgress, InProgress: InProgress, Blocked: Blocked} {
		s := storeWith(t, "D done", "P "+string(status)+" - D", "X todo")
		_, err := s.Set(t.Context(), "P", "mode", "documentation")
		require.NoError(t, err)
		_, err = s.Set(t.Context(), "P", "validation", "make docs")
		require.NoError(t, err)
		one, none := child("P.1", "P", "D"), child("P.2", "P", "P.1")
		own := "make one"
		one.Validation, one.Tier, one.Acceptance = &own, Simple, []string{"seen"}
		c, err := s.ApplySuggestedChildren(t.Context(), "P", []SuggestedChild{one, none})
		require.NoError(t, err)
		assert.Equal(t, []string{"P", "P.1", "P.2"}, c.Changed)
		assert.Equal(t, []string{"D done", "P " + string(want) + " - D,P.1,P.2", "X todo", "P.1 todo P D", "P.2 todo P P.1"}, s.show(t))
		first, second := c.File.Tasks[3], c.File.Tasks[4]
		assert.Equal(t, []string{"make one", "make docs"}, []string{first.Validation, second.Validation}, "null is inherited")
		assert.Equal(t, []Mode{Documentation, Documentation}, []Mode{first.Mode, second.Mode})
		assert.Equal(t, "because", first.Notes)
		assert.Equal(t, Simple, first.Tier)
		assert.Equal(t, []string{"seen"}, first.Acceptance)
	}
}

func TestA25Seeding(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "T1 done", "T2 todo")
	const response = "Sure:\n```json\n{\"tasks\":[]}\n```\nbetter:\n```json\n" + `{"tasks":[
 {"id":"T2","title":"first","status":"done","parentId":"T1","suggestedValidationCommand":"make a"},
 {"id":"","title":"second","dependsOn":["T2"]},
 {"id":"F.1","title":"third","dependsOn":[{"taskId":"T2"},"T1"]},
 {"id":"F.1","title":"fourth","acceptance":["x"]}]}` + "\n```\n"
	artifacts := t.TempDir()
	var prompt string
	o := Seeding{Request: "a feature with key-secret", Artifacts: artifacts, Now: time.Date(2026, 3, 17, 12, 0, 0, 5e6, time.UTC),
		Provider: SeedProvider{ID: "p", Model: "m"}, Launch: SeedLaunch{Dir: "/w", Args: []string{"--key", "key-secret"}},
		Redact: func(s string) string { return strings.ReplaceAll(s, "key-secret", "[redacted]") },
		Ask:    func(_ context.Context, p string) (string, error) { prompt = p; return response + "key-secret", nil }}
	out, err := s.Seed(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, []string{"T1 done", "T2 todo", "T3 todo", "T4 todo - T3", "F.1 todo - T3,T1", "T5 todo"}, s.show(t))
	assert.Equal(t, []string{"T3", "T4", "F.1", "T5"}, out.IDs)
	assert.Len(t, out.Warnings, 4, "three ids, one parent")
	assert.Equal(t, "make a", out.File.Tasks[2].Validation)
	assert.Contains(t, prompt, "- T2 (todo) T2")
	assert.Contains(t, prompt, "complete when the source is complete")

	assert.Equal(t, filepath.Join(artifacts, "task-seeding", "task-seeding-2026-03-17T12-00-00-005Z.json"), out.Evidence)
	text, err := os.ReadFile(out.Evidence)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "key-secret")
	e, err := stable.ParseObject(text)
	require.NoError(t, err)
	assert.Equal(t, []string{"schemaVersion", "kind", "createdAt", "sourceRequest", "provider", "launchMetadata", "taskDrafts", "warnings", "responseText"}, e.Keys())

	before := s.bytes(t)
	for name, bad := range map[string]string{"prose": "no", "no tasks": "```json\n{\"tasks\":[]}\n```", "no title": "```json\n{\"tasks\":[{\"id\":\"A\"}]}\n```", "no object": "```json\n{\"tasks\":[1]}\n```"} {
		o.Now = o.Now.Add(time.Second)
		o.Ask = func(context.Context, string) (string, error) { return bad, nil }
		_, err := s.Seed(t.Context(), o)
		require.ErrorIs(t, err, ErrNoSeeds, name)
		assert.Equal(t, before, s.bytes(t), name)
	}
	kept, err := filepath.Glob(filepath.Join(artifacts, "task-seeding", "*"))
	require.NoError(t, err)
	assert.Len(t, kept, 5, "an answer that can't be read is evidence, too")
	boom := errors.New("boom")
	o.Ask = func(context.Context, string) (string, error) { return "", boom }
	_, err = s.Seed(t.Context(), o)
	require.ErrorIs(t, err, boom)
	var many []string
	for i := range 9 {
		many = append(many, fmt.Sprintf(`{"id":"M%d","title":"m"}`, i))
	}
	o.Ask = func(context.Context, string) (string, error) {
		return `{"tasks":[` + strings.Join(many, ",") + `]}`, nil
	}
	out, err = s.Seed(t.Context(), o)
	require.NoError(t, err, "many tasks are a warning")
	assert.Len(t, out.Warnings, 1)
}

func (s Store) dir() string { return filepath.Dir(s.Path) }

func TestMakeGivesABlankFileAnEmptyGraph(t *testing.T) {
	s := At(filepath.Join(t.TempDir(), "new", "tasks.json"))
	made, err := s.Make(t.Context())
	require.NoError(t, err)
	assert.True(t, made)
	assert.Equal(t, "{\n  \"version\": 2,\n  \"tasks\": []\n}\n", s.bytes(t))
	for _, text := range []string{s.bytes(t), "{\"version\": 2, \"tasks\": [ ]}", "{broken", "[]"} {
		s := storeOf(t, text)
		made, err := s.Make(t.Context())
		require.NoError(t, err)
		assert.False(t, made)
		assert.Equal(t, text, s.bytes(t))
	}
}
