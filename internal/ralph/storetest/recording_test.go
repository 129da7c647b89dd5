package storetest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/retention"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

// recorder records iterations as a run does: number, prompt and plan, result and bundle, histories, registry, retention.
type recorder struct {
	layout.Layout
	w     *artifact.Writer
	state *state.Store
	keep  retention.Keep
}

func newRecorder(tb testing.TB, keep int) *recorder {
	tb.Helper()
	l, err := layout.New(tb.TempDir(), layout.Overrides{})
	require.NoError(tb, err)
	require.NoError(tb, os.MkdirAll(filepath.Join(l.Root, layout.Dir), 0o755))
	w, err := artifact.Open(l)
	require.NoError(tb, err)
	tb.Cleanup(func() { w.Close() })
	return &recorder{Layout: l, w: w, state: state.New(l.State, state.Options{Artifacts: l.Artifacts}), keep: retention.Keep{Generated: keep, Bundles: keep}}
}

// iteration records one. The parts that a run waits for come first.
func (r *recorder) iteration(ctx context.Context) error {
	n, err := r.state.Allocate(ctx)
	if err != nil {
		return err
	}
	session, res, err := r.session(n)
	if err != nil {
		return err
	}
	run := state.RunOf(res, "loop")
	if err := r.w.Sync(); err != nil {
		return err
	}
	if err := r.state.Record(ctx, res, &run, state.Prompt{Kind: res.PromptKind, Path: res.PromptPath}); err != nil {
		return err
	}
	if _, err := retention.Prune(ctx, r.Layout, r.keep); err != nil {
		return err
	}
	return artifact.Registry{Layout: r.Layout}.Register(ctx, session.Entries()...)
}

// session writes what binds a session and what it left: the files that a run writes in its own time.
func (r *recorder) session(n int) (*provenance.Session, state.Iteration, error) {
	transcript, last := r.RunFiles("iteration", n)
	it := artifact.Iteration{AgentID: "default", ProvenanceID: claim.ProvenanceID(n, claim.CLI, time.Now()), Paths: r.Iteration(n), Kind: "iteration", Target: artifact.CLIExec,
		PromptFile: r.PromptFile("iteration", n), Transcript: transcript, LastMessage: last, Reason: "the first that is open", Template: "task.txt", TaskID: "T2", TaskTitle: "Parse it",
		Policy: artifact.Policy{Workspace: r.Root, Inspection: r.Root, Strategy: "workspaceRoot", Selection: "the checkout", Summary: "the agent works in the workspace"}}
	s, err := provenance.Prepare(r.w, it, provenance.Preparation{Prompt: strings.Repeat("Do it well.\n", 500), PreflightReport: []byte("{}\n"), PreflightSummary: []byte("# Ralph Preflight\n"),
		Envelope: it.Envelope("implementer", "preset", []string{"prompt.md"}, nil)})
	if err != nil {
		return nil, state.Iteration{}, err
	}
	text, err := s.Prompt()
	if err != nil {
		return nil, state.Iteration{}, err
	}
	if err := s.Payload(text); err != nil {
		return nil, state.Iteration{}, err
	}
	said := []byte(strings.Repeat("I did a part of it.\n", 200))
	res, err := s.Finish(provenance.Outcome{Invocation: &artifact.Invocation{Command: "claude", Args: []string{"-p"}, At: time.Now()}, Stdout: said, Transcript: said, LastMessage: said[:20],
		Report:     artifact.CompletionReport{Status: "missing", TaskID: "T2"},
		Validation: &artifact.Validation{Command: "true", EachCommand: []artifact.CommandRun{{Command: "true"}}}, Outputs: [][]byte{[]byte("ok\n")},
		Diff: &artifact.Diff{Available: true, Git: true, Changed: []string{"a.go"}, Relevant: []string{"a.go"}}, State: &artifact.State{TaskID: "T2"},
		Verifiers: []artifact.Verifier{{Name: artifact.ValidationCommand, Status: artifact.Passed, Summary: "exit 0"}},
		Result:    state.Iteration{ExecutionStatus: "succeeded", VerificationStatus: "passed", Classification: "partial_progress", StartedAt: stable.Time(time.Now()), Summary: "a part"}})
	return s, res, err
}

// size counts what lies in the workspace.
func (r *recorder) size(tb testing.TB) (files int, bytes, index int64) {
	tb.Helper()
	require.NoError(tb, filepath.WalkDir(r.Root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files++
			bytes += info.Size()
			if path == r.Registry {
				index = info.Size()
			}
		}
		return err
	}))
	return files, bytes, index
}

// However many iterations there were, no more lies on the disk than the newest ones: evidence, histories, and the registry of it.
func TestTheDiskIsBoundedByRetention(t *testing.T) {
	r := newRecorder(t, 3)
	at := map[int][3]int64{}
	for n := 1; n <= 60; n++ {
		require.NoError(t, r.iteration(t.Context()))
		if n == 40 || n == 60 { // the histories are full, too
			files, bytes, index := r.size(t)
			at[n] = [3]int64{int64(files), bytes, index}
		}
	}
	assert.Equal(t, at[40][0], at[60][0], "files")
	assert.InDelta(t, at[40][1], at[60][1], 4096, "bytes: a number may have a digit more")
	assert.InDelta(t, at[40][2], at[60][2], 512, "bytes of the registry")
	entries, err := os.ReadDir(r.Bundles)
	require.NoError(t, err)
	assert.Len(t, entries, 3)
	dropped, err := artifact.Registry{Layout: r.Layout}.Reconcile(t.Context())
	require.NoError(t, err)
	assert.Empty(t, dropped, "the registry names nothing that is gone")
	ids, err := provenance.List(r.Layout)
	require.NoError(t, err)
	for _, id := range ids {
		v, err := provenance.Verify(r.Layout, id)
		require.NoError(t, err)
		assert.True(t, v.OK(), "%s: %+v", id, v.Differences)
	}
}

// BenchmarkRecording is the whole of an iteration's recording, with its waits for the disk, and the part that a run waits for. With -benchtime 1000x
// it shows what lies on the disk after 1,000 iterations.
func BenchmarkRecording(b *testing.B) {
	b.Run("iteration", func(b *testing.B) {
		r := newRecorder(b, 25)
		for b.Loop() {
			require.NoError(b, r.iteration(b.Context()))
		}
		files, bytes, index := r.size(b)
		b.ReportMetric(float64(files), "files")
		b.ReportMetric(float64(bytes)/1024, "disk-KiB")
		b.ReportMetric(float64(index)/1024, "index-KiB")
	})
	b.Run("in-the-run", func(b *testing.B) {
		r := newRecorder(b, 25)
		n := 0
		for b.Loop() {
			n++
			_, _, err := r.session(n)
			require.NoError(b, err)
		}
	})
	for _, n := range []int{25, 1000} {
		b.Run(fmt.Sprintf("registry-%d", n), func(b *testing.B) {
			r := newRecorder(b, 0) // nothing is deleted
			g := artifact.Registry{Layout: r.Layout}
			var all []artifact.Entry
			for i := range n {
				s, _, err := r.session(i + 1)
				require.NoError(b, err)
				all = append(all, s.Entries()...)
			}
			require.NoError(b, g.Register(b.Context(), all...))
			s, _, err := r.session(n + 1)
			require.NoError(b, err)
			for b.Loop() {
				require.NoError(b, g.Register(b.Context(), s.Entries()...))
			}
		})
	}
}
