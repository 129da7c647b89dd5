package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
)

const publicLog = `# Ralphex Progress Log
Plan: /repo/docs/plans/feature.md
Branch: feature
Mode: full
Started: 2026-01-29 15:30:12
------------------------------------------------------------

starting task execution phase

--- task iteration 1 ---
[26-01-29 15:30:13] I read the plan
[26-01-29 15:30:20] <<<RALPHEX:ALL_TASKS_DONE>>>
all tasks completed, starting code review...

--- claude review 0: all findings ---
[26-01-29 15:31:00] WARN: something

------------------------------------------------------------
Completed: 2026-01-29 15:35:42 (5m30s)
`

// TestLibraryFindsBoth opens a folder with a progress file.
func TestLibraryFindsBoth(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "progress-feature.txt")
	require.NoError(t, os.WriteFile(path, []byte(publicLog), 0o600))
	l, err := Open(t.Context(), []string{dir}, Options{Note: func(s string) { t.Log(s) }})
	require.NoError(t, err)
	runs := l.Runs()
	require.Len(t, runs, 1)
	assert.Equal(t, view.Completed, runs[0].State)
	assert.Equal(t, "feature", runs[0].Branch)
	assert.True(t, strings.HasPrefix(runs[0].ID, "feature-"))
}
