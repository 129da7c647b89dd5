package processor

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// shown is a template that shows its name and all variables.
func shown(name string) Template {
	return func(agent string, vars map[string]string) string {
		var b strings.Builder
		b.WriteString(name + "\n")
		for _, k := range slices.Sorted(maps.Keys(vars)) {
			b.WriteString(k + "=" + vars[k] + "\n")
		}
		return b.String()
	}
}

func reviewPrompts() *promptBuilder {
	verbs := vcs.GitVerbs("git")
	return &promptBuilder{others: Prompts{shown("first"), shown("second"), shown("external"), shown("evaluation"), shown("finalize"), shown("plan")},
		trailer: "Signed: x", verbs: verbs, vars: verbs.With("base", "main").Vars(), locator: newPlanLocator("/p.md", nil)}
}

func TestReviewPrompts(t *testing.T) {
	tests := []struct {
		name   string
		in     phase.ReviewPrompt
		has    []string
		hasNot []string
	}{
		{"first", phase.ReviewPrompt{}, []string{"first\n", "PLAN_FILE=/p.md", "VCS_DIFF=git diff main...HEAD", "Signed: x"}, []string{"=== This session ===", "second\n"}},
		{"later", phase.ReviewPrompt{Round: 2}, []string{"second\n"}, []string{"first\n"}},
		{"since", phase.ReviewPrompt{Since: "abc"}, []string{"VCS_DIFF=git diff abc...HEAD", "only what came after commit abc"}, nil},
		{"report", phase.ReviewPrompt{ReportOnly: true}, []string{"Change nothing in this session"}, []string{"Signed: x"}},
		{"what is known", phase.ReviewPrompt{Own: "a_test.go:3 - a skip\n", Ledger: "a.go:1 - x => refuted: no\n", Failure: "go test: exit 1", Unfinished: []string{"b.go"}},
			[]string{"=== This session ===", "a_test.go:3 - a skip", "a.go:1 - x => refuted: no", "go test: exit 1", "- b.go"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prompt, err := reviewPrompts().Review(tt.in)
			require.NoError(t, err)
			got := prompt.For("claude")
			for _, s := range tt.has {
				assert.Contains(t, got, s)
			}
			for _, s := range tt.hasNot {
				assert.NotContains(t, got, s)
			}
		})
	}
}

func TestExternalPrompts(t *testing.T) {
	b := reviewPrompts()
	first, err := b.External(phase.ExternalPrompt{})
	require.NoError(t, err)
	assert.Contains(t, first.For("claude"), "DIFF_INSTRUCTION=git diff main...HEAD\n")
	assert.Contains(t, first.For("claude"), "PREVIOUS_REVIEW_CONTEXT=\n")
	assert.NotContains(t, first.For("claude"), "Signed", "it commits nothing")

	later, err := b.External(phase.ExternalPrompt{Since: "abc", Previous: "closed in line {{GOAL}}", Ledger: "a.go:1 - x => fixed", Unfinished: []string{"c.go"}})
	require.NoError(t, err)
	assert.Contains(t, later.For("claude"), "DIFF_INSTRUCTION=git diff abc...HEAD\n")
	assert.Contains(t, later.For("claude"), "PREVIOUS_REVIEW_CONTEXT=---\nPREVIOUS REVIEW CONTEXT:\n")
	assert.Contains(t, later.For("claude"), "closed in line {{GOAL}}", "words of an agent are never a template")
	assert.Contains(t, later.For("claude"), "a.go:1 - x => fixed")
	assert.Contains(t, later.For("claude"), "- c.go")

	eval, err := b.Evaluation(phase.EvaluationPrompt{Output: "it leaks {{PLAN_FILE}}", Failure: "red"})
	require.NoError(t, err)
	assert.Contains(t, eval.For("claude"), "CODEX_OUTPUT=it leaks {{PLAN_FILE}}\nCUSTOM_OUTPUT=it leaks {{PLAN_FILE}}\n")
	assert.Contains(t, eval.For("claude"), "red")
	assert.Contains(t, eval.For("claude"), "Signed: x")

	last, err := b.Finalize()
	require.NoError(t, err)
	assert.Contains(t, last.For("claude"), "finalize\n")
}

func TestPromptsWithoutAPlan(t *testing.T) {
	b := reviewPrompts()
	b.locator = newPlanLocator("", nil)
	got, err := b.Review(phase.ReviewPrompt{})
	require.NoError(t, err)
	assert.Contains(t, got.For("claude"), "PLAN_FILE=(no plan file - reviewing current branch)")
}
