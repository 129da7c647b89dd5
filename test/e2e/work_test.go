//go:build linux

package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlanIsWorkedOff is the whole way: two tasks in two sessions, one committed by the agent, one by ralphex.
func TestPlanIsWorkedOff(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a).with("ANTHROPIC_API_KEY=" + secret)
		w.plays(turns(w.greets(), w.names())...)
		code, said := w.run()
		require.Zero(t, code, said)
		assert.Equal(t, `echo "hello, $1"`+"\n", w.read("greet.sh"))
		assert.Equal(t, "not the agent's\n", w.read("mine.txt"))
		assert.Empty(t, w.git("status", "--porcelain"))
		assert.Contains(t, w.log(), "feat: greet")
		assert.Contains(t, w.log(), "feat: Greet by name")
		assert.FileExists(t, w.path("docs/plans/completed/greeting.md"))
		assert.Empty(t, w.model.Unused(), "turns that nobody asked for")
		assert.Empty(t, w.survivors())
		if slices.Contains([]string{"claude", "codex"}, a.name) { // others count otherwise, or ask beside the work
			assert.Contains(t, said, "700 in 140 out", "each of seven requests was 100 and 20")
		}
		for _, r := range w.model.Requests() {
			assert.NotContains(t, r.Body+quote(r.Header), secret)
		}
		assert.NoError(t, filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			assert.NotContains(t, string(text), secret, path)
			return err
		}))
	})
}
