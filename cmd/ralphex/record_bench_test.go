//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recorded is a place in which the benchmarks run ralphex.
type recorded struct {
	b    *testing.B
	root string
	env  []string
	n    int // repositories
}

func newRecorded(b *testing.B) *recorded {
	b.Helper()
	home := b.TempDir()
	r := &recorded{b: b, root: b.TempDir(), env: append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "RALPHEX_ITERATION_DELAY_MS=0",
		"AGENT_SCRIPT="+filepath.Join(home, "agent"))}
	r.write(filepath.Join(home, ".gitconfig"), "[user]\n\tname = Person\n\temail = person@example.org\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
	r.write(filepath.Join(home, "agent"), "session *\n\tappend made.txt x\n\tsay done\n")
	return r
}

func (r *recorded) write(path, text string) {
	r.b.Helper()
	require.NoError(r.b, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(r.b, os.WriteFile(path, []byte(text), 0o644))
}

func (r *recorded) run(dir string, env []string, name string, args ...string) *os.ProcessState {
	r.b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(r.env, env...)
	out, err := cmd.CombinedOutput()
	require.NoError(r.b, err, "%s %v\n%s", name, args, out)
	return cmd.ProcessState
}

// repository is a new one with a plan of so many tasks, whose agent is its own shell blocks.
func (r *recorded) repository(tasks int) string {
	r.b.Helper()
	r.n++
	dir := filepath.Join(r.root, strconv.Itoa(r.n))
	var plan strings.Builder
	plan.WriteString("# P\n")
	for i := range tasks {
		fmt.Fprintf(&plan, "### Task %d: Part %d\n- [ ] do it\n  ```sh\n  echo %d >> made.txt\n  ```\n", i+1, i+1, i+1)
	}
	r.write(filepath.Join(dir, "docs", "plans", "p.md"), plan.String())
	r.run(dir, nil, "git", "init", "-q", "-b", "main")
	r.run(dir, nil, "git", "add", "-A")
	r.run(dir, nil, "git", "commit", "-qm", "start")
	return dir
}

// spent is what a run took, and what it left in .ralph.
type spent struct{ wall, cpu, files, kib float64 }

// plan runs the plan of a new repository with a level of `record`.
func (r *recorded) plan(tasks int, level string) spent {
	r.b.Helper()
	dir := r.repository(tasks)
	begin := time.Now()
	state := r.run(dir, []string{"RALPHEX_RECORD=" + level}, "ralphex", "-t", "--executor", "runbook", "docs/plans/p.md")
	s := spent{wall: ms(time.Since(begin)), cpu: ms(state.UserTime() + state.SystemTime())}
	s.files, s.kib = r.lies(filepath.Join(dir, ".ralph"))
	// The repository stays until the end: a file system may take its time to hand out again what was removed a moment ago (ext4 without a journal
	// does), and that would be counted to whichever run comes next.
	return s
}

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }

// lies counts the files below some folders, and their KiB.
func (r *recorded) lies(folders ...string) (files, kib float64) {
	r.b.Helper()
	for _, dir := range folders {
		require.NoError(r.b, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				files, kib = files+1, kib+float64(info.Size())/1024
			}
			return err
		}))
	}
	return files, kib
}

// BenchmarkRecordLevels is what an iteration costs more with a level of `record` than with none of it, git's part included: the median of as many pairs of runs
// as -benchtime says (30x), each of a plan of forty tasks. The two of a pair follow each other, in turns, so that a machine with other work slows both.
// overhead-ms/iteration is what the aim of 15 ms is about.
func BenchmarkRecordLevels(b *testing.B) {
	const tasks = 40
	for _, level := range []string{"journal", "evidence", "full"} {
		b.Run(level, func(b *testing.B) {
			r := newRecorded(b)
			var none, with, more []spent
			for b.Loop() {
				one, two := "none", level
				if r.n%4 == 2 {
					one, two = two, one
				}
				first, second := r.plan(tasks, one), r.plan(tasks, two)
				if one == level {
					first, second = second, first
				}
				none, with = append(none, first), append(with, second)
				more = append(more, spent{second.wall - first.wall, second.cpu - first.cpu, second.files - first.files, second.kib - first.kib})
			}
			report := func(unit string, of []spent, what func(spent) float64) {
				values := make([]float64, len(of))
				for i, s := range of {
					values[i] = what(s)
				}
				slices.Sort(values)
				b.ReportMetric((values[len(values)/2]+values[(len(values)-1)/2])/2/tasks, unit)
			}
			wall, cpu := func(s spent) float64 { return s.wall }, func(s spent) float64 { return s.cpu }
			report("overhead-ms/iteration", more, wall)
			report("overhead-cpu-ms/iteration", more, cpu)
			report("files/iteration", more, func(s spent) float64 { return s.files })
			report("KiB/iteration", more, func(s spent) float64 { return s.kib })
			report("none-ms/iteration", none, wall)
			report("wall-ms/iteration", with, wall)
			report("cpu-ms/iteration", with, cpu)
			b.ReportMetric(0, "ns/op") // of two runs and their repositories
		})
	}
}

// BenchmarkRecordLong is one run of as many iterations as -benchtime says (1000x): what its first hundred and its last hundred took, or the first and the last
// tenth of a shorter one, and what lies on the disk behind it with the retention that is set by default. The journal is the run's own: it grows by design, and
// is told apart.
func BenchmarkRecordLong(b *testing.B) {
	b.Run("plan", func(b *testing.B) {
		r := newRecorded(b)
		dir := r.repository(b.N)
		b.ResetTimer()
		r.run(dir, []string{"RALPHEX_RECORD=evidence"}, "ralphex", "-t", "--executor", "runbook", "docs/plans/p.md")
		r.long(dir, "task_end")
	})
	b.Run("loop", func(b *testing.B) {
		r := newRecorded(b)
		dir := r.repository(1)
		r.run(dir, nil, "git", "switch", "-qc", "work")
		r.run(dir, nil, "ralphex", "workspace", "init", "--objective", "Parts")
		var all strings.Builder
		for i := range b.N {
			fmt.Fprintf(&all, "%s{\"id\": \"T%d\", \"title\": \"Part %d\", \"status\": \"todo\"}", strings.Repeat(", ", min(i, 1)), i+1, i+1)
		}
		r.write(filepath.Join(dir, ".ralph", "tasks.json"), `{"version": 2, "tasks": [`+all.String()+"]}\n")
		b.ResetTimer()
		r.run(dir, nil, "ralphex", "loop", "--max", strconv.Itoa(b.N))
		r.long(dir, "session_end")
	})
}

// long reports on a run whose iterations end with events of a kind.
func (r *recorded) long(dir, ends string) {
	b, store := r.b, filepath.Join(dir, ".ralph")
	b.StopTimer()
	journals, err := filepath.Glob(filepath.Join(store, "events", "*.jsonl"))
	require.NoError(b, err)
	require.Len(b, journals, 1)
	f, err := os.Open(journals[0])
	require.NoError(b, err)
	defer f.Close()
	var at []time.Time
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e struct {
			Time time.Time
			Type string
		}
		require.NoError(b, json.Unmarshal(lines.Bytes(), &e))
		if len(at) == 0 || e.Type == ends {
			at = append(at, e.Time)
		}
	}
	require.NoError(b, lines.Err())
	require.Equal(b, b.N, len(at)-1, "iterations")
	some := min(100, (b.N+9)/10)
	b.ReportMetric(ms(at[some].Sub(at[0]))/float64(some), "first-ms/iteration")
	b.ReportMetric(ms(at[b.N].Sub(at[b.N-some]))/float64(some), "last-ms/iteration")
	_, journal := r.lies(filepath.Join(store, "events"))
	grows, err := filepath.Glob(filepath.Join(store, "artifacts", "runs", "*", "events.jsonl"))
	require.NoError(b, err)
	_, told := r.lies(grows...)
	files, kib := r.lies(store)
	b.ReportMetric(files, "files")
	b.ReportMetric(kib-journal-told, "disk-KiB")
	b.ReportMetric(journal+told, "journal-KiB")
}
