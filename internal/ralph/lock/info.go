package lock

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Info is what can be seen of a lock from outside.
type Info struct {
	Path  string
	Since time.Time // when the file was last written: the moment it was taken
	PID   int       // 0 if the file doesn't say, as with locks of other programs
}

// Age tells how long the lock has been there. A clock that went backwards makes no negative age.
func (i Info) Age(now time.Time) time.Duration { return max(now.Sub(i.Since), 0) }

// Remove returns the command that removes the lock.
func (i Info) Remove() string { return removeCommand(i.Path) }

// Inspect looks at a lock and changes nothing. The second result is false if nobody holds it.
func Inspect(path string) (Info, bool, error) {
	st, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Info{}, false, nil
	}
	if err != nil {
		return Info{}, false, err
	}
	return Info{Path: path, Since: st.ModTime(), PID: readPID(path, st)}, true, nil
}

// readPID reads what Acquire wrote. Another content is none of ours, and no error.
func readPID(path string, st fs.FileInfo) int {
	if !st.Mode().IsRegular() {
		return 0
	}
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 32))
	pid, err := strconv.Atoi(strings.TrimSuffix(string(text), "\n"))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}

// TimeoutError is a Timeout as an error.
type TimeoutError struct{ Result Result }

func (e *TimeoutError) Error() string {
	s := filepath.Base(e.Result.LockPath)
	if h := e.Result.Holder; h.Since.IsZero() {
		s += " is locked"
	} else {
		s += " has been locked for " + h.Age(time.Now()).Round(time.Second).String()
		if h.PID > 0 {
			s += fmt.Sprintf(" by process %d", h.PID)
		}
	}
	return fmt.Sprintf("%s (%s, %d attempts)", s, e.Result.LockPath, e.Result.Attempts)
}

// Hint says what a person can do about it.
func (e *TimeoutError) Hint() string {
	who := "the program that wrote it"
	if e.Result.Holder.PID > 0 {
		who = fmt.Sprintf("process %d", e.Result.Holder.PID)
	}
	return fmt.Sprintf("try again; if %s is gone (it was killed), remove the lock: %s", who, removeCommand(e.Result.LockPath))
}
