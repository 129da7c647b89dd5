package journal

import "ralphex/pkg/event"

// Resume is what the next process of a run takes over from its journal.
type Resume struct {
	*State
	Proven   []string          // keys of tasks that are done for a fact, in the order they became so
	Attempts map[string]int    // failed attempts of tasks that are not done, a key
	Leftover map[string]string // what the ended run left uncommitted, with stamps; nil when it died, or could not ask
	Died     bool              // the process before it wrote no RunEnd
	Blind    bool              // it wrote one, and could not ask the repository what was left
}

// Resumable returns what a run of the plan can go on with, or nil: the newest run of the plan, if it died, was
// interrupted or failed, or left work of skipped tasks uncommitted. A run that came to its end is not gone on with. Only runs whose start pleases are looked at; nil = all.
func Resumable(dir, plan string, pleases func(event.RunStart) bool) (*Resume, error) {
	s, err := Latest(dir, plan, pleases)
	if err != nil || s == nil {
		return nil, err
	}
	r := &Resume{State: s, Died: s.End == nil, Attempts: map[string]int{}}
	if s.End != nil {
		if s.End.Outcome != event.Failed && s.End.Outcome != event.Interrupted && !leftWork(s.End) {
			return nil, nil
		}
		r.Leftover, r.Blind = s.End.Leftover, s.End.LeftoverUnknown
		if r.State, err = read(s.Path); err != nil {
			return nil, err
		}
	}
	r.collect()
	return r, nil
}

// leftWork tells whether a run that left something to a person left uncommitted work of its own, too: that of tasks that were skipped.
func leftWork(end *event.RunEnd) bool {
	return end.Outcome == event.LeftHuman && len(end.Leftover) > 0
}

// collect reads which tasks are proven. Keys and not positions count: the plan may have been edited in between.
func (r *Resume) collect() {
	done := map[string]bool{}
	for _, key := range r.Start.Done {
		r.prove(done, key)
	}
	for _, t := range r.ends {
		if t.Done() {
			r.prove(done, t.Key())
		} else {
			delete(done, t.Key())
		}
	}
	kept := r.Proven[:0]
	for _, key := range r.Proven {
		if done[key] {
			kept = append(kept, key)
		}
	}
	r.Proven = kept
	for _, t := range r.Tasks {
		if t.End == nil && t.Attempts > 0 {
			r.Attempts[t.Key()] = t.Attempts
		}
	}
}

func (r *Resume) prove(done map[string]bool, key string) {
	if !done[key] {
		done[key] = true
		r.Proven = append(r.Proven, key)
	}
}
