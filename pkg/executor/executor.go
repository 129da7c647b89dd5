package executor

import (
	"context"
	"errors"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/signals"
)

// Executor runs one agent session to its end.
type Executor interface {
	// Name is the table's name: "claude", "runbook".
	Name() string
	// Check says before a run whether a session could start at all: command found, version right.
	// The error says what to do next.
	Check(ctx context.Context) error
	// Run starts a session, waits for its end, and reports facts. A session that ran and went wrong is a
	// Result with a Failure; the error is for a session that could not be run (or ctx's cause).
	// When Run returns, no process of the session lives, except those named in Request.Keep.
	Run(ctx context.Context, req Request) (Result, error)
}

// Request is what a session needs to know.
type Request struct {
	Prompt string   // goes to the agent's stdin
	Dir    string   // working folder: the repository root
	Env    []string // the parent's environment; the executor applies its own drop rules; nil = os.Environ()
	Model  string
	Effort string
	Resume string // id of a session to go on with, where Caps.Resume says that it can; empty = a fresh one

	// Plan and Position name the task for executors that work on the plan itself (runbook).
	Plan     string          // absolute path
	Position int             // 1-based
	Commands []event.Command // the frozen validation commands

	// Mark is put into the child's environment as RALPHEX_SESSION=<mark>, so that children which left
	// the process group can be found. Empty = the executor makes one.
	Mark string
	// Keep lists command names of children that are spared at the end ("gpg-agent").
	Keep []string

	IdleTimeout    time.Duration // no output for so long ends the session; 0 = off
	SessionTimeout time.Duration // 0 = off
	Grace          time.Duration // between the polite and the hard end; 0 = 5 s
	// BackgroundWait is how long background work may keep the session alive behind its last turn; 0 = no limit of its own.
	BackgroundWait time.Duration

	// Transcript, if set, is a file that receives the raw stdout of the child, without secrets, and cut where it
	// becomes larger than TranscriptMax bytes (0 = 256 MiB; what was cut is noted in the file).
	Transcript    string
	TranscriptMax int64
	// Secrets are further texts that are kept out of the transcript, beside those that Env names.
	Secrets []string

	// Emit receives what happens, in order, from one goroutine at a time. nil = nobody listens.
	// Sent are event.Output, event.Spent whenever the stream tells more of it, event.Claimed, event.Survivor, event.Note,
	// and event.Tick by runbook.
	Emit func(event.Data)
	// Started is called once, when the child runs, before any Emit. nil = nobody listens.
	Started func(Process)
}

// Process identifies the running child for the journal.
type Process struct {
	Argv     []string
	PID      int
	PIDStart uint64 // kernel start time, 0 where unknown
	Mark     string
}

// Causes of an end that the executor itself brought about; Result.Cause is one of them or nil.
var (
	ErrIdle           = errors.New("idle time-out")
	ErrSessionTimeout = errors.New("session time-out")
	ErrBackground     = errors.New("background work that took too long")
)

// Result is made of facts, plus the signals, which are claims.
type Result struct {
	By       string           // who it was, where somebody may have stood in; empty = who was asked
	Text     string           // the agent's own text, last MaxText bytes
	Signals  []signals.Signal // those that count, in order; the last one wins
	Mentions int              // signal tokens in prose, fences, quotes, tool results: not counted

	SessionID string
	Usage     event.Usage
	Models    map[string]event.Usage // the shares of the models that the CLI named; nil = it named none
	Exit      Exit
	Cause     error // ErrIdle, ErrSessionTimeout, ErrBackground, or nil
	Failure   *Failure
	Pending   []string // background work the agent left unfinished when it ended, described
	LeftBoxes []int    // boxes of the task (1-based) that this executor can't do and leaves for a person (runbook: no block)
	Elapsed   time.Duration
}

// MaxText is how much of the agent's own text a Result keeps (the tail).
const MaxText = 1 << 20

// Last returns the signal that wins, or nil.
func (r Result) Last() *signals.Signal {
	if len(r.Signals) == 0 {
		return nil
	}
	return &r.Signals[len(r.Signals)-1]
}

// Exit is how the child ended.
type Exit struct {
	Code   int    // -1 when ended by a signal or never started
	Signal string // "killed", "terminated"; empty = none
}

// Failure is why a session went wrong, from structured events, exit code and stderr: never from prose.
type Failure struct {
	Class   Class
	Message string    // one line for a person
	Help    string    // what to type next: "claude /usage"
	Status  int       // HTTP status, 0 = none
	ResetAt time.Time // when a limit ends; zero = not known for sure: poll, with growing pauses
	About   time.Time // the same where the text named no zone: this machine's is a guess
}

func (f *Failure) Error() string { return string(f.Class) + ": " + f.Message }

// Hint is Help: what to do next.
func (f *Failure) Hint() string { return f.Help }
