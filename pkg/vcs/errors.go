package vcs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// What callers branch on.
var (
	// ErrNotRepo: no repository at this folder or above it.
	ErrNotRepo = errors.New("not a repository")
	// ErrBare: a repository without a working tree.
	ErrBare = errors.New("the repository has no working tree")
	// ErrNoTool: the command of the version control system is not installed.
	ErrNoTool = errors.New("command not found")
	// ErrUnsupported: a kind of repository or backend that this build can't drive.
	ErrUnsupported = errors.New("not supported by this build")
	// ErrOutside: a path that is not below the root.
	ErrOutside = errors.New("outside of the repository")
	// ErrExists: a branch or ref of that name is there. It is fs.ErrExist.
	ErrExists = fmt.Errorf("name is taken: %w", fs.ErrExist)
	// ErrUnborn: there is no commit yet.
	ErrUnborn = errors.New("the branch has no commit yet")
	// ErrNoSnapshot: no snapshot of that name was kept.
	ErrNoSnapshot = errors.New("no such snapshot")
	// ErrBadName: not a legal name for a branch, ref or revision.
	ErrBadName = errors.New("not a legal name")
)

// UnsupportedError is something that a backend would do wrongly or not at all, and so refuses. It is ErrUnsupported.
type UnsupportedError struct {
	What string // what was asked for: "switch branches"
	Why  string // "files would have to be checked out, and only git does that with filters and line ends"
	Next string // what the person can do; may be empty
}

func (e *UnsupportedError) Error() string { return e.What + ": " + e.Why }

// Is makes it an ErrUnsupported.
func (e *UnsupportedError) Is(target error) bool { return target == ErrUnsupported }

// Hint tells the person what to do next.
func (e *UnsupportedError) Hint() string { return e.Next }

// CommandError is a command of the version control system that failed, was killed, or could not start.
type CommandError struct {
	Argv   []string
	Dir    string
	Exit   int    // -1 when it did not end by itself
	Stderr string // the tail, trimmed
	Err    error  // why it did not end by itself: the context's cause, or the start error; nil otherwise
}

func (e *CommandError) Error() string {
	var b strings.Builder
	b.WriteString(e.name())
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	} else {
		fmt.Fprintf(&b, ": exit %d", e.Exit)
	}
	if e.Stderr != "" {
		b.WriteString(": ")
		b.WriteString(e.Stderr)
	}
	return b.String()
}

func (e *CommandError) Unwrap() error { return e.Err }

// name is the command and its verb, "git commit".
func (e *CommandError) name() string {
	return strings.Join(e.Argv[:min(len(e.Argv), 2)], " ")
}

// SurpriseError is a repository that is not where the caller believes it to be; nothing was written.
type SurpriseError struct {
	What string // "branch", "HEAD", "repository", or the name of a ref
	Want string
	Got  string
	Next string // what the person can do, where that isn't the usual
}

func (e *SurpriseError) Error() string {
	return fmt.Sprintf("the %s is not the expected one: expected %s, found %s", e.What, orNone(e.Want), orNone(e.Got))
}

// Hint tells the person what to do next.
func (e *SurpriseError) Hint() string {
	if e.Next != "" {
		return e.Next
	}
	return "somebody else works in this checkout: look at it (git status, git reflog), bring it back or start again from where it is"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// HookError is a commit that a hook of the user's refused. Text is what the hook said.
type HookError struct {
	Text    string
	Retried bool // the hook had changed our paths, and refused them a second time
	Err     *CommandError
}

func (e *HookError) Error() string {
	if e.Text == "" {
		return "a commit hook refused and said nothing"
	}
	return "a commit hook refused: " + e.Text
}

func (e *HookError) Unwrap() error { return e.Err }

// Hint tells the person what to do next.
func (e *HookError) Hint() string {
	return "mend what the hook says and start again; nothing was committed, and hooks are never skipped"
}

// HeldError is a branch that another working tree has checked out.
type HeldError struct {
	Branch Branch
	Dir    string // the other working tree
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("branch %s is checked out in %s", e.Branch, e.Dir)
}

// Hint tells the person what to do next.
func (e *HeldError) Hint() string {
	return "work there, or choose another name with --branch"
}

// IdentityError says that a commit would have no author.
type IdentityError struct {
	Err  error
	Next string // what the person can do, where that isn't git's own way
}

func (e *IdentityError) Error() string { return "nobody to commit as: name and e-mail are not set" }

func (e *IdentityError) Unwrap() error { return e.Err }

// Hint tells the person what to do next.
func (e *IdentityError) Hint() string {
	if e.Next != "" {
		return e.Next
	}
	return `git config --global user.name "Your Name"; git config --global user.email you@example.org`
}

// LockedError says that another process held the index for as long as we were ready to wait.
type LockedError struct {
	Lock string // the lock file
	Err  error
}

func (e *LockedError) Error() string { return "another git process holds " + e.Lock }

func (e *LockedError) Unwrap() error { return e.Err }

// Hint tells the person what to do next.
func (e *LockedError) Hint() string {
	return "wait for the other git to end; if none runs, it died: remove the lock file"
}
