package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ralphex/pkg/vcs/vcstest"
	"ralphex/scripts"
)

// condition answers [hg]: is Mercurial there? In the project's own check a story about it must not be skipped.
func condition(name string) (bool, error) {
	if name != "hg" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	if underRace { // minutes of waiting for Mercurial, in which nothing of ours runs beside anything else
		return false, nil
	}
	_, err := exec.LookPath("hg")
	if err != nil && os.Getenv("RALPHEX_CI") == "1" {
		return false, fmt.Errorf("RALPHEX_CI=1 says that it must be there: %w", err)
	}
	return err == nil, nil
}

// cmdHgRepo makes the working folder a Mercurial repository and commits the named paths as public: `hgrepo [-plain] [PATH…]`. Ralphex's own calls
// go through the command server where there is one, since a story makes hundreds; with -plain each starts hg.
// HG2GIT names a copy of our script.
func cmdHgRepo(ts *testscript.TestScript, _ bool, args []string) {
	config := "[ui]\nusername = Story <story@example.org>\n"
	plain := len(args) > 0 && args[0] == "-plain"
	if plain {
		args = args[1:]
		ts.Setenv("HG2GIT_HG", "")
	} else if _, err := exec.LookPath("chg"); err == nil {
		server, err := hgServers.use()
		ts.Check(err)
		for name, value := range map[string]string{"HG2GIT_HG": "chg", "CHGHG": "hg", "CHGSOCKNAME": filepath.Join(server.dir, "s")} {
			ts.Setenv(name, value)
		}
		config += server.config
	}
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("HOME"), ".hgrc"), []byte(config), 0o644))
	script := filepath.Join(ts.Getenv("WORK"), "hg2git.sh")
	ts.Check(os.WriteFile(script, []byte(scripts.Hg2git), 0o755))
	ts.Setenv("HG2GIT", script)
	hg := "hg"
	if !plain && ts.Getenv("HG2GIT_HG") != "" {
		hg = ts.Getenv("HG2GIT_HG")
	}
	ts.Check(ts.Exec(hg, "init", "-q"))
	if len(args) == 0 {
		return
	}
	ts.Check(ts.Exec(hg, append([]string{"-q", "add"}, args...)...))
	ts.Check(ts.Exec(hg, "-q", "commit", "-m", "start"))
	ts.Check(ts.Exec(hg, "-q", "phase", "--public", "."))
}

// commandServers is where the servers of chg are that all stories share: there is one for each configuration that was asked with. A server reads the
// configuration and the environment of each call anew, so that a story has its own.
type commandServers struct {
	once   sync.Once
	dir    string // short: a socket's path has 108 bytes
	config string
	fault  error
}

var hgServers commandServers

func (s *commandServers) use() (*commandServers, error) {
	s.once.Do(func() {
		if s.dir, s.fault = os.MkdirTemp("", "chg"); s.fault == nil {
			s.config, s.fault = vcstest.LightCommandServer(s.dir)
		}
	})
	return s, s.fault
}

// serving runs the tests of this package, and ends the servers that they have used.
type serving struct{ *testing.M }

func (s serving) Run() int {
	defer func() {
		if hgServers.dir != "" {
			vcstest.StopCommandServers(hgServers.dir)
		}
	}()
	return s.M.Run()
}

// cmdDrafts compares the first lines of all commits that aren't public, the oldest first: `drafts [SUBJECT…]`.
func cmdDrafts(ts *testscript.TestScript, neg bool, want []string) {
	var got []string
	if out := output(ts, "hg", "log", "-r", "sort(not public(), rev)", "-T", `{desc|firstline}\n`); out != "" {
		got = strings.Split(out, "\n")
	}
	same := strings.Join(got, "\n") == strings.Join(want, "\n")
	if same == neg {
		ts.Fatalf("drafts:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
