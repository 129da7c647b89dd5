package webtest

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/cli/clitest"
)

const twoTasks = "# Words\n\n### Task 1: Count\n- [ ] count them\n\n### Task 2: Show\n- [ ] show them\n"

// lines are the texts of the log rows that are drawn, each with its seq.
const lines = `[...document.querySelectorAll('#log .log-rows .ln')].map((r) => r.querySelector('.tx').textContent)`

// A run appears in the page when it begins, its lines as they are said, its boxes when they are ticked, and its end.
func TestBrowserShowsARunWhileItGoesOn(t *testing.T) {
	t.Parallel()
	repo := planned(t, twoTasks)
	_, at := serve(t, repo)
	p := newTab(t)
	p.open(at)
	p.says("#main", "Nothing has run here yet")

	run := clitest.Begin(t, repo, "session\n\tsay the first line\n\twait-file .tmp/one\n\tsay the second line\n\twrite a.txt a\n\ttick next\nsession\n\tsay the third line\n\twait-file .tmp/two\n\twrite b.txt b\n\ttick next\n",
		[]string{"-t", "docs/plans/p.md"})
	p.until(`document.querySelector('#runs [data-run-id]')?.dataset.state === 'active'`)
	p.until(`%s.includes('the first line')`, raw(lines))
	p.until(`document.querySelector('#plan [data-task-num="1"]')?.dataset.state === 'active'`)
	assert.NotContains(t, value[[]string](p, lines), "the second line")

	repo.Write(".tmp/one", "")
	p.until(`%s.includes('the third line')`, raw(lines))
	p.until(`document.querySelector('#plan [data-task-num="2"]')?.dataset.state === 'active'`)
	p.until(`document.querySelector('#plan [data-task-num="1"]').dataset.state === 'done'`)
	p.says("#log", "Task 2: Show")

	repo.Write(".tmp/two", "")
	run.Exits(0)
	p.until(`document.querySelector('#runs [data-run-id]').dataset.state === 'completed'`)
	p.until(`document.querySelectorAll('#plan [data-state=done]').length === 2`)
	p.says(".badge", "completed")
}

// A server that is killed and started again on its port: the page finds back by itself, and its log has each line once.
func TestBrowserComesBackToANewServer(t *testing.T) {
	t.Parallel()
	repo := planned(t, "# P\n### Task 1: One\n- [ ] a\n")
	server, at := serve(t, repo)
	script := "session\n"
	for i := range 90 {
		script += fmt.Sprintf("\tsay line %d\n", i)
		if i%30 == 29 {
			script += fmt.Sprintf("\twrite .tmp/said%d x\n\twait-file .tmp/go%d\n", i/30, i/30)
		}
	}
	run := clitest.Begin(t, repo, script+"\ttick next\n", []string{"-t", "docs/plans/p.md"})
	p := newTab(t)
	p.expects("net::ERR_")
	p.open(at)
	p.until(`%s.includes('line 29')`, raw(lines))

	server.Kill()
	p.until(`document.querySelector('#connection').dataset.state === 'waiting'`)
	repo.Write(".tmp/go0", "") // said while nobody serves
	u, err := url.Parse(at)
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(u.Host)
	require.NoError(t, err)
	clitest.Begin(t, repo, "", []string{"serve", "--port", port}).At()
	p.until(`document.querySelector('#connection').dataset.state === 'live'`)
	p.until(`%s.includes('line 59')`, raw(lines))
	repo.Write(".tmp/go1", "")
	repo.Write(".tmp/go2", "")
	run.Exits(0)
	p.until(`document.querySelector('.badge').dataset.state === 'completed'`)

	said := p.allLines()
	var want []string
	for i := range 90 {
		want = append(want, fmt.Sprintf("line %d", i))
	}
	got := slices.DeleteFunc(slices.Clone(said.Text), func(s string) bool { return len(s) < 6 || s[:5] != "line " || s[5] < '0' || s[5] > '9' })
	assert.Equal(t, want, got)
	assert.True(t, slices.IsSorted(said.Seq), "the rows are in the order of the journal: %v", said.Seq)
}

// drawn is the log as the page shows it, from its first to its last line.
type drawn struct {
	Text []string `json:"text"`
	Seq  []int    `json:"seq"`
}

// allLines opens all sections and walks through the log from its beginning to its end, a screen at a time: the list holds only what is seen.
func (p *tab) allLines() drawn {
	p.tb.Helper()
	p.do(blur)
	p.press("e", home)
	return value[drawn](p, `(async () => {
		const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		const rows = new Map(); // by the number of the line
		const box = document.querySelector('#log .log-scroll');
		for (let top = -1, still = 0; still < 3;) {
			await frame();
			for (const r of document.querySelectorAll('#log .log-rows .ln')) rows.set(Number(r.dataset.line), {text: r.querySelector('.tx').textContent, seq: Number(r.dataset.seq)});
			box.scrollBy(0, box.clientHeight * 0.7);
			still = box.scrollTop === top ? still + 1 : 0;
			top = box.scrollTop;
		}
		const all = [...rows].sort((a, b) => a[0] - b[0]).map((r) => r[1]);
		return {text: all.map((r) => r.text), seq: all.map((r) => r.seq)};
	})()`)
}

// A page that is left, and kept by the browser for the way back, holds no connection: a browser has six for a server, and who looks in for the seventh
// time would see nothing.
func TestBrowserLeavesNoConnectionBehind(t *testing.T) {
	t.Parallel()
	_, at := serve(t, ended(t))
	p := newTab(t)
	for i := range 9 {
		p.do(chromedp.Navigate("about:blank"))
		p.open(fmt.Sprintf("%s/?visit=%d", at, i))
		p.until(`document.querySelectorAll('#log .log-rows .ln').length > 0 && document.querySelector('#plan .task')`)
	}
}
