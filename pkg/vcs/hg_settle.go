package vcs

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Without the evolve extension an amend takes the old commit out of the history, and with it for a moment all that was committed later, in
// another checkout too. Mercurial's readers take no lock: who asks just then is told that the commit they stand on is unknown, that every file
// is new, that a bookmark isn't there. So where a history has several checkouts, an answer counts only if nobody wrote meanwhile.

const (
	askAgain  = 8               // answers that are not waited for any longer; somebody commits all the time then, which adds only
	lockStays = 2 * time.Second // a lock that is held longer is a long pull's, or a dead process's
)

// patience remembers the lock that was waited for in vain.
type patience struct {
	mu   sync.Mutex
	vain time.Time
}

// settle is asked before a look; what it returns is asked after it, and tells whether to look again.
func (h *hg) settle(ctx context.Context) (again func() bool) {
	if others, err := h.others(); err != nil || len(others) == 0 {
		return func() bool { return false }
	}
	before := h.written()
	return func() bool {
		h.awaitLock(ctx)
		return h.written() != before
	}
}

// edition tells two states of the history apart.
type edition struct {
	size int64
	at   time.Time
}

func (h *hg) written() edition {
	fi, err := os.Stat(filepath.Join(h.store(), "store", "00changelog.i"))
	if err != nil {
		return edition{}
	}
	return edition{fi.Size(), fi.ModTime()}
}

// awaitLock waits while somebody writes the history.
func (h *hg) awaitLock(ctx context.Context) {
	file := filepath.Join(h.store(), "store", "lock")
	var held fs.FileInfo
	for end := time.Now().Add(lockStays); ; {
		fi, err := os.Lstat(file)
		if err != nil {
			return
		}
		h.wait.mu.Lock()
		vain := h.wait.vain.Equal(fi.ModTime())
		h.wait.mu.Unlock()
		if vain || h.ask.pause(ctx, 10*time.Millisecond) != nil {
			return
		}
		if held = fi; time.Now().After(end) {
			break
		}
	}
	h.wait.mu.Lock()
	h.wait.vain = held.ModTime()
	h.wait.mu.Unlock()
}
