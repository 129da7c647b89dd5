package lock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const holderEnv = "RALPHEX_TEST_LOCK_HOLDER"

// TestMain makes the test binary a program that takes the lock, says so and waits to be killed.
func TestMain(m *testing.M) {
	if path := os.Getenv(holderEnv); path != "" {
		_, r, err := Acquire(context.Background(), path, Tasks)
		fmt.Println(r.Outcome, err)
		select {}
	}
	os.Exit(m.Run())
}

// A27: a held tasks.lock is lock_timeout after 11 attempts in 250 ms, not an error.
func TestA27HeldLockTimesOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.lock")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r, err := With(t.Context(), path, Tasks, func() error {
			t.Error("ran without the lock")
			return nil
		})
		require.NoError(t, err)
		assert.Equal(t, Timeout, r.Outcome)
		assert.Equal(t, Outcome("lock_timeout"), r.Outcome)
		assert.Equal(t, path, r.LockPath)
		assert.Equal(t, 11, r.Attempts)
		assert.Equal(t, 250*time.Millisecond, time.Since(start))
	})
	assert.FileExists(t, path, "a lock that we did not create is not ours to remove")
}

func TestBudgets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	tests := []struct {
		budget   Budget
		attempts int
		took     time.Duration
	}{
		{Tasks, 11, 250 * time.Millisecond},
		{Others, 121, 30 * time.Second},
		{Budget{}, 1, 0},
		{Budget{-5, -time.Second}, 1, 0},
		{Budget{3, -time.Second}, 4, 0},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			_, r, err := Acquire(t.Context(), path, tt.budget)
			require.NoError(t, err)
			assert.Equal(t, tt.attempts, r.Attempts)
			assert.Equal(t, tt.took, time.Since(start))
		})
	}
}

// A28: the lock file is gone after every way out.
func TestA28RemovedOnEveryPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made/with/parents/state.lock")
	boom := errors.New("boom")
	inside := func(err error) func() error {
		return func() error {
			assert.FileExists(t, path)
			return err
		}
	}
	r, err := With(t.Context(), path, Others, inside(nil))
	require.NoError(t, err)
	assert.Equal(t, Result{Outcome: OK, LockPath: path, Attempts: 1}, r)
	require.NoError(t, r.Err())
	assert.NoFileExists(t, path)

	_, err = With(t.Context(), path, Others, inside(boom))
	assert.ErrorIs(t, err, boom)
	assert.NoFileExists(t, path)

	assert.PanicsWithValue(t, "boom", func() { _, _ = With(t.Context(), path, Others, func() error { panic("boom") }) })
	assert.NoFileExists(t, path)

	ctx, cancel := context.WithCancelCause(t.Context())
	_, err = With(ctx, path, Others, func() error {
		cancel(boom)
		return ctx.Err()
	})
	assert.ErrorIs(t, err, context.Canceled)
	assert.NoFileExists(t, path)

	_, err = With(ctx, path, Others, inside(nil))
	assert.ErrorIs(t, err, boom, "an ended context takes no lock")
	assert.NoFileExists(t, path)

	var wg sync.WaitGroup
	wg.Go(func() { _, _ = With(context.Background(), path, Others, func() error { runtime.Goexit(); return nil }) })
	wg.Wait()
	assert.NoFileExists(t, path)
}

// A28: an old lock is never deleted, and the wait ends with its context.
func TestA28OldLockStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.lock")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	old := time.Now().Add(-24 * time.Hour)
	require.NoError(t, os.Chtimes(path, old, old))
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		_, err := With(ctx, path, Others, func() error { return nil })
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 10*time.Second, time.Since(start))
	})
	assert.FileExists(t, path)
}

func TestWaitsUntilReleased(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.lock")
	synctest.Test(t, func(t *testing.T) {
		h, _, err := Acquire(t.Context(), path, Tasks)
		require.NoError(t, err)
		time.AfterFunc(60*time.Millisecond, func() { assert.NoError(t, h.Release()) })
		r, err := With(t.Context(), path, Tasks, func() error { return nil })
		require.NoError(t, err)
		assert.Equal(t, 4, r.Attempts, "at 0, 25 and 50 ms it was held")
	})
}

func TestNotCreatable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := With(t.Context(), filepath.Join(file, "tasks.lock"), Tasks, func() error { return nil })
	assert.ErrorContains(t, err, "lock "+filepath.Join(file, "tasks.lock"))
}

// A program that takes old locks over may have replaced ours: its lock stays.
func TestReleaseOfLostLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.lock")
	for _, replaced := range []bool{true, false} {
		_, err := With(t.Context(), path, Tasks, func() error {
			require.NoError(t, os.Remove(path))
			if replaced {
				require.NoError(t, os.WriteFile(path, []byte("other"), 0o600))
			}
			return nil
		})
		assert.ErrorContains(t, err, "taken away while it was held")
		if replaced {
			assert.FileExists(t, path)
			require.NoError(t, os.Remove(path))
		}
	}
}

func TestOneHolderAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	var n, in atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			r, err := With(t.Context(), path, Budget{10_000, time.Millisecond}, func() error {
				assert.EqualValues(t, 1, in.Add(1), "a second holder")
				n.Add(1)
				in.Add(-1)
				return nil
			})
			assert.NoError(t, err)
			assert.NoError(t, r.Err())
		})
	}
	wg.Wait()
	assert.EqualValues(t, 20, n.Load())
}

// A process that is killed leaves its lock; who waits is told the path, the age, the process and the command.
func TestLockOfKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "it's here", "tasks.lock")
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), holderEnv+"="+path)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	buf := make([]byte, 100)
	n, err := out.Read(buf)
	require.NoError(t, err)
	require.Equal(t, "ok <nil>\n", string(buf[:n]))
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()

	info, held, err := Inspect(path)
	require.NoError(t, err)
	assert.True(t, held)
	assert.Equal(t, cmd.Process.Pid, info.PID)
	r, err := With(t.Context(), path, Budget{}, func() error { return nil })
	require.NoError(t, err)
	require.Equal(t, Timeout, r.Outcome)

	r.Holder.Since = time.Now().Add(-90 * time.Second)
	var timeout *TimeoutError
	require.ErrorAs(t, r.Err(), &timeout)
	pid := strconv.Itoa(info.PID)
	assert.Equal(t, "tasks.lock has been locked for 1m30s by process "+pid+" ("+path+", 1 attempts)", timeout.Error())
	if runtime.GOOS != "windows" {
		require.True(t, strings.HasSuffix(timeout.Hint(), "if process "+pid+" is gone (it was killed), remove the lock: "+info.Remove()))
		require.NoError(t, exec.CommandContext(t.Context(), "sh", "-c", info.Remove()).Run(), "the command works as it is printed")
		assert.NoFileExists(t, path)
	}
}

func TestInspect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	_, held, err := Inspect(path)
	require.NoError(t, err)
	assert.False(t, held)
	for text, pid := range map[string]int{"": 0, "12\n": 12, "12": 12, "-3\n": 0, "host 12": 0, strings.Repeat("1", 100): 0} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		info, held, err := Inspect(path)
		require.NoError(t, err)
		assert.True(t, held)
		assert.Equal(t, pid, info.PID, text)
	}
	assert.Equal(t, time.Duration(0), Info{Since: time.Unix(100, 0)}.Age(time.Unix(50, 0)))
	empty := &TimeoutError{Result{LockPath: path, Attempts: 3}}
	assert.Contains(t, empty.Hint(), "if the program that wrote it is gone")
	assert.Equal(t, "x.lock is locked ("+path+", 3 attempts)", empty.Error())
}
