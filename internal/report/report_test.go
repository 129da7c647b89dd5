package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan/check"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample has what formats stumble over: tabs, wide characters, control characters, %, commas, bytes that are
// no UTF-8, CRLF, a fix, and a clean file.
func sample(t *testing.T) Report {
	t.Helper()
	src := []byte("# 計画\r\n\r\n### タスク 1: 確認, 100%\r\n*\t[X] 確認する\tTBD \x1b[31m\xff\r\n")
	found := check.Check(src, check.Options{})
	require.NotEmpty(t, found)
	long := []byte("# T\n\n### Task 1: a\n- [ ] " + strings.Repeat("a very long line ", 20) + "TBD" + strings.Repeat(" goes on", 30) + "\n")
	r := Report{Profile: check.Strict, Version: "v1.2.3", Width: 80, Files: []File{
		{Path: "docs/plans/計画, 1.md", Src: src, Findings: found},
		{Path: "long.md", Src: long, Fixed: 2},
		{Path: "clean.md", Src: []byte("# x\n")},
	}}
	for _, f := range check.Check(long, check.Options{}) {
		if f.Rule == "placeholder" {
			r.Files[1].Findings = append(r.Files[1].Findings, f)
		}
	}
	return r
}

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, f.Write(&out, sample(t)))
			golden(t, "sample."+f.Name, out.Bytes())
		})
	}
}

func TestTextColorAndQuiet(t *testing.T) {
	r := sample(t)
	r.Color = true
	var out bytes.Buffer
	require.NoError(t, Text(&out, r))
	golden(t, "sample.color", out.Bytes())

	r.Color, r.Quiet = false, true
	out.Reset()
	require.NoError(t, Text(&out, r))
	golden(t, "sample.quiet", out.Bytes())
	assert.NotContains(t, out.String(), "\x1b", "what stands in a plan draws nothing")
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// TestSchemas validates what programs read.
func TestSchemas(t *testing.T) {
	for _, tt := range []struct {
		schema string
		write  func(io.Writer, Report) error
	}{
		{filepath.Join("..", "..", "docs", "schema", "check.json"), JSON},
		{filepath.Join("testdata", "sarif-schema-2.1.0.json"), SARIF},
	} {
		schema := compile(t, tt.schema)
		for name, r := range map[string]Report{"sample": sample(t), "nothing": {Profile: check.Run}, "rules": everyRule()} {
			t.Run(filepath.Base(tt.schema)+" "+name, func(t *testing.T) {
				var out bytes.Buffer
				require.NoError(t, tt.write(&out, r))
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

// everyRule is a report with the wrong example of each rule.
func everyRule() Report {
	r := Report{Profile: check.Strict}
	for _, rule := range check.Rules() {
		src := rule.Wrong.Plan()
		r.Files = append(r.Files, File{Path: rule.ID + ".md", Src: src, Findings: check.Check(src, check.Options{})})
	}
	return r
}

func compile(t *testing.T, path string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("schema.json", doc))
	s, err := c.Compile("schema.json")
	require.NoError(t, err)
	return s
}

// TestSARIFFixes makes the fixes as a reader of SARIF would, by lines and characters.
func TestSARIFFixes(t *testing.T) {
	src := []byte("# 計画\n\n### Task 1: 確認\n* [X] 確認する\n")
	found := check.Check(src, check.Options{})
	var out bytes.Buffer
	require.NoError(t, SARIF(&out, Report{Files: []File{{Path: "p.md", Src: src, Findings: found}}}))
	var log sarifLog
	require.NoError(t, json.Unmarshal(out.Bytes(), &log))
	n := 0
	for i, res := range log.Runs[0].Results {
		for _, fix := range res.Fixes {
			n++
			require.Len(t, fix.Changes, 1)
			edits := found[i].Fix.Edits
			require.Len(t, fix.Changes[0].Replacements, len(edits))
			for k, rep := range fix.Changes[0].Replacements {
				assert.Equal(t, edits[k].Offset, offsetOf(src, rep.Deleted.StartLine, rep.Deleted.StartColumn))
				assert.Equal(t, edits[k].Offset+edits[k].Len, offsetOf(src, rep.Deleted.EndLine, rep.Deleted.EndColumn))
			}
		}
	}
	assert.Greater(t, n, 2)
}

// offsetOf finds a line and a column of characters.
func offsetOf(src []byte, line, col int) int {
	lines := strings.SplitAfter(string(src), "\n")
	offset := len(strings.Join(lines[:line-1], ""))
	return offset + len(string([]rune(lines[line-1])[:col-1]))
}

func TestJUnitIsXML(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, JUnit(&out, sample(t)))
	var back junitSuites
	require.NoError(t, xml.Unmarshal(out.Bytes(), &back))
	assert.Equal(t, 3, len(back.Suites))
	failures := 0
	for _, s := range back.Suites {
		assert.Len(t, s.Cases, s.Tests)
		failures += s.Failures
	}
	assert.Equal(t, back.Failures, failures)
	assert.Zero(t, back.Suites[2].Failures)
}
