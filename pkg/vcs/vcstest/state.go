package vcstest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

var statusStories = []story{
	{"status/letters", func(t *testing.T, s *stage) {
		for _, f := range []string{"mod", "staged", "both", "del", "rm", "type"} {
			s.Write(f, "some text of "+f+"\nthat is long enough to be known again\n")
		}
		s.Commit("first")
		s.Write("mod", "x")
		s.Write("staged", "x")
		s.Git("add", "staged")
		s.Write("both", "x")
		s.Git("add", "both")
		s.Write("both", "y")
		s.Remove("del")
		s.Git("rm", "-q", "rm")
		s.Write("added", "x")
		s.Git("add", "added")
		s.Write("announced", "x")
		s.Git("add", "-N", "announced")
		s.Remove("type")
		require.NoError(t, os.Symlink("mod", s.Path("type")))
		s.Write("dir/untracked \"x\"", "x")
		st, err := s.repo(t).Status(t.Context())
		require.NoError(t, err)
		got := map[string]bool{}
		for _, c := range st.Changes {
			got[c.String()] = true
		}
		assert.Equal(t, map[string]bool{
			".M mod": true, "M. staged": true, "MM both": true, ".D del": true, "D. rm": true,
			"A. added": true, ".A announced": true, ".T type": true, "?? dir/untracked \"x\"": true,
		}, got)
		assert.False(t, st.Has("dir"))
		assert.Len(t, st.Under("dir").Changes, 1)
	}},
	{"status/ours is never in it", func(t *testing.T, s *stage) {
		s.Write(".ralph/events/x", "1")
		s.Write(".ralphex/config", "1")
		s.Write(".ralphexx", "1")
		s.Write("sub/.ralph/x", "1")
		assert.ElementsMatch(t, []string{".ralphexx", "sub/.ralph/x"}, paths(t, s.repo(t)))
	}},
	{"status/warnings don't get into it", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Commit("first")
		s.Git("config", "core.autocrlf", "input")
		s.Git("config", "status.showStash", "true")
		s.Git("config", "color.ui", "always")
		s.Write("a", "1\r\n2\r\n")
		assert.Equal(t, []string{"a"}, paths(t, s.repo(t)))
	}},
	{"status/conflict", func(t *testing.T, s *stage) {
		conflict(s)
		_, err := s.TryGit("merge", "side")
		require.Error(t, err)
		st, err := s.repo(t).Status(t.Context())
		require.NoError(t, err)
		require.Len(t, st.Changes, 1)
		assert.True(t, st.Changes[0].Unmerged())
	}},
	{"status/submodule and repository inside", func(t *testing.T, s *stage) {
		addSubmodule(t, s, "sub")
		s.Commit("first")
		s.Write("sub/f", "changed inside")
		inner := NewRepoAt(t, s.Path("inner"))
		inner.Write("x", "1")
		st, err := s.repo(t).Status(t.Context())
		require.NoError(t, err)
		c, ok := st.Find("sub")
		require.True(t, ok)
		assert.True(t, c.InsideOnly())
		c, ok = st.Find("inner/")
		require.True(t, ok)
		assert.True(t, c.Nested())
	}},
	{"status/leaves the index alone", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Commit("first")
		now := Start
		require.NoError(t, os.Chtimes(s.Path("a"), now, now))
		before := s.Read(".git/index")
		assert.Empty(t, paths(t, s.repo(t)))
		assert.Equal(t, before, s.Read(".git/index"))
	}},
	{"ignored", func(t *testing.T, s *stage) {
		s.Write(".gitignore", "*.log\nbuild/\n!keep.log\n")
		s.Write("tracked.log", "1")
		s.Git("add", "-f", ".")
		s.Git("commit", "-q", "-m", "first")
		for path, want := range map[string]bool{
			"x.log": true, "ü \n.log": true, "build/a/b": true, "keep.log": false, "tracked.log": false, "a": false, "-x.log": true, ":(glob)x.log": true,
		} {
			got, err := s.repo(t).Ignored(t.Context(), path)
			require.NoError(t, err, path)
			assert.Equal(t, want, got, path)
		}
	}},
	{"tracked", func(t *testing.T, s *stage) {
		for _, f := range []string{"a", "dir/b ü", "dir/c", "dirty", "z"} {
			s.Write(f, f)
		}
		for _, version := range []string{"2", "3", "4"} {
			s.Git("update-index", "--index-version", version)
			s.Git("add", "-A")
			s.Write("announced", "")
			s.Git("add", "-N", "announced")
			v := s.repo(t)
			for path, want := range map[string]bool{"a": true, "dir/b ü": true, "dir/c": true, "z": true, "announced": true, "dir": false, "d": false, "dir/": false, "zz": false, "*": false} {
				got, err := v.Tracked(t.Context(), path)
				require.NoError(t, err)
				assert.Equal(t, want, got, "%s, index version %s", path, version)
			}
			s.Git("rm", "-q", "--cached", "announced")
		}
	}},
	{"tracked/no index, split index, sparse index", func(t *testing.T, s *stage) {
		v := s.repo(t)
		got, err := v.Tracked(t.Context(), "a")
		require.NoError(t, err)
		assert.False(t, got)
		s.Write("a", "1")
		s.Write("in/b", "1")
		s.Write("out/deep/c", "1")
		s.Commit("first")
		ask := func(how string) {
			for path, want := range map[string]bool{"a": true, "in/b": true, "out/deep/c": true, "out": false, "x": false} {
				got, err := v.Tracked(t.Context(), path)
				require.NoError(t, err)
				assert.Equal(t, want, got, "%s, %s", path, how)
			}
		}
		s.Git("update-index", "--split-index")
		ask("split")
		s.Git("update-index", "--no-split-index")
		s.Git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
		ask("sparse")
	}},
	{"fingerprint", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Write("sh", "1")
		addSubmodule(t, s, "sub")
		s.Commit("first")
		v := s.repo(t)
		seen := map[vcs.Fingerprint]string{}
		step := func(name string) {
			t.Helper()
			f, err := v.Fingerprint(t.Context())
			require.NoError(t, err)
			again, err := v.Fingerprint(t.Context())
			require.NoError(t, err)
			assert.Equal(t, f, again, "%s: the same state has the same fingerprint", name)
			assert.NotContains(t, seen, f, "%s looks like %s", name, seen[f])
			seen[f] = name
		}
		step("clean")
		s.Write("a", "2")
		step("changed")
		s.Write("a", "3")
		step("changed again, same length")
		s.Git("add", "a")
		step("staged")
		s.Write("a", "4")
		step("staged and changed")
		s.Write("new", "1")
		step("untracked")
		s.Write("new", "2")
		step("untracked changed")
		require.NoError(t, os.Chmod(s.Path("sh"), 0o755))
		step("mode")
		require.NoError(t, os.Symlink("a", s.Path("link")))
		step("link")
		s.Remove("link")
		require.NoError(t, os.Symlink("b", s.Path("link")))
		step("link leads elsewhere")
		s.Write("sub/f", "dirt")
		step("inside a submodule")
		s.Write("sub/f", "more dirt")
		step("more inside a submodule")
		s.Remove("a")
		step("removed")
		s.Git("checkout", "-q", "-b", "other")
		step("another branch")
		s.Git("commit", "-q", "--allow-empty", "-m", "empty")
		step("another commit")
		s.Write(".ralph/x", "1")
		f, err := v.Fingerprint(t.Context())
		require.NoError(t, err)
		assert.Contains(t, seen, f, "what is ours doesn't count")
	}},
	{"touching keeps the fingerprint", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Commit("first")
		s.Write("a", "2")
		v := s.repo(t)
		f, err := v.Fingerprint(t.Context())
		require.NoError(t, err)
		require.NoError(t, os.Chtimes(s.Path("a"), Start, Start))
		g, err := v.Fingerprint(t.Context())
		require.NoError(t, err)
		assert.Equal(t, f, g)
	}},
}

// renameStories are for backends that tell renames.
var renameStories = []story{
	{"status/rename", func(t *testing.T, s *stage) {
		s.Write("old name ü", "some text\nthat is long enough to be known again\n")
		s.Commit("first")
		s.Git("mv", "old name ü", "new\nname")
		st, err := s.repo(t).Status(t.Context())
		require.NoError(t, err)
		require.Len(t, st.Changes, 1)
		assert.Equal(t, "R. new\nname <- old name ü", st.Changes[0].String())
		assert.True(t, st.Has("old name ü"), "either end of a rename")
		assert.True(t, st.Has("new\nname"))
	}},
}

var historyStories = []story{
	{"history/ancestors", func(t *testing.T, s *stage) {
		a := vcs.Rev(s.Commit("a"))
		s.Git("checkout", "-q", "-b", "side")
		b := vcs.Rev(s.Commit("b"))
		s.Git("checkout", "-q", "main")
		c := vcs.Rev(s.Commit("c"))
		s.Git("merge", "-q", "--no-edit", "side")
		m := vcs.Rev(s.Head())
		v := s.repo(t)
		for _, row := range []struct {
			a, b vcs.Rev
			want bool
		}{{a, a, true}, {a, m, true}, {b, m, true}, {c, m, true}, {b, c, false}, {m, a, false}} {
			got, err := v.IsAncestor(t.Context(), row.a, row.b)
			require.NoError(t, err)
			assert.Equal(t, row.want, got, "%s %s", row.a.Short(), row.b.Short())
		}
		_, err := v.IsAncestor(t.Context(), a, "--all")
		require.ErrorIs(t, err, vcs.ErrBadName)
		_, err = v.IsAncestor(t.Context(), a, vcs.Rev("1234567890123456789012345678901234567890"))
		require.Error(t, err)
	}},
	{"history/log", func(t *testing.T, s *stage) {
		a := vcs.Rev(s.Commit("first\n\nbody"))
		b := vcs.Rev(s.Commit("a subject\non two lines\n\nbody\n"))
		c := vcs.Rev(s.Commit("drei ü"))
		v := s.repo(t)
		subjects := func(from, to vcs.Rev, max int) []string {
			l, err := v.Log(t.Context(), from, to, max)
			require.NoError(t, err)
			var out []string
			for _, e := range l {
				assert.Equal(t, "Test Author", e.Author)
				assert.False(t, e.Time.Before(Start))
				out = append(out, e.Subject)
			}
			return out
		}
		assert.Equal(t, []string{"drei ü", "a subject on two lines"}, subjects(a, c, 0))
		assert.Equal(t, []string{"drei ü"}, subjects(a, c, 1))
		assert.Equal(t, []string{"drei ü", "a subject on two lines", "first"}, subjects("", c, 0))
		assert.Equal(t, []string{"drei ü", "a subject on two lines"}, subjects("", c, 2))
		assert.Empty(t, subjects(c, c, 0))
		assert.Empty(t, subjects(c, b, 0))
	}},
	{"history/log of merged lines", func(t *testing.T, s *stage) {
		a := vcs.Rev(s.Commit("a"))
		s.Git("checkout", "-q", "-b", "side")
		s.Commit("b")
		s.Git("checkout", "-q", "main")
		s.Commit("c")
		s.Git("merge", "-q", "-m", "m", "side")
		l, err := s.repo(t).Log(t.Context(), a, vcs.Rev(s.Head()), 0)
		require.NoError(t, err)
		assert.Len(t, l, 3)
	}},
	{"history/diff stat", func(t *testing.T, s *stage) {
		s.Write("a", "1\n2\n3\n")
		s.Write("old", "a long enough text\nto be known again\nwhen it moved\n")
		base := vcs.Rev(s.Commit("a"))
		s.Git("checkout", "-q", "-b", "side")
		s.Write("a", "1\n3\n4\n5\n")
		s.Write("bin", "\x00\x01")
		s.Git("mv", "old", "new ü")
		side := vcs.Rev(s.Commit("b"))
		s.Git("checkout", "-q", "main")
		s.Write("other", "1\n")
		main := vcs.Rev(s.Commit("c"))
		v := s.repo(t)
		want := vcs.DiffStat{Files: 3, Additions: 2, Deletions: 1}
		for _, from := range []vcs.Rev{base, main, "main"} {
			d, err := v.DiffStat(t.Context(), from, side)
			require.NoError(t, err)
			assert.Equal(t, want, d)
		}
		d, err := v.DiffStat(t.Context(), side, side)
		require.NoError(t, err)
		assert.Zero(t, d)
	}},
	{"history/paths and trees", func(t *testing.T, s *stage) {
		s.Write("dir/ü/f", "1")
		s.Write("g", "2")
		rev := vcs.Rev(s.Commit("a"))
		v := s.repo(t)
		for path, want := range map[string]string{
			"dir/ü/f": s.Git("rev-parse", "HEAD:dir/ü/f"), "dir": s.Git("rev-parse", "HEAD:dir"), "g": s.Git("rev-parse", "HEAD:g"),
			"x": "", "g/x": "", "dir/x": "",
		} {
			got, err := v.PathAt(t.Context(), rev, path)
			require.NoError(t, err)
			assert.Equal(t, want, got, path)
		}
		tree, err := v.TreeHash(t.Context(), rev)
		require.NoError(t, err)
		assert.Equal(t, s.Git("rev-parse", "HEAD^{tree}"), tree)
		tree, err = v.TreeHash(t.Context(), "main")
		require.NoError(t, err)
		assert.Equal(t, s.Git("rev-parse", "HEAD^{tree}"), tree)
	}},
	{"history/shallow", func(t *testing.T, s *stage) {
		s.Commit("a")
		s.Commit("b")
		s.Commit("c")
		dir := filepath.Join(t.TempDir(), "clone")
		s.Git("clone", "-q", "--depth=2", "file://"+s.Dir, dir)
		v := s.at(t, dir)
		l, err := v.Log(t.Context(), "", vcs.Rev(s.Head()), 0)
		require.NoError(t, err)
		assert.Len(t, l, 2)
		b, err := v.DefaultBranch(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Branch("main"), b)
	}},
	{"history/alternates", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		rev := s.Commit("a")
		dir := filepath.Join(t.TempDir(), "clone")
		s.Git("clone", "-q", "--shared", s.Dir, dir)
		tree, err := s.at(t, dir).TreeHash(t.Context(), vcs.Rev(rev))
		require.NoError(t, err)
		assert.Equal(t, s.Git("rev-parse", "HEAD^{tree}"), tree)
	}},
	{"history/formats/worktreeConfig", func(t *testing.T, s *stage) {
		s.Git("config", "core.repositoryformatversion", "1")
		s.Git("config", "extensions.worktreeConfig", "true")
		s.Git("config", "--worktree", "user.name", "Of This Worktree")
		readAll(t, s, s.Repo)
		assert.Equal(t, "Of This Worktree", s.Git("log", "-1", "--format=%an"))
	}},
	{"history/formats/preciousObjects", func(t *testing.T, s *stage) {
		s.Git("config", "core.repositoryformatversion", "1")
		s.Git("config", "extensions.preciousObjects", "true")
		readAll(t, s, s.Repo)
	}},
	{"history/formats only git reads/sha256", func(t *testing.T, s *stage) {
		r := NewRepoAt(t, filepath.Join(t.TempDir(), "sha256"))
		r.Remove(".git")
		r.Git("init", "-q", "-b", "main", "--object-format=sha256")
		r.Git("config", "user.name", "x")
		r.Git("config", "user.email", "x@example.org")
		readAll(t, s, r)
	}},
	{"history/formats only git reads/split index", func(t *testing.T, s *stage) {
		s.Write("first", "1")
		s.Commit("first")
		s.Git("config", "core.splitIndex", "true")
		s.Git("update-index", "--split-index")
		readAll(t, s, s.Repo)
	}},
	{"history/formats only git reads/alternates", func(t *testing.T, s *stage) {
		s.Write("first", "1")
		s.Commit("first")
		dir := filepath.Join(t.TempDir(), "clone")
		s.Git("clone", "-q", "--shared", s.Dir, dir)
		r := &Repo{Folder: Folder{Dir: dir, Env: s.Env, tb: t}, clock: s.clock}
		r.Git("config", "user.name", "x")
		r.Git("config", "user.email", "x@example.org")
		readAll(t, s, r)
	}},
	{"history/a format that git can't read", func(t *testing.T, s *stage) {
		s.Commit("a")
		s.Git("config", "core.repositoryformatversion", "1")
		s.Git("config", "extensions.nonsense", "true")
		_, err := s.open(t.Context(), s.Dir, s.Env)
		require.ErrorContains(t, err, "nonsense")
		r := NewRepo(t)
		r.Commit("a")
		r.Git("config", "core.repositoryformatversion", "1")
		r.Git("config", "extensions.refStorage", "reftable") // whose tables aren't there
		_, err = s.open(t.Context(), r.Dir, r.Env)
		var ce *vcs.CommandError
		require.ErrorAs(t, err, &ce)
	}},
}

// readAll asks everything of a repository in an odd format, and writes to it in every way; git's own answers are what counts.
func readAll(t *testing.T, s *stage, r *Repo) {
	t.Helper()
	ctx := t.Context()
	r.Write("a", "1\n")
	r.Write(".gitignore", "*.log\n")
	rev := vcs.Rev(r.Commit("a"))
	v, err := s.open(ctx, r.Dir, r.Env)
	require.NoError(t, err)
	h, err := v.Head(ctx)
	require.NoError(t, err)
	assert.Equal(t, vcs.Head{Rev: rev, Branch: "main"}, h)
	d, err := v.DefaultBranch(ctx)
	require.NoError(t, err)
	assert.True(t, d.IsLocal("main"))
	require.NoError(t, v.CreateBranch(ctx, "x"))
	require.ErrorIs(t, v.CreateBranch(ctx, "x"), vcs.ErrExists)
	assert.Equal(t, "x", r.Git("symbolic-ref", "--short", "HEAD"))
	tracked, err := v.Tracked(ctx, "a")
	require.NoError(t, err)
	assert.True(t, tracked)
	ignored, err := v.Ignored(ctx, "x.log")
	require.NoError(t, err)
	assert.True(t, ignored)
	r.Write("a", "1\n2\n")
	r.Write("b", "1\n")
	assert.Equal(t, []string{"a", "b"}, paths(t, v))
	one, err := v.Fingerprint(ctx)
	require.NoError(t, err)
	_, err = v.Snapshot(ctx, "refs/ralphex/wip/x", "m")
	require.NoError(t, err)
	two, err := v.Fingerprint(ctx)
	require.NoError(t, err)
	assert.Equal(t, one, two, "a snapshot touches nothing")
	res, err := v.Commit(ctx, vcs.CommitRequest{Message: "b", Paths: []string{"a", "b"}})
	require.NoError(t, err)
	assert.Equal(t, r.Head(), string(res.Rev))
	assert.Empty(t, r.Status())
	tree, err := v.TreeHash(ctx, res.Rev)
	require.NoError(t, err)
	assert.Equal(t, r.Git("rev-parse", "HEAD^{tree}"), tree)
	blob, err := v.PathAt(ctx, res.Rev, "b")
	require.NoError(t, err)
	assert.Equal(t, r.Git("rev-parse", "HEAD:b"), blob)
	older, err := v.IsAncestor(ctx, rev, res.Rev)
	require.NoError(t, err)
	assert.True(t, older)
	l, err := v.Log(ctx, rev, res.Rev, 0)
	require.NoError(t, err)
	assert.Len(t, l, 1)
	stat, err := v.DiffStat(ctx, rev, res.Rev)
	require.NoError(t, err)
	assert.Equal(t, vcs.DiffStat{Files: 2, Additions: 2}, stat)
	r.Git("fsck", "--strict", "--no-dangling")
}

func addSubmodule(t *testing.T, s *stage, path string) {
	t.Helper()
	sub := NewRepo(t)
	sub.Write("f", "1")
	sub.Commit("first")
	s.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.Dir, path)
}
