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

// TestForgottenBackgroundTask is one that never ends: its time is over before claude's own, and nothing of it survives. A task that
// is proven by then is done.
func TestForgottenBackgroundTask(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a).with("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=0")
		w.conf = "background_wait = 2s\n"
		greets := w.greets()
		greets[0].Calls = append(greets[0].Calls, call{Background: "while true; do sleep 5; done"})
		code, said := w.plays(turns(greets, w.names())...).run()
		assert.Zero(t, code, said)
		assert.Contains(t, w.journal(), `"failure":"pending"`)
		assert.Contains(t, said, "2s later this still kept the agent: while true; do sleep 5; done")
		w.isDone()
	}, "claude")
}

// TestUnfinishedTurn ends its turn while a background task runs and before the work is done: when the time of the task is over, the
// same session is told to go on, by its id.
func TestUnfinishedTurn(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a).with("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=0")
		w.conf = "background_wait = 2s\n"
		early := []turn{{Calls: []call{{Background: "while true; do sleep 5; done"}}}, {Text: "I wait for the purple server."}}
		greets := w.greets()
		for i := range greets {
			greets[i].Match = []string{"I wait for the purple server."} // the session that goes on knows it
		}
		code, said := w.plays(turns(early, greets, w.names())...).run()
		assert.Zero(t, code, said)
		assert.Contains(t, w.journal(), `"failure":"pending"`)
		assert.Contains(t, w.journal(), `"--resume"`)
		w.isDone()
	}, "claude")
}
