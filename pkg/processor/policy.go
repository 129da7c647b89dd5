package processor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

// maxLimitWait is how long one session may wait for limits in all. A weekly limit that resets in days is better
// told to a person than slept through.
const maxLimitWait = 24 * time.Hour

// executionPolicy runs sessions: it journals start and end, waits for limits, and names time-outs.
type executionPolicy struct {
	cfg Config
	log phase.Log
	ex  executor.Executor
	n   int
	met *meter // the budget, and raw streams
}

func newExecutionPolicy(cfg Config, log phase.Log, ex executor.Executor) *executionPolicy {
	return &executionPolicy{cfg: cfg, log: log, ex: ex, n: cfg.Sessions, met: newMeter(cfg, log)}
}

// Run runs one session of the phase, as often as limits make it necessary.
func (p *executionPolicy) Run(ctx context.Context, s phase.Session) (executor.Result, error) {
	return p.runWithLimitRetry(ctx, s)
}

// runWithLimitRetry runs the session again after each usage limit, when waiting is allowed, until it has waited
// maxLimitWait in all. An iteration is not consumed.
func (p *executionPolicy) runWithLimitRetry(ctx context.Context, s phase.Session) (executor.Result, error) {
	waited := time.Duration(0)
	for {
		res, err := p.runWithSessionTimeout(ctx, s)
		if err != nil || res.Failure == nil || res.Failure.Class != executor.ClassLimit || p.cfg.WaitOnLimit <= 0 {
			return res, err
		}
		d := p.limitWait(res.Failure.ResetAt)
		if waited+d > maxLimitWait {
			return res, nil
		}
		waited += d
		p.log.Emit(s.Position, event.Wait{For: d, Reason: "rate limit: " + res.Failure.Message})
		if err := sleep(ctx, d); err != nil {
			return res, err
		}
	}
}

// limitWait is the configured wait, or until the limit resets when the agent said when.
func (p *executionPolicy) limitWait(reset time.Time) time.Duration {
	if until := time.Until(reset); !reset.IsZero() && until > 0 {
		return until.Truncate(time.Second) + 5*time.Second
	}
	return p.cfg.WaitOnLimit
}

// runWithSessionTimeout runs one session under the time-outs, and warns when one of them ended it. A signal that
// was seen before is kept: the phase decides by facts.
func (p *executionPolicy) runWithSessionTimeout(ctx context.Context, s phase.Session) (executor.Result, error) {
	if err := p.met.Allow(s.Position); err != nil {
		return executor.Result{}, err
	}
	p.n++
	n := p.n
	emit := func(d event.Data) { p.log.Emit(s.Position, d) }
	sum := sha256.Sum256([]byte(s.Prompt))
	stream := p.cfg.stream(n)
	res, err := p.met.Run(ctx, p.ex, s.Position, executor.Request{
		Prompt: s.Prompt, Dir: p.cfg.Root, Env: p.cfg.Env, Model: p.cfg.Model, Effort: p.cfg.Effort,
		Plan: s.Plan, Position: s.Position, Commands: p.cfg.Task.Frozen, Keep: p.cfg.Keep,
		IdleTimeout: p.cfg.IdleTimeout, SessionTimeout: p.cfg.SessionTimeout,
		Transcript: stream.Path, TranscriptMax: stream.Max, Secrets: stream.Secrets,
		Emit: emit,
		Started: func(c executor.Process) {
			emit(event.SessionStart{N: n, Executor: p.ex.Name(), Argv: c.Argv, Model: p.cfg.Model, PID: c.PID,
				PIDStart: c.PIDStart, Mark: c.Mark, Head: s.Head, Dirty: s.Dirty, PromptHash: hex.EncodeToString(sum[:])})
		},
	})
	end := event.SessionEnd{N: n, Elapsed: res.Elapsed, Exit: exitText(res.Exit), SessionID: res.SessionID, Usage: res.Usage, Models: res.Models, Transcript: stream.kept()}
	if res.Cause != nil {
		end.Cause = res.Cause.Error()
	}
	if err != nil {
		end.Cause = err.Error()
	}
	if res.Failure != nil {
		end.Failure, end.Message = string(res.Failure.Class), res.Failure.Message
	}
	emit(end)
	if err != nil {
		return res, fmt.Errorf("run %s: %w", p.ex.Name(), err)
	}
	p.remark(emit, res)
	return res, nil
}

// remark tells the person what is worth knowing about an ended session.
func (p *executionPolicy) remark(emit func(event.Data), res executor.Result) {
	if res.Mentions > 0 && len(res.Signals) == 0 {
		emit(event.Note{Level: event.Warn, Text: fmt.Sprintf("%d signal token(s) were only mentioned (in prose, code or a quote): not counted", res.Mentions)})
	}
	if len(res.Pending) > 0 {
		emit(event.Note{Level: event.Warn, Text: "the session ended with unfinished work: " + strings.Join(res.Pending, "; ")})
	}
}

func exitText(e executor.Exit) string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit %d", e.Code)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
