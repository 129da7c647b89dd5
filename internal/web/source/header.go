package source

import (
	"strings"
	"time"
)

// Header is what a progress file says of its run before anything happens. Where a file was continued it is that of the newest run.
type Header struct {
	Plan         string // as it is written there, mostly an absolute path; empty = none
	WorktreePlan string // of the copy in a worktree
	Branch       string
	Mode         string
	Executor     string // only if it is not the default
	PlanModel    string
	TaskModel    string
	ReviewModel  string
	Started      time.Time
}

const (
	title    = "# Ralphex Progress Log"
	noPlan   = "(no plan - review only)"
	longTime = "2006-01-02 15:04:05"
)

// field takes a line of the header; false = it is none. Values that it does not understand leave the header as it was.
func (h *Header) field(line string, loc *time.Location) bool {
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		return false
	}
	value = strings.TrimSpace(value)
	switch name {
	case "Plan":
		if h.Plan = value; value == noPlan {
			h.Plan = ""
		}
	case "Worktree plan":
		h.WorktreePlan = value
	case "Branch":
		h.Branch = value
	case "Mode":
		h.Mode = value
	case "Executor":
		h.Executor = value
	case "Plan model":
		h.PlanModel = value
	case "Task model":
		h.TaskModel = value
	case "Review model":
		h.ReviewModel = value
	case "Started":
		if t, err := time.ParseInLocation(longTime, value, loc); err == nil {
			h.Started = t
		}
	default:
		return false
	}
	return true
}

// ruler tells how long a line of nothing but dashes is; 0 = it is another line, or too short to be one.
func ruler(line string) int {
	const shortest = 21 // the public one has 60
	if len(line) < shortest || strings.Trim(line, "-") != "" {
		return 0
	}
	return len(line)
}
