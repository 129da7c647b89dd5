package webtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/event"
)

// Text of others in each place where the page shows any: it is shown, and stays text.
func TestBrowserShowsHostileTextAsText(t *testing.T) {
	t.Parallel()
	n := 0
	evil := func(where string) string {
		n++
		return fmt.Sprintf(`%s<script>alert(%d)</script>"><img src=x onerror=alert(%d)><svg onload=alert(%d)>'{{7*7}}javascript:alert(1)`, where, n, n, n)
	}
	repo := planned(t, "# "+evil("plan title")+"\n\n### Task 1: "+evil("task title")+"\n- [ ] "+evil("box")+"\n- [x] b\n")
	start := strings.TrimSpace(repo.Git("rev-parse", "HEAD"))
	repo.Git("checkout", "-q", "-b", "x")
	repo.Write("a'\"<b>&.txt", evil("diff")+"\n")
	rev := repo.Commit("evil")
	fact := func(d event.Data) event.Event { return event.Event{Phase: event.PhaseTask, Task: 1, Data: d} }
	rtl := "\u202egnp.exe\u202c \u0000 \x1b[31mred\x1b[0m " + strings.Repeat("W", 10_000)
	written(t, repo, "20260129-090000-bbbbbb",
		fact(event.RunStart{Plan: repo.Path("docs/plans/p.md"), Mode: "full", Branch: "x", Executor: evil("executor"), Host: evil("host"), Version: evil("version"), PID: 1, Tasks: 1, StartHead: start,
			Commands: []event.Command{}, Dirty: []string{evil("dirty")}}),
		fact(event.TaskStart{ID: "1", Title: evil("task"), Open: 1, Total: 2, Attempt: 1}),
		fact(event.NewTaskIterationSection(1)),
		fact(event.SessionStart{N: 1, Executor: evil("agent"), Model: evil("model")}),
		fact(event.Output{Text: evil("output")}), fact(event.Output{Text: rtl}),
		fact(event.Output{Text: evil("tool"), Source: event.FromTool}), fact(event.Output{Text: evil("stderr"), Source: event.FromStderr}),
		fact(event.Note{Level: event.Error, Text: evil("note"), Hint: evil("hint")}),
		fact(event.Tick{Box: 1, Text: evil("tick"), Checked: true, By: "agent"}),
		fact(event.SessionEnd{N: 1, Exit: evil("exit"), Cause: evil("cause"), Failure: evil("failure"), Message: evil("message"), Usage: event.Usage{InputTokens: 10}, Models: map[string]event.Usage{evil("used"): {InputTokens: 10}}}),
		fact(event.GateStart{Commands: 1}),
		fact(event.GateCommand{Command: evil("command"), Exit: 1, Cause: evil("why"), Tail: evil("tail")}),
		fact(event.GateEnd{Commands: 1}),
		fact(event.Commit{Rev: rev, Message: evil("message"), By: "agent", Paths: []string{evil("path")}}),
		fact(event.Section{Type: event.SectionGeneric, Label: evil("section")}),
		fact(event.Finding{What: "found", ID: "f1", File: evil("file"), Line: 3, Severity: "major", Text: evil("finding"), Source: evil("source"), Reviewer: evil("reviewer"), Disposition: "open", Reason: evil("reason"), Round: 1}),
		fact(event.Wait{For: 1, Reason: evil("wait"), Agent: evil("whose")}),
		fact(event.Switch{From: evil("from"), To: evil("to"), Why: evil("because")}),
		fact(event.Asked{Question: evil("question"), Options: []string{evil("option"), "b"}, Context: evil("context")}),
		fact(event.Draft{N: 1, Text: "# " + evil("draft") + "\n[a](javascript:alert(1)) ![b](x) <b>c</b>\n", Problems: []string{evil("problem")}}),
		fact(event.RunEnd{Outcome: event.Failed, Exit: 1, Reason: evil("end")}),
	)
	_, at := serve(t, repo)
	p := newTab(t)
	p.open(at)
	p.until(`document.querySelectorAll('#log .log-rows .sec').length > 0`)
	p.do(blur)
	p.press("e", home)
	p.until(`%s.some((l) => l.startsWith('output<script>'))`, raw(lines))
	p.says("#plan", "task title<script>")
	seen := map[string]string{"log": "output<script>", "timeline": "", "cost": "", "findings": "finding<script>", "changes": "diff<script>", "gates": "command<script>", "trust": ""}
	for view, text := range seen {
		p.do(evaluate(`document.querySelector('[data-view=%s]').click()`, raw(view)))
		p.until(`document.querySelector('[data-view=%s]').getAttribute('aria-selected') === 'true' && document.querySelector('#view > *')`, raw(view))
		if text != "" && view != "log" {
			p.says("#view", text)
		}
		assert.Equal(t, 1440, value[int](p, `document.scrollingElement.scrollWidth`), "the layout holds in %s", view)
		assert.Zero(t, value[int](p, `document.querySelectorAll('img, iframe, object, embed, body script:not([src^="/static/"]), a[href^="javascript:"], [onerror], [onload]').length`), view)
	}
	assert.Equal(t, value[int](p, `document.querySelectorAll('head script').length`), value[int](p, `document.querySelectorAll('script').length`))
}
