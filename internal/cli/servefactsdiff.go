package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/web"
	runview "ralphex/internal/web/view"
	"ralphex/pkg/vcs"
)

// Bounds of a Diff, in bytes.
const (
	maxPatch    = 8 << 20
	maxNewFile  = 256 << 10 // of a file that the repository does not know yet
	maxNewFiles = 100
)

// span is the change that is asked for.
type span struct {
	base, to vcs.Rev // to empty = the working tree
	notes    []string
}

func (s *span) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// Diff is what a run, one of its tasks or one of its commits changed, by the repository.
func (f *pageFacts) Diff(ctx context.Context, run runview.Run, of web.DiffOf) (web.Diff, error) {
	ctx, end, err := f.begin(ctx)
	if err != nil {
		return web.Diff{}, err
	}
	defer end()
	repo, err := f.place(ctx, run)
	if err != nil {
		return web.Diff{}, err
	}
	d := runview.Detail{Run: run}
	if run.Source == runview.Journal {
		if d, err = fold(run); err != nil {
			return web.Diff{}, err
		}
		d.State = run.State // fold knows nothing of the process
	}
	s, err := spanOf(ctx, repo, &d, of)
	if err != nil {
		return web.Diff{}, err
	}
	patch, err := vcs.Diff(ctx, repo, s.base, s.to, maxPatch)
	if err != nil {
		if ctx.Err() != nil {
			return web.Diff{}, context.Cause(ctx)
		}
		return web.Diff{}, noChange(&d, s.to, err)
	}
	out := web.Diff{Base: string(s.base), Head: string(s.to), Files: web.ParsePatch(patch.Text, patch.Cut)}
	if patch.Cut {
		s.note("the whole change is larger than %d MiB: files behind the last one are missing", maxPatch>>20)
	}
	if s.to == "" {
		if err := addNew(ctx, repo, &out, &s); err != nil {
			return web.Diff{}, err
		}
		leaveOut(&out, d.Dirty, &s)
	}
	out.Note = strings.Join(s.notes, "; ")
	return out, nil
}

// noChange is the answer where the repository has no revision of that name, or can't compare.
func noChange(d *runview.Detail, to vcs.Rev, err error) error {
	no := &web.Refusal{Status: 404, Code: "not_found", Message: "the change can't be told: " + firstLine(err.Error()),
		Next: cmp.Or(hintOf(err), "the commits of the run may have been rewritten since")}
	if slices.ContainsFunc(d.Commits, func(c runview.Commit) bool { return c.Replaced == string(to) && to != "" }) {
		no.Message = to.Short() + " was amended by a later commit of the run, and is not in the repository any more"
		no.Next = "look at the change of the whole run"
	}
	return no
}

// spanOf finds the two ends of a change.
func spanOf(ctx context.Context, repo vcs.Repo, d *runview.Detail, of web.DiffOf) (span, error) {
	switch {
	case of.Commit != "":
		return commitSpan(d, of.Commit)
	case of.Task > 0:
		return taskSpan(d, of.Task)
	case d.Source != runview.Journal:
		return branchSpan(ctx, repo, d)
	}
	return runSpan(ctx, repo, d)
}

// runSpan is the whole run: from where it began to its newest commit; with what is not committed, as long as the run goes on, or where it ended
// without having done its work and nobody has gone on from there.
func runSpan(ctx context.Context, repo vcs.Repo, d *runview.Detail) (s span, err error) {
	if d.StartHead == "" {
		return s, web.NotFound("where the run began is not in its journal: the repository had no commit then")
	}
	s.base = vcs.Rev(d.StartHead)
	last := s.base
	if c := len(d.Commits); c > 0 {
		last = vcs.Rev(d.Commits[c-1].Rev)
	}
	s.to = last
	if d.State == runview.Completed {
		return s, nil
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return s, err
	}
	switch {
	case d.Branch != "" && !head.Detached && string(head.Branch) != d.Branch && head.Rev != last:
		s.note("another branch is checked out: what is not committed is not shown")
	case !d.State.Over(), head.Rev == last:
		s.to = ""
	}
	return s, nil
}

// taskSpan is what the commits of a task brought.
func taskSpan(d *runview.Detail, pos int) (s span, err error) {
	first, last := -1, -1
	for i, c := range d.Commits {
		if c.Task == pos {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		if d.Task == pos && !d.State.Over() {
			s.base = before(d, d.Seq+1)
			s.note("the task is being worked on: nothing of it is committed yet")
			return s, noBase(s.base)
		}
		return s, web.NotFound("task %d has no commits", pos)
	}
	for _, c := range d.Commits[first:last] {
		if c.Task != pos {
			s.note("between the commits of the task are others, which are shown, too")
			break
		}
	}
	s.base, s.to = baseOf(d, first), vcs.Rev(d.Commits[last].Rev)
	s.grown(d.Commits[first : last+1])
	return s, noBase(s.base)
}

// commitSpan is one commit of the run. Others are nobody's business here.
func commitSpan(d *runview.Detail, name string) (s span, err error) {
	const shortest = 4
	i := slices.IndexFunc(d.Commits, func(c runview.Commit) bool {
		return c.Rev == name || len(name) >= shortest && strings.HasPrefix(c.Rev, name)
	})
	if i < 0 {
		return s, web.NotFound("%.40q is no commit of this run", name)
	}
	s.base, s.to = baseOf(d, i), vcs.Rev(d.Commits[i].Rev)
	s.grown(d.Commits[i : i+1])
	return s, noBase(s.base)
}

// grown notes that a commit took the place of another one: it can't be taken apart.
func (s *span) grown(commits []runview.Commit) {
	if slices.ContainsFunc(commits, func(c runview.Commit) bool { return c.Replaced != "" }) {
		s.note("the run's commit was amended: it is shown with all that it held by then")
	}
}

// branchSpan is what a run did of which there is a text log only: all that its branch has beside the default branch.
func branchSpan(ctx context.Context, repo vcs.Repo, d *runview.Detail) (s span, err error) {
	if d.Branch == "" {
		return s, errTextLog("commits")
	}
	main, err := repo.DefaultBranch(ctx)
	if err != nil {
		return s, err
	}
	if main.IsLocal(vcs.Branch(d.Branch)) {
		return s, web.NotFound("the run works on the default branch, and its text log tells no commits")
	}
	s.base, s.to = vcs.Rev(main), vcs.Rev(d.Branch)
	s.note("a text log tells no commits: this is all that %s has beside %s", d.Branch, main)
	return s, nil
}

// baseOf is the revision on which a commit was made. One that took the place of another stands on what that one stood on.
func baseOf(d *runview.Detail, i int) vcs.Rev {
	for d.Commits[i].Replaced != "" {
		j := slices.IndexFunc(d.Commits[:i], func(c runview.Commit) bool { return c.Rev == d.Commits[i].Replaced })
		if j < 0 {
			return vcs.Rev(d.StartHead)
		}
		i = j
	}
	return before(d, d.Commits[i].Seq)
}

// before is the revision on which the fact seq was made: the newest that the journal names before it.
func before(d *runview.Detail, seq int64) vcs.Rev {
	rev, at := d.StartHead, int64(0)
	for _, one := range d.SessionList {
		if one.Seq < seq && one.Seq > at && one.Head != "" {
			rev, at = one.Head, one.Seq
		}
	}
	for _, c := range d.Commits {
		if c.Seq < seq && c.Seq > at {
			rev, at = c.Rev, c.Seq
		}
	}
	return vcs.Rev(rev)
}

func noBase(rev vcs.Rev) error {
	if rev == "" {
		return web.NotFound("it is the first commit of the repository: there is nothing before it")
	}
	return nil
}

// addNew adds the files that the repository does not know yet.
func addNew(ctx context.Context, repo vcs.Repo, out *web.Diff, s *span) error {
	status, err := repo.Status(ctx)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(repo.Root())
	if err != nil {
		return err
	}
	defer root.Close()
	n := 0
	for _, c := range status.Changes {
		if !c.Untracked() || c.Nested() {
			continue
		}
		if n++; n > maxNewFiles {
			continue
		}
		out.Files = append(out.Files, newFile(root, c.Path))
	}
	if n > maxNewFiles {
		s.note("%d more new files are not shown", n-maxNewFiles)
	}
	return nil
}

func newFile(root *os.Root, name string) web.DiffFile {
	data, err := durable.ReadIn(root, filepath.FromSlash(name), maxNewFile)
	if err != nil {
		f := web.NewFile(name, "", false)
		f.TooBig = true
		return f
	}
	return web.NewFile(name, string(data), bytes.IndexByte(data, 0) >= 0)
}

// leaveOut takes the paths out that were the user's when the run began.
func leaveOut(out *web.Diff, dirty []string, s *span) {
	n := len(out.Files)
	out.Files = slices.DeleteFunc(out.Files, func(f web.DiffFile) bool { return slices.Contains(dirty, f.Path) })
	if left := n - len(out.Files); left > 0 {
		s.note("%d %s not shown: changed before the run began", left, plural(left, "file is", "files are"))
	}
}
