package proc

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// feederEnv makes the test binary a process that runs a command with a long prompt: one that can be killed.
const feederEnv = "PROC_TEST_FEEDER"

const longPrompt = 4 << 20 // bytes; more than any pipe holds

func init() {
	if dir := os.Getenv(feederEnv); dir != "" {
		feeder(dir)
		os.Exit(0)
	}
}

func feeder(dir string) {
	c := sh(`until [ -e go ]; do sleep 0.01; done; wc -c >count.new; mv count.new count`)
	c.Dir, c.Stdin = dir, strings.Repeat("x", longPrompt)
	c.Started = func(Process) { _, _ = os.Stdout.WriteString("started\n") }
	_, _ = Run(context.Background(), c)
}

// An agent lives on when its ralphex is killed. Whatever it reads of its prompt then is the whole of it.
func TestPromptIsWholeWhenWeAreKilled(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), feederEnv+"="+dir, "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, len("started\n")))
	require.NoError(t, err)

	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	assert.Empty(t, left, "the kill left a file")

	exit, err := Run(t.Context(), Cmd{Argv: []string{"sh", "-c", ": >go; until [ -e count ]; do sleep 0.01; done"}, Dir: dir})
	require.NoError(t, err)
	require.Equal(t, "exit 0", exit.String())
	count, err := os.ReadFile(filepath.Join(dir, "count"))
	require.NoError(t, err)
	assert.Equal(t, "4194304", strings.TrimSpace(string(count)))
	drainOrphans()
}

func TestPromptThatCannotBeKept(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	c := sh("exit 0")
	c.Stdin = "a prompt"
	_, err := Run(t.Context(), c)
	var se *StartError
	require.ErrorAs(t, err, &se)
	assert.ErrorContains(t, err, "keep its input")
	assert.ErrorIs(t, err, os.ErrNotExist)
}
