package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/proc"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/term"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
)

// The exit codes; docs/exit-codes.md explains each. No other code is used.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitLeft        = 3
	exitLimit       = 4
	exitLogin       = 5
	exitBusy        = 10
	exitInterrupted = 130
	exitTerminated  = 143
)

// errInterrupted and errTerminated are the causes of a context that a signal ended.
var (
	errInterrupted = hinted(errors.New("interrupted"), "the same command goes on where this one ended")
	errTerminated  = hinted(errors.New("terminated"), "the same command goes on where this one ended")
)

// hinter is an error that knows what to do next.
type hinter interface{ Hint() string }

// hintOf is what to do next about an error, "" if nobody knows.
func hintOf(err error) string {
	var h hinter
	if errors.As(err, &h) && h.Hint() != "" {
		return h.Hint()
	}
	return systemHint(err)
}

// systemHint is for errors of the system that reach the person as they are, wherever they came up.
func systemHint(err error) string {
	var at *fs.PathError
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space there, then type the same command"
	case errors.Is(err, syscall.EROFS):
		return "the file system is mounted read-only: make it writable, or work in another place"
	case errors.Is(err, fs.ErrPermission) && errors.As(err, &at):
		return "see who may do that: ls -ld " + shellQuote(filepath.Dir(at.Path)) + " " + shellQuote(at.Path)
	}
	return ""
}

// usageError is a wrong command line or a wrong file: exit 2.
type usageError struct {
	err  error
	hint string
}

func usage(err error, hint string) error { return &usageError{err: err, hint: hint} }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }
func (e *usageError) Hint() string  { return e.hint }

// hintError adds what to do next to an error.
type hintError struct {
	err  error
	hint string
}

func hinted(err error, hint string) error { return &hintError{err: err, hint: hint} }

func (e *hintError) Error() string { return e.err.Error() }
func (e *hintError) Unwrap() error { return e.err }
func (e *hintError) Hint() string  { return e.hint }

// exitError is an end that needs no message of its own: everything has been said.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit %d", e.code) }

// report prints an error with its hint and returns the exit code. It is the only place that does.
func report(w io.Writer, err error) int {
	var silent *exitError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &silent):
		return silent.code
	case errors.Is(err, phase.ErrAborted):
		fmt.Fprintln(w, "aborted by user, plan left in place")
		return exitDone
	case errors.Is(err, syscall.EPIPE):
		return exitDone // ralphex show --json … | head: the reader has had enough
	}
	fmt.Fprintf(w, "error: %s\n", term.Clean(strings.TrimRight(err.Error(), "\n")))
	if hint := hintOf(err); hint != "" {
		fmt.Fprintf(w, "  next: %s\n", term.Clean(strings.ReplaceAll(hint, "\n", "\n        ")))
	}
	return exitCode(err)
}

func exitCode(err error) int {
	var (
		silent  *exitError
		bad     *usageError
		failure *executor.Failure
		gone    *phase.DeletionsError
		lost    *phase.LostError
		locked  *lock.TimeoutError
		spent   *processor.BudgetError
		taken   *claimError
	)
	switch {
	case err == nil, errors.Is(err, phase.ErrAborted):
		return exitDone
	case errors.As(err, &silent):
		return silent.code
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.Is(err, errTerminated):
		return exitTerminated
	case errors.Is(err, durable.ErrHeld), errors.As(err, &locked), errors.As(err, &taken):
		return exitBusy
	case errors.As(err, &gone), errors.As(err, &lost), errors.Is(err, phase.ErrNoPerson):
		return exitLeft // nothing failed: a person has to look
	case errors.As(err, &bad):
		return exitUsage
	case errors.As(err, &spent):
		return exitLimit
	case errors.As(err, &failure) && failure.Class == executor.ClassLimit:
		return exitLimit
	case errors.As(err, &failure) && failure.Class.Info().Human:
		return exitLogin
	}
	return exitFailed
}

// forceAfter is how long a forced end may take.
const forceAfter = 2 * time.Second

// interruptible returns a context that the first Ctrl+C (or SIGTERM, SIGHUP) ends politely: the session is ended,
// the journal closed. The second ends the process now; what is left of the session is ended by the next start. What is sent to keys counts as
// a signal: a terminal that hands over each key sends none for Ctrl+C.
func interruptible(parent context.Context, w io.Writer, keys <-chan os.Signal) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// Caught, and not ignored, since children inherit what is ignored: whoever reads our output may go, the run
	// goes on; a write then fails with EPIPE.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	done := make(chan struct{})
	var stopped atomic.Bool
	go func() {
		var first error
		for {
			tell := w
			var sig os.Signal
			select {
			case <-done:
				return
			case sig = <-keys:
				tell = io.Discard // who sent it shows what follows
			case sig = <-ch:
			}
			cause, code := errTerminated, exitTerminated
			if sig == os.Interrupt {
				cause, code = errInterrupted, exitInterrupted
			}
			if first != nil {
				fmt.Fprintln(tell, "force exit")
				proc.KillAll()
				// With its children gone the run ends by itself, journal and all. Where it does not, what is left
				// of the session is ended by the next start.
				time.AfterFunc(forceAfter, func() {
					term.RestoreNow()
					os.Exit(code)
				})
				continue
			}
			first = cause
			fmt.Fprintln(tell, "\ninterrupting... (once more to force)")
			cancel(cause)
		}
	}()
	return ctx, func() {
		if stopped.CompareAndSwap(false, true) {
			signal.Stop(ch)
			close(done)
			cancel(nil)
		}
	}
}
