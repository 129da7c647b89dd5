package health

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/layout"
)

var (
	noon    = time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)
	options = Options{Now: noon, StaleLock: 5 * time.Minute, ClaimTTL: 24 * time.Hour}
)

func place(t *testing.T) layout.Layout {
	t.Helper()
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	return l
}

// write makes a file that was written at a time.
func write(t *testing.T, l layout.Layout, name, text string, at time.Time) {
	t.Helper()
	path := filepath.Join(l.Ralph, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	require.NoError(t, os.Chtimes(path, at, at))
}

func codes(signals []Signal) []string {
	out := []string{}
	for _, s := range signals {
		out = append(out, s.Code)
	}
	return out
}

func TestA44_OldLocks(t *testing.T) {
	for name, row := range map[string]struct {
		age  time.Duration
		want []string
	}{
		"younger": {5*time.Minute - time.Second, []string{}},
		"equal":   {5 * time.Minute, []string{}},
		"older":   {5*time.Minute + time.Second, []string{CodeStateLock, CodeTasksLock, CodeAuxLock, CodeAuxLock}},
		"future":  {-time.Hour, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			l := place(t)
			for _, file := range []string{"state.lock", "tasks.lock", "claims.json.lock", "artifacts/index.json.lock"} {
				write(t, l, file, "", noon.Add(-row.age))
			}
			found := CheckStaleState(l, options)
			assert.Equal(t, row.want, codes(found))
			if len(found) > 0 {
				assert.Contains(t, found[0].Message, ".ralph/state.lock is 301 seconds old")
				assert.Contains(t, found[0].Message, "If no iteration is in progress, remove it by hand: ")
			}
			for _, file := range []string{l.StateLock(), l.TasksLock(), l.ClaimsLock(), l.RegistryLock()} {
				assert.FileExists(t, file, "no action, ever")
			}
		})
	}
}

const oldClaim = `{"version":1,"claims":[{"taskId":"T1","agentId":"a","provenanceId":"run-i001-cli-x","claimedAt":"2026-03-15T12:00:00.000Z","status":"active"}]}`

func TestA45_QuietClaims(t *testing.T) {
	later, earlier := noon.Add(-time.Hour), noon.Add(-72*time.Hour)
	both := []string{CodeNoResult, CodeOffline}
	for name, row := range map[string]struct {
		result, state string
		written       time.Time
		want          []string
	}{
		"nothing":                        {"", "", later, both},
		"result by provenance":           {`{"provenanceId":"run-i001-cli-x"}`, "", later, []string{CodeOffline}},
		"result by task and agent":       {`{"selectedTaskId":"T1","agentId":"a"}`, "", later, []string{CodeOffline}},
		"result by another agent":        {`{"selectedTaskId":"T1","agentId":"b"}`, "", later, both},
		"result by nobody":               {`{"selectedTaskId":"T1"}`, "", later, both},
		"result by nobody, provenance":   {`{"selectedTaskId":"T9","provenanceId":"run-i001-cli-x"}`, "", later, []string{CodeOffline}},
		"result of another task":         {`{"selectedTaskId":"T2","agentId":"a"}`, "", later, both},
		"result before the claim":        {`{"provenanceId":"run-i001-cli-x"}`, "", earlier, both},
		"result that can't be read":      {`{`, "", later, both},
		"run":                            {"", `{"lastRun":{"provenanceId":"run-i001-cli-x","finishedAt":"2026-03-16T00:00:00.000Z"}}`, later, []string{CodeNoResult}},
		"run in the history":             {"", `{"runHistory":[7,{"provenanceId":"run-i001-cli-x","finishedAt":"2026-03-16T00:00:00.000Z"}]}`, later, []string{CodeNoResult}},
		"run before the claim":           {"", `{"lastRun":{"provenanceId":"run-i001-cli-x","finishedAt":"2026-03-14T00:00:00.000Z"}}`, later, both},
		"run of the agent without task":  {"", `{"lastRun":{"agentId":"a","finishedAt":"2026-03-16T00:00:00.000Z"}}`, later, both},
		"iteration by task and agent":    {"", `{"iterationHistory":[{"selectedTaskId":"T1","agentId":"a","finishedAt":"2026-03-16T00:00:00.000Z"}]}`, later, []string{CodeNoResult}},
		"last iteration, other agent":    {"", `{"lastIteration":{"selectedTaskId":"T1","agentId":"b","finishedAt":"2026-03-16T00:00:00.000Z"}}`, later, both},
		"iteration without a time":       {"", `{"lastIteration":{"provenanceId":"run-i001-cli-x"}}`, later, both},
		"state that is no object at all": {"", `[]`, later, both},
		"signs of both kinds": {`{"provenanceId":"run-i001-cli-x"}`, `{"lastIteration":{"provenanceId":"run-i001-cli-x","finishedAt":"2026-03-16T00:00:00.000Z"}}`,
			later, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			l := place(t)
			write(t, l, "claims.json", oldClaim, noon)
			if row.result != "" {
				write(t, l, "artifacts/iteration-001/iteration-result.json", row.result, row.written)
			}
			if row.state != "" {
				write(t, l, "state.json", row.state, noon)
			}
			found := CheckStaleState(l, options)
			assert.Equal(t, row.want, codes(found))
			for _, s := range found {
				assert.Equal(t, "T1", s.TaskID)
				assert.Contains(t, s.Message, "48h0m0s")
				assert.Contains(t, s.Message, "gent a ")
			}
		})
	}
}

func TestClaimsThatAreNotLookedAt(t *testing.T) {
	at := func(claimed, status string) string {
		return `{"claims":[{"taskId":"T1","agentId":"a","provenanceId":"p","claimedAt":"` + claimed + `"` + status + `}]}`
	}
	for name, text := range map[string]string{
		"exactly the TTL": at("2026-03-16T12:00:00.000Z", `,"status":"active"`),
		"released":        at("2026-03-10T12:00:00.000Z", `,"status":"released"`),
		"no status":       at("2026-03-10T12:00:00.000Z", ""),
		"no time":         at("long ago", `,"status":"active"`),
		"no array":        `{"claims":{}}`,
		"broken":          `{`,
	} {
		t.Run(name, func(t *testing.T) {
			l := place(t)
			write(t, l, "claims.json", text, noon)
			assert.Empty(t, CheckStaleState(l, options))
		})
	}
	l := place(t)
	write(t, l, "claims.json", oldClaim, noon)
	assert.Empty(t, CheckStaleState(l, Options{Now: noon, StaleLock: time.Minute}), "a TTL of 0: claims get never stale")
	assert.Empty(t, CheckStaleState(place(t), options), "an empty workspace")
}

func TestHandoffs(t *testing.T) {
	l := place(t)
	write(t, l, "handoffs/a.json", `{"handoffId":"h1","status":"contested","taskId":"T1","fromAgentId":"x","toRole":"review"}`, noon)
	write(t, l, "handoffs/b.json", `{"status":"accepted","expiresAt":"2026-03-17T12:00:00.000Z"}`, noon)
	write(t, l, "handoffs/c.json", `{"status":"proposed","expiresAt":"2026-03-17T12:00:01.000Z"}`, noon)
	write(t, l, "handoffs/d.json", `{"status":"rejected","expiresAt":"2020-03-17T12:00:01.000Z"}`, noon)
	write(t, l, "handoffs/e.json", `no contract`, noon)
	write(t, l, "handoffs/f.txt", `{"status":"contested"}`, noon)
	found := CheckStaleState(l, options)
	require.Equal(t, []string{CodeContestedHandoff, CodeExpiredHandoff}, codes(found))
	assert.Contains(t, found[0].Message, "h1 from x to review")
	assert.Contains(t, found[1].Message, "Handoff b is still accepted")
}
