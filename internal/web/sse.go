package web

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// writeFor is how long a client may take to read a message. Who takes longer is cut off, and goes on by the number of the last one.
	writeFor = 10 * time.Second
	// beatEvery is how often a stream says that it is there.
	beatEvery = 15 * time.Second
	// quietFor is how long nothing comes on a stream until it is taken to have told everything, when the server ends.
	quietFor = 300 * time.Millisecond
)

// heart is a message that no client sees.
var heart = []byte(": still here\n\n")

// errSlow is the end of a client that does not read.
var errSlow = errors.New("the client reads too slowly")

// sse writes an event stream to one client. Several may write at once; each Write is whole messages.
type sse struct {
	mu   sync.Mutex
	w    io.Writer
	zip  *gzip.Writer // nil = plain
	ctl  *http.ResponseController
	err  error
	last time.Time // of the newest write
	most time.Duration
	end  context.CancelCauseFunc
}

// openSSE begins an answer that does not end by itself. It is packed for clients that come over a network: to this machine that only costs.
func openSSE(w http.ResponseWriter, r *http.Request, most time.Duration, end context.CancelCauseFunc) *sse {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	h.Add("Vary", "Accept-Encoding")
	s := &sse{w: w, ctl: http.NewResponseController(w), end: end, last: time.Now(), most: most}
	if takesGzip(r) && !local(r) {
		h.Set("Content-Encoding", "gzip")
		s.zip, _ = gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is a legal one
		s.w = s.zip
	}
	w.WriteHeader(http.StatusOK)
	return s
}

// local tells whether a request comes from this machine.
func local(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && IsLoopback(host)
}

// Write sends whole messages, and gives the client most to take them.
func (s *sse) Write(messages []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	if err := s.send(messages); err != nil {
		s.err = errors.Join(errSlow, err)
		s.end(s.err)
		return 0, s.err
	}
	s.last = time.Now()
	return len(messages), nil
}

func (s *sse) send(messages []byte) error {
	_ = s.ctl.SetWriteDeadline(time.Now().Add(s.most))
	if _, err := s.w.Write(messages); err != nil {
		return err
	}
	if s.zip != nil {
		if err := s.zip.Flush(); err != nil {
			return err
		}
	}
	return s.ctl.Flush()
}

// quiet tells for how long nothing has been written.
func (s *sse) quiet() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.last)
}

// beat keeps a stream alive until ctx is over, and ends it when the server ends and everything has been told.
func (s *sse) beat(ctx context.Context, closing <-chan struct{}) {
	t := time.NewTicker(beatEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if s.quiet() >= beatEvery/2 {
				_, _ = s.Write(heart) // who is gone is noticed by it
			}
		case <-closing:
			closing = nil
			t.Reset(quietFor / 3)
			for s.quiet() < quietFor {
				select {
				case <-t.C:
				case <-ctx.Done():
					return
				}
			}
			s.end(http.ErrServerClosed)
			return
		}
	}
}

// streamed runs tell with a stream that is open, and ends with the client or the server.
func (s *Server) streamed(w http.ResponseWriter, r *http.Request, tell func(ctx context.Context, out *sse) error) error {
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		return nil
	}
	s.streams.Add(1)
	defer s.streams.Done()
	s.open.Add(1)
	defer s.open.Add(-1)
	ctx, end := context.WithCancelCause(r.Context())
	out := openSSE(w, r, s.patience, end)
	if _, err := io.WriteString(out, "retry: 1000\n\n"); err != nil {
		return nil // it is gone already
	}
	var beating sync.WaitGroup
	beating.Go(func() { out.beat(ctx, s.closing) })
	err := tell(ctx, out)
	end(err)
	beating.Wait()
	if err != nil && ctx.Err() == nil {
		s.warn(r, err)
	}
	return nil // what began as a stream has no status left to tell
}

// follow streams the log of a run.
func (s *Server) follow(w http.ResponseWriter, r *http.Request, run Session, from int64, format Format) error {
	return s.streamed(w, r, func(ctx context.Context, out *sse) error { return run.Stream(ctx, from, format, out) })
}

// warn tells what no client can be told. The path alone: what is behind the ? may be a token.
func (s *Server) warn(r *http.Request, what any) {
	if s.cfg.Warn != nil {
		s.cfg.Warn(&serveError{r.Method, r.URL.Path, what})
	}
}

// serveError is what went wrong while a request was answered.
type serveError struct {
	method, path string
	what         any
}

func (e *serveError) Error() string {
	return "the dashboard could not answer " + e.method + " " + quoted(e.path) + ": " + fmt.Sprint(e.what)
}
