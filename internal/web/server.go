package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"path"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"ralphex/internal/web/view"
)

// Library is where runs are found.
type Library interface {
	Runs() []view.Run // the newest activity first
	// Rows are the rows of some ids, and those of the ids that have none: they are gone, or another session shows the same run.
	Rows(ids []string) (runs []view.Run, gone []string)
	Session(id string) (Session, bool)
	// Changes tells the ids of runs that changed or are gone, several at once, until ctx is over.
	Changes(ctx context.Context) <-chan []string
}

// Format is one of the two shapes in which a run's log is streamed.
type Format int

// The formats.
const (
	Public Format = iota // one public event a message
	V1                   // batches of rows
)

// Session is one run that somebody looks at.
type Session interface {
	Detail(ctx context.Context) (view.Detail, error)
	// Stream writes what comes behind the message with the number after, and then what is new, until ctx is over. Each Write is whole messages of
	// an event stream.
	Stream(ctx context.Context, after int64, format Format, w io.Writer) error
	// Rows are the rows behind a number, limit at most; next is the number to go on from.
	Rows(ctx context.Context, after int64, limit int) (rows []json.RawMessage, next int64, err error)
}

// Config is what a server serves.
type Config struct {
	Library Library
	Facts   Facts   // nil = nothing is known beside the journals
	Actions Actions // nil = nobody can steer anything here
	Host    string  // that was asked for, as the person typed it
	Token   string  // that is needed; empty = none
	Machine string  // name of this machine, for the page
	Version string
	// Warn takes what somebody should know of and no client can be told. nil = nobody does.
	Warn func(error)
}

// Server is the dashboard: a page, and what it is made of.
type Server struct {
	cfg      Config
	guard    *guard
	http     *http.Server
	board    *board
	details  details
	only     atomic.Pointer[string] // path of the journal of the only run that is shown; nil = all of Library
	known    []string               // the routes
	patience time.Duration          // writeFor; tests have less
	closing  chan struct{}          // closed when the server is about to end
	streams  sync.WaitGroup
	open     atomic.Int64 // streams
}

const (
	// headersFor is how long a client may take to say what it wants.
	headersFor = 10 * time.Second
	// idleFor is how long a connection is kept that asks nothing.
	idleFor    = 2 * time.Minute
	maxHeaders = 64 << 10
	// DrainFor is how long clients have to read what is there when the server ends.
	DrainFor = 3 * time.Second
)

// New makes the server of a listener.
func New(cfg Config, l net.Listener) (*Server, error) {
	files, err := loadAssets(embedded)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, guard: newGuard(cfg.Host, l.Addr(), cfg.Token), board: newBoard(cfg.Library), patience: writeFor, closing: make(chan struct{})}
	s.http = &http.Server{
		Handler:           s.guard.wrap(s.caught(s.routes(files))),
		ReadHeaderTimeout: headersFor, IdleTimeout: idleFor, MaxHeaderBytes: maxHeaders,
		ErrorLog: log.New(io.Discard, "", 0), // it would hold addresses of requests, and tokens are in them
	}
	return s, nil
}

// Handler is the server without its listener.
func (s *Server) Handler() http.Handler { return s.http.Handler }

// Serve answers on l until ctx is over. Then clients get what is there already, for DrainFor at most. The error is why it ended before.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- s.http.Serve(l) }()
	select {
	case err := <-ended:
		_ = s.http.Close() // a page is to see that nothing more comes
		s.streams.Wait()
		s.board.watched.Wait()
		return err
	case <-ctx.Done():
	}
	close(s.closing)
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), DrainFor)
	defer cancel()
	if s.http.Shutdown(drain) != nil {
		_ = s.http.Close() // who did not read until now is cut off
	}
	s.streams.Wait()
	s.board.watched.Wait()
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// caught keeps a bug in the answer to one request from being the end of a run.
func (s *Server) caught(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p)
			default:
				s.warn(r, p)
				panic(http.ErrAbortHandler) // what was written so far is no answer
			}
		}()
		h.ServeHTTP(w, r)
	})
}

// routes is the whole address space.
func (s *Server) routes(files assets) http.Handler {
	mux := http.NewServeMux()
	at := func(method, pattern string, h handler) {
		s.known = append(s.known, method+" "+pattern)
		mux.Handle(pattern, only(method, h))
	}
	at("GET", "/{$}", files.serve)
	at("GET", "/static/", files.serve)
	s.routePublic(at)
	s.routeRuns(at)
	s.routeFacts(at)
	at("GET", "/api/v1/stream", s.stream)
	at("POST", "/api/v1/runs/{id}/control", s.withRun(s.control))
	nothing := handler(func(_ http.ResponseWriter, r *http.Request) error {
		return NotFound("there is no %s", quoted(r.URL.Path))
	})
	mux.Handle("/", nothing)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The mux would lead from such a path to the one that was meant, with a page of its own.
		if r.URL.Path != path.Clean(r.URL.Path) && r.URL.Path != "/static/" || r.URL.Path == "/static" {
			nothing.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// query is a parameter of the address.
func query(r *http.Request, name string) string { return r.URL.Query().Get(name) }

// only lets one method through, and HEAD where that is GET.
func only(method string, h handler) handler {
	allow := method
	if method == http.MethodGet {
		allow += ", " + http.MethodHead
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.Method == method || r.Method == http.MethodHead && method == http.MethodGet {
			return h(w, r)
		}
		w.Header().Set("Allow", allow)
		return refused(http.StatusMethodNotAllowed, "method", r.Method+" is not for this address", "use "+allow)
	}
}

// withRun finds the run that an address names.
func (s *Server) withRun(h func(http.ResponseWriter, *http.Request, view.Run) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id := r.PathValue("id")
		for _, run := range s.runs() {
			if run.ID == id {
				return h(w, r, run)
			}
		}
		return NotFound("there is no run %s", quoted(id))
	}
}

// ShowOnly makes it a server of one run, which is named by the path of its journal: the list is that run, and its addresses are right without an id.
func (s *Server) ShowOnly(journal string) { s.only.Store(&journal) }

// runs are those that this server shows.
func (s *Server) runs() []view.Run {
	all := s.cfg.Library.Runs()
	only := s.only.Load()
	if only == nil {
		return all
	}
	return slices.DeleteFunc(all, func(run view.Run) bool { return run.Path != *only })
}

// single is the id of the only run that is shown, if this is such a server; empty until its journal has been found.
func (s *Server) single() (id string, is bool) {
	if s.only.Load() == nil {
		return "", false
	}
	if runs := s.runs(); len(runs) > 0 {
		id = runs[0].ID
	}
	return id, true
}

// shown tells of each run whether it may be looked at here.
func (s *Server) shown() func(id string) bool {
	only, is := s.single()
	return func(id string) bool { return !is || id == only }
}

// session finds the run of an id, if this server shows it.
func (s *Server) session(id string) (Session, error) {
	if s.shown()(id) {
		if found, ok := s.cfg.Library.Session(id); ok {
			return found, nil
		}
	}
	return nil, NotFound("there is no run %s", quoted(id))
}

// after is the number that a stream goes on from: the browser's own header, or what the page says.
func after(r *http.Request) (int64, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = query(r, "after")
	}
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, BadRequest("%s is no number of an event", quoted(text))
	}
	return n, nil
}
