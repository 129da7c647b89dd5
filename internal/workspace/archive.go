package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ralphex/pkg/vcs"
)

// ArchiveOptions say how a finished plan is put away.
type ArchiveOptions struct {
	Trailer string
	// Branch is the run's; when set, and another one is checked out, nothing is done (ErrMoved).
	Branch vcs.Branch
	// Verbs are the repository's words, for hints; zero = git's.
	Verbs vcs.Verbs
	// Title is what the run's commit is called, where it is one that grows.
	Title string
}

// Archived says where a plan went. Both paths are absolute; To is true to what is on disk, also after an error.
type Archived struct {
	From, To  string
	Moved     bool // false: it was there already
	Committed bool
	Rev       vcs.Rev
	Message   string   // of the commit
	Replaced  vcs.Rev  // the commit that Rev took the place of, where commits grow
	Brought   []string // paths that a hook added to the commit
}

// Archive moves a finished plan to the folder "completed" beside it and commits the move, nothing else. It never overwrites: a name that is
// taken gets a number. A plan that the repository doesn't know is moved without a commit. A plan that is there already stays; a move that a
// killed run did not come to commit is committed. planPath is absolute.
func Archive(ctx context.Context, repo Repo, planPath string, o ArchiveOptions) (Archived, error) {
	if o.Verbs.System == "" {
		o.Verbs = vcs.GitVerbs("git")
	}
	a := archiving{repo: repo, opts: o, out: Archived{From: planPath, To: planPath}}
	if err := a.run(ctx, planPath); err != nil {
		return a.out, fmt.Errorf("archive plan %s: %w", planPath, err)
	}
	return a.out, nil
}

type archiving struct {
	repo Repo
	opts ArchiveOptions
	at   vcs.Head // where the plan is put away
	out  Archived
}

func (a *archiving) run(ctx context.Context, planPath string) error {
	if filepath.Base(filepath.Dir(planPath)) == completed {
		return a.finish(ctx, "", planPath)
	}
	switch fi, err := os.Lstat(planPath); {
	case errors.Is(err, fs.ErrNotExist):
		return a.gone(ctx, planPath, err)
	case err != nil:
		return err
	case fi.Mode()&fs.ModeSymlink != 0:
		return errors.New("it is a link, which would lead nowhere from another folder; it stays")
	}
	if err := a.guard(ctx); err != nil {
		return err
	}
	rel, err := a.repo.Rel(planPath)
	if err != nil && !errors.Is(err, vcs.ErrOutside) {
		return err
	}
	tracked := false
	if err == nil {
		rel = spelled(a.repo.Root(), rel, listDir)
		if tracked, err = a.repo.Tracked(ctx, rel); err != nil {
			return err
		}
	}
	if !tracked {
		return a.move(planPath)
	}
	return a.moveTracked(ctx, rel)
}

// guard makes sure that the run's branch is checked out, and keeps where HEAD is: the commit is made there and nowhere else.
func (a *archiving) guard(ctx context.Context) error {
	h, err := a.repo.Head(ctx)
	if err != nil {
		return err
	}
	if a.opts.Branch != "" && !vcs.LineOf(a.repo, a.opts.Branch).Same(h.Branch, a.opts.Branch) {
		return moved(vcs.Head{Branch: a.opts.Branch, Rev: h.Rev}, h, a.opts.Verbs)
	}
	a.at = h
	return nil
}

// gone handles a plan that isn't at its place: moved before, or never there.
func (a *archiving) gone(ctx context.Context, planPath string, missing error) error {
	if err := a.finish(ctx, planPath, ""); err != nil || a.out.Committed {
		return err
	}
	to := filepath.Join(filepath.Dir(planPath), completed, filepath.Base(planPath))
	if _, err := os.Lstat(to); err != nil {
		return missing
	}
	a.out.To = to
	return nil
}

// finish commits a move of this plan that was made but not committed: a run was killed between the two. One of from and to is known.
func (a *archiving) finish(ctx context.Context, from, to string) error {
	var known [2]string
	for i, p := range []string{from, to} {
		if p == "" {
			continue
		}
		rel, err := a.repo.Rel(p)
		if errors.Is(err, vcs.ErrOutside) {
			return nil
		}
		if err != nil {
			return err
		}
		known[i] = rel
	}
	status, err := a.repo.Status(ctx)
	if err != nil {
		return err
	}
	src, dst, ok := halfMoved(status, known[0], known[1])
	if !ok {
		return nil
	}
	if err := a.guard(ctx); err != nil {
		return err
	}
	a.out.From, a.out.To = onDisk(a.repo, src), onDisk(a.repo, dst)
	return a.commit(ctx, src, dst)
}

// halfMoved looks for a plan that left src and came to dst, without a commit. Where src or dst is empty, any will do.
func halfMoved(s vcs.Status, src, dst string) (from, to string, ok bool) {
	var left, came []string
	for _, c := range s.Changes {
		switch {
		case c.Index == 'R' || c.Work == 'R':
			left, came = append(left, c.From), append(came, c.Path)
		case c.Index == 'D' || c.Work == 'D':
			left = append(left, c.Path)
		case c.Untracked() || c.Index == 'A':
			came = append(came, c.Path)
		}
	}
	for _, l := range left {
		for _, c := range came {
			if isArchiveOf(c, l) && (src == "" || src == l) && (dst == "" || dst == c) {
				return l, c, true
			}
		}
	}
	return "", "", false
}

// isArchiveOf reports whether dst is src's place in the archive, numbered or not.
func isArchiveOf(dst, src string) bool {
	if path.Dir(dst) != path.Dir(archivePath(src)) {
		return false
	}
	for n := 1; n <= maxNumber; n++ {
		if path.Base(dst) == numbered(path.Base(src), n) {
			return true
		}
	}
	return false
}

// maxNumber bounds the search for a free name.
const maxNumber = 1000

// numbered is the n-th name for a file: "x.md", "x-2.md", "x-3.md".
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	ext := path.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
}

// free looks for a name in the archive that nothing has, as the test says, and makes the folder.
func free(dir, name string, taken func(candidate string) (bool, error)) (string, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", err
	}
	for n := 1; n <= maxNumber; n++ {
		candidate := numbered(name, n)
		_, err := os.Lstat(filepath.Join(dir, candidate))
		if err == nil {
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if used, err := taken(candidate); err != nil {
			return "", err
		} else if !used {
			return candidate, nil
		}
	}
	return "", fmt.Errorf("%d plans of this name are in %s: %w", maxNumber, dir, fs.ErrExist)
}

// moveTracked lets the repository move the plan, and commits that.
func (a *archiving) moveTracked(ctx context.Context, src string) error {
	dir := path.Dir(archivePath(src))
	name, err := free(onDisk(a.repo, dir), path.Base(src), func(candidate string) (bool, error) {
		return a.repo.Tracked(ctx, path.Join(dir, candidate)) // removed by somebody, but not from the index
	})
	if err != nil {
		return err
	}
	dst := path.Join(dir, name)
	if err := a.repo.Move(ctx, src, dst); err != nil {
		return err
	}
	a.out.To, a.out.Moved = onDisk(a.repo, dst), true
	return a.commit(ctx, src, dst)
}

func (a *archiving) commit(ctx context.Context, src, dst string) error {
	a.out.Message = "move completed plan: " + path.Base(src)
	res, err := a.repo.Commit(ctx, vcs.CommitRequest{
		Message: a.out.Message, Title: a.opts.Title, Paths: []string{dst, src}, Trailer: a.opts.Trailer, Expect: &a.at,
	})
	a.out.Rev, a.out.Replaced, a.out.Committed, a.out.Brought = res.Rev, res.Replaced, res.Rev != "", res.Brought
	if res.Titled {
		a.out.Message = a.opts.Title
	}
	return err
}

// move moves a plan that the repository doesn't know. A hard link can't take a name that is there, a rename can.
func (a *archiving) move(planPath string) error {
	dir := filepath.Join(filepath.Dir(planPath), completed)
	name, err := free(dir, filepath.Base(planPath), func(string) (bool, error) { return false, nil })
	if err != nil {
		return err
	}
	to := filepath.Join(dir, name)
	switch err := os.Link(planPath, to); {
	case err == nil:
		err = os.Remove(planPath)
		if err != nil {
			return err
		}
	case errors.Is(err, fs.ErrExist):
		return err
	default: // a file system without hard links
		if err := os.Rename(planPath, to); err != nil {
			return err
		}
	}
	a.out.To, a.out.Moved = to, true
	return nil
}
