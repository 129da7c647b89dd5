package ticks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/task"
	"ralphex/internal/ticks"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/convert"
	"ralphex/pkg/plan/origin"
)

const ralph = `{"version":2,"tasks":[
 {"id":"T1","title":"Storage","status":"in_progress"},
 {"id":"T1.1","title":"add the table","status":"todo","parentId":"T1","dependsOn":["T1.2"]},
 {"id":"T1.2","title":"write the migration","status":"todo","parentId":"T1"},
 {"id":"T2","title":"List the rows","status":"todo","dependsOn":["T1"]}]}`

const master = "{\n  \"master\": {\"tasks\": [\n\t{\"id\": 1, \"title\": \"Storage\",\"status\" : \"pending\", \"subtasks\": [\r\n" +
	`{"id":1,"title":"add the table","status":"in-progress","details":"\"status\":\"pending\""},{"id":2,"title":"é 𝒳","status":"completed"}]},` +
	"\n{\"status\":\"pending\",\"id\":2,\"title\":\"API\",\"subtasks\":[]}\n]},\n\"other\":{\"tasks\":[{\"id\":2,\"title\":\"Else\",\"status\":\"pending\",\"subtasks\":[]}]}}"

// made is a source on disk, and the plan that was made from it as convert --sync does.
func made(t *testing.T, format convert.Format, text string) (root, planText string, rec *origin.Record) {
	t.Helper()
	root = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "tasks.json"), []byte(text), 0o644))
	r, err := convert.Convert(convert.FromBytes("tasks.json", []byte(text)), convert.Options{From: format})
	require.NoError(t, err)
	var links []origin.Link
	for _, b := range r.Boxes {
		if b.Origin.ID != "" {
			links = append(links, origin.Link{Line: b.Origin.Line, Task: b.Task, Text: b.Text, ID: b.Origin.ID})
		}
	}
	rec, unlinked := origin.New([]origin.File{{Path: "tasks.json", Format: string(format), Content: []byte(text)}}, links)
	require.Empty(t, unlinked)
	attached := origin.Attach(r.Output, rec)
	again, err := origin.Read(attached)
	require.NoError(t, err)
	require.Equal(t, rec, again, "the comment holds it")
	return root, string(attached), rec
}

func push(t *testing.T, root, text string, rec *origin.Record) (origin.Report, error) {
	t.Helper()
	p, err := plan.ParsePlan([]byte(text))
	require.NoError(t, err)
	return rec.Push(t.Context(), p, root, nil, ticks.Sources{})
}

func tick(t *testing.T, text string, boxes ...string) string {
	t.Helper()
	for _, b := range boxes {
		require.Contains(t, text, "- [ ] "+b)
		text = strings.Replace(text, "- [ ] "+b, "- [x] "+b, 1)
	}
	return text
}

func ids(r origin.Report) (out []string) {
	for _, t := range r.Ticked {
		out = append(out, t.ID)
	}
	return out
}

func read(t *testing.T, root string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "tasks.json"))
	require.NoError(t, err)
	return string(b)
}

func TestStoreIsTickedThroughItsGraph(t *testing.T) {
	t.Parallel()
	root, text, rec := made(t, convert.Ralph, ralph)
	// T1.1 waits for T1.2, T2 for T1: neither may be done yet.
	report, err := push(t, root, tick(t, text, "T1.1 add the table", "List the rows"), rec)
	var refused *task.NotDoneError
	require.ErrorAs(t, err, &refused)
	assert.ErrorContains(t, err, "task T1.1 can't be done: it depends on tasks that are not done: T1.2 (todo)")
	assert.ErrorContains(t, err, "task T2 can't be done")
	assert.Empty(t, report.Ticked)
	assert.Equal(t, ralph, read(t, root), "not forced, and no byte written")

	report, err = push(t, root, tick(t, text, "T1.1 add the table", "T1.2 write the migration", "List the rows"), rec)
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"T1.1", "T1.2", "T2"}, ids(report))
	f, err := task.Parse([]byte(read(t, root)))
	require.NoError(t, err)
	assert.Equal(t, task.Counts{Done: 4}, task.NewGraph(f.Tasks).Counts(), "T1 with its parts")
	assert.EqualValues(t, 1, *f.MutationCount, "one write")
	assert.NoFileExists(t, filepath.Join(root, task.LockName))
	report, err = push(t, root, tick(t, text, "T1.1 add the table"), rec)
	require.NoError(t, err)
	assert.Equal(t, origin.Report{Before: 1}, report)
}

func TestStoreOfAnotherShapeIsLeftAlone(t *testing.T) {
	t.Parallel()
	root, text, rec := made(t, convert.Ralph, ralph)
	for name, now := range map[string]string{
		"gone":   strings.ReplaceAll(ralph, `"T1.2"`, `"T9"`),
		"broken": `{"tasks":[7]}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "tasks.json"), []byte(now), 0o644))
		_, err := push(t, root, tick(t, text, "T1.2 write the migration"), rec)
		require.Error(t, err, name)
		assert.Equal(t, now, read(t, root), name)
	}
}

func TestTaskMasterIsTickedByOneValue(t *testing.T) {
	t.Parallel()
	root, text, rec := made(t, convert.TaskMaster, master)
	report, err := push(t, root, tick(t, text, "1.1 add the table", "API"), rec)
	require.NoError(t, err)
	assert.Equal(t, []string{"1.1", "2"}, ids(report))
	assert.Equal(t, 1, report.Before)
	want := strings.Replace(master, `"status":"in-progress"`, `"status":"done"`, 1)
	want = strings.Replace(want, `{"status":"pending","id":2,"title":"API"`, `{"status":"done","id":2,"title":"API"`, 1)
	assert.Equal(t, want, read(t, root), "all other bytes stay")
}

func TestTaskMasterThatIsNotCertainIsLeftAlone(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, now, want string }{
		{"another title", strings.Replace(master, `"title":"API"`, `"title":"Interface"`, 1), "another title"},
		{"gone", strings.Replace(master, `"id":2,"title":"API"`, `"id":7,"title":"API"`, 1), "another title now"},
		{"two tags with it", strings.Replace(master, `"title":"Else"`, `"title":"API"`, 1), "2 tags"},
		{"a status that is none", strings.Replace(master, `{"status":"pending","id":2,"title":"API"`, `{"status":1,"id":2,"title":"API"`, 1), `no "status"`},
		{"no list", `{"master":[]}`, "no list of tasks"},
		{"no JSON", master + ",", "line"},
		{"byte order mark", "\ufeff" + master, "byte order mark"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, text, rec := made(t, convert.TaskMaster, master)
			require.NoError(t, os.WriteFile(filepath.Join(root, "tasks.json"), []byte(tt.now), 0o644))
			_, err := push(t, root, tick(t, text, "1.1 add the table", "API"), rec)
			require.ErrorContains(t, err, tt.want)
			assert.Equal(t, tt.now, read(t, root), "all or nothing")
		})
	}
}

func TestOtherFormatsAreRefused(t *testing.T) {
	t.Parallel()
	rec := &origin.Record{Sources: []origin.Source{{Path: "todo.json", Format: "todos"}}, Entries: []origin.Entry{{ID: "1", From: "x", To: "x"}}}
	require.ErrorIs(t, rec.Sources[0].Writable(t.TempDir(), ticks.Sources{}), origin.ErrStore)
	_, err := ticks.Sources{}.Tick(t.Context(), "x", "todos", nil)
	require.ErrorIs(t, err, origin.ErrStore)
}
