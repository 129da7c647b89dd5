package proc

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// sweep is the work of ending processes until none is left.
type sweep struct {
	find  func() []stat // who is to end now; zombies left out
	keep  []string
	grace time.Duration
	hard  <-chan struct{}
	known map[ident]*Survivor
}

// run asks, waits, kills, and reports what it met, by pid.
func (s *sweep) run() []Survivor {
	s.known = map[ident]*Survivor{}
	polite := time.Now().Add(s.grace)
	giveUp := polite.Add(stuckAfter)
	for pause := time.Millisecond; s.round(polite, giveUp); pause = min(2*pause, 32*time.Millisecond) {
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-s.hard:
			timer.Stop()
			s.hard, polite = nil, time.Now()
		}
	}
	return slices.SortedFunc(s.survivors(), func(a, b Survivor) int { return cmp.Compare(a.PID, b.PID) })
}

// round signals everybody who is there once, and tells whether to come again.
func (s *sweep) round(polite, giveUp time.Time) (again bool) {
	targets := s.find()
	if len(targets) == 0 {
		return false
	}
	kept := s.kept(targets)
	now := time.Now()
	for _, t := range targets {
		id := ident{t.pid, t.start}
		v := s.known[id]
		switch {
		case v == nil:
			v = &Survivor{PID: t.pid, Command: strings.Join(t.argv(), " "), Action: Ended}
			s.known[id] = v
			if kept[t.pid] {
				v.Action = Kept
				continue
			}
			if t.signal(unix.SIGTERM) != nil {
				v.Action = Alive // another user's
				continue
			}
			_ = t.signal(unix.SIGCONT)
		case v.Action == Kept, v.Action == Alive:
			continue
		case now.After(giveUp):
			v.Action = Alive
			continue
		case !now.Before(polite):
			v.Action = Killed
			_ = t.signal(unix.SIGKILL)
		}
		again = true
	}
	return again
}

// kept are the targets on the keep list, with all that they started.
func (s *sweep) kept(targets []stat) map[int]bool {
	kept := map[int]bool{}
	for _, t := range targets {
		if v := s.known[ident{t.pid, t.start}]; v != nil {
			if v.Action == Kept {
				kept[t.pid] = true
			}
		} else if IsKept(t.argv(), s.keep) {
			kept[t.pid] = true
		}
	}
	if len(kept) > 0 {
		for _, d := range descend(kept, targets) {
			kept[d.pid] = true
		}
	}
	return kept
}

func (s *sweep) survivors() func(func(Survivor) bool) {
	return func(yield func(Survivor) bool) {
		for v := range maps.Values(s.known) {
			if !yield(*v) {
				return
			}
		}
	}
}

// sweep ends what the child left behind.
func (ch *child) sweep() []Survivor {
	s := sweep{find: ch.strays, keep: ch.Keep, grace: ch.Grace, hard: ch.hard}
	return s.run()
}

// strays are the living processes of this session other than its root.
func (ch *child) strays() []stat {
	if !adoptOrphans() {
		return ch.strangers()
	}
	running.RLock()
	pids := childPIDs()
	alone := len(running.byPID) == 1
	pids = slices.DeleteFunc(pids, func(pid int) bool { return running.byPID[pid] != nil })
	running.RUnlock()
	roots := map[int]bool{}
	var out []stat
	for _, pid := range pids {
		s, ok := readStat(pid)
		if !ok || !ch.owns(s, alone) {
			continue
		}
		if now, ok := readStat(pid); !ok || now.gone() { // it may have ended while it was looked at
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
			continue
		}
		roots[pid] = true
		out = append(out, s)
	}
	if len(roots) == 0 {
		return nil
	}
	out = append(out, living(descend(roots, scan()))...)
	for _, s := range out {
		ch.met[ident{s.pid, s.start}] = true
	}
	return out
}

// owns tells whether a child of ours is a stray of this session. alone = no other Cmd runs.
func (ch *child) owns(s stat, alone bool) bool {
	if s.session == ch.proc.PID || ch.met[ident{s.pid, s.start}] {
		return true
	}
	if own, _ := unix.Getsid(0); s.session == own {
		return false // os/exec's, of another package: it waits for its own
	}
	if s.gone() {
		return alone // its environment is gone, and nobody else reaps it
	}
	if start, old := ch.before[s.pid]; old && start == s.start {
		return false
	}
	if mark := markOf(s.pid); mark != "" {
		return mark == ch.Mark
	}
	return alone && s.start >= ch.proc.Start
}

// strangers finds the session's processes where orphans don't come to us: by session id and mark, among all.
func (ch *child) strangers() []stat {
	var out []stat
	for _, s := range scan() {
		if s.pid == ch.proc.PID || s.gone() {
			continue
		}
		if s.session == ch.proc.PID || ch.Mark != "" && markOf(s.pid) == ch.Mark {
			out = append(out, s)
		}
	}
	return out
}

func living(all []stat) []stat { return slices.DeleteFunc(all, stat.gone) }
