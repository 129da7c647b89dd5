package vcs

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExtractPathFromPorcelain(t *testing.T) {
	for line, want := range map[string]string{
		" M a.go":                   "a.go",
		"?? b c":                    "b c",
		`?? "b c"`:                  "b c",
		`?? "n\nl\t\"q\"\\"`:        "n\nl\t\"q\"\\",
		`?? "\303\274"`:             "ü",
		"R  old -> new":             "new",
		`R  "o -> ld" -> "n -> ew"`: "n -> ew",
		"?? b -> c":                 "b -> c",
		`?? "half`:                  `"half`,
		`?? "a" b"`:                 `"a" b"`,
		`?? "\9"`:                   `"\9"`,
		"D  gone":                   "gone",
		"x":                         "",
	} {
		assert.Equal(t, want, extractPathFromPorcelain(line), line)
	}
}

func TestParseShort(t *testing.T) {
	lines, err := parseShort("## main\n M a\nR  old -> new\n?? u\n!! i\n", false)
	require.NoError(t, err)
	nul, err := parseShort(" M a\x00R  new\x00old\x00?? u\x00", true)
	require.NoError(t, err)
	assert.Equal(t, nul, lines, "both forms mean the same, to the fingerprint as well")
	assert.Equal(t, Change{Path: "new", From: "old", Index: 'R', Work: '.', raw: "R. new <- old"}, nul.Changes[1])
	_, err = parseShort("M a\n", false)
	require.ErrorContains(t, err, "two letters")
}

func FuzzParseShort(f *testing.F) {
	f.Add(" M a\nR  \"x\\n\" -> y\n?? \"\\303", true)
	f.Add("R  a\x00b\x00", false)
	f.Fuzz(func(t *testing.T, text string, nul bool) {
		s, err := parseShort(text, nul)
		if err != nil {
			return
		}
		for _, c := range s.Changes {
			assert.NotContains(t, []byte{c.Index, c.Work}, byte(' '))
		}
	})
}
