package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/check"
)

// ErrNoShutdown says that the client went away, or sent exit, without asking for a shutdown first.
var ErrNoShutdown = errors.New("the client ended the session without a shutdown request")

// ErrParentGone says that the process that the client named as its own has ended.
var ErrParentGone = errors.New("the client's process is gone")

// Options are what a server needs to know. The zero value works.
type Options struct {
	Version  string                    // told to the client
	Project  func(path string) Project // what a file belongs to; nil: the zero Project
	Debounce time.Duration             // how long a document rests before it is checked; 0: 200 ms
	Alive    func(pid int) bool        // tells whether the client's process lives; nil: nobody asks
	Log      *slog.Logger              // nil: discard

	maxMessage  int64 // bytes, as below; tests set smaller ones
	maxDocument int
}

// Project is what a file's surroundings say about it.
type Project struct {
	PlansDir string        // absolute, or a path that is looked for anywhere in a file's; empty: docs/plans
	Check    check.Options // how its plans are checked
}

// The limits of a session.
const (
	maxMessage  = 48 << 20 // bytes: a document of plan.MaxSize with each byte escaped as \n, and some
	maxCalls    = 256      // requests that have no answer yet
	maxWorkers  = 2
	queueLength = 64 // messages that the client has not read yet

	defaultDebounce = 200 * time.Millisecond
	aliveEvery      = 10 * time.Second
	flushFor        = 2 * time.Second // how long a client has to read the last answers
)

// Serve speaks with one client until it says exit, goes away, or ctx ends. The error is nil after an orderly
// shutdown and exit; ErrNoShutdown; the cause of ctx; or what was wrong with the stream.
//
// If ctx ends while a Read of in is under way, Serve returns without waiting for it: nothing can end it but the
// stream. Its goroutine ends with that Read.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	s := newServer(ctx, o)
	messages := make(chan incoming)
	go readAll(jsonrpc.NewReader(in, s.o.maxMessage), messages, s.quit)
	failed := make(chan error, 1)
	var writer sync.WaitGroup
	writer.Go(func() { writeAll(out, s.out, failed) })

	err := s.loop(ctx, messages, failed)
	close(s.quit)
	s.stopWork()
	s.work.Wait()
	close(s.out)
	flushed := make(chan struct{})
	go func() { writer.Wait(); close(flushed) }()
	limit := time.NewTimer(flushFor)
	defer limit.Stop()
	select {
	case <-flushed:
	case <-limit.C: // the client reads no more; its pipe ends with it
	}
	return err
}

// incoming is what the reader has: a body, or why there is none.
type incoming struct {
	body []byte
	err  error
}

// readAll hands over each message, until the stream or the server ends.
func readAll(r *jsonrpc.Reader, to chan<- incoming, quit <-chan struct{}) {
	for {
		body, err := r.Read()
		select {
		case to <- incoming{body, err}:
		case <-quit:
			return
		}
		if _, skipped := errors.AsType[*jsonrpc.TooLargeError](err); err != nil && !skipped {
			return
		}
	}
}

// writeAll writes what is queued. After an error it goes on taking, so that nobody waits for it.
func writeAll(out io.Writer, queue <-chan []byte, failed chan<- error) {
	var err error
	for body := range queue {
		if err != nil {
			continue
		}
		if err = jsonrpc.Write(out, body); err != nil {
			failed <- err
		}
	}
}

// phase is how far a session is.
type phase int

const (
	fresh   phase = iota // before initialize
	running              //
	down                 // after shutdown
)

// server is one session. The loop owns everything in it but the channels.
type server struct {
	o   Options
	log *slog.Logger
	out chan []byte
	at  phase

	client   clientCapabilities
	enc      Encoding
	settings *settings
	parent   int // process id of the client, 0 if it is not known

	docs  map[string]*document
	calls map[jsonrpc.ID]*call                  // requests without an answer
	asked map[jsonrpc.ID]func(*jsonrpc.Message) // our own requests
	next  int                                   // number of the next one

	done     chan func()     // what workers have for the loop
	quit     chan struct{}   // closed when the loop has ended
	ended    <-chan struct{} // closed when the context of Serve has ended
	seats    chan struct{}   // one for each worker that is at work
	work     sync.WaitGroup
	workCtx  context.Context // ends with the session
	stopWork context.CancelFunc
}

func newServer(ctx context.Context, o Options) *server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Debounce == 0 {
		o.Debounce = defaultDebounce
	}
	o.maxMessage, o.maxDocument = cmp.Or(o.maxMessage, maxMessage), cmp.Or(o.maxDocument, plan.MaxSize)
	if o.Project == nil {
		o.Project = func(string) Project { return Project{} }
	}
	s := &server{o: o, log: o.Log, out: make(chan []byte, queueLength), enc: UTF16,
		docs: map[string]*document{}, calls: map[jsonrpc.ID]*call{}, asked: map[jsonrpc.ID]func(*jsonrpc.Message){},
		done: make(chan func()), ended: ctx.Done(), quit: make(chan struct{}), seats: make(chan struct{}, maxWorkers)}
	s.workCtx, s.stopWork = context.WithCancel(context.WithoutCancel(ctx))
	return s
}

// loop takes one thing after the other: a message, the result of a worker, a timer.
func (s *server) loop(ctx context.Context, in <-chan incoming, failed <-chan error) error {
	rest := time.NewTimer(time.Hour)
	defer rest.Stop()
	alive := time.NewTicker(aliveEvery)
	defer alive.Stop()
	for {
		s.setTimer(rest)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-failed:
			return err
		case m := <-in:
			if ended, err := s.take(m); ended {
				return err
			}
		case f := <-s.done:
			f()
		case <-rest.C:
			s.checkRested(time.Now())
		case <-alive.C:
			if s.parent > 0 && s.o.Alive != nil && !s.o.Alive(s.parent) {
				return ErrParentGone
			}
		}
	}
}

// take handles what the reader has. ended tells that the session is over.
func (s *server) take(m incoming) (ended bool, err error) {
	if m.err == nil {
		return s.receive(m.body)
	}
	if large, ok := errors.AsType[*jsonrpc.TooLargeError](m.err); ok {
		s.log.Warn("skipped a message", "error", large)
		s.respond("", nil, jsonrpc.Errorf(jsonrpc.InvalidRequest, "%v", large))
		s.loseAll("a message was too large, so that this text may be outdated: close the file and open it again")
		return false, nil
	}
	if frame, ok := errors.AsType[*jsonrpc.FrameError](m.err); ok {
		s.respond("", nil, jsonrpc.Errorf(jsonrpc.ParseError, "%v", frame))
		return true, fmt.Errorf("read a message: %w", frame)
	}
	if errors.Is(m.err, io.EOF) {
		return true, s.leave()
	}
	return true, fmt.Errorf("read a message: %w", m.err)
}

// leave ends the session as exit, or the end of the stream, asks for.
func (s *server) leave() error {
	if s.at == down {
		return nil
	}
	return ErrNoShutdown
}

// receive handles one message.
func (s *server) receive(body []byte) (ended bool, err error) {
	m, bad := jsonrpc.Decode(body)
	switch {
	case bad != nil:
		s.log.Warn("a message that is none", "error", bad)
		s.respond(m.ID, nil, bad)
	case m.Method == "exit" && m.ID == "":
		return true, s.leave()
	case m.IsRequest():
		s.request(m)
	case m.IsNotification():
		if bad := s.notice(m); bad != nil {
			s.log.Warn("left out a notification", "method", m.Method, "error", bad)
		}
	default:
		s.answered(m)
	}
	return false, nil
}

// send queues a message. It waits for a client that does not read.
func (s *server) send(m *jsonrpc.Message) {
	body, err := jsonrpc.Encode(m)
	if err != nil {
		s.log.Error("write a message", "error", err)
		return
	}
	select {
	case s.out <- body:
	case <-s.ended:
	}
}

// respond answers a request.
func (s *server) respond(id jsonrpc.ID, result any, bad *jsonrpc.Error) {
	m := &jsonrpc.Message{ID: id, Error: bad}
	if bad == nil {
		raw, err := jsonrpc.Raw(result)
		if err != nil {
			m.Error = jsonrpc.Errorf(jsonrpc.InternalError, "write the result: %v", err)
		}
		m.Result = raw
	}
	s.send(m)
}

// notify sends a notification.
func (s *server) notify(method string, params any) {
	raw, err := jsonrpc.Raw(params)
	if err != nil {
		s.log.Error("write a notification", "method", method, "error", err)
		return
	}
	s.send(&jsonrpc.Message{Method: method, Params: raw})
}

// ask sends a request of our own; then is called with its answer.
func (s *server) ask(method string, params any, then func(*jsonrpc.Message)) {
	raw, err := jsonrpc.Raw(params)
	if err != nil {
		s.log.Error("write a request", "method", method, "error", err)
		return
	}
	s.next++
	id := jsonrpc.ID(fmt.Sprintf(`"ralphex-%d"`, s.next))
	s.asked[id] = then
	s.send(&jsonrpc.Message{ID: id, Method: method, Params: raw})
}

// answered hands an answer to who asked.
func (s *server) answered(m *jsonrpc.Message) {
	then, ok := s.asked[m.ID]
	if !ok {
		s.log.Warn("an answer to nothing", "id", string(m.ID))
		return
	}
	delete(s.asked, m.ID)
	then(m)
}
