package sessiontest

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/internal/proc"
	"ralphex/pkg/executor/session"
)

// Fuzz checks that a dialect understands the same of any stream, whatever pieces it comes in and whether its lines fit into
// memory or go through a file, and that it never falls over. The recorded streams of DIR are the seeds.
func Fuzz(f *testing.F, dir string, open Open) {
	f.Helper()
	files, err := filepath.Glob(dir + "/streams/*.stdout")
	require.NoError(f, err)
	for _, file := range files {
		if b := Stream(f, file); len(b) < 8<<10 { // larger ones are only slow to mutate
			f.Add(b, 7)
		}
	}
	for _, s := range []string{"{}", `{"type":7}`, `{"type":"message","type":"x"}`, "\xff{", `{"item":null,"part":[],"data":"x","message":3}`, "<<<RALPHEX:ALL_TASKS_DONE>>>"} {
		f.Add([]byte(s+"\n"), 1)
	}
	f.Fuzz(func(t *testing.T, stdout []byte, piece int) {
		piece = 1 + (piece&0xff)%64
		want := Understood(stdout, "", proc.Exit{}, len(stdout), open)
		require.Equal(t, want, Understood(stdout, "", proc.Exit{}, piece, open))
		if wellFormed(string(stdout)) {
			text, signals := spoken(stdout, 1<<20, open)
			longText, longSignals := spoken(stdout, 2*piece, open)
			require.Equal(t, text, longText)
			require.Equal(t, signals, longSignals)
		}
	})
}

// spoken is the agent's own text and its signals, where lines of more than limit bytes go through a file.
func spoken(stdout []byte, limit int, open Open) (text string, signals int) {
	s := session.NewStream(nil, nil, open)
	s.Lines.Limit = limit
	_, _ = s.Write(stdout)
	said := s.Close()
	return said.Text, len(said.Signals)
}

// wellFormed tells whether lines that begin like JSON are JSON: what is wrong in a cut string stays unnoticed.
func wellFormed(stdout string) bool {
	for line := range strings.SplitSeq(stdout, "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, " \t\r"), "{") && !json.Valid([]byte(line)) {
			return false
		}
	}
	return !bytes.ContainsRune([]byte(stdout), 0)
}
