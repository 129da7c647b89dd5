package vcstest

import (
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

// HgRepo is a Mercurial repository for one test.
type HgRepo struct {
	Folder
	tool  string
	clock time.Time
}

// NeedHg skips a test where there is no Mercurial. In the project's own check it must be there.
func NeedHg(tb testing.TB) {
	tb.Helper()
	if _, err := exec.LookPath("hg"); err == nil {
		return
	}
	if os.Getenv("RALPHEX_CI") == "1" {
		tb.Fatal("hg is not installed, and RALPHEX_CI=1 says that it must be")
	}
	tb.Skip("hg is not installed")
}

// NewHgRepo makes an empty Mercurial repository in a temporary folder. Lines of configuration may follow, e.g. "[phases]", "publish = false".
// Its commands go through the command server where there is one.
func NewHgRepo(tb testing.TB, config ...string) *HgRepo {
	tb.Helper()
	NeedHg(tb)
	tool, env, err := hgServer.use()
	require.NoError(tb, err)
	r := &HgRepo{Folder: *NewFolder(tb), tool: tool, clock: Start}
	r.Env = append(r.Env, env...)
	empty, err := hgTemplate()
	require.NoError(tb, err)
	empty.copyTo(tb, r.Dir)
	r.Configure(config...)
	return r
}

// Hg runs an hg command and returns its stdout without the last line end. It fails the test if the command does.
func (r *HgRepo) Hg(args ...string) string {
	r.tb.Helper()
	out, err := r.TryHg(args...)
	require.NoError(r.tb, err, "hg %s", strings.Join(args, " "))
	return out
}

// TryHg is Hg for a command that may fail.
func (r *HgRepo) TryHg(args ...string) (string, error) {
	cmd := exec.Command(r.tool, args...)
	cmd.Dir = r.Dir
	cmd.Env = append(r.Env[:len(r.Env):len(r.Env)], "HGPLAIN=1", "HGENCODING=UTF-8", "HGEDITOR=:")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s%s", err, out, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// Configure adds lines to the configuration: to the repository's own, since the user's is that of all tests.
func (r *HgRepo) Configure(lines ...string) {
	r.tb.Helper()
	f, err := os.OpenFile(r.Path(".hg/hgrc"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	require.NoError(r.tb, err)
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	require.NoError(r.tb, err)
	require.NoError(r.tb, f.Close())
}

// Draft commits all that is in the tree and returns the commit's name.
func (r *HgRepo) Draft(message string) vcs.Rev {
	r.tb.Helper()
	r.Hg("addremove", "-q", "--similarity", "0")
	args := []string{"commit", "-q", "-m", message, "-d", fmt.Sprintf("%d 0", r.clock.Unix())}
	_, err := r.TryHg(args...)
	if err != nil { // Mercurial makes no empty commits but for branches
		r.Write(".touched", r.clock.String())
		r.Hg("add", "-q", ".touched")
		r.Hg(args...)
	}
	r.clock = r.clock.Add(time.Minute)
	return r.Node()
}

// Public is Draft for a commit that counts as shared.
func (r *HgRepo) Public(message string) vcs.Rev {
	r.tb.Helper()
	rev := r.Draft(message)
	r.Hg("phase", "--public", "-r", ".")
	return rev
}

// Node is the commit of the working folder.
func (r *HgRepo) Node() vcs.Rev {
	r.tb.Helper()
	return vcs.Rev(r.Hg("log", "-r", ".", "-T", "{node}"))
}

// Drafts lists the subjects of what isn't public, the oldest first.
func (r *HgRepo) Drafts() []string {
	r.tb.Helper()
	out := r.Hg("log", "-r", "sort(not public(), rev)", "-T", `{desc|firstline}\n`)
	if out == "" {
		return nil
	}
	return strings.Split(out, "\n")
}

// hgPerson types hg.
type hgPerson struct{ *HgRepo }

// NewHgPerson makes an empty Mercurial repository with somebody in it.
func NewHgPerson(tb testing.TB) Person {
	return &hgPerson{NewHgRepo(tb)}
}

func (p *hgPerson) Files() *Folder { return &p.Folder }

func (p *hgPerson) Commit(message string) vcs.Rev { return p.Public(message) }

func (p *hgPerson) Head() vcs.Rev {
	node := p.Node()
	if strings.Trim(string(node), "0") == "" {
		return ""
	}
	return node
}

func (p *hgPerson) Track(path string) { p.Hg("add", "-q", "path:"+path) }

func (p *hgPerson) Ignore(suffix string) {
	p.Write(".hgignore", "syntax: glob\n*"+suffix+"\n")
	p.Commit("ignore " + suffix)
}

func (p *hgPerson) Branch(name vcs.Branch) { p.Hg("bookmark", "-q", string(name)) }

func (p *hgPerson) Switch(name vcs.Branch) { p.Hg("update", "-q", string(name)) }

func (p *hgPerson) Show(rev vcs.Rev, path string) (string, bool) {
	out, err := p.TryHg("cat", "-r", string(rev), "path:"+path)
	return out, err == nil
}

func (p *hgPerson) Changed(rev vcs.Rev) []string {
	return entries(p.Hg("status", "--change", string(rev), "-T", `{status} {path}\0`))
}

func (p *hgPerson) Pending() []string {
	return entries(p.Hg("status", "-T", `{ifeq(status,"R","D",ifeq(status,"!","D",status))} {path}\0`))
}

func entries(out string) []string {
	var lines []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if letter, ok := strings.CutPrefix(entry, "R "); ok {
			entry = "D " + letter
		}
		if entry != "" {
			lines = append(lines, entry)
		}
	}
	return byName(lines)
}

func (p *hgPerson) Stop() string {
	p.Write("f", "base\n")
	base := p.Commit("base")
	p.Write("f", "side\n")
	side := p.Commit("side")
	p.Hg("update", "-q", "-r", string(base))
	p.Write("f", "main\n")
	p.Draft("main")
	_, err := p.TryHg("merge", "-q", "--tool", ":fail", "-r", string(side))
	require.Error(p.tb, err, "the merge must stop")
	return "merge"
}

func (p *hgPerson) BeforeCommit(script string) {
	file := filepath.Join(p.tb.TempDir(), "hook")
	require.NoError(p.tb, os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	p.Configure("[hooks]", "precommit.test = "+file)
}

func (p *hgPerson) Forget() { p.Configure("[ui]", "%unset username") }
