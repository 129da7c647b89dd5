package claude

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"ralphex/internal/proc"
	"ralphex/pkg/executor"
)

// classify says why a session that ended by itself went wrong, nil = it did not. The last result decides: an error that
// a later turn got over is none. Without structure there is the exit code, which a signal outweighs.
func classify(exit proc.Exit, f facts, stderr string) *executor.Failure {
	switch {
	case f.last != nil && f.last.IsError:
		return refusedBy(f, f.last.apiError, string(f.last.Result), f.last.TerminalReason)
	case f.last == nil && f.apiErr != nil && exit.Code != 0:
		return refusedBy(f, f.apiErr.apiError, f.apiErr.text, "")
	case exit.Code == 0 || len(f.signals) > 0:
		return nil
	case !f.json && stderr != "":
		return unstarted(exit, stderr)
	case f.stop == "refusal":
		return &executor.Failure{Class: executor.ClassRequest, Message: "the model refused to answer"}
	}
	return crash(exit, stderr)
}

// refusedBy makes a Failure of what a result, or an error message of the CLI, says about the API's answer.
func refusedBy(f facts, e apiError, text, reason string) *executor.Failure {
	if f.apiErr != nil {
		e = e.or(f.apiErr.apiError)
		if text == "" {
			text = f.apiErr.text
		}
	}
	if text == "" && f.last != nil {
		text = strings.TrimSpace(f.last.Subtype + " " + strings.Join(f.last.Errors, "; "))
	}
	out := &executor.Failure{Message: firstLine(text), Status: e.Status}
	out.Class, out.Help = classOf(e, text, reason)
	if out.Class == executor.ClassLimit {
		out.ResetAt = resetAt(f, text)
	}
	return out
}

// or fills what is not known.
func (e apiError) or(o apiError) apiError {
	if e.Kind == "" {
		e.Kind = o.Kind
	}
	if e.Status == 0 {
		e.Status = o.Status
	}
	if e.APIType == "" {
		e.APIType = o.APIType
	}
	if e.APIError == "" {
		e.APIError = o.APIError
	}
	return e
}

// hitLimit is how the CLI words a used-up window, in versions that don't say so in a field.
var hitLimit = regexp.MustCompile(`(?i)^you['’]ve hit your\b.*\blimit\b`)

// classOf sorts by fields first; the text is the CLI's own message of an error result, never the model's.
func classOf(e apiError, text, reason string) (executor.Class, string) {
	switch {
	case e.APIError == "usage_limit_reached" || hitLimit.MatchString(text):
		return executor.ClassLimit, "claude /usage"
	case e.Kind == "billing_error":
		return executor.ClassLogin, "add credit, or log in with a subscription: claude /login"
	case e.Kind == "authentication_failed", e.APIType == "authentication_error", e.APIType == "permission_error",
		e.Status == 401, e.Status == 403:
		return executor.ClassLogin, loginHelp
	case strings.Contains(text, "(not your usage limit)"):
		return executor.ClassOverload, ""
	case e.Status == 429, e.Kind == "rate_limit":
		return executor.ClassLimit, "claude /usage"
	case e.Status >= 500, e.Status == 408, e.APIError == "connection_failed", e.Kind == "server_error":
		return executor.ClassOverload, ""
	case e.Kind == "model_not_found":
		return executor.ClassRequest, "set another model: --task-model NAME"
	case e.Status >= 400, reason == "prompt_too_long", e.Kind == "invalid_request":
		return executor.ClassRequest, ""
	}
	return executor.ClassCrash, ""
}

// resetAt is when the window opens again, zero = unknown.
func resetAt(f facts, text string) time.Time {
	if f.limit != nil && f.limit.ResetsAt > 0 {
		return time.Unix(f.limit.ResetsAt, 0)
	}
	now := time.Now()
	if f.apiErr != nil {
		now = f.apiErr.at
	}
	at, _ := parseReset(text, now)
	return at
}

// Patterns are the configuration's words of failures: case-insensitive parts of a message, the first list that has one
// counts. They are held against messages of failed sessions only, never against what a model says.
type Patterns struct {
	Retry []string // try again
	Limit []string // a usage limit
	Error []string // ends the run
}

// loggedOut is how the CLI, and wrappers of it, word a missing login.
var loggedOut = regexp.MustCompile(`(?i)\bnot logged in\b|please run /login|invalid api key`)

// byWords sorts a failure that no field has sorted.
func (p Patterns) byWords(f *executor.Failure, more string) {
	if f == nil || f.Class != executor.ClassCrash {
		return
	}
	text := f.Message + "\n" + more
	for _, row := range []struct {
		class executor.Class
		help  string
		words []string
	}{
		{executor.ClassOverload, "", p.Retry}, {executor.ClassLimit, "claude /usage", p.Limit}, {executor.ClassRequest, "", p.Error},
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
		f.Class, f.Help = executor.ClassLogin, loginHelp
	}
}

const loginHelp = "claude /login, or set ANTHROPIC_API_KEY and preserve_anthropic_api_key = true"

// complaints are what the CLI writes to stderr when it does not begin at all.
var complaints = []struct {
	pattern *regexp.Regexp
	class   executor.Class
	help    string
}{
	{regexp.MustCompile(`cannot be used with root`), executor.ClassUsage, "run as another user, or set IS_SANDBOX=1 in a container"},
	{regexp.MustCompile(`exceeds \d+ ?MB`), executor.ClassRequest, "make the prompt shorter"},
	{regexp.MustCompile(`Input must be provided`), executor.ClassRequest, ""},
	{regexp.MustCompile(`(?im)^error: .*(option|argument|--[a-z])`), executor.ClassUsage, "see claude_args in the configuration"},
}

func unstarted(exit proc.Exit, stderr string) *executor.Failure {
	for _, c := range complaints {
		if line := c.pattern.FindString(stderr); line != "" {
			return &executor.Failure{Class: c.class, Message: lineWith(stderr, line), Help: c.help}
		}
	}
	return crash(exit, stderr)
}

func crash(exit proc.Exit, stderr string) *executor.Failure {
	msg := fmt.Sprintf("the agent ended with %s", exit)
	if line := lastLine(stderr); line != "" {
		msg += ": " + line
	}
	return &executor.Failure{Class: executor.ClassCrash, Message: msg}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return firstLine(line)
		}
	}
	return firstLine(part)
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return firstLine(s[strings.LastIndexByte(s, '\n')+1:])
}
