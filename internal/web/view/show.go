package view

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/pkg/event"
)

// exitLogin is the exit code of a run that ended because its agent needs a login, credit or an admin.
const exitLogin = 5

// Run returns the row of the list. now is the wall clock.
func (s *State) Run(now time.Time, alive Alive) Run {
	r := Run{ID: s.meta.ID, Run: s.run, Source: s.meta.Source, Project: s.meta.Project, Root: s.meta.Root, Path: s.meta.Path,
		PlanPath: s.start.Plan, Title: s.title(), Branch: s.branch, Worktree: s.start.Worktree, Mode: s.start.Mode, Executor: s.executor,
		Host: s.host, Version: s.start.Version, PID: s.pid, Started: s.started, Last: s.last, Phase: s.phase, Stage: s.stage,
		Tasks: s.tally(), Usage: s.spend.total.Usage, ListUSD: s.spend.total.ListUSD, Sessions: len(s.sessions), Unpriced: s.spend.total.Unpriced,
		Findings: s.found.tally(), Restarts: s.restarts, Seq: s.seq}
	switch {
	case s.plan != "":
		r.PlanPath = s.plan
	case r.PlanPath == "" && s.planFile != nil: // of a run that made it
		r.PlanPath = s.planFile.Path
	}
	r.PlanPath = above(s.meta.Root, r.PlanPath)
	r.Plan = below(s.meta.Root, r.PlanPath)
	if s.open {
		one := lastOf(s.sessions)
		sum := s.spend.total
		sum.add(0, one.Usage, one.cost.list, one.cost.known)
		r.Usage, r.ListUSD, r.Unpriced = sum.Usage, sum.ListUSD, sum.Unpriced
	}
	if s.gap && s.end != nil {
		r.Usage, r.ListUSD, r.Unpriced = s.end.Usage, s.end.ListUSD, s.end.Unpriced
		if s.end.Outcome == event.Done || s.end.Outcome == event.Unproven {
			r.Tasks = Tally{Total: r.Tasks.Total, Done: r.Tasks.Total}
		}
	}
	r.CostUSD = r.Usage.CostUSD
	if s.current >= 0 {
		r.Task, r.TaskTitle = s.tasks[s.current].Pos, s.tasks[s.current].Title
	}
	if c := lastOf(s.section); c != nil {
		r.Section = c.Label
	}
	s.stands(&r, now, alive)
	r.Can = s.can(r.State, alive)
	return r
}

// stands says in which state the run is, and why.
func (s *State) stands(r *Run, now time.Time, alive Alive) {
	if s.end != nil {
		s.ending(r)
		return
	}
	if alive == Dead {
		at := s.last
		r.State, r.Ended = Killed, &at
		r.Why = "its process is gone, and wrote no end: the same command goes on"
		return
	}
	switch {
	case s.paused:
		r.State, r.Why = Paused, "paused by "+s.pausedBy
	case s.wait != nil && now.Before(s.wait.Until.Add(StalledAfter)):
		w := *s.wait
		r.State, r.Why, r.Waiting = Waits, w.Text, &w
	case s.question != nil:
		r.State, r.Why, r.Waiting = Waits, "a question", s.input()
	case s.draft != nil:
		r.State, r.Why, r.Waiting = Waits, "a draft of the plan", s.input()
	case s.seq > 0 && now.Sub(s.last) >= StalledAfter:
		r.State, r.Why = Stalled, "it has told nothing for a long time"
	default:
		r.State = Active
	}
}

// input is what a person is asked for; nil = nothing.
func (s *State) input() *Waiting {
	switch {
	case s.question != nil:
		return &Waiting{For: ForInput, Since: s.question.Time, Text: s.question.Question}
	case s.draft != nil:
		return &Waiting{For: ForInput, Since: s.draft.Time, Text: "a draft of the plan"}
	}
	return nil
}

// ending says how the run ended, by its own last words.
func (s *State) ending(r *Run) {
	at, exit := s.ended, s.end.Exit
	r.Ended, r.Exit, r.Outcome, r.Why = &at, &exit, s.end.Outcome, s.end.Reason
	switch s.end.Outcome {
	case event.Failed:
		r.State = Failed
	case event.Interrupted:
		r.State = Aborted
	default:
		r.State = Completed
	}
	switch {
	case exit == exitLogin:
		r.Waiting = &Waiting{For: ForLogin, Since: at, Text: s.end.Reason}
	case s.end.Outcome == event.Interrupted:
		r.Waiting = s.input()
	}
	if s.end.Files > 0 {
		r.Diff = &DiffStat{Files: s.end.Files, Additions: s.end.Additions, Deletions: s.end.Deletions}
	}
}

// deaf are the modes of runs that hear no orders: the turns at a .ralph workspace.
var deaf = map[string]bool{"iterate": true, "loop": true}

// exitLimit is the exit code of a run that used up what it may, or that a usage limit ended.
const exitLimit = 4

// can lists the verbs that make sense now. Only a run whose process is known to live hears them; to the budget of one that used it up something may be
// added, for when it goes on.
func (s *State) can(state RunState, alive Alive) []string {
	verbs := []string{}
	if s.meta.Source != Journal || alive == Unknown || deaf[s.start.Mode] {
		return verbs
	}
	limited := s.budget != nil && s.budget.Run != (event.Limits{})
	if state.Over() || alive != Running {
		if limited && s.end != nil && s.end.Exit == exitLimit {
			verbs = append(verbs, "budget")
		}
		return verbs
	}
	add := func(verb string, sensible bool) {
		if sensible {
			verbs = append(verbs, verb)
		}
	}
	add("resume", state == Paused)
	add("pause", state != Paused)
	add("stop", true)
	add("skip", s.heard && len(s.sessions) > 0 && s.stage != event.StagePlan)
	add("retry-now", s.wait != nil && s.wait.For == ForLimit)
	add("budget", limited)
	add("note", true)
	add("answer", s.question != nil)
	add("draft", s.draft != nil)
	return verbs
}

// title is what a person calls the run.
func (s *State) title() string {
	request, _, _ := strings.Cut(strings.TrimSpace(s.start.Request), "\n")
	switch {
	case s.start.Plan != "":
		return strings.TrimSuffix(filepath.Base(s.start.Plan), ".md")
	case request != "":
		return request
	case s.branch != "" && s.start.Mode == "codex-only":
		return "external review of " + s.branch
	case s.branch != "" && deaf[s.start.Mode]:
		return s.start.Mode + " on " + s.branch
	case s.branch != "" && s.start.Mode != "":
		return s.start.Mode + " of " + s.branch
	case s.start.Mode != "":
		return s.start.Mode
	case s.run != "":
		return string(s.run)
	}
	return s.meta.ID
}

// below is a path within a folder, as people write it; others stay as they are.
func below(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if path == "" || root == "" || err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

// above is a path within a folder as an absolute one. One that leads out of it, and does not say where from, is none.
func above(root, path string) string {
	local := filepath.FromSlash(path)
	switch {
	case path == "" || root == "" || filepath.IsAbs(local) || strings.HasPrefix(path, "/"):
		return path
	case filepath.IsLocal(local):
		return filepath.Join(root, local)
	}
	return ""
}

// Detail returns all of the run. What a killed process left open ends when it was last heard.
func (s *State) Detail(now time.Time, alive Alive) Detail {
	run := s.Run(now, alive)
	c := s.clone()
	inFlight := c.open
	if inFlight {
		c.spend.add(lastOf(c.sessions))
	}
	if run.State == Killed {
		c.open = false
		if inFlight {
			one := lastOf(c.sessions)
			one.Ended, one.Killed = run.Ended, true
		}
		c.closeOpen(c.last, true)
	}
	c.sumTasks()
	slices.SortStableFunc(c.tasks, func(a, b Task) int {
		if a.Pos != b.Pos {
			return a.Pos - b.Pos
		}
		return int(a.Seq - b.Seq)
	})
	if n := len(c.notes); n > MaxNotes {
		c.notes = c.notes[n-MaxNotes:]
	}
	return Detail{Run: run, Request: s.start.Request, StartHead: s.start.StartHead, Provenance: s.start.Provenance, Budget: s.budget,
		Commands: list(s.start.Commands), Dirty: few(s.start.Dirty), Done: list(s.start.Done),
		Stages: list(c.stages), TaskList: list(c.tasks), SessionList: list(c.sessions), Rounds: list(c.rounds), Gates: list(c.gates),
		Commits: list(c.commits), Waits: list(c.waits), Pauses: list(c.pauses), Processes: list(c.processes), Spend: list(c.spend.points),
		FindingList: list(c.found.list), Question: s.question, Draft: s.draft, PlanFile: s.planFile, Talk: list(c.talk), Notes: list(c.notes),
		Orders: list(c.orders), Sections: list(c.section), Survivors: list(c.survivors), Copies: list(c.copies), Switches: list(c.switches),
		SetAside: list(c.aside), Models: list(c.spend.models), Phases: list(c.spend.phases)}
}

// sumTasks gives each task what its sessions used up.
func (s *State) sumTasks() {
	of := map[int]int{} // session number → index of a task
	for i := range s.tasks {
		for _, a := range s.tasks[i].Attempts {
			for _, n := range a.Sessions {
				of[n] = i
			}
		}
	}
	sums := make([]CostRow, len(s.tasks))
	for i := range s.sessions {
		one := &s.sessions[i]
		at, known := of[one.N]
		if !known || one.Task == 0 {
			at = s.taskAt(one.Task)
		}
		if one.Task > 0 && at >= 0 {
			sums[at].add(one.Elapsed, one.Usage, one.cost.list, one.cost.known)
		}
	}
	for i, sum := range sums {
		t := &s.tasks[i]
		t.Usage, t.CostUSD, t.ListUSD, t.Sessions, t.Unpriced = sum.Usage, sum.Usage.CostUSD, sum.ListUSD, sum.Sessions, sum.Unpriced
	}
}

// list is never nil, so that the JSON of no elements is [].
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
