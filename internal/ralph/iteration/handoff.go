package iteration

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

// handoffStops are the stops after which the next session gets a note.
var handoffStops = []StopReason{TaskMarkedComplete, CapReached, HumanReviewNeeded, NoActionableTask, verifiedNothingLeft}

// NewHandoff is the note that the next session of the agent reads, nil if the stop leaves none. note and blocker are the report's, "" = none.
func NewHandoff(it state.Iteration, note, blocker string) *stable.Object {
	if !slices.Contains(handoffStops, StopReason(it.StopReason)) {
		return nil
	}
	o := stable.NewObject("agentId", it.AgentID, "iteration", it.Number, "selectedTaskId", stable.NullIfEmpty(it.TaskID), "selectedTaskTitle", stable.NullIfEmpty(it.TaskTitle),
		"stopReason", it.StopReason, "completionClassification", it.Classification)
	for _, f := range []struct{ key, value string }{
		{"progressNote", note}, {"pendingBlocker", blocker}, {"validationFailureSignature", it.Verification.ValidationFailureSignature},
	} {
		if f.value != "" {
			o.Set(f.key, f.value)
		}
	}
	o.Set("backlog", stable.NewObject("remainingTaskCount", it.Backlog.RemainingTaskCount, "actionableTaskAvailable", it.Backlog.ActionableTaskAvailable))
	selected := "No task was selected."
	if it.TaskID != "" {
		selected = fmt.Sprintf("%s (%s) ended as %s.", it.TaskID, it.TaskTitle, it.Classification)
	}
	o.Set("humanSummary", fmt.Sprintf("%s The loop stopped with %s; %d tasks are left.", selected, it.StopReason, it.Backlog.RemainingTaskCount))
	return o
}

// ReadHandoff is the newest note of the agent below an iteration, as the next session gets it; nil = there is none that can be read.
func ReadHandoff(l layout.Layout, agent string, below int) *stable.Object {
	entries, err := os.ReadDir(l.Handoff)
	if err != nil {
		return nil
	}
	newest, name := 0, ""
	for _, e := range entries {
		digits, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".json"), agent+"-")
		n, err := strconv.Atoi(digits)
		if ok && err == nil && e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".json") && n > newest && n < below {
			newest, name = n, e.Name()
		}
	}
	if name == "" {
		return nil
	}
	o := stable.ObjectOf(durable.ReadFile(filepath.Join(l.Handoff, name), maxHandoff))
	if o == nil || o.Text("agentId") != agent {
		return nil
	}
	out := &stable.Object{}
	for _, key := range []string{"agentId", "iteration", "selectedTaskId", "selectedTaskTitle", "stopReason", "completionClassification", "humanSummary", "pendingBlocker",
		"validationFailureSignature"} {
		v, _ := o.Get(key)
		out.Set(key, v)
	}
	v, _ := o.Get("backlog")
	backlog, _ := v.(*stable.Object)
	left, _ := backlog.Get("remainingTaskCount")
	out.Set("remainingTaskCount", left)
	return out
}

// maxHandoff bounds a note, in bytes.
const maxHandoff = 1 << 20

// WriteHandoff keeps a note for the next session.
func WriteHandoff(l layout.Layout, agent string, iteration int, note *stable.Object) (path string, err error) {
	dir, err := durable.OpenDir(l.Handoff)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	name := agent + "-" + layout.Number(iteration) + ".json"
	return filepath.Join(l.Handoff, name), dir.WriteFile(name, stable.Marshal(note), 0o640)
}
