//go:build linux

package e2e

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ralphex/internal/fakemodel"
)

// limit is how long anything may take; an idle machine needs seconds.
const limit = 3 * time.Minute

// thePlan has two tasks, each of which its command can prove.
const thePlan = `# Greeting

## Validation Commands
- ` + "`sh check.sh`" + `

### Task 1: Greet
- [ ] greet.sh says hello

### Task 2: Greet by name
- [ ] greet.sh says whom it greets
`

// check passes at the start and whenever what is ticked is true.
const check = `set -e
if grep -q '\[x\] greet.sh says hello' docs/plans/greeting.md; then sh greet.sh you | grep -q hello; fi
if grep -q '\[x\] greet.sh says whom' docs/plans/greeting.md; then sh greet.sh you | grep -q 'hello, you'; fi
`

const planFile = "docs/plans/greeting.md"

// world is a repository, a home and a model for one test.
type world struct {
	t     *testing.T
	agent agent
	dir   string // of the repository
	home  string
	mark  string // in the environment of all that we start
	extra []string
	conf  string // further lines of ralphex's global config; the last one of a key counts
	model *fakemodel.Server
	env   []string
}

// newWorld makes repository and home. Nothing is started, and there is no model before plays.
func newWorld(t *testing.T, a agent) *world {
	t.Helper()
	top := t.TempDir()
	w := &world{t: t, agent: a, dir: filepath.Join(top, "repo"), home: filepath.Join(top, "home")}
	w.mark = "RALPHEX_E2E_WORLD=" + top
	for _, dir := range []string{w.dir, filepath.Join(w.home, "tmp"), filepath.Join(w.home, "run")} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
	}
	w.env = []string{"HOME=" + w.home, "PATH=" + a.bin() + string(filepath.ListSeparator) + os.Getenv("PATH"), "TMPDIR=" + filepath.Join(w.home, "tmp"),
		"XDG_RUNTIME_DIR=" + filepath.Join(w.home, "run"), "LANG=C.UTF-8", "TERM=dumb", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1", "RALPHEX_ITERATION_DELAY_MS=0", w.mark}
	w.write(planFile, thePlan)
	w.write("check.sh", check)
	w.write("mine.txt", "not the agent's\n")
	w.git("init", "-q", "-b", "main")
	for _, set := range []string{"user.name=Person", "user.email=person@example.org", "commit.gpgsign=false", "gc.auto=0", "maintenance.auto=false"} {
		key, value, _ := strings.Cut(set, "=")
		w.git("config", key, value) // in the repository: some agents hide the global settings from their shell
	}
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "start")
	return w
}

// plays starts the model.
func (w *world) plays(turns ...fakemodel.Turn) *world {
	w.t.Helper()
	var err error
	w.model, err = fakemodel.Start(fakemodel.Script{Turns: turns})
	require.NoError(w.t, err)
	w.t.Cleanup(func() {
		if w.t.Failed() {
			for i, r := range w.model.Requests() {
				w.t.Logf("request %d: %s %s, turn %d, %d tools", i+1, r.Method, r.Path, r.Turn, len(r.Tools))
			}
		}
		w.model.Close()
	})
	s := w.agent.setup(w.model.URL(), w.home)
	w.env = append(w.env, s.env...)
	w.env = append(w.env, w.extra...)
	for name, text := range s.files {
		w.at(filepath.Join(w.home, name), text)
	}
	w.at(filepath.Join(w.home, ".config", "ralphex", "config"), s.config+"executor = "+w.agent.name+"\n"+w.conf)
	return w
}

// with adds to the environment of ralphex; it comes before plays.
func (w *world) with(env ...string) *world {
	w.extra = append(w.extra, env...)
	return w
}

func (w *world) at(path, text string) {
	w.t.Helper()
	require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(w.t, os.WriteFile(path, []byte(text), 0o600))
}

func (w *world) path(rel string) string { return filepath.Join(w.dir, filepath.FromSlash(rel)) }

func (w *world) write(rel, text string) { w.t.Helper(); w.at(w.path(rel), text) }

func (w *world) read(rel string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.path(rel))
	require.NoError(w.t, err)
	return string(text)
}

func (w *world) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	require.NoError(w.t, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// log are the subjects of all commits behind the first, the oldest first.
func (w *world) log() []string {
	w.t.Helper()
	return strings.Split(w.git("log", "--reverse", "--format=%s"), "\n")[1:]
}

// ralphex is one run that goes on.
type ralphex struct {
	*exec.Cmd
	w   *world
	out bytes.Buffer
}

// start begins a run of the plan.
func (w *world) start(args ...string) *ralphex {
	w.t.Helper()
	r := &ralphex{w: w, Cmd: exec.Command(binary, append([]string{planFile, "--tasks-only"}, args...)...)}
	r.Dir, r.Env, r.WaitDelay = w.dir, w.env, 5*time.Second
	r.Stdout, r.Stderr = &r.out, &r.out
	require.NoError(w.t, r.Start())
	w.t.Cleanup(func() {
		if w.t.Failed() {
			w.t.Logf("ralphex %v said:\n%s", args, r.out.String())
		}
		_ = r.Process.Kill() // it has ended, or the test failed
	})
	return r
}

// end waits for the end, and returns the exit code and what was said on both outputs. -1 is an end by a signal.
func (r *ralphex) end() (int, string) {
	r.w.t.Helper()
	stop := time.AfterFunc(limit, func() { _ = r.Process.Signal(syscall.SIGKILL) })
	defer stop.Stop()
	err := r.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(r.w.t, err)
	}
	return r.ProcessState.ExitCode(), r.out.String()
}

// run is a whole run.
func (w *world) run(args ...string) (int, string) { w.t.Helper(); return w.start(args...).end() }

// await waits until the model is asked for a turn.
func (w *world) await(turn int) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), limit)
	defer cancel()
	require.NoError(w.t, w.model.Await(ctx, turn))
}

// journal is the text of all journals.
func (w *world) journal() string {
	w.t.Helper()
	files, err := filepath.Glob(w.path(".ralph/events/*.jsonl"))
	require.NoError(w.t, err)
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(w.t, err)
		all.Write(text)
	}
	return all.String()
}

// survivors are the processes that carry the mark of this world: name and id.
func (w *world) survivors() []string {
	w.t.Helper()
	folders, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(w.t, err)
	var alive []string
	for _, dir := range folders {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !bytes.Contains(env, []byte(w.mark+"\x00")) {
			continue // gone, or not ours
		}
		if line, err := os.ReadFile(filepath.Join(dir, "cmdline")); err == nil && len(line) > 0 {
			alive = append(alive, filepath.Base(dir)+" "+strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " ")))
		}
	}
	return alive
}
