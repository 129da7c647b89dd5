//go:build linux

package e2e

import (
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"os"
)

// stuck is a session that does half of task 1 and is in the middle of a command then, with children in and out of its
// process group. The file busy says that it is there. (claude refuses commands that begin with a long sleep.)
func (w *world) stuck() []turn {
	return []turn{
		{Text: "I write the script.", Calls: []call{w.greets()[0].Calls[0]}},
		{Calls: []call{{Bash: "setsid sleep 300 >/dev/null 2>&1 & echo 1 > " + w.busy() + "; sleep 300; true"}}},
	}
}

func (w *world) busy() string { return w.home + "/busy" }

// isBusy returns when the stuck session has come to its command.
func (w *world) isBusy() {
	w.t.Helper()
	watcher, err := fsnotify.NewWatcher()
	require.NoError(w.t, err)
	defer watcher.Close()
	require.NoError(w.t, watcher.Add(w.home))
	late := time.After(limit)
	for {
		if _, err := os.Stat(w.busy()); err == nil {
			return
		}
		select {
		case <-watcher.Events:
		case <-late:
			require.Fail(w.t, "the agent never came to its command")
		}
	}
}

// pid is the process of the last session.
func (w *world) pid() int {
	w.t.Helper()
	all := regexp.MustCompile(`"type":"session_start".*?"pid":(\d+)`).FindAllStringSubmatch(w.journal(), -1)
	require.NotEmpty(w.t, all)
	pid, err := strconv.Atoi(all[len(all)-1][1])
	require.NoError(w.t, err)
	return pid
}

// TestBreaks ends a run by its signals while the agent's command runs: nothing of it lives, what it wrote is there, and the next
// start goes on.
func TestBreaks(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		for name, sig := range map[string]syscall.Signal{"Ctrl+C": syscall.SIGINT, "SIGTERM": syscall.SIGTERM} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, a)
				w.plays(turns(w.stuck(), w.greets()[1:], w.names())...)
				r := w.start()
				w.isBusy()
				require.NoError(t, r.Process.Signal(sig))
				code, said := r.end()
				assert.Equal(t, 128+int(sig), code, said)
				assert.Empty(t, w.survivors())
				assert.Equal(t, "echo hello\n", w.read("greet.sh"), "what the session wrote stays")
				w.goesOn()
			})
		}
	}, "claude", "codex")
}

// TestKilledRalphex kills ralphex as hard as can be while the agent's command runs. The agent lives on then; the next start
// ends it with all that it started, and goes on.
func TestKilledRalphex(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a)
		w.plays(turns(w.stuck(), w.greets()[1:], w.names())...)
		r := w.start()
		w.isBusy()
		require.NoError(t, r.Process.Kill())
		code, _ := r.end()
		assert.Equal(t, -1, code)
		assert.NotEmpty(t, w.survivors(), "nobody was there to end them")
		w.goesOn()
	}, "claude", "codex")
}

// TestKilledAgent kills the agent while its command runs: a crash, after which a new session goes on, and its
// command is gone.
func TestKilledAgent(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a)
		w.plays(turns(w.stuck(), w.greets()[1:], w.names())...)
		r := w.start()
		w.isBusy()
		require.NoError(t, syscall.Kill(w.pid(), syscall.SIGKILL))
		code, said := r.end()
		assert.Zero(t, code, said)
		assert.Contains(t, w.journal(), `"failure":"crash"`)
		w.isDone()
	}, "claude", "codex")
}

// TestSilentModel is a model that says nothing more in the middle of a word: the idle time-out ends the session, the next one does the work.
func TestSilentModel(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a)
		code, said := w.plays(turns([]turn{{Text: "I am about to", Hang: true}}, w.greets(), w.names())...).run("--idle-timeout", "8s")
		assert.Zero(t, code, said)
		assert.Contains(t, w.journal(), `"cause":"idle time-out"`)
		w.isDone()
	}, "claude", "codex")
}

// TestProcessesLeftBehind is an agent that starts processes and ends: in its process group, out of it, and out of its session.
func TestProcessesLeftBehind(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a)
		greets := w.greets()
		// The command ends when the last of them is out: codex kills what is still in the group then.
		up := w.home + "/up"
		greets[1].Calls[0].Bash += "; nohup sleep 301 >/dev/null 2>&1 & setsid sleep 302 >/dev/null 2>&1 & (setsid sh -c 'sleep 303 & echo > " + up + "; sleep 304' >/dev/null 2>&1 &)" +
			"; while [ ! -e " + up + " ]; do sleep 0.1; done"
		code, said := w.plays(turns(greets, w.names())...).run()
		assert.Zero(t, code, said)
		assert.Contains(t, w.journal(), `"type":"survivor"`)
		w.isDone()
	})
}

// goesOn starts again, and checks that the rest is done.
func (w *world) goesOn() {
	w.t.Helper()
	code, said := w.run()
	assert.Zero(w.t, code, said)
	w.isDone()
}

// isDone checks that each task is done and committed once, and that no process is left.
func (w *world) isDone() {
	w.t.Helper()
	assert.Empty(w.t, w.survivors())
	assert.Empty(w.t, w.git("status", "--porcelain"))
	log := strings.Join(w.log(), "\n")
	assert.Equal(w.t, 1, strings.Count(log, "feat: greet"), log)
	assert.Equal(w.t, 1, strings.Count(log, "feat: Greet by name"), log)
	assert.FileExists(w.t, w.path("docs/plans/completed/greeting.md"))
	assert.Empty(w.t, w.model.Unused())
}
