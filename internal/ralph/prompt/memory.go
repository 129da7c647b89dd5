package prompt

import (
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

// Memory is how much of what happened before goes into a prompt.
type Memory struct {
	Strategy  string // verbatim = the whole history, sliding-window = its end, summary = its end, and the rest folded
	Window    int    // entries of the end
	Threshold int    // a longer history is folded, by summary
	Lines     int    // of all that a prompt holds of it; 0 = none
	Feedback  bool   // what the verifiers said of the last iteration, too
}

// split is the history as the strategy has it: entries that are told one by one, and older ones that are folded.
func (m Memory) split(history []state.Iteration) (older, recent []state.Iteration) {
	at := 0
	if m.Strategy == "sliding-window" || m.Strategy == "summary" && len(history) > m.Threshold {
		at = max(0, len(history)-m.Window)
	}
	if m.Strategy == "summary" {
		older = history[:at]
	}
	return older, history[at:]
}

// Summary is memory-summary.md: what older iterations came to, task by task. No model writes it, which is what its words "static fallback" tell other
// programs. It is "" where nothing is folded.
func (m Memory) Summary(history []state.Iteration) string {
	older, _ := m.split(history)
	if len(older) == 0 {
		return ""
	}
	return stable.Text("# Memory Summary\n\nStatic fallback: counted from the histories of state.json, no model was asked.\n\n" + strings.Join(fold(older), "\n"))
}

// fold tells iterations task by task, in the order in which tasks were last worked on.
func fold(list []state.Iteration) []string {
	type sum struct {
		id          string
		n           int
		first, last state.Iteration
	}
	var all []*sum
	for _, it := range list {
		i := slices.IndexFunc(all, func(s *sum) bool { return s.id == it.TaskID })
		s := &sum{id: it.TaskID, first: it}
		if i >= 0 {
			s = all[i]
			all = slices.Delete(all, i, i+1)
		}
		s.n, s.last = s.n+1, it
		all = append(all, s)
	}
	var lines []string
	for _, s := range all {
		id := s.id
		if id == "" {
			id = "No task"
		}
		lines = append(lines, fmt.Sprintf("- %s: %d iterations, %d to %d; the last ended as %s.", id, s.n, s.first.Number, s.last.Number, s.last.Classification))
	}
	return lines
}

// record is memoryObservability of the evidence.
func (m Memory) record(history []state.Iteration) *stable.Object {
	older, recent := m.split(history)
	o := stable.NewObject("memoryStrategy", m.Strategy, "historyDepth", len(history), "windowedEntryCount", len(recent), "summaryGenerationCost", 0)
	if m.Strategy == "summary" {
		mode := ""
		if len(older) > 0 {
			mode = "static_fallback"
		}
		o.Set("summarizationMode", stable.NullIfEmpty(mode))
	}
	return o
}

// mostPrior bounds each line of what happened before, in UTF-16 units.
const mostPrior = 700

// prior tells what happened before, the newest first.
func (in Input) prior() (lines []string) {
	m := in.Memory
	older, recent := m.split(in.History)
	add := func(format string, args ...any) {
		lines = append(lines, "- "+stable.CutUTF16(stable.OneLine(fmt.Sprintf(format, args...)), mostPrior))
	}
	if n := len(recent); n > 0 {
		it := recent[n-1]
		add("Iteration %d: %s", it.Number, it.Summary)
		if m.Feedback {
			in.feedback(it, add)
		}
	}
	if in.Note != "" {
		add("Note of the session before: %s", in.Note)
	}
	if in.Diagnosis != "" {
		add("Diagnosis of the failure: %s", in.Diagnosis)
	}
	for i := len(recent) - 2; i >= 0; i-- {
		add("Iteration %d: %s ended as %s", recent[i].Number, orNone(recent[i].TaskID), recent[i].Classification)
	}
	lines = append(lines, fold(older)...)
	return lines[:min(len(lines), m.Lines)]
}

// feedback tells what the verifiers, and the judgement of its report, said of an iteration.
func (in Input) feedback(it state.Iteration, add func(string, ...any)) {
	if s := it.Verification.ValidationFailureSignature; s != "" {
		add("Its validation failed: %s", s)
	}
	for _, v := range it.Verification.Verifiers {
		if v.Text("status") == string(iteration.Crashed) && v.Text("failureSignature") == "" {
			add("Its verifier %s failed: %s", v.Text("verifier"), v.Text("summary"))
		}
	}
	for _, w := range it.ReconciliationWarnings {
		add("Its report: %s", w)
	}
}

func orNone(id string) string {
	if id == "" {
		return "no task"
	}
	return id
}
