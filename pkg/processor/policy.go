package processor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

// executionPolicy runs the sessions of a phase: it journals start and end, waits for limits, tries again what failed for a
// moment, hands over to another agent, and asks one that ended too early to go on. Phases know nothing of it.
type executionPolicy struct {
	cfg    Config
	log    phase.Log
	roster *roster
	staff  *staff
	wall   func() time.Time // the wall clock: a deadline counts while the machine sleeps, a timer does not
	jitter func() float64   // 0 to 1
}

func newExecutionPolicy(cfg Config, log phase.Log, st *staff, m Model, ex executor.Executor, more ...executor.Executor) *executionPolicy {
	p := &executionPolicy{cfg: cfg, log: log, roster: newRoster(st, m, ex, more), staff: st,
		wall: func() time.Time { return time.Now().Round(0) }, jitter: rand.Float64}
	p.roster.limitedUntil(cfg.Waiting.Agent, cfg.Waiting.Until)
	return p
}

// tries counts what happened to one session of a phase.
type tries struct {
	waited    time.Duration // for limits, in all
	polls     int           // waits for a limit whose end nobody knows, in a row
	transient int           // failures of the server, in a row
	resumed   int           // how often it was asked to go on
}

// Run runs one session of the phase, as often as it takes.
func (p *executionPolicy) Run(ctx context.Context, s phase.Session) (executor.Result, error) {
	return p.runWithLimitRetry(ctx, s)
}

// runWithLimitRetry runs the session, and runs it again after a failure that time, another agent or a word mends.
// An iteration of the phase is not consumed.
func (p *executionPolicy) runWithLimitRetry(ctx context.Context, s phase.Session) (executor.Result, error) {
	var t tries
	if err := p.awaitEarlier(ctx, s, &t); err != nil {
		return executor.Result{}, err
	}
	said := earlierWords{}
	for asked := (*resumption)(nil); ; {
		agent := p.choose(s)
		res, err := p.runWithSessionTimeout(ctx, s, agent, asked)
		asked, res = nil, said.join(res)
		if err != nil {
			if missing(err) && p.replace(s, agent, "it can't be started") {
				continue
			}
			return res, err
		}
		if res.Failure == nil || res.Failure.Class != executor.ClassLimit {
			agent.until = time.Time{} // it works: whatever was said of its limit is over, also where somebody did not wait for that
		}
		if res.Failure == nil {
			return res, nil
		}
		again := false
		switch f := res.Failure; f.Class {
		case executor.ClassPending, executor.ClassInput, executor.ClassEmpty:
			asked, again = p.goOn(s, agent, res, &t)
			if asked != nil {
				said = earlierWords{res}
				continue
			}
		case executor.ClassLimit:
			again, err = p.limited(ctx, s, agent, f, &t)
		case executor.ClassLogin, executor.ClassMoney:
			again = p.replace(s, agent, f.Class.Info().What)
		case executor.ClassOverload:
			again, err = p.busy(ctx, s, f, &t)
		}
		if err != nil || !again {
			return res, err
		}
		if s, err = renewed(ctx, s, res); err != nil {
			return res, err
		}
	}
}

// missing tells whether a session could not be run because its command is not there (any more).
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}

func renewed(ctx context.Context, s phase.Session, res executor.Result) (phase.Session, error) {
	if s.Renew == nil {
		return s, nil
	}
	return s.Renew(ctx, s, res)
}

// runWithSessionTimeout runs one session under the time-outs, and warns when one of them ended it. A signal that
// was seen before is kept: the phase decides by facts. With asked, a session that ended is gone on with.
func (p *executionPolicy) runWithSessionTimeout(ctx context.Context, s phase.Session, agent *seat, asked *resumption) (executor.Result, error) {
	if err := p.staff.met.Allow(s.Position); err != nil {
		return executor.Result{}, err
	}
	p.staff.n++
	n := p.staff.n
	emit := func(d event.Data) { p.log.Emit(s.Position, d) }
	stream := p.cfg.stream(n)
	req := executor.Request{
		Prompt: s.Prompt.For(agent.ex.Name()), Dir: p.cfg.Root, Env: p.cfg.Env, Model: agent.model, Effort: agent.effort,
		Plan: s.Plan, Position: s.Position, Commands: p.cfg.Task.Frozen, Keep: p.cfg.Keep,
		IdleTimeout: p.cfg.IdleTimeout, SessionTimeout: p.cfg.SessionTimeout, Grace: p.cfg.Grace, BackgroundWait: p.cfg.BackgroundWait,
		Transcript: stream.Path, TranscriptMax: stream.Max, Secrets: stream.Secrets,
		Emit: emit,
	}
	if asked != nil {
		req.Resume, req.Prompt = asked.id, asked.message
	}
	var notes []string
	req.Prompt, notes = p.cfg.noted(req.Prompt)
	kept, err := p.cfg.record(ctx, Launch{N: n, Session: s, Prompt: req.Prompt, Executor: agent.ex.Name(), Model: agent.model, Effort: agent.effort,
		Resumed: asked != nil, Stream: stream.Path})
	if err != nil {
		return executor.Result{}, err
	}
	req.Prompt = kept.Prompt
	if err := kept.Handed(req.Prompt); err != nil {
		return executor.Result{}, err
	}
	sum := sha256.Sum256([]byte(req.Prompt))
	req.Started = func(c executor.Process) {
		emit(event.SessionStart{N: n, Executor: agent.ex.Name(), Argv: c.Argv, Model: agent.model, PID: c.PID,
			PIDStart: c.PIDStart, Mark: c.Mark, Head: s.Head, Dirty: s.Dirty, PromptHash: hex.EncodeToString(sum[:]),
			Iteration: kept.Iteration, Evidence: kept.Evidence, Notes: notes})
	}
	res, err := p.staff.met.Run(ctx, agent.ex, s.Position, req)
	res.By = agent.ex.Name()
	if err == nil && res.Failure == nil {
		res.Failure = unfinished(res, s)
	}
	end := SessionEnd(n, res, err)
	end.Transcript = stream.kept()
	emit(end)
	if err != nil {
		return res, fmt.Errorf("run %s: %w", agent.ex.Name(), err)
	}
	p.remark(emit, res)
	return res, nil
}

// SessionEnd is what a journal keeps of the end of session n. err is that of executor.Executor.Run.
func SessionEnd(n int, res executor.Result, err error) event.SessionEnd {
	end := event.SessionEnd{N: n, Elapsed: res.Elapsed, Exit: exitText(res.Exit), SessionID: res.SessionID, Usage: res.Usage, Models: res.Models}
	if res.Cause != nil {
		end.Cause = res.Cause.Error()
	}
	if err != nil {
		end.Cause = err.Error()
	}
	if res.Failure != nil {
		end.Failure, end.Message = string(res.Failure.Class), res.Failure.Message
	}
	return end
}

// remark tells the person what is worth knowing about an ended session.
func (p *executionPolicy) remark(emit func(event.Data), res executor.Result) {
	if res.Mentions > 0 && len(res.Signals) == 0 {
		emit(event.Note{Level: event.Warn, Text: fmt.Sprintf("signals that were only mentioned, in prose, code or a quote, and not counted: %d", res.Mentions)})
	}
	if len(res.Pending) > 0 && (res.Failure == nil || res.Failure.Class != executor.ClassPending) {
		emit(event.Note{Level: event.Warn, Text: "the session ended with unfinished work: " + strings.Join(res.Pending, "; ")})
	}
}

func exitText(e executor.Exit) string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit %d", e.Code)
}
