package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// replay runs the verb on a file.
func replay(t *testing.T, args ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	code := Main(append([]string{"replay"}, args...), Proc{Out: &out, Err: &stderr, Dir: t.TempDir(), Env: []string{"HOME=" + t.TempDir()}})
	require.Equal(t, 0, code, stderr.String())
	return out.String()
}

// Each recorded stream is known by its first lines, and read as the page beside it says; one of each agent is shown whole.
func TestReplayOfRecordedStreams(t *testing.T) {
	files, err := filepath.Glob("../../pkg/executor/*/testdata/streams/*.stdout")
	require.NoError(t, err)
	require.Greater(t, len(files), 50)
	for _, file := range files {
		agent := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(file))))
		name := strings.TrimSuffix(filepath.Base(file), ".stdout")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if !bytes.HasPrefix(text, []byte("{")) || len(text) > 1<<20 {
			continue // plain text of a CLI that could not start; a size of no interest here
		}
		abs, err := filepath.Abs(file)
		require.NoError(t, err)
		t.Run(agent+" "+name, func(t *testing.T) {
			got := replay(t, abs)
			assert.Contains(t, got, "stream of "+agent+": ")
			if name == "success" || agent == "claude" && name == "api-401-retries2" {
				golden(t, "replay_"+agent+"_"+name+".txt", strings.Replace(got, filepath.ToSlash(abs), "STREAM", 1))
			}
			assert.Contains(t, replay(t, abs, "--json", "--exit", "1"), `"type":"verdict"`)
		})
	}
}

func TestReplayObeysNoEscapes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(`{"type":"assistant","message":{"content":[{"type":"text","text":"a\u001b[2Jb"}]}}`+"\n\x1b]0;x\a\n"), 0o644))
	assert.NotContains(t, replay(t, file), "\x1b")
}
