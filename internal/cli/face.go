package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
	"unicode"

	"ralphex/internal/term"
	"ralphex/pkg/event"
	"ralphex/pkg/finding"
	"ralphex/pkg/processor/phase"
)

// face is how a run is shown: text on a terminal or in a pipe, or events as JSON lines.
type face struct {
	tio    *term.IO
	screen view // nil with --json
	async  *event.Async
	seen   *seen         // how far it has shown what happened
	breaks chan struct{} // that a person asked for
}

// view is what a person sees of a run: lines, or the whole terminal.
type view interface {
	event.Sink
	Aside(func() error) error // runs what talks to the person
	Close() error
}

// attachFace attaches what draws the run. It runs on a goroutine of its own: a terminal that nobody reads from
// must not stop a run.
func (r *running) attachFace() {
	out := r.proc.Out
	if r.answersOnly() { // its answer is the only thing on stdout
		out = r.proc.Err
	}
	r.face.tio = term.Of(r.proc.In, out, r.proc.Err, r.proc.Env, r.opts.plain)
	r.face.tio.IsTerminal = r.face.tio.IsTerminal && !r.proc.noInput
	r.face.breaks = make(chan struct{}, 1)
	r.closers = append(r.closers, r.face.tio.HideControls())
	var sink event.Sink = event.SinkFunc(r.printJSON)
	if !r.opts.json {
		o := term.Options{Dir: r.proc.Dir, ProgressLog: r.progress, Colors: term.Colors{
			Task: r.cfg.ColorTask, Review: r.cfg.ColorReview, Codex: r.cfg.ColorCodex, ClaudeEval: r.cfg.ColorClaudeEval,
			Warn: r.cfg.ColorWarn, Error: r.cfg.ColorError, Signal: r.cfg.ColorSignal, Timestamp: r.cfg.ColorTimestamp, Info: r.cfg.ColorInfo}}
		if r.cfg.IsSet("max_iterations") {
			o.MaxIterations = r.cfg.MaxIterations
		}
		if r.earlier != nil {
			o.Start, o.Usage = r.earlier.Start, r.earlier.Usage
			o.Start.Branch = string(r.ready.Branch) // it may be gone on with elsewhere
		}
		r.face.screen = r.newView(o)
		sink = r.face.screen
	}
	r.face.seen = newSeen(sink)
	r.face.async = event.NewAsync(r.face.seen, event.AsyncOptions{})
	r.bus.Attach("terminal", r.face.async)
	r.closers = append(r.closers, r.closeFace)
}

// closeFace shows what is still waiting, for as long as somebody reads it.
func (r *running) closeFace() {
	if r.face.async == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = r.face.async.Close(ctx) // the terminal is gone or stuck: there is nobody to tell
	if r.face.screen != nil {
		_ = r.face.screen.Close()
	}
	r.face.async = nil
}

func (r *running) printJSON(e event.Event) error {
	line, err := event.AppendJSON(nil, e)
	if err != nil {
		return err
	}
	_, err = r.proc.Out.Write(append(line, '\n'))
	return err
}

// tellCommands shows what will be run on the person's machine without asking again.
func (r *running) tellCommands() {
	switch {
	case len(r.start.Commands) > 0 || r.opts.report || r.drafts():
	case worksTasks(r.mode()):
		r.Emit(0, event.Note{Level: event.Warn, Text: "the plan has no validation commands: its tasks will be done unproven"})
	case !r.hasPlan():
		r.Emit(0, event.Note{Level: event.Warn, Text: "without a plan there are no validation commands: what the review mends is not validated", Hint: "name the plan of this work, if it has one"})
	}
	for _, c := range r.start.Commands {
		r.Emit(0, event.Note{Level: event.Info, Text: "validation: " + strings.ReplaceAll(strings.TrimRight(c.Text, "\n"), "\n", "; ")})
	}
}

// say tells what is left to do, behind the summary: stdout for a person, stderr when stdout is for a program.
func (r *running) say(report phase.Report, failed bool) {
	w := r.proc.Out
	if r.opts.json || r.answersOnly() {
		w = r.proc.Err
	}
	name := relative(r.proc.Dir, r.planAt)
	if len(report.Left) > 0 {
		fmt.Fprintf(w, "left for a person:\n")
		for _, l := range report.Left {
			fmt.Fprintf(w, "  %s:%d: %s\n      ralphex tick %s %d --box %d\n", name, l.Line, l.Text, shellQuote(name), l.Position, l.Box)
		}
		if !failed {
			fmt.Fprintln(w, "  tick them when they are done and run the same command: it archives the plan")
		}
	}
	r.sayFindings(w, report)
	list(w, "the plan was changed during the run; look before you trust it:", report.PlanChanges)
	list(w, "yours, and committed or undone by a session or a hook (`ralphex restore` has the copy from the start of the run):", report.Swept)
	list(w, "left uncommitted: yours before the run and touched by it, or not to be committed; see to it before you merge:", report.Kept)
}

// sayFindings tells what became of what reviewers named, and what nobody knows.
func (r *running) sayFindings(w io.Writer, report phase.Report) {
	for _, s := range report.Interrupted {
		fmt.Fprintf(w, "interrupted: %s; %s\n", s, s.Unknown())
	}
	c := report.Findings
	if r.opts.report {
		return
	}
	if c.Found > 0 {
		fmt.Fprintf(w, "findings of reviews: %d, %d fixed, %d refuted, %d open\n", c.Found, c.Fixed, c.Refuted, c.Open)
	}
	list(w, "look at this before it counts as done:", report.Look)
	for _, f := range r.findings {
		if f.Disposition == finding.Open {
			fmt.Fprintf(w, "  %s - %s\n", inLine(f.Place()), inLine(f.Text))
		}
	}
}

func list(w io.Writer, title string, items []string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintln(w, title)
	for _, i := range items {
		fmt.Fprintf(w, "  %s\n", inLine(i))
	}
}

// inLine quotes a name that would break a list.
func inLine(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Sprintf("%q", name)
	}
	return name
}

func shellQuote(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+", r))
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// breakKey delivers Ctrl+\ to out until ctx ends.
func breakKey(ctx context.Context, out chan struct{}) <-chan struct{} {
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGQUIT)
	go func() {
		defer signal.Stop(sigs)
		for {
			select {
			case <-sigs:
				press(out)
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// press delivers a key, unless one is waiting already.
func press(out chan struct{}) {
	select {
	case out <- struct{}{}:
	default:
	}
}

// pause asks after a break. Without a terminal there is nobody to ask, and the run ends, to be gone on with later.
func (r *running) pause(ctx context.Context) bool {
	if !r.face.tio.IsTerminal || r.face.screen == nil {
		r.unattended = true
		return false
	}
	if panel, ok := r.face.screen.(*term.Panel); ok {
		resumed, over := r.steer.holdByKey()
		defer over()
		return panel.Ask(ctx, resumed)
	}
	entered := make(chan bool, 2)
	err := r.face.screen.Aside(func() error {
		resumed, over := r.steer.holdByKey()
		defer over()
		lines := r.proc.afresh()
		fmt.Fprint(r.proc.Err, "session interrupted. press Enter to continue, Ctrl+C to abort ")
		line := lines.ask()
		select {
		case l := <-line:
			lines.got()
			entered <- l.err == nil
		case <-resumed:
			entered <- true
		case <-ctx.Done():
		}
		return nil
	})
	if err != nil {
		return false
	}
	select {
	case ok := <-entered:
		return ok
	default:
		return false
	}
}
