package iteration

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

func TestPromptStaysCompactAndSaysWhatCounts(t *testing.T) {
	in := PromptInput{Kind: FixFailure, Reason: "Iteration 6 ended as failed.", Task: task.Task{ID: "T1.1", Title: "Parser", Acceptance: []string{"it parses"}},
		Parents: []task.Task{{ID: "T1", Title: "Front end"}}, Objective: strings.Repeat("objective ", 9000), Progress: strings.Repeat("- a line\n", 9000) + "- the last one\n",
		Command: "go test ./parser", Last: &state.Iteration{Number: 6, Summary: "went wrong", Verification: state.Verification{ValidationFailureSignature: "sig"}}, Note: "left half"}
	text, parts := RenderPrompt(in)
	assert.Less(t, len(text), 9000)
	assert.True(t, strings.HasSuffix(text, "\n") && !strings.HasSuffix(text, "\n\n"))
	for _, want := range []string{"# Ralph Prompt: fix-failure\n", "- Id: T1.1\n", "- Acceptance: it parses\n", "- Part of: T1 (Front end)\n", "- Validation command: go test ./parser\n",
		"(cut here; the file has the rest)", "- the last one\n", "- Iteration 6: went wrong\n", "- Its validation failed: sig\n", "- Note of the session before: left half\n",
		"Do not edit .ralph/tasks.json", "\"selectedTaskId\""} {
		assert.Contains(t, text, want)
	}
	assert.Less(t, strings.Index(text, "## Operating Rules"), strings.Index(text, "## Template Selection"), "what never changes comes first")
	assert.NotEmpty(t, parts.Task)
	again, _ := RenderPrompt(in)
	assert.Equal(t, text, again)
	for kind := range intros {
		text, _ := RenderPrompt(PromptInput{Kind: kind, Reason: "r", Task: task.Task{ID: "T1", Title: "x"}})
		assert.Contains(t, text, intros[kind])
	}
}
