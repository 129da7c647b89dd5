package lsp

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/check"
)

// FuzzServe sends any bodies, one a line. The session ends, what is answered are messages, and nothing is a bug.
func FuzzServe(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}` + "\n" + `{"jsonrpc":"2.0","method":"exit"}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"a.md"},"range":{"start":{"line":9},"end":{"line":0}},"context":{}}}`)
	f.Add(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"a.md","version":2},"contentChanges":[{"range":{"start":{"line":1,"character":7},"end":{"line":9,"character":1}},"text":"\r😀"}]}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"a.md"}}}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"textDocument":{"uri":"a.md"},"position":{}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}`)
	f.Add(`{"jsonrpc":"2.0","id":4,"method":"workspace/executeCommand","params":{"command":"ralphex.fixAll","arguments":[{"textDocument":{"uri":"a.md"}}]}}` + "\n[]\n{}")
	first := []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"workspace":{"applyEdit":true},"textDocument":{"codeAction":{"codeActionLiteralSupport":{}}}}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"a.md","languageId":"markdown","version":1,"text":"# T\n### Task 1: a\n* [ ] b\n"}}}`,
	}
	f.Fuzz(func(t *testing.T, bodies string) {
		var in, out bytes.Buffer
		for _, body := range append(first, strings.Split(bodies, "\n")...) {
			require.NoError(t, jsonrpc.Write(&in, []byte(body)))
		}
		err := Serve(t.Context(), &in, &out, Options{})
		require.True(t, err == nil || errors.Is(err, ErrNoShutdown), err)
		for r := jsonrpc.NewReader(&out, maxMessage); ; {
			body, err := r.Read()
			if err == io.EOF {
				return
			}
			require.NoError(t, err)
			m, bad := jsonrpc.Decode(body)
			require.Nil(t, bad, string(body))
			if m.Error != nil {
				require.NotEqual(t, jsonrpc.InternalError, m.Error.Code, m.Error.Message)
			}
		}
	})
}

// FuzzPlaces checks, for any text, that what is said in lines and columns means the bytes that the checker and the
// reader of plans mean, and that the parts of the outline lie inside each other.
func FuzzPlaces(f *testing.F) {
	for _, s := range []string{
		"### Task 1: a\r\n* [X] b 😀\r\n  + [~] c\r\n", "### Задача 1: a\r- [ ] b\r", "\ufeff# T\n## Tasks\n### Task 2: x\n-\t[ ] y\n",
		"### Task 1: a\n- [ ] b", "- [ ] stray\n### Task 1: ???\n> - [ ] c\n```\n- [ ] d\n",
	} {
		f.Add(s)
	}
	talks, err := filepath.Glob(filepath.Join("testdata", "*.talk"))
	require.NoError(f, err)
	for _, name := range talks {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 8<<10 {
			return // nothing new, and slow
		}
		src = strings.ToValidUTF8(src, "�") // JSON has nothing else
		for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
			v := view{snapshot: newSnapshot(uri, nil, newText([]byte(src)), place{inPlans: true}, nil), enc: enc, client: &clientCapabilities{}}
			v.client.TextDocument.DocumentSymbol.Hierarchical = true
			for _, finding := range v.findings.get() {
				if finding.Fix != nil {
					samePlaces(t, v, finding.Fix.Edits)
				}
			}
			samePlaces(t, v, v.repairs())
			require.Equal(t, string(v.fixed.get()), string(check.Apply(v.text.bytes, v.repairs())))
			for _, d := range v.diagnostics() {
				require.False(t, before(d.Range.End, d.Range.Start), "%+v", d)
			}
			tree, bad := v.symbols(nil)
			require.Nil(t, bad)
			nested(t, tree.([]symbol), Range{End: v.text.ruler(enc).position(len(src))})
			if p, ok := v.isPlan(); ok {
				ticksOneByte(t, v, p)
			}
		}
	})
}

// samePlaces checks that edits in lines and columns are the edits in bytes.
func samePlaces(t *testing.T, v view, edits []check.Edit) {
	t.Helper()
	list := v.edit(edits).Changes[v.uri]
	require.Len(t, list, len(edits))
	for i, e := range edits {
		require.Equal(t, e.Offset, v.text.offset(list[i].Range.Start, v.enc), "%+v in %q", e, v.text.bytes)
		require.Equal(t, e.Offset+e.Len, v.text.offset(list[i].Range.End, v.enc), "%+v in %q", e, v.text.bytes)
		require.Equal(t, e.New, list[i].NewText)
	}
}

func before(a, b Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// nested checks that symbols lie inside of what is around them, and what is to be shown of them inside of themselves.
func nested(t *testing.T, list []symbol, around Range) {
	t.Helper()
	for _, s := range list {
		for _, inner := range []struct{ in, out Range }{{s.Range, around}, {s.Selection, s.Range}} {
			require.False(t, before(inner.in.Start, inner.out.Start) || before(inner.out.End, inner.in.End) || before(inner.in.End, inner.in.Start), "%+v", s)
		}
		require.NotEmpty(t, s.Name)
		nested(t, s.Children, s.Range)
	}
}

// ticksOneByte checks that the tick of each box changes one byte, that of its mark, and means this box to the reader.
func ticksOneByte(t *testing.T, v view, p *plan.Plan) {
	t.Helper()
	for i, task := range p.Tasks {
		for j, box := range task.Checkboxes[:min(len(task.Checkboxes), 3)] {
			edits := setBoxes([]plan.Checkbox{box}, !box.Checked)
			if box.Sample {
				require.Empty(t, edits)
				continue
			}
			require.Len(t, edits, 1)
			require.Equal(t, []int{box.Offset, 1, 1}, []int{edits[0].Offset, edits[0].Len, len(edits[0].New)})
			samePlaces(t, v, edits)
			after, err := plan.ParsePlan(check.Apply(v.text.bytes, edits))
			require.NoError(t, err)
			require.Equal(t, !box.Checked, after.Tasks[i].Checkboxes[j].Checked)
		}
	}
}
