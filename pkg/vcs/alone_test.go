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

// flat tells a status with renames as two lines each, so that backends that know renames compare with those that don't.
func flat(t *testing.T, r *vcstest.Repo) []string {
	t.Helper()
	out := r.Git("status", "--porcelain=v2", "-z", "-uall", "--no-renames")
	var lines []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if entry != "" {
			lines = append(lines, entry)
		}
	}
	return lines
}

// told is the status of a backend in the same form.
func told(t *testing.T, v vcs.Repo) []string {
	t.Helper()
	s, err := v.Status(t.Context())
	require.NoError(t, err)
	var lines []string
	for _, c := range s.Changes {
		lines = append(lines, vcs.RawOf(c))
	}
	return lines
}

// wild changes a working tree in every way that a random number brings up: contents, modes, links, folders, ignored files, the index.
type wild struct {
	rnd   *rand.Rand
	r     *vcstest.Repo
	names []string
	step  int
}

var wildNames = []string{"a", "b c", "ü/é", "d/e/f", "d/e/g", "d", "-x", "q\"q", "n\nl", "d2/*", ":(top)z", "x.log", "build/out.o", "build/keep", "logs/y.log", ".gitignore", "d/.gitignore", "tab\t", "back\\s"}

var wildIgnores = []string{"*.log\n", "build/\n", "/build/*\n!/build/keep\n", "*.o\n!*.log\n", "# nothing\n\n", "logs/**\n", "**/e/f\n", "[a-b]*\n!a\n", "ü\n", "d/e\n", "\\!x\n*.l?g  \n", "q\"q\nn*\n"}

func (w *wild) file() string { return w.names[w.rnd.IntN(len(w.names))] }

// change does one thing to one file and returns its name.
func (w *wild) change() string {
	w.step++
	n := w.file()
	at := w.r.Path(n)
	w.clear(n)
	switch w.rnd.IntN(8) {
	case 0:
		os.RemoveAll(at)
	case 1:
		os.RemoveAll(at)
		_ = os.Symlink(fmt.Sprint("to", w.rnd.IntN(2)), at)
	case 2:
		w.write(n)
		_ = os.Chmod(at, 0o755)
	default:
		w.write(n)
	}
	return n
}

// clear makes room: a folder of the name goes, and files where its folders should be.
func (w *wild) clear(n string) {
	if fi, err := os.Lstat(w.r.Path(n)); err == nil && fi.IsDir() {
		os.RemoveAll(w.r.Path(n))
	}
	for dir := filepath.Dir(n); dir != "."; dir = filepath.Dir(dir) {
		if fi, err := os.Lstat(w.r.Path(dir)); err == nil && !fi.IsDir() {
			os.Remove(w.r.Path(dir))
		}
	}
	_ = os.MkdirAll(filepath.Dir(w.r.Path(n)), 0o755)
}

func (w *wild) write(n string) {
	if fi, err := os.Lstat(w.r.Path(n)); err == nil && !fi.Mode().IsRegular() {
		os.RemoveAll(w.r.Path(n))
	}
	if strings.HasSuffix(n, ".gitignore") {
		w.r.Write(n, wildIgnores[w.rnd.IntN(len(wildIgnores))])
		return
	}
	w.r.Write(n, fmt.Sprint(w.rnd.IntN(3), "\n", n, "\n", strings.Repeat("line\n", w.rnd.IntN(3))))
}

// history lets git and go-git work on one wild repository and compares all that both can tell.
func history(t *testing.T, seed uint64, steps int) {
	rnd := rand.New(rand.NewPCG(seed, 11))
	r := vcstest.NewRepo(t)
	env := append(r.Env[:len(r.Env):len(r.Env)], "GIT_AUTHOR_DATE=1769677926 +0100", "GIT_COMMITTER_DATE=1769677926 +0100")
	w := &wild{rnd: rnd, r: r, names: wildNames}
	git, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: env, Backend: "git", Exclude: []string{}})
	require.NoError(t, err)
	alone, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: env, Backend: "go-git", Exclude: []string{}})
	require.NoError(t, err)
	require.Equal(t, "go-git", alone.Kind())
	var revs []vcs.Rev
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
		require.Equal(t, flat(t, r), told(t, alone), "seed %d: status", seed)
		// The same commit by both, from the same state: the commit's name and what is left in the index must be the same.
		before := backup(t, r)
		tried := func(v vcs.Repo) (vcs.CommitResult, string, []string) {
			res, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m  \n\n\n\nbody ", Paths: ours})
			if err != nil {
				t.Logf("%s refuses %q: %v", v.Kind(), ours, err)
				return res, "refused", flat(t, r)
			}
			return res, r.Git("ls-files", "-s", "-z"), flat(t, r)
		}
		want, wantIndex, wantStatus := tried(git)
		restore(t, r, before)
		got, gotIndex, gotStatus := tried(alone)
		require.Equal(t, want, got, "seed %d: commit of %q", seed, ours)
		require.Equal(t, wantIndex, gotIndex, "seed %d: index after the commit of %q", seed, ours)
		require.Equal(t, wantStatus, gotStatus, "seed %d: status after the commit of %q", seed, ours)
		r.Git("fsck", "--strict", "--no-dangling")
		if got.Rev != "" {
			revs = append(revs, got.Rev)
		}
		agree(t, alone, git, wildNames, revs)
		if len(revs) > 1 {
			from, to := revs[rnd.IntN(len(revs))], revs[rnd.IntN(len(revs))]
			d, err := alone.DiffStat(t.Context(), from, to)
			require.NoError(t, err)
			out := r.Git("diff", "--shortstat", "-M100%", string(from)+"..."+string(to))
			require.Equal(t, shortstat(out), d, "seed %d: %s", seed, out)
		}
	}
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

// backup and restore keep index and refs, which is all that a commit of ours may change but for new objects.
func backup(t *testing.T, r *vcstest.Repo) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "git")
	require.NoError(t, exec.Command("cp", "-a", r.Path(".git"), dir).Run())
	return dir
}

func restore(t *testing.T, r *vcstest.Repo, dir string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(r.Path(".git")))
	require.NoError(t, exec.Command("cp", "-a", dir, r.Path(".git")).Run())
}

func TestGitAndTheLibraryAgree(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			history(t, seed, 6)
		})
	}
}

func FuzzGitAndTheLibraryAgree(f *testing.F) {
	f.Add(uint64(1000))
	f.Fuzz(func(t *testing.T, seed uint64) { history(t, seed, 6) })
}

// Ignore rules are the one language here that people write by hand: patterns from a small alphabet, asked of git and of us.
func TestIgnoreRulesAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	parts := []string{"a", "b", "*", "**", "?", "/", "/", "[ab]", "[!a]", "[^b-z]", "\\*", "!", " ", "\\ ", "[[:alpha:]]", ".x", "#", "[a-]", "[]a]", "\\"}
	r := vcstest.NewRepo(t)
	files := []string{"a", "b", "ab", "a/a", "a/b", "b/a/b", "a.x", "b/.x", "a/b/a.x", "*", "a ", " a", "#", "!a", "b/*", "a\\"}
	for range 60 {
		var b strings.Builder
		for range 1 + rnd.IntN(3) {
			for range 1 + rnd.IntN(6) {
				b.WriteString(parts[rnd.IntN(len(parts))])
			}
			b.WriteString("\n")
		}
		r.Write(".gitignore", b.String())
		alone, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env, Backend: "go-git"})
		require.NoError(t, err)
		cmd := exec.Command("git", "check-ignore", "-z", "--stdin")
		cmd.Dir, cmd.Env = r.Dir, r.Env
		cmd.Stdin = strings.NewReader("./" + strings.Join(files, "\x00./") + "\x00")
		answer, _ := cmd.Output() // exit 1: none is ignored
		ignored := map[string]bool{}
		for f := range strings.SplitSeq(string(answer), "\x00") {
			ignored[strings.TrimPrefix(f, "./")] = true
		}
		for _, f := range files {
			got, err := alone.Ignored(t.Context(), f)
			require.NoError(t, err)
			assert.Equal(t, ignored[f], got, "%q by %q", f, b.String())
		}
	}
}
