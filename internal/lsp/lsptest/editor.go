package lsptest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"ralphex/internal/lsp/jsonrpc"
)

// document is what the client has open.
type document struct {
	version int
	text    string
}

// place and span are positions as the protocol has them.
type place struct{ Line, Character int }

type span struct{ Start, End place }

type edit struct {
	Range   span
	NewText string
}

type change struct {
	Range *span   `json:"range"`
	Text  *string `json:"text"`
}

// agree learns from the answer to initialize what columns count.
func (p *player) agree(result json.RawMessage) {
	var r struct {
		Capabilities struct {
			PositionEncoding string `json:"positionEncoding"`
		} `json:"capabilities"`
	}
	if json.Unmarshal(result, &r) == nil && r.Capabilities.PositionEncoding != "" {
		p.enc = r.Capabilities.PositionEncoding
	}
}

// remember follows what the client tells about its documents. What makes no sense is sent all the same.
func (p *player) remember(method string, params json.RawMessage) error {
	var v struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
		ContentChanges []change `json:"contentChanges"`
	}
	if json.Unmarshal(params, &v) != nil {
		return nil
	}
	switch method {
	case "textDocument/didOpen":
		p.docs[v.TextDocument.URI] = &document{v.TextDocument.Version, v.TextDocument.Text}
	case "textDocument/didChange":
		d := p.docs[v.TextDocument.URI]
		textless := slices.ContainsFunc(v.ContentChanges, func(c change) bool { return c.Text == nil })
		if d == nil || textless || v.TextDocument.Version <= d.version {
			return nil // what a server leaves out
		}
		d.version = v.TextDocument.Version
		for _, c := range v.ContentChanges {
			if c.Range == nil {
				d.text = *c.Text
				continue
			}
			var err error
			if d.text, err = applyEdits(d.text, []edit{{*c.Range, *c.Text}}, p.enc); err != nil {
				return err
			}
		}
	}
	return nil
}

// workspaceEdit is an edit in either spelling, alone or as an action's or a request's.
type workspaceEdit struct {
	Edit    *workspaceEdit    `json:"edit"`
	Changes map[string][]edit `json:"changes"`

	DocumentChanges []struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version *int   `json:"version"`
		} `json:"textDocument"`
		Edits []edit `json:"edits"`
	} `json:"documentChanges"`
}

// apply does what `apply [N] FILE` says: makes the edit that the server offered, and tells it so.
func (p *player) apply(args string) error {
	n, name, ok := strings.Cut(args, " ")
	raw := p.last
	if ok {
		var actions []json.RawMessage
		if err := json.Unmarshal(raw, &actions); err != nil {
			return fmt.Errorf("the last answer is no list: %w", err)
		}
		i, err := strconv.Atoi(n)
		if err != nil || i < 1 || i > len(actions) {
			return fmt.Errorf("there is no action %s: there are %d", n, len(actions))
		}
		raw = actions[i-1]
	} else {
		name = n
	}
	var e workspaceEdit
	if err := json.Unmarshal(raw, &e); err != nil {
		return err
	}
	if e.Edit != nil {
		e = *e.Edit
	}
	for _, d := range e.DocumentChanges {
		if now := p.docs[d.TextDocument.URI]; now == nil || d.TextDocument.Version == nil || *d.TextDocument.Version != now.version {
			return fmt.Errorf("the edit is for another version of %s", d.TextDocument.URI)
		}
		e.Changes = map[string][]edit{d.TextDocument.URI: d.Edits}
	}
	if len(e.Changes) != 1 {
		return fmt.Errorf("there is no edit of one document in %s", raw)
	}
	for uri, edits := range e.Changes {
		return p.change(uri, edits, name)
	}
	return nil
}

// change edits a document and tells the server, in the same words.
func (p *player) change(uri string, edits []edit, name string) error {
	d := p.docs[uri]
	if d == nil {
		return fmt.Errorf("%s is not open", uri)
	}
	after, err := applyEdits(d.text, edits, p.enc)
	if err != nil {
		return err
	}
	d.version++
	d.text = after
	p.talk.keep(name, after)
	type versioned struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	}
	params, err := jsonrpc.Raw(map[string]any{
		"textDocument":   versioned{uri, d.version},
		"contentChanges": []map[string]string{{"text": after}},
	})
	if err != nil {
		return err
	}
	return p.send(&jsonrpc.Message{Method: "textDocument/didChange", Params: params})
}

// applyEdits makes edits, all of which are about the text as it is, the simplest way.
func applyEdits(text string, edits []edit, enc string) (string, error) {
	type cut struct {
		from, to int
		with     string
	}
	var cuts []cut
	for _, e := range edits {
		from, err := find(text, e.Range.Start, enc)
		if err != nil {
			return "", err
		}
		to, err := find(text, e.Range.End, enc)
		if err != nil {
			return "", err
		}
		cuts = append(cuts, cut{from, to, e.NewText})
	}
	slices.SortStableFunc(cuts, func(a, b cut) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, c := range cuts {
		if c.from < at || c.to < c.from {
			return "", fmt.Errorf("edits overlap: %+v", edits)
		}
		b.WriteString(text[at:c.from] + c.with)
		at = c.to
	}
	return b.String() + text[at:], nil
}

// find is the byte at a position, which has to be one: a client that asks for less would hide a server's mistakes.
func find(text string, p place, enc string) (int, error) {
	lines := strings.Split(strings.NewReplacer("\r\n", "\r\n\x00", "\n", "\n\x00", "\r", "\r\x00").Replace(text), "\x00")
	if p.Line >= len(lines) {
		return 0, fmt.Errorf("there is no line %d", p.Line)
	}
	off := 0
	for _, l := range lines[:p.Line] {
		off += len(l)
	}
	line := strings.TrimRight(lines[p.Line], "\r\n")
	for i := 0; i <= len(line); i++ {
		if utf8.ValidString(line[:i]) && count(line[:i], enc) == p.Character {
			return off + i, nil
		}
	}
	return 0, fmt.Errorf("line %d has no column %d: %q", p.Line, p.Character, line)
}

func count(s, enc string) int {
	switch enc {
	case "utf-8":
		return len(s)
	case "utf-32":
		return utf8.RuneCountInString(s)
	}
	return len(utf16.Encode([]rune(s)))
}
