package planimport_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/planimport"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/plan"
)

const login = `# Add login

## Validation Commands
- ` + "`go test ./...`" + `
- $ go vet ./...

### Task 1: Form
- [ ] the page
- [ ] write tests

### Task 2: Session
- [ ] the cookie
- [ ] (manual) ask legal

### Task 2.5: Logout
- [ ] the button
`

const loginPath = "docs/plans/20260129-add-login.md"

func store(t *testing.T, text string) task.Store {
	t.Helper()
	s := task.At(filepath.Join(t.TempDir(), "tasks.json"))
	require.NoError(t, os.WriteFile(s.Path, []byte(text), 0o644))
	return s
}

func empty(t *testing.T) task.Store { return store(t, `{"version":2,"tasks":[]}`) }

func parse(t *testing.T, text string) *plan.Plan {
	t.Helper()
	p, err := plan.ParsePlan([]byte(text))
	require.NoError(t, err)
	return p
}

func load(t *testing.T, s task.Store, text string) *planimport.Result {
	t.Helper()
	r, err := planimport.Import(t.Context(), s, parse(t, text), planimport.Options{Path: loginPath})
	require.NoError(t, err)
	return r
}

// show is a file as lines "id status dependsOn".
func show(f *task.File) []string {
	var out []string
	for _, t := range f.Tasks {
		id := strings.Replace(t.ID, "plan_20260129_add_login", "root", 1)
		deps := strings.ReplaceAll(strings.Join(t.DependsOn, ","), "plan_20260129_add_login", "root")
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", id, t.Status, deps)))
	}
	return out
}

func tick(text string, boxes ...string) string {
	for _, b := range boxes {
		text = strings.Replace(text, "- [ ] "+b, "- [x] "+b, 1)
	}
	return text
}

func bytes(t *testing.T, s task.Store) string {
	t.Helper()
	b, err := os.ReadFile(s.Path)
	require.NoError(t, err)
	return string(b)
}

func TestFirstImport(t *testing.T) {
	t.Parallel()
	s := store(t, `{"version":2,"tasks":[{"id":"T1","title":"mine","status":"todo"}]}`)
	r := load(t, s, login)
	assert.Equal(t, []string{"T1 todo", "root in_progress root.1,root.2,root.2.5", "root.1 todo", "root.2 todo root.1", "root.2.5 todo root.2"}, show(r.File))
	root, one := r.File.Tasks[1], r.File.Tasks[2]
	assert.Equal(t, "Add login", root.Title)
	assert.Contains(t, root.Notes, "Plan: "+loginPath+"\n")
	assert.Contains(t, root.Notes, "the file is what counts")
	assert.Empty(t, root.Validation)
	assert.Empty(t, root.ParentID)
	assert.Equal(t, "go test ./... && go vet ./...", one.Validation)
	assert.Equal(t, []string{"the page", "write tests"}, one.Acceptance)
	assert.Equal(t, root.ID, one.ParentID)
	assert.Equal(t, planimport.Child{Position: 3, PlanID: "2.5", TaskID: root.ID + ".2.5", Status: task.Todo}, r.Children[2])
	assert.Len(t, r.Changed, 4)

	before := bytes(t, s)
	again := load(t, s, login)
	assert.False(t, again.Wrote, "nothing is new")
	assert.Equal(t, before, bytes(t, s))
}

func TestStatusesFollowTheBoxes(t *testing.T) {
	t.Parallel()
	s := empty(t)
	load(t, s, login)
	step := func(text string, want ...string) *planimport.Result {
		t.Helper()
		count := *r0(t, s).MutationCount
		r := load(t, s, text)
		assert.Equal(t, want, show(r.File))
		assert.EqualValues(t, count+1, *r.File.MutationCount, "one write")
		return r
	}
	const all = "root in_progress root.1,root.2,root.2.5"
	step(tick(login, "the page"), all, "root.1 in_progress", "root.2 todo root.1", "root.2.5 todo root.2")
	step(tick(login, "the page", "write tests"), all, "root.1 done", "root.2 todo root.1", "root.2.5 todo root.2")
	r := step(tick(login, "the page", "write tests", "the button"), all, "root.1 done", "root.2 todo root.1", "root.2.5 in_progress root.2")
	assert.Contains(t, strings.Join(r.Warnings, "\n"), "can't be done", "ticked ahead is a claim")
	// What is left for a person is not done, and the tasks behind it don't wait.
	r = step(tick(login, "the page", "write tests", "the cookie", "the button"), all, "root.1 done", "root.2 blocked root.1", "root.2.5 done root.1")
	assert.Equal(t, "1 box of it is left for a person.", r.File.Tasks[2].Blocker)
	r = step(tick(login, "the page", "write tests", "the cookie", "(manual) ask legal", "the button"),
		"root done root.1,root.2,root.2.5", "root.1 done", "root.2 done root.1", "root.2.5 done root.2")
	assert.Empty(t, r.File.Tasks[2].Blocker)
	r = step(tick(login, "the page", "write tests", "the cookie", "(manual) ask legal"), all, "root.1 done", "root.2 done root.1", "root.2.5 todo root.2")
	assert.Contains(t, strings.Join(r.Warnings, "\n"), "was done", "a reopened task reopens the root in the same write")
}

// r0 is the file as it is.
func r0(t *testing.T, s task.Store) *task.File {
	t.Helper()
	f, err := task.Parse([]byte(bytes(t, s)))
	require.NoError(t, err)
	return f
}

func TestUnprovenTicksAreClaims(t *testing.T) {
	t.Parallel()
	s := empty(t)
	proven := map[string]bool{"1": true}
	r, err := planimport.Import(t.Context(), s, parse(t, tick(login, "the page", "write tests", "the button")),
		planimport.Options{Path: loginPath, Proven: func(t plan.Task) bool { return proven[t.ID] }})
	require.NoError(t, err)
	assert.Equal(t, []string{"root in_progress root.1,root.2,root.2.5", "root.1 done", "root.2 todo root.1", "root.2.5 in_progress root.2"}, show(r.File))
}

func TestIDsAreStable(t *testing.T) {
	t.Parallel()
	s := empty(t)
	load(t, s, tick(login, "the page", "write tests"))
	// A task put in front, the others renumbered, one with another title.
	text := strings.NewReplacer("### Task 1: Form", "### Task 1: Design\n- [ ] a sketch\n\n### Task 2: Form", "### Task 2: Session", "### Task 3: Session", "Task 2.5: Logout", "Task 2.5: Leave").
		Replace(tick(login, "the page", "write tests"))
	r := load(t, s, text)
	assert.Equal(t, []string{"root in_progress root.1,root.2,root.2.5,root.1_2", "root.1 in_progress root.1_2", "root.2 todo root.1", "root.2.5 todo root.2", "root.1_2 todo"}, show(r.File))
	assert.Equal(t, "Leave", r.File.Tasks[3].Title)
	assert.Equal(t, "Task 3 of "+loginPath, r.File.Tasks[2].Notes)
	assert.NotEmpty(t, r.Warnings, "done behind a task that is not: told")

	// Archived: the same root.
	r, err := planimport.Import(t.Context(), s, parse(t, text), planimport.Options{Path: "docs/plans/completed/20260129-add-login.md"})
	require.NoError(t, err)
	assert.Len(t, r.File.Tasks, 5)
	assert.Contains(t, r.File.Tasks[0].Notes, "completed/")

	// A plan of the same name elsewhere is another plan.
	r, err = planimport.Import(t.Context(), s, parse(t, login), planimport.Options{Path: "other/20260129-add-login.md"})
	require.NoError(t, err)
	assert.Equal(t, "plan_20260129_add_login_2", r.Root)
}

func TestWhatIsGoneFromThePlanIsNotLost(t *testing.T) {
	t.Parallel()
	s := empty(t)
	load(t, s, login)
	_, err := s.Set(t.Context(), "plan_20260129_add_login.2", "notes", "my own words")
	require.NoError(t, err)
	short := strings.Replace(login, "### Task 2: Session\n- [ ] the cookie\n- [ ] (manual) ask legal\n\n", "", 1)
	r := load(t, s, short)
	assert.Equal(t, []string{"root in_progress root.1,root.2.5", "root.1 todo", "root.2 blocked root.1", "root.2.5 todo root.1"}, show(r.File))
	assert.Equal(t, []string{"plan_20260129_add_login.2"}, r.Gone)
	assert.Empty(t, r.File.Tasks[2].ParentID)
	assert.Equal(t, "my own words", r.File.Tasks[2].Notes)
	assert.False(t, load(t, s, short).Wrote, "once")
	r = load(t, s, login)
	assert.Equal(t, []string{"root in_progress root.1,root.2.5,root.2", "root.1 todo", "root.2 todo root.1", "root.2.5 todo root.2"}, show(r.File), "back again")
	assert.Equal(t, "my own words", r.File.Tasks[2].Notes)
	assert.Empty(t, r.File.Tasks[2].Blocker)
}

// A task that is done when the plan loses it is history: it stays where it is, and as it is.
func TestDoneTasksOutliveTheirPlan(t *testing.T) {
	t.Parallel()
	s := empty(t)
	load(t, s, login)
	r := load(t, s, tick(login, "the page", "write tests"))
	require.Equal(t, task.Done, r.File.Tasks[1].Status, "%v", show(r.File))
	was := r.File.Tasks[1]
	_, rest, found := strings.Cut(login, "### Task 2")
	require.True(t, found)
	head, _, found := strings.Cut(login, "### Task 1")
	require.True(t, found)
	r = load(t, s, head+"### Task 2"+rest)
	assert.Equal(t, []string{was.ID}, r.Gone)
	assert.Equal(t, was.Status, r.File.Tasks[1].Status)
	assert.Equal(t, was.ParentID, r.File.Tasks[1].ParentID)
	assert.Empty(t, r.File.Tasks[1].Blocker)
}

func TestWhatPeopleAddStays(t *testing.T) {
	t.Parallel()
	s := empty(t)
	load(t, s, login)
	const one = "plan_20260129_add_login.1"
	_, err := s.Block(t.Context(), one, "the designer is ill")
	require.NoError(t, err)
	_, err = s.Set(t.Context(), one, "priority", "high")
	require.NoError(t, err)
	r := load(t, s, tick(login, "the page"))
	assert.Equal(t, task.Blocked, r.File.Tasks[1].Status)
	assert.Equal(t, "the designer is ill", r.File.Tasks[1].Blocker)
	assert.Equal(t, task.High, r.File.Tasks[1].Priority)
	d := new(task.Draft)
	d.Set("title", "a part of the page")
	_, err = s.Add(t.Context(), d, task.AddOptions{Parent: one, ID: "PART"})
	require.NoError(t, err)
	r = load(t, s, tick(login, "the page", "write tests"))
	assert.Equal(t, task.Blocked, r.File.Tasks[1].Status, "boxes are ticked, and a part of it is not done")
	assert.Contains(t, strings.Join(r.Warnings, "\n"), "PART (todo)")
	_, err = s.Done(t.Context(), "PART")
	require.NoError(t, err)
	r = load(t, s, tick(login, "the page", "write tests"))
	assert.Equal(t, task.Done, r.File.Tasks[1].Status)
}

func TestImportNeedsTasksAndAFile(t *testing.T) {
	t.Parallel()
	_, err := planimport.Import(t.Context(), empty(t), parse(t, "# P\n"), planimport.Options{Path: "p.md"})
	require.ErrorIs(t, err, planimport.ErrNoTasks)
	var blank *task.BlankError
	_, err = planimport.Import(t.Context(), store(t, ""), parse(t, login), planimport.Options{Path: "p.md"})
	require.ErrorAs(t, err, &blank)
	broken := store(t, `{"tasks":[1]}`)
	_, err = planimport.Import(t.Context(), broken, parse(t, login), planimport.Options{Path: "p.md"})
	var invalid *task.InvalidError
	require.ErrorAs(t, err, &invalid)
	assert.Equal(t, `{"tasks":[1]}`, bytes(t, broken))
}

func TestOddPlans(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"same numbers":  "# P\n### Task 1: a\n- [ ] x\n### Task 1: b\n- [ ] y\n### Task 1: a\n- [ ] z\n",
		"no boxes":      "# P\n### Task 1: a\nwords\n### Task 2: b\n- [x] y\n",
		"all ticked":    "# P\n### Task 1: a\n- [x] x\n### Task 2: b\n- [x] y\n",
		"odd ids":       "# P\n### Task 2a: a\n- [x] x\n### Task 2.5: b\n- [ ] y\n",
		"sample":        "# P\n### Task 1: a\n- [ ] `- [ ]`\n- [x] x\n",
		"several lines": "# P\n## Validation Commands\n```sh\na\nb\n```\n### Task 1: a\n- [ ] x\n",
	} {
		s := empty(t)
		r := load(t, s, text)
		assert.Len(t, r.File.Tasks, 1+len(r.Children), name)
		assert.False(t, load(t, s, text).Wrote, name)
		switch name {
		case "all ticked":
			assert.Equal(t, task.Done, r.File.Tasks[0].Status)
		case "no boxes":
			assert.Equal(t, []string{"root in_progress root.1,root.2", "root.1 todo", "root.2 done"}, show(r.File))
		case "several lines":
			assert.Contains(t, r.Warnings[0], "several lines")
		}
	}
	assert.Equal(t, "plan", planimport.RootID("docs/plans/数.md"))
}
