package events

import (
	"fmt"
	"strings"

	"ralphex/internal/ralph/stable"
)

// Timeline is what people see of a run that was. It is a projection: nothing is decided from it.
type Timeline struct {
	RunID       string
	StartedAt   string // empty = unknown
	CompletedAt string // empty = not completed
	StopReason  string // empty = none

	Entries          []Entry
	RemediationAudit []Audit
	ArtifactsWritten []string // paths from the workspace root, in the order of the journal
	FileChanges      []string // what was done in the repository, "commit: succeeded"
	Totals           Totals
}

// Entry is one line of a timeline.
type Entry struct {
	Seq       int
	Timestamp string
	Kind      string // the event's type
	Summary   string // a sentence without its full stop
	TaskID    string // empty = none
}

// Audit is one remediation, applied or proposed.
type Audit struct {
	Seq       int
	Timestamp string
	TaskID    string
	Action    string
	Applied   bool
}

// Totals count.
type Totals struct {
	TaskStateChanges, ProviderInvocations, RemediationsApplied, RecoveryActionsApplied, ArtifactsWritten, SCMActions int
}

// Fold makes the timeline of a journal, as Read returns it. It is pure.
func Fold(events []Event) Timeline {
	var t Timeline
	for _, e := range events {
		if t.RunID == "" {
			t.RunID = e.RunID
		}
		entry := Entry{Seq: e.Seq, Timestamp: e.Timestamp, Kind: e.Body.Type()}
		entry.Summary, entry.TaskID = t.tell(e)
		t.Entries = append(t.Entries, entry)
	}
	return t
}

// tell counts the event and words it.
func (t *Timeline) tell(e Event) (summary, task string) {
	switch b := e.Body.(type) {
	case RunStarted:
		if t.StartedAt == "" {
			t.StartedAt = e.Timestamp
		}
		t.CompletedAt, t.StopReason = "", "" // a run that was taken up again isn't over
		return words("run started", b.Mode), ""
	case RunCompleted:
		t.CompletedAt, t.StopReason = e.Timestamp, b.StopReason
		return words("run completed", b.StopReason), ""
	case TaskSelected:
		return words("selected "+b.TaskID, b.Title), b.TaskID
	case TaskStateChanged:
		t.Totals.TaskStateChanges++
		from := ""
		if b.From != "" {
			from = " from " + b.From
		}
		return words(b.TaskID+from+" to "+b.To, b.Reason), b.TaskID
	case ProviderInvoked:
		t.Totals.ProviderInvocations++
		return b.Provider + " started", b.TaskID
	case ProviderCompleted:
		return b.Provider + " ended: " + b.Status, b.TaskID
	case CompletionReportParsed:
		if !b.Parsed {
			return "completion report could not be read", b.TaskID
		}
		return words("completion report", b.RequestedStatus), b.TaskID
	case VerifierResult:
		return b.Verifier + ": " + b.Status, b.TaskID
	case RemediationApplied:
		if b.Applied {
			t.Totals.RemediationsApplied++
		}
		t.RemediationAudit = append(t.RemediationAudit, Audit{e.Seq, e.Timestamp, b.TaskID, b.Action, b.Applied})
		return words("remediation "+b.Action, map[bool]string{true: "applied", false: "proposed"}[b.Applied]), b.TaskID
	case ReviewResult:
		return words("review "+b.Status, strings.Join(b.Anomalies, ", ")), b.TaskID
	case SCMAction:
		t.Totals.SCMActions++
		t.FileChanges = append(t.FileChanges, b.Action+": "+b.Status)
		return b.Action + ": " + b.Status, b.TaskID
	case RecoveryApplied:
		t.Totals.RecoveryActionsApplied++
		return words("recovery "+b.Action, b.Severity), b.TaskID
	case ArtifactWritten:
		t.Totals.ArtifactsWritten++
		t.ArtifactsWritten = append(t.ArtifactsWritten, b.RelativePath)
		return words(b.ArtifactType, b.RelativePath), ""
	case WorkflowPhaseCompleted:
		return words("phase "+b.Phase+" completed", b.Status), ""
	}
	return fmt.Sprintf("%v", e.Body), ""
}

func words(what, more string) string {
	if more == "" {
		return what
	}
	return what + ": " + more
}

// Stable returns the timeline as JSON.
func (t Timeline) Stable() any {
	entries := make([]any, len(t.Entries))
	for i, e := range t.Entries {
		entries[i] = obj("seq", e.Seq, "timestamp", e.Timestamp, "kind", e.Kind, "summary", e.Summary, "taskId", null(e.TaskID))
	}
	audit := make([]any, len(t.RemediationAudit))
	for i, a := range t.RemediationAudit {
		audit[i] = obj("seq", a.Seq, "timestamp", a.Timestamp, "taskId", null(a.TaskID), "action", a.Action, "applied", a.Applied)
	}
	n := t.Totals
	return obj("runId", null(t.RunID), "startedAt", null(t.StartedAt), "completedAt", null(t.CompletedAt), "stopReason", null(t.StopReason),
		"entries", entries, "remediationAudit", audit, "artifactsWritten", t.ArtifactsWritten, "fileChanges", t.FileChanges,
		"totals", obj("taskStateChanges", n.TaskStateChanges, "providerInvocations", n.ProviderInvocations,
			"remediationsApplied", n.RemediationsApplied, "recoveryActionsApplied", n.RecoveryActionsApplied,
			"artifactsWritten", n.ArtifactsWritten, "scmActions", n.SCMActions))
}

// obj makes an object of keys and values by turns.
func obj(pairs ...any) *stable.Object {
	o := &stable.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}
