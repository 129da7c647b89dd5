package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
)

// joined starts the real shell ($0) with the command ($1) after joining the outputs and closing the input:
// with a pipe for each output their order would be lost.
const joined = `exec "$0" -c -- "$1" </dev/null 2>&1`

// runCommand runs the nth command to its end, which is never an error. streams is nil unless they are kept apart.
func runCommand(ctx context.Context, o Options, shell string, n int, c event.Command) (r event.GateCommand, streams *Streams) {
	o.Emit(event.Output{Text: "$ " + strings.ToValidUTF8(c.Text, "?"), Source: event.FromTool})
	out := newOutput(o, n)
	cmd := proc.Cmd{
		Argv:    []string{shell, "-c", joined, shell, c.Text},
		Dir:     o.Dir,
		Env:     environment(o.Env),
		Stdout:  out,
		Stderr:  out, // the shell's own complaints before it has joined them
		Mark:    o.Mark,
		Keep:    o.Keep,
		Timeout: max(o.Timeout, 0),
		Grace:   o.Grace,
	}
	var stdout, stderr *side
	if o.Apart {
		stdout, stderr = newSide(o, out), newSide(o, out)
		cmd.Argv[2], cmd.Stdout, cmd.Stderr = apart, stdout, stderr
	}
	exit, err := proc.Run(ctx, cmd)
	for _, s := range exit.Survivors {
		o.Emit(event.Survivor{PID: s.PID, Command: s.Command, Action: s.Action})
	}
	if o.Apart {
		streams = &Streams{Stdout: stdout.close(), Stderr: stderr.close()}
	}
	r = event.GateCommand{Command: c.Text, Exit: exit.Code, Cause: cause(exit, err, o.Timeout), Elapsed: exit.Elapsed}
	r.OutputFile, r.OutputHash, r.Tail = out.close()
	return r, streams
}

// cause words why a command did not end by itself; empty = it did.
func cause(exit proc.Exit, err error, limit time.Duration) string {
	var start *proc.StartError
	switch {
	case errors.As(err, &start):
		return start.Error()
	case err != nil:
		return err.Error()
	case errors.Is(exit.Cause, proc.ErrTimeout):
		return fmt.Sprintf("timed out after %s", limit)
	case exit.Cause != nil:
		return "stopped: " + exit.Cause.Error()
	case exit.Signal != "":
		return "signal: " + exit.Signal
	default:
		return ""
	}
}

// sessionMarks are the variables by which an agent tells its children that they run within it.
var sessionMarks = []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID",
	"CLAUDE_CODE_PARENT_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"}

// environment is env, or that of this process, without the marks of a session.
func environment(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	kept := make([]string, 0, len(env))
next:
	for _, e := range env {
		for _, name := range sessionMarks {
			if strings.HasPrefix(e, name+"=") {
				continue next
			}
		}
		kept = append(kept, e)
	}
	return kept
}
