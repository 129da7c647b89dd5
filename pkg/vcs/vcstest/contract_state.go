package vcstest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// oddNames are names that a line, a shell or a pattern would take for something else.
var oddNames = []string{"with space", "ünï çødé", "-dash", "new\nline", "*", "[a]", "\"q\"", "back\\slash", "#x", "dir/!x", "a\tb"}

var placeRows = []row{
	{"open from a subfolder", func(t *testing.T, s *scene) {
		s.Write("a/b c/x", "1")
		v, err := s.b.Open(t.Context(), s.Path("a/b c"), s.Env)
		s.ok(t, err)
		assert.Equal(t, s.Dir, v.Root())
		assert.NotEmpty(t, v.Kind())
		rel, err := v.Rel(filepath.Join(s.Dir, "a", "b c", "x"))
		require.NoError(t, err)
		assert.Equal(t, "a/b c/x", rel)
		_, err = v.Rel(filepath.Dir(s.Dir))
		require.ErrorIs(t, err, vcs.ErrOutside)
	}},
	{"HEAD before the first commit", func(t *testing.T, s *scene) {
		h, err := s.repo(t).Head(t.Context())
		s.ok(t, err)
		assert.True(t, h.Unborn)
		assert.Empty(t, h.Rev)
	}},
	{"HEAD and branch", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		first := s.Commit("first")
		v := s.repo(t)
		h, err := v.Head(t.Context())
		s.ok(t, err)
		assert.Equal(t, first, h.Rev)
		assert.NotEmpty(t, h.Branch)
		assert.False(t, h.Unborn)
		s.Branch("side")
		s.Write("a", "2")
		second := s.Commit("second")
		h, err = v.Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, second, h.Rev, "the open handle sees what the person did")
	}},
	{"default branch", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		s.Commit("first")
		v := s.repo(t)
		h, err := v.Head(t.Context())
		s.ok(t, err)
		d, err := v.DefaultBranch(t.Context())
		s.ok(t, err)
		assert.True(t, d.IsLocal(h.Branch), "%s, standing on %s", d, h.Branch)
		s.Branch("side")
		again, err := v.DefaultBranch(t.Context())
		require.NoError(t, err)
		assert.Equal(t, d, again, "it does not depend on where one stands")
	}},
	{"branch exists", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		s.Commit("first")
		s.Branch("feature/x")
		v := s.repo(t)
		for name, want := range map[vcs.Branch]bool{"feature/x": true, "feature": false, "nowhere": false, "": false, "-x": false} {
			got, err := v.BranchExists(t.Context(), name)
			s.ok(t, err)
			assert.Equal(t, want, got, "%q", name)
		}
	}},
	{"create a branch", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		first := s.Commit("first")
		s.Write("a", "2")
		s.Write("new", "1")
		before := s.Pending()
		v := s.repo(t)
		s.ok(t, v.CreateBranch(t.Context(), "feature/new"))
		assert.Equal(t, before, s.Pending(), "index and tree are not touched")
		ok, err := v.BranchExists(t.Context(), "feature/new")
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, first, s.Head())
	}},
	{"create a branch never overwrites", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		s.Commit("first")
		s.Branch("taken")
		s.Write("a", "2")
		head := s.Commit("second")
		v := s.repo(t)
		err := v.CreateBranch(t.Context(), "taken")
		if !errors.Is(err, fs.ErrExist) {
			s.ok(t, err)
			t.Error("it was made again")
		}
		assert.Equal(t, head, s.Head())
		require.ErrorIs(t, v.CreateBranch(t.Context(), "a..b"), vcs.ErrBadName)
	}},
	{"switch branches", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		s.Commit("first")
		s.Branch("side")
		s.Write("a", "2")
		side := s.Commit("second")
		v := s.repo(t)
		s.ok(t, v.CreateBranch(t.Context(), "third"))
		s.Write("a", "3")
		s.Commit("third")
		s.ok(t, v.Switch(t.Context(), "side"))
		assert.Equal(t, "2", s.Read("a"))
		assert.Equal(t, side, s.Head())
	}},
	{"unfinished operation", func(t *testing.T, s *scene) {
		v := s.repo(t)
		what, err := v.InProgress(t.Context())
		s.ok(t, err)
		assert.Empty(t, what)
		want := s.Stop()
		what, err = v.InProgress(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, what)
	}},
	{"identity", func(t *testing.T, s *scene) {
		v := s.repo(t)
		s.ok(t, v.Identity(t.Context()))
		s.Forget()
		err := s.repo(t).Identity(t.Context())
		var ie *vcs.IdentityError
		require.ErrorAs(t, err, &ie)
		assert.NotEmpty(t, ie.Hint())
	}},
}

var stateRows = []row{
	{"status", func(t *testing.T, s *scene) {
		for _, f := range []string{"same", "changed", "gone"} {
			s.Write(f, "1")
		}
		s.Commit("first")
		v := s.repo(t)
		st, err := v.Status(t.Context())
		s.ok(t, err)
		assert.True(t, st.Clean(), "%v", st.Changes)
		s.Write("changed", "2")
		s.Remove("gone")
		s.Write("added", "1")
		s.Track("added")
		s.Write("dir/unknown", "1")
		st, err = v.Status(t.Context())
		s.ok(t, err)
		assert.ElementsMatch(t, []string{"changed", "gone", "added", "dir/unknown"}, st.Paths())
		c, _ := st.Find("dir/unknown")
		assert.True(t, c.Untracked())
		c, _ = st.Find("added")
		assert.False(t, c.Untracked())
	}},
	{"status tells a rename", func(t *testing.T, s *scene) {
		s.Write("old name", "some text\nthat is long enough\nto be known again\n")
		s.Commit("first")
		v := s.repo(t)
		s.ok(t, v.Move(t.Context(), "old name", "new name"))
		st, err := v.Status(t.Context())
		s.ok(t, err)
		assert.ElementsMatch(t, []string{"old name", "new name"}, st.Paths(), "both ends are named in any case")
		if c, _ := st.Find("new name"); c.From != "old name" {
			s.lacks(t, "it is told as one file gone and one new")
		}
	}},
	{"status of odd names", func(t *testing.T, s *scene) {
		for _, n := range oddNames {
			s.Write(n, "1")
		}
		st, err := s.repo(t).Status(t.Context())
		s.ok(t, err)
		assert.ElementsMatch(t, oddNames, st.Paths())
	}},
	{"status leaves out what is ours", func(t *testing.T, s *scene) {
		s.Write(".ralph/events/x", "1")
		s.Write(".ralphex/config", "1")
		s.Write(".ralphexx", "1")
		st, err := s.repo(t).Status(t.Context())
		s.ok(t, err)
		assert.Equal(t, []string{".ralphexx"}, st.Paths())
	}},
	{"status shows mode and links", func(t *testing.T, s *scene) {
		s.Write("sh", "1")
		require.NoError(t, os.Symlink("sh", s.Path("l")))
		s.Commit("first")
		v := s.repo(t)
		require.NoError(t, os.Chmod(s.Path("sh"), 0o755))
		s.Remove("l")
		require.NoError(t, os.Symlink("other", s.Path("l")))
		st, err := v.Status(t.Context())
		s.ok(t, err)
		assert.ElementsMatch(t, []string{"sh", "l"}, st.Paths())
	}},
	{"ignored", func(t *testing.T, s *scene) {
		s.Ignore(".log")
		s.Write("x.log", "1")
		s.Write("dir/y.log", "1")
		s.Write("x.txt", "1")
		v := s.repo(t)
		for path, want := range map[string]bool{"x.log": true, "dir/y.log": true, "x.txt": false} {
			got, err := v.Ignored(t.Context(), path)
			s.ok(t, err)
			assert.Equal(t, want, got, path)
		}
		st, err := v.Status(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{"x.txt"}, st.Paths())
	}},
	{"tracked", func(t *testing.T, s *scene) {
		s.Write("dir/a", "1")
		s.Commit("first")
		s.Write("added", "1")
		s.Track("added")
		s.Write("unknown", "1")
		v := s.repo(t)
		for path, want := range map[string]bool{"dir/a": true, "added": true, "unknown": false, "dir": false, "nowhere": false} {
			got, err := v.Tracked(t.Context(), path)
			s.ok(t, err)
			assert.Equal(t, want, got, path)
		}
	}},
	{"fingerprint", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		s.Commit("first")
		v := s.repo(t)
		seen := map[vcs.Fingerprint]string{}
		step := func(name string) {
			t.Helper()
			f, err := v.Fingerprint(t.Context())
			s.ok(t, err)
			again, err := v.Fingerprint(t.Context())
			require.NoError(t, err)
			assert.Equal(t, f, again, name)
			assert.NotContains(t, seen, f, "%s looks like %s", name, seen[f])
			seen[f] = name
		}
		step("clean")
		s.Write("a", "2")
		step("changed")
		s.Write("a", "3")
		step("changed again, same length")
		s.Write("new", "1")
		step("unknown file")
		s.Write("new", "2")
		step("unknown file changed")
		s.Commit("second")
		step("committed")
		s.Write(".ralph/x", "1")
		f, err := v.Fingerprint(t.Context())
		require.NoError(t, err)
		assert.Contains(t, seen, f, "what is ours doesn't count")
	}},
}
