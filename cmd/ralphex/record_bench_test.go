//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkRecordLevels is a run of a plan of forty tasks, whose agent is its own shell blocks, at each level of `record`. What recording costs is the
// difference of two levels, an iteration: wall-ms/iteration and cpu-ms/iteration, git's part included.
func BenchmarkRecordLevels(b *testing.B) {
	const tasks = 40
	for _, level := range []string{"none", "journal", "evidence", "full"} {
		b.Run(level, func(b *testing.B) {
			home, root := b.TempDir(), b.TempDir()
			require.NoError(b, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Person\n\temail = person@example.org\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"), 0o600))
			env := append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "RALPHEX_ITERATION_DELAY_MS=0", "RALPHEX_RECORD="+level)
			run := func(dir, name string, args ...string) *exec.Cmd {
				cmd := exec.Command(name, args...)
				cmd.Dir, cmd.Env = dir, env
				out, err := cmd.CombinedOutput()
				require.NoError(b, err, "%s %v\n%s", name, args, out)
				return cmd
			}
			var cpu float64
			n := 0
			for b.Loop() {
				b.StopTimer()
				n++
				dir := filepath.Join(root, fmt.Sprint(n))
				var plan strings.Builder
				plan.WriteString("# P\n")
				for i := range tasks {
					fmt.Fprintf(&plan, "### Task %d: Part %d\n- [ ] do it\n  ```sh\n  echo %d >> made.txt\n  ```\n", i+1, i+1, i+1)
				}
				require.NoError(b, os.MkdirAll(filepath.Join(dir, "docs", "plans"), 0o755))
				require.NoError(b, os.WriteFile(filepath.Join(dir, "docs", "plans", "p.md"), []byte(plan.String()), 0o644))
				run(dir, "git", "init", "-q", "-b", "main")
				run(dir, "git", "add", "-A")
				run(dir, "git", "commit", "-qm", "start")
				b.StartTimer()
				state := run(dir, "ralphex", "-t", "--executor", "runbook", "docs/plans/p.md").ProcessState
				cpu += (state.UserTime() + state.SystemTime()).Seconds() * 1e3
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*tasks), "wall-ms/iteration")
			b.ReportMetric(cpu/float64(b.N*tasks), "cpu-ms/iteration")
		})
	}
}
