package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each script starts something that would outlive it, writes its pid to the file $F, and ends.
func TestLeftBehind(t *testing.T) {
	const wait = `; until [ -s "$F" ]; do sleep 0.01; done`
	tests := []struct {
		name   string
		script string
		action string
		mark   bool
	}{
		{"in the group", `sleep 60 >/dev/null 2>&1 & echo $! >$F`, Ended, true},
		{"holds the pipe", `sleep 60 & echo $! >$F`, Ended, true},
		{"in its own session", `setsid sleep 60 >/dev/null 2>&1 & echo $! >$F`, Ended, true},
		{"in its own session and holds the pipe", `setsid sleep 60 & echo $! >$F`, Ended, true},
		{"orphan of an orphan", `setsid -f sh -c 'setsid -f sh -c "echo \$\$ >\$F; exec sleep 60"'` + wait, Ended, true},
		{"ignores SIGTERM", `setsid -f sh -c 'trap "" TERM; echo $$ >$F; while :; do sleep 1; done'` + wait, Killed, true},
		{"stopped", `setsid -f sh -c 'echo $$ >$F; kill -STOP $$; sleep 60'` + wait, Ended, true},
		{"without the mark in its own session", `env -i setsid sleep 60 & echo $! >$F`, Ended, true},
		{"no mark is used", `setsid sleep 60 & echo $! >$F`, Ended, false},
		{"hidden name", `setsid -f sh -c 'echo $$ >$F; exec sleep 60' ') S 1 ('` + wait, Ended, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pid")
			c := sh(tt.script)
			c.Env = append(os.Environ(), "F="+file)
			if !tt.mark {
				c.Mark = ""
			}
			exit, err := Run(t.Context(), c)
			require.NoError(t, err)
			assert.NoError(t, exit.Cause, "it ended by itself")
			pid := readPID(t, file)
			_, alive := readStat(pid)
			assert.False(t, alive, "pid %d lives or was not reaped", pid)
			var met []string
			for _, s := range exit.Survivors {
				if s.PID == pid {
					met = append(met, s.Action)
				}
			}
			assert.Equal(t, []string{tt.action}, met, "%+v", exit.Survivors)
		})
	}
}

func readPID(t *testing.T, file string) (pid int) {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	_, err = fmt.Sscan(string(b), &pid)
	require.NoError(t, err, "%q", b)
	return pid
}

// An agent's tools have groups of their own: the end of the agent must reach them, too.
func TestToolInItsOwnGroup(t *testing.T) {
	for _, tt := range []struct{ name, trap string }{{"agent goes when asked", ""}, {"agent must be killed", `trap "" TERM;`}} {
		t.Run(tt.name, func(t *testing.T) {
			out := until("\n")
			c := sh(tt.trap + ` setsid -f sh -c 'trap - TERM; echo $$; sleep 60 & wait'; while :; do sleep 0.2; done`)
			c.Stdout = out
			exit, err := Run(cancelWhen(t, out, errors.New("stop")), c)
			require.NoError(t, err)
			assert.EqualError(t, exit.Cause, "stop")
			var pid int
			_, err = fmt.Sscan(out.String(), &pid)
			require.NoError(t, err)
			_, alive := readStat(pid)
			assert.False(t, alive)
		})
	}
}

func TestKeptIsSpared(t *testing.T) {
	dir := t.TempDir()
	agent := filepath.Join(dir, "gpg-agent")
	sleep, err := exec.LookPath("sleep")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(sleep, agent))
	c := sh("setsid " + agent + " 60 >/dev/null 2>&1 & until [ \"$(cat /proc/$!/comm)\" = gpg-agent ]; do sleep 0.01; done")
	c.Keep = []string{"gpg-agent"}
	exit, err := Run(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, exit.Survivors, 1)
	assert.Equal(t, Survivor{PID: exit.Survivors[0].PID, Command: agent + " 60", Action: Kept}, exit.Survivors[0])
	s, alive := readStat(exit.Survivors[0].PID)
	require.True(t, alive)

	// The next session neither ends it (it was there before) nor reports it.
	c = sh("true")
	c.Keep = []string{}
	exit, err = Run(t.Context(), c)
	require.NoError(t, err)
	assert.Empty(t, exit.Survivors)

	// What ends a leftover of a dead ralphex finds it by its mark; here it only cleans up.
	left, err := EndMarked(t.Context(), markOf(s.pid), 0, 0, EndOptions{Keep: []string{}, Grace: time.Second})
	require.NoError(t, err)
	assert.Len(t, left, 1)
	reapChild(t, s.pid)
}

func reapChild(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	require.NoError(t, err)
	_, err = p.Wait()
	require.NoError(t, err)
}

// Sessions beside each other, and other packages' children, are left alone.
func TestOthersAreLeftAlone(t *testing.T) {
	foreign := exec.Command("sleep", "60")
	require.NoError(t, foreign.Start())
	defer func() { _ = foreign.Process.Kill(); _ = foreign.Wait() }()

	out := until("ready")
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		c := sh("setsid sleep 60 & echo $!; echo ready; wait; sleep 60")
		c.Stdout = out
		_, err := Run(ctx, c)
		assert.NoError(t, err)
	})
	<-out.seen
	for range 3 {
		exit, err := Run(t.Context(), sh("setsid sleep 60 & exit 0"))
		require.NoError(t, err)
		assert.Len(t, exit.Survivors, 1)
	}
	var pid int
	_, err := fmt.Sscan(out.String(), &pid)
	require.NoError(t, err)
	s, alive := readStat(pid)
	assert.True(t, alive && !s.gone(), "the other session's child was ended")
	s, alive = readStat(foreign.Process.Pid)
	assert.True(t, alive && !s.gone(), "another package's child was ended")
	stop()
	wg.Wait()
	_, alive = readStat(pid)
	assert.False(t, alive)
}

// os/exec of other goroutines must still get the exit codes of its own children.
func TestReapsOnlyItsOwn(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				err := exec.Command("sh", "-c", "exit 3").Run()
				var ee *exec.ExitError
				if assert.ErrorAs(t, err, &ee) {
					assert.Equal(t, 3, ee.ExitCode())
				}
			}
		})
		wg.Go(func() {
			for range 5 {
				exit, err := Run(t.Context(), sh("setsid sleep 60 >/dev/null 2>&1 & exit 4"))
				assert.NoError(t, err)
				assert.Equal(t, 4, exit.Code)
				assert.Len(t, exit.Survivors, 1)
			}
		})
	}
	wg.Wait()
}

// A ralphex that was killed leaves its agent alone in the world; the next one finds it in the journal.
func TestEndMarked(t *testing.T) {
	start := func(t *testing.T, mark string) (pid int, wait func()) {
		cmd := exec.Command("sh", "-c", "sleep 60 & setsid sleep 60 & echo x; wait")
		cmd.SysProcAttr = ownGroup()
		cmd.Env = append(os.Environ(), MarkEnv+"="+mark)
		r, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = r.Read(make([]byte, 1))
		require.NoError(t, err)
		return cmd.Process.Pid, func() { _ = cmd.Wait() }
	}
	t.Run("all of it", func(t *testing.T) {
		mark := NewMark()
		pid, wait := start(t, mark)
		left, err := EndMarked(t.Context(), mark, pid, startTime(pid), EndOptions{Grace: time.Second})
		require.NoError(t, err)
		assert.Len(t, left, 3)
		wait()
		drainOrphans()
	})
	t.Run("another's pid", func(t *testing.T) {
		mark := NewMark()
		pid, wait := start(t, mark)
		left, err := EndMarked(t.Context(), NewMark(), pid, startTime(pid), EndOptions{})
		require.NoError(t, err)
		assert.Empty(t, left, "the mark does not fit")
		left, err = EndMarked(t.Context(), "", pid, startTime(pid), EndOptions{})
		require.NoError(t, err)
		assert.Empty(t, left, "no mark, no end")
		_, err = EndMarked(t.Context(), mark, pid, startTime(pid), EndOptions{Grace: time.Second})
		require.NoError(t, err)
		wait()
		drainOrphans()
	})
}

// drainOrphans reaps what EndMarked left to this process because the test adopted it; a real one is init's.
func drainOrphans() {
	for pid := range ownChildren() {
		if p, err := os.FindProcess(pid); err == nil {
			_, _ = p.Wait()
		}
	}
}

func TestParseStat(t *testing.T) {
	tail := " S 10 11 12 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 1"
	for _, tt := range []struct {
		line string
		want stat
		ok   bool
	}{
		{"42 (sh)" + tail, stat{pid: 42, ppid: 10, session: 12, state: 'S', start: 987654, comm: "sh"}, true},
		{"42 (a) R 1 (b)" + tail, stat{pid: 42, ppid: 10, session: 12, state: 'S', start: 987654, comm: "a) R 1 (b"}, true},
		{"2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 3 0 0", stat{pid: 2, state: 'S', start: 3, kernel: true, comm: "kthreadd"}, true},
		{"", stat{}, false},
		{"42 (sh)", stat{}, false},
		{"42 (sh) S 1 2", stat{}, false},
		{") (", stat{}, false},
	} {
		got, ok := parseStat([]byte(tt.line))
		assert.Equal(t, tt.ok, ok, tt.line)
		assert.Equal(t, tt.want, got, tt.line)
	}
}

// The price of a clean end: nothing is left, so nothing is searched.
func BenchmarkNobodyLeft(b *testing.B) {
	adoptOrphans()
	ch := &child{Cmd: Cmd{Grace: time.Second}, proc: Process{PID: 1 << 30}}
	for b.Loop() {
		ch.sweep()
	}
}

func BenchmarkRunTrue(b *testing.B) {
	for b.Loop() {
		if _, err := Run(b.Context(), Cmd{Argv: []string{"/bin/true"}}); err != nil {
			b.Fatal(err)
		}
	}
}

// A mark is read even from a process that becomes another program all the time.
func TestMarkOfAProcessThatExecs(t *testing.T) {
	script := filepath.Join(t.TempDir(), "again")
	require.NoError(t, os.WriteFile(script, []byte("exec sh \"$0\"\n"), 0o600))
	mark := NewMark()
	cmd := exec.Command("sh", script)
	cmd.Env = withMark(append(os.Environ(), "FILL="+strings.Repeat("x", 3000)), mark)
	require.NoError(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for range 3000 {
		require.Equal(t, mark, markOf(cmd.Process.Pid))
	}
}
