package term

import (
	"context"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"ralphex/pkg/event"
)

// The smallest terminal that a Panel is worth it on.
const (
	panelColumns = 40
	panelRows    = 10
)

// Orders are what a person can ask of a run by a key of a Panel. They are called on the Panel's goroutine and must not wait. One
// that is nil is not offered.
type Orders struct {
	Stop  func() // q, Ctrl+C: end politely; the second time: at once
	Pause func() // p, Ctrl+\: end the session and ask
	Skip  func() // s: leave what is being done now
	// Resume ends a pause that somebody else made: Enter.
	Resume func()
}

// PanelOptions of a Panel.
type PanelOptions struct {
	Options
	Orders
	Tasks []TaskRow // of the plan, as they are at the start
	Mode  string    // shown beside the plan; empty = not
}

// Panel is the sink that shows a run on the whole terminal: the tasks with their boxes, what goes on, the last lines of the log. The
// log is kept meanwhile, and Close puts it on the normal screen, so that nothing is lost by having looked at a Panel.
type Panel struct {
	io     *IO
	opt    PanelOptions
	screen *Screen // words the events
	kept   *kept
	prog   *tea.Program
	done   chan struct{} // closed when the program has ended

	mu sync.Mutex
	st panelState
}

// PanelFits tells whether a Panel can be had here: a person at a terminal that is large and clever enough. Where not, a Screen shows the
// same as lines.
func PanelFits(tio *IO) bool {
	f, ok := tio.Out.(*os.File)
	if !ok || !tio.Live || !tio.IsTerminal {
		return false
	}
	w, h, err := term.GetSize(int(f.Fd()))
	return err == nil && w >= panelColumns && h >= panelRows
}

// NewPanel takes the terminal and returns the Panel, which Close ends.
func NewPanel(tio *IO, opt PanelOptions) *Panel {
	p := newPanel(tio, opt)
	p.prog = tea.NewProgram(&panelModel{p: p, follow: true}, append(programOptions(tio), tea.WithFPS(20))...)
	forget := remember(tio)
	go func() {
		defer close(p.done)
		defer forget()
		_, _ = p.prog.Run() // whatever ended it: from here on the log is shown as lines
		_ = p.release()     // Handle meets the same error
	}()
	return p
}

// newPanel makes all of a Panel but the program that draws it.
func newPanel(tio *IO, opt PanelOptions) *Panel {
	p := &Panel{io: tio, opt: opt, kept: &kept{}, done: make(chan struct{}), st: newPanelState(opt)}
	lines := *tio
	lines.Live, lines.resized = false, nil // a log without status line, and not wrapped: that is done where it is shown
	lines.Out, lines.Err = p.kept.stream(toOut), p.kept.stream(toErr)
	if !isTerminal(tio.Err) { // a person reads it later
		lines.Err = io.MultiWriter(tio.Err, p.kept.stream(toErr))
		lines.ErrColor = false
	}
	p.screen = New(&lines, opt.Options)
	return p
}

// Handle takes the event in. It is drawn a moment later.
func (p *Panel) Handle(e event.Event) error { return p.HandleAll([]event.Event{e}) }

// HandleAll shows events that came one soon after the other.
func (p *Panel) HandleAll(events []event.Event) error {
	err := p.screen.HandleAll(events)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range events {
		p.st.apply(e, p.opt.Start)
	}
	return err
}

// Aside gives the usual screen to f, which talks to the person.
func (p *Panel) Aside(f func() error) error {
	select {
	case <-p.done:
		return p.screen.Aside(f)
	default:
	}
	if err := p.prog.ReleaseTerminal(); err != nil {
		return err
	}
	err := f()
	if rerr := p.prog.RestoreTerminal(); err == nil {
		err = rerr
	}
	return err
}

// Ask waits until the person says whether a paused run goes on. It does so, too, when resumed is closed: somebody else said it. The end of
// ctx is a no.
func (p *Panel) Ask(ctx context.Context, resumed <-chan struct{}) bool {
	answer := make(chan bool, 1)
	p.change(func(st *panelState) { st.answer, st.pausing = answer, false })
	defer p.change(func(st *panelState) { st.answer = nil })
	select {
	case on := <-answer:
		return on
	case <-resumed:
		return true
	case <-ctx.Done():
		return false
	case <-p.done:
		return false
	}
}

// Say shows a word in the last row, until something else happens.
func (p *Panel) Say(text string) {
	p.change(func(st *panelState) { st.said = clean(text) })
}

// Stopping says that the run ends, and draws everything anew: who told it may have written over the Panel.
func (p *Panel) Stopping() {
	p.change(func(st *panelState) { st.stopping = true })
	p.prog.Send(tea.ClearScreen())
}

func (p *Panel) change(f func(*panelState)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&p.st)
	p.st.dirty = true
}

// Close gives the terminal back as it was, and puts the log on it. A terminal that takes nothing is given up after a second.
func (p *Panel) Close() error {
	err := p.screen.Close()
	p.prog.Quit()
	select {
	case <-p.done:
		return err
	case <-time.After(time.Second):
	}
	p.prog.Kill()
	RestoreNow()
	return os.ErrDeadlineExceeded
}

// release puts the log on the normal screen, in the form that a Screen gives it. What is for Err and went there at once is left out.
func (p *Panel) release() error {
	errOut := p.io.Err
	if !isTerminal(errOut) {
		errOut = io.Discard
	}
	width := max(p.io.Width(), narrowest)
	return p.kept.release(p.io.Out, errOut, p.screen.relative(p.opt.ProgressLog), func(line string) string {
		if ansi.StringWidth(line) < width {
			return line
		}
		return setIn(line, width-margin)
	})
}
