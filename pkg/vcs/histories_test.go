package vcs_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// scenery is a kind of repository that random histories play in.
type scenery struct {
	name  string
	build func(t *testing.T) *vcstest.Repo
	lines bool // see wild
	// refused says that the library may refuse everything here; elsewhere it has to tell something.
	refused bool
}

var sceneries = []scenery{
	{name: "plain", build: func(t *testing.T) *vcstest.Repo { return vcstest.NewRepo(t) }},
	{name: "line ends", lines: true, build: begun},
	{name: "detached", build: func(t *testing.T) *vcstest.Repo {
		r := begun(t)
		r.Git("checkout", "-q", "--detach")
		return r
	}},
	{name: "shallow", build: func(t *testing.T) *vcstest.Repo {
		r := begun(t)
		for range 3 {
			r.Commit("more")
		}
		dir := filepath.Join(t.TempDir(), "shallow")
		r.Git("clone", "-q", "--depth", "2", "file://"+r.Dir, dir)
		s := r.At(dir)
		s.Git("config", "user.name", "Test Author")
		s.Git("config", "user.email", "test@example.org")
		require.FileExists(t, s.Path(".git/shallow"))
		return s
	}},
	{name: "linked worktree", build: func(t *testing.T) *vcstest.Repo {
		r := begun(t)
		dir := filepath.Join(filepath.Dir(r.Dir), "linked")
		r.Git("worktree", "add", "-q", "-b", "linked", dir)
		return r.At(dir)
	}},
	{name: "submodule", refused: true, build: func(t *testing.T) *vcstest.Repo {
		r, inner := begun(t), begun(t)
		r.Git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.Dir, "sub")
		r.Commit("with a submodule")
		r.Write("sub/a", "changed inside")
		return r
	}},
}

// begun is a repository with something in it.
func begun(t *testing.T) *vcstest.Repo {
	t.Helper()
	r := vcstest.NewRepo(t)
	for _, name := range []string{"a", "d/e/f", "x.log", "b c"} {
		r.Write(name, strings.Repeat("line of "+name+"\n", 8))
	}
	r.Commit("begun")
	return r
}

// history lets git and go-git work on one wild repository and compares all that both can tell. What the library refuses, it must not have
// touched.
func history(t *testing.T, sc scenery, seed uint64, steps int) {
	rnd := rand.New(rand.NewPCG(seed, 11))
	r := sc.build(t)
	env := append(r.Env[:len(r.Env):len(r.Env)], "GIT_AUTHOR_DATE=1769677926 +0100", "GIT_COMMITTER_DATE=1769677926 +0100")
	w := &wild{rnd: rnd, r: r, names: wildNames, lines: sc.lines}
	open := func(backend string) vcs.Repo {
		v, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: env, Backend: backend, Exclude: []string{}})
		require.NoError(t, err)
		return v
	}
	git, auto, alone := open("git"), open("auto"), open("go-git")
	require.Equal(t, "go-git", alone.Kind())
	var revs []vcs.Rev
	told := 0
	for range steps {
		var ours []string
		for range 1 + rnd.IntN(5) {
			n := w.change()
			switch rnd.IntN(3) {
			case 0:
				_, _ = r.TryGit("add", "-A", "--", ":(literal)"+n) // an ignored one is refused
			case 1:
				if fi, err := os.Lstat(r.Path(n)); err != nil || !fi.IsDir() {
					ours = append(ours, n)
				}
			}
		}
		if sameStatus(t, r, git, auto, alone) {
			told++
		}
		// The same commit by both, from the same state: the commit's name and what is left in the index must be the same.
		before := backup(t, r)
		start := outcome{index: r.Git("ls-files", "-s", "-z"), status: flat(t, r)}
		want := commitBy(t, r, git, ours)
		restore(t, r, before)
		got := commitBy(t, r, alone, ours)
		if errors.Is(got.err, vcs.ErrUnsupported) {
			require.Equal(t, start.index, got.index, "seed %d: a refusal touches nothing", seed)
			require.Equal(t, start.status, got.status, "seed %d: a refusal touches nothing", seed)
			got = commitBy(t, r, git, ours)
		} else {
			told++
		}
		require.Equal(t, want.err == nil, got.err == nil, "seed %d: commit of %q: git %v, go-git %v", seed, ours, want.err, got.err)
		want.err, got.err = nil, nil
		require.Equal(t, want, got, "seed %d: commit of %q", seed, ours)
		r.Git("fsck", "--strict", "--no-dangling")
		if got.res.Rev != "" {
			revs = append(revs, got.res.Rev)
		}
		if !sc.refused { // the index, that is; where HEAD is it tells in a test of its own
			agree(t, alone, git, wildNames, revs)
		}
		agree(t, auto, git, wildNames, revs)
		if len(revs) > 1 {
			from, to := revs[rnd.IntN(len(revs))], revs[rnd.IntN(len(revs))]
			d, err := alone.DiffStat(t.Context(), from, to)
			require.NoError(t, err)
			out := r.Git("diff", "--shortstat", "-M100%", string(from)+"..."+string(to))
			require.Equal(t, shortstat(out), d, "seed %d: %s", seed, out)
		}
	}
	assert.True(t, told > 0 || sc.refused, "seed %d: the library refused everything", seed)
}

// sameStatus compares what all know of the tree: the letters of each path and, of renames, which only git tells, both ends. It returns
// false if the library refused to answer.
func sameStatus(t *testing.T, r *vcstest.Repo, git, auto, alone vcs.Repo) bool {
	t.Helper()
	byGit, err := git.Status(t.Context())
	require.NoError(t, err)
	byAuto, err := auto.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, byGit, byAuto)
	lines := flat(t, r)
	paths := map[string]bool{}
	for _, c := range byGit.Changes {
		for _, p := range c.Paths() {
			paths[p] = true
		}
	}
	byLibrary, err := alone.Status(t.Context())
	if errors.Is(err, vcs.ErrUnsupported) {
		return false
	}
	require.NoError(t, err)
	var got []string
	for _, c := range byLibrary.Changes {
		got = append(got, vcs.RawOf(c))
		require.True(t, paths[c.Path], "%q, to git it is clean", c.Path)
	}
	require.Equal(t, lines, got, "status")
	for p := range paths {
		require.True(t, byLibrary.Has(p), "%q, to the library it is clean", p)
	}
	return true
}

// outcome is what a commit did to a repository.
type outcome struct {
	res    vcs.CommitResult
	index  string
	status []string
	err    error
}

func commitBy(t *testing.T, r *vcstest.Repo, v vcs.Repo, paths []string) (o outcome) {
	t.Helper()
	o.res, o.err = v.Commit(t.Context(), vcs.CommitRequest{Message: "m  \n\n\n\nbody ", Paths: slices.Clone(paths)})
	if o.err != nil {
		t.Logf("%s refuses %q: %v", v.Kind(), paths, o.err)
		o.res = vcs.CommitResult{}
	}
	o.index, o.status = r.Git("ls-files", "-s", "-z"), flat(t, r)
	return o
}

// gitFolder is what belongs to a repository besides its tree, shared parts included.
func gitFolder(r *vcstest.Repo) string {
	dir := r.Git("rev-parse", "--git-common-dir")
	if !filepath.IsAbs(dir) {
		dir = r.Path(dir)
	}
	return dir
}

// backup and restore keep index and refs, which is all that a commit of ours may change but for new objects.
func backup(t *testing.T, r *vcstest.Repo) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "git")
	require.NoError(t, exec.Command("cp", "-a", gitFolder(r), dir).Run())
	return dir
}

func restore(t *testing.T, r *vcstest.Repo, dir string) {
	t.Helper()
	at := gitFolder(r)
	require.NoError(t, os.RemoveAll(at))
	require.NoError(t, exec.Command("cp", "-a", dir, at).Run())
}

// shortstat reads " 3 files changed, 4 insertions(+), 1 deletion(-)".
func shortstat(s string) (d vcs.DiffStat) {
	for part := range strings.SplitSeq(s, ",") {
		var n int
		var what string
		if _, err := fmt.Sscan(part, &n, &what); err != nil {
			continue
		}
		switch {
		case strings.HasPrefix(what, "file"):
			d.Files = n
		case strings.HasPrefix(what, "insertion"):
			d.Additions = n
		case strings.HasPrefix(what, "deletion"):
			d.Deletions = n
		}
	}
	return d
}

// One history in each kind of repository; more of them as a fuzz target: make fuzz FUZZ=FuzzGitAndTheLibraryAgree.
func TestGitAndTheLibraryAgree(t *testing.T) {
	t.Parallel()
	for i, sc := range sceneries {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			history(t, sc, uint64(i), 5)
		})
	}
}

func FuzzGitAndTheLibraryAgree(f *testing.F) {
	f.Add(uint64(1000))
	f.Fuzz(func(t *testing.T, seed uint64) { history(t, sceneries[seed%uint64(len(sceneries))], seed, 6) })
}
