package term

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ralphex/pkg/event"
)

const (
	shortTime = "[06-01-02 15:04:05] "
	margin    = 22 // columns beside wrapped text, as in the public ralphex
	narrowest = 40 // columns of wrapped text
)

// Options of a Screen; the zero value works.
type Options struct {
	Colors        Colors
	MaxIterations int    // for the start block; 0 = not said
	Dir           string // absolute; paths are shown relative to it
	ProgressLog   string // absolute path
	Quiet         bool   // warnings, errors and the summary only

	// Of a run that is resumed, and so has no RunStart any more.
	Start event.RunStart
	Usage event.Usage // of its sessions so far
}

// Screen is the sink that shows a run. It is safe for use by several goroutines.
type Screen struct {
	io        *IO
	opt       Options
	out, err  palette
	stop      chan struct{} // closed by Close
	stopped   chan struct{} // closed when the clock's goroutine has ended; nil without one
	closeOnce sync.Once

	mu     gate
	buf    []byte // for Out, written at the end of Handle
	split  event.Splitter
	phase  event.Phase // of the event that is being shown
	stamp  []byte      // coloured, of second
	second int64
	plan   string
	branch string

	status status
	drawn  int       // columns of the status line on the screen, 0 = none
	drawAt time.Time // of the last drawing
	later  *time.Timer
	closed bool
}

// New returns a Screen. Close ends it.
func New(tio *IO, opt Options) *Screen {
	s := &Screen{io: tio, opt: opt, second: -1, mu: make(gate, 1), stop: make(chan struct{}),
		out: newPalette(tio.Color, opt.Colors, tio.Env), err: newPalette(tio.ErrColor, opt.Colors, tio.Env)}
	s.status.usage = opt.Usage
	if opt.Quiet {
		lines := *tio
		lines.Live, s.io = false, &lines
	}
	if s.io.Live {
		s.stopped = make(chan struct{})
		go s.clock()
	}
	return s
}

// Handle shows the event.
func (s *Screen) Handle(e event.Event) error { return s.HandleAll([]event.Event{e}) }

// HandleAll shows events that came one soon after the other, and draws the status line once for all of them. The error is the first one.
func (s *Screen) HandleAll(events []event.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first error
	for _, e := range events {
		if err := s.take(e); err != nil && first == nil {
			first = err
		}
	}
	if err := s.show(); err != nil && first == nil {
		first = err
	}
	return first
}

// take words an event. What is for Err is told at once, behind all that is for Out.
func (s *Screen) take(e event.Event) error {
	s.phase = e.Phase
	s.setTime(e.Time)
	s.status.apply(e, s.opt.Start)
	if o, ok := e.Data.(event.Output); ok {
		if !s.opt.Quiet {
			s.split.Split(o, s.piece)
		}
		return nil
	}
	if event.EndsText(e.Data) {
		s.split.Flush(s.piece)
	}
	s.frame(e)
	for _, line := range event.Text(e) {
		if err := s.line(line); err != nil {
			return err
		}
	}
	return nil
}

// frame shows the beginning and the end of the run, and remembers what the end tells.
func (s *Screen) frame(e event.Event) {
	switch d := e.Data.(type) {
	case event.RunStart:
		s.begin(d)
	case event.RunRestart:
		s.begin(s.opt.Start)
	case event.Branch:
		s.branch = d.Name
	case event.Archived:
		s.plan = d.To
	case event.RunEnd:
		s.buf = append(s.buf, s.summary(d)...)
	}
}

func (s *Screen) begin(d event.RunStart) {
	s.plan, s.branch = d.Plan, d.Branch
	if s.opt.Quiet {
		return
	}
	s.buf = append(s.buf, s.startBlock(d)...)
}

// setTime makes the time stamp, once a second.
func (s *Screen) setTime(t time.Time) {
	if sec := t.Unix(); sec != s.second {
		s.second = sec
		s.stamp = append(s.stamp[:0], s.out.timestamp...)
		s.stamp = t.AppendFormat(s.stamp, shortTime)
		s.stamp = s.end(s.stamp, s.out.timestamp)
	}
}

// end ends a colour, if one was begun.
func (s *Screen) end(b []byte, color string) []byte {
	if color == "" {
		return b
	}
	return append(b, reset...)
}

// piece shows a line of output, or a part of a long one.
func (s *Screen) piece(p event.Piece) {
	if p.Last && p.First && strings.TrimSpace(p.Text) == "" {
		return
	}
	text, indent, color := clean(p.Text), "", s.out.phases[s.phase]
	switch p.Source {
	case event.FromTool, event.FromCommand:
		color = s.out.info
	case event.FromAgent:
		if name, ok := signalName(text); ok {
			text, color = name, s.out.signal
		}
	}
	if p.First {
		s.buf = append(s.buf, s.stamp...)
		if p.Source == event.FromTool && !strings.HasPrefix(text, " ") || p.Source == event.FromAgent && listItem(text) {
			indent = "  "
		}
	}
	s.text(indent, text, color)
	if p.Last || s.io.Live { // a part is a line of its own where the status line comes behind it
		s.buf = append(s.buf, '\n')
	}
}

// listItem tells whether the line begins with "- ", "* " or a number like "12. ".
func listItem(text string) bool {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n > 0 {
		return strings.HasPrefix(text[n:], ". ")
	}
	return strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ")
}

// text adds text in a colour, set in, and wrapped if this is a screen.
func (s *Screen) text(indent, text, color string) {
	s.buf = append(s.buf, color...)
	if s.io.Live {
		indent, text = "", s.wrap(indent+text)
	}
	s.buf = append(append(s.buf, indent...), text...)
	s.buf = s.end(s.buf, color)
}

// wrap breaks lines that are too long for the window; see setIn.
func (s *Screen) wrap(text string) string {
	const short = narrowest // no screen breaks it
	if len(text) <= short {
		return text
	}
	width := max(s.io.Width()-margin, narrowest)
	if len(text) <= width {
		return text
	}
	return setIn(text, width)
}

// setIn breaks lines between words; what follows the first is set in as far as the time stamp is wide.
func setIn(text string, width int) string {
	return strings.ReplaceAll(ansi.Wrap(text, width, ""), "\n", "\n"+strings.Repeat(" ", len(shortTime)))
}

// line shows a line that is no output.
func (s *Screen) line(l event.Line) error {
	if s.opt.Quiet && l.Style != event.Warning && l.Style != event.Problem && l.Style != event.Help {
		return nil
	}
	text := cleanBlock(l.Text)
	switch l.Style {
	case event.FileOnly:
	case event.Heading:
		s.buf = append(s.buf, '\n')
		s.text("", "--- "+text+" ---", s.out.warn)
		s.buf = append(s.buf, '\n')
	case event.Raw:
		s.text("", text, s.out.info)
		s.buf = append(s.buf, '\n')
	case event.Warning:
		return s.tell("warning: "+text, s.err.warn)
	case event.Problem:
		return s.tell("error: "+text, s.err.err)
	case event.Help:
		return s.tell("  "+text, s.err.info)
	default:
		s.buf = append(s.buf, s.stamp...)
		s.text("", text, s.out.info)
		s.buf = append(s.buf, '\n')
	}
	return nil
}

// tell writes to Err, behind what is for Out so far.
func (s *Screen) tell(text, color string) error {
	if err := s.write(); err != nil {
		return err
	}
	_, err := io.WriteString(s.io.Err, color+text+string(s.end(nil, color))+"\n")
	return err
}
