package term

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ralphex/pkg/event"
)

// status is what the status line tells: facts of the run so far.
type status struct {
	started     time.Time
	phase       event.Phase
	task, tasks int
	title       string
	done, boxes int
	usage       event.Usage // of the sessions that ended
	session     event.Usage // of the one in flight
	waiting     string      // why the run waits, empty = it works
	until       time.Time
	doing       string // whose last line tells what the agent, or the gate, is at: of others, so see nowDoing
	ended       bool
}

// apply moves the status by one event. resumed is the beginning of a run that goes on.
func (s *status) apply(e event.Event, resumed event.RunStart) {
	if s.started.IsZero() {
		s.started = e.Time
	}
	s.waiting = ""
	switch d := e.Data.(type) {
	case event.RunStart:
		s.tasks = d.Tasks
	case event.RunRestart:
		s.tasks = resumed.Tasks
	case event.PhaseStart:
		s.phase, s.task = d.Name, 0
	case event.TaskStart:
		s.task, s.title, s.boxes, s.done, s.doing = e.Task, clean(d.Title), d.Total, d.Total-d.Open, ""
	case event.TaskEnd:
		s.doing = ""
	case event.Tick:
		if d.Checked {
			s.done = min(s.done+1, s.boxes)
		} else {
			s.done = max(s.done-1, 0)
		}
	case event.Output:
		if d.Source == event.FromTool {
			s.doing = d.Text
		}
	case event.SessionEnd:
		s.usage, s.session = s.usage.Add(d.Usage), event.Usage{}
		s.doing = ""
	case event.Spent:
		s.session = d.Usage
	case event.GateStart:
		s.doing = "validation"
	case event.GateEnd:
		s.doing = ""
	case event.Wait:
		s.waiting, s.until = clean(d.Reason), d.Until
		if s.until.IsZero() {
			s.until = e.Time.Add(d.For)
		}
	case event.RunEnd:
		s.ended = true
	}
}

func lastLine(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// nowDoing is doing, harmless. It changes far more often than it is drawn.
func (s *status) nowDoing() string { return clean(strings.TrimSpace(lastLine(s.doing))) }

// line words the status in at most width columns.
func (s *status) line(now time.Time, width int) string {
	var parts []string
	if s.task > 0 {
		where := fmt.Sprintf("task %d", s.task)
		if s.tasks > 0 {
			where = fmt.Sprintf("task %d/%d", s.task, s.tasks)
		}
		title := ansi.Truncate(s.title, max(10, width/3), "…")
		parts = append(parts, strings.TrimSpace(where+" "+title))
		if s.boxes > 0 {
			parts = append(parts, fmt.Sprintf("boxes %d/%d", s.done, s.boxes))
		}
	} else if s.phase != event.PhaseNone {
		parts = append(parts, string(s.phase))
	}
	parts = append(parts, event.Elapsed(now.Sub(s.started)))
	parts = append(parts, UsageParts(s.usage.Add(s.session))...)
	switch {
	case s.waiting != "":
		parts = append(parts, "waiting "+event.Elapsed(max(0, s.until.Sub(now)))+": "+s.waiting)
	case s.nowDoing() != "":
		parts = append(parts, s.nowDoing())
	}
	line := strings.ReplaceAll(strings.Join(parts, " · "), "\t", " ")
	return ansi.Truncate(line, width, "…")
}

// UsageParts words tokens and cost, each only if it is known.
func UsageParts(u event.Usage) (parts []string) {
	in := u.InputTokens + u.CacheReadTokens + u.CacheWriteTokens
	if in > 0 || u.OutputTokens > 0 {
		parts = append(parts, tokens(in)+" in "+tokens(u.OutputTokens)+" out")
	}
	if u.CostUSD > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f", u.CostUSD))
	}
	return parts
}

// tokens words a number of tokens: "950", "12.3k", "1.2M".
func tokens(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 999_950:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}
