package claim

import (
	"cmp"
	"slices"
	"time"

	"ralphex/internal/ralph/stable"
)

// Seen is a claim as it looks now.
type Seen struct {
	Claim
	Stale bool // active, and older than the TTL
}

// TaskClaims are the active claims of one task.
type TaskClaims struct {
	TaskID    string
	Canonical Seen   // the last of Active
	Active    []Seen // file order, at least one
	Contested bool   // more than one
}

// Graph is what preflight and status show of a claims file.
type Graph struct {
	File  string
	Tasks []TaskClaims // sorted by the bytes of the task id; only tasks with an active claim
	// LatestResolved is the claim that was recovered last; those whose time can't be read count as oldest. It may be nil.
	LatestResolved *Seen
}

// Task returns the claims of the task, nil if it has no active one.
func (g Graph) Task(id string) *TaskClaims {
	i, ok := slices.BinarySearchFunc(g.Tasks, id, func(t TaskClaims, id string) int { return cmp.Compare(t.TaskID, id) })
	if !ok {
		return nil
	}
	return &g.Tasks[i]
}

// Inspect sorts the claims by task. It is a pure function of the file, the time and the TTL.
func (f *File) Inspect(now time.Time, ttl time.Duration) Graph {
	g := Graph{File: f.Path}
	at := map[string]int{}
	var latest time.Time
	for _, c := range f.Claims {
		seen := Seen{c, c.IsStale(now, ttl)}
		if c.Status != Active {
			if c.ResolvedAt == "" {
				continue
			}
			if when, _ := stable.ParseTime(c.ResolvedAt); g.LatestResolved == nil || when.After(latest) {
				g.LatestResolved, latest = &seen, when
			}
			continue
		}
		i, ok := at[c.TaskID]
		if !ok {
			i = len(g.Tasks)
			at[c.TaskID] = i
			g.Tasks = append(g.Tasks, TaskClaims{TaskID: c.TaskID})
		}
		t := &g.Tasks[i]
		t.Active = append(t.Active, seen)
		t.Canonical, t.Contested = seen, len(t.Active) > 1
	}
	slices.SortFunc(g.Tasks, func(a, b TaskClaims) int { return cmp.Compare(a.TaskID, b.TaskID) })
	return g
}

// canonical returns the place of the last active claim of the task, -1 without one, and whether there are others that
// differ from it.
func (f *File) canonical(task string) (at int, contested bool) {
	at = -1
	for i, c := range slices.Backward(f.Claims) {
		switch {
		case c.TaskID != task || c.Status != Active:
		case at < 0:
			at = i
		case c != f.Claims[at]:
			contested = true
		}
	}
	return at, contested
}
