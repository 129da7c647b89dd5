package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Causes of an end that Run brought about by itself; see Exit.Cause.
var (
	ErrIdle    = errors.New("idle time-out")
	ErrTimeout = errors.New("session time-out")
)

// Defaults of a Cmd.
const (
	DefaultGrace = 5 * time.Second
	DefaultDrain = 250 * time.Millisecond
)

// Cmd says what to run. Only Argv is mandatory.
type Cmd struct {
	Argv  []string // Argv[0] is looked up in PATH of this process
	Dir   string   // working folder; empty = that of this process
	Env   []string // the whole environment but for the mark; nil = os.Environ()
	Stdin string   // what the child finds on its stdin, whole from the start; it need not read it

	// Stdout and Stderr take what the child prints, in pieces as they come; each is called from a goroutine of its
	// own, one call at a time. nil = thrown away. A writer that fails gets nothing more.
	Stdout, Stderr io.Writer

	// Mark is put into the environment as RALPHEX_SESSION=Mark. Empty = none; then children that left the
	// session are found by descent alone.
	Mark string
	// Keep lists commands that are spared at the end; nil = DefaultKeep. See Kept for the form.
	Keep []string

	Idle    *Idle         // ends the session after too long a silence; nil = never
	Timeout time.Duration // ends the session; 0 = never
	Grace   time.Duration // between the polite and the hard end; 0 = DefaultGrace
	Drain   time.Duration // how long the output must be quiet after the exit; 0 = DefaultDrain

	Started func(Process) // called once when the child runs; nil = nobody wants to know
	Trace   io.Writer     // receives one line with the command and one with its end; nil = none
}

// Process identifies a running child.
type Process struct {
	PID   int
	Start uint64 // kernel's start time of the pid in its own unit, 0 = unknown; with PID it names a process for good
}

// Exit is how a child ended.
type Exit struct {
	Code      int    // -1 = ended by a signal
	Signal    string // "killed", "terminated"; empty = none
	Cause     error  // why Run ended it, nil = it ended by itself
	Elapsed   time.Duration
	Survivors []Survivor // processes that outlived it
}

// Survivor is a process of the tree that outlived its root, and what was done with it.
type Survivor struct {
	PID     int
	Command string
	Action  string // Ended, Killed, Kept, Alive
}

// Actions of a Survivor.
const (
	Ended  = "ended"  // went when asked, or was already going
	Killed = "killed" // had to be killed
	Kept   = "kept"   // is on the keep list
	Alive  = "alive"  // could not be killed (stuck in the kernel, or another user's)
)

// String is "exit 0" or "signal: killed".
func (e Exit) String() string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit %d", e.Code)
}

// StartError says that a command could not be started. It wraps the reason (exec.ErrNotFound, fs.ErrPermission, …).
type StartError struct {
	Argv []string
	Err  error
}

func (e *StartError) Error() string { return fmt.Sprintf("start %s: %v", e.Argv[0], e.Err) }
func (e *StartError) Unwrap() error { return e.Err }

// Is makes a command that no folder of PATH has fs.ErrNotExist, as one with a path is by itself.
func (e *StartError) Is(target error) bool {
	return target == fs.ErrNotExist && errors.Is(e.Err, exec.ErrNotFound)
}

// Run starts a child, waits for its end and ends what it left behind. A child that went wrong is an Exit, not an
// error; the error is for a child that could not be started (*StartError), for a ctx that was over before the start
// (its cause), and for a Stdout or Stderr that refused to be written to (then Exit is whole).
func Run(ctx context.Context, c Cmd) (Exit, error) {
	none := Exit{Code: -1}
	if len(c.Argv) == 0 {
		return none, errors.New("run a command: no argv")
	}
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	if c.Grace <= 0 {
		c.Grace = DefaultGrace
	}
	if c.Drain <= 0 {
		c.Drain = DefaultDrain
	}
	if c.Keep == nil {
		c.Keep = DefaultKeep
	}
	if c.Env == nil {
		c.Env = os.Environ()
	}
	c.trace("run %s", strings.Join(quoted(c.Argv), " "))
	ch, err := start(c)
	if err != nil {
		c.trace("%v", err)
		return none, err
	}
	exit := ch.follow(ctx)
	c.trace("pid %d: %s after %s", ch.proc.PID, exit, exit.Elapsed.Round(time.Millisecond))
	return exit, errors.Join(ch.stdout.err, ch.stderr.err)
}

func (c *Cmd) trace(format string, args ...any) {
	if c.Trace != nil {
		fmt.Fprintf(c.Trace, "exec: "+format+"\n", args...)
	}
}

// quoted makes an argv readable and unambiguous.
func quoted(argv []string) []string {
	out := make([]string, len(argv))
	for i, a := range argv {
		if a == "" || strings.ContainsAny(a, " \t\n\"'\\$`") {
			a = fmt.Sprintf("%q", a)
		}
		out[i] = a
	}
	return out
}
