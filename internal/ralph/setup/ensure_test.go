package setup

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/task"
)

// saver plays the state's part: it writes a file.
func saver(t *testing.T, l layout.Layout) func(context.Context) error {
	return func(context.Context) error {
		write(t, l, ".ralph/state.json", "{}\n")
		return nil
	}
}

func TestEnsureMakesWhatIsMissing(t *testing.T) {
	l := place(t, layout.Overrides{})
	created, err := Ensure(t.Context(), l, saver(t, l))
	require.NoError(t, err)
	assert.Equal(t, []string{".ralph/handoff", ".ralph/prompts", ".ralph/runs", ".ralph/logs", ".ralph/artifacts",
		".ralph/prd.md", ".ralph/progress.md", ".ralph/tasks.json", ".ralph/state.json"}, created)
	in := task.ParseText([]byte(read(t, l.Tasks)))
	require.NotNil(t, in.File)
	assert.Len(t, in.File.Tasks, 2)
	assert.NoDirExists(t, l.Doctrine, "doctrine is made by init and adopt")

	before := tree(t, l)
	created, err = Ensure(t.Context(), l, func(context.Context) error { return nil })
	require.NoError(t, err)
	assert.Empty(t, created)
	assert.Equal(t, before, tree(t, l))
}

func TestEnsureLeavesABrokenTaskFile(t *testing.T) {
	l := place(t, layout.Overrides{})
	write(t, l, ".ralph/tasks.json", "{\"tasks\": [")
	_, err := Ensure(t.Context(), l, saver(t, l))
	require.NoError(t, err, "preflight says what is wrong with it")
	assert.Equal(t, "{\"tasks\": [", read(t, l.Tasks))
}

func TestRepairFinishesAnInterruptedInit(t *testing.T) {
	l := place(t, layout.Overrides{})
	write(t, l, ".ralph/prd.md", "# Goal\n") // the first file of an init; then the process died
	created, err := Repair(t.Context(), l, saver(t, l), noon)
	require.NoError(t, err)
	assert.Contains(t, created, ".ralph/.gitignore")
	assert.Contains(t, created, ".ralph/doctrine/evidence-index.json")
	assert.Equal(t, doctrine.Healthy, doctrine.Inspect(l).Health)
	assert.Equal(t, "# Goal\n", read(t, l.PRD))
	require.NoError(t, os.Remove(l.Progress))
	created, err = Repair(t.Context(), l, saver(t, l), noon)
	require.NoError(t, err)
	assert.Equal(t, []string{".ralph/progress.md"}, created)
}
