package vcs_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs/vcstest"
	"ralphex/scripts"
)

// spoken runs hg2git.sh as a person's own wrapper would be run, in one shell.
type spoken struct {
	repo  *vcstest.HgRepo
	shell []string
}

// ask returns stdout, stderr and exit code.
func (s spoken) ask(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(s.shell[0], append(append(s.shell[1:len(s.shell):len(s.shell)], "-c", scripts.Hg2git, "hg2git.sh"), args...)...)
	cmd.Dir, cmd.Env = s.repo.Dir, s.repo.Env
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// Every answer in two small shells: what a caller of git reads, and nothing on stderr when it went well.
func TestHgScriptAnswers(t *testing.T) {
	for _, shell := range [][]string{{"dash"}, {"busybox", "sh"}} {
		t.Run(shell[0], func(t *testing.T) {
			if _, err := exec.LookPath(shell[0]); err != nil {
				if os.Getenv("RALPHEX_CI") == "1" {
					t.Fatal(shell[0] + " is not installed, and RALPHEX_CI=1 says that it must be")
				}
				t.Skip(shell[0] + " is not installed")
			}
			t.Parallel()
			r := vcstest.NewHgRepo(t)
			s := spoken{r, shell}
			says := func(want string, args ...string) {
				t.Helper()
				out, errs, code := s.ask(t, args...)
				assert.Equal(t, want, out, args)
				assert.Empty(t, errs, args)
				assert.Zero(t, code, args)
			}
			refuses := func(code int, words string, args ...string) {
				t.Helper()
				_, errs, got := s.ask(t, args...)
				assert.Equal(t, code, got, args)
				assert.Contains(t, errs, words, args)
			}
			refuses(128, "ambiguous argument", "rev-parse", "HEAD")
			says("master\n", "symbolic-ref", "--short", "HEAD")
			says(r.Dir+"\n", "rev-parse", "--show-toplevel")

			r.Write(".hgignore", "syntax: glob\n*.o\nsyntax: regexp\n^out/\n")
			r.Write("a", "1\n2\n")
			r.Write("gone", "1\n")
			base := string(r.Public("base"))
			r.Write("x.o", "1")
			r.Write("out/x", "1")
			r.Write(".ralph/x", "1")
			r.Write("a", "1\n3\n4\n")
			r.Remove("gone")
			r.Write("b c", "1\n")
			r.Write("n\nl", "1")
			r.Write("g*", "1\n")
			says(" M a\n D gone\n?? b c\n?? g*\n?? \"n\\nl\"\n", "status", "--porcelain", "-uall")
			says(" M a\x00 D gone\x00?? b c\x00?? g*\x00?? n\nl\x00", "status", "--porcelain", "-z", "-uall")
			says("?? g*\n", "status", "--porcelain=v1", "-uall", "--", "g*")
			says("b c\x00g*\x00n\nl\x00", "ls-files", "-z", "--others", "--exclude-standard")
			says("", "check-ignore", "-q", "--", "x.o")
			says("", "check-ignore", "-q", "--", "out/x")
			refuses(1, "", "check-ignore", "-q", "--", "a")
			says("d00491fd7e5bb6fa28c517a0bb32b8b506539d4d\n", "hash-object", "--", "g*") // as git names "1\n"
			refuses(128, "nowhere", "hash-object", "--", "nowhere")

			says("", "checkout", "-b", "work")
			refuses(128, "already exists", "checkout", "-b", "work")
			says("", "show-ref", "--verify", "--quiet", "refs/heads/work")
			refuses(1, "", "show-ref", "--verify", "--quiet", "refs/heads/wor")
			refuses(1, "", "symbolic-ref", "refs/remotes/origin/HEAD")
			says("master\n", "symbolic-ref", "--short", "HEAD")
			says("", "add", "--", "b c", "g*")
			says("", "commit", "-m", "--", "--", "a", "gone", "b c", "g*")
			says("work\n", "symbolic-ref", "--short", "HEAD")
			says("?? \"n\\nl\"\n", "status", "--porcelain", "-uall")
			says("2\t1\ta\n1\t0\tb c\n1\t0\tg*\n0\t1\tgone\n", "diff", "--numstat", base+"...HEAD")
			says("2\t1\ta\n1\t0\tb c\n1\t0\tg*\n0\t1\tgone\n", "diff", "--numstat", "master...HEAD")
			says(base+"\n", "merge-base", "master", "HEAD")
			says("", "merge-base", "--is-ancestor", base, "HEAD")
			refuses(1, "", "merge-base", "--is-ancestor", "HEAD", base)
			says("", "mv", "--", "b c", "re:d")
			r.Write("bin", "\x00\x01")
			says("", "add", "-A")
			says("-\t-\tbin\n0\t0\tb c => re:d\n", "diff", "--numstat", "HEAD")
			says("", "commit", "-m", "more")
			out, _, _ := s.ask(t, "commit", "-m", "none")
			assert.Contains(t, out, "nothing to commit")
			assert.Equal(t, []string{"--"}, r.Drafts(), "amended, and the first message stays")
			says(base[:12]+"\n", "rev-parse", "--short", "master")
			refuses(1, "", "rev-parse", "--verify", "--quiet", "nowhere")
			says("1\n", "show", "HEAD:g*")
			says("Test Author <test@example.org>\n", "var", "GIT_AUTHOR_IDENT")
			refuses(1, "worktree not supported", "worktree", "add", "x")
			refuses(1, "unknown command", "frobnicate")
		})
	}
}
