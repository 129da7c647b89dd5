package state

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The number that is written into the file as it stands leaves the same bytes as the one for which the file is read; and a file that somebody else wrote
// meanwhile, whole or broken, is read.
func TestNumbersAreCountedInTheFileAsItStands(t *testing.T) {
	s := open(t, "")
	require.NoError(t, s.Record(t.Context(), iteration(7), nil, Prompt{ObjectivePreview: "a\n  \"nextIteration\": 3,\n", Kind: "iteration", Path: "/p"}))
	masked := func() string {
		return regexp.MustCompile(`"updatedAt": "[^"]*"`).ReplaceAllString(text(t, s), "")
	}
	for want := 8; want < 12; want++ {
		counted, n := s.counted()
		require.Equal(t, want, n)
		assert.NotEmpty(t, counted)
		before := text(t, s)
		n, err := s.Allocate(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, n)
		got := masked()
		require.NoError(t, os.WriteFile(s.path, []byte(before), 0o600))
		n, err = New(s.path, s.Options).Allocate(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, n)
		assert.Equal(t, masked(), got, "as a store that has to read the file")
		s.wrote.Store(ref(text(t, s)))
	}

	require.NoError(t, os.WriteFile(s.path, []byte(strings.Replace(text(t, s), `"nextIteration": 12`, `"nextIteration": 40, "mine": 1`, 1)), 0o600))
	n, err := s.Allocate(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 40, n, "somebody else's number")
	assert.Contains(t, text(t, s), `"mine": 1`)
	n, err = s.Allocate(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 41, n)

	require.NoError(t, os.WriteFile(s.path, []byte(text(t, s)[:100]), 0o600))
	_, n = s.counted()
	assert.Zero(t, n, "a broken file")
}

func ref(text string) *[]byte {
	data := []byte(text)
	return &data
}
