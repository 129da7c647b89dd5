package iteration

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/task"
)

func TestA52_Validation(t *testing.T) {
	green, red, slow := &artifact.Validation{}, &artifact.Validation{Exit: 2, Signature: "s"}, &artifact.Validation{TimedOut: true, Signature: "timeout:x"}
	for _, c := range []struct {
		name string
		got  artifact.Verifier
		want string
		says string
	}{
		{"pass", VerifyCommand(true, "go test", Succeeded, false, green), artifact.Passed, "`go test` passed."},
		{"fail", VerifyCommand(true, "go test", Succeeded, false, red), artifact.Failed, "`go test` ended with exit code 2."},
		{"timeout", VerifyCommand(true, "go test", Succeeded, false, slow), artifact.Failed, "`go test` took too long and was ended."},
		{"documentation", VerifyCommand(true, "go test", Succeeded, true, green), artifact.Skipped, "A documentation task has no validation."},
		{"off", VerifyCommand(false, "go test", Succeeded, false, green), artifact.Skipped, "The verifier is switched off."},
		{"no command", VerifyCommand(true, "", Succeeded, false, nil), artifact.Skipped, "There is no validation command."},
		{"the session failed", VerifyCommand(true, "go test", Crashed, false, nil), artifact.Skipped, "The session did not succeed: there is nothing to validate."},
		{"not run", VerifyCommand(true, "go test", Succeeded, false, nil), artifact.Skipped, "`go test` was not run."},
	} {
		assert.Equal(t, c.want, c.got.Status, c.name)
		assert.Equal(t, c.says, c.got.Summary, c.name)
		assert.Equal(t, c.want == artifact.Failed, len(c.got.Errors) > 0, c.name)
	}
	assert.Equal(t, "s", VerifyCommand(true, "x", Succeeded, false, red).FailureSignature)
}

func TestA52_Files(t *testing.T) {
	work := artifact.Diff{Relevant: []string{"a.go"}}
	assert.Equal(t, artifact.Passed, VerifyFiles(true, true, "build", work).Status)
	assert.Equal(t, artifact.Failed, VerifyFiles(true, true, "build", artifact.Diff{}).Status)
	assert.Equal(t, artifact.Skipped, VerifyFiles(false, true, "build", work).Status)
	assert.Equal(t, artifact.Skipped, VerifyFiles(true, false, "build", work).Status, "no task")
	for _, role := range []string{"review", "reviewer", "planner", "watchdog"} {
		assert.Equal(t, artifact.Skipped, VerifyFiles(true, true, role, artifact.Diff{}).Status, "it has none to change")
		v := VerifyFiles(true, true, role, work)
		assert.Equal(t, artifact.Failed, v.Status)
		assert.Equal(t, []string{"The role " + role + " changed files: a.go."}, v.Warnings)
	}
}

func TestA52_Trees(t *testing.T) {
	type e = struct{ Letters, Hash string }
	before := Tree{"same.go": {".M", "1"}, "edited.go": {".M", "1"}, "gone.go": {"??", "1"}, ".ralph/state.json": {".M", "1"}}
	after := Tree{"same.go": e{".M", "1"}, "edited.go": e{".M", "2"}, "new.go": e{"??", "1"}, ".ralph/state.json": e{".M", "2"}, ".ralph/tasks.lock": e{"??", ""},
		".ralph/artifacts/x": e{"??", "1"}, ".ralph/claims.json": e{"??", "1"}}
	d := CompareTrees(before, after, []string{".ralph/progress.md"}, nil, "iteration-007")
	assert.Equal(t, []string{".ralph/progress.md", "edited.go", "gone.go", "new.go"}, d.Relevant)
	assert.Len(t, d.Changed, 8)
	assert.Contains(t, d.Transitions, "gone.go: ?? -> clean")
	assert.Contains(t, d.Transitions, "edited.go: .M -> .M")
	assert.Equal(t, "ralph/iter-iteration-007", d.CheckpointRef)
	own := CompareTrees(Tree{"a.go": {" M", "1"}, "b.go": {"??", "2"}}, Tree{"c.go": {" M", "4"}}, nil, []string{".ralph/tasks.json", "a.go", "b.go", "c.go", "d.go"}, "iteration-007")
	assert.Equal(t, []string{"a.go:  M -> committed", "b.go: ?? -> committed", "c.go: clean ->  M", "d.go: clean -> committed"}, own.Transitions)
	assert.Equal(t, []string{"a.go", "b.go", "c.go", "d.go"}, own.Relevant, "what a session commits is work; the task graph in its commit isn't")
	none := CompareTrees(nil, nil, nil, nil, "iteration-007")
	assert.False(t, none.Git)
	assert.Empty(t, none.CheckpointRef)
	assert.Equal(t, "Nobody looked at the working tree. 0 files changed, 0 of them count as work.", none.Summary)
}

func TestA52_State(t *testing.T) {
	at := func(s task.Status) *task.Task { return &task.Task{ID: "T1", Status: s} }
	for _, c := range []struct {
		name string
		got  artifact.Verifier
		want string
	}{
		{"done", VerifyState(true, at(task.InProgress), at(task.Done), "", false), artifact.Passed},
		{"status changed", VerifyState(true, at(task.Todo), at(task.InProgress), "", false), artifact.Passed},
		{"text changed", VerifyState(true, at(task.InProgress), at(task.InProgress), "", true), artifact.Passed},
		{"text changed without a task", VerifyState(true, nil, nil, "", true), artifact.Passed},
		{"blocked", VerifyState(true, at(task.InProgress), at(task.Blocked), "", true), artifact.Failed},
		{"unreadable", VerifyState(true, at(task.InProgress), nil, "no JSON", true), artifact.Failed},
		{"nothing", VerifyState(true, at(task.InProgress), at(task.InProgress), "", false), artifact.Skipped},
		{"no task", VerifyState(true, nil, nil, "", false), artifact.Skipped},
		{"off", VerifyState(false, at(task.InProgress), at(task.Done), "", true), artifact.Skipped},
	} {
		assert.Equal(t, c.want, c.got.Status, c.name)
	}
	assert.True(t, WantsPerson(&task.Task{Notes: "Needs a Human Review"}))
	assert.True(t, WantsPerson(&task.Task{Blocker: "[human-review-needed] key"}))
	assert.False(t, WantsPerson(&task.Task{Notes: "reviewed by a human"}))
	assert.False(t, WantsPerson(nil))
}
