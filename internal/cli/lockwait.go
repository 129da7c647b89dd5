package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"ralphex/internal/ralph/lock"
)

// lockWait is the flag of verbs that write tasks.json. Many who write at once need more patience than the format's 250 ms.
type lockWait struct {
	LockWait time.Duration `name:"lock-wait" help:"How long to wait while others write the tasks (default: 250ms)." placeholder:"D"`
}

// budget is how long to wait for tasks.lock; zero is the usual one.
func (w lockWait) budget() (lock.Budget, error) {
	if w.LockWait < 0 {
		return lock.Budget{}, usage(fmt.Errorf("--lock-wait %v: a wait can't be negative", w.LockWait), "for example --lock-wait 10s")
	}
	if w.LockWait == 0 {
		return lock.Budget{}, nil
	}
	b := lock.Tasks
	b.Retries = int((w.LockWait + b.Delay - 1) / b.Delay)
	return b, nil
}

// fresh is how young a lock is whose holder is most likely at work.
const fresh = 5 * time.Second

// whoWaits names the flag to somebody who did not get the lock that others hold one after the other.
func whoWaits(err error) error {
	locked, ok := errors.AsType[*lock.TimeoutError](err)
	if !ok {
		return err
	}
	holder := locked.Result.Holder
	if free := holder.Since.IsZero(); !free && holder.Age(time.Now()) > fresh || locked.Result.Attempts > lock.Tasks.Retries+1 {
		return err // whoever waited on purpose, or finds an old lock, has to look at it
	}
	return hinted(err, "others are writing: give it more time with --lock-wait 10s; "+strings.TrimPrefix(locked.Hint(), "try again; "))
}
