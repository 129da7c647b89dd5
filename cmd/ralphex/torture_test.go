//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

// TestTorture is the promise "nothing is lost" under the worst treatment: a person edits and stages files while a run of 30 tasks or more is killed
// (SIGKILL) at one moment after the other and started again. At the end every byte of the person's is there, in the tree and in the index,
// and each task is committed once. RALPHEX_TORTURE=N sets the number of kills.
func TestTorture(t *testing.T) {
	t.Parallel()
	kills := 12
	switch n, err := strconv.Atoi(os.Getenv("RALPHEX_TORTURE")); {
	case err == nil:
		kills = n
	case testing.Short() || underRace:
		kills = 4
	}
	for _, mode := range []torture{
		{name: "in place", branch: "work"},
		{name: "worktree", args: []string{"--worktree"}, branch: "p", apart: true},
	} {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			mode.kills = kills
			mode.run(t)
		})
	}
}

// torture is one way to run the plan.
type torture struct {
	name   string
	args   []string
	branch string // that the tasks are committed on
	apart  bool   // the run works elsewhere: any file here may be the person's
	kills  int
}

// tasks is how many the plan has: enough for a kill at each second one, the tasks that go by while a kill is on its way included.
func (m torture) tasks() int { return max(30, 3*m.kills) }

func (m torture) run(t *testing.T) {
	p := newPerson(t, m)
	for i := range m.kills {
		// What a run must not do twice lies between these facts.
		at := []event.Kind{event.SessionStart{}.Kind(), event.GateEnd{}.Kind(), event.Commit{}.Kind(), event.TaskEnd{}.Kind(), event.SessionEnd{}.Kind(), event.RunRestart{}.Kind()}[i%6]
		p.works(1)
		n := 1
		if at != (event.RunRestart{}.Kind()) { // of those there is one a start
			n += p.rand.IntN(2)
		}
		require.Equal(t, -1, p.ralphex(at, n), "after %d kills:\n%s", i, p.said.String())
		p.works(2)
	}
	require.Zero(t, p.ralphex("", 0), "the last start goes on to the end:\n%s", p.said.String())
	p.check()
}

// person is somebody who works in the main checkout, and what their files must be.
type person struct {
	torture
	t      *testing.T
	dir    string
	env    []string
	rand   *rand.Rand
	files  []string
	tree   map[string]string
	index  map[string]string
	edits  int
	said   bytes.Buffer
	events int // of the journal that have been seen
}

func newPerson(t *testing.T, m torture) *person {
	t.Helper()
	p := &person{torture: m, t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(4, uint64(m.kills))), tree: map[string]string{}, index: map[string]string{}}
	home := t.TempDir()
	p.write(filepath.Join(home, ".gitconfig"), "[user]\n\tname = Person\n\temail = person@example.org\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
	agent := filepath.Join(home, "agent")
	// Each session does the next task; every other one commits itself.
	p.write(agent, `session *
	append work.txt x
	sleep 30ms
	tick next
	- sh n=$(grep -c '\[x\]' docs/plans/p.md); test $((n % 2)) = 0 || { git add work.txt && git commit -qm "feat: job $n" -- work.txt docs/plans/p.md; }
`)
	p.env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "AGENT_SCRIPT="+agent, "RALPHEX_ITERATION_DELAY_MS=0")

	var plan strings.Builder
	plan.WriteString("# P\n## Validation Commands\n- `true`\n")
	for n := range p.tasks() {
		fmt.Fprintf(&plan, "### Task %d: job %d\n- [ ] do it\n", n+1, n+1)
	}
	p.git("init", "-q", "-b", "main")
	p.write(p.path("docs/plans/p.md"), plan.String())
	for n := range 6 {
		p.files = append(p.files, fmt.Sprintf("mine/%d ü.txt", n))
		p.write(p.path(p.files[n]), "as committed\n")
	}
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "start")
	if !m.apart {
		p.git("switch", "-q", "-c", m.branch)
	}
	p.files = append(p.files, "mine/new.txt")
	for range p.files { // all of it is being worked on when the run begins
		p.works(1)
	}
	return p
}

func (p *person) path(rel string) string { return filepath.Join(p.dir, filepath.FromSlash(rel)) }

func (p *person) write(path, text string) {
	p.t.Helper()
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(text), 0o644))
}

func (p *person) command(args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = p.dir, p.env
	return cmd
}

func (p *person) git(args ...string) string {
	p.t.Helper()
	out, err := p.command(append([]string{"git"}, args...)...).CombinedOutput()
	require.NoError(p.t, err, "git %s: %s", strings.Join(args, " "), out)
	return string(out)
}

// works edits files, each in its turn, and stages every third edit.
func (p *person) works(edits int) {
	p.t.Helper()
	for range edits {
		f := p.files[p.edits%len(p.files)]
		p.edits++
		text := fmt.Sprintf("edit %d\r\n\x00%x", p.edits, p.rand.Uint64())
		p.write(p.path(f), text)
		p.tree[f] = text
		if p.edits%3 == 0 {
			p.stage(f)
		}
	}
}

// stage waits for its turn at the index, as a person does who is told that another git is at work.
func (p *person) stage(f string) {
	p.t.Helper()
	require.Eventually(p.t, func() bool { return p.command("git", "add", "--", f).Run() == nil }, 2*time.Minute, 5*time.Millisecond, "git add %s", f)
	p.index[f] = p.tree[f]
}

// ralphex starts the plan and kills it right after the n-th fact of a kind from here on; an empty kind lets it come to its end. The person goes on
// working all the while. It returns the exit code, -1 for a kill.
func (p *person) ralphex(kind event.Kind, n int) int {
	p.t.Helper()
	watcher, err := fsnotify.NewWatcher()
	require.NoError(p.t, err)
	defer watcher.Close()
	events := p.path(".ralph/events")
	require.NoError(p.t, os.MkdirAll(events, 0o750))
	require.NoError(p.t, watcher.Add(events))

	p.said.Reset()
	cmd := p.command(append(append([]string{"ralphex", "-t"}, p.args...), "docs/plans/p.md")...)
	cmd.Stdout, cmd.Stderr = &p.said, &p.said
	require.NoError(p.t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	limit := time.After(time.Minute)
	for {
		select {
		case <-ended:
			p.facts()
			return cmd.ProcessState.ExitCode()
		case <-watcher.Events:
			for _, k := range p.facts() {
				if k != kind {
					continue
				}
				if n--; n == 0 {
					require.NoError(p.t, cmd.Process.Kill())
				}
			}
			if n != 0 { // the person works on all the while
				p.works(1)
			}
		case <-limit:
			_ = cmd.Process.Kill()
			require.Fail(p.t, "no end within a minute", p.said.String())
		}
	}
}

// facts returns the kinds that the journals hold and did not before.
func (p *person) facts() []event.Kind {
	files, err := filepath.Glob(p.path(".ralph/events/*.jsonl"))
	require.NoError(p.t, err)
	var kinds []event.Kind
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(p.t, err)
		for line := range bytes.Lines(text) {
			if k, ok := event.KindOf(line); ok && bytes.HasSuffix(line, []byte("\n")) {
				kinds = append(kinds, k)
			}
		}
	}
	fresh := kinds[min(p.events, len(kinds)):]
	p.events = len(kinds)
	return fresh
}

// check holds everything against what it must be.
func (p *person) check() {
	t := p.t
	for f, want := range p.tree {
		got, err := os.ReadFile(p.path(f))
		if assert.NoError(t, err) {
			assert.Equal(t, want, string(got), "%s in the tree", f)
		}
	}
	for f, want := range p.index {
		got, err := p.command("git", "cat-file", "blob", ":"+f).Output()
		if assert.NoError(t, err) {
			assert.Equal(t, want, string(got), "%s in the index", f)
		}
	}
	assert.Empty(t, p.git("log", "--format=%s", "main.."+p.branch, "--", "mine"), "nothing of the person's was committed")
	subjects := strings.Split(strings.TrimSpace(p.git("log", "--format=%s", "main.."+p.branch)), "\n")
	for n := range p.tasks() {
		once := slices.DeleteFunc(slices.Clone(subjects), func(s string) bool { return s != fmt.Sprintf("feat: job %d", n+1) })
		assert.Len(t, once, 1, "task %d", n+1)
	}
	assert.Equal(t, "move completed plan: p.md", subjects[0])
	work := p.git("show", p.branch+":work.txt")
	assert.GreaterOrEqual(t, strings.Count(work, "x\n"), p.tasks())
	assert.NotContains(t, p.git("show", p.branch+":docs/plans/completed/p.md"), "[ ]")
	t.Logf("%d edits of the person's, %d facts in the journal", p.edits, p.events)
}
