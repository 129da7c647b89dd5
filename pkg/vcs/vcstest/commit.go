package vcstest

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// commit commits paths and demands that it works.
func commit(t *testing.T, v vcs.Repo, paths ...string) vcs.CommitResult {
	t.Helper()
	res, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "feat: work", Paths: paths})
	require.NoError(t, err)
	return res
}

var commitStories = []story{
	{"commit/exactly the named paths", func(t *testing.T, s *stage) {
		for _, f := range []string{"ours", "staged", "dirty", "gone"} {
			s.Write(f, "1")
		}
		s.Commit("first")
		s.Write("ours", "2")
		s.Write("staged", "2")
		s.Git("add", "staged")
		s.Write("dirty", "2")
		s.Write("new", "1")
		s.Write("other new", "1")
		s.Remove("gone")
		res := commit(t, s.repo(t), "ours", "new", "gone")
		assert.Equal(t, vcs.CommitResult{Rev: vcs.Rev(s.Head())}, res)
		assert.Equal(t, []string{"D\tgone", "A\tnew", "M\tours"}, s.Committed())
		assert.Equal(t, " M dirty\nM  staged\n?? \"other new\"", s.Status())
	}},
	{"commit/the first one", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Write("b", "1")
		s.Git("add", "b")
		res := commit(t, s.repo(t), "a")
		assert.Equal(t, vcs.Rev(s.Head()), res.Rev)
		assert.Equal(t, []string{"A\ta"}, s.Committed())
		assert.Equal(t, "A  b", s.Status())
	}},
	{"commit/names that look like something else", func(t *testing.T, s *stage) {
		names := []string{"with space", "ünï çødé", "-dash", "--all", "new\nline", ":(glob)*", "*", "[a]", "a\tb", "\"q\"", "back\\slash", "#x", "dir/!x", ":/top"}
		for _, n := range names {
			s.Write(n, "1")
		}
		s.Write("bystander", "1")
		v := s.repo(t)
		commit(t, v, names...)
		assert.Equal(t, "?? bystander", s.Status())
		assert.Len(t, s.Committed(), len(names))
		for _, n := range names {
			s.Write(n, "2")
		}
		s.Git("add", "bystander")
		commit(t, v, names...)
		assert.Equal(t, "A  bystander", s.Status())
		for _, n := range names {
			s.Remove(n)
		}
		commit(t, v, names...)
		assert.Equal(t, "A  bystander", s.Status())
	}},
	{"commit/staged hunks of our own file", func(t *testing.T, s *stage) {
		s.Write("f", "1\n")
		s.Commit("first")
		s.Write("f", "1\nstaged\n")
		s.Git("add", "f")
		s.Write("f", "1\nstaged\nworked\n")
		commit(t, s.repo(t), "f")
		assert.Empty(t, s.Status())
		assert.Equal(t, "1\nstaged\nworked", s.Git("show", "HEAD:f"))
	}},
	{"commit/rename, staged or not", func(t *testing.T, s *stage) {
		s.Write("a", "some text to be known again\n")
		s.Write("b", "another text to be known again\n")
		s.Commit("first")
		s.Git("mv", "a", "a2")
		require.NoError(t, os.Rename(s.Path("b"), s.Path("b2")))
		v := s.repo(t)
		st, err := v.Status(t.Context())
		require.NoError(t, err)
		commit(t, v, st.Paths()...)
		assert.Empty(t, s.Status())
		assert.Equal(t, []string{"D\ta", "A\ta2", "D\tb", "A\tb2"}, s.Committed())
	}},
	{"commit/removal that is staged", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Write("b", "1")
		s.Commit("first")
		s.Git("rm", "-q", "a", "b")
		commit(t, s.repo(t), "a")
		assert.Equal(t, []string{"D\ta"}, s.Committed())
		assert.Equal(t, "D  b", s.Status())
	}},
	{"commit/mode and link", func(t *testing.T, s *stage) {
		s.Write("sh", "1")
		s.Write("l", "1")
		s.Commit("first")
		require.NoError(t, os.Chmod(s.Path("sh"), 0o755))
		s.Remove("l")
		require.NoError(t, os.Symlink("sh", s.Path("l")))
		commit(t, s.repo(t), "sh", "l")
		assert.Empty(t, s.Status())
		assert.Equal(t, []string{"T\tl", "M\tsh"}, s.Committed())
	}},
	{"commit/file becomes folder and back", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Write("d/x", "1")
		s.Commit("first")
		s.Remove("a")
		s.Write("a/in", "1")
		s.Remove("d")
		s.Write("d", "1")
		v := s.repo(t)
		st, err := v.Status(t.Context())
		require.NoError(t, err)
		commit(t, v, st.Paths()...)
		assert.Empty(t, s.Status())
	}},
	{"commit/a folder becomes a link to where it went", func(t *testing.T, s *stage) {
		s.Write("lib/one", "1")
		s.Commit("first")
		require.NoError(t, os.Rename(s.Path("lib"), s.Path("src")))
		require.NoError(t, os.Symlink("src", s.Path("lib")))
		v := s.repo(t)
		st, err := v.Status(t.Context())
		require.NoError(t, err)
		res := commit(t, v, append([]string{"lib", "lib/one", "src/one"}, st.Paths()...)...)
		assert.Empty(t, res.Left)
		assert.Empty(t, s.Status())
		assert.Equal(t, "lib\nsrc/one", s.Git("ls-tree", "-r", "--name-only", "HEAD"))
	}},
	{"commit/what lies behind somebody's link is left", func(t *testing.T, s *stage) {
		s.Write("lib/one", "1")
		s.Commit("first")
		require.NoError(t, os.Rename(s.Path("lib"), s.Path("src")))
		require.NoError(t, os.Symlink("src", s.Path("lib")))
		res := commit(t, s.repo(t), "lib/one", "src/one")
		// That it is gone can be committed by itself where no command is asked for it; what is there now is never taken for it.
		assert.Contains(t, []string{"lib/one", ""}, strings.Join(res.Left, " "))
		assert.Equal(t, len(res.Left) == 0, slices.Contains(s.Committed(), "D\tlib/one"))
		assert.NotContains(t, s.Committed(), "M\tlib/one")
	}},
	{"commit/a folder that was only staged becomes a file", func(t *testing.T, s *stage) {
		s.Commit("first")
		s.Write("d/x", "1")
		s.Git("add", "d/x")
		s.Remove("d")
		s.Write("d", "1")
		commit(t, s.repo(t), "d/x", "d")
		assert.Empty(t, s.Status())
		assert.Equal(t, []string{"A\td"}, s.Committed())
	}},
	{"commit/announced files", func(t *testing.T, s *stage) {
		s.Commit("first")
		s.Write("a", "1")
		s.Write("empty", "")
		s.Write("other", "1")
		s.Git("add", "-N", "a", "empty", "other")
		commit(t, s.repo(t), "a", "empty")
		assert.Equal(t, []string{"A\ta", "A\tempty"}, s.Committed())
		assert.Equal(t, " A other", s.Status())
	}},
	{"commit/only where the caller believes to be", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		first := s.Commit("first")
		s.Write("a", "2")
		s.Write("new", "1")
		v := s.repo(t)
		want, err := v.Head(t.Context())
		require.NoError(t, err)
		refused := func(expect vcs.Head, found, expected string) {
			t.Helper()
			before := s.Status()
			_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a", "new"}, Expect: &expect})
			surprise, ok := errors.AsType[*vcs.SurpriseError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, found, surprise.Got)
			assert.Equal(t, expected, surprise.Want)
			assert.ErrorContains(t, err, found)
			assert.ErrorContains(t, err, expected)
			assert.NotEmpty(t, surprise.Hint())
			assert.Equal(t, before, s.Status(), "nothing was touched")
		}
		s.Git("checkout", "-q", "-b", "elsewhere")
		refused(want, "elsewhere", "main")
		s.Git("checkout", "-q", "main")
		s.Git("commit", "-q", "--allow-empty", "-m", "somebody else's")
		refused(want, s.Head(), first)
		want.Rev = vcs.Rev(s.Head())
		res, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a"}, Expect: &want})
		require.NoError(t, err)
		assert.False(t, res.Nothing())
	}},
	{"commit/by whom the configuration says", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Git("config", "author.name", "Somebody Else")
		s.Git("config", "committer.email", "other@example.org")
		commit(t, s.repo(t), "a")
		assert.Equal(t, "Somebody Else <test@example.org> Test Author <other@example.org>", s.Git("log", "-1", "--format=%an <%ae> %cn <%ce>"))
		s.Write("a", "2")
		s.Env = append(s.Env, "GIT_AUTHOR_NAME=By Environment")
		commit(t, s.repo(t), "a")
		assert.Equal(t, "By Environment", s.Git("log", "-1", "--format=%an"))
	}},
	{"commit/a link of a worktree that broke", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Write(".gitignore", "trees/\n")
		head := s.Commit("first")
		s.Git("worktree", "add", "-q", s.Path("trees/t"), "-b", "side")
		v := s.at(t, s.Path("trees/t"))
		s.Write("trees/t/a", "2")
		s.Write("a", "mine")
		before := s.Status()
		for _, link := range []string{"", "gitdir: " + s.Path(".git") + "\n", "gitdir: /nowhere\n"} {
			s.Remove("trees/t/.git")
			if link != "" {
				s.Write("trees/t/.git", link)
			}
			_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a"}})
			require.Error(t, err, link)
			require.Error(t, v.CreateBranch(t.Context(), "new"), link)
			require.Error(t, v.Move(t.Context(), "a", "b"), link)
			_, err = v.Snapshot(t.Context(), "refs/ralphex/wip/x", "m")
			require.Error(t, err, link)
		}
		assert.Equal(t, before, s.Status())
		assert.Equal(t, head, s.Head())
		assert.Equal(t, head, s.Git("rev-parse", "side"))
		assert.Empty(t, s.Git("for-each-ref", "refs/ralphex", "refs/heads/new"))
		assert.Equal(t, "mine", s.Read("a"))
		assert.Equal(t, "2", s.Read("trees/t/a"))
	}},
	{"commit/doubt about another file stays", func(t *testing.T, s *stage) {
		s.Git("config", "core.trustctime", "false")
		s.Write("a", "1")
		s.Write("other", "1")
		require.NoError(t, os.Chtimes(s.Path("other"), Start, Start))
		s.Commit("first")
		s.Write("other", "2") // the same size, and in the moment in which the index was written
		for _, f := range []string{"other", ".git/index"} {
			require.NoError(t, os.Chtimes(s.Path(f), Start, Start))
		}
		s.Write("a", "2")
		commit(t, s.repo(t), "a")
		assert.Equal(t, " M other", s.Status())
	}},
	{"commit/nothing to commit", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		rev := s.Commit("first")
		s.Write("b", "1")
		s.Git("add", "b")
		v := s.repo(t)
		for _, p := range [][]string{nil, {"a"}, {"nowhere"}, {"a", "nowhere"}} {
			assert.Zero(t, commit(t, v, p...), "%q", p)
		}
		assert.Equal(t, rev, s.Head())
		assert.Equal(t, "A  b", s.Status())
	}},
	{"commit/the tree is as HEAD, the index isn't", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		rev := s.Commit("first")
		s.Write("a", "2")
		s.Write("b", "1")
		s.Write("mine", "1")
		s.Git("add", "-A")
		s.Write("a", "1")
		s.Remove("b")
		assert.Zero(t, commit(t, s.repo(t), "a", "b"))
		assert.Equal(t, rev, s.Head())
		assert.Equal(t, "A  mine", s.Status())
	}},
	{"commit/folders and places that aren't ours", func(t *testing.T, s *stage) {
		s.Write("dir/a", "1")
		s.Write("dir/b", "1")
		v := s.repo(t)
		for _, p := range []string{"dir", "../x", "/etc/passwd", ".git/config", ".", ""} {
			_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{p}})
			require.Error(t, err, "%q", p)
		}
		_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: " \n", Paths: []string{"dir/a"}})
		require.Error(t, err)
		assert.Equal(t, "?? dir/a\n?? dir/b", s.Status())
	}},
	{"commit/submodule", func(t *testing.T, s *stage) {
		addSubmodule(t, s, "sub")
		s.Write("a", "1")
		s.Commit("first")
		rev := s.Head()
		s.Write("sub/f", "dirt")
		v := s.repo(t)
		assert.Zero(t, commit(t, v, "sub"), "dirt inside is nothing that we could commit")
		assert.Equal(t, rev, s.Head())
		s.Git("-C", "sub", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "-a", "-m", "inside")
		commit(t, v, "sub")
		assert.Equal(t, []string{"M\tsub"}, s.Committed())
	}},
	{"commit/a repository inside is left", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		NewRepoAt(t, s.Path("inner")).Commit("x")
		res := commit(t, s.repo(t), "a", "inner/")
		assert.Equal(t, []string{"inner/"}, res.Left)
		assert.Equal(t, []string{"A\ta"}, s.Committed())
	}},
	{"commit/message and trailer", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Git("config", "commit.cleanup", "strip")
		_, err := s.repo(t).Commit(t.Context(), vcs.CommitRequest{Message: "#1 ü\n\nbody", Paths: []string{"a"}, Trailer: "Plan: x"})
		require.NoError(t, err)
		assert.Equal(t, "#1 ü\n\nbody\n\nPlan: x\n", s.Git("log", "-1", "--format=%B"))
		assert.Equal(t, "Test Author", s.Git("log", "-1", "--format=%an"))
	}},
	{"commit/during a merge", func(t *testing.T, s *stage) {
		conflict(s)
		_, err := s.TryGit("merge", "side")
		require.Error(t, err)
		s.Write("new", "1")
		_, err = s.repo(t).Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"new"}})
		require.ErrorContains(t, err, "merge")
		assert.Equal(t, "UU f\n?? new", s.Status())
	}},
	{"commit/very many paths", func(t *testing.T, s *stage) {
		var names []string
		for i := range 1500 {
			names = append(names, fmt.Sprintf("dir/%s-%d", "a rather long name of a file to fill the command line with", i))
			s.Write(names[i], "1")
		}
		s.Write("bystander", "1")
		s.Hook("pre-commit", "exit 0")
		commit(t, s.repo(t), names...)
		assert.Equal(t, "?? bystander", s.Status())
	}},
}

// reformat is a hook that makes tabs of blanks in every staged file, the way formatters do.
const reformat = `git diff --cached --name-only -z --diff-filter=AM -- '*.go' | tr '\0' '\n' >.git/list
while read -r f; do tr ' ' '\t' <"$f" >.git/tmp; cmp -s .git/tmp "$f" || { cat .git/tmp >"$f"; changed=1; }; done <.git/list
`

var hookStories = []story{
	{"hook/refuses", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		rev := s.Commit("first")
		s.Write("a", "2")
		s.Write("new", "1")
		s.Write("mine", "1")
		s.Git("add", "mine")
		before := s.Status()
		s.Hook("pre-commit", "echo run >>.git/ran; echo 'no tests, no commit' >&2; exit 1")
		_, err := s.repo(t).Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a", "new"}})
		var he *vcs.HookError
		require.ErrorAs(t, err, &he)
		assert.Equal(t, "no tests, no commit", he.Text)
		assert.False(t, he.Retried)
		assert.Equal(t, rev, s.Head())
		assert.Equal(t, before, s.Status(), "index and tree are as they were")
		assert.Equal(t, "run\n", s.Read(".git/ran"), "a hook that changed nothing isn't asked twice")
	}},
	{"hook/commit-msg refuses", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Hook("commit-msg", "echo 'bad message'; exit 3")
		_, err := s.repo(t).Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a"}})
		var he *vcs.HookError
		require.ErrorAs(t, err, &he)
		assert.Equal(t, "bad message", he.Text)
		assert.Equal(t, "?? a", s.Status())
	}},
	{"hook/reformats and adds", func(t *testing.T, s *stage) {
		s.Write("a.go", "1")
		s.Write("mine.go", "1")
		s.Commit("first")
		s.Write("mine.go", "2")
		s.Git("add", "mine.go")
		s.Hook("pre-commit", reformat+`tr '\n' '\0' <.git/list | xargs -0 git add --`)
		s.Write("a.go", "a b")
		s.Write("new ü.go", "c d")
		v := s.repo(t)
		res := commit(t, v, "a.go", "new ü.go")
		assert.True(t, res.Readded)
		assert.Empty(t, res.Left)
		assert.Equal(t, "M  mine.go", s.Status())
		assert.Equal(t, "a\tb", s.Git("show", "HEAD:a.go"))
		assert.Equal(t, "2", s.Git("rev-list", "--count", "HEAD"))
	}},
	{"hook/reformats and refuses", func(t *testing.T, s *stage) {
		s.Write("mine", "1")
		s.Git("add", "mine")
		s.Hook("pre-commit", reformat+`test -z "$changed" || { echo mended; exit 1; }`)
		s.Write("a.go", "a b")
		res := commit(t, s.repo(t), "a.go")
		assert.True(t, res.Readded)
		assert.Equal(t, "A  mine", s.Status())
		assert.Equal(t, "a\tb", s.Git("show", "HEAD:a.go"))
	}},
	{"hook/reformats without adding", func(t *testing.T, s *stage) {
		s.Write("mine", "1")
		s.Git("add", "mine")
		s.Hook("pre-commit", reformat)
		s.Write("a.go", "a b")
		res := commit(t, s.repo(t), "a.go")
		assert.True(t, res.Readded)
		assert.Empty(t, res.Left)
		assert.Equal(t, vcs.Rev(s.Head()), res.Rev)
		assert.Equal(t, "A  mine", s.Status())
		assert.Equal(t, "a\tb", s.Git("show", "HEAD:a.go"))
		assert.Equal(t, "1", s.Git("rev-list", "--count", "HEAD"), "one commit")
	}},
	{"hook/is never satisfied", func(t *testing.T, s *stage) {
		s.Hook("pre-commit", "echo x >>a.go; exit 1")
		s.Write("a.go", "1\n")
		_, err := s.repo(t).Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a.go"}})
		var he *vcs.HookError
		require.ErrorAs(t, err, &he)
		assert.True(t, he.Retried)
		assert.Equal(t, "1\nx\nx\n", s.Read("a.go"), "one retry")
	}},
	{"hook/always changes something", func(t *testing.T, s *stage) {
		s.Hook("pre-commit", "echo x >>a.go")
		s.Write("a.go", "1\n")
		res := commit(t, s.repo(t), "a.go")
		assert.Equal(t, []string{"a.go"}, res.Left, "it ends, and says what is left")
		assert.Equal(t, "1", s.Git("rev-list", "--count", "HEAD"))
	}},
	{"hook/adds more than ours", func(t *testing.T, s *stage) {
		s.Write("mine.go", "1\n")
		s.Write("staged.go", "1\n")
		s.Write("gone.go", "1\n")
		s.Git("add", "-A")
		s.Commit("start")
		s.Write("mine.go", "2\n")
		s.Write("new\nline", "2\n")
		s.Write("staged.go", "2\n")
		s.Git("add", "staged.go")
		s.Write("staged.go", "3\n")
		require.NoError(t, os.Remove(s.Path("gone.go")))
		s.Hook("pre-commit", "git add -A")
		s.Write("a.go", "1\n")
		res := commit(t, s.repo(t), "a.go")
		assert.Equal(t, []string{"gone.go", "mine.go", "new\nline", "staged.go"}, res.Brought, "it is said")
		assert.Equal(t, "MM staged.go", s.Status(), "nothing is staged that the user did not stage, and what they did is still staged")
		assert.Equal(t, "2", s.Git("show", ":staged.go"))
	}},
	{"hook/adds more than ours to the first commit", func(t *testing.T, s *stage) {
		s.Hook("pre-commit", "git add -A")
		s.Write("dir/mine.go", "1\n")
		s.Write("a.go", "1\n")
		res := commit(t, s.repo(t), "a.go")
		assert.Equal(t, []string{"dir/mine.go"}, res.Brought)
		assert.Empty(t, s.Status())
	}},
	{"hook/a folder in the place of a file is ours", func(t *testing.T, s *stage) {
		s.Write("x", "1\n")
		s.Write("y/z", "1\n")
		s.Git("add", "-A")
		s.Commit("start")
		s.Hook("pre-commit", "true")
		require.NoError(t, os.RemoveAll(s.Path("y")))
		require.NoError(t, os.Remove(s.Path("x")))
		s.Write("x/z", "1\n")
		s.Write("y", "1\n")
		res := commit(t, s.repo(t), "x", "x/z", "y", "y/z")
		assert.Empty(t, res.Brought)
		assert.Empty(t, s.Status())
	}},
	{"hook/removes one of ours", func(t *testing.T, s *stage) {
		s.Hook("pre-commit", "rm -f b.go")
		s.Write("a.go", "1\n")
		s.Write("b.go", "1\n")
		res := commit(t, s.repo(t), "a.go", "b.go")
		assert.Empty(t, res.Left)
		assert.Empty(t, s.Status())
		assert.Equal(t, []string{"A\ta.go"}, s.Committed())
	}},
	{"hook/moves HEAD on", func(t *testing.T, s *stage) {
		s.Hook("pre-commit", reformat)
		s.Hook("post-commit", `test -e .git/done && exit 0; touch .git/done; git commit -q --allow-empty -m on --no-verify`)
		s.Write("a.go", "a b")
		res := commit(t, s.repo(t), "a.go")
		assert.Equal(t, "on", s.Git("log", "-1", "--format=%s"), "somebody else's commit is not amended")
		assert.Equal(t, s.Git("rev-parse", "HEAD~1"), string(res.Rev))
		assert.Equal(t, []string{"a.go"}, res.Left)
	}},
	{"hook/sees its own patterns and locale", func(t *testing.T, s *stage) {
		s.Hook("pre-commit", `test -n "$(git diff --cached --name-only -- '*.go')" && test -z "$LC_ALL$GIT_LITERAL_PATHSPECS"`)
		s.Write("a.go", "1")
		commit(t, s.repo(t), "a.go")
	}},
	{"hook/lies elsewhere, and comes in mid-run", func(t *testing.T, s *stage) {
		v := s.repo(t)
		s.Write("a.go", "1")
		commit(t, v, "a.go")
		s.Write("hooks/pre-commit", "#!/bin/sh\n"+reformat)
		require.NoError(t, os.Chmod(s.Path("hooks/pre-commit"), 0o755))
		s.Git("config", "core.hooksPath", "hooks")
		s.Write("a.go", "a b")
		assert.True(t, commit(t, v, "a.go").Readded)
		assert.Equal(t, "a\tb", s.Git("show", "HEAD:a.go"))
	}},
	{"hook/by an included file", func(t *testing.T, s *stage) {
		s.Write(".git/extra", "[core]\n\thooksPath = hooks\n")
		s.Write(".git/info/exclude", "hooks\n")
		s.Git("config", "include.path", "extra")
		s.Write("hooks/pre-commit", "#!/bin/sh\n"+reformat)
		require.NoError(t, os.Chmod(s.Path("hooks/pre-commit"), 0o755))
		s.Write("a.go", "a b")
		assert.True(t, commit(t, s.repo(t), "a.go").Readded)
	}},
	{"hook/leaves a child behind", func(t *testing.T, s *stage) {
		s.Hook("post-commit", "sleep 600 & echo $! >.git/child")
		s.Write("a", "1")
		res := commit(t, s.repo(t), "a")
		assert.Equal(t, vcs.Rev(s.Head()), res.Rev)
		var pid int
		_, err := fmt.Sscan(s.Read(".git/child"), &pid)
		require.NoError(t, err)
		p, err := os.FindProcess(pid)
		require.NoError(t, err)
		assert.NoError(t, p.Kill(), "it lives: what a hook starts is the user's")
	}},
}
