package vcs_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// counted opens a repository through a git that writes each of its verbs down first.
func counted(t testing.TB, r *vcstest.Repo) (vcs.Repo, func() []string) {
	t.Helper()
	real, err := exec.LookPath("git")
	require.NoError(t, err)
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	tool := filepath.Join(dir, "git")
	require.NoError(t, os.WriteFile(tool, fmt.Appendf(nil, "#!/bin/sh\necho \"$1\" >>'%s'\nexec '%s' \"$@\"\n", log, real), 0o755))
	v, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env, Command: tool})
	require.NoError(t, err)
	return v, func() []string {
		b, err := os.ReadFile(log)
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		os.Remove(log)
		return strings.Fields(string(b))
	}
}

// What each question and deed costs in processes is a promise: a run may take nine, a task three.
func TestProcesses(t *testing.T) {
	r := vcstest.NewRepo(t)
	r.Write("a", "1")
	first := vcs.Rev(r.Commit("first"))
	r.Write("a", "2")
	second := vcs.Rev(r.Commit("second"))
	v, verbs := counted(t, r)
	ctx := t.Context()
	for _, row := range []struct {
		name string
		do   func() error
		want []string
	}{
		{"head", func() error { _, err := v.Head(ctx); return err }, nil},
		{"default branch", func() error { _, err := v.DefaultBranch(ctx); return err }, nil},
		{"branch exists", func() error { _, err := v.BranchExists(ctx, "main"); return err }, nil},
		{"branch holder", func() error { _, err := v.BranchHolder(ctx, "main"); return err }, nil},
		{"unfinished", func() error { _, err := v.InProgress(ctx); return err }, nil},
		{"tracked", func() error { _, err := v.Tracked(ctx, "a"); return err }, nil},
		{"identity", func() error { return v.Identity(ctx) }, nil},
		{"tree hash", func() error { _, err := v.TreeHash(ctx, first); return err }, nil},
		{"path at", func() error { _, err := v.PathAt(ctx, first, "a"); return err }, nil},
		{"ancestor", func() error { _, err := v.IsAncestor(ctx, first, second); return err }, nil},
		{"log", func() error { _, err := v.Log(ctx, first, second, 10); return err }, nil},
		{"create branch", func() error { return v.CreateBranch(ctx, "x") }, []string{"update-ref", "symbolic-ref"}},
		{"commit a change", func() error {
			r.Write("a", "3")
			_, err := v.Commit(ctx, vcs.CommitRequest{Message: "m", Paths: []string{"a"}})
			return err
		}, []string{"commit"}},
		{"commit a new file", func() error {
			r.Write("b", "3")
			_, err := v.Commit(ctx, vcs.CommitRequest{Message: "m", Paths: []string{"a", "b"}})
			return err
		}, []string{"add", "commit"}},
		{"nothing to commit", func() error {
			_, err := v.Commit(ctx, vcs.CommitRequest{Message: "m"})
			return err
		}, nil},
		{"status", func() error { _, err := v.Status(ctx); return err }, []string{"status"}},
		{"fingerprint", func() error { _, err := v.Fingerprint(ctx); return err }, []string{"status"}},
		{"fingerprint of a status", func() error {
			s, err := v.Status(ctx)
			verbs()
			if err == nil {
				_, err = v.FingerprintOf(ctx, s)
			}
			return err
		}, nil},
		{"diff stat", func() error { _, err := v.DiffStat(ctx, first, second); return err }, []string{"diff"}},
		{"commit with a hook that is content", func() error {
			r.Hook("pre-commit", "exit 0")
			r.Write("a", "4")
			_, err := v.Commit(ctx, vcs.CommitRequest{Message: "m", Paths: []string{"a"}})
			return err
		}, []string{"commit", "status", "diff-tree"}},
	} {
		verbs()
		require.NoError(t, row.do(), row.name)
		assert.Equal(t, row.want, nilIfEmpty(verbs()), row.name)
	}
}

func nilIfEmpty(s []string) []string {
	if len(s) == 0 {
		return nil
	}
	return s
}

// Random histories: both engines give the same answers to all questions, and every commit of ours holds what it should, no more.
func TestEnginesAgree(t *testing.T) {
	names := []string{"a", "b c", "ü/é", "d/e/f", "-x", "q\"q", "n\nl", "d/*", ":(top)z"}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 7))
			r := vcstest.NewRepo(t)
			auto := r.Open(t)
			cli, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env, Backend: "git"})
			require.NoError(t, err)
			var revs []vcs.Rev
			for step := range 14 {
				var ours []string
				for _, n := range names {
					switch rnd.IntN(6) {
					case 0:
						r.Write(n, fmt.Sprint(step, n))
						ours = append(ours, n)
					case 1:
						r.Remove(n)
						ours = append(ours, n)
					case 2:
						r.Write(n, fmt.Sprint("mine", step))
					case 3:
						r.Write(n, fmt.Sprint("staged", step))
						r.Git("add", "-A", "--", ":(literal)"+n)
					}
				}
				before := theirs(t, auto, ours)
				res, err := auto.Commit(t.Context(), vcs.CommitRequest{Message: fmt.Sprintf("step %d\nmore", step), Paths: ours})
				require.NoError(t, err)
				assert.Equal(t, before, theirs(t, auto, ours), "what isn't ours stays as it was")
				st, err := auto.Status(t.Context())
				require.NoError(t, err)
				for _, p := range ours {
					assert.False(t, st.Has(p), "%q is clean after its commit", p)
				}
				if res.Rev != "" {
					revs = append(revs, res.Rev)
				}
				switch rnd.IntN(6) {
				case 0:
					r.Git("gc", "-q")
				case 1:
					r.Git("pack-refs", "--all")
				case 2:
					if len(revs) > 0 {
						require.NoError(t, auto.CreateBranch(t.Context(), vcs.Branch(fmt.Sprintf("b/%d", step))))
					}
				}
				agree(t, auto, cli, names, revs)
			}
		})
	}
}

// theirs lists the letters of all paths but ours.
func theirs(t *testing.T, v vcs.Repo, ours []string) []string {
	t.Helper()
	s, err := v.Status(t.Context())
	require.NoError(t, err)
	out := []string{}
	for _, c := range s.Without(ours...).Changes {
		if c.From == "" { // a rename's other end may be ours
			out = append(out, c.String())
		}
	}
	return out
}

// agree asks two repositories the same questions.
func agree(t *testing.T, a, b vcs.Repo, names []string, revs []vcs.Rev) {
	t.Helper()
	type answers struct {
		Head    vcs.Head
		Default vcs.Branch
		Tracked []bool
		At      []string
		Tree    []string
		Log     []vcs.LogEntry
		Old     bool
		Held    string
	}
	ask := func(v vcs.Repo) (x answers) {
		ctx, must := t.Context(), func(err error) { t.Helper(); require.NoError(t, err) }
		var err error
		x.Head, err = v.Head(ctx)
		must(err)
		x.Default, err = v.DefaultBranch(ctx)
		must(err)
		x.Held, err = v.BranchHolder(ctx, x.Head.Branch)
		must(err)
		for _, n := range names {
			ok, err := v.Tracked(ctx, n)
			must(err)
			x.Tracked = append(x.Tracked, ok)
		}
		if len(revs) == 0 {
			return x
		}
		first, last := revs[0], revs[len(revs)-1]
		for _, n := range names {
			h, err := v.PathAt(ctx, last, n)
			must(err)
			x.At = append(x.At, h)
		}
		tree, err := v.TreeHash(ctx, last)
		must(err)
		x.Tree = append(x.Tree, tree)
		x.Log, err = v.Log(ctx, first, last, 5)
		must(err)
		x.Old, err = v.IsAncestor(ctx, last, first)
		must(err)
		return x
	}
	require.Equal(t, ask(b), ask(a))
}

// One handle serves several goroutines.
func TestConcurrentReads(t *testing.T) {
	r := vcstest.NewRepo(t)
	r.Write("a", "1")
	rev := vcs.Rev(r.Commit("first"))
	r.Git("gc", "-q")
	v := r.Open(t)
	errs := make(chan error)
	for range 8 {
		go func() {
			_, err := v.TreeHash(t.Context(), rev)
			if err == nil {
				_, err = v.Head(t.Context())
			}
			errs <- err
		}()
	}
	for range 8 {
		require.NoError(t, <-errs)
	}
}
