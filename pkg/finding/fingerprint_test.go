package finding

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIDStays(t *testing.T) {
	f := Finding{File: "a.go", Line: 42, Text: "The error of Close is ignored, see line 12"}
	want := f.ID()
	assert.Len(t, string(want), 16)
	for _, tt := range []struct {
		name   string
		change func(*Finding)
	}{
		{"line", func(f *Finding) { f.Line, f.EndLine, f.Also = 90, 95, []int{3} }},
		{"severity", func(f *Finding) { f.Severity = Critical }},
		{"who and what became of it", func(f *Finding) { f.Source, f.Disposition, f.Reason = "codex", Fixed, "done" }},
		{"case, signs, backticks", func(f *Finding) { f.Text = "the error of `Close()` is ignored - see line 12." }},
		{"articles", func(f *Finding) { f.Text = "error of the Close is ignored, see line 12" }},
		{"line in the text", func(f *Finding) { f.Text = "The error of Close is ignored, see line 77" }},
		{"lines in the text", func(f *Finding) { f.Text = "The error of Close is ignored, see lines 7-8, 10 and 12" }},
		{"label in the text", func(f *Finding) { f.Text = "The error of Close is ignored, see L77" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := f
			tt.change(&g)
			assert.Equal(t, want, g.ID())
		})
	}
	assert.Equal(t, at("a.go", 1, "as in b.go:12-14 and b.go:9:3").ID(), at("a.go", 1, "as in b.go:80 and b.go:1").ID(), "places in the text move, too")
}

func TestIDDiffers(t *testing.T) {
	base := at("a.go", 1, "the timeout is 30 seconds")
	for name, g := range map[string]Finding{
		"file":                 at("b.go", 1, base.Text),
		"case of the file":     at("A.go", 1, base.Text),
		"number":               at("a.go", 1, "the timeout is 60 seconds"),
		"word":                 at("a.go", 1, "the timeout is 30 minutes"),
		"rule":                 {File: "a.go", Text: base.Text, Rule: "test-weakening"},
		"word from file":       at("a.go the", 1, "timeout is 30 seconds"),
		"a line without lines": at("a.go", 1, "the line is too long"),
	} {
		assert.NotEqual(t, base.ID(), g.ID(), name)
	}
	assert.NotEqual(t, at("a.go", 1, "???").ID(), at("a.go", 1, "!!!").ID(), "signs are all that there is")
	assert.NotEqual(t, at("a.go", 1, "値が null").ID(), at("a.go", 1, "値が 空").ID(), "any script has words")
}
