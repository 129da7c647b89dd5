package workspace

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/pkg/vcs"
)

// Place says where files lie.
type Place interface {
	Root() string
	Rel(path string) (string, error)
}

// Heads says where the repository stands.
type Heads interface {
	Head(ctx context.Context) (vcs.Head, error)
	InProgress(ctx context.Context) (string, error)
	DefaultBranch(ctx context.Context) (vcs.Branch, error)
}

// Branches finds and makes branches.
type Branches interface {
	BranchExists(ctx context.Context, b vcs.Branch) (bool, error)
	BranchHolder(ctx context.Context, b vcs.Branch) (string, error)
	CreateBranch(ctx context.Context, b vcs.Branch) error
	Switch(ctx context.Context, b vcs.Branch) error
}

// Files says what has changed and what is known.
type Files interface {
	Status(ctx context.Context) (vcs.Status, error)
	Tracked(ctx context.Context, path string) (bool, error)
	PathAt(ctx context.Context, r vcs.Rev, path string) (string, error)
}

// Commits writes history.
type Commits interface {
	Identity(ctx context.Context) error
	Commit(ctx context.Context, r vcs.CommitRequest) (vcs.CommitResult, error)
	Move(ctx context.Context, src, dst string) error
	Snapshot(ctx context.Context, ref, message string) (vcs.Rev, error)
}

// Repo is all that a workspace asks of a repository; vcs.Repo is one.
type Repo interface {
	Place
	Heads
	Branches
	Files
	Commits
}

var _ Repo = vcs.Repo(nil)

// completed is the folder, beside a plan, that finished plans go to.
const completed = "completed"

// archivePath is where a finished plan goes when nothing is in the way.
func archivePath(plan string) string {
	return path.Join(path.Dir(plan), completed, path.Base(plan))
}

// samePath reports whether two paths of the repository are one file: equal, or spelled differently on a file system that ignores case.
func samePath(p Place, a, b string) bool {
	if a == b {
		return true
	}
	return strings.EqualFold(a, b) && sameFile(onDisk(p, a), onDisk(p, b))
}

// onDisk is the absolute place of a path of the repository.
func onDisk(p Place, rel string) string {
	return filepath.Join(p.Root(), filepath.FromSlash(rel))
}

// spelled returns a path of the repository as the disk spells it: on a file system that ignores case a person may type "Docs/Plan.md", but
// git knows "docs/plan.md" only. list names what is in a folder.
func spelled(root, rel string, list func(dir string) []string) string {
	dir, parts := root, strings.Split(rel, "/")
	for i, part := range parts {
		names := list(dir)
		if !slices.Contains(names, part) {
			for _, n := range names {
				if strings.EqualFold(n, part) && sameFile(filepath.Join(dir, n), filepath.Join(dir, part)) {
					parts[i] = n
				}
			}
		}
		dir = filepath.Join(dir, parts[i])
	}
	return strings.Join(parts, "/")
}

// listDir names what is in a folder, nothing if it can't be read.
func listDir(dir string) []string {
	entries, _ := os.ReadDir(dir)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}
