package term

import (
	"io"
	"os"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// programOptions are what all terminal programs have in common: they read and draw where tio says, in its colours. Signals are the process's.
func programOptions(tio *IO) []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithInput(tio.In), tea.WithOutput(tio.Out), tea.WithoutSignalHandler()}
	if tio.Env != nil {
		options = append(options, tea.WithEnvironment(tio.Env))
	}
	if !tio.Color {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	return options
}

// remembered are the terminals that a Panel has taken, as they were.
var remembered struct {
	mu   sync.Mutex
	list map[*IO]*term.State
}

// remember notes how the terminal is; forget says that it has been given back.
func remember(tio *IO) (forget func()) {
	f, ok := tio.In.(*os.File)
	if !ok {
		return func() {}
	}
	state, err := term.GetState(int(f.Fd()))
	if err != nil {
		return func() {}
	}
	r := &remembered
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.list == nil {
		r.list = map[*IO]*term.State{}
	}
	r.list[tio] = state
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.list, tio)
	}
}

// RestoreNow gives back each terminal that a Panel has. It is for a process that ends at once, where nobody will call Close.
func RestoreNow() {
	r := &remembered
	r.mu.Lock()
	defer r.mu.Unlock()
	for tio, state := range r.list {
		_ = term.Restore(int(tio.In.(*os.File).Fd()), state) // the process ends: nobody to tell
		_, _ = io.WriteString(tio.Out, ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable+ansi.ResetModeBracketedPaste+ansi.ResetStyle)
	}
	clear(r.list)
}
