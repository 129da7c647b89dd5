package lock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"ralphex/internal/wait"
)

// Budget is how long to wait for a lock: Retries more attempts after the first one, Delay before each. What is negative counts as 0.
type Budget struct {
	Retries int           // the seed's lockRetryCount
	Delay   time.Duration // the seed's lockRetryDelayMs
}

// The budgets that the store's rules name. Whoever can wait longer says so with one of its own.
var (
	Tasks  = Budget{10, 25 * time.Millisecond}
	Others = Budget{120, 250 * time.Millisecond}
)

// Outcome says whether the lock was had.
type Outcome string

// The outcomes.
const (
	OK      Outcome = "ok"
	Timeout Outcome = "lock_timeout"
)

// Result is how the wait for a lock ended.
type Result struct {
	Outcome  Outcome
	LockPath string
	Attempts int  // 1 = it was free
	Holder   Info // who had it at the last attempt; zero if Outcome is OK
}

// Err returns a *TimeoutError if the lock was not had, for callers that can't go on without.
func (r Result) Err() error {
	if r.Outcome != Timeout {
		return nil
	}
	return &TimeoutError{r}
}

// With runs do while it holds the lock at path, whose folder is made if it is missing. The seed's withTaskFileLock and
// withStateLock are this with their path and budget. A lock that others hold for longer than the budget is no error: do
// didn't run, and the Result says so. The error is do's, or the context's if that ends during the wait, or says why the
// lock can't be created or removed.
//
// The lock is removed on every way out of do, a panic included.
func With(ctx context.Context, path string, b Budget, do func() error) (r Result, err error) {
	h, r, err := Acquire(ctx, path, b)
	if err != nil || h == nil {
		return r, err
	}
	defer func() {
		if unlock := h.Release(); unlock != nil {
			err = errors.Join(err, unlock)
		}
	}()
	return r, do()
}

// Held is a lock that this process holds.
type Held struct {
	f    *os.File
	path string
}

// Acquire is the first half of With, for who can't put its work into a function. Held is nil if the Outcome is Timeout.
// The caller defers Release.
func Acquire(ctx context.Context, path string, b Budget) (*Held, Result, error) {
	r := Result{LockPath: path}
	if err := context.Cause(ctx); err != nil {
		return nil, r, fmt.Errorf("lock %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, r, fmt.Errorf("lock %s: %w", path, err)
	}
	for {
		r.Attempts++
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
		if err == nil {
			// A help for the person who finds the file after a crash. An empty lock locks as well.
			_, _ = f.WriteString(strconv.Itoa(os.Getpid()) + "\n")
			r.Outcome = OK
			return &Held{f, path}, r, nil
		}
		if !contended(err) {
			return nil, r, fmt.Errorf("lock %s: %w", path, err)
		}
		if r.Attempts > b.Retries {
			r.Outcome = Timeout
			r.Holder, _, _ = Inspect(path) // released just now = unknown
			return nil, r, nil
		}
		if err := wait.For(ctx, b.Delay); err != nil {
			return nil, r, fmt.Errorf("lock %s: %w", path, err)
		}
	}
}

// Release removes the lock. It removes no other one: a program that takes old locks over may have put its own in this
// place, and then Release says so and leaves it there.
func (h *Held) Release() error {
	mine, err := h.mine()
	h.f.Close() // first: Windows does not delete what is open
	if err == nil && !mine {
		err = errors.New("the lock was taken away while it was held")
	}
	if err == nil {
		err = os.Remove(h.path)
	}
	if err != nil {
		return fmt.Errorf("unlock %s: %w", h.path, err)
	}
	return nil
}

func (h *Held) mine() (bool, error) {
	open, err := h.f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Lstat(h.path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(open, there), err
}
