package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"ralphex/pkg/event"
)

// webFlags are the dashboard of a run.
type webFlags struct {
	Serve bool     `short:"s" help:"Show the run in a browser, live (docs/dashboard.md); without a plan, but with folders to watch, only show."`
	Port  *int     `short:"p" help:"Port of the dashboard (default 8080, 0 = any that is free)." placeholder:"N"`
	Host  *string  `env:"RALPHEX_WEB_HOST" help:"Address it listens at (default 127.0.0.1)." placeholder:"ADDR"`
	Watch []string `short:"w" sep:"none" help:"Folder whose runs it shows, too; may be repeated (default: watch_dirs)." placeholder:"DIR"`
}

func (f webFlags) port() int {
	if f.Port == nil {
		return webPort
	}
	return *f.Port
}

func (f webFlags) host() string {
	if f.Host == nil {
		return webHost
	}
	return *f.Host
}

// unused names what was given and has no effect: nobody is to wait for it.
func (f webFlags) unused(p *Proc) {
	if f.Serve {
		return
	}
	for name, given := range map[string]bool{"--port": f.Port != nil, "--watch": len(f.Watch) > 0} {
		if given {
			fmt.Fprintf(p.Err, "warning: %s has no effect without --serve\n", name)
		}
	}
}

// watches tells whether only the dashboard is wanted: --serve, nothing to run, and folders to watch. A mode that a flag names is something to run,
// whatever the settings say.
func (c *runCmd) watches(p *Proc) (dirs, notes []string, only bool, err error) {
	if !c.Serve || c.Plan != nil || c.PlanText != nil || c.TasksOnly || c.Review || c.ExternalOnly || c.CodexOnly || c.From != "" || c.DryRun {
		return nil, nil, false, nil
	}
	dirs, notes, err = watchDirs(p, c.Watch)
	return dirs, notes, len(dirs) > 0, err
}

// runWeb is the dashboard of a run, and of the run that follows the making of a plan. It has its port before anything is touched, and answers from
// the moment on at which the run has a journal.
type runWeb struct {
	at    *listener
	watch []string // folders that flags name; nil = those of the settings

	mu    sync.Mutex
	board *dashboard // nil = nobody is answered yet
	end   context.CancelFunc
	ended chan struct{}
	tell  func(text string) // warns the run that goes on; nil = none does
}

// openWeb takes the port, if a dashboard is wanted. The caller closes it.
func (c *runCmd) openWeb(ctx context.Context, p *Proc) (*runWeb, error) {
	if !c.Serve || c.DryRun {
		return nil, nil
	}
	if len(c.Watch) > 0 {
		if _, _, err := watchDirs(p, c.Watch); err != nil {
			return nil, err
		}
	}
	at, err := listenWeb(ctx, c.host(), c.port())
	if err != nil {
		return nil, err
	}
	return &runWeb{at: at, watch: c.Watch}, nil
}

// answers tells whether somebody can answer in the page.
func (w *runWeb) answers() bool { return w != nil && w.board != nil }

// show shows a run that has just got its journal. What goes wrong is told, and costs the dashboard alone.
func (w *runWeb) show(r *running) {
	if w == nil {
		return
	}
	if err := w.begin(r); err != nil {
		r.notes = append(r.notes, event.Note{Level: event.Warn, Text: "there is no dashboard: " + err.Error(), Hint: hintOf(err)})
		return
	}
	path := r.journal.path()
	if !w.several(r) {
		w.board.server.ShowOnly(path)
	}
	fresh, done := make(chan struct{}, 1), make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // apart from the run: a library that is busy reading must not hold an event up
		defer close(done)
		for {
			select {
			case <-fresh:
				w.board.runs.Wake(path)
			case <-ctx.Done():
				w.board.runs.Wake(path)
				return
			}
		}
	}()
	r.bus.Attach("dashboard", event.SinkFunc(func(event.Event) error {
		select {
		case fresh <- struct{}{}:
		default:
		}
		return nil
	}))
	r.closers = append(r.closers, func() {
		w.telling(nil)
		cancel()
		<-done
	})
}

// several tells whether other runs are shown, too.
func (w *runWeb) several(r *running) bool { return len(w.watch) > 0 || len(r.cfg.WatchDirs) > 0 }

// begin answers from now on.
func (w *runWeb) begin(r *running) error {
	w.telling(func(text string) { r.Emit(0, event.Note{Level: event.Warn, Text: text}) })
	if w.board != nil {
		return nil
	}
	dirs := []string{r.home.Root()}
	if w.several(r) {
		more, notes, err := watchDirs(r.proc, w.watch)
		if err != nil {
			return err
		}
		for _, n := range notes {
			r.notes = append(r.notes, event.Note{Level: event.Warn, Text: n})
		}
		dirs = append(dirs, slices.DeleteFunc(more, func(dir string) bool { return dir == dirs[0] })...)
	}
	board, err := openDashboard(context.Background(), r.proc, w.at, dirs, w.warn)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(context.Background())
	w.board, w.end, w.ended = board, end, make(chan struct{})
	board.printLinks(r.voice())
	go func() {
		defer close(w.ended)
		if err := board.serve(ctx); err != nil && ctx.Err() == nil {
			w.warn("the dashboard is gone, the run goes on: " + err.Error())
		}
	}()
	return nil
}

func (w *runWeb) telling(tell func(text string)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tell = tell
}

// warn tells a person who watches the run what no client can be told.
func (w *runWeb) warn(text string) {
	w.mu.Lock()
	tell := w.tell
	w.mu.Unlock()
	if tell != nil {
		tell(text)
	}
}

// voice is where a person is told something that is no event.
func (r *running) voice() io.Writer {
	if r.opts.json || r.answersOnly() {
		return r.proc.Err
	}
	return r.proc.Out
}

// linger keeps showing a run that is over, until somebody has seen enough: as the public ralphex does. A run that failed ends with its error.
func (w *runWeb) linger(ctx context.Context, p *Proc, err error) {
	var silent *exitError
	if w == nil || w.board == nil || ctx.Err() != nil || err != nil && !(errors.As(err, &silent) && silent.code == exitLeft) {
		return
	}
	select {
	case <-w.ended: // it failed, and it was said so
		return
	default:
	}
	fmt.Fprintf(p.Err, "web dashboard still running at %s (press Ctrl+C to exit)\n", address(w.at.host, w.at.port))
	select {
	case <-ctx.Done():
	case <-w.ended:
	}
}

// close lets clients read what is there, and ends.
func (w *runWeb) close() {
	if w == nil {
		return
	}
	if w.board == nil {
		w.at.Close()
		return
	}
	w.end()
	<-w.ended
}
