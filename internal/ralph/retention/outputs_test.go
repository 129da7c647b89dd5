package retention

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/layout"
)

// What the validation commands of runs of plans printed is bounded: the newest runs keep theirs, and those that are not over. What else lies there stays.
func TestOutputsOfOldRunsGo(t *testing.T) {
	for name, o := range map[string]layout.Overrides{"where it is": {}, "artifacts were moved": {Artifacts: "build/evidence"}} {
		t.Run(name, func(t *testing.T) {
			l, err := layout.New(t.TempDir(), o)
			require.NoError(t, err)
			const old, open, mixed, last = "20260316-235959-ffffff", "20260317-120000-000001", "20260317-120000-000002", "20260317-120001-000000"
			for _, run := range []string{old, open, mixed, last} {
				put(t, filepath.Join(l.Outputs, run, "gate-001", "command-01.log"), "x")
				put(t, filepath.Join(l.Outputs, run, "gate-1000", "command-01.log"), "x")
			}
			stays := []string{
				filepath.Join(l.Outputs, mixed, "notes", "of.mine"), filepath.Join(l.Outputs, mixed, "gate-1"), // a file of that name, and a folder of another
				filepath.Join(l.Outputs, "T1", "gate-001", "x"), filepath.Join(l.Outputs, "20260317", "gate-001", "x"), filepath.Join(l.Outputs, old+"-mine", "gate-001", "x"),
			}
			for _, path := range stays {
				put(t, path, "mine")
			}
			put(t, filepath.Join(l.Outputs, old, "setup", "command-01.log"), "x")
			put(t, filepath.Join(l.Outputs, old, ".gitignore"), "*\n")
			if err := os.Symlink(filepath.Join(l.Outputs, last), filepath.Join(l.Outputs, "20260101-000000-000000")); err == nil {
				stays = append(stays, filepath.Join(l.Outputs, "20260101-000000-000000", "gate-001", "command-01.log"))
			}
			keep := Keep{Outputs: 1, Unfinished: []string{open}}

			before := tree(t, l.Root)
			shown, err := Preview(l, keep, now)
			require.NoError(t, err)
			assert.Equal(t, before, tree(t, l.Root), "a preview changes no byte")
			done, err := Cleanup(t.Context(), l, keep, Surfaces{}, now)
			require.NoError(t, err)
			assert.Equal(t, shown.Plan.Outputs, done.Plan.Outputs)
			assert.Equal(t, Category{Deleted: []string{mixed, old}, Retained: []string{last, open}, Protected: []string{open}}, done.Plan.Outputs)
			assert.Contains(t, done.Markdown(), "## Validation outputs of runs\n\n- Deleted (2): "+mixed+", "+old+"\n")

			assert.NoDirExists(t, filepath.Join(l.Outputs, old))
			assert.NoDirExists(t, filepath.Join(l.Outputs, mixed, "gate-001"))
			for _, path := range append(stays, filepath.Join(l.Outputs, open, "gate-001", "command-01.log"), filepath.Join(l.Outputs, last, "gate-1000", "command-01.log")) {
				assert.FileExists(t, path)
			}

			again, err := Prune(t.Context(), l, Keep{Generated: 1, Bundles: 1})
			require.NoError(t, err)
			assert.Empty(t, again.Outputs.Deleted, "0 deletes nothing")
			assert.ElementsMatch(t, []string{last, open}, slices.Collect(maps.Keys(again.outputs)))
		})
	}
}
