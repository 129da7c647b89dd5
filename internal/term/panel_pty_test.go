//go:build unix

package term

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"ralphex/pkg/event"
)

// terminal is a pseudo-terminal, and what was written on it.
type terminal struct {
	t           *testing.T
	master, tty *os.File
	mu          sync.Mutex
	text        strings.Builder
}

func newTerminal(t *testing.T, cols, rows uint16) *terminal {
	t.Helper()
	master, tty, err := pty.Open()
	require.NoError(t, err)
	term := &terminal{t: t, master: master, tty: tty}
	require.NoError(t, pty.Setsize(master, &pty.Winsize{Rows: rows, Cols: cols}))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			term.mu.Lock()
			term.text.Write(b[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		tty.Close()
		master.Close()
		<-ended
	})
	return term
}

func (tt *terminal) String() string {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	return tt.text.String()
}

// shows waits until the text is on the terminal.
func (tt *terminal) shows(text string) {
	tt.t.Helper()
	require.Eventually(tt.t, func() bool { return strings.Contains(ansi.Strip(tt.String()), text) }, 2*time.Minute, 5*time.Millisecond, "%q in %q", text, tt)
}

func (tt *terminal) press(keys string) {
	tt.t.Helper()
	_, err := tt.master.WriteString(keys)
	require.NoError(tt.t, err)
}

func (tt *terminal) state() *term.State {
	tt.t.Helper()
	s, err := term.GetState(int(tt.tty.Fd()))
	require.NoError(tt.t, err)
	return s
}

func (tt *terminal) io(env ...string) *IO {
	return Of(tt.tty, tt.tty, tt.tty, append([]string{"TERM=xterm-256color"}, env...), false)
}

// The way in and out of the other screen.
const (
	intoPanel = "\x1b[?1049h"
	outOfIt   = "\x1b[?1049l"
)

func TestPanelOnATerminal(t *testing.T) {
	tt := newTerminal(t, 80, 24)
	before := tt.state()
	tio := tt.io()
	require.True(t, PanelFits(tio))
	told := make(chan string, 9)
	p := NewPanel(tio, PanelOptions{Tasks: clonedTasks(), Options: Options{Dir: "/repo"},
		Orders: Orders{Stop: func() { told <- "stop" }, Pause: func() { told <- "pause" }}})
	feed(t, p, 2, panelRun...)
	tt.shows("look here")
	tt.shows("q stop")
	assert.Contains(t, tt.String(), intoPanel)
	assert.NotEqual(t, before, tt.state(), "each key is handed over")

	tt.press("\x1c") // Ctrl+\
	assert.Equal(t, "pause", <-told)
	asked := make(chan bool)
	go func() { asked <- p.Ask(t.Context(), nil) }()
	tt.shows("Enter goes on") // only what changed is drawn
	tt.press("\r")
	assert.True(t, <-asked)

	require.NoError(t, pty.Setsize(tt.master, &pty.Winsize{Rows: 10, Cols: 40}))
	tt.press("?")
	tt.press("\x03") // Ctrl+C
	assert.Equal(t, "stop", <-told)
	p.Stopping()
	tt.shows("q once more: now")

	feed(t, p, 0, event.RunEnd{Outcome: event.Interrupted, Elapsed: time.Minute})
	require.NoError(t, p.Close())
	require.NoError(t, p.Close(), "may be closed twice")
	assert.Equal(t, before, tt.state(), "the terminal is as it was")
	tt.shows("interrupted after 1m0s")
	_, after, left := strings.Cut(tt.String(), outOfIt)
	require.True(t, left)
	for _, want := range []string{"starting ralphex loop", "I read the plan.", "warning: look here", "interrupted after 1m0s"} {
		assert.Contains(t, ansi.Strip(after), want, "what was said is on the normal screen")
	}
	assert.NotContains(t, tt.String(), "\x1b]0;evil")
}

// A Panel whose program ends by itself leaves a run that is shown as lines.
func TestPanelThatFails(t *testing.T) {
	tt := newTerminal(t, 80, 24)
	before := tt.state()
	p := NewPanel(tt.io("NO_COLOR=1"), PanelOptions{})
	feed(t, p, 0, event.RunStart{Plan: "/p.md"}, event.Output{Text: "first"})
	tt.shows("first")
	p.prog.Quit() // nobody closed the Panel
	<-p.done
	assert.Equal(t, before, tt.state())
	feed(t, p, 0, event.Output{Text: "second"})
	tt.shows("second")
	assert.False(t, p.Ask(t.Context(), nil), "nobody can be asked")
	require.NoError(t, p.Close())
	assert.NotContains(t, tt.String(), "\x1b[38;", "no colour was wanted")
}

func TestRestoreNow(t *testing.T) {
	tt := newTerminal(t, 80, 24)
	before := tt.state()
	p := NewPanel(tt.io(), PanelOptions{})
	feed(t, p, 0, event.Output{Text: "first"})
	tt.shows("first")
	RestoreNow()
	assert.Equal(t, before, tt.state())
	tt.shows("first")
	require.NoError(t, p.Close())
}

func TestPanelFits(t *testing.T) {
	for _, c := range []struct {
		cols, rows uint16
		env        string
		want       bool
	}{{40, 10, "", true}, {39, 10, "", false}, {40, 9, "", false}, {80, 24, "TERM=dumb", false}} {
		tt := newTerminal(t, c.cols, c.rows)
		assert.Equal(t, c.want, PanelFits(tt.io(c.env)), "%+v", c)
	}
	tio, _, _, _ := Test()
	assert.False(t, PanelFits(tio))
}
