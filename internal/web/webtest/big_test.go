package webtest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs/vcstest"
)

// long writes the journal of a run with many lines, 20 of them an event, in sections of 5,000 lines.
func long(tb testing.TB, n int) *vcstest.Repo {
	tb.Helper()
	repo := vcstest.NewRepo(tb)
	const id = event.RunID("20260129-090000-cccccc")
	path := repo.Path(".ralph/events/" + string(id) + ".jsonl")
	require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	f, err := os.Create(path)
	require.NoError(tb, err)
	w := bufio.NewWriter(f)
	var buf []byte
	seq := int64(0)
	put := func(d event.Data) {
		seq++
		buf, err = event.AppendJSON(buf[:0], event.Event{Seq: seq, Time: time.Date(2026, 1, 29, 9, 0, 0, 0, time.UTC).Add(time.Duration(seq) * time.Millisecond), Run: id, Phase: event.PhaseTask, Task: 1, Data: d})
		require.NoError(tb, err)
		_, err = w.Write(append(buf, '\n'))
		require.NoError(tb, err)
	}
	put(event.RunStart{Mode: "tasks", Request: "long", PID: 1, Tasks: 1})
	text := ""
	for i := range n {
		if i%5000 == 0 {
			put(event.Section{Type: event.SectionGeneric, Label: fmt.Sprintf("part %d", i/5000)})
		}
		text += fmt.Sprintf("line %d of a log that is as long as they come", i)
		if i%20 == 19 || i == n-1 {
			put(event.Output{Text: text})
			text = ""
			continue
		}
		text += "\n"
	}
	put(event.RunEnd{Outcome: event.Done})
	require.NoError(tb, w.Flush())
	require.NoError(tb, f.Close())
	return repo
}

// A log of a million lines is there as a whole, in few elements: the last line at once, the first by one key, and one in the midst by search. How long
// frames take while it is scrolled is a figure (BenchmarkBrowserScroll), as it is the machine's as much as ours.
func TestBrowserShowsAMillionLines(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	_, at := serve(t, long(t, n))
	p := newTab(t)
	p.open(at)
	last := fmt.Sprintf("line %d of", n-1)
	p.until(`%s.some((l) => l.startsWith(%s))`, raw(lines), last)
	const rows = `document.querySelectorAll('#log *').length`
	assert.Less(t, value[int](p, `document.querySelectorAll('#log .ln, #log .sec').length`), 500)
	assert.Less(t, value[int](p, rows), 5000)
	p.do(blur)
	p.press("e", home)
	p.until(`%s.some((l) => l.startsWith('line 0 of'))`, raw(lines))
	assert.Less(t, value[int](p, `document.querySelectorAll('#log .ln, #log .sec').length`), 500)
	p.fills("#search", fmt.Sprintf("line %d of", n/2+7))
	p.says(".find-count", "1 line")
	p.until(`document.querySelectorAll('#log .log-rows .ln').length === 1`)
}

// BenchmarkBrowserScroll scrolls through a log of 100,000 lines, all open, and tells how long its frames take.
func BenchmarkBrowserScroll(b *testing.B) {
	_, at := serve(b, long(b, 1_000_000))
	p := newTab(b)
	p.open(at)
	p.until(`%s.some((l) => l.startsWith('line 999999 of'))`, raw(lines))
	p.do(blur)
	p.press("e", home)
	p.until(`%s.some((l) => l.startsWith('line 0 of'))`, raw(lines))
	worst, sum, n := 0.0, 0.0, 0
	for b.Loop() {
		frames := value[[]float64](p, `(async () => {
			const frame = () => new Promise((done) => requestAnimationFrame(done));
			const box = document.querySelector('#log .log-scroll');
			const took = [];
			let last = await frame();
			for (let i = 0; i < 120; i++) {
				box.dispatchEvent(new WheelEvent('wheel', {deltaY: 400, bubbles: true, cancelable: true}));
				box.scrollBy(0, 400);
				const now = await frame();
				took.push(now - last);
				last = now;
			}
			return took;
		})()`)
		for _, ms := range frames {
			worst, sum, n = max(worst, ms), sum+ms, n+1
		}
	}
	b.ReportMetric(worst, "worst-frame-ms")
	b.ReportMetric(sum/float64(n), "mean-frame-ms")
}
