package control

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOrdersAreHeard(t *testing.T) {
	t.Parallel()
	dir := Dir(t.TempDir(), "20260129-153012-4f2a9c")
	ctx, cancel := context.WithCancel(t.Context())
	heard := Listen(ctx, dir, RetryNow)
	for _, text := range []string{"once", "and again"} {
		told := make(chan error, 1)
		go func() { told <- Tell(t.Context(), dir, RetryNow, []byte(text)) }()
		assert.Equal(t, text, string(<-heard))
		require.NoError(t, <-told)
	}
	cancel()
	_, open := <-heard
	assert.False(t, open, "the channel ends with the context")
}

func TestAnOrderWaitsForItsRun(t *testing.T) {
	t.Parallel()
	dir := Dir(t.TempDir(), "r")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, Tell(ctx, dir, RetryNow, []byte("x")), context.DeadlineExceeded)
	assert.FileExists(t, filepath.Join(dir, RetryNow))
	assert.Equal(t, "x", string(<-Listen(t.Context(), dir, RetryNow)))
	assert.NoFileExists(t, filepath.Join(dir, RetryNow))
}

func TestOnlyFilesAreOrders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(dir, RetryNow)))
	_, ok := take(dir, RetryNow)
	assert.False(t, ok)
	assert.True(t, there(dir, RetryNow))
}

// Where no watch can be had, the folder is looked at.
func TestWithoutAWatch(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "gone")
	w := newWatch(dir)
	defer w.close()
	require.Nil(t, w.w)
	require.NoError(t, w.wait(t.Context()))
}
