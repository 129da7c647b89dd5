package state

import (
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/ralph/stable"
)

// Version is the version of the file that is written. A newer one is refused.
const Version = 2

// How many records the histories keep.
const (
	MaxRuns       = 20
	MaxIterations = 30
)

// State is the content of state.json. Strings are empty where the file has null.
type State struct {
	ObjectivePreview string
	NextIteration    int // ≥ 1
	LastPromptKind   string
	LastPromptPath   string
	LastRun          *Run
	RunHistory       []Run // oldest first
	LastIteration    *Iteration
	IterationHistory []Iteration // oldest first
	UpdatedAt        string
}

// read normalizes a state file of any age. What can't be read in it is dropped or gets its default; unknown keys are dropped.
func read(o *stable.Object) State {
	f := in{o: o}
	s := State{
		ObjectivePreview: f.str("objectivePreview"), NextIteration: f.count("nextIteration", 1),
		LastPromptPath: f.str("lastPromptPath"), UpdatedAt: f.str("updatedAt"),
	}
	if kind := f.str("lastPromptKind"); slices.Contains(PromptKinds, kind) {
		s.LastPromptKind = kind
	}
	s.RunHistory = history(f.get("runHistory"), readRun)
	if a := f.get("iterationHistory"); a != nil {
		s.IterationHistory = history(a, ReadIteration)
	} else {
		for _, r := range s.RunHistory {
			s.IterationHistory = append(s.IterationHistory, fromRun(r))
		}
	}
	if r, ok := readRun(f.get("lastRun")); ok {
		s.LastRun = &r
	} else if n := len(s.RunHistory); n > 0 {
		s.LastRun = &s.RunHistory[n-1]
	}
	if it, ok := ReadIteration(f.get("lastIteration")); ok {
		s.LastIteration = &it
	} else if n := len(s.IterationHistory); n > 0 {
		s.LastIteration = &s.IterationHistory[n-1]
	}
	return s
}

// history reads the records of an array, and drops those that are none.
func history[T any](v any, read func(any) (T, bool)) []T {
	a, ok := v.(*stable.Array)
	if !ok {
		return nil
	}
	var list []T
	for _, item := range a.Items {
		if r, ok := read(item); ok {
			list = append(list, r)
		}
	}
	return list
}

// fromRun makes the iteration of a run that an older program recorded, which kept runs only.
func fromRun(r Run) Iteration {
	it := Iteration{
		AgentID: r.AgentID, ProvenanceID: r.ProvenanceID, Number: r.Iteration, PromptKind: r.PromptKind, PromptPath: r.PromptPath,
		ArtifactDir: filepath.Dir(r.PromptPath), AdapterUsed: "cliExec", ExecutionStatus: r.Status, VerificationStatus: "skipped",
		Classification: "partial_progress", FollowUp: "continue_same_task", StartedAt: r.StartedAt, FinishedAt: r.FinishedAt, Summary: r.Summary,
		Execution: Execution{ExitCode: r.ExitCode, TranscriptPath: r.TranscriptPath, LastMessagePath: r.LastMessagePath},
	}
	if r.Mode == "handoff" {
		it.AdapterUsed = "clipboard"
	}
	if r.Status != "succeeded" {
		it.Classification, it.FollowUp = "failed", "retry_same_task"
	}
	return it
}

// Stable returns the state as it is written: histories cut to the newest, the last records taken from their ends.
func (s State) Stable() any {
	s.trim()
	w := &out{}
	w.Set("version", Version)
	w.null("objectivePreview", s.ObjectivePreview)
	w.Set("nextIteration", s.NextIteration)
	w.null("lastPromptKind", s.LastPromptKind)
	w.null("lastPromptPath", s.LastPromptPath)
	record(w, "lastRun", s.LastRun)
	list(w, "runHistory", s.RunHistory)
	record(w, "lastIteration", s.LastIteration)
	list(w, "iterationHistory", s.IterationHistory)
	w.Set("updatedAt", s.UpdatedAt)
	return &w.Object
}

// trim is saveState's part of the normalization.
func (s *State) trim() {
	s.NextIteration = max(s.NextIteration, 1)
	if n := len(s.RunHistory); n > 0 {
		s.RunHistory = s.RunHistory[max(0, n-MaxRuns):]
		s.LastRun = &s.RunHistory[len(s.RunHistory)-1]
	}
	if n := len(s.IterationHistory); n > 0 {
		s.IterationHistory = s.IterationHistory[max(0, n-MaxIterations):]
		s.LastIteration = &s.IterationHistory[len(s.IterationHistory)-1]
	}
}

func record[T stable.Stabler](w *out, key string, v *T) {
	if v == nil {
		w.Set(key, nil)
		return
	}
	w.Set(key, *v)
}

func list[T stable.Stabler](w *out, key string, items []T) {
	all := make([]any, len(items))
	for i, v := range items {
		all[i] = v
	}
	w.Set(key, all)
}

// ObjectivePreview is the first line of a PRD that is text: neither empty nor a heading nor a list item. It has at most 160 UTF-16 units, and is empty if
// there is no such line.
func ObjectivePreview(prd string) string {
	for line := range strings.SplitSeq(prd, "\n") {
		line = stable.Trim(line)
		if line != "" && line[0] != '#' && line[0] != '-' {
			return stable.CutUTF16(line, 160)
		}
	}
	return ""
}
