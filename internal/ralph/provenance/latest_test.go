package provenance

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/layout"
)

// pointed are the latest copies as they are on the disk.
func pointed(t *testing.T, l layout.Layout) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, path := range l.Latest().Paths() {
		if data, err := os.ReadFile(path); err == nil {
			got[l.Rel(path)] = string(data)
		}
	}
	return got
}

// A process that was killed when a session was recorded, and before its latest copies were written, leaves those of an earlier one. They are made again from
// the bundle, to the byte as the process would have written them; of a session that has no result yet, the earlier result stays.
func TestLatestCopiesOfAKilledRunAreMadeAgain(t *testing.T) {
	for name, end := range map[string]func(*testing.T, *Session){
		"prepared": func(*testing.T, *Session) {},
		"executed": func(t *testing.T, s *Session) {
			text, err := s.Prompt()
			require.NoError(t, err)
			require.NoError(t, s.Payload(text))
			_, err = s.Finish(outcome())
			require.NoError(t, err)
		},
		"blocked": func(t *testing.T, s *Session) { require.Error(t, s.Payload("another")) },
	} {
		t.Run(name, func(t *testing.T) {
			l, w := workspace(t)
			finished(t, l, w, 7, "Do it.\n")
			earlier := pointed(t, l)
			restored, err := Restore(l)
			require.NoError(t, err)
			assert.Empty(t, restored, "they are the newest")

			p, second := preparation("Do the next.\n"), 60 // the clock goes on
			p.Now = func() time.Time { second++; return at(second) }
			s, err := Prepare(w, iteration(l, 8), p)
			require.NoError(t, err)
			end(t, s)
			for path, data := range earlier { // the process was killed
				require.NoError(t, os.WriteFile(l.Root+"/"+path, []byte(data), 0o600))
			}
			_, err = Restore(l)
			require.NoError(t, err)
			got := pointed(t, l)
			assert.NotEqual(t, earlier, got)
			assert.Empty(t, s.Show())
			assert.Equal(t, pointed(t, l), got)
			restored, err = Restore(l)
			require.NoError(t, err)
			assert.Empty(t, restored)
		})
	}
}

// Each latest copy that is deleted alone is made again as it was.
func TestEachLatestCopyIsMadeAgain(t *testing.T) {
	l, w := workspace(t)
	finished(t, l, w, 7, "Do it.\n")
	want := pointed(t, l)
	require.Len(t, want, 10)
	for _, path := range []string{l.Latest().Result, l.Latest().Prompt, l.Latest().PromptEvidence, l.Latest().ExecutionPlan, l.Latest().CLIInvocation,
		l.Latest().PreflightReport, l.Latest().ProvenanceBundle} {
		require.NoError(t, os.Remove(path))
		restored, err := Restore(l)
		require.NoError(t, err)
		assert.Equal(t, []string{l.Rel(path)}, restored)
		assert.Equal(t, want, pointed(t, l))
	}
}

// Of the latest copies of two sessions that are written at once the newest stays, whichever is noted last.
func TestTheNewestSessionIsTheLatest(t *testing.T) {
	l, w := workspace(t)
	s7, err := Prepare(w, iteration(l, 7), preparation("Do it.\n"))
	require.NoError(t, err)
	assert.Empty(t, pointed(t, l), "they are noted, and not written yet")
	_, err = Prepare(w, iteration(l, 8), preparation("Do the next.\n"))
	require.NoError(t, err)
	_, err = s7.Finish(outcome())
	require.NoError(t, err)
	assert.Empty(t, s7.Show())
	got := pointed(t, l)
	assert.Equal(t, "Do the next.\n", got[l.Rel(l.Latest().Prompt)])
	assert.Contains(t, got[l.Rel(l.Latest().ProvenanceBundle)], "run-i008-")
	assert.Contains(t, got[l.Rel(l.Latest().Result)], "run-i007-", "the newest that has one")
}

// What a session has become is the latest result also behind a prompt that was only prepared; a preflight that blocked is one itself.
func TestTheLatestResultIsMadeAgainBehindOthers(t *testing.T) {
	l, w := workspace(t)
	finished(t, l, w, 7, "Do it.\n")
	_, err := Prepare(w, iteration(l, 8), preparation("Do the next.\n"))
	require.NoError(t, err)
	_, err = Restore(l)
	require.NoError(t, err)
	want := pointed(t, l)
	require.Contains(t, want[l.Rel(l.Latest().Result)], "run-i007-")
	require.NoError(t, os.Remove(l.Latest().Result))
	restored, err := Restore(l)
	require.NoError(t, err)
	assert.Equal(t, []string{l.Rel(l.Latest().Result)}, restored)
	assert.Equal(t, want, pointed(t, l))

	_, err = BlockedByPreflight(w, iteration(l, 9), []byte("{\"kind\": \"preflight\"}\n"), []byte("# Preflight\n"), "blocked", time.Now)
	require.NoError(t, err)
	for _, path := range []string{l.Latest().Result, l.Latest().Summary} {
		require.NoError(t, os.Remove(path))
	}
	_, err = Restore(l)
	require.NoError(t, err)
	got := pointed(t, l)
	assert.Equal(t, "{\"kind\": \"preflight\"}\n", got[l.Rel(l.Latest().Result)])
	assert.Equal(t, "# Preflight\n", got[l.Rel(l.Latest().Summary)])
}
