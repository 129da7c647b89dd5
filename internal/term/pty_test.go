//go:build unix

package term

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOfTerminal(t *testing.T) {
	master, tty, err := pty.Open()
	require.NoError(t, err)
	defer master.Close()
	defer tty.Close()
	require.NoError(t, pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 57}))

	tests := []struct {
		name        string
		env         []string
		noColor     bool
		live, color bool
		width       int
	}{
		{"plain", []string{"TERM=xterm"}, false, true, true, 57},
		{"--no-color", []string{"TERM=xterm"}, true, true, false, 57},
		{"NO_COLOR", []string{"TERM=xterm", "NO_COLOR=1"}, false, true, false, 57},
		{"NO_COLOR is empty", []string{"TERM=xterm", "NO_COLOR="}, false, true, true, 57},
		{"dumb", []string{"TERM=dumb"}, false, false, false, 57},
		{"COLUMNS", []string{"TERM=xterm", "COLUMNS=44"}, false, true, true, 44},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tio := Of(tty, tty, tty, tt.env, tt.noColor)
			assert.True(t, tio.IsTerminal)
			assert.Equal(t, tt.live, tio.Live)
			assert.Equal(t, tt.color, tio.Color)
			assert.Equal(t, tt.color, tio.ErrColor)
			assert.Equal(t, tt.width, tio.Width())
		})
	}
}

func TestResized(t *testing.T) {
	ch := make(chan os.Signal, 1)
	stop := resized(ch)
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGWINCH))
	assert.Equal(t, syscall.SIGWINCH, <-ch)
	stop()
	signal.Reset(syscall.SIGWINCH)
}
