package retention

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/layout"
)

type ctx = context.Context

// Each reference that protects, and what it must save. Iteration 1 is the old one; the rest of the workspace is newer. What is not named in want goes.
func TestA59_EachReferenceSavesItsTarget(t *testing.T) {
	l := workspace(t)
	latest := l.Latest()
	prompt := l.PromptFile("iteration", 1)
	transcript, last := l.RunFiles("iteration", 1)
	it := l.Iteration(1)
	run := func(f fields) fields { return fields{"iteration": 9, "promptKind": "iteration"}.with(f) }
	result := func(f fields) fields { return f }
	type row struct {
		name  string
		file  string
		value any // a string is text
		want  string
	}
	rows := []row{
		{"state lastPromptPath", l.State, fields{"lastPromptPath": prompt}, "P"},
		{"state lastRun.promptPath", l.State, fields{"lastRun": run(fields{"promptPath": prompt}), "lastIteration": fields{}}, "P"},
		{"state lastRun.transcriptPath", l.State, fields{"lastRun": run(fields{"transcriptPath": transcript})}, "R"},
		{"state lastRun.lastMessagePath", l.State, fields{"lastRun": run(fields{"lastMessagePath": last})}, "R"},
		{"state lastRun without an iteration", l.State, fields{"lastRun": fields{"promptPath": prompt, "transcriptPath": transcript}}, "PR"},
		{"state lastIteration.artifactDir", l.State, fields{"lastIteration": fields{"artifactDir": it.Dir}}, "I"},
		{"state lastIteration.promptPath", l.State, fields{"lastIteration": fields{"promptPath": prompt}}, "P"},
		{"state lastIteration.execution", l.State, fields{"lastIteration": fields{"execution": fields{"transcriptPath": transcript}}}, "R"},
		{"state lastIteration.execution last message", l.State, fields{"lastIteration": fields{"execution": fields{"lastMessagePath": last}}}, "R"},
		{"state runHistory", l.State, fields{"lastIteration": fields{}, "iterationHistory": []any{fields{}}, "runHistory": []any{fields{"promptPath": prompt}, fields{}}, "lastRun": fields{}}, "P"},
		{"state runHistory transcript", l.State, fields{"lastIteration": fields{}, "iterationHistory": []any{fields{}}, "runHistory": []any{fields{"transcriptPath": transcript}, fields{}}, "lastRun": fields{}}, "R"},
		{"state iterationHistory", l.State, fields{"iterationHistory": []any{fields{"artifactDir": it.Dir}, fields{}}, "lastIteration": fields{}}, "I"},
		{"state iterationHistory prompt", l.State, fields{"iterationHistory": []any{fields{"promptPath": prompt}, fields{}}, "lastIteration": fields{}}, "P"},
		{"state derives from lastRun", l.State, fields{"lastRun": fields{"iteration": 1, "promptKind": "iteration"}}, "IPR"},
		{"state derives from runHistory", l.State, fields{"runHistory": []any{fields{"iteration": 1, "promptKind": "iteration"}, fields{}}}, "IPR"},
		{"state with iterations derives nothing", l.State, fields{"lastRun": fields{"iteration": 1, "promptKind": "iteration"}, "lastIteration": fields{}, "iterationHistory": []any{fields{}}}, ""},
		{"state other fields", l.State, fields{"lastIteration": fields{"summaryPath": it.Summary}, "path": prompt}, ""},

		{"result artifactDir", latest.Result, result(fields{"artifactDir": it.Dir}), "I"},
		{"result summaryPath", latest.Result, result(fields{"summaryPath": it.Summary}), "I"},
		{"result promptPath", latest.Result, result(fields{"promptPath": prompt}), "P"},
		{"result promptArtifactPath", latest.Result, result(fields{"promptArtifactPath": it.Prompt}), "I"},
		{"result transcriptPath", latest.Result, result(fields{"transcriptPath": transcript}), "R"},
		{"result lastMessagePath", latest.Result, result(fields{"lastMessagePath": last}), "R"},
		{"result other fields", latest.Result, result(fields{"executionPlanPath": it.ExecutionPlan, "cliInvocationPath": it.CLIInvocation}), ""},

		{"preflight artifactDir", latest.PreflightReport, fields{"artifactDir": it.Dir}, "I"},
		{"preflight reportPath", latest.PreflightReport, fields{"reportPath": it.PreflightReport}, "I"},
		{"preflight summaryPath", latest.PreflightReport, fields{"summaryPath": it.PreflightSummary}, "I"},
		{"preflight saves no prompt and no run", latest.PreflightReport, fields{"artifactDir": prompt, "reportPath": transcript, "promptPath": prompt}, ""},

		{"evidence kind and iteration", latest.PromptEvidence, fields{"kind": "iteration", "iteration": 1}, "IP"},
		{"evidence of an unknown kind", latest.PromptEvidence, fields{"kind": "other", "iteration": 1}, ""},
		{"evidence of no iteration", latest.PromptEvidence, fields{"kind": "iteration", "iteration": 0}, ""},

		{"plan artifactDir", latest.ExecutionPlan, fields{"artifactDir": it.Dir}, "I"},
		{"plan promptPath", latest.ExecutionPlan, fields{"promptPath": prompt}, "P"},
		{"plan promptArtifactPath", latest.ExecutionPlan, fields{"promptArtifactPath": it.Prompt}, "I"},
		{"plan executionPlanPath", latest.ExecutionPlan, fields{"executionPlanPath": it.ExecutionPlan}, "I"},
		{"plan saves no run", latest.ExecutionPlan, fields{"promptPath": transcript}, ""},

		{"invocation promptArtifactPath", latest.CLIInvocation, fields{"promptArtifactPath": it.Prompt}, "I"},
		{"invocation cliInvocationPath", latest.CLIInvocation, fields{"cliInvocationPath": it.CLIInvocation}, "I"},
		{"invocation transcriptPath", latest.CLIInvocation, fields{"transcriptPath": transcript}, "R"},
		{"invocation lastMessagePath", latest.CLIInvocation, fields{"lastMessagePath": last}, "R"},

		{"summary heading", latest.Summary, "# Ralph Iteration 1\n", "I"},
		{"preflight summary heading", latest.PreflightSummary, "# Ralph Preflight 1\n", "I"},
		{"failure heading", latest.Summary, "# Ralph Provenance Failure 1\n", "I"},
		{"provenance line", latest.ProvenanceSummary, "# Ralph Provenance x\n\n- Iteration: 1\n", "I"},
		{"summary bullets save no prompt", latest.Summary, "- Prompt: " + prompt + "\n- Other: " + it.Dir + "\n", ""},
		{"relative paths", latest.Result, fields{"artifactDir": ".ralph/artifacts/iteration-001", "promptPath": "iteration-001.prompt.md"}, ""},
		{"paths that only begin alike", latest.Result, fields{"artifactDir": it.Dir + "0", "promptPath": l.Prompts + "x/iteration-001.prompt.md"}, ""},
		{"no JSON", latest.Result, "{", ""},
	}
	for _, key := range []string{"Prompt", "Report", "Preflight report", "Preflight summary", "Iteration artifact dir"} {
		rows = append(rows, row{"summary bullet " + key, latest.Summary, "- " + key + ": " + it.Summary + "\n", "I"})
	}
	for _, key := range bundleKeys {
		rows = append(rows, row{"bundle " + key, latest.ProvenanceBundle, fields{key: it.Prompt}, "I"},
			row{"bundle saves no prompt by " + key, latest.ProvenanceBundle, fields{key: prompt}, ""}, row{"bundle saves no run by " + key, latest.ProvenanceBundle, fields{key: transcript}, ""})
	}
	for _, key := range failureKeys {
		rows = append(rows, row{"failure " + key, latest.ProvenanceFailure, fields{key: it.Prompt}, "I"},
			row{"failure saves no prompt by " + key, latest.ProvenanceFailure, fields{key: prompt}, ""})
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			root := t.TempDir()
			l, err := layout.New(root, layout.Overrides{})
			require.NoError(t, err)
			for _, n := range []int{1, 9, 10} {
				iteration(t, l, n)
			}
			rel, err := filepath.Rel(workspaceOf(it.Dir), r.file)
			require.NoError(t, err)
			if text, ok := r.value.(string); ok {
				put(t, filepath.Join(root, rel), moved(text, workspaceOf(it.Dir), root).(string))
			} else {
				putJSON(t, filepath.Join(root, rel), moved(r.value, workspaceOf(it.Dir), root))
			}
			p, err := Prune(t.Context(), l, Keep{Generated: 2, Bundles: 2})
			require.NoError(t, err)
			got := ""
			for _, c := range []struct {
				letter string
				of     Category
				want   string
			}{{"I", p.Iterations, "iteration-001"}, {"P", p.Prompts, "iteration-001.prompt.md"}, {"R", p.Runs, "iteration-001"}} {
				if len(c.of.Protected) > 0 {
					assert.Equal(t, []string{c.want}, c.of.Protected)
					got += c.letter
				} else {
					assert.Equal(t, []string{c.want}, c.of.Deleted)
				}
				assert.Len(t, c.of.Retained, 2+len(c.of.Protected))
			}
			assert.Equal(t, r.want, got)
		})
	}
}

func (f fields) with(more fields) fields {
	f = maps.Clone(f)
	maps.Copy(f, more)
	return f
}

func TestA59_EveryLatestFileSavesItsBundle(t *testing.T) {
	for i := range (layout.Latest{}).Paths() {
		l := workspace(t)
		iteration(t, l, 1)
		iteration(t, l, 2)
		put(t, l.Latest().Paths()[i], "x "+filepath.Join(l.Bundles, bundleID(1), "summary.md")+".\n")
		p, err := Prune(t.Context(), l, Keep{Generated: 0, Bundles: 1})
		require.NoError(t, err)
		assert.Equal(t, []string{bundleID(1)}, p.Bundles.Protected, l.Latest().Paths()[i])
	}
}

func TestAPersonsCleanupDoesNotCountHistories(t *testing.T) {
	l := workspace(t)
	for n := range 6 {
		iteration(t, l, n+1)
	}
	putJSON(t, l.State, fields{"lastPromptPath": l.PromptFile("iteration", 2), "iterationHistory": []any{
		fields{"artifactDir": l.Iteration(1).Dir}, fields{"artifactDir": l.Iteration(3).Dir},
	}, "lastIteration": fields{"artifactDir": l.Iteration(4).Dir}, "runHistory": []any{fields{"promptPath": l.PromptFile("iteration", 1)}}, "lastRun": fields{}})
	shown, err := Preview(l, Keep{Generated: 1, Bundles: 1}, now)
	require.NoError(t, err)
	assert.Equal(t, []string{"iteration-004"}, shown.Plan.Iterations.Protected)
	assert.Equal(t, []string{"iteration-002.prompt.md"}, shown.Plan.Prompts.Protected)
	p, err := planFor(l, Histories, Keep{Generated: 1, Bundles: 1}, false)
	require.NoError(t, err)
	assert.Equal(t, []string{"iteration-004", "iteration-003", "iteration-001"}, p.Iterations.Protected)
	assert.Equal(t, []string{"iteration-002.prompt.md", "iteration-001.prompt.md"}, p.Prompts.Protected)
}

// Whatever is protected: all that stays without it stays with it, only what it names stays besides, and each name has one fate.
func TestA59_ProtectionOnlyAdds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	l := workspace(t)
	for range 500 {
		s, p := Snapshot{Layout: l}, Protected{map[int]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
		for range r.IntN(30) {
			n := r.IntN(1200)
			prompt, run := derivedNames("iteration", n)
			s.Iterations = append(s.Iterations, layout.IterationName(n), fmt.Sprintf("iteration-%d", n))
			s.Prompts = append(s.Prompts, prompt)
			s.Runs = append(s.Runs, run+transcriptEnd)
			s.Bundles = append(s.Bundles, bundleID(n), fmt.Sprintf("run-%d", n))
			if r.IntN(3) == 0 {
				p.Iterations[n], p.Prompts[prompt], p.Runs[run], p.Bundles[bundleID(n)] = true, true, true, true
			}
		}
		k := Keep{Generated: r.IntN(6), Bundles: r.IntN(6)}
		with, without := Compute(s, p, k, true), Compute(s, Protected{}, k, true)
		for _, c := range [][2]Category{{with.Iterations, without.Iterations}, {with.Prompts, without.Prompts}, {with.Runs, without.Runs}, {with.Bundles, without.Bundles}} {
			with, without := c[0], c[1]
			for _, name := range without.Retained {
				require.Contains(t, with.Retained, name)
			}
			for _, name := range with.Protected {
				require.Contains(t, without.Deleted, name)
				require.Contains(t, with.Retained, name)
			}
			require.Len(t, with.Retained, len(without.Retained)+len(with.Protected))
			all := slices.Sorted(slices.Values(slices.Concat(with.Deleted, with.Retained)))
			require.Equal(t, slices.Compact(slices.Clone(all)), all)
			require.Equal(t, slices.Sorted(slices.Values(slices.Concat(without.Deleted, without.Retained))), all)
		}
		require.Equal(t, with, Compute(s, p, k, true), "the plan is a pure function")
	}
}

func BenchmarkPrune1000Iterations(b *testing.B) {
	l := workspace(b)
	for n := range 1000 {
		iteration(b, l, n+1)
	}
	for b.Loop() {
		if _, err := Preview(l, Keep{Generated: 25, Bundles: 25}, now); err != nil {
			b.Fatal(err)
		}
	}
}

func workspaceOf(iterationDir string) string {
	return filepath.Dir(filepath.Dir(filepath.Dir(iterationDir)))
}

// moved is a value with its paths below another root.
func moved(v any, from, to string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, from, to)
	case fields:
		out := fields{}
		for key, one := range v {
			out[key] = moved(one, from, to)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = moved(one, from, to)
		}
		return out
	}
	return v
}
