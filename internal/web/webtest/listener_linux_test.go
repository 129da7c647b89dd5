package webtest

import (
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ralphex/internal/cli/clitest"
)

// The server of a run fails in mid-run: the page sees that nothing more comes, the person is told, and the run does its work as if alone.
func TestBrowserLosesAServerAndTheRunGoesOn(t *testing.T) {
	t.Parallel()
	repo := planned(t, twoTasks)
	run := clitest.Begin(t, repo, "session\n\tsay hello\n\twait-file .tmp/go\n\twrite a.txt a\n\ttick next\nsession\n\twrite b.txt b\n\ttick next\n",
		[]string{"-t", "--serve", "--port", "0", "docs/plans/p.md"})
	at := run.At()
	p := newTab(t)
	p.open(at)
	p.until(`%s.includes('hello')`, raw(lines))
	p.expects("net::ERR_")
	breakListener(t, run, at)
	run.Says("the dashboard is gone, the run goes on")
	p.until(`document.querySelector('#connection').dataset.state !== 'live'`)
	repo.Write(".tmp/go", "")
	run.Exits(0)
	assert.NotContains(t, run.All(), "still running at")
	assert.Contains(t, repo.Git("log", "--format=%s"), "feat: Show")
}

// breakListener shuts the socket on which a process listens at an address, from outside, as no process of its own could: its next accept fails.
func breakListener(t *testing.T, run *clitest.Process, at string) {
	t.Helper()
	u, err := url.Parse(at)
	require.NoError(t, err)
	pid := run.Cmd.Process.Pid
	process, err := unix.PidfdOpen(pid, 0)
	require.NoError(t, err)
	defer unix.Close(process)
	open, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "fd"))
	require.NoError(t, err)
	for _, entry := range open {
		n, err := strconv.Atoi(entry.Name())
		require.NoError(t, err)
		fd, err := unix.PidfdGetfd(process, n, 0)
		if err != nil {
			continue // it was closed meanwhile
		}
		name, _ := unix.Getsockname(fd)
		tcp, ok := name.(*unix.SockaddrInet4)
		listens, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ACCEPTCONN)
		if ok && listens == 1 && strconv.Itoa(tcp.Port) == u.Port() {
			err = unix.Shutdown(fd, unix.SHUT_RDWR)
			unix.Close(fd)
			require.NoError(t, err)
			return
		}
		unix.Close(fd)
	}
	require.Fail(t, "the process listens at no such port", at)
}
