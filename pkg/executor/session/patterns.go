package session

import (
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/executor"
)

// Patterns are the configuration's words of failures: case-insensitive parts of a message, the first list that has one
// counts. They are held against messages of failed sessions only, never against what a model says.
type Patterns struct {
	Retry []string // try again
	Limit []string // a usage limit
	Error []string // ends the run

	LimitHelp, LoginHelp string // what to type next
}

// loggedOut is how the CLI, and wrappers of it, word a missing login.
var loggedOut = lazyregexp.New(`(?i)\bnot logged in\b|please run /login|invalid api key`)

// Sort sorts a failure that no field has sorted.
func (p Patterns) Sort(f *executor.Failure, more string) {
	if f == nil || f.Class != executor.ClassCrash {
		return
	}
	text := f.Message + "\n" + more
	for _, row := range []struct {
		class executor.Class
		help  string
		words []string
	}{
		{executor.ClassOverload, "", p.Retry}, {executor.ClassLimit, p.LimitHelp, p.Limit}, {executor.ClassRequest, "", p.Error},
	} {
		i := slices.IndexFunc(row.words, func(w string) bool {
			return w != "" && strings.Contains(strings.ToLower(text), strings.ToLower(w))
		})
		if i < 0 {
			continue
		}
		f.Class, f.Help = row.class, row.help
		if row.class == executor.ClassRequest && loggedOut.MatchString(text) {
			break
		}
		f.Message += fmt.Sprintf(" (matches %q)", row.words[i])
		return
	}
	if loggedOut.MatchString(text) {
		f.Class, f.Help = executor.ClassLogin, p.LoginHelp
	}
}
