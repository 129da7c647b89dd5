package vcs_test

import (
	"fmt"
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

// spied is one call of git as git itself saw it.
type spied struct {
	argv  []string
	env   map[string]string
	stdin string // where it leads: "/dev/null", "pipe"
}

// spy opens a repository through a git that notes argv, environment and stdin, talks a lot on stderr, and then does its work.
func spy(t *testing.T, r *vcstest.Repo, backend string, extra ...string) (vcs.Repo, func() []spied) {
	t.Helper()
	real, err := exec.LookPath("git")
	require.NoError(t, err)
	log := t.TempDir()
	tool := filepath.Join(t.TempDir(), "git")
	script := fmt.Sprintf(`#!/bin/sh
f=$(mktemp '%[1]s/call.XXXXXX')
for a in "$@"; do printf '%%s\0' "$a"; done >"$f.argv"
tr '\0' '\n' </proc/self/environ >"$f.env"
readlink /proc/self/fd/0 >"$f.stdin"
echo 'warning: something that nobody asked for' >&2
exec '%[2]s' "$@"
`, log, real)
	require.NoError(t, os.WriteFile(tool, []byte(script), 0o755))
	v, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: append(r.Env[:len(r.Env):len(r.Env)], extra...), Command: tool, Backend: backend})
	require.NoError(t, err)
	return v, func() (calls []spied) {
		argvs, err := filepath.Glob(log + "/*.argv")
		require.NoError(t, err)
		for _, f := range argvs {
			c := spied{env: map[string]string{}}
			b, err := os.ReadFile(f)
			require.NoError(t, err)
			c.argv = strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
			stem := strings.TrimSuffix(f, ".argv")
			b, err = os.ReadFile(stem + ".env")
			require.NoError(t, err)
			for kv := range strings.SplitSeq(string(b), "\n") {
				name, value, _ := strings.Cut(kv, "=")
				c.env[name] = value
			}
			b, err = os.ReadFile(stem + ".stdin")
			require.NoError(t, err)
			c.stdin = strings.TrimSpace(string(b))
			calls = append(calls, c)
		}
		return calls
	}
}

// Every call of git, whatever asks for it: no prompt, no pager, no editor, no locale where we read, no climbing out of the repository, no
// terminal, and names that can't be torn apart.
func TestEveryCallIsSafe(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("needs /proc")
	}
	r := vcstest.NewRepo(t)
	r.Write("a", "1\n")
	first := vcs.Rev(r.Commit("first"))
	r.Write("b c\nd", "2\n")
	second := vcs.Rev(r.Commit("second"))
	v, calls := spy(t, r, "git", "LC_ALL=tr_TR.UTF-8", "GIT_PAGER=less", "GIT_EDITOR=vi", "GIT_DIR=/elsewhere", "GIT_TERMINAL_PROMPT=1", "GIT_CEILING_DIRECTORIES=/nowhere")
	ctx := t.Context()
	do := func(what string, err error) { t.Helper(); require.NoError(t, err, what) }

	h, err := v.Head(ctx)
	do("head", err)
	assert.Equal(t, second, h.Rev, "what git says on stderr is nobody's answer")
	d, err := v.DefaultBranch(ctx)
	do("default branch", err)
	assert.Equal(t, vcs.Branch("main"), d)
	_, err = v.BranchHolder(ctx, "main")
	do("holder", err)
	l, err := v.Log(ctx, first, second, 0)
	do("log", err)
	assert.Len(t, l, 1)
	_, err = v.DiffStat(ctx, first, second)
	do("diff stat", err)
	_, err = v.PathAt(ctx, second, "b c\nd")
	do("path", err)
	_, err = v.IsAncestor(ctx, first, second)
	do("ancestor", err)
	do("create", v.CreateBranch(ctx, "new"))
	r.Write("a", "3\n")
	r.Write("e\nf", "3\n")
	st, err := v.Status(ctx)
	do("status", err)
	assert.Equal(t, []string{"a", "e\nf"}, st.Paths())
	_, err = v.Ignored(ctx, "a")
	do("ignored", err)
	_, err = v.Snapshot(ctx, "refs/ralphex/wip/x", "m")
	do("snapshot", err)
	_, err = v.Commit(ctx, vcs.CommitRequest{Message: "m", Paths: st.Paths()})
	do("commit", err)
	do("move", v.Move(ctx, "a", "z"))
	do("identity", v.Identity(ctx))
	r.Commit("moved")
	r.Git("branch", "-q", "same")
	do("switch", v.Switch(ctx, "same"))

	seen := calls()
	require.Greater(t, len(seen), 20)
	terminated := map[string][]string{ // how each verb that prints names of files ends them
		"status": {"-z"}, "ls-files": {"-z"}, "ls-tree": {"-z"}, "diff": {"-z", "--quiet"}, "check-ignore": {"-z"}, "diff-tree": {"-z"},
		"commit": {"--pathspec-file-nul"}, "add": {"--pathspec-file-nul", "-A"}, "update-index": {"-z"},
	}
	var verbs []string
	for _, c := range seen {
		line := strings.Join(c.argv, " ")
		verb := c.argv[0]
		for verb == "-c" { // a setting, before the verb
			c.argv = c.argv[2:]
			verb = c.argv[0]
		}
		verbs = append(verbs, verb)
		assert.Equal(t, "0", c.env["GIT_TERMINAL_PROMPT"], line)
		assert.Equal(t, "cat", c.env["GIT_PAGER"], line)
		assert.Equal(t, ":", c.env["GIT_EDITOR"], line)
		assert.Equal(t, filepath.Dir(r.Dir), c.env["GIT_CEILING_DIRECTORIES"], line)
		assert.NotContains(t, c.env, "GIT_DIR", line)
		assert.False(t, strings.HasPrefix(c.stdin, "/dev/pts") || strings.HasPrefix(c.stdin, "/dev/tty"), "%s reads %s", line, c.stdin)
		if want, ok := terminated[verb]; ok {
			assert.True(t, slices.ContainsFunc(c.argv, func(a string) bool { return slices.Contains(want, a) }), "%s prints or reads names without NUL", line)
		}
		if runsHooks := verb == "commit" || verb == "checkout"; runsHooks {
			assert.Equal(t, "tr_TR.UTF-8", c.env["LC_ALL"], "%s: hooks have the user's locale", line)
		} else {
			assert.Equal(t, "C", c.env["LC_ALL"], line)
		}
		for _, never := range []string{"--no-verify", "-f", "--force", "--hard", "--no-gpg-sign"} {
			assert.NotContains(t, c.argv, never, line)
		}
	}
	for _, verb := range []string{"status", "commit", "update-ref", "symbolic-ref", "mv", "checkout", "log", "diff"} {
		assert.Contains(t, verbs, verb)
	}
}

// A case-insensitive file system shows one file under two names; a hard link is as near as one comes to it elsewhere.
func TestMoveKnowsAFileByItsIdentity(t *testing.T) {
	for _, backend := range []string{"auto", "go-git"} {
		t.Run(backend, func(t *testing.T) {
			r := vcstest.NewRepo(t)
			r.Git("config", "core.ignorecase", "true")
			r.Write("Plan.md", "1")
			r.Commit("first")
			require.NoError(t, os.Link(r.Path("Plan.md"), r.Path("plan.md")))
			v, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env, Backend: backend})
			require.NoError(t, err)
			require.NoError(t, v.Move(t.Context(), "Plan.md", "plan.md"), "it is no other file that would be lost")
			assert.Equal(t, "plan.md", r.Git("ls-files"))
			assert.Equal(t, "1", r.Read("plan.md"))
			r.Write("other.md", "2")
			require.ErrorIs(t, v.Move(t.Context(), "plan.md", "other.md"), os.ErrExist)
		})
	}
}
