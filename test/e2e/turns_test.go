//go:build linux

package e2e

import (
	"fmt"

	"ralphex/internal/fakemodel"
)

type (
	turn = fakemodel.Turn
	call = fakemodel.Call
)

// tick is the shell command that ticks a box of the plan.
func tick(words string) string {
	return fmt.Sprintf(`sed -i 's/- \[ \] greet.sh says %s/- [x] greet.sh says %s/' %s`, words, words, planFile)
}

// greets is a session that does task 1: it writes a file, ticks, tests and commits.
func (w *world) greets() []turn {
	return []turn{
		{Text: "I write the script.", Calls: []call{{Write: &fakemodel.File{Path: w.path("greet.sh"), Content: "echo hello\n"}}}},
		{Calls: []call{{Bash: tick("hello") + " && sh check.sh && git add -A && git commit -qm 'feat: greet' && git log --oneline"}}},
		{Text: "greet.sh is written, tested and committed."},
	}
}

// names is a session that does task 2: it edits a file and ticks; the commit is left to ralphex.
func (w *world) names() []turn {
	return []turn{
		{Text: "I look first.", Calls: []call{w.look("greet.sh")}},
		{Calls: []call{{Edit: &fakemodel.Edit{Path: w.path("greet.sh"), Old: "echo hello", New: `echo "hello, $1"`}}}},
		{Calls: []call{{Bash: tick("whom") + " && sh check.sh"}}},
		{Text: "All is done.\n\n<<<RALPHEX:ALL_TASKS_DONE>>>"},
	}
}

// look reads a file the way that the agent insists on before it edits.
func (w *world) look(rel string) call {
	if w.agent.name == "codex" { // it has only its shell for that
		return call{Bash: "cat " + rel}
	}
	return call{Read: w.path(rel)}
}

func turns(groups ...[]turn) []turn {
	var all []turn
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}
