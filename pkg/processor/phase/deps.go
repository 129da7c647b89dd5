package phase

import (
	"context"
	"errors"
	"sync"
	"time"

	"ralphex/pkg/event"
)

// InputCollector asks the person. The do-nothing part answers ErrNoPerson. A person who wants the run to end is ErrAborted, or the
// cause of ctx.
type InputCollector interface {
	// AskQuestion returns one of the options, or words of the person's own; never an empty answer.
	AskQuestion(ctx context.Context, q event.Asked) (string, error)
	// AskDraftReview shows a draft, the one before it for comparison ("" = it is the first), and returns what the person decides.
	AskDraftReview(ctx context.Context, d event.Draft, before string) (event.DraftReview, error)
}

// GitChecker tells whether a session changed anything. It is there for phases of others: those of this package compare what their
// Site sees before and after a session.
type GitChecker interface {
	HeadHash(ctx context.Context) (string, error)
	DiffFingerprint(ctx context.Context) (string, error)
}

// PauseHandler is called when a break ended a session. True resumes the same task, false aborts the run.
type PauseHandler func(ctx context.Context) bool

// ErrNoPerson is what the do-nothing InputCollector answers: nobody is there to ask.
var ErrNoPerson = errors.New("nobody to ask: no terminal")

// Deps holds what may be set after a Runner was built. It is born whole, with working do-nothing parts, so a
// setter only replaces and no phase ever checks for nil. Phases read it at each use.
type Deps struct {
	mu    sync.RWMutex
	input InputCollector
	git   GitChecker
	brk   <-chan struct{}
	pause PauseHandler
	steer Steering
	held  time.Duration
}

// NewDeps returns Deps whose parts do nothing: nobody answers, nothing changed, no break comes, a pause aborts.
func NewDeps() *Deps {
	return &Deps{input: nobody{}, git: blind{}, brk: nil, pause: func(context.Context) bool { return false }, steer: unsteered{}}
}

// SetInput replaces the input collector; nil puts the do-nothing part back. The other setters likewise.
func (d *Deps) SetInput(c InputCollector) {
	if c == nil {
		c = nobody{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.input = c
}

// SetGit replaces the change checker.
func (d *Deps) SetGit(g GitChecker) {
	if g == nil {
		g = blind{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.git = g
}

// SetBreak replaces the channel that a break arrives on. A nil channel never delivers.
func (d *Deps) SetBreak(ch <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.brk = ch
}

// SetPause replaces the pause handler.
func (d *Deps) SetPause(h PauseHandler) {
	if h == nil {
		h = func(context.Context) bool { return false }
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pause = h
}

// SetSteering replaces who steers.
func (d *Deps) SetSteering(s Steering) {
	if s == nil {
		s = unsteered{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.steer = s
}

// Steering is who steers now, never nil.
func (d *Deps) Steering() Steering {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.steer
}

// Input is the current input collector, never nil.
func (d *Deps) Input() InputCollector {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.input
}

// Git is the current change checker, never nil.
func (d *Deps) Git() GitChecker {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.git
}

// Break is the current break channel; receiving from it is always allowed.
func (d *Deps) Break() <-chan struct{} {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.brk
}

// Pause asks the current pause handler.
func (d *Deps) Pause(ctx context.Context) bool {
	d.mu.RLock()
	h := d.pause
	d.mu.RUnlock()
	defer d.wait()()
	return h(ctx)
}

// Held is how long the run has been held by persons so far.
func (d *Deps) Held() time.Duration {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.held
}

// wait counts as held what is between its call and that of what it returns.
func (d *Deps) wait() (over func()) {
	began := time.Now()
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.held += time.Since(began)
	}
}

// begin asks who steers for a session.
func (d *Deps) begin(ctx context.Context, position int) (context.Context, func(), error) {
	defer d.wait()()
	return d.Steering().Begin(ctx, position)
}

// DrainBreak throws away a break that nobody waited for, so that a key pressed between two sessions does not
// kill the next one.
func (d *Deps) DrainBreak() {
	select {
	case <-d.Break():
	default:
	}
}

type nobody struct{}

func (nobody) AskQuestion(context.Context, event.Asked) (string, error) { return "", ErrNoPerson }

func (nobody) AskDraftReview(context.Context, event.Draft, string) (event.DraftReview, error) {
	return event.DraftReview{}, ErrNoPerson
}

type blind struct{}

func (blind) HeadHash(context.Context) (string, error)        { return "", nil }
func (blind) DiffFingerprint(context.Context) (string, error) { return "", nil }
