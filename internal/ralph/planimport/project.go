package planimport

import (
	"fmt"
	"path"
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/plan"
)

// marker begins the notes of a root, and is how it is found again.
const marker = "Plan: "

var (
	notInID  = lazyregexp.New(`[^a-z0-9]+`)
	notInKey = lazyregexp.New(`[^A-Za-z0-9.]+`)
)

// RootID is the id that the root of a plan gets. It has no dot, dash or slash in it: older readers of the format take what stands
// before those for a parent.
func RootID(planPath string) string {
	base := strings.ToLower(strings.TrimSuffix(path.Base(planPath), path.Ext(planPath)))
	if base = strings.Trim(notInID.ReplaceAllString(base, "_"), "_"); base == "" {
		return "plan"
	}
	return "plan_" + base
}

// rootNotes say what the root is.
func rootNotes(planPath string) string {
	return marker + planPath + "\n\nThis task and those below it are a projection of the plan: the file is what counts, and the next import makes them follow it."
}

// findRoot finds the root of a plan: by its path, or by its name if the plan was moved to or from an archive.
func findRoot(f *task.File, planPath string) (at int, ok bool) {
	moved := -1
	for i := range f.Tasks {
		line, _, _ := strings.Cut(f.Tasks[i].Notes, "\n")
		was, isRoot := strings.CutPrefix(line, marker)
		switch {
		case !isRoot:
		case was == planPath:
			return i, true
		case unarchived(was) == unarchived(planPath):
			moved = i
		}
	}
	return moved, moved >= 0
}

// unarchived is the path of a plan before it was archived.
func unarchived(planPath string) string {
	dir, base := path.Split(planPath)
	if dir = path.Clean(dir); path.Base(dir) == "completed" {
		dir = path.Dir(dir)
	}
	return path.Join(dir, base)
}

// want is what a plan says of one of its tasks.
type want struct {
	plan.Task
	id     string // of the child; "" = there is none yet
	at     int    // place of the child in the file
	status task.Status
	why    string // why it is blocked
	holds  bool   // later tasks wait for it
}

// wants reads the statuses off the boxes. Ticks that are not proven are claims: they make a task be in progress, and no more.
func wants(p *plan.Plan, proven func(plan.Task) bool) []want {
	out := make([]want, len(p.Tasks))
	for i, t := range p.Tasks {
		w := want{Task: t, at: -1, status: task.Todo, holds: len(t.Checkboxes) > 0}
		people := len(t.LeftForPerson())
		switch {
		case len(t.Checkboxes) == 0:
		case !t.Done():
			if anyTicked(t) {
				w.status = task.InProgress
			}
		case people > 0:
			w.status, w.holds = task.Blocked, false
			w.why = fmt.Sprintf("%d %s of it %s left for a person.", people, plural(people, "box", "boxes"), plural(people, "is", "are"))
		case proven != nil && !proven(t):
			w.status = task.InProgress
		default:
			w.status = task.Done
		}
		out[i] = w
	}
	return out
}

func anyTicked(t plan.Task) bool {
	for _, b := range t.Checkboxes {
		if b.Checked {
			return true
		}
	}
	return false
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// match gives each task of the plan the child that it had before: the one with its number and title, else the one with its title, else the
// one with its number. It returns the children that are left over.
func match(f *task.File, root string, list []want) (gone []int) {
	type kid struct {
		at              int
		taken, detached bool
	}
	var kids []*kid
	byID, byTitle := map[string]*kid{}, map[string][]*kid{}
	for i := range f.Tasks {
		t := &f.Tasks[i]
		detached := t.ParentID == "" && strings.HasSuffix(t.Blocker, noMore)
		if (t.ParentID == root || detached) && strings.HasPrefix(t.ID, root+".") {
			k := &kid{at: i, detached: detached}
			kids = append(kids, k)
			byID[t.ID] = k
			byTitle[t.Title] = append(byTitle[t.Title], k)
		}
	}
	take := func(w *want, k *kid) {
		if k != nil && !k.taken && w.at < 0 {
			k.taken, w.at, w.id = true, k.at, f.Tasks[k.at].ID
		}
	}
	for i := range list {
		if k := byID[root+"."+key(list[i].ID)]; k != nil && f.Tasks[k.at].Title == title(list[i].Task) {
			take(&list[i], k)
		}
	}
	for i := range list {
		for _, k := range byTitle[title(list[i].Task)] {
			take(&list[i], k)
		}
	}
	for i := range list {
		take(&list[i], byID[root+"."+key(list[i].ID)])
	}
	for _, k := range kids {
		if !k.taken && !k.detached {
			gone = append(gone, k.at)
		}
	}
	return gone
}

// title is the title of a child.
func title(t plan.Task) string {
	if s := strings.TrimSpace(t.Title); s != "" {
		return s
	}
	return "Task " + t.ID
}

// key is what the id of a child ends in.
func key(id string) string {
	if s := strings.Trim(notInKey.ReplaceAllString(id, "_"), "_."); s != "" {
		return s
	}
	return "task"
}

// step is a task of the plan as a step of a pipeline.
func (w *want) step(planPath, command string) task.PipelineStep {
	return task.PipelineStep{Title: title(w.Task), Notes: fmt.Sprintf("Task %s of %s", w.ID, planPath), Validation: command, Acceptance: acceptance(w.Task)}
}

// acceptance are the texts of the boxes.
func acceptance(t plan.Task) []string {
	var out []string
	for _, b := range t.Checkboxes {
		if s := strings.TrimSpace(b.Text); s != "" && !b.Sample && b.State != plan.BoxSkipped {
			out = append(out, s)
		}
	}
	return out
}

// command is the plan's validation as one command line. Commands of several lines have no place in it.
func command(p *plan.Plan) (line string, warnings []string) {
	var parts []string
	for _, c := range p.ValidationCommands {
		if strings.Contains(strings.TrimSpace(c.Text), "\n") {
			warnings = append(warnings, fmt.Sprintf("line %d: a validation command of several lines is not in the projection; the plan's gate runs it all the same", c.Line))
			continue
		}
		parts = append(parts, strings.TrimSpace(c.Text))
	}
	return strings.Join(parts, " && "), warnings
}
