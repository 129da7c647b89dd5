package fakemodel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Server plays a script. It is safe for use by several agents at once.
type Server struct {
	http *httptest.Server
	side string

	mu       sync.Mutex
	turns    []*left
	requests []Request
	changed  chan struct{} // closed and replaced at each request
	ids      int
}

// left is a turn, and how often it may still answer; below zero: always.
type left struct {
	Turn
	times int
}

// Request is what an agent asked.
type Request struct {
	Method string
	Path   string // with its query
	Header http.Header
	Body   string
	Model  string
	Stream bool     // the answer was wanted in events
	Tools  []string // names of the tools that were offered
	Turn   int      // the 1-based turn that answered; 0 = none did
}

// Start starts a server on the loopback device. Close ends it.
func Start(s Script) (*Server, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	srv := &Server{side: s.Side, changed: make(chan struct{})}
	if srv.side == "" {
		srv.side = "ok"
	}
	for _, t := range s.Turns {
		times := t.Times
		if times == 0 {
			times = 1
		}
		srv.turns = append(srv.turns, &left{t, times})
	}
	srv.http = httptest.NewServer(http.HandlerFunc(srv.serve))
	return srv, nil
}

// URL is the server's address, without a path.
func (s *Server) URL() string { return s.http.URL }

// Close breaks all connections and ends the server.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Requests are all that came so far, in the order of their arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Answered counts the requests that a turn of the script answered.
func (s *Server) Answered() int {
	n := 0
	for _, r := range s.Requests() {
		if r.Turn > 0 {
			n++
		}
	}
	return n
}

// Unused are the 1-based turns that were to answer once or more often and have not done so.
func (s *Server) Unused() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var turns []int
	for i, t := range s.turns {
		if t.times > 0 {
			turns = append(turns, i+1)
		}
	}
	return turns
}

// Await returns when a turn has been asked for, or with the cause of the end of ctx.
func (s *Server) Await(ctx context.Context, turn int) error {
	for {
		s.mu.Lock()
		seen := slices.ContainsFunc(s.requests, func(r Request) bool { return r.Turn == turn })
		changed := s.changed
		s.mu.Unlock()
		if seen {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for turn %d: %w", turn, context.Cause(ctx))
		}
	}
}

// protocol is one way of asking a model.
type protocol interface {
	// read finds what matters in the body of a request.
	read(body []byte) (asked, error)
	// stream and whole write an answer, refuse an error; late is an error event of a stream.
	stream(e *events, a answer)
	whole(a answer) obj
	refuse(f Fail) any
	late(e *events, f Fail)
}

// asked is what a request tells.
type asked struct {
	model  string
	stream bool
	tools  []tool
}

// answer is a turn in the words of the agent that asked.
type answer struct {
	Turn
	asked asked
	id    string // unique on this server
	calls []called
}

// find returns the protocol of a request's path, and whether that path asks for a stream by itself.
func find(path string) (p protocol, streams bool) {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return anthropic{}, false
	case strings.HasSuffix(path, "/responses"):
		return responses{}, false
	case strings.HasSuffix(path, "/chat/completions"):
		return chat{}, false
	case strings.HasSuffix(path, ":generateContent"):
		return gemini{}, false
	case strings.HasSuffix(path, ":streamGenerateContent"):
		return gemini{}, true
	}
	return nil, false
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the agent went away
	}
	req := Request{Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: string(body)}
	p, streams := find(r.URL.Path)
	if p == nil || r.Method != http.MethodPost {
		s.note(req)
		aside(w, r, len(body))
		return
	}
	ask, err := p.read(body)
	ask.stream = ask.stream || streams
	req.Model, req.Stream = ask.model, ask.stream
	for _, t := range ask.tools {
		req.Tools = append(req.Tools, t.name)
	}
	if err != nil {
		s.note(req)
		reply(w, http.StatusBadRequest, p.refuse(Fail{Type: "invalid_request_error", Message: err.Error()}))
		return
	}
	turn, id := s.choose(req)
	a := answer{Turn: turn, asked: ask, id: id}
	if a.calls, err = translate(turn.Calls, ask.tools, id); err != nil {
		reply(w, http.StatusBadRequest, p.refuse(Fail{Type: "invalid_request_error", Message: err.Error()}))
		return
	}
	give(w, r, p, a)
}

// aside answers what agents ask beside the model: is somebody there, how many tokens is this, which models are there.
func aside(w http.ResponseWriter, r *http.Request, size int) {
	switch {
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		reply(w, http.StatusOK, map[string]any{"input_tokens": size/4 + 1})
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		reply(w, http.StatusOK, map[string]any{"totalTokens": size/4 + 1})
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		reply(w, http.StatusOK, map[string]any{"object": "list", "data": []any{}, "models": []any{}})
	default:
		reply(w, http.StatusNotFound, map[string]any{"error": map[string]any{"type": "not_found_error", "message": "fakemodel has no " + r.URL.Path}})
	}
}

// choose finds the turn for a request and notes both.
func (s *Server) choose(req Request) (Turn, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids++
	id := fmt.Sprintf("fake%d", s.ids)
	defer s.noted()
	for i, t := range s.turns {
		if t.times == 0 || !t.fits(req.Body) || len(req.Tools) == 0 && len(t.Match) == 0 {
			continue
		}
		if t.times > 0 {
			t.times--
		}
		req.Turn = i + 1
		s.requests = append(s.requests, req)
		return t.Turn, id
	}
	s.requests = append(s.requests, req)
	if len(req.Tools) == 0 {
		return Turn{Text: s.side}, id
	}
	// A status that no agent tries again: the test ends here, and says why.
	return Turn{Fail: &Fail{Status: http.StatusBadRequest, Type: "invalid_request_error", Message: "fakemodel: no turn is left for this request"}}, id
}

func (s *Server) note(req Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	s.noted()
}

// noted wakes those who wait; s.mu is held.
func (s *Server) noted() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // who asked may be gone
}
