package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A plan without a heading between the validation commands and its tasks: what stands in the tasks is never run.
func TestTasksEndTheValidationSection(t *testing.T) {
	t.Parallel()
	p, err := ParsePlan([]byte("# P\n## Validation Commands\n- `go test`\n\n### Task 1: One\n- [ ] `rm -rf build`\n  ```sh\n  echo block\n  ```\n- $ drop table\n"))
	require.NoError(t, err)
	assert.Equal(t, []Command{{Text: "go test", Line: 3}}, p.ValidationCommands)
	assert.Empty(t, p.ValidationProse)
	require.Len(t, p.Tasks, 1)
	assert.Len(t, p.Tasks[0].Checkboxes, 1)
}
