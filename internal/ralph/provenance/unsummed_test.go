package provenance

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// names verifies a bundle, and returns the paths that differ and the notes as one text.
func names(t *testing.T, l layout.Layout, id string) (paths []string, notes string) {
	t.Helper()
	v, err := Verify(l, id)
	require.NoError(t, err)
	for _, d := range v.Differences {
		paths = append(paths, filepath.ToSlash(d.Path))
	}
	return paths, strings.Join(v.Notes, "\n")
}

// Whatever becomes of a file of the newest session, it is named: cut, emptied, renamed, taken away, or that of another session.
func TestWhateverBecomesOfAFileItIsNamed(t *testing.T) {
	l, w := workspace(t)
	other := finished(t, l, w, 7, "Do that first.\n")
	s := finished(t, l, w, 8, "Do it.\n")
	lines, err := readSums(s.file(SumsFile))
	require.NoError(t, err)
	for _, one := range append(lines, line{path: SumsFile}) {
		path := filepath.Join(s.dir, filepath.FromSlash(one.path))
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		named := func(what string) {
			t.Helper()
			paths, _ := names(t, l, s.ID())
			assert.Contains(t, paths, filepath.ToSlash(l.Rel(path)), "%s: %s", one.path, what)
		}
		if len(data) > 0 {
			require.NoError(t, os.WriteFile(path, data[:len(data)/2], 0o600))
			named("cut")
			require.NoError(t, os.WriteFile(path, nil, 0o600))
			named("emptied")
		}
		was := filepath.Join(other.dir, filepath.FromSlash(strings.NewReplacer("-008", "-007").Replace(one.path)))
		theirs, err := os.ReadFile(was)
		require.NoError(t, err)
		if string(theirs) != string(data) && one.path != SumsFile { // with the sums of another session everything is another's
			require.NoError(t, os.WriteFile(path, theirs, 0o600))
			named("of another session")
		}
		require.NoError(t, os.Remove(path))
		named("taken away")
		require.NoError(t, os.WriteFile(path+".old", data, 0o600))
		named("renamed")
		require.NoError(t, os.Remove(path+".old"))
		require.NoError(t, os.WriteFile(path, data, 0o600))
	}
	paths, notes := names(t, l, s.ID())
	assert.Empty(t, paths)
	assert.Empty(t, notes)
}

// A file that is changed, and whose line is taken out of the sums, does not pass for one that came later. One with a name of its own is told of.
func TestFilesWithoutSums(t *testing.T) {
	l, w := workspace(t)
	s := finished(t, l, w, 7, "Do it.\n")
	sums, err := os.ReadFile(s.file(SumsFile))
	require.NoError(t, err)
	require.Contains(t, string(sums), "  ../../iteration-007/context-envelope.json\n")
	for one := range strings.Lines(string(sums)) {
		require.NoError(t, os.WriteFile(s.file(SumsFile), []byte(strings.Replace(string(sums), one, "", 1)), 0o600))
		path := filepath.Join(s.dir, filepath.FromSlash(strings.TrimSuffix(one[66:], "\n")))
		if !strings.HasPrefix(path, l.Artifacts) {
			continue // nothing tells that a prompt or a transcript ought to be there
		}
		paths, _ := names(t, l, s.ID())
		assert.Contains(t, paths, filepath.ToSlash(l.Rel(path)))
	}
	require.NoError(t, os.WriteFile(s.file(SumsFile), sums, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(l.Iteration(7).Dir, "notes.txt"), nil, 0o600))
	require.NoError(t, os.WriteFile(s.file("more.txt"), nil, 0o600))
	paths, notes := names(t, l, s.ID())
	assert.Empty(t, paths)
	assert.Contains(t, notes, "came after the sums, and nothing is known of it: ")
	assert.Contains(t, notes, "iteration-007/notes.txt")
	assert.Contains(t, notes, s.ID()+"/more.txt")
}

// The journal of a run has a sum of its own, since it grows behind the bundle's.
func TestTheJournalIsHeldAgainstItsSum(t *testing.T) {
	l, w := workspace(t)
	s := finished(t, l, w, 7, "Do it.\n")
	journal, sum := s.file("events.jsonl"), s.file("events.jsonl.sha256")
	const one, two = "{\"seq\":1}\n", "{\"seq\":2}\n"
	right := sumOf([]byte(one+two)) + "  events.jsonl\n"
	for _, c := range []struct{ name, journal, sum, differs, note string }{
		{"neither", "", "", "", ""},
		{"both", one + two, right, "", ""},
		{"not closed", one, "", "", "events.jsonl has no sum: its run was cut off, or goes on"},
		{"gone on with", one + two + two, right, "", "events.jsonl has lines behind those that were summed"},
		{"changed", one + one, right, "events.jsonl", ""},
		{"cut", one, right, "events.jsonl", ""},
		{"emptied", "\n", right, "events.jsonl", ""},
		{"taken away", "", right, "events.jsonl", ""},
		{"another's sum", one + two, sumOf([]byte(one+two)) + "  prompt.md\n", "events.jsonl.sha256", ""},
		{"no sum", one + two, "x\n", "events.jsonl.sha256", ""},
	} {
		for path, text := range map[string]string{journal: c.journal, sum: c.sum} {
			_ = os.Remove(path)
			if text != "" {
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
		}
		paths, notes := names(t, l, s.ID())
		if c.differs == "" {
			assert.Empty(t, paths, c.name)
		} else {
			assert.Equal(t, []string{filepath.ToSlash(l.Rel(s.file(c.differs)))}, paths, c.name)
		}
		if c.note == "" {
			assert.Empty(t, notes, c.name)
		}
		assert.Contains(t, notes, c.note, c.name)
	}
}

// A bundle whose record was taken away is a bundle all the same.
func TestARecordThatIsGoneIsMissed(t *testing.T) {
	l, w := workspace(t)
	before := finished(t, l, w, 6, "Do that.\n")
	s := finished(t, l, w, 7, "Do it.\n")
	require.NoError(t, os.Remove(s.file(BundleFile)))
	ids, err := List(l)
	require.NoError(t, err)
	assert.Equal(t, []string{s.ID(), before.ID()}, ids)
	paths, _ := names(t, l, s.ID())
	assert.Equal(t, []string{filepath.ToSlash(l.Rel(s.file(BundleFile)))}, paths)

	require.NoError(t, os.Remove(l.Latest().ProvenanceBundle))
	_, err = Restore(l)
	require.NoError(t, err)
	assert.Equal(t, before.ID(), object(t, l.Latest().ProvenanceBundle).Text("provenanceId"), "the newest that is whole")
}

// What retention may have taken is gone, and what it never takes is missed: the newest of each kind stays.
func TestTheNewestOfAKindIsMissed(t *testing.T) {
	l, w := workspace(t)
	s := finished(t, l, w, 7, "Do it.\n")
	finished(t, l, w, 6, "Do that.\n")
	it := iteration(l, 7)
	for _, path := range []string{it.Transcript, it.LastMessage, it.PromptFile, it.Paths.Dir} {
		require.NoError(t, os.Rename(path, path+".away"))
		v, err := Verify(l, s.ID())
		require.NoError(t, err)
		assert.False(t, v.OK(), path)
		assert.Empty(t, v.Gone, path)
		require.NoError(t, os.Rename(path+".away", path))
	}
	finished(t, l, w, 8, "And that.\n")
	for _, path := range []string{it.Transcript, it.LastMessage, it.PromptFile, it.Paths.Dir} {
		require.NoError(t, os.RemoveAll(path))
		v, err := Verify(l, s.ID())
		require.NoError(t, err)
		assert.True(t, v.OK(), path)
		assert.NotEmpty(t, v.Gone, path)
	}
}

// What a bundle without an execution is stands in its notes: a prompt for elsewhere, a session that never began, one whose end nobody saw.
func TestBundlesWithoutAnExecutionSayWhy(t *testing.T) {
	l, w := workspace(t)
	it := iteration(l, 7)
	s, err := Prepare(w, it, preparation("Do it.\n"))
	require.NoError(t, err)
	_, notes := names(t, l, s.ID())
	assert.Contains(t, notes, "it was prepared and is not finished")
	o := outcome()
	o.Invocation, o.Result.Summary = nil, "the gate stopped it"
	_, err = s.Finish(o)
	require.NoError(t, err)
	_, notes = names(t, l, s.ID())
	assert.Equal(t, "no session of its task was started: the gate stopped it", notes)

	it = iteration(l, 8)
	it.Target, it.Transcript, it.LastMessage = "ideHandoff", "", ""
	s, err = Prepare(w, it, preparation("Do it.\n"))
	require.NoError(t, err)
	_, notes = names(t, l, s.ID())
	assert.Contains(t, notes, "prepared for a session elsewhere")
}

// A blocked preflight's report lies in the iteration's folder and in the bundle with the same bytes, and both have sums.
func TestABlockedPreflightIsSummed(t *testing.T) {
	l, w := workspace(t)
	s, err := BlockedByPreflight(w, iteration(l, 7), []byte(preflightReport), []byte("# Ralph Preflight 7\n"), "Preflight blocked.", func() time.Time { return at(1) })
	require.NoError(t, err)
	require.Empty(t, s.Show())
	paths := l.Preflight(7)
	for _, path := range []string{paths.PreflightReport, paths.PreflightSummary} {
		require.NoError(t, appendTo(path, " "))
		got, _ := names(t, l, s.ID())
		assert.Contains(t, got, filepath.ToSlash(l.Rel(path)))
	}
	latest := l.Latest()
	assert.Equal(t, "preflight", object(t, latest.Result).Text("kind"))
	assert.FileExists(t, latest.Summary)
	assert.FileExists(t, latest.PreflightSummary)
}

// The registry says whose the files are, and has those that only some sessions leave.
func TestEntries(t *testing.T) {
	l, w := workspace(t)
	it := iteration(l, 7)
	it.Role, it.Provider = "reviewer", "codex"
	s, err := Prepare(w, it, preparation("Do it.\n"))
	require.NoError(t, err)
	o := outcome()
	o.Others = []File{{Path: it.Paths.Remediation, Latest: l.Latest().Remediation, Data: []byte("{}\n")}, {Path: it.Paths.DoctrineProposal, Data: []byte("{}\n")}}
	_, err = s.Finish(o)
	require.NoError(t, err)
	require.Empty(t, s.Show())
	types := map[string]string{}
	for _, e := range s.Entries() {
		types[filepath.ToSlash(l.Rel(e.Path))] = e.Type
		assert.Equal(t, "reviewer codex T2", e.AgentRole+" "+e.Provider+" "+e.TaskID)
	}
	assert.Equal(t, "task-remediation", types[".ralph/artifacts/iteration-007/task-remediation.json"])
	assert.Equal(t, "doctrine-proposal-draft", types[".ralph/artifacts/iteration-007/doctrine-proposal.json"])
	assert.Equal(t, "latest-remediation.json", types[".ralph/artifacts/latest-remediation.json"])
}

// Sums that were written anew don't help who leaves the chain broken: bundle, plan, prompt and what was handed over name one hash.
func TestAChainThatIsBrokenIsSeenBehindRightSums(t *testing.T) {
	other := "sha256:" + strings.Repeat("0", 64)
	for _, c := range []struct {
		name string
		at   func(*Session) []string
		key  string
		what string
	}{
		{"payload", func(s *Session) []string { return []string{s.file(BundleFile)} }, "executionPayloadHash", "what was handed over was not the prompt"},
		{"stdin", func(s *Session) []string { return []string{s.file("cli-invocation.json"), s.it.Paths.CLIInvocation} }, "stdinHash", "what was handed over was not the prompt"},
		{"plan", func(s *Session) []string { return []string{s.file("execution-plan.json"), s.it.Paths.ExecutionPlan} }, "promptHash", "it is bound to another prompt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, w := workspace(t)
			s := finished(t, l, w, 7, "Do it.\n")
			sums, err := os.ReadFile(s.file(SumsFile))
			require.NoError(t, err)
			record, err := os.ReadFile(s.file(BundleFile))
			require.NoError(t, err)
			text, whole := string(sums), string(record)
			for _, path := range c.at(s) {
				data, err := os.ReadFile(path)
				require.NoError(t, err)
				bad := bytes.Replace(data, []byte(`"`+c.key+`": "`+s.in.PromptHash), []byte(`"`+c.key+`": "`+other), 1)
				require.NotEqual(t, data, bad)
				require.NoError(t, os.WriteFile(path, bad, 0o600))
				text = strings.ReplaceAll(text, strings.TrimPrefix(stable.Hash(data), "sha256:"), strings.TrimPrefix(stable.Hash(bad), "sha256:"))
				whole = strings.Replace(whole, stable.Hash(data), stable.Hash(bad), 1) // of the plan
			}
			if c.key != "executionPayloadHash" {
				require.NoError(t, os.WriteFile(s.file(BundleFile), []byte(whole), 0o600))
				text = strings.Replace(text, strings.TrimPrefix(stable.Hash(record), "sha256:"), strings.TrimPrefix(stable.Hash([]byte(whole)), "sha256:"), 1)
			}
			require.NoError(t, os.WriteFile(s.file(SumsFile), []byte(text), 0o600))
			v, err := Verify(l, s.ID())
			require.NoError(t, err)
			require.Len(t, v.Differences, 1, "%+v", v.Differences)
			assert.Equal(t, l.Rel(c.at(s)[0]), v.Differences[0].Path)
			assert.Equal(t, c.what, v.Differences[0].What)
		})
	}
}
