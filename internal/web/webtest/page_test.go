package webtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs/vcstest"
)

// ended is a repository with the journal of a run that is over: two tasks, a review, 60 lines of text in each.
func ended(t *testing.T) *vcstest.Repo {
	t.Helper()
	repo := planned(t, "# Words\n\n### Task 1: Count\n- [x] count them\n\n### Task 2: Show\n- [x] show them\n")
	start := repo.Git("rev-parse", "HEAD")
	repo.Git("checkout", "-q", "-b", "words")
	repo.Write("count.sh", "wc -w\n")
	repo.Commit("count")
	const id = event.RunID("20260129-090000-aaaaaa")
	fact := func(phase event.Phase, task int, d event.Data) event.Event {
		return event.Event{Phase: phase, Task: task, Data: d}
	}
	facts := []event.Event{fact(event.PhaseTask, 0, event.RunStart{Plan: repo.Path("docs/plans/p.md"), Mode: "full", Branch: "words", Executor: "claude", PID: 1, Tasks: 2, StartHead: strings.TrimSpace(start)})}
	for task, title := range []string{"Count", "Show"} {
		facts = append(facts, fact(event.PhaseTask, task+1, event.TaskStart{ID: fmt.Sprint(task + 1), Title: title, Open: 1, Total: 1, Attempt: 1}),
			fact(event.PhaseTask, task+1, event.NewTaskIterationSection(task+1)),
			fact(event.PhaseTask, task+1, event.SessionStart{N: task + 1, Executor: "claude"}))
		for i := range 60 {
			facts = append(facts, fact(event.PhaseTask, task+1, event.Output{Text: fmt.Sprintf("%s line %d", title, i)}))
		}
		facts = append(facts, fact(event.PhaseTask, task+1, event.Output{Text: "Bash: go test ./...", Source: event.FromTool}),
			fact(event.PhaseTask, task+1, event.Output{Text: "ok everything", Source: event.FromCommand}),
			fact(event.PhaseTask, task+1, event.Note{Level: event.Warn, Text: "mind the gap"}),
			fact(event.PhaseTask, task+1, event.SessionEnd{N: task + 1, Exit: "exit 0"}),
			fact(event.PhaseTask, task+1, event.TaskEnd{ID: fmt.Sprint(task + 1), Title: title, Outcome: event.Done}))
	}
	facts = append(facts, fact(event.PhaseReview, 0, event.NewReviewSection("claude", 0)))
	for i := range 60 {
		facts = append(facts, fact(event.PhaseReview, 0, event.Output{Text: fmt.Sprintf("Review line %d", i)}))
	}
	facts = append(facts, fact(event.PhaseReview, 0, event.RunEnd{Outcome: event.Done}))
	written(t, repo, id, facts...)
	return repo
}

// expanded are the sections of the log that are open, by the text of their headings.
const expanded = `[...document.querySelectorAll('#log .log-rows .sec-main[aria-expanded=true] .sec-title')].map((e) => e.textContent)`

// The keys of the public dashboard, each with what a person sees of it.
func TestBrowserKeys(t *testing.T) {
	t.Parallel()
	_, at := serve(t, ended(t))
	p := newTab(t)
	p.open(at)
	p.until(`document.querySelectorAll('#log .log-rows .ln').length > 0`)
	p.do(blur)

	p.press("c")
	p.until(`%s.length === 0 && document.querySelectorAll('#log .log-rows .sec').length === 4`, raw(expanded))
	p.press("e", home)
	p.until(`%s.length > 0`, raw(expanded))
	p.press("c", home, "j")
	p.until(`document.activeElement.matches('#log .sec-main')`)
	first := value[string](p, `document.activeElement.querySelector('.sec-title').textContent`)
	p.press("j")
	p.until(`document.activeElement.querySelector('.sec-title').textContent !== %s`, first)
	p.press("k")
	p.until(`document.activeElement.querySelector('.sec-title').textContent === %s`, first)
	p.press(" ")
	p.until(`document.activeElement.getAttribute('aria-expanded') === 'true'`)
	p.press(kb.Enter)
	p.until(`document.activeElement.getAttribute('aria-expanded') === 'false'`)

	for key, panel := range map[string]string{"p": "plan", "P": "plan", "s": "runs", "S": "runs"} {
		before := value[bool](p, `document.getElementById(%s).inert`, panel)
		p.press(key)
		p.until(`document.getElementById(%s).inert === !%t`, panel, before)
		kept := map[string]string{"plan": "planCollapsed", "runs": "sidebarCollapsed"}[panel]
		p.until(`localStorage.getItem(%s) === String(document.getElementById(%s).inert)`, kept, panel)
	}
	p.press("g")
	p.until(`localStorage.getItem('sessionViewMode') === 'grouped' && document.querySelector('#runs h3')`)
	p.press("t")
	p.until(`localStorage.getItem('sessionViewMode') === 'recent' && !document.querySelector('#runs h3')`)

	p.press("?")
	p.until(`document.querySelector('#help').open`)
	help := value[string](p, `document.querySelector('#help').innerText`)
	for _, key := range []string{"j", "k", "Space", "Enter", "e", "c", "p", "s", "t", "g", "/", "Esc", "?"} {
		assert.Regexp(t, `(?m)(^|\s)`+strings.NewReplacer("?", `\?`).Replace(key)+`($|\s)`, help)
	}
	p.press(kb.Escape)
	p.until(`!document.querySelector('#help').open`)
	p.press("?")
	p.until(`document.querySelector('#help').open`)
	p.do(clickAt(3, 3)) // beside the sheet
	p.until(`!document.querySelector('#help').open`)

	p.press("/")
	p.until(`document.activeElement.id === 'search'`)
	p.press("p", "e", "?")
	p.until(`document.querySelector('#search').value === 'pe?'`)
	assert.False(t, value[bool](p, `document.querySelector('#help').open`), "no key while somebody types")
	p.press(kb.Escape)
	p.until(`document.querySelector('#search').value === ''`)
	for i, view := range []string{"timeline", "cost", "findings", "changes", "gates", "trust"} {
		p.do(blur)
		p.press(fmt.Sprint(i + 2))
		p.until(`document.querySelector('[data-view=%s]').getAttribute('aria-selected') === 'true' && document.querySelector('#view > *')`, raw(view))
	}
}

// Search finds, marks, walks and hides; phases and kinds filter; an address leads to an event.
func TestBrowserFindsLines(t *testing.T) {
	t.Parallel()
	_, at := serve(t, ended(t))
	p := newTab(t)
	p.open(at)
	p.until(`document.querySelectorAll('#log .log-rows .ln').length > 0`)

	p.fills("#search", "line 7")
	p.says(".find-count", "3 lines") // of each part one
	p.until(`%s.join() === 'Count line 7,Show line 7,Review line 7'`, raw(lines))
	assert.Equal(t, []string{"line 7", "line 7", "line 7"}, value[[]string](p, `[...document.querySelectorAll('#log mark')].map((m) => m.textContent)`))
	p.press(kb.Enter)
	p.until(`document.querySelector('#log .ln.at')`)
	one := value[string](p, `document.querySelector('#log .ln.at').dataset.seq`)
	p.press(kb.Enter)
	p.until(`document.querySelector('#log .ln.at').dataset.seq !== %s`, one)
	p.press(kb.Escape, kb.Escape) // clears; leaves the field
	p.press("h")                  // lines that do not match stay
	p.fills("#search", "line 7")
	p.until(`document.querySelectorAll('#log mark').length > 0 && %s.length > 3`, raw(lines))
	p.do(blur)
	p.press(kb.Escape)
	p.until(`document.querySelectorAll('#log mark').length === 0`)

	p.click("[data-phase=review]")
	p.press("e", home)
	p.until(`%s.includes('Review line 3') && !%s.some((l) => l.startsWith('Count'))`, raw(lines), raw(lines))
	p.click("[data-phase=all]")
	p.click("[data-kind=agent]")
	p.press("e", home)
	p.until(`%s.includes('Bash: go test ./...') && !%s.some((l) => l.includes(' line '))`, raw(lines), raw(lines))
	p.click("[data-kind=agent]")

	p.click("[data-view=trust]")
	link := strings.TrimSuffix(at, "/") + "/" + value[string](p, `(location.hash.replace(/&view=.*/, ''))`) + "&view=log&seq=20"
	other := newTab(t)
	other.open(link)
	other.until(`(() => { const row = document.querySelector('#log .ln[data-seq="20"]'); if (!row) return false; const r = row.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; })()`)
}

// Neighbours at the axis of a plot are told apart, however short the span or small the sum is.
func TestBrowserLabelsAxes(t *testing.T) {
	t.Parallel()
	_, at := serve(t, ended(t))
	p := newTab(t)
	p.open(at)
	for _, c := range []struct{ call, want string }{
		{`times([1769700600, 1769700605, 1769700610])`, `^\d\d:\d\d:00 \d\d:\d\d:05 \d\d:\d\d:10$`},
		{`times([1769700600, 1769700660])`, `^\d\d:\d\d \d\d:\d\d$`},
		{`times([1769700600, 1769786999])`, `^\d\d:\d\d \D+ ?\d+ \d\d:\d\d$`},
		{`times([1769700600, 1769787000, 1769873400])`, `^\S+ \d+ \S+ \d+ \S+ \d+$`},
		{`dollars([0, 0.005, 0.01, 0.015, 0.02])`, `^\$0 \$0.005 \$0.010 \$0.015 \$0.020$`},
		{`dollars([0, 0.0025, 0.005])`, `^\$0 \$0.0025 \$0.0050$`},
		{`dollars([0, 0.01, 0.02])`, `^\$0 \$0.01 \$0.02$`},
		{`dollars([0, 0.5, 1])`, `^\$0 \$0.50 \$1.00$`},
		{`dollars([0, 5, 10])`, `^\$0 \$5 \$10$`},
		{`dollars([0, 2.5, 5])`, `^\$0 \$2.50 \$5.00$`},
		{`amounts([0, 0.5, 1, 1500, 2000])`, `^0  1 1.50k 2.00k$`},
	} {
		assert.Regexp(t, c.want, value[string](p, `import('/static/axis.js').then((m) => m.`+c.call+`.join(' '))`), c.call)
	}
}

// A phone of 360 px: nothing is wider than the screen, and the two panels are drawers.
func TestBrowserOnAPhone(t *testing.T) {
	t.Parallel()
	_, at := serve(t, ended(t))
	p := newTab(t)
	p.do(phone)
	p.open(at)
	p.until(`document.querySelectorAll('#log .log-rows .ln').length > 0`)
	const wide = `[...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > innerWidth + 1 && !e.closest('.uplot, pre, .tabs, .log-tools, .diff, table, svg')).map((e) => e.className)`
	for _, view := range []string{"log", "timeline", "cost", "findings", "changes", "gates", "trust"} {
		p.do(evaluate(`document.querySelector('[data-view=%s]').click()`, raw(view)))
		p.until(`document.querySelector('[data-view=%s]').getAttribute('aria-selected') === 'true' && document.querySelector('#view > *')`, raw(view))
		assert.LessOrEqual(t, value[int](p, `document.scrollingElement.scrollWidth`), 360, view)
		p.do(evaluate(`scrollTo(50, 0)`))
		assert.Zero(t, value[int](p, `scrollX`), view)
	}
	assert.Empty(t, value[[]string](p, wide))
	assert.Less(t, value[float64](p, `document.querySelector('.head-tools').getBoundingClientRect().top`), value[float64](p, `document.querySelector('.head [aria-controls=runs]').getBoundingClientRect().bottom`), "one row of buttons")

	assert.True(t, value[bool](p, `document.querySelector('#runs').inert && document.querySelector('#plan').inert`))
	p.click("[aria-controls=runs]")
	p.until(`!document.querySelector('#runs').inert && document.querySelector('#runs').getBoundingClientRect().left >= 0`)
	p.until(`document.querySelector('#runs').getBoundingClientRect().right <= innerWidth`)
	p.click("#runs [data-run-id]")
	p.until(`document.querySelector('#runs').inert`)
	p.click("[aria-controls=plan]")
	p.until(`!document.querySelector('#plan').inert && document.querySelector('#plan').getBoundingClientRect().right <= innerWidth + 1`)
	p.press(kb.Escape)
	p.until(`document.querySelector('#plan').inert`)
}

// Light, dark, and no motion for who wants none; text stands out in both.
func TestBrowserThemes(t *testing.T) {
	t.Parallel()
	_, at := serve(t, ended(t))
	p := newTab(t)
	p.open(at)
	p.until(`document.querySelectorAll('#log .log-rows .ln').length > 0`)
	// contrast of text and what it stands on, as WCAG computes it
	const contrast = `(() => {
		const parse = (c) => { const x = document.createElement('canvas').getContext('2d'); x.fillStyle = c; x.fillRect(0, 0, 1, 1); return [...x.getImageData(0, 0, 1, 1).data]; };
		const light = (c) => { const [r, g, b] = parse(c).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (parse(c)[3] === 255) return c; } return getComputedStyle(document.documentElement).backgroundColor; };
		return ['.ln .tx', '.head h1', '.sec-title', '.run-title', '.task-title', '.tab', '.figure dt', '.ts', '.run-where'].map((s) => document.querySelector(s)).filter(Boolean).map((e) => {
			const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
			return {what: e.className || e.tagName, ratio: (a + 0.05) / (b + 0.05)};
		});
	})()`
	grounds := map[string]string{}
	for _, theme := range []string{"light", "dark"} {
		p.media("prefers-color-scheme", theme)
		for _, c := range value[[]struct {
			What  string  `json:"what"`
			Ratio float64 `json:"ratio"`
		}](p, contrast) {
			assert.GreaterOrEqual(t, c.Ratio, 4.5, "%s, %s", theme, c.What)
		}
		grounds[theme] = value[string](p, `getComputedStyle(document.body).backgroundColor`)
	}
	assert.NotEqual(t, grounds["light"], grounds["dark"])
	p.click("#theme")
	p.until(`document.documentElement.dataset.theme === 'light' && getComputedStyle(document.body).backgroundColor === %s`, grounds["light"])
	p.open(at + "/?again") // it is remembered
	p.until(`document.documentElement.dataset.theme === 'light'`)

	p.media("prefers-reduced-motion", "reduce")
	moving := value[[]json.RawMessage](p, `[...document.querySelectorAll('body *')].map((e) => getComputedStyle(e)).filter((s) => (s.animationName !== 'none' && parseFloat(s.animationDuration) > 0.01) || s.transitionDuration.split(',').some((d) => parseFloat(d) > 0.01)).map((s) => s.animationName)`)
	assert.Empty(t, moving)
}
