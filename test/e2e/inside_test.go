//go:build linux

package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSubAgents lets the agent spawn one, which claims that the task failed. That is its own claim, not the agent's.
func TestSubAgents(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a)
		const about = "look at the greeting and report"
		spawn := call{Agent: about}
		wait := []turn{}
		if a.name == "codex" { // it waits for its agents by a tool
			wait = []turn{{Text: "I wait.", Calls: []call{{Name: "wait_agent", Input: []byte(`{"timeout_ms":10000,"targets":[]}`)}}}}
			w.conf = "codex_model = fake-model\n" // it searches for this tool first where it knows the model
		}
		main := turns([]turn{{Text: "Somebody shall look.", Calls: []call{spawn}}}, wait, w.greets(), w.names())
		for i := range main {
			main[i].Match = []string{planFile} // the prompt of the run
		}
		sub := turn{Match: []string{about}, Unless: []string{planFile}, Text: "It is hopeless.\n\n<<<RALPHEX:TASK_FAILED>>>"}
		code, said := w.plays(append([]turn{sub}, main...)...).run()
		assert.Zero(t, code, said)
		assert.NotContains(t, w.journal(), `"failure":`)
		w.isDone()
	}, "claude", "codex")
}

// TestBackgroundTask is a command that claude itself runs in the background, in a turn that ends before the command does: claude
// stays, asks once more when it is over, and only then the session is over.
func TestBackgroundTask(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a).with("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=0")
		greets := w.greets()
		gate := w.home + "/ended"
		greets[0].Calls = append(greets[0].Calls, call{Background: "while [ ! -e " + gate + " ]; do sleep 0.1; done; echo rea''dy"})
		done := turn{Match: []string{"Background command", "completed (exit code 0)"}, Text: "The command is ready, too."}
		w.plays(turns([]turn{done}, greets, w.names())...)
		r := w.start()
		w.await(1 + len(greets)) // the last word of the turn
		w.at(gate, "")
		code, said := r.end()
		assert.Zero(t, code, said)
		assert.Contains(t, said, "The command is ready, too.")
		w.isDone()
	}, "claude")
}
