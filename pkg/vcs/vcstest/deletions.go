package vcstest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// deletionStories are the promises of vcs.DeletionReader.
var deletionStories = []story{
	{"deletions/renames are none", func(t *testing.T, s *stage) {
		for i := range 4 {
			s.Write(fmt.Sprintf("old/%d ü.txt", i), strings.Repeat(fmt.Sprintf("line of %d\n", i), 20))
		}
		first := s.Commit("first")
		s.Git("mv", "old/0 ü.txt", "moved.txt")
		s.Git("mv", "old/1 ü.txt", "edited.txt")
		s.Write("edited.txt", s.Read("edited.txt")+"and one more\n")
		s.Remove("old/2 ü.txt")
		second := s.Commit("second")
		d, ok := s.repo(t).(vcs.DeletionReader)
		require.True(t, ok)
		gone, err := d.Deleted(t.Context(), vcs.Rev(first), vcs.Rev(second))
		require.NoError(t, err)
		assert.Equal(t, []string{"old/2 ü.txt"}, gone)
		none, err := d.Deleted(t.Context(), vcs.Rev(second), vcs.Rev(second))
		require.NoError(t, err)
		assert.Empty(t, none)
		n, err := d.CountFiles(t.Context(), vcs.Rev(first))
		require.NoError(t, err)
		assert.Equal(t, 4, n)
	}},
}
