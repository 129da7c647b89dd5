package task

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNewlyDone(t *testing.T) {
	was := NewGraph([]Task{{ID: "A", Status: Todo}, {ID: "B", Status: Done}, {ID: "C", Status: InProgress}, {ID: "D", Status: Todo}, {ID: "E", Status: Blocked}})
	now := NewGraph([]Task{{ID: "E", Status: Done}, {ID: "A", Status: Done}, {ID: "B", Status: Done}, {ID: "C", Status: Blocked}, {ID: "N", Status: Done}})
	assert.Equal(t, []string{"A", "E"}, was.NewlyDone(now), "neither what was done before, nor what is gone, new, or blocked")
	assert.Empty(t, now.NewlyDone(now))
}
