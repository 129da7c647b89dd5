package processor_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// recorder keeps the kinds of what was emitted.
type recorder struct{ got []event.Data }

func (r *recorder) Emit(_ int, d event.Data) { r.got = append(r.got, d) }

// scriptedPhase is a task phase that does what a test says.
type scriptedPhase func(context.Context) (phase.Report, error)

func (f scriptedPhase) Run(ctx context.Context) (phase.Report, error) { return f(ctx) }

type noExecutor struct{}

func (noExecutor) Name() string                { return "none" }
func (noExecutor) Check(context.Context) error { return nil }
func (noExecutor) Run(context.Context, executor.Request) (executor.Result, error) {
	return executor.Result{}, errors.New("must not run")
}

func newRunner(cfg processor.Config) (*processor.Runner, *recorder) {
	rec := &recorder{}
	parts := processor.Parts{Log: rec, Tree: still{}}
	return processor.NewWithExecutors(cfg, parts, processor.Executors{Task: noExecutor{}, External: noExecutor{}}), rec
}

// still is a repository in which nothing happens.
type still struct{ phase.Tree }

func (still) Head(context.Context) (vcs.Head, error) {
	return vcs.Head{Rev: "1111111111111111111111111111111111111111", Branch: "feature"}, nil
}

// scriptedReview is a phase behind the tasks that does what a test says.
type scriptedReview func(phase.Look) (phase.ReviewReport, error)

func (f scriptedReview) Run(_ context.Context, what phase.Look) (phase.ReviewReport, error) {
	return f(what)
}

// scripted is a Runner whose phases only say that they ran.
type scripted struct {
	*processor.Runner
	rec  *recorder
	ran  []event.Stage
	came map[event.Stage]phase.ReviewReport
	errs map[event.Stage]error
	look map[event.Stage]phase.Look
	done int // tasks
}

func newScripted(cfg processor.Config) *scripted {
	s := &scripted{came: map[event.Stage]phase.ReviewReport{}, errs: map[event.Stage]error{}, look: map[event.Stage]phase.Look{}}
	s.Runner, s.rec = newRunner(cfg)
	s.InjectTask(scriptedPhase(func(context.Context) (phase.Report, error) {
		s.ran = append(s.ran, event.StageTasks)
		return phase.Report{Done: s.done}, s.errs[event.StageTasks]
	}))
	for _, stage := range event.Stages[1:] {
		s.InjectReview(stage, scriptedReview(func(what phase.Look) (phase.ReviewReport, error) {
			s.ran, s.look[stage] = append(s.ran, stage), what
			return s.came[stage], s.errs[stage]
		}))
	}
	return s
}

func (s *scripted) skipped() (why []string) {
	for _, d := range s.rec.got {
		if end, ok := d.(event.PhaseEnd); ok && end.Skipped != "" {
			why = append(why, end.Skipped)
		}
	}
	return why
}

const (
	tasks, review, external, review2, finalize = event.StageTasks, event.StageReview, event.StageExternal, event.StageReview2, event.StageFinalize
)

func TestRunnerOrdersPhases(t *testing.T) {
	failed := errors.New("it failed")
	changed := map[event.Stage]phase.ReviewReport{external: {Changed: true}}
	tests := []struct {
		name    string
		cfg     processor.Config
		came    map[event.Stage]phase.ReviewReport
		fails   event.Stage
		done    int
		want    []event.Stage
		skipped []string
	}{
		{name: "tasks only", cfg: processor.Config{Mode: processor.ModeTasksOnly, Finalize: true}, want: []event.Stage{tasks}},
		{name: "full", cfg: processor.Config{Mode: processor.ModeFull, Finalize: true}, came: changed, want: event.Stages},
		{name: "an external review that changed nothing needs no second one", cfg: processor.Config{Mode: processor.ModeFull},
			came: map[event.Stage]phase.ReviewReport{external: {Clean: true}}, want: []event.Stage{tasks, review, external},
			skipped: []string{"external review found no issues, skipping post-none review"}},
		{name: "nothing is claimed of one that was interrupted", cfg: processor.Config{Mode: processor.ModeReview},
			came: map[event.Stage]phase.ReviewReport{external: {Interrupted: true, Clean: true}}, want: []event.Stage{review, external},
			skipped: []string{"external review was interrupted, skipping post-none review"}},
		{name: "review", cfg: processor.Config{Mode: processor.ModeReview, Finalize: true, Review: processor.ReviewNone}, came: changed,
			want: []event.Stage{review, external, review2, finalize}},
		{name: "report only", cfg: processor.Config{Mode: processor.ModeReview, Finalize: true, ReportOnly: true}, want: []event.Stage{review}},
		{name: "codex only", cfg: processor.Config{Mode: processor.ModeCodexOnly}, came: changed, want: []event.Stage{external, review2}},
		{name: "no reviews", cfg: processor.Config{Mode: processor.ModeFull, Finalize: true, Review: processor.ReviewNone}, came: changed,
			want: []event.Stage{tasks, finalize}, skipped: []string{"review = none"}},
		{name: "nobody who can review", cfg: processor.Config{Mode: processor.ModeFull, Unreviewed: "runbook can't review"},
			want: []event.Stage{tasks}, skipped: []string{"runbook can't review"}},
		{name: "a failed phase is followed by nothing", cfg: processor.Config{Mode: processor.ModeFull}, fails: tasks, want: []event.Stage{tasks}},
		{name: "so is a failed review", cfg: processor.Config{Mode: processor.ModeFull}, fails: review, want: []event.Stage{tasks, review}},
		{name: "from", cfg: processor.Config{Mode: processor.ModeFull, From: review2, Finalize: true, Earlier: processor.Earlier{Ended: map[event.Stage]event.PhaseEnd{external: {Changed: true}}}},
			want: []event.Stage{review2, finalize}, skipped: []string{"--from review2", "--from review2", "--from review2"}},
		{name: "what an earlier process finished is not repeated", cfg: processor.Config{Mode: processor.ModeFull, Earlier: processor.Earlier{
			Ended: map[event.Stage]event.PhaseEnd{tasks: {}, review: {}, external: {Changed: true}}}}, want: []event.Stage{tasks, review2}},
		{name: "unless tasks were done since", cfg: processor.Config{Mode: processor.ModeFull, Earlier: processor.Earlier{
			Ended: map[event.Stage]event.PhaseEnd{review: {}, external: {}}}}, done: 1, came: changed, want: []event.Stage{tasks, review, external, review2}},
		{name: "or it is asked for", cfg: processor.Config{Mode: processor.ModeReview, From: external, Earlier: processor.Earlier{
			Ended: map[event.Stage]event.PhaseEnd{review: {}, external: {}, review2: {}}}}, came: changed, want: []event.Stage{external, review2},
			skipped: []string{"--from external"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(tt.cfg)
			s.done = tt.done
			if tt.came != nil {
				s.came = tt.came
			}
			if tt.fails != "" {
				s.errs[tt.fails] = failed
			}
			_, err := s.Run(t.Context())
			if tt.fails != "" {
				require.ErrorIs(t, err, failed)
			} else {
				require.NoError(t, err)
			}
			assert.Equal(t, tt.want, s.ran)
			assert.Equal(t, tt.skipped, s.skipped())
		})
	}
}

func TestRunnerGoesOnWithTheRoundsOfAnEarlierProcess(t *testing.T) {
	rounds := map[event.Stage][]event.ReviewRound{review: {{N: 0, Result: event.RoundAgain}}}
	s := newScripted(processor.Config{Mode: processor.ModeReview, Earlier: processor.Earlier{Rounds: rounds}})
	_, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Len(t, s.look[review].Earlier, 1)
	assert.Empty(t, s.look[external].Earlier)
}

func TestRunnerSumsUp(t *testing.T) {
	s := newScripted(processor.Config{Mode: processor.ModeReview, Finalize: true})
	s.came = map[event.Stage]phase.ReviewReport{review: {Sessions: 2, Interrupted: true}, finalize: {Sessions: 1, Look: []string{"validation is red"}}}
	report, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 3, report.Sessions)
	assert.Equal(t, []event.Stage{review}, report.Interrupted)
	assert.Equal(t, []string{"validation is red"}, report.Look)
}

func TestRunnerReviewsTasksByTheSchedule(t *testing.T) {
	p := &plan.Plan{Headings: []plan.Heading{{Level: 2, Line: 1}, {Level: 3, Line: 2}, {Level: 3, Line: 5}, {Level: 2, Line: 8}, {Level: 3, Line: 9}},
		Tasks: []plan.Task{{Line: 2}, {Line: 5}, {Line: 9}}}
	tests := []struct {
		schedule processor.Schedule
		want     []bool // behind task 1, 2, 3
	}{
		{processor.ReviewEnd, []bool{false, false, false}},
		{processor.ReviewTask, []bool{true, true, true}},
		{processor.ReviewGroup, []bool{false, true, true}},
		{processor.ReviewNone, []bool{false, false, false}},
	}
	for _, tt := range tests {
		t.Run(string(tt.schedule), func(t *testing.T) {
			s := newScripted(processor.Config{Mode: processor.ModeFull, Review: tt.schedule})
			for i, want := range tt.want {
				looked, err := s.Tasks(t.Context(), p, []int{i + 1}, (i+2)%4)
				require.NoError(t, err)
				assert.Equal(t, want, looked, "behind task %d", i+1)
			}
			if tt.want[2] {
				assert.NotEmpty(t, s.look[review].Since, "only what came since the last review")
			}
			_, err := s.Run(t.Context())
			require.NoError(t, err)
			if tt.want[2] {
				assert.Contains(t, s.skipped(), fmt.Sprintf("the work is reviewed already, %s by %s", tt.schedule, tt.schedule))
			}
		})
	}
}

// What a plan says of its tasks goes before the settings, as it stood when the run began.
func TestRunnerReviewsTasksAsThePlanSays(t *testing.T) {
	tests := []struct {
		name     string
		schedule processor.Schedule
		marks    []plan.ReviewWhen
		want     []bool // behind task 1, 2, 3
		first    string // why the first review is left out; empty = it isn't
		since    bool   // it looks only at what came since
	}{
		{"one by itself", processor.ReviewEnd, []plan.ReviewWhen{"", plan.ReviewTask, ""}, []bool{false, true, false}, "", true},
		{"the last one", processor.ReviewEnd, []plan.ReviewWhen{"", "", plan.ReviewTask}, []bool{false, false, true}, "the work is reviewed already, as the plan says", false},
		{"one is left out", processor.ReviewTask, []plan.ReviewWhen{"", plan.ReviewNone, ""}, []bool{true, true, true}, "the work is reviewed already, as the plan says", false},
		{"only one", processor.ReviewNone, []plan.ReviewWhen{"", plan.ReviewTask, ""}, []bool{true, true, true}, "the work is reviewed already, as the plan says", false},
		{"one at the end", processor.ReviewTask, []plan.ReviewWhen{"", "", plan.ReviewEnd}, []bool{true, true, false}, "", true},
		{"none of them", processor.ReviewEnd, []plan.ReviewWhen{plan.ReviewNone, plan.ReviewNone, plan.ReviewNone}, []bool{true, true, true}, "no task of the plan is to be reviewed, as it says", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			begun, now := &plan.Plan{}, &plan.Plan{}
			for i, when := range tt.marks {
				task := plan.Task{ID: fmt.Sprint(i + 1), Title: "t", Line: i + 1}
				now.Tasks = append(now.Tasks, task) // an agent took the comments out
				task.Review.When = when
				begun.Tasks = append(begun.Tasks, task)
			}
			s := newScripted(processor.Config{Mode: processor.ModeFull, Review: tt.schedule, Reviews: phase.ReviewMarks(begun), Tasks: len(begun.Tasks)})
			for i, want := range tt.want {
				looked, err := s.Tasks(t.Context(), now, []int{i + 1}, (i+2)%4)
				require.NoError(t, err)
				assert.Equal(t, want, looked, "behind task %d", i+1)
			}
			delete(s.look, review)
			_, err := s.Run(t.Context())
			require.NoError(t, err)
			if tt.first != "" {
				assert.Contains(t, s.skipped(), tt.first)
				return
			}
			require.Contains(t, s.look, review)
			assert.Equal(t, tt.since, s.look[review].Since != "")
		})
	}
}

func TestRunnerRefusesWhatItCannotRun(t *testing.T) {
	r, rec := newRunner(processor.Config{Mode: "painting"})
	_, err := r.Run(t.Context())
	require.ErrorIs(t, err, errors.ErrUnsupported)
	assert.Empty(t, rec.got)

	bare := processor.NewWithExecutors(processor.Config{Mode: processor.ModeCodexOnly}, processor.Parts{Log: rec, Tree: still{}}, processor.Executors{Task: noExecutor{}})
	_, err = bare.Run(t.Context())
	require.ErrorIs(t, err, errors.ErrUnsupported, "a mode without its tool did nothing and would look well")
}

// A run that makes a plan has that phase only.
func TestModePlan(t *testing.T) {
	r, rec := newRunner(processor.Config{Mode: processor.ModePlan})
	r.InjectCreation(scriptedPhase(func(context.Context) (phase.Report, error) {
		return phase.Report{Created: "docs/plans/a.md", Sessions: 3}, nil
	}))
	report, err := r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "docs/plans/a.md", report.Created)
	assert.Equal(t, 3, report.Sessions)
	require.Len(t, rec.got, 2)
	assert.Equal(t, event.PhaseStart{Name: event.PhasePlan, Stage: event.StagePlan}, rec.got[0])
}

// The seed: setters affect runners that are already built, in any order, and none set is no nil.
func TestSettersReachBuiltPhases(t *testing.T) {
	r, _ := newRunner(processor.Config{Mode: processor.ModeTasksOnly})
	deps := r.Deps()
	_, err := deps.Input().AskQuestion(t.Context(), event.Asked{Question: "q"})
	require.ErrorIs(t, err, phase.ErrNoPerson)
	hash, err := deps.Git().HeadHash(t.Context())
	require.NoError(t, err)
	assert.Empty(t, hash)
	assert.False(t, deps.Pause(t.Context()))
	deps.DrainBreak()

	brk := make(chan struct{}, 1)
	brk <- struct{}{}
	r.SetPauseHandler(func(context.Context) bool { return true })
	r.SetBreakCh(brk)
	r.SetInputCollector(answers("yes"))
	r.SetGitChecker(fixedGit("abc"))
	assert.True(t, deps.Pause(t.Context()))
	answer, err := deps.Input().AskQuestion(t.Context(), event.Asked{Question: "q"})
	require.NoError(t, err)
	assert.Equal(t, "yes", answer)
	hash, err = deps.Git().HeadHash(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "abc", hash)
	deps.DrainBreak()
	assert.Empty(t, brk)

	r.SetInputCollector(nil)
	r.SetGitChecker(nil)
	r.SetPauseHandler(nil)
	r.SetBreakCh(nil)
	_, err = deps.Input().AskQuestion(t.Context(), event.Asked{Question: "q"})
	require.ErrorIs(t, err, phase.ErrNoPerson)
	assert.False(t, deps.Pause(t.Context()))
	select {
	case <-deps.Break():
		t.Fatal("a nil channel delivered")
	default:
	}
}

type answers string

func (a answers) AskQuestion(context.Context, event.Asked) (string, error) { return string(a), nil }

func (a answers) AskDraftReview(context.Context, event.Draft, string) (event.DraftReview, error) {
	return event.DraftReview{Action: event.DraftAction(a)}, nil
}

type fixedGit string

func (g fixedGit) HeadHash(context.Context) (string, error)        { return string(g), nil }
func (g fixedGit) DiffFingerprint(context.Context) (string, error) { return string(g), nil }
