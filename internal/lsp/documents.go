package lsp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"ralphex/internal/lsp/jsonrpc"
)

// document is what the client has open.
type document struct {
	uri      string
	language string
	place    place
	snap     *snapshot

	due      time.Time // when it is checked, zero = it need not be
	checking bool      // a worker is at it
	again    bool      // it became due meanwhile
	shown    int       // diagnostics that the client shows for it
}

// notice handles a notification. The error is only for the log: nobody may be answered.
func (s *server) notice(m *jsonrpc.Message) *jsonrpc.Error {
	if s.at != running {
		return nil // the protocol has them dropped
	}
	switch m.Method {
	case "textDocument/didOpen":
		return s.didOpen(m.Params)
	case "textDocument/didChange":
		return s.didChange(m.Params)
	case "textDocument/didSave":
		return s.didSave(m.Params)
	case "textDocument/didClose":
		return s.didClose(m.Params)
	case "workspace/didChangeConfiguration":
		return s.didChangeConfiguration(m.Params)
	case "$/cancelRequest":
		return s.cancel(m.Params)
	}
	return nil
}

// didOpen takes a document. One that is open already begins anew.
func (s *server) didOpen(raw json.RawMessage) *jsonrpc.Error {
	p, bad := read[didOpenParams](raw)
	if bad != nil {
		return bad
	}
	if p.Document.Text == nil {
		return jsonrpc.Errorf(jsonrpc.InvalidParams, "no text")
	}
	d := &document{uri: p.Document.URI, language: p.Document.LanguageID, place: s.placeOf(p.Document.URI, p.Document.LanguageID)}
	if old := s.docs[d.uri]; old != nil {
		d.shown, d.checking = old.shown, old.checking
	}
	s.docs[d.uri] = d
	version := p.Document.Version
	if why := s.tooLarge(len(*p.Document.Text)); why != "" {
		d.snap = lostSnapshot(d.uri, &version, why)
	} else {
		d.snap = newSnapshot(d.uri, &version, newText([]byte(*p.Document.Text)), d.place, nil)
	}
	d.due = time.Now()
	return nil
}

func (s *server) placeOf(uri, language string) place {
	p := s.o.Project(pathOf(uri))
	return newPlace(uri, language, cmp.Or(p.PlansDir, "docs/plans"), s.settings.over(p.Check))
}

// tooLarge says why a text of that size is not kept, "" if it is.
func (s *server) tooLarge(size int) string {
	if size <= s.o.maxDocument {
		return ""
	}
	return fmt.Sprintf("%d bytes are more than a plan may have (%d): it is not checked", size, s.o.maxDocument)
}

// didChange makes the next snapshot.
func (s *server) didChange(raw json.RawMessage) *jsonrpc.Error {
	p, bad := read[didChangeParams](raw)
	if bad != nil {
		return bad
	}
	d, ok := s.docs[p.Document.URI]
	if !ok {
		return notOpen(p.Document.URI)
	}
	version := p.Document.Version
	if version != nil && d.snap.version != nil && *version <= *d.snap.version {
		return jsonrpc.Errorf(jsonrpc.InvalidParams, "version %d of %s comes after version %d", *version, d.uri, *d.snap.version)
	}
	for _, c := range p.Changes {
		if c.Text == nil {
			return jsonrpc.Errorf(jsonrpc.InvalidParams, "a change without text")
		}
	}
	d.snap = s.changed(d, version, p.Changes)
	d.due = time.Now().Add(s.o.Debounce)
	return nil
}

// changed is the document after changes, each of which is about the text that the one before left.
func (s *server) changed(d *document, version *int32, changes []contentChange) *snapshot {
	t, lost := (*text)(nil), d.snap.lost
	for _, c := range changes {
		switch {
		case c.Range == nil:
			t, lost = nil, s.tooLarge(len(*c.Text))
			if lost == "" {
				t = newText([]byte(*c.Text))
			}
		case lost == "":
			if t == nil {
				t = d.snap.text.clone()
			}
			from, to := t.span(*c.Range, s.enc)
			t.splice(from, to, *c.Text)
			if lost = s.tooLarge(len(t.bytes)); lost != "" {
				t = nil
			}
		}
	}
	switch {
	case lost != "":
		return lostSnapshot(d.uri, version, lost)
	case t == nil:
		t = d.snap.text // no change at all
	}
	return newSnapshot(d.uri, version, t, d.place, d.snap)
}

// didSave has the document checked without waiting.
func (s *server) didSave(raw json.RawMessage) *jsonrpc.Error {
	p, bad := read[documentParams](raw)
	if bad != nil {
		return bad
	}
	d, ok := s.docs[p.Document.URI]
	if !ok {
		return notOpen(p.Document.URI)
	}
	if !d.due.IsZero() {
		d.due = time.Now()
	}
	return nil
}

// didClose forgets the document and takes its diagnostics away.
func (s *server) didClose(raw json.RawMessage) *jsonrpc.Error {
	p, bad := read[documentParams](raw)
	if bad != nil {
		return bad
	}
	d, ok := s.docs[p.Document.URI]
	if !ok {
		return notOpen(p.Document.URI)
	}
	delete(s.docs, d.uri)
	if d.shown > 0 {
		s.notify("textDocument/publishDiagnostics", publishParams{URI: d.uri, Diagnostics: []diagnostic{}})
	}
	return nil
}

func notOpen(uri string) *jsonrpc.Error {
	return jsonrpc.Errorf(jsonrpc.InvalidParams, "the document %q is not open", uri)
}

// didChangeConfiguration takes new settings and checks everything again.
func (s *server) didChangeConfiguration(raw json.RawMessage) *jsonrpc.Error {
	p, bad := read[struct {
		Settings *struct {
			Ralphex json.RawMessage `json:"ralphex"`
		} `json:"settings"`
	}](raw)
	if bad != nil {
		return bad
	}
	if p.Settings == nil || p.Settings.Ralphex == nil {
		return nil // null means: ask; there is nothing that we would ask for
	}
	s.settings = s.readSettings(p.Settings.Ralphex)
	for _, d := range s.docs {
		d.place = s.placeOf(d.uri, d.language)
		if d.snap.lost == "" {
			d.snap = newSnapshot(d.uri, d.snap.version, d.snap.text, d.place, d.snap)
		}
		d.due = time.Now()
	}
	return nil
}

// loseAll stops trusting the text of all documents.
func (s *server) loseAll(why string) {
	for _, d := range s.docs {
		d.snap = lostSnapshot(d.uri, d.snap.version, why)
		d.due = time.Now()
	}
}
