package processor

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/signals"
)

// resumption asks a session that has ended to go on.
type resumption struct{ id, message string }

// earlierWords are those of a session that is gone on with: its signals count as long as no later one does.
type earlierWords struct{ executor.Result }

func (e earlierWords) join(res executor.Result) executor.Result {
	if len(res.Signals) == 0 {
		res.Signals = e.Signals
	}
	return res
}

// What an agent says last when it believes that somebody will wake it up.
var waits = regexp.MustCompile(`(?i)\b(?:(?:i(?:'|’)?(?:ll| will| am|m)?|still|now) (?:be )?waiting (?:for|on|until)|waiting for .{1,80}(?:to (?:finish|complete|end)|\.{3}|…)|check back|(?:get|be|report) back (?:to you )?(?:once|when|as soon)|let you know (?:once|when)|(?:i'?ll|i’ll|will) (?:continue|proceed|resume|report)\b.{0,40} (?:once|when|after) )`)

// unfinished tells why a session that ended well is none all the same: background work that the stream reports, or last
// words that wait for something or ask somebody. Words are claims: they count only while the plan doesn't say that
// the task is done, and where no signal says how the agent means it.
func unfinished(res executor.Result, s phase.Session) *executor.Failure {
	if res.Cause != nil {
		return nil
	}
	if len(res.Pending) > 0 {
		return &executor.Failure{Class: executor.ClassPending, Message: "the turn ended while this still ran: " + strings.Join(res.Pending, "; ")}
	}
	if s.Finished == nil || s.Finished() {
		return nil
	}
	if last := res.Last(); last != nil {
		if last.Kind == signals.KindQuestion && last.Question != nil {
			return &executor.Failure{Class: executor.ClassInput, Message: "the agent asks, and nobody is there to answer: " + last.Question.Question}
		}
		return nil
	}
	switch line := lastWords(res.Text); {
	case strings.HasSuffix(line, "?"):
		return &executor.Failure{Class: executor.ClassInput, Message: "the agent asks, and nobody is there to answer: " + line}
	case waits.MatchString(line):
		return &executor.Failure{Class: executor.ClassPending, Message: "the agent ended its turn to wait: " + line}
	}
	return nil
}

// lastWords are the last line of a text, at most 300 bytes of it.
func lastWords(text string) string {
	text = strings.TrimRight(text, " \t\r\n*_`")
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if len(text) > 300 {
		text = "…" + strings.ToValidUTF8(text[len(text)-300:], "")
	}
	return strings.TrimSpace(text)
}

const (
	goOnPending = "Nobody will wake you up: this session ends with your turn, and whatever still runs is killed then. Run what you need in the foreground, wait for it now, and bring the task of this session to its end. Do nothing beyond it."
	goOnInput   = "Nobody can answer: this runs unattended. Decide yourself as you think best, note in the plan or the commit message what you decided, and bring the task of this session to its end. If it is done, say so and stop. Do nothing beyond it."
)

// goOn decides what follows a session that ended too early: it is resumed by its own id where the agent can, else (again) it
// is run afresh. Neither: it was asked often enough.
func (p *executionPolicy) goOn(s phase.Session, agent *seat, res executor.Result, t *tries) (r *resumption, again bool) {
	done := errors.Is(res.Cause, executor.ErrBackground) && s.Finished != nil && s.Finished()
	if done || t.resumed >= p.cfg.Resumes {
		return nil, false
	}
	t.resumed++
	how := "a fresh session is started"
	if res.Failure.Class != executor.ClassEmpty && res.SessionID != "" && canResume(agent.ex) {
		r = &resumption{id: res.SessionID, message: goOnPending}
		if res.Failure.Class == executor.ClassInput {
			r.message = goOnInput
		}
		if s.Plan != "" {
			r.message += " The plan is " + s.Plan + "."
		}
		how = "the same session is asked to go on"
	}
	p.log.Emit(s.Position, event.Note{Level: event.Info, Text: fmt.Sprintf("%s (%d of %d)", how, t.resumed, p.cfg.Resumes)})
	return r, r == nil
}

func canResume(ex executor.Executor) bool {
	d, ok := ex.(executor.Describer)
	return ok && d.Caps().Resume
}
