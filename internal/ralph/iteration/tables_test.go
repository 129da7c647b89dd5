package iteration

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

func TestA47_PromptKinds(t *testing.T) {
	t1 := &task.Task{ID: "T1", Title: "x", Status: task.Todo}
	last := func(it state.Iteration) state.State {
		it.Number = 3
		return state.State{LastPromptKind: "iteration", LastIteration: &it}
	}
	for _, c := range []struct {
		name     string
		selected *task.Task
		counts   task.Counts
		broken   bool
		st       state.State
		want     Kind
		says     string
	}{
		{"1 nothing left", nil, task.Counts{Done: 3}, false, state.State{}, Replenish, "needs new ones"},
		{"1 drift", nil, task.Counts{}, true, state.State{}, Replenish, "repaired before any task is added"},
		{"1 not while a task is blocked", nil, task.Counts{Blocked: 1}, false, last(state.Iteration{Classification: "partial_progress"}), ContinueProgress, "got somewhere"},
		{"2 nothing before", t1, task.Counts{Todo: 1}, false, state.State{}, Bootstrap, "Nothing was prompted"},
		{"3 classified for a person", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "needs_human_review"}), HumanReview, "asked for a person"},
		{"3 stopped for a person", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "partial_progress", StopReason: "human_review_needed"}), HumanReview, "asked for a person"},
		{"4 partial", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "partial_progress", VerificationStatus: "failed"}), ContinueProgress, "not finished"},
		{"5 complete, and new work", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "complete", StopReason: "no_actionable_task", VerificationStatus: "failed"}), Normal, "there is work again"},
		{"6 execution failed", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "complete", ExecutionStatus: "failed"}), FixFailure, "execution failed"},
		{"6 verification failed", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "complete", VerificationStatus: "failed"}), FixFailure, "verification failed"},
		{"6 failed", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "failed"}), FixFailure, "ended as failed"},
		{"6 blocked", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "blocked"}), FixFailure, "ended as blocked"},
		{"6 no progress", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "no_progress"}), FixFailure, "ended as no_progress"},
		{"6 a failure signature", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "complete", Verification: state.Verification{ValidationFailureSignature: "x"}}), FixFailure, "Iteration 3"},
		{"6 a failed run without an iteration", t1, task.Counts{Todo: 1}, false, state.State{LastRun: &state.Run{Status: "failed"}}, FixFailure, "last run failed"},
		{"7 otherwise", t1, task.Counts{Todo: 1}, false, last(state.Iteration{Classification: "complete", ExecutionStatus: "succeeded", VerificationStatus: "passed"}), Normal, "nothing to mend"},
		{"7 only prompted", t1, task.Counts{Todo: 1}, false, state.State{LastPromptKind: "bootstrap"}, Normal, "no result"},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind, why := ChooseKind(c.selected, c.counts, !c.broken, c.st)
			assert.Equal(t, c.want, kind)
			assert.Contains(t, why, c.says)
		})
	}
}

func TestA53_Classification(t *testing.T) {
	f := func(change func(*Facts)) Facts {
		f := Facts{TaskID: "T1", Execution: Succeeded, Verification: task.Skipped, BacklogLeft: true}
		change(&f)
		return f
	}
	for _, c := range []struct {
		name string
		f    Facts
		want Classification
		then FollowUp
	}{
		{"a person comes before all", f(func(f *Facts) { f.HumanReview, f.Blocked, f.Done, f.Execution = true, true, true, Crashed }), NeedsHumanReview, AskPerson},
		{"blocked", f(func(f *Facts) { f.Blocked, f.Done, f.Execution = true, true, Crashed }), Blocked, NextTask},
		{"failed", f(func(f *Facts) { f.Done, f.Execution = true, Crashed }), Failed, RetryTask},
		{"done, more tasks", f(func(f *Facts) { f.Done = true }), Complete, NextTask},
		{"done, parts left", f(func(f *Facts) { f.Done, f.DescendantsLeft = true, true }), Complete, SameTask},
		{"done, nothing left", f(func(f *Facts) { f.Done, f.BacklogLeft = true, false }), Complete, StopLoop},
		{"verified", f(func(f *Facts) { f.Verification = task.Passed }), PartialProgress, SameTask},
		{"files changed", f(func(f *Facts) { f.RelevantChange, f.Verification = true, task.Failed }), PartialProgress, SameTask},
		{"the state changed", f(func(f *Facts) { f.StateChanged = true }), PartialProgress, SameTask},
		{"nothing", f(func(f *Facts) { f.Verification = task.Failed }), NoProgress, RetryTask},
		{"no task, none left", Facts{Exhausted: true}, Complete, StopLoop},
		{"no task, all blocked", Facts{}, Blocked, AskPerson},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Classify(c.f, nil)
			assert.Equal(t, c.want, got.Classification)
			assert.Equal(t, c.then, got.FollowUp)
		})
	}
}

func TestA53_SignalsAndDemotion(t *testing.T) {
	previous := &state.Iteration{TaskID: "T1", Classification: "no_progress", Verification: state.Verification{ValidationFailureSignature: "go test::exit:1::/tmp/a1/x_test.go:12: want 3"}}
	green := Facts{TaskID: "T1", Verification: task.Passed}
	for _, c := range []struct {
		name     string
		f        Facts
		previous *state.Iteration
		want     Classification
		signals  []string
	}{
		{"green over nothing new, again: no progress", green, previous, NoProgress, []string{SameTaskAgain, NoRelevantChanges, StateUnchanged, SameFailureClass}},
		{"the first time it counts", green, nil, PartialProgress, []string{NoRelevantChanges, StateUnchanged}},
		{"of another task it counts", Facts{TaskID: "T2", Verification: task.Passed}, previous, PartialProgress, []string{NoRelevantChanges, StateUnchanged}},
		{"documentation counts", Facts{TaskID: "T1", Verification: task.Passed, Documentation: true}, previous, PartialProgress, []string{SameTaskAgain, NoRelevantChanges, StateUnchanged}},
		{"with a changed state it counts", Facts{TaskID: "T1", Verification: task.Passed, StateChanged: true}, previous, PartialProgress, []string{SameTaskAgain, NoRelevantChanges}},
		{"with a changed file it counts", Facts{TaskID: "T1", Verification: task.Passed, RelevantChange: true}, previous, PartialProgress, []string{SameTaskAgain, StateUnchanged}},
		{"the same failure of another task", Facts{TaskID: "T2", Verification: task.Passed, Signature: "go test::exit:1::/tmp/b9/x_test.go:99: want 3"}, previous, NoProgress,
			[]string{SameSignature, NoRelevantChanges, StateUnchanged, SameFailureClass}},
		{"another failure", Facts{TaskID: "T2", Signature: "go test::exit:1::want 4", StateChanged: true, RelevantChange: true}, previous, PartialProgress, []string{}},
		{"no signature is not the same as none", Facts{TaskID: "T2", StateChanged: true, RelevantChange: true}, &state.Iteration{TaskID: "T1"}, PartialProgress, []string{}},
		{"complete again is no failure", Facts{TaskID: "T1", Done: true, RelevantChange: true, StateChanged: true}, &state.Iteration{TaskID: "T9", Classification: "complete"}, Complete, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Classify(c.f, c.previous)
			assert.Equal(t, c.want, got.Classification)
			assert.Equal(t, c.signals, got.Signals)
		})
	}
}

func TestA53_NormalizeSignature(t *testing.T) {
	for in, want := range map[string]string{
		"go test ./...::exit:1::FAIL  at 2026-03-17T12:00:00.000Z": "go test ./...::exit<loc>::fail at <ts>",
		`in C:\Users\me\x.go (line 7, col 3)`:                      "in <path> <loc>",
		"open /tmp/build-1/x: no such file":                        "open <path>: no such file",
		"x_test.go:12:5: want 3":                                   "x_test.go<loc>: want 3",
		"failed at line 12, column 4":                              "failed at <loc>",
		"commit deadbeefcafe failed":                               "commit <id> failed",
		"face and 1234567 stay":                                    "face and 1234567 stay",
		"  many \n blanks ":                                        "many blanks",
	} {
		assert.Equal(t, want, NormalizeSignature(in), in)
		assert.Equal(t, want, NormalizeSignature(NormalizeSignature(in)), "%s: again", in)
	}
}

// entries is a history of one task by one agent with these classifications, oldest first.
func entries(classes ...Classification) []state.Iteration {
	var h []state.Iteration
	for i, c := range classes {
		h = append(h, state.Iteration{Number: i + 1, AgentID: "a", TaskID: "T1", Classification: string(c), ExecutionStatus: "succeeded", VerificationStatus: "skipped"})
	}
	return h
}

func TestA53_LoopDecision(t *testing.T) {
	base := func(change func(*LoopInput)) LoopInput {
		in := LoopInput{History: entries(PartialProgress), Actionable: true, Remaining: 2, StopOnHumanReview: true, NoProgressThreshold: 3, RepeatedFailureThreshold: 3}
		change(&in)
		return in
	}
	failed := func(in *LoopInput) { in.History[len(in.History)-1].ExecutionStatus = "failed" }
	drift := []task.Diagnostic{{Severity: task.Error, Code: task.DoneAboveOpen}}
	for _, c := range []struct {
		name string
		in   LoopInput
		want StopReason
	}{
		{"1 replenish", base(func(in *LoopInput) { in.Actionable, in.Remaining, in.AutoReplenish = false, 0, true }), ""},
		{"1 not while a task is left", base(func(in *LoopInput) { in.Actionable, in.Remaining, in.AutoReplenish = false, 1, true }), NoActionableTask},
		{"1 not behind a failed session", base(func(in *LoopInput) { in.Actionable, in.Remaining, in.AutoReplenish = false, 0, true; failed(in) }), NoActionableTask},
		{"1 not with drift", base(func(in *LoopInput) {
			in.Actionable, in.Remaining, in.AutoReplenish, in.PreflightDiagnostics = false, 0, true, drift
		}), NoActionableTask},
		{"1 a warning is no drift", base(func(in *LoopInput) {
			in.Actionable, in.Remaining, in.AutoReplenish = false, 0, true
			in.PreflightDiagnostics = []task.Diagnostic{{Severity: task.Warning, Code: task.DoneAboveOpen}, {Severity: task.Error, Code: task.DependencyCycle}}
		}), ""},
		{"2 the last task is done", base(func(in *LoopInput) { in.Actionable, in.Remaining, in.TaskDone = false, 0, true }), NoActionableTask},
		{"2 comes before 3", base(func(in *LoopInput) { in.Actionable = false; failed(in) }), NoActionableTask},
		{"3 execution failed", base(failed), ExecutionFailed},
		{"3 useless to try again", base(func(in *LoopInput) { in.NonRetryable = true; failed(in) }), NonRetryable},
		{"3 comes before 7", base(func(in *LoopInput) { in.History = entries(Failed, Failed, Failed); failed(in) }), ExecutionFailed},
		{"4 task done, nothing remains", base(func(in *LoopInput) { in.Remaining, in.TaskDone = 0, true }), TaskMarkedComplete},
		{"4 not while a task remains", base(func(in *LoopInput) { in.TaskDone = true }), ""},
		{"5 a person", base(func(in *LoopInput) { in.History = entries(NeedsHumanReview) }), HumanReviewNeeded},
		{"5 unless it goes on for people", base(func(in *LoopInput) { in.History, in.StopOnHumanReview = entries(NeedsHumanReview), false }), ""},
		{"6 below the threshold", base(func(in *LoopInput) { in.History = entries(NoProgress, NoProgress) }), ""},
		{"6 at the threshold", base(func(in *LoopInput) { in.History = entries(NoProgress, NoProgress, NoProgress) }), RepeatedNoProgress},
		{"6 a threshold of 1", base(func(in *LoopInput) { in.History, in.NoProgressThreshold = entries(NoProgress), 1 }), RepeatedNoProgress},
		{"6 progress in between starts anew", base(func(in *LoopInput) { in.History = entries(NoProgress, NoProgress, PartialProgress, NoProgress) }), ""},
		{"6 another task starts anew", base(func(in *LoopInput) {
			in.History = entries(NoProgress, NoProgress, NoProgress)
			in.History[0].TaskID = "T2"
		}), ""},
		{"6 another agent starts anew", base(func(in *LoopInput) {
			in.History = entries(NoProgress, NoProgress, NoProgress)
			in.History[1].AgentID = "b"
		}), ""},
		{"7 below the threshold", base(func(in *LoopInput) { in.History = entries(Blocked, Blocked) }), ""},
		{"7 at the threshold", base(func(in *LoopInput) { in.History = entries(Blocked, Blocked, Blocked) }), RepeatedIdenticalFailure},
		{"7 a threshold of 1", base(func(in *LoopInput) { in.History, in.RepeatedFailureThreshold = entries(Blocked), 1 }), RepeatedIdenticalFailure},
		{"7 of different kinds", base(func(in *LoopInput) { in.History = entries(Blocked, Failed, Blocked) }), ""},
		{"7 with different signatures", base(func(in *LoopInput) {
			in.History = entries(Blocked, Blocked, Blocked)
			in.History[1].Verification.ValidationFailureSignature = "x"
		}), ""},
		{"7 signatures that are the same but for a path", base(func(in *LoopInput) {
			in.History = entries(Blocked, Blocked, Blocked)
			for i, s := range []string{"open /tmp/a", "open /tmp/b", "open /tmp/c"} {
				in.History[i].Verification.ValidationFailureSignature = s
			}
		}), RepeatedIdenticalFailure},
		{"8 the cap", base(func(in *LoopInput) { in.Last = true }), CapReached},
		{"8 comes behind 6", base(func(in *LoopInput) { in.Last, in.History = true, entries(NoProgress, NoProgress, NoProgress) }), RepeatedNoProgress},
		{"9 go on", base(func(*LoopInput) {}), ""},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, DecideLoopContinuation(c.in)) })
	}
}

func TestA54_Remediation(t *testing.T) {
	compound := &task.Task{ID: "T1", Title: "Write the parser and test it and document it", Status: task.InProgress}
	plain := &task.Task{ID: "T1", Title: "Parser", Status: task.InProgress}
	with := func(h []state.Iteration, signature string, signals ...string) []state.Iteration {
		last := &h[len(h)-1]
		last.NoProgressSignals, last.Verification.ValidationFailureSignature = signals, signature
		return h
	}
	for _, c := range []struct {
		name     string
		stop     StopReason
		t        *task.Task
		history  []state.Iteration
		want     task.Remediation // "" = none
		children bool
		person   bool
		auto     bool
	}{
		{"blocked", RepeatedIdenticalFailure, plain, with(entries(Blocked, Blocked), "", SameSignature), task.MarkBlocked, true, true, true},
		{"the same failure", RepeatedNoProgress, plain, with(entries(NoProgress, NoProgress), "sig", SameSignature, SameTaskAgain, NoRelevantChanges), task.ReframeTask, true, false, false},
		{"failed", RepeatedIdenticalFailure, plain, entries(Failed, Failed), task.RequestHumanReview, false, true, false},
		{"nothing changed, can be cut", RepeatedNoProgress, compound, with(entries(NoProgress, NoProgress), "", SameTaskAgain, NoRelevantChanges), task.DecomposeTask, true, false, true},
		{"nothing changed, can't be cut", RepeatedNoProgress, plain, with(entries(NoProgress, NoProgress), "", SameTaskAgain, NoRelevantChanges), task.NoAction, false, false, false},
		{"nothing known", RepeatedNoProgress, plain, entries(NoProgress, NoProgress), task.NoAction, false, false, false},
		{"one attempt", RepeatedNoProgress, plain, entries(NoProgress), "", false, false, false},
		{"no task", RepeatedNoProgress, nil, entries(NoProgress, NoProgress), "", false, false, false},
		{"another stop", CapReached, plain, entries(NoProgress, NoProgress), "", false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := BuildRemediation(c.stop, c.t, c.history, "go test")
			if c.want == "" {
				require.Nil(t, r)
				return
			}
			require.NotNil(t, r)
			assert.Equal(t, c.want, r.Action)
			assert.Equal(t, c.children, len(r.Children) > 0)
			assert.Equal(t, c.person, r.HumanReview())
			assert.Equal(t, c.auto, r.AutoApplies([]string{"mark_blocked", "decompose_task"}))
			assert.False(t, r.AutoApplies(nil))
			assert.Len(t, r.Attempts, 2)
		})
	}
	r := BuildRemediation(RepeatedNoProgress, plain, with(entries(Blocked, NoProgress, NoProgress), "sig", SameSignature, SameSignature), "")
	assert.Equal(t, []string{SameSignature, "validation_failure_signature:sig", "stop_reason:repeated_no_progress", "classification:no_progress"}, r.Evidence)
	r.Trigger, r.Action = RepeatedNoProgress, task.MarkBlocked
	assert.False(t, r.AutoApplies([]string{"mark_blocked"}), "only a repeated failure marks by itself")
}
