package config

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan/check"
	"ralphex/pkg/signals"
	"ralphex/pkg/vcs"
)

// shout is an agent that starts reviewers in its own way.
func shout(a Agent) string { return "[" + a.Name + "|" + a.Model + "|" + a.Body + "]" }

func template(t *testing.T, o Options, name string) (*Template, []Warning) {
	t.Helper()
	tpl, warnings, err := load(t, o).Template(name, shout)
	require.NoError(t, err)
	return tpl, warnings
}

func TestTemplateFillsAgentsAndVariablesOnce(t *testing.T) {
	o := world(t, "", "")
	dir := filepath.Join(o.RepoRoot, ".ralphex")
	write(t, filepath.Join(dir, "prompts", "codex.txt"), "{{agent:mine}} {{CODEX_OUTPUT}} {{agent:nobody}} {{agent:mine}} {{WHAT}}")
	write(t, filepath.Join(dir, "agents", "mine.txt"), "---\nmodel: opus\n---\nsee {{GOAL}} {{CODEX_OUTPUT}} {{agent:quality}}")
	tpl, warnings := template(t, o, "codex")
	assert.Equal(t, []string{`.ralphex/prompts/codex.txt: agent "nobody" not found, leaving reference unexpanded`}, slices.Collect(slashes(texts(warnings))))

	got := tpl.Fill(map[string]string{"GOAL": "{{PLAN_FILE}}", "PLAN_FILE": "p", "CODEX_OUTPUT": "{{agent:quality}} {{GOAL}}"})
	assert.Contains(t, got, "see {{PLAN_FILE}} {{CODEX_OUTPUT}} {{agent:quality}}]", "a body knows the run's variables, neither other agents nor what others said; values stay as they are")
	assert.Contains(t, got, "] {{agent:quality}} {{GOAL}} {{agent:nobody}} [mine|opus|You review a change")
	assert.True(t, strings.HasSuffix(got, " {{WHAT}}"))

	require.Len(t, tpl.Agents(), 1)
	assert.Equal(t, `agent "mine": model=opus, subagent=general-purpose`, tpl.Agents()[0].String())
}

func slashes(list []string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, s := range list {
			if !yield(filepath.ToSlash(s)) {
				return
			}
		}
	}
}

func TestTemplateWarnsOfItsOwnAgentsOnly(t *testing.T) {
	o := world(t, "", "")
	dir := filepath.Join(o.RepoRoot, ".ralphex")
	write(t, filepath.Join(dir, "prompts", "finalize.txt"), "{{agent:qualty}} {{agent:testing}}")
	write(t, filepath.Join(dir, "prompts", "make_plan.txt"), "{{agent:quality}}")
	write(t, filepath.Join(dir, "agents", "quality.txt"), "---\nx: y\n---\nq")
	write(t, filepath.Join(dir, "agents", "testing.txt"), "---\nmodel: x\n---\nq")
	_, warnings := template(t, o, "finalize")
	got := strings.Join(texts(warnings), "\n")
	assert.Contains(t, got, "did you mean quality?")
	assert.Contains(t, got, "model x of an agent is not known")
	assert.Len(t, warnings, 2)

	tpl, warnings := template(t, o, "make_plan")
	assert.Empty(t, warnings)
	assert.Equal(t, "{{agent:quality}}", tpl.Fill(nil), "plan creation calls no agents")
}

// TestVariablesAreAllThere compares the table with what the repository's words are called.
func TestVariablesAreAllThere(t *testing.T) {
	for name := range vcs.GitVerbs("git").Vars() {
		v, ok := lookupVariable(name)
		assert.True(t, ok, name)
		assert.Nil(t, v.In, name)
	}
	for _, v := range Variables() {
		assert.True(t, strings.HasSuffix(v.Doc, "."), v.Name)
		for _, p := range v.In {
			assert.Contains(t, PromptNames(), p)
		}
	}
}

// filled is an embedded prompt as a session gets it.
func filled(t *testing.T, name string) string {
	t.Helper()
	tpl, warnings := template(t, Options{}, name)
	require.Empty(t, warnings)
	vars := vcs.GitVerbs("git").With("base", "main").Vars()
	maps.Copy(vars, map[string]string{"PLAN_FILE": "/r/docs/p.md", "PROGRESS_FILE": "/r/log.txt", "GOAL": "implementation of plan at /r/docs/p.md",
		"DEFAULT_BRANCH": "main", "PLANS_DIR": "docs/plans"})
	for _, v := range Variables() {
		if slices.Contains(v.In, name) {
			vars[v.Name] = "<" + v.Name + ">"
		}
	}
	return tpl.Fill(vars)
}

// everySignal is what a reviewer that only reads has no use for.
var everySignal = []signals.Kind{signals.AllTasksDone, signals.TaskFailed, signals.ReviewDone, signals.CodexReviewDone, signals.PlanReady, signals.KindQuestion, signals.KindPlanDraft}

// promises are what programs around ralphex, its parsers and its users read in the embedded prompts: the literal
// signals by which wrappers tell the prompts apart, phrases that they look for, and what the session must do.
var promises = map[string]struct {
	has    []string
	not    []signals.Kind
	agents []string
}{
	"task": {[]string{"Read the plan file at /r/docs/p.md.\n", "\nProgress log: /r/log.txt (contains", signals.AllTasksDone.Token(), signals.TaskFailed.Token(), "feat: <brief", "Validation Commands"},
		[]signals.Kind{signals.ReviewDone, signals.CodexReviewDone, signals.PlanReady}, nil},
	"review_first": {[]string{"\nProgress log: /r/log.txt (contains", signals.ReviewDone.Token(), signals.TaskFailed.Token(), "fix: address code review findings", "git diff main...HEAD", "no signal", "NO ISSUES FOUND", "=> fixed", "=> refuted:", "=> open:", "side by side"},
		[]signals.Kind{signals.AllTasksDone, signals.CodexReviewDone, signals.PlanReady}, []string{"quality", "implementation", "testing", "simplification", "documentation"}},
	"review_second": {[]string{"\nProgress log: /r/log.txt (contains", signals.ReviewDone.Token(), signals.TaskFailed.Token(), "fix: address code review findings", "critical or major", "no signal", "=> refuted:"},
		[]signals.Kind{signals.AllTasksDone, signals.CodexReviewDone, signals.PlanReady}, []string{"quality", "implementation"}},
	"codex": {[]string{"\nProgress log: /r/log.txt (contains", "<CODEX_OUTPUT>", signals.CodexReviewDone.Token(), "fix: address codex review findings", "Do not commit", "=> refuted:", "no signal"},
		[]signals.Kind{signals.AllTasksDone, signals.ReviewDone, signals.PlanReady}, nil},
	"custom_eval": {[]string{"\nProgress log: /r/log.txt (contains", "<CUSTOM_OUTPUT>", signals.CodexReviewDone.Token(), "fix: address external review findings", "Do not commit"},
		[]signals.Kind{signals.AllTasksDone, signals.ReviewDone, signals.PlanReady}, nil},
	"codex_review":  {[]string{"<DIFF_INSTRUCTION>", "<PREVIOUS_REVIEW_CONTEXT>", "edit no file", "NO ISSUES FOUND"}, everySignal, nil},
	"custom_review": {[]string{"<DIFF_INSTRUCTION>", "<PREVIOUS_REVIEW_CONTEXT>", "edit no file", "NO ISSUES FOUND"}, everySignal, nil},
	"finalize": {[]string{"rebase", "main", "Never push", signals.TaskFailed.Token()},
		[]signals.Kind{signals.AllTasksDone, signals.ReviewDone, signals.CodexReviewDone, signals.PlanReady}, nil},
	"make_plan": {[]string{"\nProgress log: /r/log.txt (contains", "<PLAN_DESCRIPTION>", signals.KindQuestion.Token(), signals.KindPlanDraft.Token(), signals.PlanReady.Token(), signals.TaskFailed.Token(),
		"DRAFT REVIEW: accept", "DRAFT REVIEW: revise", "DRAFT REVIEW: reject", "docs/plans/YYYYMMDD-<slug>.md", "2 to 4 options", "### Task N: title"},
		[]signals.Kind{signals.AllTasksDone, signals.ReviewDone, signals.CodexReviewDone}, nil},
}

// maxPrompt is how long a prompt may be with all its agents, in bytes: it is read, and paid for, in each session.
const maxPrompt = 16 << 10

func TestEmbeddedPromptsKeepTheirPromises(t *testing.T) {
	for _, name := range PromptNames() {
		t.Run(name, func(t *testing.T) {
			want, ok := promises[name]
			require.True(t, ok)
			text := filled(t, name)
			for _, s := range want.has {
				assert.Contains(t, text, s)
			}
			for _, kind := range want.not {
				assert.NotContains(t, text, kind.Token(), "wrappers would take it for another prompt")
			}
			assert.Empty(t, signals.Scan(text), "an echo of the prompt would be a signal")
			assert.NotContains(t, text, "{{")
			assert.LessOrEqual(t, len(text), maxPrompt)
			tpl, _ := template(t, Options{}, name)
			var agents []string
			for _, a := range tpl.Agents() {
				agents = append(agents, a.Name)
			}
			assert.Equal(t, want.agents, agents)
		})
	}
}

func TestReviewersAreToldTheRules(t *testing.T) {
	got := Expand(leadIn, vcs.GitVerbs("git").With("base", "main").Vars())
	for _, s := range []string{"git diff main...HEAD", "git diff --stat main...HEAD", "Edit nothing", "Do not start further agents", "evidence", "NO ISSUES FOUND", "only if it is severe", ":42 - ["} {
		assert.Contains(t, got, s)
	}
	for _, name := range EmbeddedAgents() {
		a, _, err := load(t, Options{}).agent(name)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(a.Body), 2<<10, name)
	}
}

// TestDraftFrameIsAStrictPlan takes the frame of a plan out of the prompt, fills it in, and has it checked.
func TestDraftFrameIsAStrictPlan(t *testing.T) {
	text := filled(t, "make_plan")
	from := strings.Index(text, "\n    # <title>\n")
	require.Positive(t, from)
	var frame strings.Builder
	for line := range strings.Lines(text[from+1:]) {
		if !strings.HasPrefix(line, "    ") {
			break
		}
		frame.WriteString(line[4:])
	}
	plan := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(frame.String(), "go test ./...")
	assert.Empty(t, check.Check([]byte(plan), check.Options{}), plan)
}
