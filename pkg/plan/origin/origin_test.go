package origin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
	"ralphex/pkg/plan/origin"
)

const source = "# Tasks\r\n\r\n## 1. Storage\r\n- [ ] 1.1 add the table\r\n- [x] 1.2 write the migration\r\n* [ ] same words\r\n\r\n## 2. API\r\n1. [ ] same words\r\n- no box at all\r\n- [ ] 2.2 lists the rows"

const converted = `# P

### Task 1: Storage
- [ ] 1.1 add the table
- [x] 1.2 write the migration
- [ ] same words
- [ ] write tests

### Task 2: API
- [ ] same words
- [ ] no box at all
- [ ] 2.2 lists the rows
`

var links = []origin.Link{
	{Line: 4, Task: "Storage", Text: "1.1 add the table"},
	{Line: 5, Task: "Storage", Text: "1.2 write the migration"},
	{Line: 6, Task: "Storage", Text: "same words"},
	{Line: 9, Task: "API", Text: "same words"},
	{Line: 10, Task: "API", Text: "no box at all"},
	{Line: 11, Task: "API", Text: "2.2 lists the rows"},
}

// place is a root with one source, and the plan that was made from it.
func place(t *testing.T) (root string, made []byte) {
	t.Helper()
	root = t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "spec -- x"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "spec -- x", "tasks.md"), []byte(source), 0o644))
	rec, unlinked := origin.New([]origin.File{{Path: "spec -- x/tasks.md", Format: "openspec", Content: []byte(source)}}, links)
	require.Equal(t, []origin.Link{links[4]}, unlinked, "an item without brackets has no byte to change")
	return root, origin.Attach([]byte(converted), rec)
}

func parse(t *testing.T, text string) *plan.Plan {
	t.Helper()
	p, err := plan.ParsePlan([]byte(text))
	require.NoError(t, err)
	return p
}

func tick(text string, boxes ...string) string {
	for _, b := range boxes {
		text = strings.Replace(text, "- [ ] "+b, "- [x] "+b, 1)
	}
	return text
}

func TestCommentIsReadBackAndShowsNowhere(t *testing.T) {
	t.Parallel()
	_, made := place(t)
	rec, err := origin.Read(made)
	require.NoError(t, err)
	assert.Equal(t, "spec -- x/tasks.md", rec.Sources[0].Path)
	assert.Len(t, rec.Entries, 5)
	assert.Equal(t, made, origin.Attach(made, rec), "attached twice is attached once")
	assert.Equal(t, converted, string(origin.Detach(made)))
	before, after := parse(t, converted), parse(t, string(made))
	assert.Equal(t, before.Problems, after.Problems, "the comment is nothing to a reader of plans")
	require.Len(t, after.Tasks, 2)
	assert.Equal(t, before.Tasks[1].Checkboxes[2].Text, after.Tasks[1].Checkboxes[2].Text)
	assert.Equal(t, 1, strings.Count(string(made), "-->"))
	crlf, err := origin.Read([]byte(strings.ReplaceAll(string(made), "\n", "\r\n")))
	require.NoError(t, err)
	assert.Equal(t, rec, crlf, "an editor that writes CRLF breaks nothing")
}

func TestPushChangesOneByteABox(t *testing.T) {
	t.Parallel()
	root, made := place(t)
	rec, err := origin.Read(made)
	require.NoError(t, err)
	text := tick(string(made), "1.1 add the table", "write tests", "no box at all", "2.2 lists the rows")
	report, err := rec.Push(t.Context(), parse(t, text), root, nil, nil)
	require.NoError(t, err)
	assert.Equal(t, origin.Report{Before: 1, Unlinked: 2, Ticked: []origin.Tick{
		{Path: "spec -- x/tasks.md", Line: 4, Text: "1.1 add the table"}, {Path: "spec -- x/tasks.md", Line: 11, Text: "2.2 lists the rows"}}}, report)
	got, err := os.ReadFile(filepath.Join(root, "spec -- x", "tasks.md"))
	require.NoError(t, err)
	want := strings.Replace(strings.Replace(source, "[ ] 1.1", "[x] 1.1", 1), "[ ] 2.2", "[x] 2.2", 1)
	assert.Equal(t, want, string(got))

	again, err := rec.Push(t.Context(), parse(t, text), root, nil, nil)
	require.NoError(t, err)
	assert.Empty(t, again.Ticked)
	assert.Equal(t, 3, again.Before)
}

func TestPushFollowsThePlanNotTheSource(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		plan string
		want []int // lines that are ticked
	}{
		{"same words in two tasks: the second", "### Task 1: Storage\n- [ ] same words\n### Task 2: API\n- [x] same words\n", []int{9}},
		{"tasks swapped and renumbered", "### Task 7: API\n- [x] same words\n### Task 8: Storage\n- [x] 1.1 add the table\n", []int{4, 9}},
		{"boxes put between", "### Task 1: Storage\n- [x] new\n- [x] 1.1 add the table\n- [x] new too\n", []int{4}},
		{"a title that was changed: nothing is guessed", "### Task 1: Store\n- [x] 1.1 add the table\n", nil},
		{"an open box never opens the source", "### Task 1: Storage\n- [ ] 1.2 write the migration\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, made := place(t)
			rec, err := origin.Read(made)
			require.NoError(t, err)
			report, err := rec.Push(t.Context(), parse(t, "# P\n"+tt.plan), root, nil, nil)
			require.NoError(t, err)
			var lines []int
			for _, k := range report.Ticked {
				lines = append(lines, k.Line)
			}
			assert.Equal(t, tt.want, lines)
			got, err := os.ReadFile(filepath.Join(root, "spec -- x", "tasks.md"))
			require.NoError(t, err)
			assert.Contains(t, string(got), "[x] 1.2")
		})
	}
}

func TestPushOfSomeTasksOnly(t *testing.T) {
	t.Parallel()
	root, made := place(t)
	rec, err := origin.Read(made)
	require.NoError(t, err)
	text := tick(string(made), "1.1 add the table", "2.2 lists the rows")
	report, err := rec.Push(t.Context(), parse(t, text), root, func(task plan.Task) bool { return task.Title == "API" }, nil)
	require.NoError(t, err)
	require.Len(t, report.Ticked, 1)
	assert.Equal(t, 11, report.Ticked[0].Line)
}

func TestLineOfSeveralBoxesWaitsForAll(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "t.md"), []byte("- [ ] both\n"), 0o644))
	rec, _ := origin.New([]origin.File{{Path: "t.md", Content: []byte("- [ ] both\n")}}, []origin.Link{{Line: 1, Task: "T", Text: "a"}, {Line: 1, Task: "T", Text: "b"}})
	report, err := rec.Push(t.Context(), parse(t, "# P\n### Task 1: T\n- [x] a\n- [ ] b\n"), root, nil, nil)
	require.NoError(t, err)
	assert.Empty(t, report.Ticked)
	report, err = rec.Push(t.Context(), parse(t, "# P\n### Task 1: T\n- [x] a\n- [x] b\n"), root, nil, nil)
	require.NoError(t, err)
	assert.NotEmpty(t, report.Ticked)
}

func TestPushRefusesWhatMoved(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		source string
		want   []string
	}{
		{"a line put above", "intro\r\n" + source, []string{"spec -- x/tasks.md:4: here was the box of \"1.1 add the table\", now the line is \"## 1. Storage\"; the box seems to be at line 5"}},
		{"other words", strings.Replace(source, "1.1 add", "1.1 drop", 1), []string{"spec -- x/tasks.md:4:", `now the line is "- [ ] 1.1 drop the table"`}},
		{"no box any more", strings.Replace(source, "- [ ] 1.1", "- 1.1", 1), []string{"spec -- x/tasks.md:4:"}},
		{"cut off", "# Tasks\n", []string{"the line is not there any more"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, made := place(t)
			path := filepath.Join(root, "spec -- x", "tasks.md")
			require.NoError(t, os.WriteFile(path, []byte(tt.source), 0o644))
			rec, err := origin.Read(made)
			require.NoError(t, err)
			report, err := rec.Push(t.Context(), parse(t, tick(string(made), "1.1 add the table", "2.2 lists the rows")), root, nil, nil)
			require.ErrorIs(t, err, origin.ErrMoved)
			for _, w := range tt.want {
				assert.ErrorContains(t, err, w)
			}
			assert.Empty(t, report.Ticked)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, tt.source, string(got), "all ticks of a source or none")
		})
	}
}

func TestPushTouchesOnlyWhatItMay(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret.md")
	require.NoError(t, os.WriteFile(outside, []byte("- [ ] a\n"), 0o644))
	root := t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(root, "link.md")))
	p := parse(t, "# P\n### Task 1: T\n- [x] a\n")
	for path, want := range map[string]string{
		"../secret.md":      "outside",
		"link.md":           "outside",
		"/etc/tasks.md":     "outside",
		"gone.md":           "no such file",
		".ralph/tasks.json": "no Markdown",
		"tasks.json":        "no Markdown",
	} {
		rec, _ := origin.New([]origin.File{{Path: path, Content: []byte("- [ ] a\n")}}, []origin.Link{{Line: 1, Task: "T", Text: "a"}})
		_, err := rec.Push(t.Context(), p, root, nil, nil)
		assert.ErrorContains(t, err, want, path)
	}
	got, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, "- [ ] a\n", string(got))
}

func TestStale(t *testing.T) {
	t.Parallel()
	root, made := place(t)
	rec, err := origin.Read(made)
	require.NoError(t, err)
	path := filepath.Join(root, "spec -- x", "tasks.md")
	stale := func(text string) []origin.Stale {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		got, err := rec.Stale(origin.FromDisk(root))
		require.NoError(t, err)
		return got
	}
	assert.Empty(t, stale(strings.ReplaceAll(source, "[ ]", "[x]")), "ticks are no change")
	assert.Empty(t, stale(strings.ReplaceAll(source, "\r\n", "\n")), "line ends are none")
	assert.Len(t, stale(source+"\n- [ ] 2.3 more"), 1)
	require.NoError(t, os.Remove(path))
	got, err := rec.Stale(origin.FromDisk(root))
	require.NoError(t, err)
	require.Len(t, got, 1)
	assert.True(t, got[0].Gone)
}

func TestSumOfJSONIgnoresStatus(t *testing.T) {
	t.Parallel()
	a, b := `{"id":1,"status": "pending"}`, `{"id":1,"status": "done"}`
	assert.Equal(t, origin.Sum("x/tasks.json", []byte(a)), origin.Sum("x/tasks.json", []byte(b)))
	assert.NotEqual(t, origin.Sum("tasks.md", []byte(a)), origin.Sum("tasks.md", []byte(b)))
	assert.NotEqual(t, origin.Sum("tasks.json", []byte(a)), origin.Sum("tasks.json", []byte(`{"id":2,"status": "done"}`)))
}

func TestReadOfBrokenComments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<!-- ralphex-origin 2\n-->\n":                     "version 2",
		"<!-- ralphex-origin x\n-->\n":                     "begins with",
		"# P\n<!-- ralphex-origin 1\nsource a b c":         "no end",
		"<!-- ralphex-origin 1\nbox 1 2 a b\n-->":          "line 2",
		"\n<!-- ralphex-origin 1\nwhatever\n-->":           "line 3",
		"<!-- ralphex-origin 1\nsource a b %zz\n-->":       "line 2",
		"<!-- ralphex-origin 1\nsource a b c\nbox 1 0 a b": "line 3",
	} {
		_, err := origin.Read([]byte(text))
		require.ErrorIs(t, err, origin.ErrRecord, text)
		assert.ErrorContains(t, err, want, text)
	}
	torn := "# P\n<!-- ralphex-origin 1\nsource a b c\nour own words -->\nmore\n"
	assert.Equal(t, torn, string(origin.Detach([]byte(torn))), "what can't be read is not taken away")
	rec, err := origin.Read([]byte("# P\n"))
	require.NoError(t, err)
	assert.Nil(t, rec)
}

func TestMark(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"- [ ] a":        "a",
		"\t* [X]  a b ":  "a b",
		"+ [x]":          "",
		"12. [-] a":      "a",
		"3) [~] a":       "a",
		"- [ ] T001 [P]": "T001 [P]",
		"- [ ] a\r":      "a",
	} {
		at, text, ok := origin.Mark(line)
		require.True(t, ok, line)
		assert.Equal(t, want, text, line)
		assert.Equal(t, byte('['), line[at-1], line)
	}
	for _, line := range []string{"", "-", "- ", "-[ ] a", "- [ ]a", "- [x](u)", "- []", "[ ] a", "1 [ ] a", "a. [ ] b", "- [ab] c", "- [ ", "- [y] a"} {
		_, _, ok := origin.Mark(line)
		assert.False(t, ok, line)
	}
}

func FuzzOrigin(f *testing.F) {
	f.Add(source, converted, "spec/tasks.md")
	f.Add("- [ ] a\n- [ ] a", "# P\n### Task 1: T\n- [x] a\n", "a --> b.md")
	f.Add("\xff", "<!-- ralphex-origin 1\n", "\x00")
	f.Fuzz(func(t *testing.T, src, text, path string) {
		if path == "" {
			return // a source has a name
		}
		var links []origin.Link
		p, err := plan.ParsePlan([]byte(text))
		if err != nil {
			return
		}
		n := strings.Count(src, "\n") + 2
		for i, task := range p.Tasks {
			for j, b := range task.Checkboxes {
				links = append(links, origin.Link{Line: (i*7 + j) % n, Task: task.Title, Text: b.Text})
			}
		}
		rec, _ := origin.New([]origin.File{{Path: path, Format: "x y", Content: []byte(src)}}, links)
		made := origin.Attach([]byte(text), rec)
		got, err := origin.Read(made)
		if err != nil || len(got.Sources) != 1 || got.Sources[0] != rec.Sources[0] || len(got.Entries) != len(rec.Entries) {
			t.Fatalf("%v: %+v is read as %+v", err, rec, got)
		}
		if again := origin.Attach(made, got); string(again) != string(made) {
			t.Fatalf("attached again it is other:\n%q\n%q", made, again)
		}
		_, _ = origin.Read([]byte(src))
	})
}
