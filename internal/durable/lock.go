package durable

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrHeld is what every HeldError is.
var ErrHeld = errors.New("held by another process")

var errBusy = errors.New("lock is taken")

// Holder says who has a lock, and what for.
type Holder struct {
	Version       int       `json:"v"`
	PID           int       `json:"pid"`
	Host          string    `json:"host"`
	Since         time.Time `json:"since"`
	Run           string    `json:"run,omitempty"`
	Plan          string    `json:"plan,omitempty"`
	What          string    `json:"what,omitempty"` // "run", "gc"
	ControlSocket string    `json:"control_socket,omitempty"`
}

func (h Holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "pid %d on %s since %s", h.PID, h.Host, h.Since.Local().Format("2006-01-02 15:04:05"))
	for _, part := range []string{h.What, h.Plan} {
		if part != "" {
			b.WriteString(", " + part)
		}
	}
	return b.String()
}

// HeldError says that another process has the lock. Holder is empty if the process has not written down who it is.
type HeldError struct {
	Path   string
	Holder Holder
}

func (e *HeldError) Error() string { return "held by " + e.Holder.String() }

// Is makes errors.Is(err, ErrHeld) work.
func (e *HeldError) Is(target error) bool { return target == ErrHeld }

// Lock is an OS lock on a file, which ends with its process at the latest, and a note in that file of who holds it.
//
// The file is not deleted on release. If it were, then B could open it, A release and delete it, B lock what it has open, which has no name any
// more, and C make a new file of that name and lock that: B and C would both hold the lock.
type Lock struct {
	f      *os.File
	holder Holder
}

// Acquire takes the lock at once or returns a *HeldError. PID, Host and Since of the holder are filled in where empty.
// The file and its folder are made where they are missing; a symlink in the file's place is refused.
func Acquire(path string, h Holder) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, err
	}
	// Probe looks for a moment by a shared lock, which must not count as a holder.
	const looks, pause = 5, 10 * time.Millisecond
	for try := 1; ; try++ {
		l, err := tryAcquire(path)
		if err == nil {
			return l.introduce(h)
		}
		if !errors.Is(err, errBusy) {
			return nil, told("lock", filepath.Dir(path), filepath.Base(path), err)
		}
		if try == looks {
			holder, _ := readHolder(path) // an empty one still tells that somebody holds it
			return nil, fmt.Errorf("lock %s: %w", path, &HeldError{Path: path, Holder: holder})
		}
		time.Sleep(pause)
	}
}

func tryAcquire(path string) (*Lock, error) {
	if fi, err := os.Lstat(path); err == nil && !fi.Mode().IsRegular() {
		return nil, &NotRegularError{path, fi.Mode()} // a pipe can be locked, too, and holds no note
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o640)
	if err != nil {
		return nil, err
	}
	if err := lock(f, true); err != nil {
		f.Close()
		return nil, err
	}
	if !named(f, path) {
		f.Close() // somebody deleted the file, and may lock another one of that name
		return nil, errBusy
	}
	return &Lock{f: f}, nil
}

// named tells whether the path still leads to the open file.
func named(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(open, there)
}

// introduce writes the note for the first time, and gives the lock back if it can't.
func (l *Lock) introduce(h Holder) (*Lock, error) {
	if h.PID == 0 {
		h.PID = os.Getpid()
	}
	if h.Host == "" {
		h.Host, _ = os.Hostname()
	}
	if h.Since.IsZero() {
		h.Since = time.Now()
	}
	if err := l.Update(h); err != nil {
		l.f.Close()
		return nil, err
	}
	return l, nil
}

// Holder returns the note.
func (l *Lock) Holder() Holder { return l.holder }

// Lost tells whether the file was deleted or replaced: then another process can take a lock of this name.
func (l *Lock) Lost() bool { return !named(l.f, l.f.Name()) }

// Update changes the note, when it is known what run this is or where its socket lies.
func (l *Lock) Update(h Holder) error {
	h.Version = 1
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if _, err := l.f.WriteAt(text, 0); err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	if err := l.f.Truncate(int64(len(text))); err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	l.holder = h
	return nil
}

// Release wipes the note and gives the lock back.
func (l *Lock) Release() error {
	wiped := l.f.Truncate(0)
	return errors.Join(wiped, unlock(l.f), l.f.Close())
}

// TryLock takes the bare OS lock of an open file, without waiting and without a note, for files whose content is
// somebody else's format. The error is ErrHeld if another open file has it. The lock ends when f is closed.
func TryLock(f *os.File) error {
	err := lock(f, true)
	if errors.Is(err, errBusy) {
		return ErrHeld
	}
	return err
}

// Probe tells whether a process holds the lock now, and who. It changes nothing on disk.
func Probe(path string) (h Holder, held bool, err error) {
	if err := CheckRegular(path); err != nil {
		return Holder{}, false, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Holder{}, false, nil
	}
	if err != nil {
		return Holder{}, false, err
	}
	defer f.Close()
	switch err := lock(f, false); {
	case err == nil:
		return Holder{}, false, unlock(f)
	case !errors.Is(err, errBusy):
		return Holder{}, false, fmt.Errorf("lock %s: %w", path, err)
	}
	h, err = readHolder(path)
	return h, true, err
}

// Locked tells whether another open file has the bare OS lock of TryLock. It waits for nothing and changes nothing.
func Locked(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow|noWait, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	switch err := lock(f, false); {
	case err == nil:
		return false, unlock(f)
	case errors.Is(err, errBusy):
		return true, nil
	default:
		return false, fmt.Errorf("lock %s: %w", path, err)
	}
}

// readHolder reads the note. One that is empty or half written is no error: its process is about to write it, or has
// just wiped it.
func readHolder(path string) (h Holder, err error) {
	f, err := os.Open(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return h, err
	}
	if json.Unmarshal(text, &h) != nil {
		return Holder{}, nil
	}
	return h, nil
}
