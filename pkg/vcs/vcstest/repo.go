package vcstest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// Start is the time of a repository's first commit; each further one is a minute later.
var Start = time.Date(2026, 1, 29, 9, 0, 0, 0, time.UTC)

// Repo is a Git repository for one test.
type Repo struct {
	Folder
	clock time.Time
}

// NewRepo makes an empty repository on branch main, in a temporary folder. It skips the test where there is no git.
func NewRepo(tb testing.TB) *Repo {
	tb.Helper()
	return NewRepoAt(tb, NewFolder(tb).Dir)
}

// NewRepoAt is NewRepo for a folder of your own, which is made if it isn't there.
func NewRepoAt(tb testing.TB, dir string) *Repo {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		tb.Skip("git is not installed")
	}
	require.NoError(tb, os.MkdirAll(dir, 0o755))
	r := &Repo{Folder: Folder{Dir: dir, Env: Env(tb), tb: tb}, clock: Start}
	empty, err := gitTemplate()
	require.NoError(tb, err)
	empty.copyTo(tb, dir)
	f, err := os.OpenFile(r.Path(".git/config"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(tb, err)
	_, err = f.WriteString(config)
	require.NoError(tb, err)
	require.NoError(tb, f.Close())
	return r
}

// At is the same person in another working tree, a clone or a linked one.
func (r *Repo) At(dir string) *Repo {
	other := *r
	other.Dir = dir
	return &other
}

// config is what a repository of ours adds to git's own: a name, and nothing that depends on the machine or goes on behind our back.
const config = `[user]
	name = Test Author
	email = test@example.org
[commit]
	gpgSign = false
[core]
	autocrlf = false
[gc]
	auto = 0
[maintenance]
	auto = false
`

// Isolate hides the user's configuration from everything that this test starts with the process's own environment.
func Isolate(t *testing.T) {
	t.Helper()
	for _, kv := range Env(t) {
		name, value, _ := strings.Cut(kv, "=")
		t.Setenv(name, value)
	}
}

// Git runs a git command and returns its stdout without the last line end. It fails the test if the command does.
func (r *Repo) Git(args ...string) string {
	r.tb.Helper()
	out, err := r.TryGit(args...)
	require.NoError(r.tb, err, "git %s", strings.Join(args, " "))
	return out
}

// TryGit is Git for a command that may fail.
func (r *Repo) TryGit(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	stamp := fmt.Sprintf("%d +0000", r.clock.Unix())
	cmd.Dir = r.Dir
	cmd.Env = append(r.Env[:len(r.Env):len(r.Env)], "GIT_AUTHOR_DATE="+stamp, "GIT_COMMITTER_DATE="+stamp, "LC_ALL=C")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s%s", err, out, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// Commit commits all that is in the tree and returns the commit's name.
func (r *Repo) Commit(message string) string {
	r.tb.Helper()
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "-m", message)
	r.clock = r.clock.Add(time.Minute)
	return r.Head()
}

// Head is the name of HEAD's commit.
func (r *Repo) Head() string {
	r.tb.Helper()
	return r.Git("rev-parse", "HEAD")
}

// Status is "git status" in its short format, one line a path.
func (r *Repo) Status() string {
	r.tb.Helper()
	return r.Git("status", "--porcelain", "-uall")
}

// Committed lists the files of HEAD's commit with their letters, "A\tnew.txt", sorted by name.
func (r *Repo) Committed() []string {
	r.tb.Helper()
	out := r.Git("-c", "core.quotepath=off", "show", "--no-renames", "--name-status", "--format=", "HEAD")
	if out == "" {
		return nil
	}
	return strings.Split(out, "\n")
}

// Hook installs a shell script as a hook; the first line is added.
func (r *Repo) Hook(name, script string) {
	r.tb.Helper()
	file := filepath.Join(r.Dir, ".git", "hooks", name)
	require.NoError(r.tb, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(r.tb, os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

// Open opens the repository with its own environment.
func (r *Repo) Open(tb testing.TB) vcs.Repo {
	tb.Helper()
	v, err := vcs.Open(context.Background(), r.Dir, vcs.Options{Env: r.Env})
	require.NoError(tb, err)
	return v
}
