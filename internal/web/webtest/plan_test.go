package webtest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/cli/clitest"
)

// The run names a task by its position: 2.5 and 2a are no numbers, a task comes in front while the run goes on, and at the end the plan lies elsewhere.
func TestBrowserHighlightsByPosition(t *testing.T) {
	t.Parallel()
	const plan = "# P\n\n### Task 1: One\n- [ ] a\n\n### Task 2.5: Half\n- [ ] b\n\n### Task 2a: Letter\n- [ ] c\n"
	repo := planned(t, plan)
	_, at := serve(t, repo)
	run := clitest.Begin(t, repo, "session\n\twrite a.txt a\n\ttick next\nsession\n\twait-file .tmp/half\n\twrite b.txt b\n\ttick next\nsession\n\twait-file .tmp/letter\n\twrite c.txt c\n\ttick next\nsession *\n\twrite d.txt d\n\ttick next\n",
		[]string{"--tasks-only", "docs/plans/p.md"})
	p := newTab(t)
	p.open(at)
	active := `[...document.querySelectorAll('#plan [data-state=active]')].map((e) => e.dataset.taskNum + ' ' + e.querySelector('.task-title').textContent).join()`
	p.until(`%s === '2 Task 2.5: Half'`, raw(active))
	repo.Write(".tmp/half", "")
	p.until(`%s === '3 Task 2a: Letter'`, raw(active))
	p.until(`document.querySelectorAll('#plan [data-state=done]').length === 2`)

	// A person puts a task in front of all others: the one in work is the fourth now.
	now := repo.Read("docs/plans/p.md")
	repo.Write("docs/plans/p.md", "# P\n\n### Task 0: Before\n- [ ] z\n\n"+now[len("# P\n\n"):])
	p.until(`document.querySelectorAll('#plan [data-task-num]').length === 4`)
	repo.Write(".tmp/letter", "")
	run.Exits(0)
	p.until(`document.querySelector('.badge').dataset.state === 'completed'`)
	p.says("#plan", "archived as")
	p.until(`document.querySelectorAll('#plan [data-state=done]').length === 4`)
	assert.Empty(t, value[string](p, active))
}

// A run in a worktree of its own: the plan that is shown is the one that it ticks there.
func TestBrowserShowsThePlanOfAWorktree(t *testing.T) {
	t.Parallel()
	repo := planned(t, twoTasks)
	_, at := serve(t, repo)
	go_ := repo.Path(".tmp/go")
	run := clitest.Begin(t, repo, "session\n\twrite a.txt a\n\ttick next\nsession\n\twait-file "+go_+"\n\twrite b.txt b\n\ttick next\n", []string{"-t", "--worktree", "docs/plans/p.md"})
	p := newTab(t)
	p.open(at)
	p.until(`document.querySelector('#plan [data-task-num="2"]')?.dataset.state === 'active'`)
	p.until(`document.querySelector('#plan [data-task-num="1"]').dataset.state === 'done'`)
	assert.Contains(t, repo.Read("docs/plans/p.md"), "- [ ] count them", "the main checkout is as it was")
	repo.Write(".tmp/go", "")
	run.Exits(0)
	p.until(`document.querySelector('.badge').dataset.state === 'completed' && document.querySelectorAll('#plan [data-state=done]').length === 2`)
}
