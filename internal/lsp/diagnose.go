package lsp

import (
	"fmt"
	"slices"
	"time"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/pkg/plan/check"
)

// maxDiagnostics of one document are shown; who has more begins with the first ones.
const maxDiagnostics = 1000

// setTimer makes the timer fire when the next document is due.
func (s *server) setTimer(timer *time.Timer) {
	var next time.Time
	for _, d := range s.docs {
		if !d.due.IsZero() && (next.IsZero() || d.due.Before(next)) {
			next = d.due
		}
	}
	if next.IsZero() {
		timer.Stop()
		return
	}
	timer.Reset(max(time.Until(next), 0))
}

// checkRested checks the documents that are due, in a fixed order.
func (s *server) checkRested(now time.Time) {
	var due []*document
	for _, d := range s.docs {
		if !d.due.IsZero() && !d.due.After(now) {
			due = append(due, d)
		}
	}
	slices.SortFunc(due, func(a, b *document) int { return a.due.Compare(b.due) })
	for _, d := range due {
		d.due = time.Time{}
		if d.checking {
			d.again = true
			continue
		}
		s.check(d)
	}
}

// check has a worker look at the newest snapshot of a document.
func (s *server) check(d *document) {
	v := view{snapshot: d.snap, enc: s.enc, client: &s.client}
	d.checking, d.again = true, false
	s.spawn(s.workCtx, func() func() {
		found, bad := s.safely(func() (any, *jsonrpc.Error) { return v.diagnostics(), nil })
		isPlan := bad == nil && v.options.get().isPlan
		return func() {
			list, _ := found.([]diagnostic)
			s.checked(v.snapshot, list, isPlan)
		}
	})
}

// checked shows what was found, if the document is still the one that was looked at.
func (s *server) checked(sn *snapshot, found []diagnostic, isPlan bool) {
	d, ok := s.docs[sn.uri]
	if !ok {
		return
	}
	d.checking = false
	if d.snap == sn && (isPlan || d.shown > 0 || len(found) > 0) {
		p := publishParams{URI: sn.uri, Diagnostics: found}
		if s.client.TextDocument.PublishDiagnostics.VersionSupport {
			p.Version = sn.version
		}
		d.shown = len(found)
		s.notify("textDocument/publishDiagnostics", p)
	}
	if d.again {
		s.check(d)
	}
}

// diagnostics are the findings as an editor wants them.
func (v view) diagnostics() []diagnostic {
	if v.lost != "" {
		return []diagnostic{{Severity: 2, Code: "document-lost", Source: source, Message: v.lost}}
	}
	found := v.findings.get()
	out := make([]diagnostic, 0, min(len(found), maxDiagnostics+1))
	from, to := v.text.ruler(v.enc), v.text.ruler(v.enc)
	for i, f := range found {
		d := v.diagnostic(f, from, to)
		if i == maxDiagnostics {
			d.Severity, d.Code = 3, "more"
			d.Message = fmt.Sprintf("%d more findings are not shown; `ralphex check` has them all", len(found)-i)
			return append(out, d)
		}
		out = append(out, d)
	}
	return out
}

// source is the name that an editor shows beside a diagnostic.
const source = "ralphex"

// diagnostic turns one finding. The rulers are for beginnings and ends: each sees rising offsets, mostly.
func (v view) diagnostic(f check.Finding, from, to *ruler) diagnostic {
	return diagnostic{
		Range:    Range{from.position(f.Offset), to.position(f.Offset + f.Len)},
		Severity: level(f.Severity), Code: f.Rule, Source: source, Message: f.Message,
	}
}

// level is a severity in the protocol's numbers.
func level(s check.Severity) int {
	switch s {
	case check.Error:
		return 1
	case check.Warning:
		return 2
	}
	return 3
}
