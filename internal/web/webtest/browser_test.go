package webtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patience is how long a tab waits for what must come. A loaded machine needs some of it, a good one none.
const patience = 90 * time.Second

// polling is how often a test looks at a file that the browser writes.
const polling = 20 * time.Millisecond

// chromium is the one browser of the package; it starts with the first test that wants a tab.
var chromium struct {
	sync.Mutex
	ctx  context.Context
	quit []func()
}

// needBrowser returns the path of Chromium. It skips the test where there is none; in the project's own check there must be one.
func needBrowser(tb testing.TB) string {
	tb.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("RALPHEX_CI") == "1" {
		tb.Fatal("chromium is not installed, and RALPHEX_CI=1 says that it must be")
	}
	tb.Skip("chromium is not installed")
	return ""
}

func openBrowser(tb testing.TB) context.Context {
	tb.Helper()
	path := needBrowser(tb)
	chromium.Lock()
	defer chromium.Unlock()
	if chromium.ctx != nil {
		return chromium.ctx
	}
	profile, err := os.MkdirTemp("", "ralphex-browser")
	require.NoError(tb, err)
	flags := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(patience)}
	for _, name := range []string{
		"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "no-default-browser-check", "disable-background-networking",
		"disable-component-update", "disable-sync", "disable-extensions", "disable-dev-shm-usage", "mute-audio", "hide-scrollbars",
		"disable-backgrounding-occluded-windows", "disable-background-timer-throttling", "disable-renderer-backgrounding", // a tab behind others is as fast
	} {
		flags = append(flags, chromedp.Flag(name, true))
	}
	allocator, end := chromedp.NewExecAllocator(context.Background(), flags...)
	quiet := chromedp.WithErrorf(func(string, ...any) {}) // events that are newer than the library
	ctx, cancel := chromedp.NewContext(allocator, quiet)
	chromium.quit = []func(){func() { os.RemoveAll(profile) }, end, cancel}
	require.NoError(tb, chromedp.Do(ctx), "chromium does not start")
	chromium.ctx = ctx
	return ctx
}

func quitBrowser() {
	chromium.Lock()
	defer chromium.Unlock()
	for i := len(chromium.quit) - 1; i >= 0; i-- {
		chromium.quit[i]()
	}
	chromium.quit, chromium.ctx = nil, nil
}

// tab is a page that one test looks at.
type tab struct {
	tb  testing.TB
	ctx context.Context

	mu    sync.Mutex
	wrong []string // what no page may do
	fine  []string // of that, what this test provokes
}

// newTab opens a tab with storage and cookies of its own, 1440 × 900.
func newTab(tb testing.TB) *tab {
	tb.Helper()
	p := &tab{tb: tb}
	ctx, cancel := chromedp.NewContext(openBrowser(tb), chromedp.WithNewBrowserContext(), chromedp.WithListener(p.hear))
	p.ctx = ctx
	require.NoError(tb, chromedp.Do(ctx), "no tab opens") // the tab lives as long as the context of its first step
	tb.Cleanup(func() {
		if tb.Failed() {
			ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			text, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText.slice(0, 600)`))
			tb.Log("the page:", text)
		}
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		assert.Empty(tb, p.wrong, "the page did what no page may do")
	})
	p.do(chromedp.EmulateViewport(1440, 900))
	return p
}

// hear keeps errors of the console, breaches of the content security policy, exceptions and dialogs.
func (p *tab) hear(event any) {
	said := ""
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Source == log.EntrySourceSecurity {
			said = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			said = "console: "
			for _, arg := range e.Args {
				said += string(arg.Value) + arg.Description
			}
		}
	case *runtime.EventExceptionThrown:
		said = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			said += " " + e.ExceptionDetails.Exception.Description
		}
	case *page.EventJavascriptDialogOpening:
		said = "dialog: " + e.Message
		go func() { // or the tab stands still
			_ = chromedp.Do(p.ctx, call(page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}))
		}()
	}
	if said == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range p.fine {
		if strings.Contains(said, text) {
			return
		}
	}
	p.wrong = append(p.wrong, said)
}

// expects names a text of errors that the test provokes.
func (p *tab) expects(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fine = append(p.fine, text)
}

// call makes a command of the protocol a step.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	require.NoError(p.tb, chromedp.Do(ctx, steps...))
}

// open goes to an address and waits until the page has its runs.
func (p *tab) open(at string) {
	p.tb.Helper()
	p.do(chromedp.Navigate(at))
	p.until(`document.querySelector('#connection')?.dataset.state === 'live'`)
}

// until waits for an expression to be true in the page, and looks each 20 ms; the page itself looks, without eval, which its policy forbids.
func (p *tab) until(expr string, args ...any) {
	p.tb.Helper()
	expr = fill(expr, args)
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	look := fmt.Sprintf(`new Promise((done) => { const look = () => { let ok = false; try { ok = Boolean(%s); } catch { } ok ? done(true) : setTimeout(look, 20); }; look(); })`, expr)
	for {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](look, chromedp.EvalAwaitPromise))
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			require.Fail(p.tb, "it does not come to be true in the page", expr)
		}
		if !strings.Contains(err.Error(), "navigated") && !strings.Contains(err.Error(), "context") && !strings.Contains(err.Error(), "collected") {
			require.NoError(p.tb, err, expr)
		}
	}
}

// raw is a piece of JavaScript that fill leaves as it is.
type raw string

// fill puts Go strings into an expression as JavaScript strings, by %s, and numbers as they are.
func fill(expr string, args []any) string {
	if len(args) == 0 {
		return expr
	}
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a
		if s, ok := a.(string); ok {
			values[i] = strconv.QuoteToASCII(s)
		}
	}
	return fmt.Sprintf(expr, values...)
}

// value asks the page for a value.
func value[T any](p *tab, expr string, args ...any) T {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](fill(expr, args), chromedp.EvalAwaitPromise))
	require.NoError(p.tb, err, expr)
	return v
}

// press types keys one by one: letters, or those of package kb.
func (p *tab) press(keys ...string) {
	p.tb.Helper()
	for _, key := range keys {
		if len(key) > 1 || key[0] < ' ' || key[0] > '~' {
			p.do(chromedp.KeyEvent(key))
			continue
		}
		down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}
		up := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key}
		p.do(call(input.DispatchKeyEvent, down), call(input.DispatchKeyEvent, up)) // KeyEvent would write the letter of a key that the page takes for itself
	}
}

// fills writes into a field as a person does.
func (p *tab) fills(selector, text string) {
	p.tb.Helper()
	p.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// home and blur are keys and moves of a person: to the beginning; away from what has the focus.
const home = kb.Home

var blur = chromedp.Evaluate[chromedp.Void](`document.activeElement?.blur()`)

// phone is the screen of one.
var phone = chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch)

func clickAt(x, y float64) chromedp.Action[chromedp.Void] { return chromedp.MouseClickXY(x, y) }

func evaluate(expr string, args ...any) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fill(expr, args))
}

func (p *tab) click(selector string) {
	p.tb.Helper()
	p.until(`document.querySelector(%s)`, selector)
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// media sets features of the medium: "prefers-color-scheme", "dark".
func (p *tab) media(pairs ...string) {
	p.tb.Helper()
	var features []*emulation.MediaFeature
	for i := 0; i < len(pairs); i += 2 {
		features = append(features, &emulation.MediaFeature{Name: pairs[i], Value: pairs[i+1]})
	}
	p.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}))
}

// says waits for a text in what is seen of an element.
func (p *tab) says(selector, text string) {
	p.tb.Helper()
	p.until(`document.querySelector(%s)?.innerText.includes(%s)`, selector, text)
}
