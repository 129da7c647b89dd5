package check_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/report"
	"ralphex/internal/textdiff"
	"ralphex/pkg/plan/check"
)

var update = flag.Bool("update", false, "rewrite the golden files and the page of the rules")

// golden compares got with a file, or writes it.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// TestRules shows what a person sees for the wrong example of each rule, and what --fix makes of it.
func TestRules(t *testing.T) {
	for _, r := range check.Rules() {
		if r.Wrong.Text == "" {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			src := r.Wrong.Plan()
			fixed, rest, err := check.FixAll(src, check.Options{})
			require.NoError(t, err)
			var out bytes.Buffer
			file := report.File{Path: "plan.md", Src: src}
			for _, f := range check.Check(src, check.Options{}) {
				if f.Rule == r.ID { // a frame of one example breaks other rules, too
					file.Findings = append(file.Findings, f)
				}
			}
			require.NoError(t, report.Text(&out, report.Report{Files: []report.File{file}, Width: 100}))
			fmt.Fprintf(&out, "\nfixed:\n%s", textdiff.Unified("plan.md", "plan.md", string(src), string(fixed), 2))
			fmt.Fprintf(&out, "\nleft: %s\n", strings.Join(ids(rest), " "))
			golden(t, filepath.Join("testdata", "rules", r.ID+".golden"), out.Bytes())
		})
	}
}

func ids(findings []check.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Rule)
	}
	return out
}

const (
	pageBegin = "<!-- rules: written by `make golden` from pkg/plan/check/rules.go; change them there -->\n"
	pageEnd   = "<!-- end of the rules -->\n"
)

// TestPage compares the rules in docs/plan-format.md with the table.
func TestPage(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "plan-format.md")
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(page), pageBegin)
	require.True(t, ok, "the page has no place for the rules")
	_, after, ok := strings.Cut(rest, pageEnd)
	require.True(t, ok)
	golden(t, path, []byte(before+pageBegin+rulesPage()+pageEnd+after))
}

// rulesPage writes the rules with their examples.
func rulesPage() string {
	var b strings.Builder
	b.WriteString("\n| rule | severity | profile | fix |\n|---|---|---|---|\n")
	for _, r := range check.Rules() {
		profile, fix := "strict", ""
		if r.Profile == check.Run {
			profile = "strict, run"
		}
		if r.Fixable {
			fix = "yes"
		}
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s |\n", r.ID, r.Doc, r.Severity, profile, fix)
	}
	for _, r := range check.Rules() {
		fmt.Fprintf(&b, "\n### %s\n\n%s. %s\n", r.ID, r.Title, r.Why)
		if r.Wrong.Text == "" {
			continue
		}
		fmt.Fprintf(&b, "\nWrong:\n\n%s\nRight:\n\n%s", fenced(r.Wrong.Text), fenced(r.Right.Text))
	}
	return b.String() + "\n"
}

// fenced shows an example; four marks, since some examples hold fences.
func fenced(text string) string {
	return "````markdown\n" + strings.TrimRight(text, "\n") + "\n````\n"
}
