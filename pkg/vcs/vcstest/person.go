package vcstest

import (
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// NewGitPerson makes an empty Git repository with somebody in it.
func NewGitPerson(tb testing.TB) Person { return &gitPerson{Repo: NewRepo(tb)} }

// gitPerson types git.
type gitPerson struct{ *Repo }

func (p *gitPerson) Files() *Folder { return &p.Folder }

func (p *gitPerson) Commit(message string) vcs.Rev { return vcs.Rev(p.Repo.Commit(message)) }

func (p *gitPerson) Head() vcs.Rev {
	rev, err := p.TryGit("rev-parse", "-q", "--verify", "HEAD")
	if err != nil {
		return ""
	}
	return vcs.Rev(rev)
}

func (p *gitPerson) Track(path string) { p.Git("add", "--", ":(literal)"+path) }

func (p *gitPerson) Ignore(suffix string) {
	p.Write(".gitignore", "*"+suffix+"\n")
	p.Commit("ignore " + suffix)
}

func (p *gitPerson) Branch(name vcs.Branch) { p.Git("checkout", "-q", "-b", string(name)) }

func (p *gitPerson) Switch(name vcs.Branch) { p.Git("checkout", "-q", string(name), "--") }

func (p *gitPerson) Show(rev vcs.Rev, path string) (string, bool) {
	hash, err := p.TryGit("rev-parse", "-q", "--verify", string(rev)+":"+path)
	if err != nil {
		return "", false
	}
	out, err := p.TryGit("cat-file", "blob", hash)
	if err != nil {
		return "", false
	}
	return out, true
}

func (p *gitPerson) Changed(rev vcs.Rev) []string {
	out := p.Git("show", "-z", "--no-renames", "--name-status", "--format=", "--first-parent", "-m", string(rev))
	fields := strings.Split(strings.Trim(out, "\x00\n"), "\x00")
	var lines []string
	for i := 0; i+1 < len(fields); i += 2 {
		lines = append(lines, strings.Trim(fields[i], "\n")+" "+fields[i+1])
	}
	return byName(lines)
}

func (p *gitPerson) Pending() []string {
	out := p.Git("status", "--porcelain", "-z", "-uall", "--no-renames")
	var lines []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if len(entry) < 4 {
			continue
		}
		letter := strings.Trim(entry[:2], " ")
		lines = append(lines, letter[:1]+" "+entry[3:])
	}
	return byName(lines)
}

func (p *gitPerson) Stop() string {
	p.Write("f", "base\n")
	p.Commit("base")
	main := p.Git("symbolic-ref", "--short", "HEAD")
	p.Branch("stop-side")
	p.Write("f", "side\n")
	p.Commit("side")
	p.Switch(vcs.Branch(main))
	p.Write("f", "main\n")
	p.Commit("main")
	_, err := p.TryGit("merge", "stop-side")
	require.Error(p.tb, err, "the merge must stop")
	return "merge"
}

func (p *gitPerson) BeforeCommit(script string) { p.Hook("pre-commit", script) }

func (p *gitPerson) Forget() {
	p.Git("config", "--unset", "user.email")
	p.Git("config", "user.useConfigOnly", "true")
}

// byName sorts "LETTER NAME" lines by the name.
func byName(lines []string) []string {
	sort.SliceStable(lines, func(i, j int) bool { return lines[i][2:] < lines[j][2:] })
	return lines
}

// Sign installs a program that stands in for gpg: it signs anything with the same words.
func (p *gitPerson) Sign() func(vcs.Rev) bool {
	p.Write(".git/gpg", "#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho '-----BEGIN PGP SIGNATURE-----'\necho\necho signed\necho '-----END PGP SIGNATURE-----'\n")
	require.NoError(p.tb, os.Chmod(p.Path(".git/gpg"), 0o755))
	p.Git("config", "gpg.program", p.Path(".git/gpg"))
	p.Git("config", "commit.gpgSign", "true")
	return func(rev vcs.Rev) bool { return strings.Contains(p.Git("cat-file", "commit", string(rev)), "\ngpgsig ") }
}
