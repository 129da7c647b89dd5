package vcstest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Main runs the tests of a package that uses Mercurial repositories, and ends the command servers that these have used:
//
//	func TestMain(m *testing.M) { os.Exit(vcstest.Main(m)) }
func Main(m *testing.M) int {
	defer hgServer.stop()
	return m.Run()
}

// commandServer makes hg calls through chg, where that is installed: many calls take a sixth of the time. All repositories of a process
// share it, and the file of the user's configuration with it, since chg starts a server for each other one.
type commandServer struct {
	once  sync.Once
	dir   string // short: a socket's path has 108 bytes
	tool  string
	env   []string
	fault error
}

var hgServer commandServer

// use returns the command to run, and what its environment needs.
func (s *commandServer) use() (tool string, env []string, err error) {
	s.once.Do(func() { s.fault = s.start() })
	return s.tool, s.env, s.fault
}

func (s *commandServer) start() (err error) {
	if s.dir, err = os.MkdirTemp("", "hg"); err != nil {
		return err
	}
	rc := filepath.Join(s.dir, "hgrc")
	s.tool, s.env = "hg", []string{"HGRCPATH=" + rc}
	if _, err := exec.LookPath("chg"); err == nil {
		// Each other locale is another server as well: these are the words of hg2git.sh and of package vcs.
		s.tool, s.env = "chg", append(s.env, "HG2GIT_HG=chg", "CHGHG=hg", "CHGSOCKNAME="+filepath.Join(s.dir, "s"),
			"LC_ALL=C", "LC_MESSAGES=C", "LANGUAGE=C", "HGPLAIN=1", "HGENCODING=UTF-8")
	}
	light, err := LightCommandServer(s.dir)
	if err != nil {
		return err
	}
	return os.WriteFile(rc, []byte("[ui]\nusername = Test Author <test@example.org>\n"+light), 0o644)
}

// stop ends the servers. They end by themselves as well when their sockets are gone.
func (s *commandServer) stop() {
	if s.dir != "" {
		StopCommandServers(s.dir)
	}
}

// setAside is an extension of Mercurial's: what a command server has loaded is set aside from Python's garbage collector. Each call is a fork of
// the server, and without this it copies all memory of it when it looks for garbage: half of the time of a call.
const setAside = `import gc
import sys

if '--cmdserver' in sys.argv:
    gc.collect()
    gc.freeze()
`

// LightCommandServer writes that extension into a folder and returns the lines of a configuration that switch it on.
func LightCommandServer(dir string) (config string, err error) {
	file := filepath.Join(dir, "set_aside.py")
	return "[extensions]\nset_aside = " + file + "\n", os.WriteFile(file, []byte(setAside), 0o644)
}

// StopCommandServers ends the servers of chg whose CHGSOCKNAME is the file s of a folder, and removes the folder. There is one for each
// configuration that was asked with.
func StopCommandServers(dir string) {
	sockets, _ := filepath.Glob(filepath.Join(dir, "s-*"))
	for _, socket := range sockets {
		cmd := exec.Command("chg", "--kill-chg-daemon")
		cmd.Env = append(os.Environ(), "CHGHG=hg", "CHGSOCKNAME="+socket)
		_ = cmd.Run() // it may have ended by itself
	}
	os.RemoveAll(dir)
}
