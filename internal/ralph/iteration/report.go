package iteration

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"ralphex/internal/lazyregexp"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// Report is what a session says of its own work, in the JSON at the end of its last message: a claim.
type Report struct {
	TaskID           string
	Requested        task.Status // done, blocked, in_progress
	ProgressNote     string      // these are on one line each; "" = not said
	Blocker          string
	ValidationRan    string
	ReviewNotes      string
	ProposedPlan     string
	NeedsHumanReview *bool
	Children         []task.SuggestedChild
	Watchdog         []WatchdogAction
	ReviewOutcome    string // approved, changes_required
	Doctrine         []doctrine.Update
	DoctrineWarnings []string
}

// WatchdogAction is what a session in the watchdog role asks for.
type WatchdogAction struct {
	TaskID, AgentID   string
	Action            string // resolve_stale_claim, decompose_task, escalate_to_human
	Severity          string // MEDIUM, HIGH, CRITICAL
	Reason, Evidence  string
	NoProgress        int // trailingNoProgressCount
	RepeatedFailure   int // trailingRepeatedFailureCount
	SuggestedChildren []task.SuggestedChild
}

// ParseStatus says whether a message had a report.
type ParseStatus string

// The statuses.
const (
	ReportMissing ParseStatus = "missing"
	ReportInvalid ParseStatus = "invalid"
	ReportParsed  ParseStatus = "parsed"
)

// Parsed is what a last message says as a report.
type Parsed struct {
	Status ParseStatus
	Report *Report // nil unless ReportParsed
	Raw    string  // the block as it stands in the message
	Err    error   // why it is invalid
}

// Limits of a report's texts, in UTF-16 units.
const (
	mostText = 400
	mostPlan = 4000
)

// ParseReport reads the report at the end of a session's last message: the last fenced json block, or a bare object, with nothing behind it. Blocks
// further up count for nothing.
func ParseReport(lastMessage string) Parsed {
	raw := endingBlock(stable.TrimEnd(lastMessage))
	if raw == "" {
		return Parsed{Status: ReportMissing}
	}
	r, err := readReport(raw)
	if err != nil {
		return Parsed{Status: ReportInvalid, Raw: raw, Err: err}
	}
	return Parsed{Status: ReportParsed, Report: r, Raw: raw}
}

// endingBlock is the content of the json fence, or the bare object, that a text ends with; "" = none.
func endingBlock(text string) string {
	if strings.HasSuffix(text, "}") {
		return endingObject(text)
	}
	lines := strings.Split(text, "\n")
	end := len(lines) - 1
	if fence := strings.TrimSpace(lines[end]); len(fence) < 3 || strings.Trim(fence, "`") != "" {
		return ""
	}
	for i := end - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		if info := strings.TrimLeft(line, "`"); len(line)-len(info) >= 3 {
			if !strings.EqualFold(strings.TrimSpace(info), "json") {
				return ""
			}
			return stable.Trim(strings.Join(lines[i+1:end], "\n"))
		}
	}
	return ""
}

// How far back a bare object is looked for: a report is small, and a message may be hostile.
const (
	mostBare   = 256 << 10
	mostBraces = 1000
)

// endingObject is the object that ends with the text: the nearest brace to its end whose object ends exactly there, braces in strings not counted. One
// that is JSON wins over one that only looks so, since a brace may stand in a string.
func endingObject(text string) string {
	tail := text[max(0, len(text)-mostBare):]
	at, nearest := len(tail), ""
	for range mostBraces {
		if at = strings.LastIndexByte(tail[:at], '{'); at < 0 {
			break
		}
		if balancedEnd(tail[at:]) != len(tail)-at {
			continue
		}
		if _, err := stable.ParseObject([]byte(tail[at:])); err == nil {
			return tail[at:]
		}
		if nearest == "" {
			nearest = tail[at:]
		}
	}
	return nearest
}

// balancedEnd is where the object that s begins with ends, -1 = it doesn't.
func balancedEnd(s string) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

var requestable = []task.Status{task.Done, task.Blocked, task.InProgress}

func readReport(raw string) (*Report, error) {
	o, err := stable.ParseObject([]byte(raw))
	if err != nil {
		return nil, err
	}
	r := &Report{TaskID: stable.Trim(o.Text("selectedTaskId")), Requested: task.Status(o.Text("requestedStatus"))}
	if r.TaskID == "" {
		return nil, errors.New(`"selectedTaskId" must be a string that is not blank`)
	}
	if !slices.Contains(requestable, r.Requested) {
		return nil, errors.New(`"requestedStatus" must be done, blocked or in_progress`)
	}
	for _, f := range []struct {
		key  string
		into *string
		most int
	}{
		{"progressNote", &r.ProgressNote, mostText}, {"blocker", &r.Blocker, mostText}, {"validationRan", &r.ValidationRan, mostText},
		{"reviewNotes", &r.ReviewNotes, mostText}, {"proposedPlan", &r.ProposedPlan, mostPlan},
	} {
		*f.into = sanitize(o.Text(f.key), f.most)
	}
	if v, there := o.Get("needsHumanReview"); there {
		b, ok := v.(bool)
		if !ok {
			return nil, errors.New(`"needsHumanReview" must be true or false`)
		}
		r.NeedsHumanReview = &b
	}
	if v, there := o.Get("suggestedChildTasks"); there {
		if r.Children, err = readChildren(v); err != nil {
			return nil, err
		}
	}
	if v, _ := o.Get("watchdog_actions"); v != nil {
		r.Watchdog = readWatchdog(v)
	}
	if w := o.Text("reviewOutcome"); w == "approved" || w == "changes_required" {
		r.ReviewOutcome = w
	}
	if v, there := o.Get("doctrineUpdates"); there {
		r.Doctrine, r.DoctrineWarnings = doctrine.ParseUpdates(v)
	}
	return r, nil
}

var leadingBullet = lazyregexp.New(`^[-*]\s+`)

// sanitize makes a text one line without a bullet. It goes into a list of the progress file.
func sanitize(s string, most int) string {
	s = leadingBullet.ReplaceAllString(stable.Trim(s), "")
	return stable.Trim(stable.CutUTF16(stable.OneLine(s), most))
}

// readWatchdog reads what a watchdog asks for; what is not whole is left out.
func readWatchdog(v any) (out []WatchdogAction) {
	a, ok := v.(*stable.Array)
	if !ok {
		return nil
	}
	for _, item := range a.Items {
		o, ok := item.(*stable.Object)
		if !ok {
			continue
		}
		w := WatchdogAction{TaskID: sanitize(o.Text("taskId"), mostText), AgentID: sanitize(o.Text("agentId"), mostText), Action: o.Text("action"),
			Severity: o.Text("severity"), Reason: sanitize(o.Text("reason"), mostText), Evidence: sanitize(o.Text("evidence"), mostText)}
		var counted bool
		w.NoProgress, counted = count(o, "trailingNoProgressCount")
		failures, counted2 := count(o, "trailingRepeatedFailureCount")
		w.RepeatedFailure = failures
		if w.TaskID == "" || w.AgentID == "" || w.Reason == "" || w.Evidence == "" || !counted || !counted2 ||
			!slices.Contains([]string{"resolve_stale_claim", "decompose_task", "escalate_to_human"}, w.Action) ||
			!slices.Contains([]string{"MEDIUM", "HIGH", "CRITICAL"}, w.Severity) {
			continue
		}
		if v, there := o.Get("suggestedChildTasks"); there {
			children, err := readChildren(v)
			if err != nil {
				continue
			}
			w.SuggestedChildren = children
		}
		out = append(out, w)
	}
	return out
}

// count is a whole number, 0 or more.
func count(o *stable.Object, key string) (int, bool) {
	v, _ := o.Get(key)
	f, ok := v.(float64)
	if !ok || f < 0 || f != math.Trunc(f) || f > 1<<31 {
		return 0, false
	}
	return int(f), true
}

// Stable is the report as completion-report.json has it.
func (r *Report) Stable() any {
	o := stable.NewObject("selectedTaskId", r.TaskID, "requestedStatus", string(r.Requested))
	for _, f := range []struct{ key, value string }{{"progressNote", r.ProgressNote}, {"blocker", r.Blocker}, {"validationRan", r.ValidationRan}} {
		if f.value != "" {
			o.Set(f.key, f.value)
		}
	}
	if r.NeedsHumanReview != nil {
		o.Set("needsHumanReview", *r.NeedsHumanReview)
	}
	if r.Children != nil {
		o.Set("suggestedChildTasks", children(r.Children))
	}
	if r.Watchdog != nil {
		all := make([]any, len(r.Watchdog))
		for i, w := range r.Watchdog {
			all[i] = w.record()
		}
		o.Set("watchdog_actions", all)
	}
	for _, f := range []struct{ key, value string }{{"reviewOutcome", r.ReviewOutcome}, {"reviewNotes", r.ReviewNotes}, {"proposedPlan", r.ProposedPlan}} {
		if f.value != "" {
			o.Set(f.key, f.value)
		}
	}
	if r.Doctrine != nil {
		all := make([]any, len(r.Doctrine))
		for i, u := range r.Doctrine {
			all[i] = u.Stable()
		}
		o.Set("doctrineUpdates", all)
	}
	return o
}

func (w WatchdogAction) record() *stable.Object {
	o := stable.NewObject("taskId", w.TaskID, "agentId", w.AgentID, "action", w.Action, "severity", w.Severity, "reason", w.Reason, "evidence", w.Evidence,
		"trailingNoProgressCount", w.NoProgress, "trailingRepeatedFailureCount", w.RepeatedFailure)
	if w.SuggestedChildren != nil {
		o.Set("suggestedChildTasks", children(w.SuggestedChildren))
	}
	return o
}

// WatchdogRecord is the diagnostic of a session in the watchdog role, artifacts/watchdog/<agent>-NNN.json.
func WatchdogRecord(agent, provenance string, n int, actions []WatchdogAction, now time.Time) *stable.Object {
	all := make([]any, len(actions))
	for i, w := range actions {
		all[i] = w.record()
	}
	return stable.NewObject("schemaVersion", 1, "kind", "watchdogDiagnostic", "agentId", agent, "provenanceId", provenance, "iteration", n, "triggeredAt", stable.Time(now),
		"actionCount", len(actions), "actions", all)
}
