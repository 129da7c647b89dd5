package storetest

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/durable/durabletest"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

const noTasks = `{"version": 2, "tasks": []}`

// filled makes a workspace with something in each file.
func filled(t *testing.T) workspace {
	t.Helper()
	w := at(t.TempDir())
	ctx := context.Background()
	for range 3 {
		n, err := w.state.Allocate(ctx)
		require.NoError(t, err)
		require.NoError(t, w.state.Record(ctx, result(n), nil, state.Prompt{}))
	}
	_, err := w.claims.Acquire(ctx, claim.Request{TaskID: "T1", AgentID: "a", ProvenanceID: "run-i001-cli-x"})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(w.tasks.Path, []byte(noTasks), 0o600))
	_, err = w.tasks.Append(ctx, []*task.Draft{task.BuildPipelineRoot("T1", "first", "")})
	require.NoError(t, err)
	return w
}

// open reads all files of a workspace, which must be whole, and returns what is in the folder.
func open(t *testing.T, w workspace) (names []string) {
	t.Helper()
	l, err := w.state.Load(t.Context())
	require.NoError(t, err)
	assert.NoError(t, l.Warning)
	_, err = w.claims.Read(t.Context())
	require.NoError(t, err)
	in, err := w.tasks.Read(t.Context())
	require.NoError(t, err)
	assert.NoError(t, in.Err(w.tasks.Path))
	entries, err := os.ReadDir(w.dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A process that is killed before any step of a write leaves files that open, holding all of the old or all of the new,
// and its lock, which nobody takes over. When a person has removed that, the same operation succeeds and sweeps up.
func TestKilledBetweenEveryTwoSteps(t *testing.T) {
	for name, op := range ops {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"allocate": "state", "record": "state", "acquire": "claims", "release": "claims", "append": "tasks"}
			steps := 7 // each of them writes one file
			if runtime.GOOS == "windows" {
				t.Skip("no folder is synced there: there are 6")
			}
			for n := 1; n <= steps; n++ {
				w := filled(t)
				file := filepath.Join(w.dir, files[name]+".json")
				before, err := os.ReadFile(file)
				require.NoError(t, err)
				cmd := start(t, "crash", w.dir, name, strconv.Itoa(n))
				require.Error(t, cmd.Run(), "step %d: the child was killed", n)
				require.False(t, cmd.ProcessState.Exited(), "step %d", n)

				left := open(t, w)
				after, err := os.ReadFile(file)
				require.NoError(t, err)
				if n < steps { // the last one is behind the rename
					assert.Equal(t, string(before), string(after), "step %d", n)
				} else {
					assert.NotEqual(t, string(before), string(after))
				}
				locks := 0
				for _, f := range left {
					if strings.HasSuffix(f, ".lock") {
						locks++
						require.NoError(t, os.Remove(filepath.Join(w.dir, f)))
					}
				}
				assert.Equal(t, 1, locks, "step %d", n)
				if err := op(w); name != "append" || n < steps { // T2 is there already
					require.NoError(t, err)
				}
				for _, f := range open(t, w) {
					assert.NotContains(t, f, ".tmp-", "step %d", n)
					assert.NotContains(t, f, ".lock", "step %d", n)
				}
			}
		})
	}
}

// The number of steps that TestKilledBetweenEveryTwoSteps goes through is that of each operation.
func TestStepsOfAnOperation(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no folder is synced there")
	}
	w := filled(t)
	for name, op := range ops {
		steps := durabletest.Steps(func() { require.NoError(t, op(w)) })
		assert.Equal(t, []string{"create", "chmod", "write", "fsync", "close", "rename", "fsync folder"}, steps, name)
	}
}

// Processes that write all the time are killed at any moment. All files open after each of them.
func TestKilledAtAnyMoment(t *testing.T) {
	w := filled(t)
	for i := range 15 {
		cmd := start(t, "forever", w.dir, strconv.Itoa(i))
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for range 1 + i%7 {
			require.True(t, lines.Scan(), "the child works")
		}
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		for _, f := range open(t, w) {
			if strings.HasSuffix(f, ".lock") || strings.HasPrefix(f, "held-") {
				require.NoError(t, os.Remove(filepath.Join(w.dir, f)))
			}
		}
		// A killed holder's claims are stale at once for the short store: a person resolves them.
		g, err := w.short.Inspect(t.Context(), time.Now())
		require.NoError(t, err)
		for _, tc := range g.Tasks {
			if tc.TaskID == "T0" || tc.TaskID == "T1" {
				r, err := w.short.Resolve(t.Context(), tc.Canonical.Claim, "", "its process was killed")
				require.NoError(t, err)
				assert.Equal(t, claim.Resolved, r.Outcome)
			}
		}
	}
	for _, op := range []string{"allocate", "acquire", "append"} {
		require.NoError(t, ops[op](w), op)
	}
	for _, f := range open(t, w) {
		assert.NotContains(t, f, ".tmp-", "swept by the next write")
	}
}
