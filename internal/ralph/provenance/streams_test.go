package provenance

import (
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
