package vcs_test

import (
	"context"
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

// wild changes a working tree in every way that a random number brings up: contents, modes, links, folders, ignored files, the index.
type wild struct {
	rnd   *rand.Rand
	r     *vcstest.Repo
	names []string
	step  int
	lines bool // line ends of all kinds, and attributes that speak of them
}

var wildNames = []string{"a", "b c", "ü/é", "d/e/f", "d/e/g", "d", "-x", "q\"q", "n\nl", "d2/*", ":(top)z", "x.log", "build/out.o", "build/keep", "logs/y.log", ".gitignore", "d/.gitignore", "tab\t", "back\\s"}

var wildIgnores = []string{"*.log\n", "build/\n", "/build/*\n!/build/keep\n", "*.o\n!*.log\n", "# nothing\n\n", "logs/**\n", "**/e/f\n", "[a-b]*\n!a\n", "ü\n", "d/e\n", "\\!x\n*.l?g  \n", "q\"q\nn*\n"}

var wildAttributes = []string{"* text=auto\n", "*.log text eol=crlf\n", "* -text\n", "a binary\n", "*.o binary\n* text\n", "e/* eol=lf\n", "# text\n", "* text\n*.log -text\n", "x.log !text\n"}

func (w *wild) file() string { return w.names[w.rnd.IntN(len(w.names))] }

// change does one thing to one file and returns its name.
func (w *wild) change() string {
	w.step++
	n := w.file()
	if w.rnd.IntN(6) == 0 {
		if from := w.moved(n); from != "" {
			return from
		}
	}
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

// moved renames some file to n, by the repository or behind its back, and every other time changes it a little. It returns the old name, ""
// if there was nothing to move.
func (w *wild) moved(n string) string {
	from := w.file()
	b, err := os.ReadFile(w.r.Path(from))
	if err != nil || from == n || strings.HasSuffix(from, ".gitignore") || strings.HasSuffix(n, ".gitignore") || strings.HasPrefix(n, from+"/") || strings.HasPrefix(from, n+"/") {
		return ""
	}
	w.clear(n)
	if _, err := w.r.TryGit("mv", "-f", "--", from, n); w.rnd.IntN(2) == 0 || err != nil {
		_ = os.RemoveAll(w.r.Path(n))
		_ = os.Remove(w.r.Path(from))
		w.r.Write(n, string(b))
	}
	if w.rnd.IntN(2) == 0 {
		w.r.Write(n, string(b)+"edited\n")
	}
	return from
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
	end := "\n"
	if w.lines {
		if w.rnd.IntN(3) == 0 {
			w.r.Write([]string{".gitattributes", "d/.gitattributes"}[w.rnd.IntN(2)], wildAttributes[w.rnd.IntN(len(wildAttributes))])
		}
		end = []string{"\n", "\n", "\r\n", "\r", "\r\n\n"}[w.rnd.IntN(5)]
	}
	w.r.Write(n, fmt.Sprint(w.rnd.IntN(3), end, n, end, strings.Repeat("line"+end, w.rnd.IntN(12))))
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

// What the library does has a deadline as a command has: a walk that takes for ever must not hang a run.
func TestTheLibraryHasADeadline(t *testing.T) {
	r := vcstest.NewRepo(t)
	r.Write("a.txt", "a\n")
	r.Git("add", "-A")
	first := r.Commit("one")
	r.Write("b.txt", "b\n")
	r.Git("add", "-A")
	second := r.Commit("two")
	r.Write("c.txt", "new\n")
	late, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Backend: "go-git", HookTimeout: 1})
	require.NoError(t, err)
	for what, call := range map[string]func() error{
		"status":    func() error { _, err := late.Status(t.Context()); return err },
		"log":       func() error { _, err := late.Log(t.Context(), "", vcs.Rev(second), 0); return err },
		"ancestor":  func() error { _, err := late.IsAncestor(t.Context(), vcs.Rev(first), vcs.Rev(second)); return err },
		"diff stat": func() error { _, err := late.DiffStat(t.Context(), vcs.Rev(first), vcs.Rev(second)); return err },
		"commit": func() error {
			_, err := late.Commit(t.Context(), vcs.CommitRequest{Message: "three", Paths: []string{"c.txt"}})
			return err
		},
		"snapshot": func() error { _, err := late.Snapshot(t.Context(), "refs/ralphex/wip/x/1", "x"); return err },
	} {
		assert.ErrorIs(t, call(), context.DeadlineExceeded, what)
	}
	assert.Equal(t, second, r.Git("rev-parse", "HEAD"), "nothing was committed")
	assert.NoFileExists(t, filepath.Join(r.Dir, ".git", "index.lock"))
}
