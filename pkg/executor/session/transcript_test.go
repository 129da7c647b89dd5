package session

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

func TestTranscriptHoldsNoSecrets(t *testing.T) {
	req := executor.Request{Transcript: filepath.Join(t.TempDir(), "x"), Env: []string{"MY_TOKEN=abcdefghijkl"}, Secrets: []string{"from-settings"}}
	var live bytes.Buffer
	tr, err := newTranscript(req, &live, func(event.Data) { t.Error("nothing to note") })
	require.NoError(t, err)
	for _, p := range []string{"a abcdef", "ghijkl b from-set", "tings\n"} {
		_, err := tr.Write([]byte(p))
		require.NoError(t, err)
	}
	tr.close()
	got, err := os.ReadFile(req.Transcript)
	require.NoError(t, err)
	assert.Equal(t, "a [redacted:MY_TOKEN] b [redacted:setting]\n", string(got))
	assert.Equal(t, "a abcdefghijkl b from-settings\n", live.String(), "the stream itself is read as it is")
	fi, err := os.Stat(req.Transcript)
	require.NoError(t, err)
	assert.Zero(t, fi.Mode().Perm()&0o077, "nobody else's")
}

// Large pieces are kept and read side by side: in order, and without the secret that lies across two of them.
func TestTranscriptOfLargePieces(t *testing.T) {
	req := executor.Request{Transcript: filepath.Join(t.TempDir(), "x"), Env: []string{"MY_TOKEN=abcdefghijkl"}}
	var live bytes.Buffer
	tr, err := newTranscript(req, &live, func(event.Data) { t.Error("nothing to note") })
	require.NoError(t, err)
	filler := strings.Repeat("all is well. ", besideFrom/8)
	whole := "1" + filler + "abcdefghijkl" + "2" + filler + "3"
	for rest := whole; rest != ""; {
		n := min(len(rest), len(filler)+7)
		_, err := tr.Write([]byte(rest[:n]))
		require.NoError(t, err)
		rest = rest[n:]
	}
	tr.close()
	got, err := os.ReadFile(req.Transcript)
	require.NoError(t, err)
	assert.Equal(t, "1"+filler+"[redacted:MY_TOKEN]2"+filler+"3", string(got))
	assert.Equal(t, whole, live.String())
}

func TestTranscriptIsCut(t *testing.T) {
	req := executor.Request{Transcript: filepath.Join(t.TempDir(), "x"), TranscriptMax: 10, Env: []string{}}
	tr, err := newTranscript(req, new(bytes.Buffer), nil)
	require.NoError(t, err)
	_, err = tr.Write([]byte(strings.Repeat("0123456789", 100)))
	require.NoError(t, err)
	tr.close()
	got, err := os.ReadFile(req.Transcript)
	require.NoError(t, err)
	assert.Equal(t, "0123456789\n{\"type\":\"ralphex_note\",\"text\":\"cut here: 990 bytes more\"}\n", string(got))
}

// A full disk costs the copy: it is said once, and the session goes on.
func TestTranscriptOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	var notes []event.Data
	var live bytes.Buffer
	tr, err := newTranscript(executor.Request{Transcript: "/dev/full", Env: []string{}}, &live, func(d event.Data) { notes = append(notes, d) })
	require.NoError(t, err)
	for _, size := range []int{besideFrom, 1000, besideFrom} {
		_, err = tr.Write(bytes.Repeat([]byte("x"), size))
		require.NoError(t, err)
	}
	tr.close()
	assert.Len(t, notes, 1)
	assert.Equal(t, 2*besideFrom+1000, live.Len())
}
