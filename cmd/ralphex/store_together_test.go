package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/task"
)

// TestManyAddAtOnce starts fifty processes that add a task to one backlog. Each adds it, or says that it could not get the lock; nothing is lost, and
// nothing of theirs stays behind.
func TestManyAddAtOnce(t *testing.T) {
	t.Parallel()
	n := 50
	if underRace || testing.Short() {
		n = 12
	}
	dir := t.TempDir()
	home := t.TempDir()
	env := append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1")
	ralphex := func(args ...string) ([]byte, int) {
		cmd := exec.Command("ralphex", args...)
		cmd.Dir, cmd.Env = dir, env
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			assert.NoError(t, err)
		}
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 10 {
			assert.Fail(t, "exit code", "%v: %d\n%s", args, code, stderr.String())
		}
		return out, cmd.ProcessState.ExitCode()
	}
	_, code := ralphex("workspace", "init")
	require.Zero(t, code)

	added := make([]string, n) // the id that each process says it made
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			out, code := ralphex("task", "add", fmt.Sprintf("task %d", i), "--json")
			var answer struct {
				Changed []string
				Error   struct {
					Code string
					Lock struct{ Path, Remove string }
				}
			}
			if !assert.NoError(t, json.Unmarshal(out, &answer), string(out)) {
				return
			}
			if code == 10 {
				assert.Equal(t, "lock_timeout", answer.Error.Code)
				assert.Contains(t, answer.Error.Lock.Remove, "tasks.lock")
				return
			}
			if assert.Len(t, answer.Changed, 1) {
				added[i] = answer.Changed[0]
			}
		})
	}
	all.Wait()

	text, err := os.ReadFile(filepath.Join(dir, ".ralph", "tasks.json"))
	require.NoError(t, err)
	f, err := task.Parse(text)
	require.NoError(t, err)
	titles := map[string]string{}
	for _, one := range f.Tasks {
		titles[one.ID] = one.Title
	}
	landed := 0
	for i, id := range added {
		if id != "" {
			landed++
			assert.Equal(t, fmt.Sprintf("task %d", i), titles[id], "the task that process %d was told of", i)
		}
	}
	assert.Len(t, f.Tasks, landed, "what could not be added is not there")
	assert.NotZero(t, landed)
	require.NotNil(t, f.MutationCount)
	assert.EqualValues(t, landed, *f.MutationCount)
	left, err := filepath.Glob(filepath.Join(dir, ".ralph", ".tasks.json.tmp*"))
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.NoFileExists(t, filepath.Join(dir, ".ralph", "tasks.lock"))
	t.Logf("%d of %d landed, %d were told lock_timeout", landed, n, n-landed)
}
