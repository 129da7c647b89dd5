package notify

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/pkg/event"
)

// Occasion is a reason to tell something; the words of the setting notify_on.
type Occasion string

// The occasions.
const (
	Success    Occasion = "success"     // the plan is done
	Failure    Occasion = "failure"     // the run failed
	Abort      Occasion = "abort"       // somebody ended it
	NeedsInput Occasion = "needs-input" // a person has to do or answer something
	Limit      Occasion = "limit"       // an agent is at its usage limit: the run waits, or has ended
	Login      Occasion = "login"       // an agent is logged out, or its credit is used up
	Budget     Occasion = "budget"      // the run has used up what it may
)

// Occasions lists them all, in the order of the documentation.
var Occasions = []Occasion{Success, Failure, Abort, NeedsInput, Limit, Login, Budget}

// Message is what there is to tell: the data of the template. Fields that nobody knows are empty.
type Message struct {
	Occasion Occasion
	Ended    bool      // the run is over; false = it waits
	ID       string    // of this message, the same in each repetition: "20260129-153012-4f2a9c.17"
	Time     time.Time // of the event
	Host     string    // of the machine
	Project  string    // name of the repository's folder
	Run      string    // id of the run
	Plan     string    // as the project has it, "docs/plans/completed/feature.md"
	PlanFile string    // the same, absolute
	Mode     string    // full, tasks-only, …
	Branch   string

	Outcome  string        // done, unproven, left, failed, interrupted
	Reason   string        // why it ended or waits; of several lines only for failures of commands
	Done     int           // tasks
	Total    int           // tasks
	Duration time.Duration // of the process, whole seconds
	Cost     float64       // dollars, reported or at list prices
	Tokens   int64
	Files    int // changed, and the lines of that
	Added    int
	Deleted  int
	Next     string // what a person can do
}

// titles are the first words of a message. They continue with the machine's name.
var titles = map[Occasion]string{Success: "completed", Failure: "failed", Abort: "interrupted", NeedsInput: "needs a person", Limit: "stopped at a usage limit",
	Login: "needs a login or credit", Budget: "used up its budget"}

// Title is the headline: "ralphex completed on build-3".
func (m Message) Title() string {
	what := titles[m.Occasion]
	if m.Occasion == Limit && !m.Ended {
		what = "waits for a usage limit"
	}
	if m.Host == "" {
		return "ralphex " + what
	}
	return "ralphex " + what + " on " + m.Host
}

// Status is the word of the public ralphex, success or failure; waiting while the run is not over.
func (m Message) Status() string {
	switch {
	case !m.Ended:
		return "waiting"
	case m.Occasion == Success:
		return "success"
	}
	return "failure"
}

// Line is the message on one line: what happened to which plan, and why.
func (m Message) Line() string {
	line := strings.TrimPrefix(m.Title(), "ralphex ")
	if m.Plan != "" {
		line = strings.TrimSuffix(filepath.Base(m.Plan), ".md") + ": " + line
	}
	if reason, _, _ := strings.Cut(m.Reason, "\n"); reason != "" {
		line += ": " + reason
	}
	return line
}

// Sample is a message with every field set: for the test of a template, and of the channels.
func Sample(o Occasion) Message {
	m := Message{Occasion: o, Ended: true, ID: "test", Time: time.Now(), Host: "this-machine", Project: "project", Run: "20260129-153012-4f2a9c",
		Plan: "docs/plans/feature.md", PlanFile: "/project/docs/plans/feature.md", Mode: "full", Branch: "feature", Outcome: "done",
		Done: 3, Total: 3, Duration: 330 * time.Second, Cost: 1.25, Tokens: 250_000, Files: 4, Added: 120, Deleted: 8}
	if o != Success {
		m.Outcome, m.Done, m.Reason, m.Next = "failed", 2, "this is a test", "nothing"
	}
	return m
}

// ParseOccasions reads the words of notify_on.
func ParseOccasions(words []string) ([]Occasion, error) {
	var out []Occasion
	for _, w := range words {
		o := Occasion(strings.ToLower(strings.TrimSpace(w)))
		if !slices.Contains(Occasions, o) {
			return nil, &SettingError{Key: "notify_on", Reason: fmt.Sprintf("%q is no occasion; there are %s", w, wordsOf(Occasions))}
		}
		out = append(out, o)
	}
	return out, nil
}

func wordsOf[T ~string](list []T) string {
	var words []string
	for _, w := range list {
		words = append(words, string(w))
	}
	return strings.Join(words, ", ")
}

// SettingError is a setting of a channel that is missing or wrong.
type SettingError struct{ Key, Reason string }

func (e *SettingError) Error() string { return e.Key + ": " + e.Reason }

// outcomes that mean that a run did what it was asked for.
var good = []event.Outcome{event.Done, event.Unproven}
