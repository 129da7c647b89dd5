package webtest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/cli/clitest"
)

// The link with the token, asked for at another of the host's addresses, lets this browser in, and nothing else does.
func TestBrowserComesInByTheLink(t *testing.T) {
	t.Parallel()
	repo := ended(t)
	link := clitest.Begin(t, repo, "", []string{"serve", "--port", "0"}, "RALPHEX_WEB_HOST=0.0.0.0").At()
	u, err := url.Parse(link)
	require.NoError(t, err)
	require.NotEmpty(t, u.Query().Get("token"), link)
	_, port, err := net.SplitHostPort(u.Host)
	require.NoError(t, err)
	u.Host = net.JoinHostPort("127.0.0.1", port)

	stranger := newTab(t)
	stranger.expects("401")
	stranger.do(chromedp.Navigate("http://" + u.Host))
	stranger.until(`document.querySelector('#connection')?.dataset.state !== 'live'`)
	stranger.says("body", "link")
	assert.Zero(t, value[int](stranger, `document.querySelectorAll('[data-run-id]').length`))

	p := newTab(t)
	p.open(u.String())
	p.until(`document.querySelector('#runs [data-run-id]')`)
	assert.NotContains(t, value[string](p, `location.href`), "token")
	assert.Empty(t, value[string](p, `document.cookie`), "no script reads it")
}

// --open starts the person's browser with the link, token and all: what it opens is the page, and it is in.
func TestBrowserIsOpened(t *testing.T) {
	t.Parallel()
	repo := ended(t)
	own := filepath.Join(t.TempDir(), "browser")
	require.NoError(t, os.WriteFile(own, []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.new\" && mv \"$0.new\" \"$0.args\"\n"), 0o755))
	run := clitest.Begin(t, repo, "", []string{"serve", "--port", "0", "--open"}, "RALPHEX_WEB_HOST=0.0.0.0", "BROWSER="+own)
	link := run.At()
	var args []byte
	require.Eventually(t, func() (there bool) {
		var err error
		args, err = os.ReadFile(own + ".args")
		return err == nil
	}, patience, polling, "no browser is started")
	require.Equal(t, link+"\n", string(args))
	p := newTab(t)
	p.open(strings.TrimSpace(string(args)))
	p.until(`document.querySelector('#runs [data-run-id]')`)

	run = clitest.Begin(t, repo, "", []string{"serve", "--port", "0", "--open"}, "BROWSER=/nonexistent/browser") // the server is there all the same
	run.Says("warning: --open: no browser could be started")
	p = newTab(t)
	p.open(run.At())
}

// A foreign page can't ask, whatever name it has for us (DNS rebinding), and can't order.
func TestBrowserIsNotUsedByForeignPages(t *testing.T) {
	t.Parallel()
	_, at := serve(t, ended(t))
	for _, change := range []func(*http.Request){
		func(r *http.Request) { r.Host = "evil.example" },
		func(r *http.Request) { r.Host = "localhost.evil.example:80" },
		func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		func(r *http.Request) { r.Header.Set("Origin", "null") },
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+"/api/v1/runs", nil)
		require.NoError(t, err)
		change(r)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		resp.Body.Close()
		assert.GreaterOrEqual(t, resp.StatusCode, 400, "%s %v", r.Host, r.Header)
		assert.NotContains(t, string(body), "20260129")
	}
	// The same from a page of another origin: another server of ours has another port, and is as foreign as any.
	_, foreign := serve(t, ended(t))
	p := newTab(t)
	p.expects(at)
	p.expects("blocked")
	p.expects("Content Security Policy")
	p.expects("Refused")
	p.open(foreign)
	assert.Equal(t, "refused", value[string](p, `fetch(%s).then((r) => r.text(), () => 'refused')`, at+"/api/v1/runs"))
}

// Somebody who asks for a run's log and then reads nothing: the run goes on as if alone, and who comes back by the id has the rest.
func TestBrowserIsNotHeldUpByAStalledReader(t *testing.T) {
	t.Parallel()
	repo := planned(t, "# P\n### Task 1: One\n- [ ] a\n")
	script := "session\n\tsay hello\n\twait-file .tmp/go\n"
	for i := range 400 {
		script += fmt.Sprintf("\tsay-file .tmp/long\n\tsay mark %d\n", i)
	}
	repo.Write(".tmp/long", strings.Repeat(strings.Repeat("x", 99)+"\n", 100))
	_, at := serve(t, repo)
	run := clitest.Begin(t, repo, script+"\ttick next\n", []string{"-t", "docs/plans/p.md"})
	p := newTab(t)
	p.open(at)
	p.until(`%s.includes('hello')`, raw(lines))
	id := value[string](p, `document.querySelector('#runs [data-run-id]').dataset.runId`)

	u, err := url.Parse(at)
	require.NoError(t, err)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", u.Host)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4096))
	_, err = fmt.Fprintf(conn, "GET /api/v1/runs/%s/events HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n\r\n", id, u.Host)
	require.NoError(t, err)
	repo.Write(".tmp/go", "")
	run.Exits(0)
	p.until(`%s.includes('mark 399')`, raw(lines)) // the other reader has all

	type row struct {
		Seq  int64                 `json:"seq"`
		Data struct{ Text string } `json:"data"`
	}
	marks, after := 0, int64(0)
	for {
		page := clitest.Get[struct {
			Events []row `json:"events"`
			Next   int64 `json:"next"`
		}](t, fmt.Sprintf("%s/api/v1/runs/%s/events?limit=1000&after=%d", at, id, after))
		if len(page.Events) == 0 {
			break
		}
		for _, e := range page.Events {
			require.Equal(t, after+1, e.Seq, "no gap, no repeat")
			after = e.Seq
			marks += strings.Count(e.Data.Text, "mark ")
		}
	}
	assert.Equal(t, 400, marks)
}

// The file that is saved needs nobody: it opens from a disk, holds the run, and does nothing that a page of ours may not do.
func TestBrowserExports(t *testing.T) {
	t.Parallel()
	_, at := serve(t, ended(t))
	p := newTab(t)
	p.open(at)
	p.until(`document.querySelectorAll('#log .log-rows .ln').length > 0`)
	dir := t.TempDir()
	p.do(call(browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID}))
	p.click("#export")
	file := filepath.Join(dir, "ralphex-p.html")
	require.Eventually(t, func() bool { // the browser renames it when it is whole
		info, err := os.Stat(file)
		return err == nil && info.Size() > 0
	}, patience, polling, "no file is saved")

	own := newTab(t)
	own.do(chromedp.Navigate("file://" + file))
	own.until(`document.readyState === 'complete'`)
	text := value[string](own, `document.body.textContent`)
	for _, want := range []string{"Count line 0", "Show line 59", "Review line 59", "mind the gap", "Task 1: Count"} {
		assert.Contains(t, text, want)
	}
	assert.Zero(t, value[int](own, `performance.getEntriesByType('resource').filter((r) => !r.name.startsWith('file:') && !r.name.startsWith('data:')).length`), "it fetches nothing")
}
