package prd

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/task"
)

func active(id, title string) task.Task { return task.Task{ID: id, Title: title, Status: task.Todo} }

func kinds(found []Drift) []string {
	out := []string{}
	for _, f := range found {
		id := ""
		if len(f.TaskIDs) > 0 {
			id = " " + f.TaskIDs[0]
		}
		out = append(out, f.Type+id)
	}
	return out
}

func TestA65_Reconcile(t *testing.T) {
	done := task.Task{ID: "T9", Title: "Old thing", Status: task.Done}
	blocked := task.Task{ID: "T8", Title: "Zeppelin", Status: task.Blocked}
	for _, c := range []struct {
		name      string
		objective string
		tasks     []task.Task
		want      []string
	}{
		{"healthy", "# Goal\n\n## Current scope\n\n- T1 limits\n- T9 is closed\n", []task.Task{active("T1", "x"), done, blocked}, []string{}},
		{"healthy without headings", "# Goal\n\nA limiter for requests.\n", []task.Task{active("T1", "Requests are limited")}, []string{}},
		{"stale, sorted, once", "## Live backlog\nT7 T3.1 T7\n", nil, []string{StaleReference + " T3.1", StaleReference + " T7"}},
		{"an archived id is no reference", "## Current scope\nnothing\n## Archive\nT7\n", nil, []string{}},
		{"an archived id does not suppress an orphan", "## Current scope\nnothing\n## Archive: delivered\nT1 zeppelin\n", []task.Task{active("T1", "Zeppelin")}, []string{OrphanTask + " T1"}},
		{"archived without live heading", "# Goal\n\ntext\n\n## Delivered in May\nT1 zeppelin T5\n", []task.Task{active("T1", "Zeppelin")}, []string{OrphanTask + " T1"}},
		{"a subsection is below its heading", "## Live view\n### Part\nT7\n# End\n", nil, []string{StaleReference + " T7"}},
		{"a heading in a fence is none", "## Current scope\n```\n## Archive\nT7\n```\n", nil, []string{StaleReference + " T7"}},
		{"a child's id is not its parent's", "## Current scope\nT1.2 is there\n", []task.Task{active("T1", "Zeppelin"), active("T1.2", "y")}, []string{OrphanTask + " T1"}},
		{"an id at the end of a sentence", "## Current scope\nWe do T1.\n", []task.Task{active("T1", "Zeppelin")}, []string{}},
		{"ids of other shapes", "## Current scope\nWe do auth-2.\n", []task.Task{active("auth-2", "Zeppelin"), active("auth", "Montgolfier")}, []string{OrphanTask + " auth"}},
		{"an id within another", "## Current scope\nT1.2 is there\n", []task.Task{active("2", "Zeppelin"), active("T1.2", "y")}, []string{OrphanTask + " 2"}},
		{"short and stop words can't be looked for", "## Current scope\nnothing\n", []task.Task{active("T1", "Add the tasks via ralph 2026 UI")}, []string{}},
		{"duplicates", "## Current scope\nT1 T2 T3\n", []task.Task{active("T1", "Fix  It "), active("T2", "fix it"), active("T3", "other")}, []string{DuplicateActive + " T1"}},
		{"done ones are no duplicates", "## Current scope\nT1\n", []task.Task{active("T1", "Old thing"), done}, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, kinds(Reconcile(c.objective, c.tasks))) })
	}
}

func TestA65_TheReportIsAllThatIsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "artifacts")
	found := Reconcile("## Current scope\nT7\n", nil)
	path, err := WriteDrift(dir, found, time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.JSONEq(t, `{"schemaVersion":1,"kind":"prdReconciliation","generatedAt":"2026-03-17T12:00:00.000Z","findingCount":1,"findings":[
		{"type":"stale_prd_task_reference","severity":"warning","message":"the live objective cites T7, and there is no such task","taskIds":["T7"]}]}`, string(b))
	md, err := os.ReadFile(filepath.Join(dir, "prd-reconciliation.md"))
	require.NoError(t, err)
	assert.Equal(t, "# PRD / backlog reconciliation\n\n- Generated: 2026-03-17T12:00:00.000Z\n- Findings: 1\n\n- **warning** [stale_prd_task_reference]: the live objective cites T7, and there is no such task\n", string(md))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2)
}
