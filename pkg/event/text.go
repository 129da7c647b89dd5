package event

import (
	"fmt"
	"strings"
	"time"
)

// Style says what kind of line a Line is; a view gives it its form.
type Style string

// The styles.
const (
	Plain    Style = ""         // a line with its time
	Raw      Style = "raw"      // a line without time
	Heading  Style = "heading"  // a section
	Warning  Style = "warning"  // for the person
	Problem  Style = "problem"  // for the person: an error
	Help     Style = "help"     // what to do about the warning or problem before it
	FileOnly Style = "fileonly" // for the progress file
)

// Line is what a fact looks like to a person.
type Line struct {
	Style Style
	Text  string
}

// Text words a fact for people: the one place where facts become prose, so that the screen and the progress file say the
// same. The words of the public progress format are kept; other tools look for them. Output is not worded (see
// Splitter), and neither are the beginning and the end of a run, for which each view has a form of its own.
func Text(e Event) []Line {
	switch d := e.Data.(type) {
	case PhaseStart, PhaseEnd, Section, Branch, Archived, Kept, Wait, Switch:
		return runText(d)
	case TaskStart, TaskEnd, Tick, Commit:
		return taskText(e.Task, d)
	case GateStart, GateCommand, GateEnd:
		return gateText(d)
	case SessionEnd, Claimed, Survivor:
		return sessionText(d)
	case Finding, ReviewRound:
		return reviewText(d)
	case Budget:
		return budgetText(d)
	case Note:
		return noteText(d)
	case Asked:
		return askedText(d)
	case Order, Pause:
		return orderText(d)
	case Draft, DraftReview, PlanFile:
		return createText(d)
	case RunEnd:
		if d.Files > 0 {
			return []Line{{FileOnly, fmt.Sprintf("DIFFSTATS: files=%d additions=%d deletions=%d", d.Files, d.Additions, d.Deletions)}}
		}
	}
	return nil
}

func runText(d Data) []Line {
	switch d := d.(type) {
	case PhaseStart:
		switch d.Name {
		case PhaseTask:
			return []Line{{Raw, "starting task execution phase"}}
		case PhasePlan:
			return []Line{{Raw, "starting interactive plan creation"}}
		}
	case PhaseEnd:
		switch {
		case d.Interrupted:
			return []Line{{Warning, stageName(d) + " interrupted: " + d.Stage.Unknown()}}
		case d.Skipped != "" && (d.Stage == StageExternal || d.Stage == StageReview2):
			return say("%s", d.Skipped)
		case d.Skipped != "":
			return say("%s phase skipped: %s", d.Name, d.Skipped)
		case d.Name == PhaseTask && d.Err == "":
			return []Line{{Raw, "all tasks completed"}}
		}
	case Section:
		return []Line{{Heading, d.Label}}
	case Branch:
		if d.Created {
			return say("creating branch: %s", d.Name)
		}
		return say("branch: %s", d.Name)
	case Archived:
		return say("moved plan to %s", d.To)
	case Kept:
		return say("a copy of the tree is kept as %s: %s", d.Ref, d.Why)
	case Wait:
		if !d.Until.IsZero() {
			return say("waiting %s, until %s: %s", d.For.Round(time.Second), d.Until.Local().Format("Mon 15:04:05"), d.Reason)
		}
		return say("waiting %s: %s", d.For.Round(time.Second), d.Reason)
	case Switch:
		text := fmt.Sprintf("%s works from here on, instead of %s: %s", d.To, d.From, d.Why)
		if !d.Until.IsZero() {
			text += ", until " + d.Until.Local().Format("Mon 15:04:05")
		}
		return []Line{{Warning, text}}
	}
	return nil
}

func taskText(pos int, d Data) []Line {
	switch d := d.(type) {
	case TaskStart:
		text := fmt.Sprintf("task %d: %s, %d of %d boxes open", pos, d.Title, d.Open, d.Total)
		if d.Attempt > 1 {
			text += fmt.Sprintf(", attempt %d", d.Attempt)
		}
		return say("%s", text)
	case TaskEnd:
		return taskEndText(pos, d)
	case Tick:
		mark := "reopened"
		if d.Checked {
			mark = "ticked"
		}
		return say("box %s by %s: %s", mark, d.By, d.Text)
	case Commit:
		subject, _, _ := strings.Cut(d.Message, "\n")
		if d.Replaced != "" {
			return say("commit %s amended to %s by %s: %s", short(d.Replaced), short(d.Rev), d.By, subject)
		}
		return say("commit %s by %s: %s", short(d.Rev), d.By, subject)
	}
	return nil
}

func taskEndText(pos int, d TaskEnd) []Line {
	reason := ""
	if d.Reason != "" {
		reason = ": " + d.Reason
	}
	switch d.Outcome {
	case Failed:
		return []Line{{Problem, fmt.Sprintf("task %d failed%s", pos, reason)}}
	case Done:
		return say("task %d done in %s%s", pos, Elapsed(d.Elapsed), reason)
	case Unproven:
		return say("task %d done in %s, unproven: the plan has no validation commands", pos, Elapsed(d.Elapsed))
	case LeftHuman:
		return say("task %d done in %s, %s left for a person", pos, Elapsed(d.Elapsed), count(d.LeftHuman, "item is", "items are"))
	}
	return say("task %d %s%s", pos, d.Outcome, reason)
}

func gateText(d Data) []Line {
	switch d := d.(type) {
	case GateStart:
		if d.Commands > 0 {
			return say("validation: %s", count(d.Commands, "command", "commands"))
		}
	case GateCommand:
		result := fmt.Sprintf("exit %d", d.Exit)
		if d.Cause != "" {
			result = d.Cause
		}
		return say("validation: $ %s: %s (%s)", d.Command, result, Brief(d.Elapsed))
	case GateEnd:
		switch {
		case d.Green && d.Commands > 0:
			return say("validation: green (%s)", Brief(d.Elapsed))
		case !d.Green:
			return []Line{{Warning, fmt.Sprintf("validation: red (%s)", Brief(d.Elapsed))}}
		}
	}
	return nil
}

func sessionText(d Data) []Line {
	switch d := d.(type) {
	case SessionEnd:
		if d.Failure != "" {
			return []Line{{Warning, fmt.Sprintf("session %d: %s: %s", d.N, d.Failure, d.Message)}}
		}
	case Claimed:
		if d.Problem != "" {
			return []Line{{Warning, fmt.Sprintf("malformed %s signal: %s", strings.ToLower(d.Signal), d.Problem)}}
		}
	case Survivor:
		return say("process %d outlived its session and was %s: %s", d.PID, d.Action, d.Command)
	}
	return nil
}

// stageName is what a person calls the phase.
func stageName(d PhaseEnd) string {
	switch d.Stage {
	case StageExternal:
		return "external review"
	case StageReview2:
		return "second review"
	}
	return string(d.Name)
}

// reviewText words only what the reviewer's own text does not show already: findings of ralphex, what became of others, the sum.
func reviewText(d Data) []Line {
	switch d := d.(type) {
	case Finding:
		switch {
		case d.What == "settled" && d.Disposition == "fixed":
			return say("finding fixed in %s: %s - %s", orTree(d.Commit), d.Place(), d.Text)
		case d.What == "settled" && d.Disposition == "refuted":
			return say("finding refuted: %s - %s: %s", d.Place(), d.Text, d.Reason)
		case d.What == "found" && d.Rule != "":
			return []Line{{Warning, fmt.Sprintf("%s: %s - %s", d.Rule, d.Place(), d.Text)}}
		}
	case ReviewRound:
		if d.Found > 0 {
			text := fmt.Sprintf("findings of %s: %d, new %d", d.Reviewer, d.Found, d.New)
			if d.Returned > 0 {
				text += fmt.Sprintf(", dismissed before %d", d.Returned)
			}
			return say("%s", text)
		}
	}
	return nil
}

// Place is its file and lines as people write them: "pkg/a.go:42-50".
func (f Finding) Place() string {
	switch {
	case f.Line == 0:
		return f.File
	case f.EndLine > f.Line:
		return fmt.Sprintf("%s:%d-%d", f.File, f.Line, f.EndLine)
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

func orTree(rev string) string {
	if rev == "" {
		return "the tree"
	}
	return short(rev)
}

func budgetText(d Budget) []Line {
	switch {
	case d.Task == (Limits{}):
		return say("budget: %s", d.Run.Plus(d.Added))
	case d.Run == (Limits{}):
		return say("budget of each task: %s", d.Task)
	}
	return say("budget: %s; of each task: %s", d.Run.Plus(d.Added), d.Task)
}

func noteText(d Note) (lines []Line) {
	style := map[Level]Style{Warn: Warning, Error: Problem}[d.Level]
	lines = []Line{{style, d.Text}}
	if d.Hint != "" {
		lines = append(lines, Line{Help, d.Hint})
	}
	return lines
}

func askedText(d Asked) (lines []Line) {
	if d.Answer != "" {
		return say("ANSWER: %s", d.Answer)
	}
	lines = say("QUESTION: %s", d.Question)
	if len(d.Options) > 0 {
		lines = append(lines, say("OPTIONS: %s", strings.Join(d.Options, ", "))...)
	}
	return lines
}

func say(format string, args ...any) []Line {
	return []Line{{Plain, fmt.Sprintf(format, args...)}}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func short(rev string) string { return rev[:min(len(rev), 10)] }

// Elapsed words a duration as the public format does: "5m30s", and from an hour on "1h23m".
func Elapsed(d time.Duration) string {
	if d < time.Hour {
		return d.Truncate(time.Second).String()
	}
	return strings.TrimSuffix(d.Truncate(time.Minute).String(), "0s")
}

// Brief is Elapsed, with tenths below ten seconds.
func Brief(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return Elapsed(d)
}
