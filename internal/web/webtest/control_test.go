package webtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/cli/clitest"
	"ralphex/internal/journal"
	"ralphex/pkg/event"
	"ralphex/pkg/vcs/vcstest"
)

// orders are those that the only run of a repository has had: "pause by anna at the dashboard".
func orders(t *testing.T, repo *vcstest.Repo) (all []string) {
	t.Helper()
	files, err := filepath.Glob(repo.Path(".ralph/events/*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	for e, err := range journal.Events(files[0]) {
		require.NoError(t, err)
		if o, ok := e.Data.(event.Order); ok {
			all = append(all, o.What+" by "+o.By)
		}
	}
	return all
}

// tell opens the menu of a run, picks an order, and goes through its dialog, if it has one.
func (p *tab) tell(verb, chosen string) {
	p.tb.Helper()
	p.until(`document.querySelector('#controls') && !document.querySelector('dialog[open]')`)
	p.do(blur)
	p.press("m")
	p.click(`#controls [role=menuitem][data-verb="` + verb + `"]`)
	if chosen != "" {
		choice := fill(`[...document.querySelectorAll('dialog[open] label')].find((l) => l.innerText.trim().startsWith(%s))`, []any{chosen})
		p.until(choice)
		p.do(evaluate(choice + ".click()"))
	}
	if chosen != "" || verb == "skip" {
		p.click("dialog[open] [data-do]")
		p.until(`!document.querySelector('dialog[open]')`)
	}
}

// Each order that a run takes, given by buttons; the journal says who gave it.
func TestBrowserSteersARun(t *testing.T) {
	t.Parallel()
	repo := planned(t, "# P\n\n### Task 1: One\n- [ ] a\n\n### Task 2: Two\n- [ ] b\n\n### Task 3: Three\n- [ ] c\n")
	script := "session\n\tsay one begins\n\thang\nsession\n\tprompt-to .tmp/prompt\n\twrite a.txt a\n\ttick next\nsession\n\tsay two begins\n\thang\nsession *\n\tsay three begins\n\thang\n"
	_, at := serve(t, repo)
	run := clitest.Begin(t, repo, script, []string{"-t", "--max-cost", "5", "docs/plans/p.md"})
	p := newTab(t)
	p.open(at)
	p.until(`%s.includes('one begins')`, raw(lines))

	p.tell("pause", "now")
	p.until(`document.querySelector('.badge').dataset.state === 'paused'`)
	p.do(blur)
	p.press("m")
	p.click(`#controls [role=menuitem][data-verb=note]`)
	p.fills("dialog[open] textarea", "mind the gap")
	p.click("dialog[open] [data-do]")
	p.until(`!document.querySelector('dialog[open]')`)
	p.do(blur)
	p.press("m")
	p.click(`#controls [role=menuitem][data-verb=budget]`)
	p.fills("dialog[open] input", "2.5")
	p.click("dialog[open] [data-do]")
	p.says("#say", "it may use $7.50")
	p.until(`!document.querySelector('dialog[open]')`)
	p.click(".banner [data-verb=resume]")
	p.until(`%s.includes('two begins')`, raw(lines))
	prompt, err := os.ReadFile(repo.Path(".tmp/prompt"))
	require.NoError(t, err)
	assert.Contains(t, string(prompt), "mind the gap")

	p.until(`document.querySelector('#plan [data-task-num="2"]').dataset.state === 'active'`) // what is skipped is the task that is shown
	p.tell("skip", "")
	p.until(`%s.includes('three begins')`, raw(lines))
	p.until(`document.querySelector('#plan [data-task-num="2"]').dataset.state === 'skipped'`)
	p.tell("stop", "now")
	<-run.Ended
	p.until(`['aborted', 'failed', 'completed'].includes(document.querySelector('.badge').dataset.state)`)
	p.until(`!document.querySelector('#controls')`)
	for i, what := range []string{"pause", "resume", "skip", "stop"} {
		assert.Contains(t, orders(t, repo), what+" by anna at the dashboard", i)
	}
}

// A run that waits for a usage limit tries again when the page says so, and its journal names who said it.
func TestBrowserEndsAWait(t *testing.T) {
	t.Parallel()
	repo := planned(t, "# P\n\n### Task 1: One\n- [ ] a\n")
	_, at := serve(t, repo)
	clitest.Begin(t, repo, "session\n\tlimit\nsession\n\twrite a.txt a\n\ttick next\n", []string{"-t", "--wait", "1h", "docs/plans/p.md"})
	p := newTab(t)
	p.open(at)
	p.until(`document.querySelector('.badge')?.dataset.state === 'waiting'`)
	p.click(`#controls [data-verb=retry-now]`)
	p.until(`document.querySelector('.badge').dataset.state === 'completed'`)
	p.until(`%s.some((l) => l.includes('retry-now: ordered by') && l.includes('at the dashboard'))`, raw(lines))
}

// A question and two drafts, decided in the page; the plan is what was accepted.
func TestBrowserAnswersAQuestionAndADraft(t *testing.T) {
	t.Parallel()
	repo := planned(t, twoTasks)
	plan := clitest.Plan("Greet people. <script>alert(1)</script><img src=x onerror=alert(2)> [me](javascript:alert(3))")
	script := "session\n\tsay <<<RALPHEX:QUESTION>>>\\n{\"question\": \"Which greeting? <img src=x onerror=alert(4)>\", \"options\": [\"Hi<svg onload=alert(5)>\", \"Hello\"]}\\n<<<RALPHEX:END>>>\n" +
		"session\n\tprompt-to .tmp/prompt2\n" + clitest.Draft(plan) +
		"session\n\tprompt-to .tmp/prompt3\n" + clitest.Draft(plan+"- [ ] be polite\n")
	at := clitest.Begin(t, repo, script, []string{"--plan", "greet people", "--no-run", "--serve", "--port", "0"}).At()
	p := newTab(t)
	p.open(at)
	injected := `document.querySelectorAll(':is(.banner, dialog) :is(img, script, svg[onload], a[href^="javascript"])').length`
	p.says("[data-need=question]", "Which greeting? <img src=x onerror=alert(4)>")
	p.says("[data-need=question]", "Hi<svg onload=alert(5)>")
	assert.Zero(t, value[int](p, injected))
	p.do(evaluate(`[...document.querySelectorAll('[data-need=question] label')].find((l) => l.innerText.trim() === 'Hello').click()`))
	p.click("[data-verb=answer]")
	p.says(".banner", "Draft 1 of the plan")
	p.click(".banner button")
	p.says("dialog[open] .draft", "<script>alert(1)</script><img src=x onerror=alert(2)>")
	assert.Zero(t, value[int](p, injected))
	p.click("[data-action=revise]")
	p.fills("dialog[open] textarea", "be polite")
	p.click("[data-action=send]")
	p.says(".banner", "Draft 2 of the plan")
	p.click(".banner button")
	p.says("dialog[open] .draft", "be polite")
	p.click("[data-action=accept]")
	p.until(`document.querySelector('.badge').dataset.state === 'completed'`)
	for file, want := range map[string]string{".tmp/prompt2": "Hello", ".tmp/prompt3": "be polite"} {
		prompt, err := os.ReadFile(repo.Path(file))
		require.NoError(t, err)
		assert.Contains(t, string(prompt), want)
	}
	plans, err := filepath.Glob(repo.Path("docs/plans/*greetings.md"))
	require.NoError(t, err)
	require.Len(t, plans, 1)
	text, err := os.ReadFile(plans[0])
	require.NoError(t, err)
	assert.Contains(t, string(text), "- [ ] be polite")
}

// A draft that is rejected in the page is no plan: the run ends and says so, nothing lies in the tree, and the journal names who it was.
func TestBrowserRejectsADraft(t *testing.T) {
	t.Parallel()
	repo := planned(t, twoTasks)
	run := clitest.Begin(t, repo, "session\n"+clitest.Draft(clitest.Plan("Greet people.")), []string{"--plan", "greet people", "--no-run", "--serve", "--port", "0"})
	p := newTab(t)
	p.open(run.At())
	p.says(".banner", "Draft 1 of the plan")
	p.click(".banner button")
	p.says("dialog[open] .draft", "Greet people.")
	p.click("[data-action=reject]")
	p.says("dialog[open] [role=alert]", "No plan is made")
	p.expects("net::ERR_") // the server ends with its run
	p.click("[data-action=send]")
	run.Exits(1)
	assert.Contains(t, run.All(), "user rejected plan")
	plans, err := filepath.Glob(repo.Path("docs/plans/*greetings.md"))
	require.NoError(t, err)
	assert.Empty(t, plans)
	assert.Empty(t, repo.Git("status", "--porcelain"))
	assert.Contains(t, orders(t, repo), "draft by anna at the dashboard")
	p.until(`document.querySelector('#connection').dataset.state !== 'live'`)
}
