package vcs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Grower is a repository in which a run makes one commit that grows with each task, where others get a new one each time. Until that commit
// is there, Head names what is public, whatever branch was made.
type Grower interface {
	// Public is the name that Head has for public commits, "" where commits don't grow.
	Public() Branch
	// Ahead is the branch that the next commit will be on, "" if nobody has made one.
	Ahead(ctx context.Context) (Branch, error)
	// Amended reports whether commit a, which was HEAD before, was replaced by one that b stands on.
	Amended(ctx context.Context, a, b Rev) (bool, error)
}

var (
	_ Grower = (*hg)(nil)
	_ Grower = (*wrapper)(nil)
)

// Line is what a run may find as its branch. Where commits grow these are two names: what is public before the first commit, and again when
// somebody has pushed, and its own in between. Elsewhere it is one.
type Line struct{ Public, Own Branch }

// LineOf returns the line of a run that works on branch own.
func LineOf(r any, own Branch) Line {
	l := Line{Own: own}
	if g, ok := r.(Grower); ok {
		l.Public = g.Public()
	}
	if l.Public != "" && l.Own == l.Public {
		l.Own = "draft" // nobody named it
	}
	return l
}

// Same reports whether both names are the run's, or one and the same.
func (l Line) Same(a, b Branch) bool { return a == b || l.Public != "" && l.has(a) && l.has(b) }

func (l Line) has(b Branch) bool { return b == l.Own || b == l.Public }

// Grows reports whether commits grow.
func (l Line) Grows() bool { return l.Public != "" }

// titled puts the title of a growing commit in the place of its first message, and reports whether it did.
func (req *CommitRequest) titled() bool {
	title := strings.TrimSpace(req.Title)
	if title != "" {
		req.Message = title
	}
	return title != ""
}

// Public: a wrapper over Mercurial follows the model of hg2git.sh.
func (w *wrapper) Public() Branch {
	if w.hgMeta() == "" {
		return ""
	}
	return published
}

// hgMeta is Mercurial's folder, where that is what the wrapper wraps.
func (w *wrapper) hgMeta() string {
	if _, err := os.Lstat(filepath.Join(w.root, ".git")); err == nil {
		return ""
	}
	meta := filepath.Join(w.root, ".hg")
	if fi, err := os.Stat(meta); err != nil || !fi.IsDir() {
		return ""
	}
	return meta
}

// Ahead is the active bookmark: it goes along with the next commit.
func (w *wrapper) Ahead(context.Context) (Branch, error) {
	meta := w.hgMeta()
	if meta == "" {
		return "", nil
	}
	return hgActive(meta)
}

// Amended without the system's own word: a commit that took the place of another has its parent.
func (w *wrapper) Amended(ctx context.Context, a, b Rev) (bool, error) {
	parent, known := w.parents.of(a)
	if w.hgMeta() == "" || !known || parent == "" || a == b {
		return false, nil
	}
	if _, err := w.run.look(ctx, "rev-parse", "--verify", "--quiet", string(a)); err == nil || exitCode(err) < 0 {
		return false, err // it is still there
	}
	now, known := w.parents.of(b)
	return known && now == parent, nil
}

// lineage remembers the parent of each commit that was HEAD: of one that was amended, nobody else does.
type lineage struct {
	mu     sync.Mutex
	parent map[Rev]Rev
}

func (l *lineage) note(rev, parent Rev) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.parent == nil {
		l.parent = map[Rev]Rev{}
	}
	l.parent[rev] = parent
}

func (l *lineage) of(rev Rev) (parent Rev, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	parent, known = l.parent[rev]
	return parent, known
}
