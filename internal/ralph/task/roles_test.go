package task

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestRolesChoose is 3.1.5 with its amendment: a todo never comes before what is in progress and can be worked on.
func TestRolesChoose(t *testing.T) {
	g := NewGraph([]Task{
		{ID: "done", Status: Done},
		{ID: "urgent", Status: Done, Priority: High},
		{ID: "reviewed", Status: Done, Priority: High},
		{ID: "todo", Status: Todo},
		{ID: "planned", Status: Todo},
		{ID: "waits", Status: Todo, DependsOn: []string{"todo"}},
		{ID: "begun", Status: InProgress},
		{ID: "begun and planned", Status: InProgress, Priority: Low},
	})
	planned := func(id string) bool { return slices.Contains([]string{"planned", "begun and planned", "waits"}, id) }
	reviewed := func(id string) bool { return id == "reviewed" }
	for name, c := range map[string]struct {
		role Role
		want []string
	}{
		"nobody":      {Role{}, []string{"begun", "begun and planned", "todo", "planned"}},
		"build":       {Role{Name: "build", Planned: planned}, []string{"begun", "begun and planned", "todo", "planned"}},
		"planner":     {Role{Name: "planner", Planned: planned}, []string{"todo"}},
		"implementer": {Role{Name: "implementer", Planned: planned}, []string{"begun and planned", "begun", "planned", "todo"}},
		"of many":     {Role{Name: "implementer", Planned: planned, PlanRequired: true}, []string{"begun and planned", "planned"}},
		"reviewer":    {Role{Name: "reviewer", Reviewed: reviewed}, []string{"urgent", "done"}},
		"no lookup":   {Role{Name: "reviewer"}, []string{"urgent", "reviewed", "done"}},
	} {
		var got []string
		for _, task := range g.Candidates(c.role) {
			got = append(got, task.ID)
		}
		assert.Equal(t, c.want, got, name)
		next, ok := g.Next(c.role)
		assert.True(t, ok, name)
		assert.Equal(t, c.want[0], next.ID, name)
	}
	_, ok := g.Next(Role{Name: "implementer", PlanRequired: true})
	assert.False(t, ok, "nothing is planned")
}
