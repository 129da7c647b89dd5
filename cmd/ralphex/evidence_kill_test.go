package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process that is killed before any of the files of its evidence is there leaves a store in which the next start goes on, and in which everything
// that is said to be evidence is. The loop's iterations are killed before each file, and every kill is the next start of the one before; a run of
// a plan, which writes the same files by the same code, before every fifth.
func TestKilledBetweenEveryTwoFilesOfEvidence(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred processes")
	}
	t.Parallel()
	t.Run("loop", func(t *testing.T) {
		t.Parallel()
		h := newKilled(t, "in_progress")
		h.must("ralphex", "task", "add", "A part")
		h.must("ralphex", "iterate")
		h.killEach(1, func(int) []string { return []string{"iterate"} })
	})
	t.Run("plan", func(t *testing.T) {
		t.Parallel()
		h := newKilled(t, "done")
		args := func(n int) []string {
			plan := fmt.Sprintf("docs/plans/p%d.md", n)
			h.write(plan, fmt.Sprintf("# P%d\n### Task 1: Part %d\n- [ ] do it\n", n, n))
			return []string{"-t", plan}
		}
		h.must("ralphex", args(0)...)
		h.killEach(5, args)
	})
}

// killEach kills a command before the files of its evidence, each step-th, and starts it again, until it comes to its end.
func (h *killed) killEach(step int, command func(n int) []string) {
	t := h.t
	for n := 1; ; n += step {
		require.Less(t, n, 200, "the kills come to an end")
		args := command(n)
		out, code := h.run(fmt.Sprintf("die %d", n), "interfered", args...)
		require.NotContains(t, out, "record:", "kill %d", n)
		if code == 0 {
			assert.Greater(t, n, 40, "each file of a session was met")
			break
		}
		require.Equal(t, -1, code, "kill %d:\n%s", n, out)
		out, code = h.run("", "ralphex", "provenance", "verify", "--all")
		require.Zero(t, code, "kill %d: what was left by it\n%s", n, out)
		h.latest(n)
		if step > 1 {
			h.again(n, args)
		}
	}
	for _, args := range [][]string{{"provenance", "verify", "--all"}, {"receipt", "--all", "--verify"}, {"latest", "summary"}, {"status"}, {"cost", "--all"}, {"timeline"}} {
		h.must("ralphex", args...)
	}
}

// latest asks for the newest bundle, and looks whether the latest copies are those of it: they are written behind the rest.
func (h *killed) latest(n int) {
	h.must("ralphex", "latest", "provenance")
	bundles, err := filepath.Glob(filepath.Join(h.dir, ".ralph", "artifacts", "runs", "run-i*", "provenance-bundle.json"))
	require.NoError(h.t, err)
	newest, err := os.ReadFile(bundles[len(bundles)-1])
	require.NoError(h.t, err)
	copied, err := os.ReadFile(filepath.Join(h.dir, ".ralph", "artifacts", "latest-provenance-bundle.json"))
	require.NoError(h.t, err)
	require.Equal(h.t, string(newest), string(copied), "kill %d", n)
}

// again starts the run of a plan anew. It goes on and comes to its end, unless the run had told its end before it was killed: files of evidence are
// written beside the rest, so that the last ones may come behind it. Either way the plan is put away, and nothing lies about.
func (h *killed) again(n int, args []string) {
	out, code := h.run("", "ralphex", args...)
	if code != 0 {
		require.Contains(h.t, out, "it is finished and lies in completed", "kill %d", n)
	}
	out, code = h.run("", "git", "status", "--porcelain", "docs")
	require.Zero(h.t, code)
	require.Empty(h.t, out, "kill %d: a plan is put away, with a commit", n)
	require.FileExists(h.t, filepath.Join(h.dir, "docs", "plans", "completed", filepath.Base(args[len(args)-1])), "kill %d", n)
}

// killed is a repository with a workspace, in which somebody kills ralphex.
type killed struct {
	t   *testing.T
	dir string
	env []string
}

func newKilled(t *testing.T, status string) *killed {
	t.Helper()
	home := t.TempDir()
	h := &killed{t: t, dir: t.TempDir()}
	agent := filepath.Join(home, "agent")
	require.NoError(t, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Person\n\temail = person@example.org\n"), 0o600))
	require.NoError(t, os.WriteFile(agent, []byte(`session *
	append work.txt x
	- tick next
	sh sed -n 's/^- Id: \(.*\)/{"selectedTaskId":"\1","requestedStatus":"`+status+`"}/p' .ralph/artifacts/latest-prompt.md > report.txt
	say-file report.txt
`), 0o600))
	h.env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "AGENT_SCRIPT="+agent, "RALPHEX_ITERATION_DELAY_MS=0")
	h.must("git", "init", "-q", "-b", "main")
	h.must("ralphex", "workspace", "init", "--objective", "Parts")
	h.write("docs/plans/.keep", "")
	h.must("git", "add", "-A")
	h.must("git", "commit", "-q", "-m", "start")
	h.must("git", "switch", "-q", "-c", "work")
	return h
}

func (h *killed) write(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	require.NoError(h.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(h.t, os.WriteFile(path, []byte(text), 0o644))
}

// run runs a command, in which somebody interferes as what says, and returns what it said and its exit code.
func (h *killed) run(what, name string, args ...string) (string, int) {
	h.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = h.dir, append(h.env, "INTERFERE="+what)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		require.NoError(h.t, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (h *killed) must(name string, args ...string) {
	h.t.Helper()
	out, code := h.run("", name, args...)
	require.Zero(h.t, code, "%s %s\n%s", name, strings.Join(args, " "), out)
}
