package lsp

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/internal/lsp/jsonrpc"
)

// bigPlan is a clean plan of about so many bytes.
func bigPlan(size int) string {
	var b strings.Builder
	b.WriteString("# Big\n\n## Implementation Steps\n\n")
	for n := 1; b.Len() < size; n++ {
		fmt.Fprintf(&b, "### Task %d: something to do 終 😀\n\n", n)
		for i := range 10 {
			fmt.Fprintf(&b, "- [ ] item %d of the task, in some words that fill a line as people do\n", i)
		}
		b.WriteString("- [ ] write tests\n- [ ] run project tests\n\n")
	}
	return b.String()
}

// opened is a server of no goroutines with one document, for benchmarks of what the loop does.
func opened(b *testing.B, text string) *server {
	b.Helper()
	s := newServer(b.Context(), Options{Log: slog.New(slog.DiscardHandler)})
	s.at = running
	b.Cleanup(s.stopWork)
	raw, err := jsonrpc.Raw(map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "markdown", "version": 1, "text": text}})
	require.NoError(b, err)
	require.Nil(b, s.didOpen(raw))
	return s
}

// BenchmarkDidChange5MB is a keystroke in the middle of a 5 MB plan, until the loop is free again.
func BenchmarkDidChange5MB(b *testing.B) {
	s := opened(b, bigPlan(5<<20))
	middle := len(s.docs[uri].snap.text.starts) / 2
	for version := 2; b.Loop(); version++ {
		bad := s.didChange(fmt.Appendf(nil, `{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":0}},"text":"x"}]}`,
			uri, version, middle, middle))
		if bad != nil {
			b.Fatal(bad)
		}
	}
}

// BenchmarkDiagnostics5MB is what follows when the document has rested.
func BenchmarkDiagnostics5MB(b *testing.B) {
	s := opened(b, bigPlan(5<<20))
	d := s.docs[uri]
	for b.Loop() {
		sn := newSnapshot(uri, nil, d.snap.text, d.place, nil)
		view{snapshot: sn, enc: UTF16, client: &s.client}.diagnostics()
	}
}

// BenchmarkSymbols5MB is the outline of 5 MB.
func BenchmarkSymbols5MB(b *testing.B) {
	s := opened(b, bigPlan(5<<20))
	v := view{snapshot: s.docs[uri].snap, enc: UTF16, client: &s.client}
	v.plan.get()
	for b.Loop() {
		if _, bad := v.symbols(nil); bad != nil {
			b.Fatal(bad)
		}
	}
}

// BenchmarkLongLine is a line of 5 MB with many findings in it: columns are counted once, not once a finding.
func BenchmarkLongLine(b *testing.B) {
	t := newText([]byte(strings.Repeat("終 😀 x ", 500_000)))
	for b.Loop() {
		r := t.ruler(UTF16)
		for off := 0; off < len(t.bytes); off += 5000 {
			r.position(off)
		}
	}
}
