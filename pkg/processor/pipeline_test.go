package processor_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/signals"
	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

const grouped = `# Plan

## First part

### Task 1: one
- [ ] a

### Task 2: two
- [ ] b

## Second part

### Task 3: three
- [ ] c
`

var _ executor.Describer = (*worker)(nil)

// worker is an agent that does what its prompt asks for, in a real repository.
type worker struct {
	name    string
	repo    *vcstest.Repo
	prompts *[]string
	does    func(w *worker, req executor.Request) string
}

func (w *worker) Name() string                { return w.name }
func (w *worker) Check(context.Context) error { return nil }
func (w *worker) Caps() executor.Caps         { return executor.Caps{Resume: true} }
func (w *worker) Spawn(r executor.Reviewer) string {
	return r.ReviewYourself()
}
func (w *worker) EnvRules() executor.EnvRules { return executor.EnvRules{} }
func (w *worker) Run(_ context.Context, req executor.Request) (executor.Result, error) {
	first, _, _ := strings.Cut(req.Prompt, "\n")
	name := w.name
	if req.Resume != "" {
		name += "(going-on)" // with a session of before
	}
	*w.prompts = append(*w.prompts, name+" "+first)
	text := w.does(w, req)
	s := signals.NewScanner()
	s.Write(text)
	s.Finish()
	return executor.Result{Text: text, Signals: s.Signals(), SessionID: "s-" + w.name}, nil
}

// dirtyGate is a gate whose command leaves a file behind, as a coverage report does.
type dirtyGate struct{ repo *vcstest.Repo }

func (dirtyGate) Commands() int { return 1 }
func (g dirtyGate) Check(context.Context, int) (phase.Verdict, error) {
	g.repo.Write("coverage.out", "100%\n")
	return phase.Verdict{Green: true}, nil
}

// pipeline runs a whole plan over a real repository.
type pipeline struct {
	repo    *vcstest.Repo
	cfg     processor.Config
	prompts []string
	rec     *recorder
	agents  processor.Executors
}

func newPipeline(t *testing.T, mode processor.Mode) *pipeline {
	t.Helper()
	r := vcstest.NewRepo(t)
	r.Write("docs/plan.md", grouped)
	r.Write("a.go", "package a\n")
	r.Commit("start")
	template := func(name string) processor.Template {
		return func(_ string, vars map[string]string) string { return name + " " + vars["VCS_DIFF"] }
	}
	p := &pipeline{repo: r, rec: &recorder{}}
	path := r.Path("docs/plan.md")
	parsed, err := plan.ParsePlanFile(path)
	require.NoError(t, err)
	p.cfg = processor.Config{Mode: mode, Root: r.Dir, PlanPath: path, Plan: parsed, TaskPrompt: template("task"), Vars: vcs.GitVerbs("git").With("base", "main").Vars(),
		Prompts: processor.Prompts{ReviewFirst: template("first"), ReviewSecond: template("second"), External: template("external"),
			Evaluation: template("evaluation"), Finalize: template("finalize")},
		Site: phase.SiteOptions{Root: r.Dir, Verbs: vcs.GitVerbs("git")}}
	p.agents.Task = &worker{name: "author", repo: r, prompts: &p.prompts, does: func(w *worker, req executor.Request) string {
		now, err := plan.ParsePlanFile(path)
		require.NoError(t, err)
		require.NoError(t, now.SetBoxes(req.Position, []int{1}, true))
		w.repo.Write(fmt.Sprintf("work%d.go", req.Position), "package a\n")
		return "done"
	}}
	p.agents.Review = &worker{name: "reviewer", repo: r, prompts: &p.prompts, does: func(w *worker, req executor.Request) string {
		if strings.HasPrefix(req.Prompt, "evaluation") {
			w.repo.Write("a.go", "package b\n")
			return "a.go:1 - wrong name => fixed"
		}
		return "NO ISSUES FOUND\n<<<RALPHEX:REVIEW_DONE>>>"
	}}
	found := false
	p.agents.External = &worker{name: "codex", repo: r, prompts: &p.prompts, does: func(*worker, executor.Request) string {
		if found {
			return "NO ISSUES FOUND"
		}
		found = true
		return "a.go:1 - wrong name"
	}}
	return p
}

func (p *pipeline) run(t *testing.T) phase.Report {
	t.Helper()
	tree := p.repo.Open(t)
	report, err := processor.NewWithExecutors(p.cfg, processor.Parts{Log: p.rec, Tree: tree, Committer: tree, Gate: dirtyGate{p.repo}, Deletions: vcs.Deletions(tree)}, p.agents).Run(t.Context())
	require.NoError(t, err)
	return report
}

// words are the first words of the prompts, in their order.
func (p *pipeline) words() (all []string) {
	for _, prompt := range p.prompts {
		f := strings.Fields(prompt)
		all = append(all, f[0]+" "+f[1])
	}
	return all
}

func (p *pipeline) log() []string {
	return strings.Split(p.repo.Git("log", "--reverse", "--format=%s"), "\n")[1:]
}

// Each step is a session of its own, also where the agent could go on with an earlier one: nobody reviews what they remember having written.
func TestWholePipeline(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, processor.ModeFull)
	p.cfg.Finalize = true
	report := p.run(t)
	assert.Equal(t, []string{"author task", "author task", "author task", "reviewer first", "codex external", "reviewer evaluation", "codex external",
		"reviewer second", "reviewer finalize"}, p.words())
	assert.Equal(t, []string{"feat: one", "feat: two", "feat: three", "fix: address codex review findings"}, p.log())
	assert.Equal(t, "?? coverage.out", strings.TrimSpace(p.repo.Status()), "what a validation command made in the task phase is no reviewer's to commit")
	assert.Equal(t, phase.FindingCount{Found: 1, Fixed: 1}, report.Findings)
	assert.Equal(t, 9, report.Sessions)
	assert.Equal(t, 3, report.Done)
	var stages []event.Stage
	for _, d := range p.rec.got {
		if end, ok := d.(event.PhaseEnd); ok && end.Stage != "" {
			stages = append(stages, end.Stage)
			assert.NotEmpty(t, end.Head, "%s", end.Stage)
		}
	}
	assert.Equal(t, event.Stages, stages)
}

// absent is an agent whose command is gone by the time it is needed.
type absent struct{ name string }

func (a absent) Name() string              { return a.name }
func (absent) Check(context.Context) error { return nil }
func (absent) Run(context.Context, executor.Request) (executor.Result, error) {
	return executor.Result{}, fs.ErrNotExist
}

// Reviews have stand-ins of their own: the author's agent, say, which stands in for nobody in its own phase.
func TestPipelineStandsInForTheReviewer(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, processor.ModeFull)
	p.agents.External = nil
	p.agents.Review, p.agents.ReviewFallbacks = absent{"gone"}, []executor.Executor{p.agents.Review}
	p.run(t)
	assert.Equal(t, []string{"author task", "author task", "author task", "reviewer first"}, p.words())
}

func TestPipelineReviewsGroups(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, processor.ModeFull)
	p.cfg.Review = processor.ReviewGroup
	p.agents.External = nil
	p.run(t)
	assert.Equal(t, []string{"author task", "author task", "reviewer first", "author task", "reviewer first"}, p.words())
	assert.Contains(t, p.prompts[2], "git diff main...HEAD")
	second := strings.TrimSpace(p.repo.Git("rev-parse", "HEAD~1"))
	assert.Contains(t, p.prompts[4], "git diff "+second+"...HEAD", "only what came since the last review")
}

// A process that died behind the first group goes on with the review that is due.
func TestPipelineGoesOnWithGroups(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, processor.ModeFull)
	p.cfg.Review = processor.ReviewGroup
	p.agents.External = nil
	for pos := range 2 {
		require.NoError(t, p.cfg.Plan.SetBoxes(pos+1, []int{1}, true))
		p.cfg.Plan, _ = plan.ParsePlanFile(p.cfg.PlanPath)
	}
	p.repo.Commit("feat: one and two")
	p.cfg.Task.Resume = phase.Resume{Active: true, Proven: []string{"1: one", "2: two"}, Unseen: []string{"1: one", "2: two"}}
	p.cfg.Earlier.Rounds = map[event.Stage][]event.ReviewRound{event.StageReview: {{N: 0, Result: event.RoundAgain}}}
	p.run(t)
	assert.Equal(t, []string{"reviewer second", "author task", "reviewer first"}, p.words())
}

func TestPipelineOfTheExternalReviewAlone(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, processor.ModeCodexOnly)
	p.cfg.PlanPath, p.cfg.Plan = "", nil
	report := p.run(t)
	assert.Equal(t, []string{"codex external", "reviewer evaluation", "codex external", "reviewer second"}, p.words())
	assert.Equal(t, []event.Stage{event.StageExternal, event.StageReview2}, report.Reviewed)
}
