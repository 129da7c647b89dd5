package vcstest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// snapshotStories are the promises of vcs.SnapshotStore.
var snapshotStories = []story{
	{"snapshot/is read back", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Write("gone", "1")
		s.Write("same", "1")
		s.Commit("first")
		s.Write("a", "2")
		s.Git("add", "a")
		s.Write("a", "3")
		s.Remove("gone")
		s.Write("dir/new ü\n.txt", "new\x00\r\n")
		v := s.repo(t)
		store, err := vcs.Snapshots(v)
		require.NoError(t, err)
		const ref = "refs/ralphex/wip/r1/1"
		rev, err := v.Snapshot(t.Context(), ref, "before the run")
		require.NoError(t, err)
		_, err = v.Snapshot(t.Context(), "refs/ralphex/wip/r2/1", "another run")
		require.NoError(t, err)

		list, err := store.Snapshots(t.Context(), "refs/ralphex/wip/r1/")
		require.NoError(t, err)
		require.Len(t, list, 1)
		assert.Equal(t, ref, list[0].Ref)
		assert.Equal(t, rev, list[0].Rev)
		assert.Equal(t, "before the run", list[0].Message)
		assert.False(t, list[0].Time.IsZero())
		all, err := store.Snapshots(t.Context(), vcs.SnapshotRoot)
		require.NoError(t, err)
		assert.Len(t, all, 2)

		files, err := store.SnapshotFiles(t.Context(), ref)
		require.NoError(t, err)
		got := map[string]string{}
		for _, f := range files {
			name := f.Path
			if f.Staged {
				name += " (staged)"
			}
			if f.Deleted {
				got[name] = "deleted"
				continue
			}
			assert.Equal(t, "100644", f.Mode)
			content, err := store.SnapshotContent(t.Context(), ref, f)
			require.NoError(t, err)
			got[name] = string(content)
		}
		assert.Equal(t, map[string]string{"a": "3", "a (staged)": "2", "gone": "deleted", "dir/new ü\n.txt": "new\x00\r\n"}, got)
	}},
	{"snapshot/of a repository without commits is read back", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Git("add", "a")
		s.Write("a", "2")
		v := s.repo(t)
		store, err := vcs.Snapshots(v)
		require.NoError(t, err)
		_, err = v.Snapshot(t.Context(), "refs/ralphex/wip/r1/1", "m")
		require.NoError(t, err)
		files, err := store.SnapshotFiles(t.Context(), "refs/ralphex/wip/r1/1")
		require.NoError(t, err)
		require.Len(t, files, 2)
		assert.Equal(t, []bool{false, true}, []bool{files[0].Staged, files[1].Staged})
	}},
	{"snapshot/is dropped only as it is known", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Commit("first")
		s.Write("a", "2")
		v := s.repo(t)
		store, err := vcs.Snapshots(v)
		require.NoError(t, err)
		const ref = "refs/ralphex/wip/r1/1"
		rev, err := v.Snapshot(t.Context(), ref, "m")
		require.NoError(t, err)
		h, err := v.Head(t.Context())
		require.NoError(t, err)
		require.Error(t, store.DropSnapshot(t.Context(), ref, h.Rev), "another one by now")
		require.ErrorIs(t, store.DropSnapshot(t.Context(), "refs/heads/main", h.Rev), vcs.ErrBadName)
		require.NoError(t, store.DropSnapshot(t.Context(), ref, rev))
		_, err = store.SnapshotFiles(t.Context(), ref)
		require.ErrorIs(t, err, vcs.ErrNoSnapshot)
		require.ErrorIs(t, store.DropSnapshot(t.Context(), ref, rev), vcs.ErrNoSnapshot)
	}},
	{"snapshot/keeps every byte, whatever the filters do", func(t *testing.T, s *stage) {
		s.Write(".gitattributes", "*.txt text=auto eol=lf\n*.big filter=drop\n")
		s.Write("a.txt", "one\n")
		s.Commit("first")
		s.Git("config", "core.autocrlf", "input")
		s.Git("config", "filter.drop.clean", "echo pointer")
		s.Git("config", "filter.drop.smudge", "cat")
		want := map[string]string{"a.txt": "one\r\ntwo\nthree\r\n", "x.big": "much\x00content", "dir/odd\n\"n\\ame.txt": "four\r\nfive\n"}
		for name, text := range want {
			s.Write(name, text)
		}
		v := s.repo(t)
		store, err := vcs.Snapshots(v)
		require.NoError(t, err)
		_, err = v.Snapshot(t.Context(), "refs/ralphex/wip/r/1", "m")
		require.NoError(t, err)
		files, err := store.SnapshotFiles(t.Context(), "refs/ralphex/wip/r/1")
		require.NoError(t, err)
		got := map[string]string{}
		for _, f := range files {
			content, err := store.SnapshotContent(t.Context(), "refs/ralphex/wip/r/1", f)
			require.NoError(t, err)
			got[f.Path] = string(content)
		}
		assert.Equal(t, want, got)
	}},
}
