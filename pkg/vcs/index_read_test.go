package vcs_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

func openIndex(t *testing.T, dir string, extra ...string) *vcs.Index {
	t.Helper()
	x, err := vcs.OpenIndex(t.Context(), dir, append(vcstest.Env(t), extra...))
	require.NoError(t, err)
	return x
}

// staged reads files and names each with its content.
func staged(t *testing.T, x *vcs.Index, files []vcs.StagedFile, err error) map[string]string {
	t.Helper()
	require.NoError(t, err)
	contents, err := x.Read(t.Context(), files)
	require.NoError(t, err)
	out := map[string]string{}
	for i, f := range files {
		out[f.Path] = string(contents[i])
	}
	return out
}

func TestIndexIsNotTheWorkingTree(t *testing.T) {
	t.Parallel()
	r := vcstest.NewRepo(t)
	r.Write("docs/a.md", "committed\n")
	r.Write("docs/same.md", "same\n")
	r.Write("docs/gone.md", "gone\n")
	r.Commit("start")
	r.Write("docs/a.md", "staged\n")
	r.Write("docs/new name.md", "")
	r.Write("docs/[x].md", "no newline")
	r.Write("docs/binary.md", "\x00\n\x00\n")
	r.Git("add", ".")
	r.Git("rm", "-q", "docs/gone.md")
	r.Write("docs/a.md", "edited since\n")
	r.Write("docs/announced.md", "later\n")
	r.Git("add", "-N", "docs/announced.md")
	r.Write("docs/unknown.md", "never added\n")
	require.NoError(t, os.Symlink("a.md", r.Path("docs/link.md")))
	r.Git("add", "docs/link.md")

	x := openIndex(t, r.Path("docs"))
	assert.Equal(t, r.Dir, x.Root())
	files, err := x.Changed(t.Context(), nil)
	changed := map[string]string{"docs/a.md": "staged\n", "docs/new name.md": "", "docs/[x].md": "no newline", "docs/binary.md": "\x00\n\x00\n"}
	assert.Equal(t, changed, staged(t, x, files, err))

	files, err = x.Files(t.Context(), []string{"docs"})
	changed["docs/same.md"] = "same\n"
	assert.Equal(t, changed, staged(t, x, files, err))

	files, err = x.Files(t.Context(), []string{"docs/[x].md"})
	assert.Equal(t, map[string]string{"docs/[x].md": "no newline"}, staged(t, x, files, err), "a path is no pattern")

	touched, err := x.Touched(t.Context())
	require.NoError(t, err)
	assert.Equal(t, map[string]byte{"docs/a.md": 'M', "docs/new name.md": 'A', "docs/[x].md": 'A', "docs/binary.md": 'A', "docs/link.md": 'A', "docs/gone.md": 'D'}, touched)

	files, err = x.Some(t.Context(), []string{"docs/a.md", "docs/gone.md", "nowhere"})
	assert.Equal(t, map[string]string{"docs/a.md": "staged\n"}, staged(t, x, files, err))

	for _, name := range []string{"docs/unknown.md", "docs/gone.md"} {
		_, err = x.Files(t.Context(), []string{name})
		require.ErrorIs(t, err, fs.ErrNotExist, name)
		assert.ErrorContains(t, err, name)
	}
}

func TestIndexBeforeTheFirstCommit(t *testing.T) {
	t.Parallel()
	r := vcstest.NewRepo(t)
	r.Write("a.md", "a")
	r.Git("add", ".")
	x := openIndex(t, r.Dir)
	files, err := x.Changed(t.Context(), nil)
	assert.Equal(t, map[string]string{"a.md": "a"}, staged(t, x, files, err))
}

// A hook of `git commit FILE` is told of an index that only holds that file.
func TestIndexOfTheEnvironment(t *testing.T) {
	t.Parallel()
	r := vcstest.NewRepo(t)
	r.Write("a.md", "1")
	r.Write("b.md", "1")
	r.Commit("start")
	r.Write("a.md", "2")
	r.Write("b.md", "2")
	r.Git("add", "b.md")
	r.Hook("pre-commit", `cp "$GIT_INDEX_FILE" kept`)
	r.Git("commit", "-q", "-m", "only a", "a.md")
	r.Git("reset", "-q", "--soft", "HEAD~1")
	x := openIndex(t, r.Dir, "GIT_INDEX_FILE="+r.Path("kept"))
	files, err := x.Changed(t.Context(), nil)
	assert.Equal(t, map[string]string{"a.md": "2"}, staged(t, x, files, err))
}

func TestIndexRel(t *testing.T) {
	t.Parallel()
	r := vcstest.NewRepo(t)
	r.Write("docs/a.md", "a")
	r.Commit("start")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(r.Dir, link))
	x := openIndex(t, filepath.Join(link, "docs"))
	for name, want := range map[string]string{"a.md": "docs/a.md", "../b": "b", ".": "docs", "..": ".", filepath.Join(link, "docs", "a.md"): "docs/a.md", r.Path("x/y"): "x/y"} {
		got, err := x.Rel(name)
		require.NoError(t, err, name)
		assert.Equal(t, want, got, name)
	}
	for _, name := range []string{"../../x", filepath.Dir(r.Dir)} {
		_, err := x.Rel(name)
		assert.ErrorIs(t, err, vcs.ErrOutside, name)
	}
}

func TestIndexElsewhere(t *testing.T) {
	t.Parallel()
	_, err := vcs.OpenIndex(t.Context(), t.TempDir(), vcstest.Env(t))
	require.ErrorIs(t, err, vcs.ErrNotRepo)

	r := vcstest.NewRepo(t)
	r.Write("a.md", "1")
	r.Commit("start")
	r.Git("switch", "-q", "-c", "other")
	r.Write("a.md", "2")
	r.Commit("other")
	r.Git("switch", "-q", "main")
	r.Write("a.md", "3")
	r.Commit("main")
	_, _ = r.TryGit("merge", "other")
	_, err = openIndex(t, r.Dir).Files(t.Context(), nil)
	assert.ErrorContains(t, err, "a.md is not merged yet")
}

func BenchmarkIndexOf300Plans(b *testing.B) {
	r := vcstest.NewRepo(b)
	for i := range 300 {
		r.Write(fmt.Sprintf("docs/plans/plan%d.md", i), fmt.Sprintf("# Plan %d\n", i))
	}
	r.Git("add", ".")
	env := vcstest.Env(b)
	for b.Loop() {
		x, err := vcs.OpenIndex(b.Context(), r.Dir, env)
		if err != nil {
			b.Fatal(err)
		}
		files, err := x.Changed(b.Context(), []string{"docs/plans"})
		if err != nil || len(files) != 300 {
			b.Fatal(len(files), err)
		}
		if _, err := x.Read(b.Context(), files); err != nil {
			b.Fatal(err)
		}
	}
}
