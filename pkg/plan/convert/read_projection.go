package convert

import (
	"regexp"
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// A plan that was imported into .ralph/tasks.json is a root whose notes name the plan, and a child for each of its tasks, whose acceptance
// is what its boxes say. If that is all there is, it is read as the plan that it was: children are tasks, and their boxes are boxes.

const (
	projectionMark = "Plan: "
	projectionText = "This task and those below it are a projection of the plan"
)

var (
	projectedNotes = regexp.MustCompile(`^Task \S+ of \S[^\n]*$`)
	leftForPerson  = regexp.MustCompile(`^\d+ box(?:es)? of it (?:is|are) left for a person\.$`)
)

// isProjection tells whether a task is the root of an imported plan.
func (r *ralph) isProjection(root *value) bool {
	return strings.HasPrefix(root.get("notes").str(), projectionMark) && len(r.children[root.get("id").str()]) > 0
}

func (r *ralph) said(text string) { r.s.Counted = append(r.s.Counted, words(text)...) }

// projection reads the plan below a root.
func (r *ralph) projection(root *value) {
	id := root.get("id").str()
	r.s.Title = oneLine(root.get("title").str())
	r.total-- // the root is none of the tasks that could name a validation
	r.said(id)
	r.said(root.get("status").str())
	for _, d := range root.get("dependsOn").strs() {
		r.said(d)
	}
	for i, p := range strings.Split(root.get("notes").str(), "\n\n") {
		if i == 0 || strings.HasPrefix(p, projectionText) {
			r.said(p)
			continue
		}
		r.s.add(Overview, r.path, root.get("notes").line, p)
	}
	before := ""
	for _, child := range r.children[id] {
		r.projected(id, before, child)
		before = child.get("id").str()
	}
}

// projected reads a child as the task that it was. before is the id of the one before it.
func (r *ralph) projected(root, before string, v *value) {
	id := v.get("id").str()
	short := func(id string) string { return strings.TrimPrefix(id, root+".") }
	r.said(id)
	t := Task{ID: short(id), Title: oneLine(v.get("title").str()), Origin: Origin{r.path, v.line, -1, id}}
	for _, d := range v.get("dependsOn").strs() {
		r.said(d)
		if d != before { // what stands before it comes before it
			t.Depends = append(t.Depends, short(d))
		}
	}
	left := []string{"acceptance"}
	if notes := v.get("notes").str(); projectedNotes.MatchString(notes) {
		r.said(notes)
		left = append(left, "notes")
	}
	people := v.get("status").str() == "blocked" && leftForPerson.MatchString(v.get("blocker").str())
	state := plan.BoxChecked
	if people {
		r.said("blocked " + v.get("blocker").str())
		left = append(left, "blocker")
	} else {
		state = r.status(v)
	}
	t.Intro = r.fields(v.without(left...))
	for _, text := range v.get("acceptance").strs() {
		it := Item{Text: oneLine(text), State: state, Origin: t.Origin}
		if manual := len(text) >= 8 && strings.EqualFold(text[:8], "(manual)"); manual && (people || state == plan.BoxOpen) {
			it.State = plan.BoxManual
		}
		t.Items = append(t.Items, it)
	}
	r.below(&t, id, 0)
	if len(t.Items) == 0 {
		t.Items = append(t.Items, Item{Text: firstText(t.Title, id), State: state, Origin: t.Origin})
	}
	r.s.Tasks = append(r.s.Tasks, t)
}

// without is an object that lacks some keys.
func (v *value) without(keys ...string) *value {
	out := *v
	out.keys, out.members = nil, nil
	for i, k := range v.keys {
		if !slices.Contains(keys, k) {
			out.keys, out.members = append(out.keys, k), append(out.members, v.members[i])
		}
	}
	return &out
}
