package retention

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/internal/ralph/layout"
)

// The ends of the names that are generated.
const (
	promptEnd      = ".prompt.md"
	transcriptEnd  = ".transcript.md"
	lastMessageEnd = ".last-message.md"
	noteEnd        = ".json"
	bundleStart    = "run-"
)

// number reads the digits behind the last dash of "<anything>-<digits>". It returns false for any other name.
func number(base string) (int, bool) {
	i := strings.LastIndexByte(base, '-')
	digits := base[i+1:]
	if i < 1 || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// ending returns a reader of names that are a numbered base and an end.
func ending(end string) func(string) (int, bool) {
	return func(name string) (int, bool) {
		base, ok := strings.CutSuffix(name, end)
		if !ok {
			return 0, false
		}
		return number(base)
	}
}

// runBase returns the name that a transcript and its last message share.
func runBase(file string) (string, bool) {
	for _, end := range []string{transcriptEnd, lastMessageEnd} {
		if base, ok := strings.CutSuffix(file, end); ok {
			_, numbered := number(base)
			return base, numbered
		}
	}
	return "", false
}

// bundle reads the iteration of "run-i007-cli-20260317T120000Z". A bundle whose name tells none counts as the oldest.
func bundle(name string) (int, bool) {
	rest, ok := strings.CutPrefix(name, bundleStart)
	if !ok || rest == "" {
		return 0, false
	}
	digits, _, _ := strings.Cut(strings.TrimPrefix(rest, "i"), "-")
	n, err := strconv.Atoi(digits)
	if err != nil || !strings.HasPrefix(rest, "i") || n < 0 {
		n = 0
	}
	return n, true
}

var (
	planRunName = lazyregexp.New(`^\d{8}-\d{6}-[0-9a-f]{6}$`)
	outputName  = lazyregexp.New(`^(gate-\d{3,}|setup)$`)
)

// planRun reads the day of a run of a plan, "20261201-040553-de966a": of one day, the names sort by time.
func planRun(name string) (int, bool) {
	if !planRunName.MatchString(name) {
		return 0, false
	}
	day, err := strconv.Atoi(name[:8])
	return day, err == nil
}

// isOutput tells whether a folder of a run holds what its validation commands, or those that set up its worktree, printed.
func isOutput(name string) bool { return outputName.MatchString(name) }

// newestFirst keeps the names that read takes, each once, and sorts them: the highest number first, then by name, the last one first.
// So iteration 1000 comes before 999.
func newestFirst(names []string, read func(string) (int, bool)) []string {
	numbers := make(map[string]int, len(names))
	kept := make([]string, 0, len(names))
	for _, name := range names {
		n, ok := read(name)
		if _, twice := numbers[name]; !ok || twice {
			continue
		}
		numbers[name] = n
		kept = append(kept, name)
	}
	slices.SortFunc(kept, func(a, b string) int {
		return cmp.Or(cmp.Compare(numbers[b], numbers[a]), cmp.Compare(b, a))
	})
	return kept
}

var (
	promptNumber = ending(promptEnd)
	noteNumber   = ending(noteEnd)
)

// derivedNames are what an iteration of a kind is called in prompts and runs.
func derivedNames(kind string, n int) (prompt, run string) {
	base := kind + "-" + layout.Number(n)
	return base + promptEnd, base
}

// NewestBundles are those of the names that a bundle can have, the newest first.
func NewestBundles(names []string) []string { return newestFirst(names, bundle) }
