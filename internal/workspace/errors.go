package workspace

import (
	"errors"
	"fmt"
	"strings"

	"ralphex/pkg/vcs"
)

// Why a run can't start here; each is the Kind of a RefusedError.
var (
	ErrDetached   = errors.New("HEAD is detached")
	ErrUnborn     = errors.New("the repository has no commit yet")
	ErrUnfinished = errors.New("an operation is unfinished")
	ErrConflict   = errors.New("files are in conflict")
	ErrBranch     = errors.New("no branch to work on")
	ErrPlanOther  = errors.New("the branch has another plan")
	ErrMoved      = errors.New("the repository has moved on")
)

// RefusedError says why a run can't start here, and the way out.
type RefusedError struct {
	Kind error  // one of the errors above
	Why  string // one sentence
	Todo string // what to type
}

func (e *RefusedError) Error() string { return e.Why }

// Is makes errors.Is(err, ErrDetached) work.
func (e *RefusedError) Is(target error) bool { return e.Kind == target }

// Hint tells the person what to do next.
func (e *RefusedError) Hint() string { return e.Todo }

// DirtyFile is one path that stands in the way.
type DirtyFile struct {
	Path string
	What string // "modified", "staged and modified", "untracked", …
	Rule string // what made it dirty, "differs from the index"
}

// DirtyError refuses a start among changes that aren't the plan's.
type DirtyError struct {
	Branch vcs.Branch
	Switch vcs.Branch // the run would have switched to this branch; empty if it would have made one
	Files  []DirtyFile
	// What the person can type. Without NewBranch there is no taking them along.
	PutAway, NewBranch string
	Worktrees          bool // the run can leave them alone, in a worktree of its own
}

// shown is how many paths the message lists.
const shown = 10

func (e *DirtyError) Error() string {
	var b strings.Builder
	if e.Switch != "" {
		fmt.Fprintf(&b, "cannot switch from %s to %s: ", e.Branch, e.Switch)
	} else {
		fmt.Fprintf(&b, "cannot start on %s: ", e.Branch)
	}
	if len(e.Files) == 1 {
		b.WriteString("1 path besides the plan has changes")
	} else {
		fmt.Fprintf(&b, "%d paths besides the plan have changes", len(e.Files))
	}
	wide := 0
	for _, f := range e.Files[:min(len(e.Files), shown)] {
		wide = max(wide, len(f.What))
	}
	for _, f := range e.Files[:min(len(e.Files), shown)] {
		fmt.Fprintf(&b, "\n  %-*s  %s  (%s)", wide, f.What, printable(f.Path), f.Rule)
	}
	if more := len(e.Files) - shown; more > 0 {
		fmt.Fprintf(&b, "\n  ... and %d more", more)
	}
	return b.String()
}

// Hint tells the person what to do next.
func (e *DirtyError) Hint() string {
	hint := "commit them, or put them away with `" + e.PutAway + "`"
	if e.Switch == "" && e.NewBranch != "" {
		hint += "\nor take them along on a branch of your own: " + e.NewBranch
	}
	if e.Worktrees {
		hint += "\nor leave them as they are: --worktree runs the plan in a folder of its own"
	}
	return hint
}

// printable quotes a path that would break the list or the terminal.
func printable(p string) string {
	if strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) {
		return fmt.Sprintf("%q", p)
	}
	return p
}

// describe puts a change's letters into words.
func describe(c vcs.Change, staging bool) DirtyFile {
	f := DirtyFile{Path: c.Path}
	switch {
	case c.Unmerged():
		f.What, f.Rule = "in conflict", "has unmerged versions in the index"
	case c.Nested():
		f.What, f.Rule = "untracked", "is a repository of its own that nobody registered or ignores"
	case c.Untracked():
		f.What, f.Rule = "untracked", "is neither committed nor ignored"
	case c.InsideOnly():
		f.What, f.Rule = "modified", "is a submodule with changes inside"
	case !staging:
		f.What, f.Rule = letter(c.Work), "differs from the last commit"
		if c.Staged() {
			f.What = letter(c.Index)
		}
	case c.Staged() && c.Unstaged():
		f.What = "staged and " + letter(c.Work)
		f.Rule = "index differs from HEAD, and the file from the index"
	case c.Staged():
		f.What, f.Rule = "staged", "index differs from HEAD: "+letter(c.Index)
	default:
		f.What, f.Rule = letter(c.Work), "differs from the index"
	}
	if c.From != "" {
		f.Rule += " from " + printable(c.From)
	}
	return f
}

// letter puts one of git's letters into words.
func letter(b byte) string {
	switch b {
	case 'A':
		return "added"
	case 'D':
		return "deleted"
	case 'R':
		return "renamed"
	case 'C':
		return "copied"
	case 'T':
		return "of another type"
	}
	return "modified"
}
