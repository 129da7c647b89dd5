package events

import (
	"path/filepath"
	"strings"

	"ralphex/internal/ralph/stable"
	"ralphex/pkg/event"
	"ralphex/pkg/signals"
)

// Mapper tells the facts of a run in the words of this journal. It remembers what one fact has to know of an earlier one,
// and asks nobody else: the same facts give the same bodies, whether they come from the bus or from a run's own journal.
type Mapper struct {
	root      string
	tasks     map[int]string // the plan's id by position
	taskID    func(position int, id string) string
	sessions  int
	iteration int // of the task's attempt, where the store gave out a number
	started   bool
	provider  string
	left      int // tasks of the plan that are not done
}

// NewMapper returns a Mapper for a run in the workspace at root, which artifacts are named from. taskID gives the id that a task of the plan has in
// tasks.json; with nil it is the plan's own.
func NewMapper(root string, taskID func(position int, id string) string) *Mapper {
	if taskID == nil {
		taskID = func(_ int, id string) string { return id }
	}
	return &Mapper{root: root, tasks: map[int]string{}, taskID: taskID}
}

// Map returns what the fact is in this journal: mostly one body, none for what the journal has no word for (output, ticks, notes, waits).
func (m *Mapper) Map(e event.Event) []Body {
	task := m.id(e.Task)
	switch d := e.Data.(type) {
	case event.RunStart:
		m.left = d.Tasks - len(d.Done)
		if m.started { // told once more, with what was not known at first
			return nil
		}
		m.started = true
		left := m.left
		return []Body{RunStarted{Mode: d.Mode, BacklogRemaining: &left}}
	case event.RunRestart:
		return []Body{RecoveryApplied{Action: "resume_run", Severity: "info"}}
	case event.RunEnd:
		reason := d.Reason
		if reason == "" {
			reason = string(d.Outcome)
		}
		sessions, left := m.sessions, m.left
		return []Body{RunCompleted{StopReason: reason, Iterations: &sessions, BacklogRemaining: &left}}
	case event.TaskStart:
		return m.taskStart(e.Task, d)
	case event.TaskEnd:
		if task == "" {
			task = m.taskID(e.Task, d.ID)
		}
		return m.taskEnd(task, d)
	case event.SessionStart:
		m.sessions, m.provider = max(m.sessions, d.N), d.Executor
		if d.Iteration > 0 {
			m.iteration = d.Iteration
		}
		return []Body{ProviderInvoked{TaskID: task, Provider: d.Executor, Iteration: opt(m.number(d.N))}}
	case event.SessionEnd:
		return m.sessionEnd(task, d)
	case event.Claimed:
		return claimed(task, d)
	case event.GateCommand:
		return m.artifact("gate-output", d.OutputFile, 0)
	case event.GateEnd:
		return []Body{VerifierResult{TaskID: task, Verifier: "validationCommand", Status: verdict(d)}}
	case event.Commit:
		return []Body{SCMAction{TaskID: task, Action: by(d.By, "commit"), Status: "succeeded"}}
	case event.Branch:
		if d.Created {
			return []Body{SCMAction{Action: "create_branch", Status: "succeeded"}}
		}
		return []Body{SCMAction{Action: "use_branch", Status: "succeeded"}}
	case event.Archived:
		return m.artifact("archived-plan", d.To, 0)
	case event.Survivor:
		return []Body{RecoveryApplied{TaskID: task, Action: "survivor_" + d.Action, Severity: "warning"}}
	case event.PhaseEnd:
		return []Body{phaseEnd(d)}
	}
	return nil
}

// id is the task at a position, as tasks.json has it now; "" = none was started there.
func (m *Mapper) id(position int) string {
	if id, ok := m.tasks[position]; ok {
		return m.taskID(position, id)
	}
	return ""
}

func (m *Mapper) taskStart(position int, d event.TaskStart) []Body {
	m.tasks[position] = d.ID
	id := m.id(position)
	m.iteration = d.Iteration
	n := d.Attempt
	if d.Iteration > 0 {
		n = d.Iteration
	}
	all := []Body{TaskSelected{TaskID: id, Title: d.Title, Iteration: opt(n)}}
	if d.Attempt <= 1 {
		all = append(all, TaskStateChanged{TaskID: id, From: "todo", To: "in_progress"})
	}
	return all
}

// taskEnd tells a status only where the run decided one: an interrupted task is still in progress.
func (m *Mapper) taskEnd(task string, d event.TaskEnd) []Body {
	switch d.Outcome {
	case event.Done, event.Unproven, event.LeftHuman:
		m.left = max(m.left-1, 0)
		reason := d.Reason
		if reason == "" && d.Outcome != event.Done {
			reason = string(d.Outcome)
		}
		return []Body{TaskStateChanged{TaskID: task, From: "in_progress", To: "done", Reason: reason}}
	case event.Failed, event.Skipped:
		return []Body{TaskStateChanged{TaskID: task, From: "in_progress", To: "todo", Reason: d.Reason}}
	}
	return nil
}

func (m *Mapper) sessionEnd(task string, d event.SessionEnd) []Body {
	status := "succeeded"
	if d.Failure != "" || d.Cause != "" || d.Exit != "exit 0" {
		status = "failed"
	}
	all := []Body{ProviderCompleted{TaskID: task, Provider: m.provider, Iteration: opt(m.number(d.N)), Status: status}}
	return append(all, m.artifact("transcript", d.Transcript, m.number(d.N))...)
}

// number is the iteration of a session; without the store's number it is the session's own.
func (m *Mapper) number(session int) int {
	if m.iteration > 0 {
		return m.iteration
	}
	return session
}

// claimed keeps signals as what they are: what a session asked for.
func claimed(task string, d event.Claimed) []Body {
	r := CompletionReportParsed{TaskID: task, Parsed: d.Problem == ""}
	yes := true
	switch signals.Kind(d.Signal) {
	case signals.AllTasksDone:
		r.RequestedStatus = "done"
	case signals.TaskFailed:
		r.RequestedStatus = "blocked"
	case signals.KindQuestion:
		r.NeedsHumanReview = &yes
	default:
		return nil
	}
	return []Body{r}
}

// artifact names a file below the workspace; other files are not the workspace's artifacts.
func (m *Mapper) artifact(kind, path string, iteration int) []Body {
	if path == "" {
		return nil
	}
	if filepath.IsAbs(path) {
		rel, err := filepath.Rel(m.root, path)
		if err != nil {
			return nil
		}
		path = rel
	}
	path = filepath.ToSlash(filepath.Clean(path))
	if path == ".." || strings.HasPrefix(path, "../") {
		return nil
	}
	return []Body{ArtifactWritten{ArtifactType: kind, RelativePath: path, Iteration: opt(iteration)}}
}

func verdict(d event.GateEnd) string {
	switch {
	case d.Commands == 0:
		return "skipped"
	case d.Green:
		return "passed"
	}
	return "failed"
}

func phaseEnd(d event.PhaseEnd) Body {
	status := "succeeded"
	switch {
	case d.Skipped != "":
		status = "skipped"
	case d.Err != "":
		status = "failed"
	}
	return WorkflowPhaseCompleted{Phase: string(d.Name), Status: status}
}

// by marks what the agent did itself.
func by(who, action string) string {
	if who == "ralphex" || who == "" {
		return action
	}
	return who + "_" + action
}

// opt is a number that is left out where it is 0.
func opt(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// Sink writes the facts of a bus to a journal. A failure is the bus's to tell: it stops no run. In a process that goes on
// with a run, the Mapper has to be given the earlier facts first (Map, without writing), so that it knows what was left.
func Sink(m *Mapper, w *Writer) event.Sink {
	return event.SinkFunc(func(e event.Event) error { return w.AppendAt(e.Time, m.Map(e)...) })
}

// Project returns what a run's own journal is in this one, from 1 on: the journal as it would have been written.
func Project(m *Mapper, provenanceID string, facts []event.Event) []Event {
	var all []Event
	for _, e := range facts {
		for _, b := range m.Map(e) {
			all = append(all, Event{RunID: provenanceID, Seq: len(all) + 1, Timestamp: stable.Time(e.Time), Body: b})
		}
	}
	return all
}
