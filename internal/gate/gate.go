package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os/exec"
	"time"

	"ralphex/pkg/event"
)

// DefaultTimeout is how long one command may take.
const DefaultTimeout = 30 * time.Minute

// ErrNoShell says that neither bash nor sh was found.
var ErrNoShell = errors.New("neither bash nor sh is in PATH")

// Options say what to run, and who wants to know. Only Dir and Commands are needed.
type Options struct {
	Dir      string          // the repository's root
	Commands []event.Command // run in this order
	Timeout  time.Duration   // of each command; 0 = DefaultTimeout, negative = none
	Grace    time.Duration   // between the polite and the hard end of a command; 0 = internal/proc's

	// OutputDir is a folder for this gate's output files; it is made when the first command prints
	// something. Files that are there stay. Empty = no files.
	OutputDir string
	// Safe, if set, is what the files' bytes go through on their way, so that they hold no secrets. Hashes are of what it lets pass.
	Safe func(io.Writer) io.WriteCloser
	// Apart gives each command a pipe for either output, and keeps them in Verdict.Streams besides. The common output then has their lines in the
	// order in which they arrived, which is nearly that in which they were printed; without Apart it is exactly that.
	Apart bool

	Mark string   // RALPHEX_SESSION of all that the commands start; empty = none
	Keep []string // commands of processes that may live on; nil = internal/proc's list
	Env  []string // nil = that of this process

	// Emit receives what happens, in order, one call at a time, from goroutines of Run that are gone when
	// Run returns. nil = nobody listens. Sent are GateStart, Output, Survivor, Note, GateCommand, GateEnd.
	Emit func(event.Data)

	// Tree is asked after the last command, before GateEnd is sent: which tree was proven, and which paths
	// the commands themselves made dirty. nil = nobody knows.
	Tree func(ctx context.Context) (hash string, created []string, err error)
}

// Verdict is what a gate found.
type Verdict struct {
	event.GateEnd                     // Green with Commands 0 means that nothing was proven
	Results       []event.GateCommand // one for each command that ran
	Streams       []Streams           // the same, where Options.Apart is set; else nil
}

// Run runs all commands and says what they said. A red command is a verdict, not an error. The error is for
// a gate that came to no verdict: no shell, the context's cause, or Options.Tree's own; the Verdict then
// holds the commands that ran, and is never green.
func Run(ctx context.Context, o Options) (Verdict, error) {
	if o.Emit == nil {
		o.Emit = func(event.Data) {}
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	shell, err := Shell()
	if err != nil && len(o.Commands) > 0 {
		return Verdict{}, fmt.Errorf("run validation commands: %w", err)
	}
	began := time.Now()
	o.Emit(event.GateStart{Commands: len(o.Commands)})
	var v Verdict
	v.Commands = len(o.Commands)
	evidence, green := sha256.New(), true
	for i, c := range o.Commands {
		if ctx.Err() != nil {
			return v, fmt.Errorf("run validation commands: %w", context.Cause(ctx))
		}
		r, streams := runCommand(ctx, o, shell, i+1, c)
		v.Results = append(v.Results, r)
		if streams != nil {
			v.Streams = append(v.Streams, *streams)
		}
		o.Emit(r)
		if ctx.Err() != nil {
			return v, fmt.Errorf("run validation command %q: %w", c.Text, context.Cause(ctx))
		}
		green = green && passed(r)
		testify(evidence, r)
	}
	v.Elapsed = time.Since(began)
	v.Evidence = hex.EncodeToString(evidence.Sum(nil))
	if o.Tree != nil {
		if v.TreeHash, v.Created, err = o.Tree(ctx); err != nil {
			return v, fmt.Errorf("look at the tree after the validation commands: %w", err)
		}
	}
	v.Green = green
	o.Emit(v.GateEnd)
	return v, nil
}

// passed tells whether a command was green.
func passed(r event.GateCommand) bool { return r.Exit == 0 && r.Cause == "" }

// testify adds one result to the evidence: what was run, how it ended and what it printed.
func testify(evidence hash.Hash, r event.GateCommand) {
	fmt.Fprintf(evidence, "%q exit %d %q %s\n", r.Command, r.Exit, r.Cause, r.OutputHash)
}

// Shell finds what commands and blocks are given to: bash, since that is what people write them for, else sh. The error is
// ErrNoShell.
func Shell() (string, error) {
	for _, name := range []string{"bash", "sh"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoShell
}
