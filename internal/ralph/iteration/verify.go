package iteration

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/task"
)

// Tree is what differs from the last commit: by path, with slashes, its state in two letters and the hash of its bytes ("" = it has none).
type Tree map[string]struct{ Letters, Hash string }

// The states of a path that does not differ: it never did, or the session committed it.
const (
	clean     = "clean"
	committed = "committed"
)

// ours are the places of the store that a session does not work on: that something changes there is no work. What ends with a slash is a folder.
var ours = []string{".ralph/state.json", ".ralph/claims.json", ".ralph/run.lock", ".ralph/prompts/", ".ralph/runs/", ".ralph/logs/", ".ralph/artifacts/", ".ralph/handoff/",
	".ralph/events/"}

func relevant(file string) bool {
	return path.Ext(file) != ".lock" && !slices.ContainsFunc(ours, func(o string) bool { return file == o || strings.HasSuffix(o, "/") && strings.HasPrefix(file, o) })
}

// CompareTrees says what became of the files while a session ran. changed are durable files whose text is another one, which a repository may ignore.
// A file that was dirty before and has other bytes now counts, and so does one of those that the session's own commits have; but not if it is the
// store's: there such a commit only holds what others changed. name is that of the iteration's folder.
func CompareTrees(before, after Tree, changed, commits []string, name string) artifact.Diff {
	d := artifact.Diff{Available: true, Git: before != nil && after != nil, Changed: []string{}, Relevant: []string{}, Transitions: []string{}}
	all := map[string]bool{}
	for file, b := range before {
		if after[file] != b {
			all[file] = true
		}
	}
	for file, a := range after {
		if before[file] != a {
			all[file] = true
		}
	}
	now := map[string]string{}
	for _, file := range commits {
		if !strings.HasPrefix(file, ".ralph/") {
			all[file], now[file] = true, committed
		}
	}
	for file, one := range after {
		now[file] = one.Letters
	}
	for _, file := range changed {
		all[file] = true
	}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		d.Changed = append(d.Changed, file)
		d.Transitions = append(d.Transitions, fmt.Sprintf("%s: %s -> %s", file, cmp.Or(before[file].Letters, clean), cmp.Or(now[file], clean)))
		if relevant(file) {
			d.Relevant = append(d.Relevant, file)
		}
	}
	d.Summary = fmt.Sprintf("%d files changed, %d of them count as work.", len(d.Changed), len(d.Relevant))
	if !d.Git {
		d.Summary = "Nobody looked at the working tree. " + d.Summary
	}
	if len(d.Relevant) > 0 {
		d.CheckpointRef = "ralph/iter-" + name
	}
	return d
}

// verdict is a record without a word to say besides.
func verdict(name string, status task.Verifier, format string, args ...any) artifact.Verifier {
	return artifact.Verifier{Name: name, Status: string(status), Summary: fmt.Sprintf(format, args...), Warnings: []string{}, Errors: []string{}}
}

// NotVerified is the verdict of a verifier that nobody asked, and why.
func NotVerified(name, why string) artifact.Verifier { return verdict(name, task.Skipped, "%s", why) }

// VerifyCommand is the verdict of the validation command. ran is nil if it did not run.
func VerifyCommand(on bool, command string, e Execution, documentation bool, ran *artifact.Validation) artifact.Verifier {
	name := artifact.ValidationCommand
	switch {
	case !on:
		return verdict(name, task.Skipped, "The verifier is switched off.")
	case documentation:
		return verdict(name, task.Skipped, "A documentation task has no validation.")
	case command == "":
		return verdict(name, task.Skipped, "There is no validation command.")
	case e != Succeeded:
		return verdict(name, task.Skipped, "The session did not succeed: there is nothing to validate.")
	case ran == nil:
		return verdict(name, task.Skipped, "`%s` was not run.", command)
	}
	v := verdict(name, task.Passed, "`%s` passed.", command)
	if ran.TimedOut || ran.Exit != 0 {
		v = verdict(name, task.Failed, "`%s` ended with exit code %d.", command, ran.Exit)
		if ran.TimedOut {
			v.Summary = fmt.Sprintf("`%s` took too long and was ended.", command)
		}
		v.Errors = []string{v.Summary}
	}
	v.Command, v.FailureSignature = command, ran.Signature
	return v
}

// VerifyFiles is the verdict of the changed files. A role that does no tasks has none to change: where it does, that fails.
func VerifyFiles(on, selected bool, role string, d artifact.Diff) artifact.Verifier {
	name := artifact.GitDiff
	switch {
	case !selected:
		return verdict(name, task.Skipped, "No task was selected.")
	case !on:
		return verdict(name, task.Skipped, "The verifier is switched off.")
	case len(d.Relevant) == 0 && !Works(role):
		return verdict(name, task.Skipped, "The role %s changes no files.", role)
	case len(d.Relevant) == 0:
		return verdict(name, task.Failed, "No file changed that counts as work.")
	case !Works(role):
		v := verdict(name, task.Failed, "The role %s changed files: %s.", role, strings.Join(d.Relevant, ", "))
		v.Warnings = []string{v.Summary}
		return v
	}
	return verdict(name, task.Passed, "%d files changed that count as work.", len(d.Relevant))
}

// VerifyState is the verdict of the task's own state. before and after are nil where there is no such task; fileError says why the graph can't be read now.
func VerifyState(on bool, before, after *task.Task, fileError string, textChanged bool) artifact.Verifier {
	name := artifact.TaskState
	switch {
	case !on:
		return verdict(name, task.Skipped, "The verifier is switched off.")
	case fileError != "":
		v := verdict(name, task.Failed, "The task file can't be read: %s", fileError)
		v.Errors = []string{v.Summary}
		return v
	case after != nil && after.Status == task.Blocked:
		return verdict(name, task.Failed, "%s is blocked.", after.ID)
	case after != nil && after.Status == task.Done:
		return verdict(name, task.Passed, "%s is done.", after.ID)
	case before != nil && after != nil && before.Status != after.Status:
		return verdict(name, task.Passed, "%s went from %s to %s.", after.ID, before.Status, after.Status)
	case textChanged:
		return verdict(name, task.Passed, "The task graph or the progress file changed.")
	}
	return verdict(name, task.Skipped, "Neither the task nor the progress file changed.")
}

// reviewWords in a task's blocker or notes ask for a person.
var reviewWords = []string{"[human-review-needed]", "human review", "manual review"}

// WantsPerson tells whether a task says that a person has to look at it.
func WantsPerson(t *task.Task) bool {
	if t == nil {
		return false
	}
	text := strings.ToLower(t.Blocker + "\n" + t.Notes)
	return slices.ContainsFunc(reviewWords, func(w string) bool { return strings.Contains(text, w) })
}
