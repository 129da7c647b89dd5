package task

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The walk is what reads a usual file, and an entry that needs the tree gets it alone, in its place among the others.
func TestWalkReadsUsualFiles(t *testing.T) {
	t.Parallel()
	entries := []string{`{"id":"T0","title":"a","status":"done"}`, `{"id":"T1","title":"b","status":"todo","depends_on":["T0"]}`, `{"id":"T2","title":"c","status":"todo","extra":1}`}
	for range 2 * sample {
		entries = append(entries, `{"id":"T`+strings.Repeat("x", len(entries))+`","title":"t","status":"todo"}`)
	}
	in := &Inspection{text: []byte("\n" + file(entries...))}
	f, ok := in.walk()
	require.True(t, ok)
	require.Len(t, f.Tasks, len(entries))
	assert.Equal(t, []string{"T0"}, f.Tasks[1].DependsOn)
	assert.Equal(t, []Code{FieldCorrected}, codes(in.Diagnostics))
	assert.Equal(t, SourceLocation{ArrayIndex: 2, Line: 2, Column: strings.Index(file(entries...), entries[2]) + 1}, *f.Tasks[2].Source)
	oneReading(t, in.text)

	for _, text := range []string{"[]", "7", `{"tasks":{}}`, `{}`, `{"tasks":[],"tasks":[]}`, `{"tasks":[]`, `{"tasks":[]}}`, `{"version":2.5,"tasks":[7]}`,
		`{"tasks":[{"id":"A","title":"a` + "\n" + `","status":"todo"}]}`, "\ufeff" + file()} {
		in := &Inspection{text: []byte(text)}
		_, ok := in.walk()
		assert.False(t, ok, text)
		assert.Empty(t, in.Diagnostics, text)
	}
}
