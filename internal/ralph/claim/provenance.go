package claim

import (
	"fmt"
	"strings"
	"time"
)

// Kind tells what a provenance id was made for.
type Kind string

// The kinds.
const (
	CLI Kind = "cli" // an iteration that executes
	IDE Kind = "ide" // a prompt that was prepared for a person
)

// ProvenanceID names an iteration's run, its bundle folder and its journal: "run-i007-cli-20260317T120000Z". It is unique because the
// iteration number is.
func ProvenanceID(iteration int, kind Kind, created time.Time) string {
	return fmt.Sprintf("run-i%03d-%s-%s", iteration, kind, created.UTC().Format("20060102T150405Z"))
}

// isIDE tells whether the id has the form run-i<digits>-ide-….
func isIDE(provenance string) bool {
	rest, ok := strings.CutPrefix(provenance, "run-i")
	if !ok {
		return false
	}
	after := strings.TrimLeft(rest, "0123456789")
	return len(after) < len(rest) && strings.HasPrefix(after, "-ide-")
}
