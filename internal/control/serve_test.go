package control

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serve opens a server in a short folder of its own.
func serve(t *testing.T, handle func(Request) Reply) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "rx")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := SocketPath([]string{"XDG_RUNTIME_DIR=" + dir}, "/work/.ralph", "run-1")
	s, err := Open(path, handle)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return path
}

func TestOrdersAreAnswered(t *testing.T) {
	t.Parallel()
	var got []Request
	path := serve(t, func(q Request) Reply {
		got = append(got, q)
		return Reply{OK: true, Text: "heard " + q.Order}
	})
	q := Request{ID: "1", Run: "run-1", Order: Pause, AfterTask: true, By: "anna"}
	for range 2 { // an answer was lost, and the order is given again
		reply, err := Ask(t.Context(), path, q)
		require.NoError(t, err)
		assert.Equal(t, Reply{V: 1, OK: true, Text: "heard pause"}, reply)
	}
	q.V = 1
	assert.Equal(t, []Request{q}, got, "obeyed once")
	_, err := Ask(t.Context(), path, Request{ID: "2", Order: Resume})
	require.NoError(t, err)
	assert.Len(t, got, 2)
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	_, err := Ask(t.Context(), filepath.Join(t.TempDir(), "s"), Request{Order: Stop})
	require.ErrorIs(t, err, ErrGone)
}

// A run that dies while it is spoken to may have taken the order or not, and that is said.
func TestAnswerThatDoesNotCome(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "rx")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			_, _ = readLine(c)
			c.Close()
		}
	}()
	_, err = Ask(t.Context(), path, Request{Order: Stop})
	require.ErrorAs(t, err, new(*UnsureError))
}

func TestStrangeWordsAreRefused(t *testing.T) {
	t.Parallel()
	path := serve(t, func(Request) Reply { return Reply{OK: true} })
	for text, want := range map[string]string{
		"hello\n":                                "not the JSON that is expected",
		`{"v":9,"order":"pause"}` + "\n":         "orders of format 9 are not understood here",
		strings.Repeat("x", 2*maxMessage) + "\n": "no order: ",
	} {
		c, err := net.Dial("unix", path)
		require.NoError(t, err)
		_, _ = c.Write([]byte(text))
		require.NoError(t, c.SetReadDeadline(time.Now().Add(2*time.Minute)))
		line, err := readLine(c)
		if err == nil { // what is far too long may cost the answer, too
			var reply Reply
			require.NoError(t, json.Unmarshal(line, &reply))
			assert.False(t, reply.OK)
			assert.Contains(t, reply.Text, want)
		}
		c.Close()
	}
}

func TestSocketIsThisUsersAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no such modes there")
	}
	path := serve(t, func(Request) Reply { return Reply{OK: true} })
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		fi, err := os.Stat(name)
		require.NoError(t, err)
		assert.Equal(t, want, fi.Mode().Perm(), name)
	}
	open := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(open, "ralphex"), 0o777))
	require.NoError(t, os.Chmod(filepath.Join(open, "ralphex"), 0o777))
	_, err := Open(filepath.Join(open, "ralphex", "s"), nil)
	require.ErrorContains(t, err, "not a folder of this user alone")
}

// A socket that a killed run left is in nobody's way.
func TestSocketOfADeadRun(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "rx")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "ralphex", "s")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	s, err := Open(path, nil)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Run(ctx)
	assert.NoFileExists(t, path)
}

func TestSocketPathIsShort(t *testing.T) {
	t.Parallel()
	long := "/" + strings.Repeat("x", 120)
	a := SocketPath([]string{"XDG_RUNTIME_DIR=" + long}, long, "20260129-153012-4f2a9c")
	assert.LessOrEqual(t, len(a), maxSocket)
	assert.NotEqual(t, a, SocketPath(nil, long, "20260129-153012-4f2a9d"))
	assert.True(t, strings.HasPrefix(SocketPath([]string{"XDG_RUNTIME_DIR=" + filepath.FromSlash("/run/user/7")}, "s", "r"), filepath.FromSlash("/run/user/7/ralphex/")) || runtime.GOOS == "windows")
}
