package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	plancheck "ralphex/pkg/plan/check"
)

// rightPlan writes the right example of a rule, which is a whole plan.
func rightPlan(tb testing.TB) (dir string) {
	tb.Helper()
	r, ok := plancheck.Lookup("task-header")
	require.True(tb, ok)
	dir = tb.TempDir()
	require.NoError(tb, os.WriteFile(filepath.Join(dir, "one.md"), r.Right.Plan(), 0o644))
	return dir
}

func TestColorDiff(t *testing.T) {
	diff := "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n"
	assert.Equal(t, diff, colorDiff(diff, false))
	assert.Equal(t, "\x1b[1m--- a\x1b[0m\n\x1b[1m+++ b\x1b[0m\n\x1b[36m@@ -1 +1 @@\x1b[0m\n\x1b[31m-x\x1b[0m\n\x1b[32m+y\x1b[0m\n z\n", colorDiff(diff, true))
}

func TestNearRule(t *testing.T) {
	ids := []string{"task-header", "box-mark"}
	for word, want := range map[string]string{"header": "task-header", "box-marks": "box-mark", "bx-mark": "box-mark", "x": "", "nothing-like-it": ""} {
		assert.Equal(t, want, nearRule(word, ids), word)
	}
}

// BenchmarkCheckCommand is `ralphex check one.md` without the start of the process: grammar, configuration,
// reading, checking, printing.
func BenchmarkCheckCommand(b *testing.B) {
	dir := rightPlan(b)
	for b.Loop() {
		var out bytes.Buffer
		if code := Main([]string{"check", "one.md"}, Proc{Out: &out, Err: &out, Dir: dir}); code != 0 {
			b.Fatal(out.String())
		}
	}
}
