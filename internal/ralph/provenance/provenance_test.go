package provenance

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

var update = flag.Bool("update", false, "rewrite golden files")

func at(second int) time.Time { return time.Date(2026, 3, 17, 12, 0, second, 0, time.UTC) }

// workspace is an empty one, in a folder whose name needs care.
func workspace(t testing.TB) (layout.Layout, *artifact.Writer) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "a b")
	require.NoError(t, os.MkdirAll(root, 0o755))
	l, err := layout.New(root, layout.Overrides{})
	require.NoError(t, err)
	w, err := artifact.Open(l)
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return l, w
}

func iteration(l layout.Layout, n int) artifact.Iteration {
	transcript, last := l.RunFiles("iteration", n)
	return artifact.Iteration{
		AgentID: "default", ProvenanceID: fmt.Sprintf("run-i%03d-cli-20260317T120000Z", n), Paths: l.Iteration(n),
		PromptFile: l.PromptFile("iteration", n), Transcript: transcript, LastMessage: last,
		Kind: "iteration", Target: artifact.CLIExec, Reason: "Task 2 is the first that is open.", Template: "task.txt",
		TaskID: "T2", TaskTitle: "Parse <it>", Validation: artifact.Commands{Hint: "go test ./...", Effective: "go test ./..."},
		Policy: artifact.Policy{Workspace: l.Root, Inspection: l.Root, Strategy: "workspaceRoot", Selection: "the checkout", Summary: "the agent works in the workspace"},
	}
}

func preparation(prompt string) Preparation {
	second := 0
	return Preparation{Prompt: prompt, PreflightReport: []byte(preflightReport), PreflightSummary: []byte("# Ralph Preflight 7\n"),
		Inputs:   artifact.Inputs{Objective: "ship it", Task: []string{"T2 - Parse <it>"}},
		Envelope: artifact.Iteration{ProvenanceID: "run-i007-cli-20260317T120000Z"}.Envelope("implementer", "preset", []string{"prompt.md"}, []artifact.Omitted{{Path: ".ralph/runs", Reason: "transcripts are never shown"}}),
		Now:      func() time.Time { second++; return at(second) }}
}

const preflightReport = `{
  "schemaVersion": 1,
  "kind": "preflight",
  "iteration": 7
}
`

func outcome() Outcome {
	zero, cost := 0, 0.25
	return Outcome{
		Invocation: &artifact.Invocation{Command: "claude", Args: []string{"-p"}, At: at(9)},
		Stdout:     []byte("{\"type\":\"result\"}\n"), Stderr: nil, Transcript: []byte("I did it.\n"), LastMessage: []byte("I did it.\n"), LastWords: "I did it.",
		Report:     artifact.CompletionReport{Status: "missing", TaskID: "T2", Warnings: []string{"the agent ended without a report"}},
		Validation: &artifact.Validation{Command: "go test ./...", EachCommand: []artifact.CommandRun{{Command: "go test ./..."}}, TreeHash: "4b825dc"},
		Outputs:    [][]byte{[]byte("ok\n")},
		Diff:       &artifact.Diff{Available: true, Git: true, Summary: "1 file", Changed: []string{"a.go"}, Relevant: []string{"a.go"}, Transitions: []string{"a.go: clean -> M"}},
		State:      &artifact.State{TaskID: "T2"},
		Verifiers: []artifact.Verifier{{Name: artifact.ValidationCommand, Status: artifact.Passed, Summary: "exit 0", Command: "go test ./..."},
			{Name: artifact.GitDiff, Status: artifact.Passed, Summary: "1 file"}, {Name: artifact.TaskState, Status: artifact.Skipped, Summary: "unchanged"}},
		Result: state.Iteration{ExecutionStatus: "succeeded", VerificationStatus: "passed", Classification: "partial_progress", FollowUp: "continue_same_task",
			StartedAt: stable.Time(at(1)), FinishedAt: stable.Time(at(9)), Summary: "Selected T2: Parse <it> | Execution: succeeded", Execution: state.Execution{ExitCode: &zero},
			Backlog: state.Backlog{RemainingTaskCount: 3, ActionableTaskAvailable: true}},
		CostUSD: &cost,
	}
}

// finished is an iteration with everything.
func finished(t testing.TB, l layout.Layout, w *artifact.Writer, n int, prompt string) *Session {
	t.Helper()
	s, err := Prepare(w, iteration(l, n), preparation(prompt))
	require.NoError(t, err)
	text, err := s.Prompt()
	require.NoError(t, err)
	require.NoError(t, s.Payload(text))
	_, err = s.Finish(outcome())
	require.NoError(t, err)
	require.Empty(t, s.Show())
	return s
}

// tree is every file below a folder, as one text, with the workspace's name taken out.
func tree(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		if filepath.Base(path) == SumsFile { // of files that name the workspace
			lines, err := readSums(path)
			require.NoError(t, err)
			data = nil
			for _, one := range lines {
				data = append(data, "(hash)  "+one.path+"\n"...)
			}
		}
		text := strings.ReplaceAll(string(data), root, "(root)")
		for _, hash := range []string{"executionPlanHash"} {
			text = mask(text, hash)
		}
		fmt.Fprintf(&b, "-- %s --\n%s", filepath.ToSlash(rel), text)
		return err
	}))
	return b.String()
}

// mask hides a hash that is over the name of the workspace.
func mask(text, key string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if before, _, ok := strings.Cut(line, `"`+key+`": "sha256:`); ok {
			line = before + `"` + key + "\": \"sha256:…\",\n"
		} else if strings.HasPrefix(line, "- Execution plan hash: sha256:") {
			line = "- Execution plan hash: sha256:…\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestA58EveryFileOfAnIteration(t *testing.T) {
	l, w := workspace(t)
	finished(t, l, w, 7, "Do it.\n")
	got := tree(t, l.Root)
	golden := filepath.Join("testdata", "iteration.golden")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)

	res, ok := state.ReadIteration(object(t, l.Iteration(7).Result))
	require.True(t, ok, "the store itself reads its result back")
	assert.Equal(t, 7, res.Number)
}

func object(t *testing.T, path string) *stable.Object {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	o, err := stable.ParseObject(data)
	require.NoError(t, err)
	return o
}

func TestA56OneHashFromPromptToPayload(t *testing.T) {
	l, w := workspace(t)
	s := finished(t, l, w, 7, "Do it: <>&\u2028 no newline at the end")
	p := l.Iteration(7)
	prompt, err := os.ReadFile(p.Prompt)
	require.NoError(t, err)
	plan, err := os.ReadFile(p.ExecutionPlan)
	require.NoError(t, err)
	assert.Equal(t, "Do it: <>&\u2028 no newline at the end", string(prompt), "to the byte")
	want := stable.Hash(prompt)
	for path, keys := range map[string][]string{
		p.ExecutionPlan: {"promptHash"}, p.CLIInvocation: {"promptHash", "stdinHash"}, l.Latest().Result: {"promptHash"},
		filepath.Join(s.dir, BundleFile): {"promptHash", "executionPayloadHash"}, p.ExecutionSummary: {"promptHash", "executionPayloadHash"},
	} {
		for _, key := range keys {
			assert.Equal(t, want, object(t, path).Text(key), "%s in %s", key, l.Rel(path))
		}
	}
	for _, path := range []string{l.Latest().Result, filepath.Join(s.dir, BundleFile), p.ExecutionSummary} {
		assert.Equal(t, stable.Hash(plan), object(t, path).Text("executionPlanHash"), l.Rel(path))
	}
	assert.NotContains(t, string(plan), "executionPlanHash", "a file can't hold its own hash")
}

func TestA57TamperingStopsTheLaunch(t *testing.T) {
	for _, c := range []struct {
		stage  string
		tamper func(l layout.Layout, n int) error
		send   func(string) string
	}{
		{stage: StagePlan, tamper: func(l layout.Layout, n int) error { return appendTo(l.Iteration(n).ExecutionPlan, " ") }},
		{stage: StagePlan, tamper: func(l layout.Layout, n int) error { return os.Remove(l.Iteration(n).ExecutionPlan) }},
		{stage: StagePrompt, tamper: func(l layout.Layout, n int) error { return appendTo(l.Iteration(n).Prompt, "and rm -rf /\n") }},
		{stage: StagePrompt, tamper: func(l layout.Layout, n int) error { return os.RemoveAll(l.Iteration(n).Prompt) }},
		{stage: StagePayload, send: func(text string) string { return text + " " }},
	} {
		t.Run(c.stage, func(t *testing.T) {
			l, w := workspace(t)
			s, err := Prepare(w, iteration(l, 7), preparation("Do it.\n"))
			require.NoError(t, err)
			if c.tamper != nil {
				require.NoError(t, c.tamper(l, 7))
			}
			text, err := s.Prompt()
			if c.send != nil {
				require.NoError(t, err)
				err = s.Payload(c.send(text))
			}
			var failure *Failure
			require.ErrorAs(t, err, &failure)
			assert.Equal(t, c.stage, failure.Stage)
			assert.NoError(t, failure.NotWritten)

			record := object(t, filepath.Join(s.dir, "provenance-failure.json"))
			assert.Equal(t, "integrityFailure", record.Text("kind"))
			assert.Equal(t, c.stage, record.Text("stage"))
			latest := l.Latest()
			for _, path := range []string{latest.ProvenanceFailure, latest.Result} {
				assert.Equal(t, "integrityFailure", object(t, path).Text("kind"), l.Rel(path))
			}
			page, err := os.ReadFile(latest.Summary)
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(string(page), "# Ralph Provenance Failure 7\n"), "%s", page)
			bundle := object(t, filepath.Join(s.dir, BundleFile))
			assert.Equal(t, Blocked, bundle.Text("status"))
			assert.Equal(t, failure.Message, bundle.Text("mismatchReason"))
			matched, _ := bundle.Get("executionPayloadMatched")
			assert.Equal(t, false, matched)
			assert.NoFileExists(t, l.Iteration(7).Result)
			assert.NoFileExists(t, l.Iteration(7).CLIInvocation)

			v, err := Verify(l, s.ID())
			require.NoError(t, err)
			assert.Empty(t, v.Differences, "the evidence of the failure is whole")
		})
	}
}

func appendTo(path, text string) error {
	data, err := os.ReadFile(path)
	return errors.Join(err, os.WriteFile(path, append(data, text...), 0o600))
}

func TestWhatIsWrittenVerifies(t *testing.T) {
	l, w := workspace(t)
	for n := range 40 {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		prompt := make([]byte, r.IntN(3000))
		for i := range prompt {
			prompt[i] = byte(r.Uint32())
		}
		s, err := Prepare(w, iteration(l, n+1), preparation(string(prompt)))
		require.NoError(t, err)
		if n%5 > 0 {
			text, err := s.Prompt()
			require.NoError(t, err)
			require.NoError(t, s.Payload(text))
			o := outcome()
			o.Stdout, o.Transcript = bytes.Repeat([]byte("é\n"), r.IntN(400_000)), nil
			if n%5 == 1 {
				o = Outcome{Result: o.Result}
			}
			_, err = s.Finish(o)
			require.NoError(t, err)
		}
		v, err := Verify(l, s.ID())
		require.NoError(t, err)
		assert.True(t, v.OK(), "%+v", v)
		assert.Greater(t, v.Files, 8)
		assert.Equal(t, n+1, v.Iteration)
	}
}

// Every byte of every file that has a sum is one of those that matter. The sums themselves are held against the files.
func TestAnyFlippedByteIsFoundAndNamed(t *testing.T) {
	l, w := workspace(t)
	s := finished(t, l, w, 7, "Do it.\n")
	lines, err := readSums(filepath.Join(s.dir, SumsFile))
	require.NoError(t, err)
	require.Greater(t, len(lines), 20)
	r := rand.New(rand.NewPCG(7, 7))
	for _, one := range append(lines, line{path: SumsFile}) {
		path := filepath.Join(s.dir, filepath.FromSlash(one.path))
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		for range min(len(data), 12) {
			i := r.IntN(len(data))
			bad := bytes.Clone(data)
			bad[i] ^= 1 << r.IntN(8)
			require.NoError(t, os.WriteFile(path, bad, 0o600))
			v, err := Verify(l, s.ID())
			require.NoError(t, err)
			require.False(t, v.OK(), "byte %d of %s", i, one.path)
			if one.path != SumsFile {
				var named []string
				for _, d := range v.Differences {
					named = append(named, d.Path)
				}
				assert.Contains(t, named, l.Rel(path))
			}
		}
		require.NoError(t, os.WriteFile(path, data, 0o600))
	}
	v, err := Verify(l, s.ID())
	require.NoError(t, err)
	assert.True(t, v.OK())
}

func TestSumsAreThoseOfTheSystem(t *testing.T) {
	tool, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip("no sha256sum on this system")
	}
	l, w := workspace(t)
	s := finished(t, l, w, 7, "Do it.\n")
	check := func() (string, error) {
		cmd := exec.Command(tool, "-c", "--quiet", SumsFile)
		cmd.Dir = s.dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := check()
	require.NoError(t, err, out)
	require.NoError(t, appendTo(l.Iteration(7).Stdout, "more"))
	out, err = check()
	require.Error(t, err)
	assert.Contains(t, out, "iteration-007/stdout.log: FAILED")
}

func TestWhatRetentionTookIsNoDifference(t *testing.T) {
	l, w := workspace(t)
	s := finished(t, l, w, 7, "Do it.\n")
	finished(t, l, w, 8, "Then that.\n")
	it := iteration(l, 7)
	require.NoError(t, os.Remove(it.Transcript))
	require.NoError(t, os.Remove(it.PromptFile))
	v, err := Verify(l, s.ID())
	require.NoError(t, err)
	assert.True(t, v.OK(), "%+v", v.Differences)
	assert.Len(t, v.Gone, 2)

	require.NoError(t, os.Remove(it.Paths.Stdout))
	v, err = Verify(l, s.ID())
	require.NoError(t, err)
	require.Len(t, v.Differences, 1, "one file of a folder that is there was taken by somebody")
	assert.Equal(t, Difference{Path: l.Rel(it.Paths.Stdout), What: "it is gone", Want: v.Differences[0].Want}, v.Differences[0])

	require.NoError(t, os.RemoveAll(it.Paths.Dir))
	v, err = Verify(l, s.ID())
	require.NoError(t, err)
	assert.True(t, v.OK(), "%+v", v.Differences)
	assert.Greater(t, len(v.Gone), 10)

	require.NoError(t, os.Remove(filepath.Join(s.dir, "prompt.md")))
	v, err = Verify(l, s.ID())
	require.NoError(t, err)
	assert.False(t, v.OK(), "a bundle is whole, or it is not")
}

func TestVerifyLooksOnlyInTheWorkspace(t *testing.T) {
	l, w := workspace(t)
	s := finished(t, l, w, 7, "Do it.\n")
	require.NoError(t, appendTo(filepath.Join(s.dir, SumsFile), strings.Repeat("0", 64)+"  ../../../../../outside\n"))
	v, err := Verify(l, s.ID())
	require.NoError(t, err)
	require.Len(t, v.Differences, 1)
	assert.Contains(t, v.Differences[0].What, "outside the workspace")

	for _, id := range []string{"..", "a/b", "", "run-i999-cli-20260317T120000Z"} {
		_, err := Verify(l, id)
		assert.Error(t, err, id)
	}
}

func TestBundlesAreListedByNumber(t *testing.T) {
	l, w := workspace(t)
	for _, n := range []int{999, 2, 1000} {
		_, err := Prepare(w, iteration(l, n), preparation("x"))
		require.NoError(t, err)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(l.Bundles, "20261130-123"), 0o755))
	ids, err := List(l)
	require.NoError(t, err)
	assert.Equal(t, []string{"run-i1000-cli-20260317T120000Z", "run-i999-cli-20260317T120000Z", "run-i002-cli-20260317T120000Z"}, ids)
}

func TestBlockedByPreflight(t *testing.T) {
	l, w := workspace(t)
	it := iteration(l, 7)
	_, err := BlockedByPreflight(w, it, []byte(preflightReport), []byte("# Ralph Preflight 7\n"), "Preflight blocked.", func() time.Time { return at(1) })
	require.NoError(t, err)
	v, err := Verify(l, it.ProvenanceID)
	require.NoError(t, err)
	assert.True(t, v.OK(), "%+v", v)
	assert.Equal(t, Blocked, v.Status)
	bundle := object(t, filepath.Join(l.Bundles, it.ProvenanceID, BundleFile))
	for _, key := range []string{"promptHash", "executionPlanHash", "promptByteLength", "promptArtifactPath", "executionPlanPath"} {
		got, ok := bundle.Get(key)
		assert.True(t, ok, key)
		assert.Nil(t, got, key)
	}
}

func TestCapKeepsHeadAndTail(t *testing.T) {
	long := []byte("head" + strings.Repeat("é", maxText) + "tail")
	got := Cap(long)
	assert.LessOrEqual(t, len(got), maxText)
	assert.True(t, strings.HasPrefix(string(got), "head"))
	assert.True(t, strings.HasSuffix(string(got), "tail"))
	assert.Contains(t, string(got), "bytes are left out here")
	assert.Equal(t, []byte("short"), Cap([]byte("short")))

	var text Text
	for i := range len(long) / 1000 {
		text.Add(string(long[i*1000 : (i+1)*1000]))
	}
	text.Add(string(long[len(long)/1000*1000:]))
	assert.Equal(t, string(got), string(text.Bytes()), "in pieces as in one")
	assert.Less(t, len(text.kept), 2*maxText+1)
}

func TestA62SummariesAreMadeAgain(t *testing.T) {
	l, w := workspace(t)
	finished(t, l, w, 7, "Do it.\n")
	latest := l.Latest()
	before := map[string][]byte{}
	for _, path := range []string{latest.Summary, latest.ProvenanceSummary} {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		before[path] = data
	}
	for range 2 {
		for path := range before {
			require.NoError(t, os.Remove(path))
		}
		require.NoError(t, os.WriteFile(latest.PreflightSummary, []byte("mine\n"), 0o600))
		repaired, stale, err := artifact.Repair(context.Background(), l)
		require.NoError(t, err)
		assert.Equal(t, []string{l.Rel(latest.Summary), l.Rel(latest.ProvenanceSummary)}, repaired)
		assert.Empty(t, stale)
		for path, want := range before {
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got), l.Rel(path))
		}
	}
	mine, err := os.ReadFile(latest.PreflightSummary)
	require.NoError(t, err)
	assert.Equal(t, "mine\n", string(mine), "what is there is not written over")

	require.NoError(t, os.Remove(latest.PreflightSummary))
	require.NoError(t, os.Remove(latest.Summary))
	require.NoError(t, os.WriteFile(latest.Result, []byte(`{"iteration": 7}`), 0o600))
	repaired, stale, err := artifact.Repair(context.Background(), l)
	require.NoError(t, err)
	assert.Empty(t, repaired)
	assert.Equal(t, []string{l.Rel(latest.Result), l.Rel(latest.PreflightReport)}, stale, "records that lack what a text needs")
}

// A repository with a commit, something staged, something changed and something stashed is the same behind all that the store can do.
func TestA68TheRepositoryIsNotWritten(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git on this system")
	}
	l, w := workspace(t)
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir = l.Root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	file := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(l.Root, name), []byte(text), 0o600))
	}
	git("init", "-q")
	file("a", "1")
	git("add", "a")
	git("commit", "-qm", "one")
	file("a", "2")
	git("stash")
	file("a", "3")
	git("add", "a")
	file("a", "4")
	look := func() string {
		var b strings.Builder
		require.NoError(t, filepath.WalkDir(filepath.Join(l.Root, ".git"), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				hash, failed := hashFile(path)
				fmt.Fprintln(&b, path, hash, failed)
			}
			return err
		}))
		return b.String()
	}
	before := look()

	s := finished(t, l, w, 7, "Do it.\n")
	require.NoError(t, artifact.Registry{Layout: l}.Register(t.Context(), s.Entries()...))
	blocked, err := Prepare(w, iteration(l, 8), preparation("Do it.\n"))
	require.NoError(t, err)
	require.Error(t, blocked.Payload("other"))
	require.NoError(t, os.Remove(l.Latest().Summary))
	_, _, err = artifact.Repair(t.Context(), l)
	require.NoError(t, err)
	_, err = Verify(l, s.ID())
	require.NoError(t, err)
	_, err = artifact.Registry{Layout: l}.Reconcile(t.Context())
	require.NoError(t, err)
	assert.Equal(t, before, look())
}

func BenchmarkIteration(b *testing.B) {
	l, w := workspace(b)
	prompt := strings.Repeat("Do it well.\n", 500)
	n := 0
	for b.Loop() {
		n++
		finished(b, l, w, n, prompt)
	}
}

// A bundle whose process was killed while it was written anew is checked by both sums; that is no way to smuggle a byte in.
func TestBundleThatWasBeingWrittenAnew(t *testing.T) {
	l, w := workspace(t)
	s, err := Prepare(w, iteration(l, 7), preparation("Do it.\n"))
	require.NoError(t, err)
	files := func(names ...string) (out [][]byte) {
		for _, name := range names {
			data, err := os.ReadFile(s.file(name))
			require.NoError(t, err)
			out = append(out, data)
		}
		return out
	}
	write := func(name string, data []byte) { require.NoError(t, os.WriteFile(s.file(name), data, 0o600)) }
	before := files(SumsFile, BundleFile, "summary.md")
	text, err := s.Prompt()
	require.NoError(t, err)
	require.NoError(t, s.Payload(text))
	_, err = s.Finish(outcome())
	require.NoError(t, err)
	after := files(SumsFile, BundleFile, "summary.md")

	verify := func() *Verified {
		v, err := Verify(l, s.ID())
		require.NoError(t, err)
		return v
	}
	write(SumsFile, before[0])
	assert.False(t, verify().OK(), "without the sums that were to be, the new bundle is another one")
	write(NextSums, after[0])
	for _, c := range []struct{ bundle, page []byte }{{before[1], before[2]}, {after[1], before[2]}, {after[1], after[2]}} {
		write(BundleFile, c.bundle)
		write("summary.md", c.page)
		v := verify()
		assert.True(t, v.OK(), "%+v", v.Differences)
		assert.Contains(t, strings.Join(v.Notes, "\n"), "was killed in the middle")
	}
	for _, name := range []string{"summary.md", "cli-invocation.json", "prompt.md"} {
		whole := files(name)[0]
		write(name, append(bytes.Clone(whole), ' '))
		assert.False(t, verify().OK(), name)
		require.NoError(t, os.Remove(s.file(name)))
		assert.Equal(t, name == "summary.md", verify().OK(), "%s, the only one that may be missing", name)
		write(name, whole)
	}
	write(NextSums, []byte("no sums\n"))
	assert.False(t, verify().OK())
}
