package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
)

// dryVersion is the version of the JSON of a dry run.
const dryVersion = 1

// dryRun is what a run would do. Nothing is touched to find out.
type dryRun struct {
	Version    int       `json:"version"`
	Mode       string    `json:"mode"`
	Plan       string    `json:"plan,omitempty"` // as a person in the working folder names it
	Title      string    `json:"title,omitempty"`
	Resumes    string    `json:"resumes,omitempty"` // the run that it goes on with
	Place      dryPlace  `json:"place"`
	Tasks      []dryTask `json:"tasks,omitempty"`
	Validate   string    `json:"validate,omitempty"` // gate, report, off
	Validation []string  `json:"validation,omitempty"`
	Steps      []dryStep `json:"phases"`
	Archive    bool      `json:"archive"` // the plan moves to completed/ when all is done
	Limits     []dryWord `json:"limits"`
	Notify     []string  `json:"notify,omitempty"`
	Record     string    `json:"record"`
	Log        string    `json:"progress_log"`
	Notes      []dryNote `json:"notes,omitempty"`
}

// dryPlace is where the run would work.
type dryPlace struct {
	Branch       string `json:"branch,omitempty"`
	CreateBranch bool   `json:"create_branch,omitempty"`
	SwitchBranch bool   `json:"switch_branch,omitempty"`
	Worktree     string `json:"worktree,omitempty"` // absolute; empty = in place
	MakeWorktree bool   `json:"make_worktree,omitempty"`
	CommitPlan   bool   `json:"commit_plan,omitempty"`
	Dirty        int    `json:"dirty,omitempty"` // paths that are the person's
}

type dryTask struct {
	Position int    `json:"position"`
	Title    string `json:"title"`
	Open     int    `json:"open"`
	Person   int    `json:"left_for_person,omitempty"`
	Done     bool   `json:"done,omitempty"`
}

type dryStep struct {
	Stage   event.Stage `json:"phase"`
	Skipped string      `json:"skipped,omitempty"`
	When    string      `json:"when,omitempty"`
	Agent   string      `json:"agent,omitempty"`
	Model   string      `json:"model,omitempty"`
	Prompts []dryPrompt `json:"prompts,omitempty"` // with --prompts
}

type dryPrompt struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type dryWord struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dryNote struct {
	Level event.Level `json:"level"`
	Text  string      `json:"text"`
	Hint  string      `json:"hint,omitempty"`
}

// dryRun prints what run would do.
func (j *job) dryRun(ctx context.Context) error {
	defer j.release()
	d, err := j.foresee(ctx)
	if err != nil {
		return err
	}
	if j.opts.json {
		return printJSON(j.proc.Out, d)
	}
	_, err = j.proc.Out.Write([]byte(d.text()))
	return err
}

// foresee finds out what run would do.
func (j *job) foresee(ctx context.Context) (*dryRun, error) {
	if j.plan == nil { // the branch has it, whose worktree is not there
		p, err := plan.ParsePlanFile(j.planAt)
		if err != nil {
			p = &plan.Plan{}
		}
		j.plan = p
	}
	d := &dryRun{Version: dryVersion, Mode: j.modeName(), Title: j.plan.Title, Record: j.cfg.Record, Archive: worksTasks(j.mode()) && j.cfg.MovePlan,
		Notify: slices.Clone(j.cfg.NotifyChannels)}
	if n := len(j.cfg.NotifyURLs); n > 0 {
		d.Notify = append(d.Notify, fmt.Sprintf("%d of notify_urls", n))
	}
	if j.hasPlan() {
		d.Plan = relative(j.proc.Dir, j.planAt)
	}
	if j.earlier != nil {
		d.Resumes = string(j.earlier.Run)
	}
	if err := j.foreseePlace(ctx, d); err != nil {
		return nil, err
	}
	first := j.foreseeTasks(d)
	if err := j.foreseeSteps(d, first); err != nil {
		return nil, err
	}
	d.Limits = j.limits()
	for _, n := range j.notes {
		d.Notes = append(d.Notes, dryNote{n.Level, n.Text, n.Hint})
	}
	for _, w := range j.ready.Warnings {
		d.Notes = append(d.Notes, dryNote{Level: event.Warn, Text: w})
	}
	for _, p := range j.plan.Warnings() {
		d.Notes = append(d.Notes, dryNote{Level: event.Warn, Text: d.Plan + ":" + p.String()})
	}
	return d, nil
}

// foreseePlace says where the run would work.
func (j *job) foreseePlace(ctx context.Context, d *dryRun) error {
	if t := j.tree; t != nil && t.chosen != nil {
		d.Place = dryPlace{Branch: string(t.chosen.Branch), CreateBranch: t.chosen.Create, Worktree: t.chosen.Dir, MakeWorktree: t.chosen.Add, CommitPlan: t.chosen.BringPlan}
		for _, w := range t.chosen.Warnings {
			d.Notes = append(d.Notes, dryNote{Level: event.Warn, Text: w})
		}
	}
	if j.ready == nil { // of a worktree that is not there
		ready, err := j.readyElsewhere(ctx)
		if err != nil {
			return err
		}
		j.ready = ready
		return nil
	}
	if d.Place.Worktree == "" {
		d.Place = dryPlace{Branch: string(j.ready.Branch), CreateBranch: j.ready.Create, SwitchBranch: j.ready.Switch, CommitPlan: j.ready.PlanCommit, Dirty: len(j.ready.Dirty)}
	}
	return nil
}

// foreseeTasks lists the tasks and returns the first that would be worked on.
func (j *job) foreseeTasks(d *dryRun) (first *phase.TaskPrompt) {
	if !worksTasks(j.mode()) {
		return nil
	}
	d.Validate = j.cfg.Validate
	for _, c := range j.plan.ValidationCommands {
		d.Validation = append(d.Validation, c.Text)
	}
	proven := phase.DoneKeys(j.plan)
	for _, t := range j.plan.Tasks {
		row := dryTask{Position: t.Position, Title: t.Title, Open: len(t.OpenForAgent()), Person: len(t.LeftForPerson()), Done: slices.Contains(proven, phase.Key(t))}
		d.Tasks = append(d.Tasks, row)
		if first == nil && row.Open > 0 {
			first = &phase.TaskPrompt{Position: t.Position, Task: t, Attempt: 1}
		}
	}
	return first
}

// foreseeSteps asks the processor, wired as for a run whose facts nobody hears.
func (j *job) foreseeSteps(d *dryRun, first *phase.TaskPrompt) error {
	r := j.newRunning(0)
	r.start.Commands = commandsOf(j.plan)
	d.Log = relative(j.proc.Dir, r.progress)
	r.bus.Attach("notes", event.SinkFunc(func(e event.Event) error {
		if n, ok := e.Data.(event.Note); ok {
			d.Notes = append(d.Notes, dryNote{n.Level, n.Text, n.Hint})
		}
		return nil
	}))
	runner, err := r.runner()
	if err != nil {
		return err
	}
	steps, err := runner.Steps(first)
	if err != nil {
		return err
	}
	for _, s := range steps {
		step := dryStep{Stage: s.Stage, Skipped: s.Skipped, When: s.When}
		if s.Skipped == "" {
			step.Agent, step.Model = s.Agent, j.modelOf(s)
		}
		for _, p := range s.Prompts {
			if j.opts.prompts {
				step.Prompts = append(step.Prompts, dryPrompt{p.Name, p.Text})
			}
		}
		d.Steps = append(d.Steps, step)
	}
	return nil
}

// modelOf is the model of a stage's agent; empty = its own choice.
func (j *job) modelOf(s processor.Step) string {
	switch s.Stage {
	case event.StageTasks:
		return j.agent.model.String()
	case event.StageExternal:
		return ""
	}
	return j.reviewers.staff.model.String()
}

// limits are those that hold, in words.
func (j *job) limits() []dryWord {
	words := []dryWord{
		{"session_timeout", orOff(j.cfg.SessionTimeout)}, {"idle_timeout", orOff(j.cfg.IdleTimeout)}, {"wait_on_limit", orOff(j.cfg.WaitOnLimit)},
		{"task_retry_count", fmt.Sprint(j.cfg.TaskRetryCount)},
	}
	if j.cfg.IsSet("max_iterations") {
		words = append(words, dryWord{"max_iterations", fmt.Sprint(j.cfg.MaxIterations)})
	}
	for _, name := range []string{"max_cost", "max_tokens", "max_time", "max_sessions", "max_task_cost", "max_task_tokens", "max_task_time", "max_task_sessions"} {
		if j.cfg.IsSet(name) {
			words = append(words, dryWord{name, j.cfg.Value(name)})
		}
	}
	if len(j.agent.standIns) > 0 {
		var names []string
		for _, ex := range j.agent.standIns {
			names = append(names, ex.Name())
		}
		words = append(words, dryWord{"fallback_executors", strings.Join(names, ", ")})
	}
	return words
}

func orOff(d time.Duration) string {
	if d == 0 {
		return "off"
	}
	return event.Elapsed(d)
}
