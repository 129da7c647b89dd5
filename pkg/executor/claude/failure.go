package claude

import (
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/internal/proc"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/reset"
	"ralphex/pkg/executor/session"
)

// classify says why a session that ended by itself went wrong, nil = it did not. The last result decides: an error that
// a later turn got over is none. Without structure there is the exit code, which a signal outweighs.
func classify(e session.End, f facts) *executor.Failure {
	switch {
	case f.last != nil && f.last.IsError && f.stop == "refusal":
		return &executor.Failure{Class: executor.ClassRefused, Message: session.FirstLine(string(f.last.Result)), Help: session.RefusedHelp}
	case f.last != nil && f.last.IsError:
		return refusedBy(f, f.last.apiError, string(f.last.Result), f.last.TerminalReason)
	case f.last == nil && f.apiErr != nil && e.Exit.Code != 0:
		return refusedBy(f, f.apiErr.apiError, f.apiErr.text, "")
	case e.Exit.Code == 0 || len(e.Said.Signals) > 0:
		return nil
	case !e.JSON && e.Stderr != "":
		return unstarted(e.Exit, e.Stderr)
	case f.stop == "refusal":
		return &executor.Failure{Class: executor.ClassRefused, Message: "the model refused to answer", Help: session.RefusedHelp}
	}
	return session.Crash(e.Exit, e.Stderr)
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
	out := &executor.Failure{Message: session.FirstLine(text), Status: e.Status}
	out.Class, out.Help = classOf(e, text, reason)
	if out.Class == executor.ClassLimit {
		setReset(out, f, text)
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
var hitLimit = lazyregexp.New(`(?i)^you['’]ve hit your\b.*\blimit\b`)

// noMoney is how the CLI words a limit that does not end by itself.
var noMoney = lazyregexp.New(`(?i)disabled by your admin|org's monthly usage limit|individual spend limit`)

// classOf sorts by fields first; the text is the CLI's own message of an error result, never the model's.
func classOf(e apiError, text, reason string) (executor.Class, string) {
	switch {
	case noMoney.MatchString(text):
		return executor.ClassMoney, "ask your admin, or add credit"
	case e.APIError == "usage_limit_reached" || hitLimit.MatchString(text):
		return executor.ClassLimit, limitHelp
	case e.Kind == "billing_error":
		return executor.ClassMoney, "add credit, or log in with a subscription: claude /login"
	case e.Kind == "authentication_failed", e.APIType == "authentication_error", e.APIType == "permission_error",
		e.Status == 401, e.Status == 403:
		return executor.ClassLogin, loginHelp
	case strings.Contains(text, "(not your usage limit)"):
		return executor.ClassOverload, ""
	case e.Status == 429, e.Kind == "rate_limit":
		return executor.ClassLimit, limitHelp
	case e.Status >= 500, e.Status == 408, e.APIError == "connection_failed", e.Kind == "server_error":
		return executor.ClassOverload, ""
	case e.Kind == "model_not_found":
		return executor.ClassRequest, "set another model: --task-model NAME"
	case reason == "prompt_too_long", strings.HasPrefix(text, "Prompt is too long"):
		return executor.ClassContext, "make the task or the prompt smaller"
	case e.Status >= 400, e.Kind == "invalid_request":
		return executor.ClassRequest, ""
	}
	return executor.ClassCrash, ""
}

// setReset says when the window opens again: as a field tells it, else as the text does.
func setReset(out *executor.Failure, f facts, text string) {
	if f.limit != nil && f.limit.ResetsAt > 0 {
		out.ResetAt = reset.Epoch(f.limit.ResetsAt)
		return
	}
	r := session.Refusal{Message: text}
	if f.apiErr != nil {
		r.At = f.apiErr.at
	}
	r.SetReset(out)
}

const limitHelp = "claude /usage"

const loginHelp = "claude /login, or set ANTHROPIC_API_KEY and preserve_anthropic_api_key = true"

// complaints are what the CLI writes to stderr when it does not begin at all.
var complaints = []struct {
	pattern *lazyregexp.Regexp
	class   executor.Class
	help    string
}{
	{lazyregexp.New(`cannot be used with root`), executor.ClassUsage, "run as another user, or set IS_SANDBOX=1 in a container"},
	{lazyregexp.New(`exceeds \d+ ?MB`), executor.ClassRequest, "make the prompt shorter"},
	{lazyregexp.New(`Input must be provided`), executor.ClassRequest, ""},
	{lazyregexp.New(`(?im)^error: .*(option|argument|--[a-z])`), executor.ClassUsage, "see claude_args in the configuration"},
}

func unstarted(exit proc.Exit, stderr string) *executor.Failure {
	for _, c := range complaints {
		if line := c.pattern.FindString(stderr); line != "" {
			return &executor.Failure{Class: c.class, Message: session.LineWith(stderr, line), Help: c.help}
		}
	}
	return session.Crash(exit, stderr)
}
