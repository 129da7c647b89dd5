package event

import (
	"fmt"
	"strings"
)

// StagePlan is the only stage of a run that makes a plan. It stands beside [Stages]: no other run has it.
const StagePlan Stage = "plan"

// The facts of plan creation. Together with Asked they are the conversation: who reads them in their order knows where it stands.
type (
	// Draft is a plan that the agent proposes. Nothing of it is in the tree, but for a file that was written unasked.
	Draft struct {
		N        int      `json:"n"`    // 1-based
		Text     string   `json:"text"` // of the file, byte for byte
		Problems []string `json:"problems,omitempty"`
		// Back says that it goes back to the agent for its problems, and nobody is asked.
		Back bool `json:"back,omitempty"`
		// Path is the file that a session wrote without being asked to, whose content this is; slash-separated, relative to the root.
		Path string `json:"path,omitempty"`
	}
	// DraftReview is what the person says to a draft.
	DraftReview struct {
		N        int         `json:"n"`
		Action   DraftAction `json:"action"`
		Feedback string      `json:"feedback,omitempty"` // of revise: what is to be another way
		// Path is where an accepted draft is to be written: a name that was free then.
		Path string `json:"path,omitempty"`
	}
	// PlanFile tells where the plan lies that a run was to make.
	PlanFile struct {
		Path string `json:"path"` // slash-separated, relative to the root
		By   string `json:"by"`   // agent, ralphex; "found": there was one for this already
	}
)

// DraftAction is what a person decides about a draft.
type DraftAction string

// The actions, as the public progress format names them.
const (
	Accept DraftAction = "accept"
	Revise DraftAction = "revise"
	Reject DraftAction = "reject"
)

// Kind is the name in the journal.
func (Draft) Kind() Kind { return "draft" }

// Kind is the name in the journal.
func (DraftReview) Kind() Kind { return "draft_review" }

// Kind is the name in the journal.
func (PlanFile) Kind() Kind { return "plan_file" }

// createText words them. The draft itself stands in the log already, as the agent's own text.
func createText(d Data) []Line {
	switch d := d.(type) {
	case Draft:
		lines := 1 + strings.Count(strings.TrimRight(d.Text, "\n"), "\n")
		text := fmt.Sprintf("draft %d: %s", d.N, count(lines, "line", "lines"))
		switch {
		case d.Back:
			text += fmt.Sprintf("; it breaks %s of the format and goes back: %s", count(len(d.Problems), "rule", "rules"), strings.Join(d.Problems, "; "))
		case len(d.Problems) > 0:
			text += "; it breaks rules of the format: " + strings.Join(d.Problems, "; ")
		}
		return say("%s", text)
	case DraftReview:
		return reviewedText(d)
	case PlanFile:
		if d.By == "found" {
			return say("there is a plan for this: %s", d.Path)
		}
		return say("created %s, written by %s", d.Path, d.By)
	}
	return nil
}

func reviewedText(d DraftReview) []Line {
	lines := say("DRAFT REVIEW: %s", d.Action)
	if d.Feedback != "" {
		lines = append(lines, say("FEEDBACK: %s", d.Feedback)...)
	}
	switch d.Action {
	case Accept:
		return append(lines, say("draft accepted, continuing to write plan file...")...)
	case Revise:
		return append(lines, say("revision requested, re-running with feedback...")...)
	}
	return append(lines, say("plan rejected by user")...)
}
