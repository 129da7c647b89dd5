package durable

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary be another process that holds a lock.
func TestMain(m *testing.M) {
	if path := os.Getenv("DURABLE_TEST_HOLD"); path != "" {
		if _, err := Acquire(path, Holder{Run: "r1", Plan: "docs/plans/a.md", What: "run"}); err != nil {
			os.Stdout.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Stdout.WriteString("held\n")
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hold starts a process that holds the lock.
func hold(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), "DURABLE_TEST_HOLD="+path)
	_, err = cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "held\n", line)
	return cmd
}

func TestLockOfAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".ralph", "run.lock")
	before := time.Now()
	holder := hold(t, path)

	_, err := Acquire(path, Holder{})
	require.ErrorIs(t, err, ErrHeld)
	var held *HeldError
	require.ErrorAs(t, err, &held)
	host, _ := os.Hostname()
	assert.Equal(t, holder.Process.Pid, held.Holder.PID)
	assert.Equal(t, host, held.Holder.Host)
	assert.Equal(t, "r1", held.Holder.Run)
	assert.WithinRange(t, held.Holder.Since, before.Add(-time.Second), time.Now())
	assert.Contains(t, err.Error(), "run, docs/plans/a.md")

	h, taken, err := Probe(path)
	require.NoError(t, err)
	assert.True(t, taken)
	assert.Equal(t, held.Holder, h)

	require.NoError(t, holder.Process.Kill())
	_ = holder.Wait()
	_, taken, err = Probe(path)
	require.NoError(t, err)
	assert.False(t, taken, "it dies with its process")
	l, err := Acquire(path, Holder{What: "test"})
	require.NoError(t, err)
	require.NoError(t, l.Release())
}

func TestLockTwiceInOneProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	l, err := Acquire(path, Holder{What: "a long note, so that the next one is shorter"})
	require.NoError(t, err)
	_, err = Acquire(path, Holder{})
	require.ErrorIs(t, err, ErrHeld)

	note := l.Holder()
	note.What, note.ControlSocket = "x", "s"
	require.NoError(t, l.Update(note))
	h, held, err := Probe(path)
	require.NoError(t, err)
	assert.True(t, held)
	assert.Equal(t, "s", h.ControlSocket)
	assert.Equal(t, 1, h.Version)

	require.NoError(t, l.Release())
	_, held, err = Probe(path)
	require.NoError(t, err)
	assert.False(t, held)
	assert.FileExists(t, path)
}

// A process between taking the lock and its note, or one of another version, is still a holder.
func TestHeldWithoutNote(t *testing.T) {
	for name, note := range map[string]string{"empty": "", "half": `{"pid":1`, "no JSON": "hello"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lock")
			l, err := Acquire(path, Holder{})
			require.NoError(t, err)
			defer l.Release()
			require.NoError(t, os.WriteFile(path, []byte(note), 0o600))
			_, err = Acquire(path, Holder{})
			require.ErrorIs(t, err, ErrHeld)
			assert.Contains(t, err.Error(), "held by another process")
			h, held, err := Probe(path)
			require.NoError(t, err)
			assert.True(t, held)
			assert.Zero(t, h)
		})
	}
}

func TestLockOfDeletedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	old, err := Acquire(path, Holder{})
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	l, err := Acquire(path, Holder{})
	require.NoError(t, err, "a deleted file can't be defended")
	require.NoError(t, l.Release())
	require.NoError(t, old.Release())
}

func TestLockIsAFile(t *testing.T) {
	for what, stand := range map[string]func(path string) error{
		"a folder": func(path string) error { return os.Mkdir(path, 0o750) },
		"a link":   func(path string) error { return os.Symlink("nothing", path) },
		"a pipe":   func(path string) error { return exec.Command("mkfifo", path).Run() },
	} {
		t.Run(what, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.lock")
			if err := stand(path); err != nil {
				t.Skip("not to be had here:", err)
			}
			_, err := Acquire(path, Holder{})
			require.ErrorContains(t, err, path+" is "+what+", expected a file")
			var no *NotRegularError
			require.ErrorAs(t, err, &no)
		})
	}
}

func TestLockRefusesSymlink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks need a privilege there")
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "victim"), 0o600)
	require.NoError(t, os.Symlink("victim", filepath.Join(dir, "lock")))
	_, err := Acquire(filepath.Join(dir, "lock"), Holder{})
	require.Error(t, err)
	got, err := os.ReadFile(filepath.Join(dir, "victim"))
	require.NoError(t, err)
	assert.Equal(t, "old", string(got))
}

func TestProbeOfNothing(t *testing.T) {
	_, held, err := Probe(filepath.Join(t.TempDir(), "lock"))
	require.NoError(t, err)
	assert.False(t, held)
}

// A look must not make a start fail.
func TestProbeDoesNotDisturb(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	require.NoError(t, err)
	require.NoError(t, lock(f, false))
	_, held, err := Probe(path)
	require.NoError(t, err)
	assert.False(t, held, "two that look don't see each other")
	got := make(chan error, 1)
	go func() {
		l, err := Acquire(path, Holder{})
		if err == nil {
			err = l.Release()
		}
		got <- err
	}()
	require.NoError(t, unlock(f))
	require.NoError(t, f.Close())
	require.NoError(t, <-got)
}
