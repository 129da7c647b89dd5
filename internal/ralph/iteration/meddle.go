package iteration

import (
	"fmt"
	"slices"

	"ralphex/internal/ralph/task"
)

// Meddling is a change of the task graph that was made while a session ran, and that no program which answers for it has written.
type Meddling struct {
	TaskID   string
	Text     string // a sentence
	Stops    bool   // what is left would be counted wrongly, or the task be proven otherwise: a person looks before anything goes on
	Unproven bool   // the task stands as done
}

// Meddled holds the graph behind a session against the one right before it. own is the session's task: that it is done, and its validation, is what Doubt looks
// at. answered tells whether somebody answers for a change of a task: a verb that a person typed, or another run with its own claim. It is asked about tasks that
// did change only.
func Meddled(was, now []task.Task, own string, answered func(id string) bool) []Meddling {
	after := task.NewGraph(now)
	before := task.NewGraph(was)
	var all []Meddling
	for i := range was {
		is, there := after.Task(was[i].ID)
		if found := meddledWith(&was[i], &is, there, was[i].ID == own); len(found) > 0 && !answered(was[i].ID) {
			all = append(all, found...)
		}
	}
	for i := range now {
		id := now[i].ID
		if _, there := before.Task(id); there || answered(id) {
			continue
		}
		m := Meddling{TaskID: id, Text: task.Plain(id) + " was added to the task graph during the session."}
		if now[i].Status == task.Done {
			m.Text, m.Stops, m.Unproven = madeDone(id), true, true
		}
		all = append(all, m)
	}
	return all
}

func madeDone(id string) string {
	return fmt.Sprintf("%s was made done during the session, and not by this run, another one or a verb: nobody has proven it. `ralphex task set %s status in_progress` opens it again.", task.Plain(id), task.Plain(id))
}

// meddledWith says what became of one task.
func meddledWith(was, is *task.Task, there, own bool) (all []Meddling) {
	id := task.Plain(was.ID)
	say := func(stops bool, format string, args ...any) {
		all = append(all, Meddling{TaskID: was.ID, Stops: stops, Text: fmt.Sprintf(format, args...)})
	}
	if !there {
		say(was.Status != task.Done, "%s was taken out of the task graph during the session; it was %s.", id, was.Status)
		return all
	}
	switch {
	case own || was.Status == is.Status:
	case is.Status == task.Done:
		all = append(all, Meddling{was.ID, madeDone(was.ID), true, true})
	case was.Status == task.Done:
		say(false, "%s was done, and was made %s during the session.", id, is.Status)
	case is.Status == task.Blocked:
		say(false, "%s was made blocked during the session, and not by its own: %q. `ralphex task set %s status todo` opens it again.", id, is.Blocker, id)
	default:
		say(false, "%s was %s, and was made %s during the session; nobody has claimed it.", id, was.Status, is.Status)
	}
	if !own && was.Validation != is.Validation {
		say(true, "The validation of %s was `%s` before the session, and is `%s` now.", id, task.Plain(was.Validation), task.Plain(is.Validation))
	}
	if was.Mode != is.Mode && (was.Mode == task.Documentation || is.Mode == task.Documentation) {
		say(true, "The mode of %s was changed during the session: a task that only documents needs no proof.", id)
	}
	if slices.ContainsFunc(was.Acceptance, func(a string) bool { return !slices.Contains(is.Acceptance, a) }) {
		say(true, "Acceptance criteria of %s were taken away or changed during the session.", id)
	}
	for _, f := range []struct {
		what  string
		alike bool
	}{{"The parent", was.ParentID == is.ParentID}, {"The order", slices.Equal(was.DependsOn, is.DependsOn)}, {"The constraints", slices.Equal(was.Constraints, is.Constraints)}} {
		if !f.alike {
			say(false, "%s of %s was changed during the session.", f.what, id)
		}
	}
	return all
}
