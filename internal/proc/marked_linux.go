package proc

import (
	"context"
	"os"
)

// EndMarked ends what a session left behind whose ralphex is dead: the process with that pid and start time, if it
// carries the mark, with its process group, and every other process with the mark; all with their descendants.
// An unknown start (0) is not compared. The mark is mandatory: without it a pid proves nothing after a reboot. The error
// is ctx's cause; processes that could not be ended are reported as Alive.
func EndMarked(ctx context.Context, mark string, pid int, start uint64, o EndOptions) ([]Survivor, error) {
	if mark == "" {
		return nil, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	if o.Keep == nil {
		o.Keep = DefaultKeep
	}
	group := 0 // the session id, once the root was seen to be the one
	find := func() []stat {
		all := scan()
		roots := map[int]bool{}
		var out []stat
		for _, s := range all {
			if s.pid == os.Getpid() {
				continue
			}
			has := markOf(s.pid) == mark
			if has && s.pid == pid && (start == 0 || s.start == start) {
				group = pid
			}
			if !s.gone() && has {
				roots[s.pid] = true
				out = append(out, s)
			}
		}
		for _, s := range all {
			if group != 0 && s.session == group && !s.gone() && !roots[s.pid] {
				roots[s.pid] = true
				out = append(out, s)
			}
		}
		return append(out, living(descend(roots, all))...)
	}
	s := sweep{find: find, keep: o.Keep, grace: o.Grace, hard: ctx.Done()}
	left := s.run()
	return left, context.Cause(ctx)
}
