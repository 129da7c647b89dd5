package progress

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"ralphex/pkg/event"
)

const (
	longTime  = "2006-01-02 15:04:05"
	shortTime = "[06-01-02 15:04:05] "
	maxReason = 200 // runes
)

var ruler = strings.Repeat("-", 60)

// Header is what the file says of its run before anything happens. Empty fields but Plan are left out.
type Header struct {
	Plan         string // absolute path; empty = none
	WorktreePlan string // absolute path of the copy in a worktree
	Branch       string
	Mode         string
	Executor     string // only if it is not the default
	PlanModel    string
	TaskModel    string
	ReviewModel  string
}

// fields are the header's lines.
func (h Header) fields(now time.Time) string {
	plan := h.Plan
	if plan == "" {
		plan = "(no plan - review only)"
	}
	var b strings.Builder
	for _, f := range []struct{ name, value string }{
		{"Plan", plan}, {"Worktree plan", h.WorktreePlan}, {"Branch", h.Branch}, {"Mode", h.Mode}, {"Executor", h.Executor},
		{"Plan model", h.PlanModel}, {"Task model", h.TaskModel}, {"Review model", h.ReviewModel}, {"Started", now.Format(longTime)},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", f.name, oneLine(f.value))
		}
	}
	return b.String()
}

func (h Header) text(now time.Time) string {
	return "# Ralphex Progress Log\n" + h.fields(now) + ruler + "\n\n"
}

// restart is what stands between the log of a run that died and the log of the next one.
func (h Header) restart(now time.Time) string {
	return "\n\n--- restarted at " + now.Format(longTime) + " ---\n\n" + h.fields(now) + "\n"
}

// finished tells by the end of a file whether its run was a success.
func finished(tail string) bool { return strings.Contains(tail, ruler+"\nCompleted:") }

// footer is the end of the file.
func footer(now time.Time, end event.RunEnd) string {
	verdict := fmt.Sprintf("Completed: %s (%s)", now.Format(longTime), event.Elapsed(end.Elapsed))
	if end.Outcome == event.Failed || end.Outcome == event.Interrupted {
		verdict = fmt.Sprintf("Failed: %s (%s) - %s", now.Format(longTime), event.Elapsed(end.Elapsed), reason(end))
	}
	return "\n" + ruler + "\n" + verdict + "\n"
}

func reason(end event.RunEnd) string {
	text := oneLine(end.Reason)
	switch {
	case text == "" && end.Outcome == event.Interrupted:
		return "user aborted"
	case text == "":
		return "unknown error"
	}
	if runes := []rune(text); len(runes) > maxReason {
		return string(runes[:maxReason]) + "..."
	}
	return text
}

// oneLine makes blanks of control characters, and one blank of several.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}
