package cli

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/lock"
)

func TestLockWaitBecomesABudget(t *testing.T) {
	for wait, want := range map[time.Duration]lock.Budget{
		0: {}, time.Nanosecond: {Retries: 1, Delay: 25 * time.Millisecond}, 250 * time.Millisecond: lock.Tasks, 10 * time.Second: {Retries: 400, Delay: 25 * time.Millisecond},
	} {
		got, err := lockWait{wait}.budget()
		require.NoError(t, err)
		assert.Equal(t, want, got, wait)
	}
	_, err := lockWait{-time.Second}.budget()
	assert.Error(t, err)
}

// More patience is only proposed where others are at work, and where it was not tried.
func TestWhoIsToldToWait(t *testing.T) {
	held := func(age time.Duration, attempts int) error {
		r := lock.Result{LockPath: "tasks.lock", Outcome: lock.Timeout, Attempts: attempts}
		if age >= 0 {
			r.Holder = lock.Info{Path: r.LockPath, Since: time.Now().Add(-age), PID: 7}
		}
		return &lock.TimeoutError{Result: r}
	}
	for name, row := range map[string]struct {
		err  error
		told bool
	}{
		"at work": {held(time.Millisecond, 11), true}, "freed just now": {held(-1, 11), true}, "short wait": {held(0, 3), true},
		"old": {held(time.Minute, 11), false}, "waited": {held(0, 401), false}, "no lock": {fs.ErrPermission, false},
	} {
		hint := hintOf(whoWaits(row.err))
		assert.Equal(t, row.told, strings.HasPrefix(hint, "others are writing"), name)
		assert.True(t, errors.Is(whoWaits(row.err), row.err), name)
	}
}
