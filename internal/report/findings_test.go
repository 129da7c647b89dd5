package report

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/finding"
)

// reviewed is a run with each kind of finding, and texts that formats stumble over.
func reviewed() Findings {
	var l finding.Ledger
	leak := finding.Finding{File: "pkg/a, b.go", Line: 42, EndLine: 50, Also: []int{90}, Severity: finding.Major, Text: "100% of it is \x1b[31mnever\nclosed", Source: "quality"}
	style := finding.Finding{File: "b.go", Line: 7, Severity: finding.Minor, Text: "two names for one thing"}
	late := finding.Finding{File: "c/日本.go", Line: 1, Text: "値が null", Severity: finding.Info}
	skip := finding.Finding{File: "a_test.go", Severity: finding.Major, Text: "a test is gone: TestA", Source: "ralphex", Rule: "test-weakening"}
	l.Add(finding.Round{Kind: "review", N: 0, Reviewer: "claude"}, []finding.Finding{leak, style, late})
	l.Add(finding.Round{Kind: "external", N: 0, Reviewer: "codex"}, []finding.Finding{
		{File: "/etc/passwd", Line: 3, Severity: finding.Minor, Text: "it is not this repository's"}, {File: "../x.go", Severity: finding.Info, Text: "nor is this"}})
	l.Add(finding.Round{Kind: "ralphex", N: 0, Reviewer: "ralphex"}, []finding.Finding{skip})
	l.Settle(style.ID(), finding.Refuted, "they are two things", "")
	l.Settle(late.ID(), finding.Fixed, "", "1a2b3c4d5e6f708192a3b4c5d6e7f80910111213")
	l.Add(finding.Round{Kind: "review", N: 1, Reviewer: "claude"}, []finding.Finding{leak})
	return Findings{Run: "20260129-153012-4f2a9c", Plan: "docs/plans/p.md", Version: "v1.2.3", Entries: l.Entries()}
}

func TestFindingsFormats(t *testing.T) {
	for _, f := range FindingsFormats() {
		t.Run(f.Name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, f.Write(&out, reviewed()))
			golden(t, "findings."+f.Name, out.Bytes())
			assert.NotContains(t, out.String(), "\x1b", "what stands in a finding draws nothing")

			out.Reset()
			require.NoError(t, f.Write(&out, Findings{}))
		})
	}
}

func TestFindingsSchemas(t *testing.T) {
	for _, tt := range []struct {
		path  string
		write FindingsFormat
	}{
		{filepath.Join("..", "..", "docs", "schema", "findings.json"), FindingsFormat{"json", FindingsJSON}},
		{filepath.Join("testdata", "sarif-schema-2.1.0.json"), FindingsFormat{"sarif", FindingsSARIF}},
	} {
		schema := compile(t, tt.path)
		for name, f := range map[string]Findings{"reviewed": reviewed(), "nothing": {}} {
			t.Run(tt.write.Name+" "+name, func(t *testing.T) {
				var out bytes.Buffer
				require.NoError(t, tt.write.Write(&out, f))
				doc, err := jsonschema.UnmarshalJSON(&out)
				require.NoError(t, err)
				require.NoError(t, schema.Validate(doc))
			})
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"version": 2}`))
		require.NoError(t, err)
		require.Error(t, schema.Validate(doc), "the schema says no to something")
	}
}
