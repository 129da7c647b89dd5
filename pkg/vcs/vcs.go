package vcs

import (
	"context"
	"strings"
	"time"
)

// Rev names a commit: a full object name, "6f1ed002ab5595859014ebf0951522d9", or any name the repository resolves.
// Methods that return a Rev return the full object name; empty means there is none.
type Rev string

// Short returns the first twelve digits, for people.
func (r Rev) Short() string { return string(r[:min(len(r), 12)]) }

// Branch is a local branch without "refs/heads/", e.g. "feature/login".
type Branch string

// Head says where the working tree stands.
type Head struct {
	Rev      Rev    // empty when Unborn
	Branch   Branch // empty when Detached
	Detached bool
	Unborn   bool // the branch has no commit yet
}

// Caps says what a backend can do for a run. Note is one line for the user about what it can't; empty if it can all.
type Caps struct {
	Hooks     bool // commits run the user's hooks
	Signing   bool // commits are signed if the user's configuration says so
	Worktrees bool
	Note      string
}

// DiffStat counts what one revision changed against another. Binary files count as files without lines.
type DiffStat struct{ Files, Additions, Deletions int }

// Fingerprint stands for the working state: HEAD, index, and content of all that is dirty. Two are equal if, and only if,
// nothing changed between them. It is opaque and means nothing in another repository.
type Fingerprint string

// LogEntry is one commit of a short log.
type LogEntry struct {
	Rev     Rev
	Subject string
	Author  string
	Time    time.Time // committer's
}

// CommitRequest asks for one commit of named paths.
type CommitRequest struct {
	Message string
	// Title is the message where the run's work is one commit that grows, and this is its first; later requests keep it. Empty = Message.
	Title string
	// Paths are relative to the root, with slashes; exactly these are committed, as the working tree has them now:
	// new files are added, missing ones removed. A folder is refused, so that nothing is swept in.
	// Paths that neither exist nor are known to the repository are passed over.
	Paths []string
	// Trailer is put after the message with a blank line between, e.g. "Co-authored-by: …".
	Trailer string
	// Expect is where the caller believes HEAD to be; the commit is refused with *SurpriseError if it isn't. nil = wherever it is.
	Expect *Head
}

// CommitResult tells what Commit did. The zero value means that there was nothing to commit.
type CommitResult struct {
	Rev Rev
	// Replaced is the commit that Rev took the place of, where a run's commit grows instead of getting a successor (Mercurial); the
	// caller keeps it in its records. Empty = Rev is a commit of its own.
	Replaced Rev
	Titled   bool     // the commit bears the request's Title
	Readded  bool     // a hook changed our paths, and they were added once more
	Left     []string // our paths that are not clean even so
	Brought  []string // paths that were not asked for: a hook added them to the commit
}

// Nothing reports whether there was nothing to commit, which is a success.
func (r CommitResult) Nothing() bool { return r.Rev == "" }

// Repo is a repository with a working tree. Paths are relative to the root, with slashes, and are never patterns. An implementation is safe
// for use by several goroutines, but writes are not ordered among them.
type Repo interface {
	// Root is the absolute top folder of the working tree, symbolic links resolved.
	Root() string
	// Kind is who answers: "git", "go-git" (the library alone), "hg" or "wrapper".
	Kind() string
	Caps() Caps
	// Rel turns an absolute path into one relative to the root. Links in its folders are resolved, the last element is not.
	// Outside of the root it returns ErrOutside.
	Rel(path string) (string, error)

	Head(ctx context.Context) (Head, error)
	// DefaultBranch is the branch that origin/HEAD names ("origin/x" if there is no local x), else the first that exists of
	// main, master, trunk and develop, else "master".
	DefaultBranch(ctx context.Context) (Branch, error)
	BranchExists(ctx context.Context, b Branch) (bool, error)
	// BranchHolder returns the working tree, other than this one, that has the branch checked out, or "".
	BranchHolder(ctx context.Context, b Branch) (string, error)
	// CreateBranch makes a branch at HEAD and switches to it; index and tree are not touched.
	// It returns ErrExists, *HeldError or ErrUnborn where that can't be.
	CreateBranch(ctx context.Context, b Branch) error
	// Switch checks an existing branch out. It never overwrites a changed file: that is a *CommandError.
	Switch(ctx context.Context, b Branch) error
	// InProgress names the operation that waits to be finished: merge, rebase, am, cherry-pick, revert, bisect; or "".
	InProgress(ctx context.Context) (string, error)

	// Status lists all that differs from HEAD, untracked files one by one. Options.Exclude is never in it.
	Status(ctx context.Context) (Status, error)
	Ignored(ctx context.Context, path string) (bool, error)
	// Tracked reports whether the index knows the path.
	Tracked(ctx context.Context, path string) (bool, error)
	Fingerprint(ctx context.Context) (Fingerprint, error)
	// FingerprintOf is Fingerprint for a status that was just taken; it starts no process for it.
	FingerprintOf(ctx context.Context, s Status) (Fingerprint, error)

	// Identity returns nil if a commit would have an author, else *IdentityError.
	Identity(ctx context.Context) error
	// Commit makes one commit; see CommitRequest. What else is staged stays staged.
	// Nothing to commit is a success without a Rev. A hook that refuses is a *HookError; nothing is committed and new files are unstaged again.
	// An error beside a Rev means that the commit was made, but could not be looked after.
	Commit(ctx context.Context, r CommitRequest) (CommitResult, error)
	// Move renames a tracked file in index and tree. It never overwrites: that is fs.ErrExist.
	Move(ctx context.Context, src, dst string) error
	// Snapshot keeps the tree as it is, untracked files included, as a commit under a new ref below refs/ralphex/.
	// Neither index nor tree is touched. ErrExists if the ref is there already.
	Snapshot(ctx context.Context, ref, message string) (Rev, error)

	IsAncestor(ctx context.Context, a, b Rev) (bool, error)
	// TreeHash is the object name of the commit's tree.
	TreeHash(ctx context.Context, r Rev) (string, error)
	// PathAt returns the object name that a path has in a commit, "" if it isn't there.
	PathAt(ctx context.Context, r Rev, path string) (string, error)
	// DiffStat counts what to has since it left from.
	DiffStat(ctx context.Context, from, to Rev) (DiffStat, error)
	// Log lists commits of to that from doesn't have, the newest first, max at most (0 = all). An empty from means from the beginning.
	Log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error)
}

// IsLocal reports whether b and other name the same branch when a leading "origin/" doesn't count.
func (b Branch) IsLocal(other Branch) bool {
	return strings.TrimPrefix(string(b), "origin/") == strings.TrimPrefix(string(other), "origin/")
}
