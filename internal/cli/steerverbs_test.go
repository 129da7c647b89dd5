package cli

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/control"
)

// A run whose process is stopped takes the call and says nothing: what a person hears is that, and what wakes it.
func TestRunThatSaysNothing(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "rx") // the names of sockets are short
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket) // nobody accepts
	require.NoError(t, err)
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = askRun(ctx, living{Run: "run-1", socket: socket, pid: 4711}, control.Request{ID: "1", Order: control.Pause})
	require.ErrorContains(t, err, "run run-1 was given the order and has said nothing for ")
	assert.ErrorContains(t, err, "pid 4711, is stopped")
	assert.NotContains(t, err.Error(), "i/o timeout")
	assert.Contains(t, hintOf(err), "kill -CONT 4711")
	assert.Contains(t, hintOf(err), "ralphex status")
}
