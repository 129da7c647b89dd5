package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
)

// fakeLibrary holds runs in memory: a run has a Detail and a log, and both can grow.
type fakeLibrary struct {
	mu      sync.Mutex
	all     []*fakeRun
	readers map[chan []string]bool
}

// fakeRun is a run of it. Its log are rows, each a message of its own in both formats.
type fakeRun struct {
	lib    *fakeLibrary
	detail view.Detail
	rows   []string
	moved  chan struct{}
}

func (l *fakeLibrary) add(run view.Run, rows ...string) *fakeRun {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := &fakeRun{lib: l, detail: view.Detail{Run: run}, rows: rows, moved: make(chan struct{})}
	l.all = append(l.all, r)
	return r
}

func (l *fakeLibrary) Runs() []view.Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	runs := []view.Run{}
	for _, r := range l.all {
		runs = append(runs, r.detail.Run)
	}
	return runs
}

func (l *fakeLibrary) Rows(ids []string) (runs []view.Run, gone []string) {
	all := l.Runs()
	for _, id := range ids {
		if i := slices.IndexFunc(all, func(r view.Run) bool { return r.ID == id }); i >= 0 {
			runs = append(runs, all[i])
		} else {
			gone = append(gone, id)
		}
	}
	return runs, gone
}

func (l *fakeLibrary) Session(id string) (Session, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.all {
		if r.detail.ID == id {
			return r, true
		}
	}
	return nil, false
}

func (l *fakeLibrary) Changes(ctx context.Context) <-chan []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := make(chan []string, 100)
	if l.readers == nil {
		l.readers = map[chan []string]bool{}
	}
	l.readers[c] = true
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.readers, c)
		close(c)
	})
	return c
}

// change changes a run and tells of it.
func (l *fakeLibrary) change(id string, f func(r *fakeRun)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.all {
		if r.detail.ID == id {
			f(r)
			close(r.moved)
			r.moved = make(chan struct{})
		}
	}
	for c := range l.readers {
		c <- []string{id}
	}
}

// drop takes a run out.
func (l *fakeLibrary) drop(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = slices.DeleteFunc(l.all, func(r *fakeRun) bool { return r.detail.ID == id })
	for c := range l.readers {
		c <- []string{id}
	}
}

func (r *fakeRun) Detail(context.Context) (view.Detail, error) {
	r.lib.mu.Lock()
	defer r.lib.mu.Unlock()
	return r.detail, nil
}

func (r *fakeRun) Stream(ctx context.Context, after int64, format Format, w io.Writer) error {
	for {
		r.lib.mu.Lock()
		rows, moved := r.rows, r.moved
		r.lib.mu.Unlock()
		for ; after < int64(len(rows)); after++ {
			text := rows[after]
			if format == V1 {
				text = "[" + text + "]"
			}
			if _, err := fmt.Fprintf(w, "id: %d\ndata: %s\n\n", after+1, text); err != nil {
				return err
			}
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *fakeRun) Rows(_ context.Context, after int64, limit int) ([]json.RawMessage, int64, error) {
	r.lib.mu.Lock()
	defer r.lib.mu.Unlock()
	var out []json.RawMessage
	for after < int64(len(r.rows)) && len(out) < limit {
		out = append(out, json.RawMessage(r.rows[after]))
		after++
	}
	return out, after, nil
}

// newTestServer is a server that a handler alone is asked of.
func newTestServer(t *testing.T, lib Library, cfg Config) *Server {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	cfg.Library = lib
	if cfg.Host == "" {
		cfg.Host = "127.0.0.1"
	}
	s, err := New(cfg, l)
	require.NoError(t, err)
	return s
}

// ask sends a request to a server's handler.
func ask(t *testing.T, s *Server, method, target string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	r.Host, r.RemoteAddr = "localhost:8080", "127.0.0.1:40000"
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// served is a server that listens, until the test is over.
func served(t *testing.T, lib Library, cfg Config) (s *Server, at string, stop func() error) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	cfg.Library = lib
	if cfg.Host == "" {
		cfg.Host = "127.0.0.1"
	}
	s, err = New(cfg, l)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { _ = stop() })
	return s, "http://" + l.Addr().String(), stop
}
