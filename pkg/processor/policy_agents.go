package processor

import (
	"slices"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

// seat is an agent of a phase, and whether it can work.
type seat struct {
	ex            executor.Executor
	model, effort string
	*standing
}

// standing is whether an agent can work, in whichever phase.
type standing struct {
	until time.Time // its limit, zero = none that is known
	out   bool      // it is logged out, has no money, or is missing: a person must act, so not in this process any more
}

// staff is what the policies of all phases share: the budget, the number of sessions, and how the agents stand.
type staff struct {
	met    *meter
	n      int                  // of the last session
	stands map[string]*standing // by name
}

func newStaff(cfg Config, log phase.Log) *staff {
	return &staff{met: newMeter(cfg, log), n: cfg.Sessions, stands: map[string]*standing{}}
}

func (s *staff) seat(ex executor.Executor, m Model) *seat {
	if s.stands[ex.Name()] == nil {
		s.stands[ex.Name()] = &standing{}
	}
	return &seat{ex: ex, model: m.Name, effort: m.Effort, standing: s.stands[ex.Name()]}
}

// roster is the agents of a phase, in the order of preference: the first that can work does.
type roster struct {
	seats []*seat
	last  *seat // who worked last
}

// newRoster seats the agent of the phase, which is asked for the configured model, and those that stand in for it, which
// are asked for none: a model's name means nothing to another agent.
func newRoster(st *staff, m Model, first executor.Executor, more []executor.Executor) *roster {
	r := &roster{seats: []*seat{st.seat(first, m)}}
	for _, ex := range more {
		if ex.Name() != first.Name() {
			r.seats = append(r.seats, st.seat(ex, Model{}))
		}
	}
	r.last = r.seats[0]
	return r
}

// free is the first agent that can work at a time, nil if none can.
func (r *roster) free(now time.Time) *seat {
	i := slices.IndexFunc(r.seats, func(s *seat) bool { return !s.out && !s.until.After(now) })
	if i < 0 {
		return nil
	}
	return r.seats[i]
}

// next is the one that will be free first, of those that can be waited for; nil if none can.
func (r *roster) next() *seat {
	var best *seat
	for _, s := range r.seats {
		if !s.out && (best == nil || s.until.Before(best.until)) {
			best = s
		}
	}
	return best
}

// limitedUntil notes the limit that an earlier process of the run was waiting for.
func (r *roster) limitedUntil(name string, until time.Time) {
	for _, s := range r.seats {
		if s.ex.Name() == name {
			s.until = until
		}
	}
}

// choose takes the agent for the next session, and tells when it is another than before. Where nobody is free, it is the one
// that will be first: it was waited for, and a limit that is still there says so itself.
func (p *executionPolicy) choose(s phase.Session) *seat {
	now := p.wall()
	agent := p.roster.free(now)
	if agent == nil {
		if agent = p.roster.next(); agent == nil {
			agent = p.roster.last
		}
	}
	if last := p.roster.last; agent != last {
		p.log.Emit(s.Position, event.Switch{From: last.ex.Name(), To: agent.ex.Name(), Why: whyBack(last, now)})
		p.roster.last = agent
	}
	return agent
}

func whyBack(last *seat, now time.Time) string {
	if last.out || last.until.After(now) {
		return last.ex.Name() + " can't work now"
	}
	return "its limit is over"
}

// replace takes an agent out for the rest of this process. It tells whether another one takes over.
func (p *executionPolicy) replace(s phase.Session, agent *seat, why string) bool {
	agent.out = true
	other := p.roster.free(p.wall())
	if other == nil {
		if other = p.roster.next(); other == nil {
			return false
		}
	}
	p.switchTo(s, agent, other, why)
	return true
}

func (p *executionPolicy) switchTo(s phase.Session, from, to *seat, why string) {
	p.log.Emit(s.Position, event.Switch{From: from.ex.Name(), To: to.ex.Name(), Why: why, Until: from.until})
	p.roster.last = to
}
