package artifact

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

func workspace(t *testing.T) layout.Layout {
	t.Helper()
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	return l
}

func put(t *testing.T, l layout.Layout, paths ...string) {
	t.Helper()
	w, err := Open(l)
	require.NoError(t, err)
	require.NoError(t, w.Put([]byte("x"), paths...))
	require.NoError(t, w.Close())
}

func entries(t *testing.T, l layout.Layout) []*stable.Object {
	t.Helper()
	data, err := os.ReadFile(l.Registry)
	require.NoError(t, err)
	o, err := stable.ParseObject(data)
	require.NoError(t, err)
	return o.Objects("entries")
}

func TestA63RegistryIsKeyedByPath(t *testing.T) {
	l := workspace(t)
	g := Registry{Layout: l}
	now := time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)
	it := l.Iteration(7)
	put(t, l, it.Prompt, it.Result, l.Latest().Result)
	e := Entry{Path: it.Prompt, Type: "prompt", CreatedAt: now, RunID: "run-i007-cli-20260317T120000Z", AgentID: "default", Iteration: 7, Retention: OfIteration}
	gone := Entry{Path: it.Stdout, Type: "prompt", CreatedAt: now}
	require.NoError(t, g.Register(t.Context(), e, Entry{Path: l.Latest().Result, Type: "latest-result.json", CreatedAt: now, Retention: LatestOnly}, gone))
	e.TaskID, e.GeneratedFrom, e.Retention = "T1", it.Result, Pinned
	require.NoError(t, g.Register(t.Context(), e))
	got := entries(t, l)
	require.Len(t, got, 2, "one entry a path, and none for what is not there")
	assert.Equal(t, `{"id":"iteration-007/prompt.md","type":"prompt","path":"iteration-007/prompt.md","createdAt":"2026-03-17T12:00:00.000Z",`+
		`"runId":"run-i007-cli-20260317T120000Z","taskId":"T1","agentId":"default","agentRole":null,"provider":null,"iteration":7,"latestAlias":null,`+
		`"retentionClass":"pinned","pinned":true,"related":{"generatedFrom":"iteration-007/iteration-result.json"}}`, string(stable.Compact(got[0])))
	assert.Error(t, g.Register(t.Context(), Entry{Path: l.Ralph, Type: "x"}), "only what lies among the artifacts")

	require.NoError(t, os.Remove(it.Prompt))
	dropped, err := g.Reconcile(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"iteration-007/prompt.md"}, dropped)
	assert.Len(t, entries(t, l), 1)
	before, err := os.Stat(l.Registry)
	require.NoError(t, err)
	dropped, err = g.Reconcile(t.Context())
	require.NoError(t, err)
	assert.Empty(t, dropped)
	after, err := os.Stat(l.Registry)
	require.NoError(t, err)
	assert.True(t, os.SameFile(before, after), "nothing to drop, nothing written")
}

func TestA63ParallelRegistrationsLoseNothing(t *testing.T) {
	l := workspace(t)
	const writers, each = 8, 3
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for j := range each {
				path := l.Iteration(1 + i*each + j).Prompt
				put(t, l, path)
				assert.NoError(t, Registry{Layout: l, Budget: lock.Budget{Retries: 4000, Delay: 5 * time.Millisecond}}.Register(t.Context(), Entry{Path: path, Type: "prompt"}))
			}
		})
	}
	wg.Wait()
	assert.Len(t, entries(t, l), writers*each)
}

func TestA63LockedRegistryIsAnErrorAndNoMore(t *testing.T) {
	l := workspace(t)
	put(t, l, l.Iteration(1).Prompt, l.RegistryLock())
	err := Registry{Layout: l, Budget: lock.Budget{Retries: 1, Delay: time.Millisecond}}.Register(t.Context(), Entry{Path: l.Iteration(1).Prompt, Type: "prompt"})
	var locked *lock.TimeoutError
	require.ErrorAs(t, err, &locked)
	assert.NoFileExists(t, l.Registry)
	assert.FileExists(t, l.Iteration(1).Prompt)
}

func TestBrokenRegistryIsNotWrittenOver(t *testing.T) {
	l := workspace(t)
	put(t, l, l.Registry, l.Iteration(1).Prompt)
	err := Registry{Layout: l}.Register(t.Context(), Entry{Path: l.Iteration(1).Prompt, Type: "prompt"})
	var broken *RegistryError
	require.ErrorAs(t, err, &broken)
	assert.NotEmpty(t, broken.Hint())
	data, err := os.ReadFile(l.Registry)
	require.NoError(t, err)
	assert.Equal(t, "x", string(data))
	_, err = Registry{Layout: workspace(t)}.Reconcile(t.Context())
	assert.NoError(t, err, "no registry is an empty one")
}

func TestWriterStaysInside(t *testing.T) {
	l := workspace(t)
	w, err := Open(l)
	require.NoError(t, err)
	defer w.Close()
	assert.Error(t, w.Put(nil, filepath.Join(filepath.Dir(l.Root), "outside")))
	require.NoError(t, w.Put([]byte("x"), l.Iteration(1).Prompt))
	fi, err := os.Stat(l.Iteration(1).Prompt)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), fi.Mode().Perm(), "prompts are their user's alone")
}

func TestAggregate(t *testing.T) {
	v := func(status string) Verifier { return Verifier{Status: status} }
	assert.Equal(t, Failed, Aggregate(v(Passed), v(Failed), v(Skipped)))
	assert.Equal(t, Passed, Aggregate(v(Skipped), v(Passed)))
	assert.Equal(t, Skipped, Aggregate(v(Skipped)))
	assert.Equal(t, Skipped, Aggregate())
}

func TestFailureSignature(t *testing.T) {
	for _, c := range []struct {
		name           string
		exit           int
		timedOut       bool
		stderr, stdout string
		want           string
	}{
		{name: "passed", want: ""},
		{name: "silent", exit: 2, want: "make::exit:2::no output"},
		{name: "three lines, stderr first", exit: 1, stderr: "\n a\t b \n", stdout: "c\n\nd\ne\n", want: "make::exit:1::a b | c | d"},
		{name: "timeout", timedOut: true, stdout: "x", want: "timeout:make"},
		{name: "cut", exit: 1, stdout: strings.Repeat("é", 300), want: "make::exit:1::" + strings.Repeat("é", 240)},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, FailureSignature("make", c.exit, c.timedOut, c.stderr, c.stdout))
		})
	}
}

func TestRenderTakesWhatIsComplete(t *testing.T) {
	record := `{"iteration": 12, "promptKind": "iteration", "executionStatus": "failed", "verificationStatus": "skipped", "completionClassification": "failed",
		"followUpAction": "stop", "summary": "a\nb", "selectedTaskId": "T1", "selectedTaskTitle": "one", "backlog": {"remainingTaskCount": 2}, "artifactDir": "/w/x"}`
	page := string(Render([]byte(record)))
	assert.True(t, strings.HasPrefix(page, "# Ralph Iteration 12\n"))
	assert.Contains(t, page, "- Selected task: T1 - one\n")
	assert.Contains(t, page, "- Summary: a b\n", "a value stays in its line")
	assert.Contains(t, page, "- Backlog remaining: 2\n")
	assert.Contains(t, page, "- Iteration artifact dir: /w/x\n")
	assert.Contains(t, page, "- Stop reason: none\n")
	for _, bad := range []string{"", "[]", "{", `{"kind": "preflight"}`, strings.Replace(record, `"summary"`, `"s"`, 1)} {
		assert.Nil(t, Render([]byte(bad)), bad)
	}
}

func TestReadPlan(t *testing.T) {
	l := workspace(t)
	it := Iteration{Paths: l.Iteration(3)}
	path, hash, err := ReadPlan(stable.Marshal(it.Plan("sha256:1", 4, time.Now())))
	require.NoError(t, err)
	assert.Equal(t, []string{l.Iteration(3).Prompt, "sha256:1"}, []string{path, hash})
	for _, bad := range []string{"", "{}", `{"kind":"x"}`} {
		_, _, err := ReadPlan([]byte(bad))
		assert.Error(t, err, fmt.Sprintf("%q", bad))
	}
}
