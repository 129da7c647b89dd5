package iteration

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// settled is a project that a task can be added to.
var settled = Ground{Effective: "go test ./...", Sources: 2, Tests: true, Manifests: 1}

func small() *task.Task {
	return &task.Task{ID: "T1", Title: "Limit requests per key", Validation: "go test ./limit", Acceptance: []string{"a sixth request is refused"}}
}

func TestShape(t *testing.T) {
	for _, row := range []struct {
		name      string
		change    func(*task.Task, *Ground)
		want      []string
		atomicity string
		advice    Advice
	}{
		{"small", func(*task.Task, *Ground) {}, nil, "atomic", Execute},
		{"no acceptance", func(t *task.Task, _ *Ground) { t.Acceptance = nil }, []string{MissingAcceptance}, "unknown", WarnOnly},
		{"no validation of its own", func(t *task.Task, _ *Ground) { t.Validation = "" }, nil, "atomic", Execute},
		{"no validation at all", func(t *task.Task, g *Ground) { t.Validation, g.Effective = "", "" }, []string{MissingValidation}, "unknown", WarnOnly},
		{"a stock phrase", func(t *task.Task, _ *Ground) { t.Title = "Build the app" }, []string{BroadScope}, "epic", Decompose},
		{"everything", func(t *task.Task, _ *Ground) { t.Notes = "Do everything that is left." }, []string{BroadScope}, "epic", Decompose},
		{"four parts of a life", func(t *task.Task, _ *Ground) { t.Notes = "Design it; scaffold it; test it; deploy it." }, []string{BroadScope}, "epic", Decompose},
		{"three are no project", func(t *task.Task, _ *Ground) { t.Notes = "Design it; test it; deploy it." }, nil, "atomic", Execute},
		{"two things", func(t *task.Task, _ *Ground) { t.Title = "Parse and print" }, []string{CompoundTitle}, "compound", WarnOnly},
		{"from through", func(t *task.Task, _ *Ground) { t.Title = "Move from A through B" }, []string{CompoundTitle}, "compound", WarnOnly},
		{"four parts by commas", func(t *task.Task, _ *Ground) { t.Title = "a, b, c, d" }, []string{CompoundTitle}, "compound", WarnOnly},
		{"three parts", func(t *task.Task, _ *Ground) { t.Title = "a, b, c" }, nil, "atomic", Execute},
		{"a word that has and in it", func(t *task.Task, _ *Ground) { t.Title = "Rename the handle" }, nil, "atomic", Execute},
		{"nothing there yet", func(t *task.Task, g *Ground) { t.Title = "Parse and print"; *g = Ground{Effective: "x", Manifests: 1} }, []string{CompoundTitle, GreenfieldRisk}, "epic", Decompose},
		{"nothing there, and small", func(_ *task.Task, g *Ground) { *g = Ground{Effective: "x"} }, nil, "atomic", Execute},
		{"a script that is missing", func(t *task.Task, g *Ground) { t.Validation = "npm run check -- -v"; g.Scripts = []string{"test"} }, []string{MissingScript}, "atomic", BlockOrReview},
		{"npm test", func(t *task.Task, g *Ground) { t.Validation = "npm test"; g.Scripts = []string{} }, []string{MissingScript}, "atomic", BlockOrReview},
		{"a script that is there", func(t *task.Task, g *Ground) { t.Validation = "pnpm run test"; g.Scripts = []string{"test"} }, nil, "atomic", Execute},
		{"no package.json yet", func(t *task.Task, _ *Ground) { t.Validation = "npm run test" }, nil, "atomic", Execute},
	} {
		tk, g := small(), settled
		row.change(tk, &g)
		s := ShapeOf(tk, nil, g)
		var codes []string
		for _, f := range s.Findings {
			codes = append(codes, f.Code)
		}
		assert.Equal(t, row.want, codes, row.name)
		assert.Equal(t, row.atomicity, s.Atomicity, row.name)
		assert.Equal(t, row.advice, s.Advice, row.name)
	}
	tk, g := small(), settled
	tk.Acceptance, tk.Validation, g.Effective = nil, "", ""
	assert.Empty(t, ShapeOf(tk, &TaskPlan{PlanningResponse: task.PlanningResponse{SuggestedAcceptance: []string{"a"}, SuggestedValidation: "go test"}}, g).Findings, "a plan supplies what is missing")
}

func planned(readiness string, change ...func(*TaskPlan)) *TaskPlan {
	p := &TaskPlan{PlanningResponse: task.PlanningResponse{Approach: "a", Readiness: readiness}}
	for _, f := range change {
		f(p)
	}
	return p
}

func kids(n int, parent string) func(*TaskPlan) {
	return func(p *TaskPlan) {
		for range n {
			p.SuggestedChildTasks = append(p.SuggestedChildTasks, task.SuggestedChild{ID: "T1.1", Title: "x", ParentID: parent})
		}
	}
}

// TestA55_GateDecisions has a row for each outcome of the gate.
func TestA55_GateDecisions(t *testing.T) {
	bare := func(tk *task.Task) { tk.Acceptance = nil }
	script := func(tk *task.Task) { tk.Validation = "npm run check" }
	broad := func(tk *task.Task) { tk.Title = "Build the app" }
	none := func(*task.Task) {}
	for _, row := range []struct {
		name, mode string
		change     func(*task.Task)
		plan       *TaskPlan
		want       GateOutcome
		stop       StopReason
	}{
		{"ready", GateAuto, none, planned("ready"), GateProceed, ""},
		{"ready, strict", GateStrict, none, planned("ready"), GateProceed, ""},
		{"auto without acceptance", GateAuto, bare, planned("ready"), GateWarned, ""},
		{"strict without acceptance", GateStrict, bare, planned("ready"), GateBlock, GateBlocked},
		{"strict, the plan supplies it", GateStrict, bare, planned("ready", func(p *TaskPlan) { p.SuggestedAcceptance = []string{"seen"} }), GateProceed, ""},
		{"strict, the plan does not say", GateStrict, none, planned(""), GateBlock, GateBlocked},
		{"strict, too broad", GateStrict, broad, planned("ready"), GateBlock, GateBlocked},
		{"auto, too broad", GateAuto, broad, planned("ready"), GateWarned, ""},
		{"a missing script", GateAuto, script, planned("ready"), GateBlock, GateBlocked},
		{"a missing script only warns", GateWarn, script, planned("ready"), GateWarned, ""},
		{"parts", GateAuto, broad, planned("needs_decomposition", kids(2, "T1")), GateCut, GateDecomposed},
		{"parts, strict", GateStrict, broad, planned("needs_decomposition", kids(2, "T1")), GateCut, GateDecomposed},
		{"parts of another task", GateAuto, broad, planned("needs_decomposition", kids(2, "T2")), GateWarned, ""},
		{"too many parts", GateAuto, broad, planned("needs_decomposition", kids(9, "T1")), GateWarned, ""},
		{"no parts, strict", GateStrict, none, planned("needs_decomposition"), GateBlock, GateBlocked},
		{"blocked", GateAuto, none, planned("blocked"), GateBlock, GateBlocked},
		{"a person", GateAuto, none, planned("needs_human_review"), GateAskPerson, GateHumanReview},
		{"a person, strict", GateStrict, none, planned("needs_human_review"), GateAskPerson, GateHumanReview},
		{"warn never stops", GateWarn, bare, planned("blocked"), GateWarned, ""},
		{"a pass without a gate never stops", GateOff, bare, planned("needs_human_review"), GateWarned, ""},
		{"no answer", GateAuto, bare, nil, GateSkipped, ""},
		{"no answer, strict", GateStrict, none, nil, GateBlock, GateBlocked},
	} {
		tk := small()
		row.change(tk)
		g := Gate{Mode: row.mode, Inline: row.mode == GateOff, MaxChildren: 8, Task: tk, Ground: Ground{Effective: "go test", Sources: 1, Tests: true, Scripts: []string{"test"}}}
		r := g.Decide(row.plan)
		assert.Equal(t, row.want, r.Outcome, row.name)
		assert.Equal(t, row.stop, r.Stop(), row.name)
		assert.NotEmpty(t, r.Summary, row.name)
		if row.stop != "" {
			assert.Equal(t, row.want == GateAskPerson, r.Class() == NeedsHumanReview, row.name)
		}
		assert.NotEmpty(t, r.NextAction(), row.name)
	}
	atomic := Gate{Mode: GateAuto, Task: small(), Shape: ShapeOf(small(), nil, settled)}
	assert.True(t, atomic.Atomic(), "no model is asked about it")
	atomic.Mode = GateWarn
	assert.False(t, atomic.Atomic())
	assert.True(t, Gate{Mode: GateOff, Task: small()}.Off())
	assert.False(t, Gate{Mode: GateOff, Inline: true, Task: small()}.Off())
	assert.True(t, Gate{Mode: GateStrict}.Off())
}

func TestTaskPlanIsReadBackAndGoesStale(t *testing.T) {
	n := int64(7)
	p := planned("ready", kids(1, "T1"), func(p *TaskPlan) { p.Steps, p.SuggestedValidation, p.Accepted = []string{"one"}, "go test", true })
	p.NextAction = ActExecute
	p.For(small(), GateStrict, &n, time.Unix(1, 0))
	data := p.Bytes()
	assert.False(t, strings.HasSuffix(string(data), "\n"))
	back, err := ReadTaskPlan(data)
	require.NoError(t, err)
	assert.Equal(t, data, back.Bytes())
	assert.Equal(t, &n, back.MutationCount)
	assert.True(t, back.Fresh(small()))
	for _, change := range []func(*task.Task){func(t *task.Task) { t.Notes = "x" }, func(t *task.Task) { t.ID = "T2" }, func(t *task.Task) { t.Acceptance = nil }, func(t *task.Task) { t.Validation = "" }} {
		other := small()
		change(other)
		assert.False(t, back.Fresh(other))
	}
	same := small()
	same.Status, same.Blocker = task.InProgress, "b"
	assert.True(t, back.Fresh(same), "what was done with it does not make a task another one")
	assert.Contains(t, strings.Join(back.Lines(), "\n"), "- Step: one")
	_, err = ReadTaskPlan([]byte(`{"readiness":"ready"}`))
	require.ErrorIs(t, err, task.ErrNoPlan)

	g := Gate{Task: small()}
	o, err := stable.ParseObject(g.Evidence(GateResult{Outcome: GateBlock, Summary: "s", Warnings: []string{"w"}, Plan: p}, time.Unix(1, 0)))
	require.NoError(t, err)
	assert.Equal(t, []string{"schemaVersion", "kind", "outcome", "selectedTaskId", "selectedTaskTitle", "summary", "warnings", "plan", "createdAt"}, o.Keys())
}
