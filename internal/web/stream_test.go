package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
)

// message is one message of an event stream.
type message struct{ event, id, data string }

// listen reads a stream; next gives one message after the other, and ends the test where none comes.
func listen(t *testing.T, at string, change ...func(*http.Request)) (next func() message, ended func() bool) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, nil)
	require.NoError(t, err)
	for _, f := range change {
		f(r)
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	got := make(chan message, 1000)
	go func() {
		defer close(got)
		var m message
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			switch name, value, _ := strings.Cut(s.Text(), ": "); name {
			case "event":
				m.event = value
			case "id":
				m.id = value
			case "data":
				m.data = value
			case "":
				if m != (message{}) {
					got <- m
				}
				m = message{}
			}
		}
	}()
	next = func() message {
		t.Helper()
		select {
		case m, ok := <-got:
			require.True(t, ok, "the stream has ended")
			return m
		case <-time.After(2 * time.Minute):
			require.Fail(t, "no message comes")
		}
		return message{}
	}
	ended = func() bool {
		for {
			select {
			case _, ok := <-got:
				if !ok {
					return true
				}
			case <-time.After(2 * time.Minute):
				return false
			}
		}
	}
	return next, ended
}

// One connection tells the list, then each run that changes or goes, and of one run its state and its log.
func TestStreamTellsAll(t *testing.T) {
	t.Parallel()
	lib := &fakeLibrary{}
	lib.add(view.Run{ID: "a", State: view.Active}, `{"seq":1}`, `{"seq":2}`)
	lib.add(view.Run{ID: "b", State: view.Active})
	_, at, _ := served(t, lib, Config{})
	next, _ := listen(t, at+"/api/v1/stream?run=a&after=1")
	first := next()
	assert.Equal(t, "runs", first.event)
	var list RunList
	require.NoError(t, json.Unmarshal([]byte(first.data), &list))
	assert.Len(t, list.Runs, 2)
	seen := map[string]message{}
	for range 2 { // state and log come on ways of their own
		m := next()
		seen[m.event] = m
	}
	assert.Equal(t, message{id: "2", data: `[{"seq":2}]`}, seen[""], "behind ?after=")
	assert.Contains(t, seen["state"].data, `"id":"a"`)

	lib.change("b", func(r *fakeRun) { r.detail.State = view.Failed })
	m := next()
	assert.Equal(t, "run", m.event)
	assert.Contains(t, m.data, `"state":"failed"`)
	lib.drop("b")
	assert.Equal(t, message{event: "gone", data: `{"id":"b"}`}, next())

	lib.change("a", func(r *fakeRun) { r.detail.State, r.rows = view.Paused, append(r.rows, `{"seq":3}`) })
	seen = map[string]message{}
	for range 3 {
		m := next()
		seen[m.event] = m
	}
	assert.Equal(t, "3", seen[""].id)
	assert.Contains(t, seen["run"].data, `"paused"`)
	assert.Contains(t, seen["state"].data, `"paused"`)
}

// A row that JSON can't have is shown without its figures, and the others as they are: in the list, in the stream, and when it changes.
func TestRowThatCantBeEncoded(t *testing.T) {
	t.Parallel()
	lib := &fakeLibrary{}
	lib.add(view.Run{ID: "a", State: view.Active, CostUSD: 3})
	lib.add(view.Run{ID: "b", State: view.Active, Plan: "b.md", CostUSD: math.Inf(1)})
	lib.add(view.Run{ID: "c", State: view.Active, Started: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)})
	_, at, _ := served(t, lib, Config{})
	check := func(text []byte) {
		var list RunList
		require.NoError(t, json.Unmarshal(text, &list))
		require.Len(t, list.Runs, 3)
		assert.InDelta(t, 3, list.Runs[0].CostUSD, 0)
		for i, id := range []string{"b", "c"} {
			run := list.Runs[i+1]
			assert.Equal(t, id, run.ID)
			assert.Equal(t, view.Active, run.State)
			assert.Contains(t, run.Why, "can't be shown")
		}
		assert.Equal(t, "b.md", list.Runs[1].Plan)
	}
	resp, err := http.Get(at + "/api/v1/runs")
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode, string(text))
	check(text)
	next, _ := listen(t, at+"/api/v1/stream")
	check([]byte(next().data))
	lib.change("b", func(r *fakeRun) { r.detail.State = view.Failed })
	m := next()
	assert.Equal(t, "run", m.event)
	assert.Contains(t, m.data, `"state":"failed"`)
}

// A client that comes back names the last message that it has, and misses none; the public stream has numbers from 1, too.
func TestStreamsGoOn(t *testing.T) {
	t.Parallel()
	lib := &fakeLibrary{}
	lib.add(view.Run{ID: "a"}, `{"n":1}`, `{"n":2}`, `{"n":3}`)
	s, at, _ := served(t, lib, Config{})
	for path, want := range map[string]string{"/api/v1/runs/a/events": `[{"n":3}]`, "/events?session=a": `{"n":3}`, "/api/v1/stream?run=a": `[{"n":3}]`} {
		next, _ := listen(t, at+path, header("Last-Event-ID", "2"))
		m := next()
		for m.event != "" {
			m = next()
		}
		assert.Equal(t, message{id: "3", data: want}, m, path)
	}
	assert.Equal(t, 400, ask(t, s, "GET", "/events?session=a", header("Last-Event-ID", "x")).Code)
	assert.Equal(t, 404, ask(t, s, "GET", "/events").Code)
	assert.Equal(t, 404, ask(t, s, "GET", "/events?session=zz").Code)
	assert.JSONEq(t, `{"events":[{"n":2}],"next":2}`, ask(t, s, "GET", "/api/v1/runs/a/events?limit=1&after=1").Body.String())
	assert.Equal(t, 400, ask(t, s, "GET", "/api/v1/runs/a/events?limit=0").Code)
}

// A server that ends lets its clients read what is there, and then ends their streams.
func TestShutdownDrains(t *testing.T) {
	t.Parallel()
	lib := &fakeLibrary{}
	rows := []string{}
	for i := range 2000 {
		rows = append(rows, fmt.Sprintf(`{"n":%d,"text":%q}`, i+1, strings.Repeat("x", 500)))
	}
	lib.add(view.Run{ID: "a"}, rows...)
	_, at, stop := served(t, lib, Config{})
	next, ended := listen(t, at+"/api/v1/runs/a/events")
	assert.Equal(t, "1", next().id)
	began := time.Now()
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	for m := next(); m.id != "2000"; m = next() {
	}
	assert.True(t, ended())
	require.NoError(t, <-stopped)
	assert.Less(t, time.Since(began), DrainFor+time.Minute)
	_, err := net.Dial("tcp", strings.TrimPrefix(at, "http://"))
	assert.Error(t, err, "nobody listens any more")
}

// A server of one run shows that one, whatever is asked.
func TestShowOnly(t *testing.T) {
	t.Parallel()
	lib := &fakeLibrary{}
	lib.add(view.Run{ID: "a", Path: "/a.jsonl"}, `{"n":1}`)
	lib.add(view.Run{ID: "b", Path: "/b.jsonl"})
	s := newTestServer(t, lib, Config{})
	s.ShowOnly("/a.jsonl")
	assert.Contains(t, ask(t, s, "GET", "/api/v1/meta").Body.String(), `"single":"a"`)
	assert.NotContains(t, ask(t, s, "GET", "/api/v1/runs").Body.String(), `"b"`)
	assert.Equal(t, 404, ask(t, s, "GET", "/api/v1/runs/b").Code)
	assert.JSONEq(t, "[]", ask(t, s, "GET", "/api/sessions").Body.String())
	assert.Equal(t, 200, ask(t, s, "GET", "/api/v1/runs/a").Code)
}

// lost is a run whose Detail makes the server stumble.
type lost struct{ *fakeRun }

func (lost) Detail(context.Context) (view.Detail, error) { panic("odd") }

type lostLibrary struct{ *fakeLibrary }

func (l lostLibrary) Session(id string) (Session, bool) { return lost{}, true }

// A bug in one answer is told, and is the end of nothing else (W24).
func TestBugIsNotTheEnd(t *testing.T) {
	t.Parallel()
	warned := make(chan error, 1)
	lib := &fakeLibrary{}
	lib.add(view.Run{ID: "a"})
	_, at, _ := served(t, lostLibrary{lib}, Config{Warn: func(err error) { warned <- err }})
	_, err := http.Get(at + "/api/v1/runs/a")
	require.Error(t, err)
	assert.ErrorContains(t, <-warned, `GET "/api/v1/runs/a": odd`)
	resp, err := http.Get(at + "/api/v1/runs")
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, 200, resp.StatusCode)
}

// A client that reads nothing is cut off, and the stream is over for the server, too; it comes back by the number of what it has.
func TestStalledClientIsCutOff(t *testing.T) {
	t.Parallel()
	lib := &fakeLibrary{}
	row := fmt.Sprintf(`{"text":%q}`, strings.Repeat("x", 1<<20))
	rows := []string{}
	for range 64 { // more than sockets take
		rows = append(rows, row)
	}
	lib.add(view.Run{ID: "a"}, rows...)
	s, at, stop := served(t, lib, Config{})
	s.patience = 50 * time.Millisecond
	c, err := net.Dial("tcp", strings.TrimPrefix(at, "http://"))
	require.NoError(t, err)
	defer c.Close()
	fmt.Fprintf(c, "GET /api/v1/runs/a/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
	one := make([]byte, 16)
	_, err = c.Read(one)
	require.NoError(t, err)
	assert.Eventually(t, func() bool { return s.open.Load() == 0 }, 2*time.Minute, 5*time.Millisecond)
	require.NoError(t, stop())
}
