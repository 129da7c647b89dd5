package lsp

import (
	"context"
	"encoding/json"
	"os"
	"runtime/debug"

	"ralphex/internal/lsp/jsonrpc"
)

// call is a request that has no answer yet.
type call struct{ cancel context.CancelFunc }

// job is the slow part of a request. It runs in a worker and may look at nothing but what it was made with.
type job func() (result any, bad *jsonrpc.Error)

// request answers a request, or starts the work on it.
func (s *server) request(m *jsonrpc.Message) {
	result, work, bad := s.prepare(m)
	switch {
	case bad != nil:
		s.respond(m.ID, nil, bad)
	case work != nil:
		s.start(m.ID, work)
	default:
		s.respond(m.ID, result, nil)
	}
}

// prepare looks at a request and either has its result, or the work that leads to it.
func (s *server) prepare(m *jsonrpc.Message) (result any, work job, bad *jsonrpc.Error) {
	switch {
	case s.calls[m.ID] != nil:
		return nil, nil, jsonrpc.Errorf(jsonrpc.InvalidRequest, "another request with the id %s has no answer yet", m.ID)
	case m.Method == "initialize":
		result, bad = s.initialize(m.Params)
		return result, nil, bad
	case s.at == fresh:
		return nil, nil, jsonrpc.Errorf(jsonrpc.ServerNotInitialized, "%s before initialize", m.Method)
	case s.at == down:
		return nil, nil, jsonrpc.Errorf(jsonrpc.InvalidRequest, "%s after shutdown", m.Method)
	case m.Method == "shutdown":
		s.at = down
		return nil, nil, nil
	case len(s.calls) >= maxCalls:
		return nil, nil, jsonrpc.Errorf(jsonrpc.RequestFailed, "%d requests wait for an answer already", len(s.calls))
	}
	work, bad = s.jobFor(m)
	return nil, work, bad
}

// jobFor makes the work of a request about a document.
func (s *server) jobFor(m *jsonrpc.Message) (job, *jsonrpc.Error) {
	switch m.Method {
	case "textDocument/codeAction":
		return about(s, m.Params, func(p *codeActionParams) string { return p.Document.URI }, view.codeActions)
	case "codeAction/resolve":
		return about(s, m.Params, (*codeAction).uri, view.resolve)
	case "textDocument/documentSymbol":
		return about(s, m.Params, func(p *documentParams) string { return p.Document.URI }, view.symbols)
	case "textDocument/foldingRange":
		return about(s, m.Params, func(p *documentParams) string { return p.Document.URI }, view.folds)
	case "textDocument/hover":
		return about(s, m.Params, func(p *hoverParams) string { return p.Document.URI }, view.hover)
	case "workspace/executeCommand":
		return s.command(m.Params)
	}
	return nil, jsonrpc.Errorf(jsonrpc.MethodNotFound, "%s is not known here", m.Method)
}

// view is a snapshot as one client sees it.
type view struct {
	*snapshot
	enc    Encoding
	client *clientCapabilities // never changes after initialize
}

// about binds a request to the snapshot of its document as it is now.
func about[P any](s *server, raw json.RawMessage, uri func(*P) string, do func(view, *P) (any, *jsonrpc.Error)) (job, *jsonrpc.Error) {
	p, bad := read[P](raw)
	if bad != nil {
		return nil, bad
	}
	v, bad := s.view(uri(p))
	if bad != nil {
		return nil, bad
	}
	return func() (any, *jsonrpc.Error) { return do(v, p) }, nil
}

func (s *server) view(uri string) (view, *jsonrpc.Error) {
	d, ok := s.docs[uri]
	if !ok {
		return view{}, jsonrpc.Errorf(jsonrpc.InvalidParams, "the document %q is not open", uri)
	}
	return view{snapshot: d.snap, enc: s.enc, client: &s.client}, nil
}

// start gives a request to a worker. Its answer is dropped if it has been cancelled in the meantime.
func (s *server) start(id jsonrpc.ID, work job) {
	ctx, cancel := context.WithCancel(s.workCtx)
	c := &call{cancel}
	s.calls[id] = c
	s.spawn(ctx, func() func() {
		result, bad := s.safely(work)
		return func() {
			if s.calls[id] != c {
				return
			}
			cancel()
			delete(s.calls, id)
			s.finish(id, result, bad)
		}
	})
}

// finish answers a request with what its job came to. A command's result is an edit that the client must be asked
// to make.
func (s *server) finish(id jsonrpc.ID, result any, bad *jsonrpc.Error) {
	if edit, ok := result.(*applyEditParams); ok && bad == nil {
		s.applyEdit(edit)
		result = nil
	}
	s.respond(id, result, bad)
}

// cancel answers a request at once that is still being worked on. What its worker comes to is dropped.
func (s *server) cancel(raw json.RawMessage) *jsonrpc.Error {
	p, bad := read[cancelParams](raw)
	if bad != nil {
		return bad
	}
	id, ok := jsonrpc.ReadID(p.ID)
	if !ok {
		return jsonrpc.Errorf(jsonrpc.InvalidParams, "an id is an integer or a string")
	}
	if c := s.calls[id]; c != nil {
		c.cancel()
		delete(s.calls, id)
		s.respond(id, nil, jsonrpc.Errorf(jsonrpc.RequestCancelled, "cancelled"))
	}
	return nil // it may have been answered a moment ago
}

// spawn runs work in a goroutine, as soon as a seat is free, and what it returns in the loop. When ctx ends before
// that, neither is run.
func (s *server) spawn(ctx context.Context, work func() func()) {
	s.work.Go(func() {
		select {
		case s.seats <- struct{}{}:
		case <-ctx.Done():
			return
		}
		var then func()
		if ctx.Err() == nil {
			then = work()
		}
		<-s.seats
		if then == nil {
			return
		}
		select {
		case s.done <- then:
		case <-s.quit:
		}
	})
}

// safely turns a panic into an error: one document that nobody thought of must not end the session.
func (s *server) safely(work job) (result any, bad *jsonrpc.Error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a bug of ralphex, please report it", "panic", p, "stack", string(debug.Stack()))
			result, bad = nil, jsonrpc.Errorf(jsonrpc.InternalError, "a bug of ralphex: %v", p)
		}
	}()
	return work()
}

// initialize agrees on what both sides can do.
func (s *server) initialize(raw json.RawMessage) (any, *jsonrpc.Error) {
	if s.at != fresh {
		return nil, jsonrpc.Errorf(jsonrpc.InvalidRequest, "initialize was sent already")
	}
	p, bad := read[initializeParams](raw)
	if bad != nil {
		return nil, bad
	}
	s.at, s.client, s.settings = running, p.Capabilities, s.readSettings(p.Options)
	if p.ProcessID != nil && *p.ProcessID > 0 && *p.ProcessID != os.Getpid() {
		s.parent = *p.ProcessID
	}
	for _, enc := range s.client.General.PositionEncodings {
		if enc == UTF8 || enc == UTF16 || enc == UTF32 {
			s.enc = enc // the first is the one that the client likes best
			break
		}
	}
	return s.capabilities(), nil
}

func (s *server) capabilities() initializeResult {
	c := serverCapabilities{PositionEncoding: s.enc, Sync: syncOptions{OpenClose: true, Change: 2, Save: true},
		Hover: true, DocumentSymbol: true, FoldingRange: true}
	if s.client.TextDocument.CodeAction.Literals != nil {
		c.CodeAction = &codeActionOptions{Kinds: []string{kindQuickFix, kindFixAll, kindTick}, Resolve: s.client.resolvesEdits()}
	}
	if s.client.Workspace.ApplyEdit {
		c.ExecuteCommand = &commandOptions{Commands: []string{commandToggle, commandFixAll}}
	}
	return initializeResult{Capabilities: c, ServerInfo: serverInfo{Name: "ralphex", Version: s.o.Version}}
}
