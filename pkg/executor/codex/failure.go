package codex

import (
	"strings"
	"time"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/session"
)

var help = session.Help{
	executor.ClassLimit:   "codex /status",
	executor.ClassMoney:   "see the plan and billing of your account, or log in with another: codex login",
	executor.ClassLogin:   "codex login",
	executor.ClassRequest: "set another model: codex_model = NAME, or --task-model NAME",
	executor.ClassUsage:   "codex exec --help shows what this version takes",
	executor.ClassContext: "make the prompt or the task smaller",
}

// refused sorts what codex says about the answer it got. Times in it are this machine's.
func refused(message string, now time.Time) *executor.Failure {
	f := session.Refusal{Message: message, LocalClock: true, At: now}.Failure(help)
	if strings.Contains(message, "no rollout found") {
		f.Help = "that session is gone: begin a fresh one"
	}
	return f
}

// complaint is a line of stderr that the CLI itself means as an error; its log lines begin with a date.
var complaint = lazyregexp.New(`(?im)^(?:error|fatal|panic):\s*(.*)$`)

// endedBadly is the failure of a process whose stream has no turn.failed: what it complained of last, in the stream or on
// stderr, if that says anything.
func endedBadly(e session.End, lastError string) *executor.Failure {
	e.Stderr = withoutChatter(e.Stderr)
	if !e.JSON && lastError == "" && e.Exit.Code == 2 {
		return session.Unstarted(e, help)
	}
	said := lastError
	if all := complaint.FindAllStringSubmatch(e.Stderr, -1); all != nil {
		said = all[len(all)-1][1]
	}
	if said != "" && e.Exit.Signal == "" {
		if f := refused(said, e.At); f.Class != executor.ClassCrash {
			return f
		}
	}
	return session.Crash(e.Exit, e.Stderr)
}

func withoutChatter(stderr string) string {
	var b strings.Builder
	for line := range strings.Lines(stderr) {
		if !isChatter(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}
