package vcstest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

var commitRows = []row{
	{"commit exactly the named paths", func(t *testing.T, s *scene) {
		for _, f := range []string{"ours", "dirty", "gone"} {
			s.Write(f, "1")
		}
		s.Commit("first")
		s.Write("ours", "2")
		s.Write("dirty", "2")
		s.Write("new", "1")
		s.Write("other new", "1")
		s.Remove("gone")
		res := s.commit(t, s.repo(t), "ours", "new", "gone")
		assert.Equal(t, s.Head(), res.Rev)
		assert.Equal(t, []string{"D gone", "A new", "M ours"}, s.Changed(res.Rev))
		assert.Equal(t, []string{"M dirty", "? other new"}, s.Pending())
	}},
	{"commit leaves what else is staged", func(t *testing.T, s *scene) {
		s.Write("ours", "1")
		s.Commit("first")
		s.Write("ours", "2")
		s.Write("staged", "1")
		s.Track("staged")
		res := s.commit(t, s.repo(t), "ours")
		assert.Equal(t, []string{"M ours"}, s.Changed(res.Rev))
		assert.Equal(t, []string{"A staged"}, s.Pending())
	}},
	{"the first commit", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		s.Write("b", "1")
		res := s.commit(t, s.repo(t), "a")
		assert.Equal(t, []string{"A a"}, s.Changed(res.Rev))
		assert.Equal(t, []string{"? b"}, s.Pending())
	}},
	{"commit odd names", func(t *testing.T, s *scene) {
		s.Write("bystander", "1")
		for _, n := range oddNames {
			s.Write(n, "1")
		}
		v := s.repo(t)
		if res := s.commit(t, v, oddNames...); len(res.Left) > 0 {
			s.lacks(t, fmt.Sprintf("%q is left", res.Left))
		}
		assert.Equal(t, []string{"? bystander"}, s.Pending())
		for _, n := range oddNames {
			s.Write(n, "2")
		}
		s.commit(t, v, oddNames...)
		assert.Equal(t, []string{"? bystander"}, s.Pending())
		for _, n := range oddNames {
			s.Remove(n)
		}
		s.commit(t, v, oddNames...)
		assert.Equal(t, []string{"? bystander"}, s.Pending())
	}},
	{"commit mode and links", func(t *testing.T, s *scene) {
		s.Write("sh", "1")
		s.Write("l", "1")
		s.Commit("first")
		require.NoError(t, os.Chmod(s.Path("sh"), 0o755))
		s.Remove("l")
		require.NoError(t, os.Symlink("sh", s.Path("l")))
		s.commit(t, s.repo(t), "sh", "l")
		assert.Empty(t, s.Pending())

		// A folder becomes a link to where it went.
		s.Write("lib.d/one", "1")
		s.Commit("second")
		require.NoError(t, os.Rename(s.Path("lib.d"), s.Path("src")))
		require.NoError(t, os.Symlink("src", s.Path("lib.d")))
		v := s.repo(t)
		st, err := v.Status(t.Context())
		require.NoError(t, err)
		s.commit(t, v, st.Paths()...)
		assert.Empty(t, s.Pending())
	}},
	{"nothing to commit is a success", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		head := s.Commit("first")
		v := s.repo(t)
		for _, p := range [][]string{nil, {"a"}, {"nowhere"}} {
			res := s.commit(t, v, p...)
			assert.Zero(t, res, "%q", p)
		}
		assert.Equal(t, head, s.Head())
	}},
	{"commit refuses what isn't ours", func(t *testing.T, s *scene) {
		s.Write("dir/a", "1")
		v := s.repo(t)
		for _, p := range []string{"dir", "../x", "/etc/passwd", ".", ""} {
			_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{p}})
			require.Error(t, err, "%q", p)
		}
		_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: " \n", Paths: []string{"dir/a"}})
		require.Error(t, err)
		assert.Equal(t, []string{"? dir/a"}, s.Pending())
	}},
	{"commit refuses an ignored file", func(t *testing.T, s *scene) {
		s.Ignore(".log")
		s.Write("a", "1")
		s.Write("x.log", "1")
		v := s.repo(t)
		_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a", "x.log"}})
		require.ErrorContains(t, err, "x.log")
		assert.Equal(t, []string{"? a"}, s.Pending(), "nothing is half done")
	}},
	{"message and trailer", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		v := s.repo(t)
		res, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "#1 ü\n\nbody", Paths: []string{"a"}, Trailer: "Plan: x"})
		s.ok(t, err)
		l, err := v.Log(t.Context(), "", res.Rev, 1)
		s.ok(t, err)
		require.Len(t, l, 1)
		assert.Equal(t, "#1 ü", l[0].Subject)
	}},
	{"hooks run", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		v := s.repo(t)
		s.BeforeCommit("echo 'no tests, no commit' >&2; exit 1")
		_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a"}})
		if err == nil {
			s.lacks(t, "the hook was passed over")
		}
		he, ok := errors.AsType[*vcs.HookError](err)
		if !ok {
			s.ok(t, err)
			return
		}
		assert.Contains(t, he.Text, "no tests, no commit")
		assert.Empty(t, s.Head(), "nothing is committed")
	}},
	{"commits are signed where the user says so", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		v := s.repo(t)
		signer, ok := s.Person.(Signer)
		if !ok {
			s.absent(t, "the system has no signatures of its own")
		}
		signed := signer.Sign()
		res, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a"}})
		if !v.Caps().Signing {
			require.ErrorIs(t, err, vcs.ErrUnsupported, "an unsigned commit is nothing that the user asked for")
			s.absent(t, "refused where signing is switched on")
		}
		require.NoError(t, err)
		assert.True(t, signed(res.Rev))
	}},
	{"worktrees", func(t *testing.T, s *scene) {
		v := s.repo(t)
		_, can := v.(vcs.Worktrees)
		assert.Equal(t, v.Caps().Worktrees, can, "Caps tells the truth")
		if !can {
			s.absent(t, "it has one working tree")
		}
		s.worktree(t, v.(vcs.Worktrees))
	}},
	{"move a file", func(t *testing.T, s *scene) {
		s.Write("docs/-a ü.md", "1")
		s.Write("docs/done/other.md", "2")
		s.Write("docs/b.md", "3")
		s.Commit("first")
		v := s.repo(t)
		s.ok(t, v.Move(t.Context(), "docs/-a ü.md", "docs/done/-a ü.md"))
		assert.Equal(t, "1", s.Read("docs/done/-a ü.md"))
		assert.Equal(t, []string{"D docs/-a ü.md", "A docs/done/-a ü.md"}, s.Pending())
		require.ErrorIs(t, v.Move(t.Context(), "docs/b.md", "docs/done/other.md"), fs.ErrExist)
		assert.Equal(t, "2", s.Read("docs/done/other.md"))
	}},
	{"snapshot", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		s.Commit("first")
		s.Write("a", "2")
		s.Write("dir/new", "1")
		before := s.Pending()
		v := s.repo(t)
		_, err := v.Snapshot(t.Context(), "refs/ralphex/wip/r1/1", "before the run")
		s.ok(t, err)
		assert.Equal(t, before, s.Pending(), "nothing is touched")
		assert.Equal(t, "2", s.Read("a"))
		_, err = v.Snapshot(t.Context(), "refs/ralphex/wip/r1/1", "again")
		require.ErrorIs(t, err, vcs.ErrExists)
	}},
	{"hold", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		s.Write("b", "1")
		s.Write("gone", "1")
		s.Commit("first")
		s.Write("a", "two\n")
		s.Write("b", "x  y\n")
		s.Write("dir/new ü", "n")
		require.NoError(t, os.Remove(filepath.Join(s.Dir, "gone")))
		before := s.Pending()
		v := s.repo(t)
		holder := v.(vcs.Holder)
		head, err := v.Head(t.Context())
		s.ok(t, err)
		h, err := holder.Hold(t.Context(), "r1", head.Rev, []string{"a", "b", "dir/new ü", "gone"})
		s.ok(t, err)
		assert.Equal(t, before, s.Pending(), "nothing is touched")
		fates := func(h *vcs.Hold) (all []vcs.Fate) {
			for _, p := range h.Paths() {
				f, err := h.Fate(p)
				require.NoError(t, err)
				all = append(all, f)
			}
			return all
		}
		assert.Equal(t, []vcs.Fate{vcs.FateSame, vcs.FateSame, vcs.FateSame, vcs.FateSame}, fates(h))

		s.Write("a", "1")
		s.Write("b", "x y\n")
		s.Write("gone", "1")
		require.NoError(t, os.Remove(filepath.Join(s.Dir, "dir/new ü")))
		again, err := s.repo(t).(vcs.Holder).Held("r1") // another process
		s.ok(t, err)
		assert.Equal(t, []vcs.Fate{vcs.FateChanged, vcs.FateSpaced, vcs.FateGone, vcs.FateCame}, fates(again))

		_, err = holder.SnapshotHold(t.Context(), "refs/ralphex/wip/r1/1", "before the gate", again)
		s.ok(t, err)
		none, err := holder.Held("r1")
		s.ok(t, err)
		assert.Nil(t, none)
		store, err := vcs.Snapshots(v)
		s.ok(t, err)
		files, err := store.SnapshotFiles(t.Context(), "refs/ralphex/wip/r1/1")
		s.ok(t, err)
		kept := map[string]string{}
		for _, f := range files {
			if f.Deleted {
				kept[f.Path] = "(deleted)"
				continue
			}
			content, err := store.SnapshotContent(t.Context(), "refs/ralphex/wip/r1/1", f)
			s.ok(t, err)
			kept[f.Path] = string(content)
		}
		assert.Equal(t, map[string]string{"a": "two\n", "b": "x  y\n", "dir/new ü": "n", "gone": "(deleted)"}, kept)
	}},
}

var historyRows = []row{
	{"ancestors", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		a := s.Commit("a")
		s.Branch("side")
		s.Write("a", "2")
		b := s.Commit("b")
		v := s.repo(t)
		for _, row := range []struct {
			a, b vcs.Rev
			want bool
		}{{a, a, true}, {a, b, true}, {b, a, false}} {
			got, err := v.IsAncestor(t.Context(), row.a, row.b)
			s.ok(t, err)
			assert.Equal(t, row.want, got)
		}
	}},
	{"trees and paths of a commit", func(t *testing.T, s *scene) {
		s.Write("dir/a", "1")
		one := s.Commit("a")
		s.Write("dir/a", "2")
		two := s.Commit("b")
		v := s.repo(t)
		trees := map[string]bool{}
		names := map[string]bool{}
		for _, rev := range []vcs.Rev{one, two} {
			tree, err := v.TreeHash(t.Context(), rev)
			s.ok(t, err)
			trees[tree] = true
			name, err := v.PathAt(t.Context(), rev, "dir/a")
			s.ok(t, err)
			names[name] = true
			name, err = v.PathAt(t.Context(), rev, "nowhere")
			require.NoError(t, err)
			assert.Empty(t, name)
		}
		assert.Len(t, trees, 2)
		assert.Len(t, names, 2)
	}},
	{"short log", func(t *testing.T, s *scene) {
		s.Write("a", "1")
		a := s.Commit("first\n\nbody")
		s.Write("a", "2")
		s.Commit("second")
		s.Write("a", "3")
		c := s.Commit("drei ü")
		v := s.repo(t)
		subjects := func(from, to vcs.Rev, max int) (out []string) {
			l, err := v.Log(t.Context(), from, to, max)
			s.ok(t, err)
			for _, e := range l {
				out = append(out, e.Subject)
			}
			return out
		}
		assert.Equal(t, []string{"drei ü", "second"}, subjects(a, c, 0))
		assert.Equal(t, []string{"drei ü"}, subjects(a, c, 1))
		assert.Equal(t, []string{"drei ü", "second", "first"}, subjects("", c, 0))
		assert.Empty(t, subjects(c, c, 0))
	}},
	{"diff stats", func(t *testing.T, s *scene) {
		s.Write("a", "1\n2\n3\n")
		base := s.Commit("a")
		s.Branch("side")
		s.Write("a", "1\n3\n4\n5\n")
		s.Write("bin", "\x00\x01")
		side := s.Commit("b")
		v := s.repo(t)
		d, err := v.DiffStat(t.Context(), base, side)
		s.ok(t, err)
		assert.Equal(t, vcs.DiffStat{Files: 2, Additions: 2, Deletions: 1}, d)
	}},
	{"changed files", func(t *testing.T, s *scene) {
		s.Write("a ü", "1\n")
		s.Write("dir/gone", "2\n")
		s.Write("dir/same", "3\n")
		base := s.Commit("a")
		s.Write("a ü", "one\n")
		s.Write("new/one", "4\n")
		s.Remove("dir/gone")
		head := s.Commit("b")
		v := s.repo(t)
		for _, c := range []struct {
			from, to vcs.Rev
			want     []string
		}{{base, head, []string{"a ü", "dir/gone", "new/one"}}, {head, head, nil}, {head, base, []string{"a ü", "dir/gone", "new/one"}}, {"", base, []string{"a ü", "dir/gone", "dir/same"}}} {
			got, err := vcs.Changed(t.Context(), v, c.from, c.to)
			if errors.Is(err, errors.ErrUnsupported) {
				continue
			}
			s.ok(t, err)
			assert.Equal(t, c.want, got, "%s to %s", c.from, c.to)
		}
	}},
	{"a file of a commit", func(t *testing.T, s *scene) {
		s.Write("dir/a ü", "1\x00\n")
		s.Write("empty", "")
		base := s.Commit("a")
		s.Write("dir/a ü", "2\n")
		s.Remove("empty")
		head := s.Commit("b")
		v := s.repo(t)
		for _, c := range []struct {
			rev        vcs.Rev
			path, want string
			gone       bool
		}{{base, "dir/a ü", "1\x00\n", false}, {head, "dir/a ü", "2\n", false}, {base, "empty", "", false}, {head, "empty", "", true}, {head, "dir", "", true}, {head, "dir/a ü/b", "", true}} {
			got, err := vcs.File(t.Context(), v, c.rev, c.path, 100)
			if errors.Is(err, vcs.ErrUnsupported) {
				s.ok(t, err)
			}
			if c.gone {
				require.ErrorIs(t, err, fs.ErrNotExist, "%s of %s", c.path, c.rev)
				continue
			}
			s.ok(t, err)
			assert.Equal(t, c.want, string(got))
			_, err = vcs.File(t.Context(), v, c.rev, c.path, len(c.want)-1)
			require.ErrorContains(t, err, "more than")
		}
		_, err := vcs.File(t.Context(), v, "--output=x", "dir/a ü", 100)
		require.Error(t, err)
	}},
	{"diff as text", func(t *testing.T, s *scene) {
		s.Write("a ü", "1\n2\n3\n")
		s.Write("old", "a long enough text\nto be known again\nwhen it moved\n")
		base := s.Commit("a")
		s.Write("a ü", "1\ntwo\n3\n")
		head := s.Commit("b")
		v := s.repo(t)
		same, err := vcs.Diff(t.Context(), v, head, head, 0)
		s.ok(t, err)
		assert.Equal(t, vcs.Patch{}, same)
		p, err := vcs.Diff(t.Context(), v, base, head, 0)
		s.ok(t, err)
		assert.Regexp(t, `(?s)^diff --git .*@@ -1,3 \+1,3 @@\n 1\n-2\n\+two\n 3\n$`, p.Text)
		assert.False(t, p.Cut)

		s.Write("a ü", "1\ntwo\nthree\n")
		s.Write("unknown", "1\n")
		tree, err := vcs.Diff(t.Context(), v, base, "", 0)
		require.NoError(t, err)
		assert.Contains(t, tree.Text, "\n-2\n-3\n+two\n+three\n")
		assert.NotContains(t, tree.Text, "unknown")
		cut, err := vcs.Diff(t.Context(), v, base, "", len(p.Text)-2)
		require.NoError(t, err)
		assert.True(t, cut.Cut)
		kept, told, _ := strings.Cut(cut.Text, "…")
		assert.True(t, strings.HasPrefix(tree.Text, kept) && strings.HasSuffix(kept, "\n"), kept)
		assert.Contains(t, told, "cut here")
		_, err = vcs.Diff(t.Context(), v, "--all", "", 0)
		require.ErrorIs(t, err, vcs.ErrBadName)
	}},
}
