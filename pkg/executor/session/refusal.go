package session

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/reset"
)

// Refusal is an error that a CLI has reported in the structure of its stream, or on stderr when it did not begin. It is
// never made of what a model said.
type Refusal struct {
	Message string
	Kind    string // the CLI's or the API's name for it: "usage_limit_exceeded", "authentication"
	Status  int    // HTTP; 0 = as the message says, if it does
	At      time.Time
	// LocalClock says that this CLI writes times in this machine's zone without naming it.
	LocalClock bool
}

// Help is what a person should type next, by class.
type Help map[executor.Class]string

// RefusedHelp is what to do when a model will not work, whichever it is.
const RefusedHelp = "say the task in other words, or use another model: --task-model NAME"

// ContextHelp is what to do when a conversation has no room in the model, whichever it is.
const ContextHelp = "split the task into smaller ones, or use a model with more room: --task-model NAME"

var anyHelp = Help{executor.ClassRefused: RefusedHelp, executor.ClassContext: ContextHelp}

// kinds sort a refusal by the words of the CLI and of the API behind it. The first that fits counts.
var kinds = []struct {
	class executor.Class
	words *lazyregexp.Regexp
}{
	{executor.ClassMoney, lazyregexp.New(`(?i)insufficient_quota|quota exceeded\. check your plan|billing|credit balance|out of credits|spend(ing)? limit|org's monthly usage limit|disabled by your admin|payment required`)},
	{executor.ClassLimit, lazyregexp.New(`(?i)usage[_ ]limit|hit your [^.]*limit|rate[_ -]?limit|too many requests|quota[_ ]exceeded|exceeded your (current )?quota|resource_exhausted`)},
	{executor.ClassContext, lazyregexp.New(`(?i)context[_ ](length|window|limit)|context overflow|prompt is too long|prompt_too_long|maximum (context )?length|input_too_large|too many (input )?tokens|exceeds the maximum number of tokens|ran out of room`)},
	{executor.ClassLogin, lazyregexp.New(`(?i)unauthorized|unauthenticated|authenticat|invalid[_ ]api[_ ]key|incorrect api key|api key not valid|not logged in|log ?in again|please (run|use) /?\S*login|missing environment variable|no api key|permission_denied`)},
	{executor.ClassRefused, lazyregexp.New(`(?i)content[_ ](policy|filter)|safety|cyber_policy|prohibited|refus(ed|al)`)},
	{executor.ClassRequest, lazyregexp.New(`(?i)model[_ ]not[_ ]found|models?[ /].{0,80}(does not exist|not found|not supported)|invalid[_ ]request|bad request|no rollout found`)},
	{executor.ClassOverload, lazyregexp.New(`(?i)overloaded|high demand|server[_ ]error|unavailable|internal error|disconnected|terminated|econn|connection (reset|refused|error|failed)|connect(ion)? error|network error|fetch failed|timed? ?out|socket hang up|error sending request`)},
}

var statusIn = lazyregexp.New(`(?i)(?:\bstatus(?: code)?:? |\bHTTP |API Error: |"code": ?|\(|^|error: )([45]\d\d)\b`)

// Failure sorts a refusal. Words decide before the status does: a 429 that speaks of billing is no limit that ends.
func (r Refusal) Failure(help Help) *executor.Failure {
	f := &executor.Failure{Message: FirstLine(Readable(r.Message)), Status: r.Status}
	if f.Status == 0 {
		if m := statusIn.FindStringSubmatch(r.Message); m != nil {
			f.Status, _ = strconv.Atoi(m[1])
		}
	}
	f.Class = classOf(strings.ReplaceAll(r.Kind+" "+r.Message, "’", "'"), f.Status)
	f.Help = help[f.Class]
	if f.Help == "" {
		f.Help = anyHelp[f.Class]
	}
	if f.Class == executor.ClassLimit {
		r.SetReset(f)
		if r.passesSoon(f) {
			f.Class, f.Help = executor.ClassOverload, help[executor.ClassOverload]
		}
	}
	return f
}

// Readable puts the message of an error's body into the place of the body: some CLIs print the whole JSON that they got.
func Readable(message string) string {
	start := strings.IndexByte(message, '{')
	if start < 0 {
		return message
	}
	var body struct {
		Error struct{ Message string }
	}
	d := json.NewDecoder(strings.NewReader(message[start:]))
	if err := d.Decode(&body); err != nil || body.Error.Message == "" {
		return message
	}
	return message[:start] + body.Error.Message + message[start+int(d.InputOffset()):]
}

// passesSoon tells a rate limit of seconds, which is a busy server like any other, from a window that is used up.
func (r Refusal) passesSoon(f *executor.Failure) bool {
	now := r.At
	if now.IsZero() {
		now = time.Now()
	}
	return !f.ResetAt.IsZero() && f.ResetAt.Sub(now) <= 2*time.Minute && !strings.Contains(strings.ToLower(r.Kind+r.Message), "usage")
}

func classOf(words string, status int) executor.Class {
	for _, k := range kinds {
		if k.words.MatchString(words) {
			return k.class
		}
	}
	switch {
	case status == 429:
		return executor.ClassLimit
	case status == 401, status == 403:
		return executor.ClassLogin
	case status == 402:
		return executor.ClassMoney
	case status >= 500, status == 408:
		return executor.ClassOverload
	case status >= 400:
		return executor.ClassRequest
	}
	return executor.ClassCrash
}

// SetReset reads from the message when a limit ends.
func (r Refusal) SetReset(f *executor.Failure) {
	now := r.At
	if now.IsZero() {
		now = time.Now()
	}
	t, ok := reset.Parse(r.Message, now)
	switch {
	case !ok:
	case t.Zoned || r.LocalClock:
		f.ResetAt = t.At
	default:
		f.About = t.At
	}
}

// Unstarted is the failure of a CLI that wrote to stderr and printed nothing that we know: usually it did not take its
// arguments.
func Unstarted(e End, help Help) *executor.Failure {
	if line := badArguments.FindString(e.Stderr); line != "" {
		return &executor.Failure{Class: executor.ClassUsage, Message: LineWith(e.Stderr, line), Help: help[executor.ClassUsage]}
	}
	lines := strings.Split(e.Stderr, "\n")
	for _, line := range slices.Backward(lines) {
		if f := (Refusal{Message: line, At: e.At}).Failure(help); f.Class != executor.ClassCrash {
			return f
		}
	}
	return Crash(e.Exit, e.Stderr)
}

var badArguments = lazyregexp.New(`(?im)^.*\b(unexpected argument|unknown (option|argument|flag|command)|unrecognized (option|argument)|invalid (value|option)|requires? a(n)? (value|argument)).*$|^usage: .*$`)
