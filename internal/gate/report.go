package gate

import (
	"fmt"
	"strings"
	"time"

	"ralphex/pkg/event"
)

// Summary is one line about the verdict: "2 of 3 validation commands failed: go test ./... (exit 1), …".
func (v Verdict) Summary() string {
	var red []string
	for _, r := range v.Results {
		if !passed(r) {
			red = append(red, fmt.Sprintf("%s (%s)", oneLine(r.Command), ending(r)))
		}
	}
	switch {
	case v.Commands == 0:
		return "no validation commands: nothing was proven"
	case len(red) == 0 && len(v.Results) < v.Commands:
		return fmt.Sprintf("%d of %d validation commands ran", len(v.Results), v.Commands)
	case len(red) == 0:
		return fmt.Sprintf("%d validation commands passed in %s", v.Commands, v.Elapsed.Round(100*time.Millisecond))
	default:
		return fmt.Sprintf("%d of %d validation commands failed: %s", len(red), v.Commands, strings.Join(red, ", "))
	}
}

// Failure tells the next session what failed: each red command, how it ended, and the end of its output.
// Empty when nothing did.
func (v Verdict) Failure() string {
	var b strings.Builder
	for _, r := range v.Results {
		if passed(r) {
			continue
		}
		fence := fenceFor(r.Tail)
		fmt.Fprintf(&b, "Command: %s\nEnded: %s after %s\n", r.Command, ending(r), r.Elapsed.Round(time.Millisecond))
		if r.OutputFile != "" {
			fmt.Fprintf(&b, "Whole output: %s\n", r.OutputFile)
		}
		if strings.TrimSpace(r.Tail) == "" {
			b.WriteString("It printed nothing.\n\n")
			continue
		}
		fmt.Fprintf(&b, "End of its output:\n%s\n%s\n%s\n\n", fence, strings.TrimRight(r.Tail, "\n"), fence)
	}
	return strings.TrimRight(b.String(), "\n")
}

// ending words how a command ended.
func ending(r event.GateCommand) string {
	if r.Cause != "" {
		return r.Cause
	}
	return fmt.Sprintf("exit %d", r.Exit)
}

// oneLine shortens a command for a line of its own.
func oneLine(command string) string {
	first, _, more := strings.Cut(strings.TrimSpace(command), "\n")
	if more {
		first += " …"
	}
	return first
}

// fenceFor returns a fence that the text does not close.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}
