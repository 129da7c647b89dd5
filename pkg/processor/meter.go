package processor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"ralphex/internal/wait"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

// toldEvery is how often what a session uses up is journalled while it runs.
const toldEvery = 5 * time.Second

// meter stands around each session: it keeps the budget, before and while the session runs, and has its raw stream kept.
type meter struct {
	cfg   Config
	log   phase.Log
	began time.Time
	held  func() time.Duration // how long persons held the run since then

	mu     sync.Mutex
	run    Spending // of ended sessions; Time is of earlier processes
	tasks  map[int]Spending
	warned bool
}

func newMeter(cfg Config, log phase.Log) *meter {
	m := &meter{cfg: cfg, log: log, began: time.Now(), held: func() time.Duration { return 0 }, run: cfg.Budget.Spent, tasks: map[int]Spending{}}
	for pos, s := range cfg.Budget.Tasks {
		m.tasks[pos] = s
	}
	return m
}

// Allow tells whether another session may begin; the error is a *BudgetError.
func (m *meter) Allow(pos int) error {
	if e := m.over(pos, Spending{}, true); e != nil {
		return e
	}
	return nil
}

// over returns the limit that is reached, with what the session in flight has used up.
func (m *meter) over(pos int, now Spending, begins bool) *BudgetError {
	m.mu.Lock()
	run, task := m.run.Plus(now), m.tasks[pos].Plus(now)
	m.mu.Unlock()
	run.Time = m.took()
	if e := exceeded(m.cfg.Budget.Task, task, "max_task_", begins); e != nil && pos > 0 { // what belongs to no task, as a review, is the run's alone
		e.Task = pos
		return e
	}
	limits := m.cfg.Budget.Run
	e := exceeded(limits, run, "max_", begins)
	if e != nil && m.cfg.Budget.Added != nil {
		more, err := m.cfg.Budget.Added()
		if err != nil {
			m.log.Emit(pos, event.Note{Level: event.Warn, Text: "what was added to the budget can't be read: " + err.Error()})
		}
		e = exceeded(limits.Plus(more), run, "max_", begins)
	}
	if e != nil {
		e.Run = m.cfg.Run
	}
	return e
}

// took is how long the run has gone on, without the pauses of persons: who pauses a run does not use it up.
func (m *meter) took() time.Duration {
	return m.cfg.Budget.Spent.Time + time.Since(m.began) - m.held()
}

// Plus sums up.
func (s Spending) Plus(o Spending) Spending {
	return Spending{s.CostUSD + o.CostUSD, s.Tokens + o.Tokens, s.Time + o.Time, s.Sessions + o.Sessions, s.Unpriced + o.Unpriced}
}

// Run runs a session. One that a limit ends is a Result with a Failure, so that what it did until then is looked at and
// kept as any other's; the next session is what is refused.
func (m *meter) Run(ctx context.Context, ex executor.Executor, pos int, req executor.Request) (executor.Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &watch{meter: m, pos: pos, req: req, cancel: cancel, began: time.Now()}
	defer w.timer()()
	emit := req.Emit
	req.Emit = func(d event.Data) {
		if s, ok := d.(event.Spent); ok && !w.spent(s) {
			return
		}
		if emit != nil {
			emit(d)
		}
	}
	res, err := ex.Run(ctx, req)
	m.count(pos, req.Model, res)
	var over *BudgetError
	if cause := context.Cause(ctx); errors.As(cause, &over) && (errors.Is(err, cause) || errors.As(err, &over)) {
		res.Failure = &executor.Failure{Class: executor.ClassCancelled, Message: over.Error(), Help: over.Hint()}
		return res, nil
	}
	return res, err
}

// count adds an ended session.
func (m *meter) count(pos int, model string, res executor.Result) {
	s := Spending{Sessions: 1, Time: res.Elapsed, Tokens: res.Usage.Tokens()}
	usd, known := m.dollars(model, res.Usage, res.Models)
	s.CostUSD = usd
	if !known && s.Tokens > 0 {
		s.Unpriced = 1
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run, m.tasks[pos] = m.run.Plus(s), m.tasks[pos].Plus(s)
	limited := m.cfg.Budget.Run.CostUSD > 0 || m.cfg.Budget.Task.CostUSD > 0
	if limited && !known && !m.warned && res.Elapsed > 0 {
		m.warned = true
		if len(res.Models) > 0 {
			model = strings.Join(slices.Sorted(maps.Keys(res.Models)), ", ")
		}
		m.log.Emit(pos, event.Note{Level: event.Warn, Text: fmt.Sprintf("the limit of dollars can't count this session: the agent reports none, and no price of the model %q is known", model),
			Hint: "put its price into .ralphex/prices (docs/cost.md), or limit tokens: --max-tokens N"})
	}
}

// dollars is what the agent reports, or what the price list says where that is more: an agent may report at its end only.
func (m *meter) dollars(model string, u event.Usage, shares map[string]event.Usage) (float64, bool) {
	if u.CostUSD > 0 || m.cfg.Budget.Dollars == nil {
		return u.CostUSD, u.CostUSD > 0
	}
	return m.cfg.Budget.Dollars(model, u, shares)
}

// watch is one session under a budget.
type watch struct {
	*meter
	pos    int
	req    executor.Request
	cancel context.CancelCauseFunc
	began  time.Time
	told   time.Time
}

// spent looks at the limits, and tells whether it is time to tell of it.
func (w *watch) spent(s event.Spent) bool {
	usd, _ := w.dollars(w.req.Model, s.Usage, s.Models)
	if e := w.over(w.pos, Spending{CostUSD: usd, Tokens: s.Usage.Tokens(), Time: time.Since(w.began)}, false); e != nil {
		w.cancel(e)
		return true
	}
	if time.Since(w.told) < toldEvery {
		return false
	}
	w.told = time.Now()
	return true
}

// timer ends the session when its time is up; what it returns stops it.
func (w *watch) timer() (stop func()) {
	left := w.left()
	if left < 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			if wait.For(ctx, left) != nil {
				return
			}
			if e := w.over(w.pos, Spending{Time: time.Since(w.began)}, false); e != nil {
				w.cancel(e)
				return
			}
			left = max(w.left(), time.Second) // somebody added to it
		}
	})
	return func() { cancel(); wg.Wait() }
}

// untilTimeIsUp is a context for a wait between two sessions: it ends, with a *BudgetError as its cause, when the run may take no
// longer. left is how long that is; negative = for ever. stop must be called.
func (m *meter) untilTimeIsUp(ctx context.Context) (_ context.Context, left time.Duration, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{meter: m, cancel: cancel, began: time.Now()}
	left = w.left()
	timer := w.timer()
	return ctx, left, func() { timer(); cancel(nil) }
}

// left is how long the session may take; negative = there is no limit.
func (w *watch) left() time.Duration {
	left := time.Duration(-1)
	w.mu.Lock()
	defer w.mu.Unlock()
	take := func(limit, used time.Duration) {
		if rest := max(0, limit-used); limit > 0 && (left < 0 || rest < left) {
			left = rest
		}
	}
	take(w.cfg.Budget.Run.Time, w.took())
	if w.pos > 0 {
		take(w.cfg.Budget.Task.Time, w.tasks[w.pos].Time+time.Since(w.began))
	}
	return left
}
