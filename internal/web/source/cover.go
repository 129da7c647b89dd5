package source

import (
	"time"

	"ralphex/internal/web/view"
)

// slack is how far the times of the two files of one run may differ.
const slack = 5 * time.Second

// sameRuns tells of progress files whose run has a journal: that knows more, and is the same run.
type sameRuns map[string][]process // journals by the root of their repository

// journals are those that some sessions may share a run with.
func (l *Library) journals(some []*Session) sameRuns {
	all := sameRuns{}
	for _, s := range some {
		if s.file.source == view.Progress {
			all[s.meta.Root] = nil
		}
	}
	if len(all) == 0 {
		return all
	}
	for _, s := range l.sessions() {
		if _, asked := all[s.meta.Root]; asked && s.file.source == view.Journal {
			all[s.meta.Root] = append(all[s.meta.Root], s.facts())
		}
	}
	return all
}

// cover tells whether one of them is of the session's run. A progress file may hold several runs; the newest one counts, so it is asked by the
// time of its last line.
func (j sameRuns) cover(s *Session) bool {
	if s.file.source == view.Journal || len(j[s.meta.Root]) == 0 {
		return false
	}
	p := s.facts()
	for _, of := range j[s.meta.Root] {
		if of.plan == p.plan && of.mode == p.mode && !p.last.Before(of.started.Add(-slack)) && !p.last.After(of.last.Add(slack)) {
			return true
		}
	}
	return false
}

// facts are what is known of the session's process, brought up to date.
func (s *Session) facts() process {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	return s.proc
}
