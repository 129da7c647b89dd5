package provenance

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStreamsOfAValidation: streams that were kept apart have a file each, also an empty one; the common output is where the caller says.
func TestStreamsOfAValidation(t *testing.T) {
	l, w := workspace(t)
	for n, test := range map[int]struct {
		errors       []byte
		stderr, text string
	}{1: {[]byte("bad\n"), "validation-command.stderr.log", "bad\n"}, 2: {[]byte{}, "validation-command.stderr.log", ""}, 3: {nil, "", ""}} {
		s, err := Prepare(w, iteration(l, n), preparation("do it\n"))
		require.NoError(t, err)
		text, err := s.Prompt()
		require.NoError(t, err)
		require.NoError(t, s.Payload(text))
		o := outcome()
		o.Errors = test.errors
		o.Validation.EachCommand[0].OutputPath = "/both"
		_, err = s.Finish(o)
		require.NoError(t, err)
		data, err := os.ReadFile(filepath.Join(l.Iteration(n).Dir, "validation-command.json"))
		require.NoError(t, err)
		var got struct {
			StdoutPath, StderrPath string
			Commands               []struct{ OutputPath string }
		}
		require.NoError(t, json.Unmarshal(data, &got))
		assert.Equal(t, filepath.Join(l.Iteration(n).Dir, "validation-command.stdout.log"), got.StdoutPath)
		if test.errors == nil {
			assert.Empty(t, got.StderrPath)
			assert.Equal(t, got.StdoutPath, got.Commands[0].OutputPath)
			continue
		}
		assert.Equal(t, filepath.Join(l.Iteration(n).Dir, test.stderr), got.StderrPath)
		assert.Equal(t, "/both", got.Commands[0].OutputPath)
		data, err = os.ReadFile(got.StderrPath)
		require.NoError(t, err)
		assert.Equal(t, test.text, string(data))
	}
}

// TestWhatWasNeverHandedOverIsNoExecution: the bundle of an iteration that no session was started for says that it is prepared, and verifies.
func TestWhatWasNeverHandedOverIsNoExecution(t *testing.T) {
	l, w := workspace(t)
	s, err := Prepare(w, iteration(l, 1), preparation("do it\n"))
	require.NoError(t, err)
	o := outcome()
	o.Invocation, o.Validation, o.Outputs = nil, nil, nil
	_, err = s.Finish(o)
	require.NoError(t, err)
	bundle := object(t, filepath.Join(s.dir, BundleFile))
	assert.Equal(t, Prepared, bundle.Text("status"))
	s = finished(t, l, w, 2, "do it\n")
	assert.Equal(t, Executed, object(t, filepath.Join(s.dir, BundleFile)).Text("status"))
}

// TestLongErrorOutputIsCut as every other text of a session.
func TestLongErrorOutputIsCut(t *testing.T) {
	l, w := workspace(t)
	s, err := Prepare(w, iteration(l, 1), preparation("do it\n"))
	require.NoError(t, err)
	o := outcome()
	o.Errors = bytes.Repeat([]byte("bad\n"), 256<<10)
	_, err = s.Finish(o)
	require.NoError(t, err)
	fi, err := os.Stat(filepath.Join(l.Iteration(1).Dir, "validation-command.stderr.log"))
	require.NoError(t, err)
	assert.LessOrEqual(t, fi.Size(), int64(maxText))
}
