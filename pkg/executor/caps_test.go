package executor

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckModel(t *testing.T) {
	c := Caps{Models: []string{"big", "small"}, Efforts: []string{"low", "high"}}
	for _, tt := range []struct{ model, effort, err, hint string }{
		{"", "", "", ""},
		{"big", "low", "", ""},
		{"huge", "", `x knows no model "huge"`, "big, small"},
		{"big", "max", `x knows no effort "max"`, "low, high"},
	} {
		err := c.CheckModel("x", tt.model, tt.effort)
		if tt.err == "" {
			assert.NoError(t, err)
			continue
		}
		require.EqualError(t, err, tt.err)
		assert.Contains(t, err.(*ModelError).Hint(), tt.hint)
	}
	assert.NoError(t, Caps{AnyModel: true, AnyEffort: true}.CheckModel("x", "a", "b"))
	assert.ErrorContains(t, Caps{}.CheckModel("x", "", "high"), "no effort")
}

func TestClassesAreAllKnown(t *testing.T) {
	seen := map[Class]bool{}
	for _, c := range Classes {
		assert.False(t, seen[c.Class], c.Class)
		seen[c.Class] = true
		assert.NotEmpty(t, c.Name)
		assert.NotEmpty(t, c.What)
		assert.False(t, c.Human && !c.Final, "%s: a person must act, so another session is no help", c.Class)
	}
	assert.Len(t, seen, 13)
	assert.False(t, Class("odd").Final())
}

func TestReviewers(t *testing.T) {
	r := Reviewer{Name: "quality", Task: "look"}
	assert.Equal(t, "Use the Task tool to launch a general-purpose agent with this prompt:\n\"look\"\n\nReport findings only - no positive observations.", r.SpawnWith("Task"))
	r.Type, r.Model = "go-expert", "opus"
	assert.Contains(t, r.SpawnWith("Task"), "Use the Task tool with model=opus to launch a go-expert agent")
	assert.Contains(t, r.ReviewYourself(), "look")
	r.Task = `find "x\n"`
	assert.Contains(t, r.SpawnWith("Task"), `"find \"x\\n\""`, "a quote of the text ends nothing")
}
