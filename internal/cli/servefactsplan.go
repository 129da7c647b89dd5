package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/web"
	runview "ralphex/internal/web/view"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// Plan is the plan of a run where it is now: the worktree's copy while there is one, else the checkout's; renamed by its date, or archived. Of a run that
// is over, while another branch is checked out, it is the plan that the run's last commit has. The task at which the run works is active, whatever its
// boxes say.
func (f *pageFacts) Plan(ctx context.Context, run runview.Run) (web.Plan, error) {
	if run.PlanPath == "" {
		return web.Plan{}, web.NotFound("this run has no plan")
	}
	if path.Ext(filepath.ToSlash(run.PlanPath)) != ".md" {
		return web.Plan{}, web.NotFound("%s is no plan: plans are .md files", run.PlanPath)
	}
	folders := []string{run.Root}
	if run.Worktree != "" || run.State.Over() {
		p, dir, err := f.planOfBranch(ctx, run)
		if err != nil {
			return web.Plan{}, err
		}
		if p != nil {
			return *p, nil
		}
		if dir != run.Root {
			folders = []string{dir, run.Root}
		}
	}
	for _, dir := range folders {
		p, err := planBelow(dir, run)
		if !errors.Is(err, fs.ErrNotExist) {
			return p, err
		}
	}
	return web.Plan{}, &web.Refusal{Status: 404, Code: "not_found", Message: fmt.Sprintf("the plan %s is not there", run.Plan),
		Next: "another branch may be checked out: the run works on " + run.Branch}
}

// planOfBranch finds the folder that the run works in, and the plan of its last commit, if that is what counts: nil = it is not, or not to be had.
func (f *pageFacts) planOfBranch(ctx context.Context, run runview.Run) (p *web.Plan, dir string, err error) {
	ctx, end, err := f.begin(ctx)
	if err != nil {
		return nil, "", err
	}
	defer end()
	repo, err := f.place(ctx, run)
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, new(*web.Refusal)) {
		return nil, run.Root, nil // a folder of files is good enough for a plan
	}
	if err != nil {
		return nil, "", err
	}
	dir = repo.Root()
	head, err := repo.Head(ctx)
	if err != nil || !run.State.Over() || run.Branch == "" || string(head.Branch) == run.Branch {
		return nil, dir, nil
	}
	rev := vcs.Rev(run.Branch)
	if run.Source == runview.Journal {
		d, err := fold(run)
		if err != nil || len(d.Commits) == 0 {
			return nil, dir, nil
		}
		rev = vcs.Rev(d.Commits[len(d.Commits)-1].Rev)
	}
	if rev == head.Rev {
		return nil, dir, nil
	}
	for _, name := range planNames(run, dir) {
		src, err := vcs.File(ctx, repo, rev, filepath.ToSlash(name), plan.MaxSize)
		if err != nil {
			continue // the checkout is looked at then
		}
		if parsed, err := plan.ParsePlan(src); err == nil {
			shown := shownOf(parsed, name, src, run)
			return &shown, dir, nil
		}
	}
	return nil, dir, nil
}

// planBelow reads the plan of a run below a folder, out of which no link leads.
func planBelow(dir string, run runview.Run) (web.Plan, error) {
	names := planNames(run, dir)
	if len(names) == 0 {
		return web.Plan{}, web.NotFound("the plan %s lies outside of the repository: it is not shown", run.PlanPath)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return web.Plan{}, err
	}
	defer root.Close()
	for _, name := range names {
		src, err := durable.ReadIn(root, name, plan.MaxSize)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return web.Plan{}, web.NotFound("the plan can't be read: %v", err)
		}
		p, err := plan.ParsePlan(src)
		if err != nil {
			return web.Plan{}, fmt.Errorf("%s: %w", filepath.ToSlash(name), err)
		}
		return shownOf(p, name, src, run), nil
	}
	return web.Plan{}, fs.ErrNotExist
}

// relativeTo are the paths that a path may be below any of some folders. Where one lies within another, it comes first.
func relativeTo(name string, folders ...string) (found []string) {
	for _, from := range folders {
		if from == "" {
			continue
		}
		for _, pair := range [][2]string{{from, name}, {workspace.Settled(from), workspace.Settled(name)}, {workspace.Settled(from), name}} {
			if rel, err := filepath.Rel(pair[0], pair[1]); err == nil && filepath.IsLocal(rel) && !slices.Contains(found, rel) {
				found = append(found, rel)
			}
		}
	}
	return found
}

// planNames are the names by which the plan of a run may be found below a folder, the likeliest first.
func planNames(run runview.Run, dir string) (names []string) {
	for _, at := range relativeTo(run.PlanPath, run.Worktree, dir, run.Root) {
		names = append(names, renamed(at)...)
	}
	return names
}

// renamed are the names that a plan may have got, as plan.Locate has them; and, where it was archived in another checkout, its place before that.
func renamed(at string) []string {
	dir, base := filepath.Split(at)
	names := []string{at}
	alternate, dated := plan.AlternateName(base)
	if dated {
		names = append(names, filepath.Join(dir, alternate))
	}
	names = append(names, filepath.Join(dir, plan.CompletedDir, base))
	if dated {
		names = append(names, filepath.Join(dir, plan.CompletedDir, alternate))
	}
	if filepath.Base(filepath.Clean(dir)) == plan.CompletedDir {
		up := filepath.Dir(filepath.Clean(dir))
		names = append(names, filepath.Join(up, base))
		if dated {
			names = append(names, filepath.Join(up, alternate))
		}
	}
	return names
}

// shownOf is a plan as the page has it.
func shownOf(p *plan.Plan, name string, src []byte, run runview.Run) web.Plan {
	out := web.Plan{Path: filepath.ToSlash(name), Title: p.Title, Markdown: strings.ToValidUTF8(string(src), "\uFFFD"), Tasks: []web.PlanTask{}, Commands: []event.Command{},
		Archived: filepath.Base(filepath.Dir(name)) == plan.CompletedDir}
	for _, t := range p.Tasks {
		one := web.PlanTask{Pos: t.Position, ID: t.ID, Number: t.Number, Title: t.Title, Status: string(t.Status), Line: t.Line, Checkboxes: []web.PlanBox{}}
		if t.Position == run.Task && !run.State.Over() {
			one.Status = string(plan.TaskStatusActive)
		}
		for _, b := range t.Checkboxes {
			one.Checkboxes = append(one.Checkboxes, web.PlanBox{Text: b.Text, Checked: b.Checked, Manual: b.State == plan.BoxManual})
		}
		out.Tasks = append(out.Tasks, one)
	}
	for _, c := range p.ValidationCommands {
		out.Commands = append(out.Commands, event.Command{Text: c.Text, Line: c.Line})
	}
	return out
}
