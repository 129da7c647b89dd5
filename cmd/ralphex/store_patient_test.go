package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/task"
)

// Whoever has the patience for it gets its turn: of fifty processes that add a task at the same time all land, with ids of their own.
func TestPatientWritersAllLand(t *testing.T) {
	t.Parallel()
	writers := 50
	if underRace || testing.Short() {
		writers = 12
	}
	dir, home := t.TempDir(), t.TempDir()
	store := filepath.Join(dir, ".ralph")
	require.NoError(t, os.Mkdir(store, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(store, "prd.md"), []byte("# Product\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(store, "tasks.json"), task.Stringify(&task.File{}), 0o644))

	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			cmd := exec.CommandContext(t.Context(), "ralphex", "task", "add", "Task "+strconv.Itoa(i), "--lock-wait", "5m")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1")
			out, err := cmd.CombinedOutput()
			assert.NoError(t, err, string(out))
		})
	}
	all.Wait()

	in, err := task.At(filepath.Join(store, "tasks.json")).Read(t.Context())
	require.NoError(t, err)
	require.NotNil(t, in.File, "%v", in.Diagnostics)
	ids, titles := map[string]bool{}, map[string]bool{}
	for _, one := range in.File.Tasks {
		ids[one.ID], titles[one.Title] = true, true
	}
	assert.Len(t, ids, writers)
	assert.Len(t, titles, writers)
	assert.EqualValues(t, writers, *in.File.MutationCount)
	left, err := filepath.Glob(filepath.Join(store, "*"))
	require.NoError(t, err)
	for i, path := range left {
		left[i] = filepath.Base(path)
	}
	assert.Equal(t, []string{"logs", "prd.md", "tasks.json"}, left, "no lock and no half file is left")
}
