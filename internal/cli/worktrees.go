package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/journal"
	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
)

type worktreesCmd struct {
	List worktreesListCmd `cmd:"" default:"withargs" help:"Show who works where, and what is left over."`
	GC   worktreesGCCmd   `cmd:"" name:"gc" help:"Remove worktrees that are merged and clean."`
	Open worktreesOpenCmd `cmd:"" help:"Print the folder of a worktree."`
}

// Help shows examples.
func (worktreesCmd) Help() string {
	return `Examples:
  ralphex worktrees
  ralphex worktrees gc --dry-run
  cd "$(ralphex worktrees open feature)"

States: running, dirty (uncommitted changes, an unfinished merge), unmerged (clean, with commits of its own), merged (clean, nothing of its
own), missing (its folder is gone), broken (its folder does not lead to the repository any more). docs/worktrees.md has the rest.`
}

type worktreesListCmd struct {
	JSON bool `name:"json" help:"Print it as JSON."`
}

type worktreesOpenCmd struct {
	Name string `arg:"" optional:"" help:"Name, branch or run, or the beginning of one; not needed where there is only one worktree."`
	JSON bool   `name:"json" help:"Print all that is known of it as JSON."`
}

// Help shows examples.
func (worktreesOpenCmd) Help() string {
	return `Examples:
  cd "$(ralphex worktrees open feature)"
  git -C "$(ralphex worktrees open feature)" log --oneline main..`
}

// worktreeInfo is one worktree as JSON.
type worktreeInfo struct {
	Name    string              `json:"name"`
	Dir     string              `json:"dir"`
	Branch  string              `json:"branch,omitempty"`
	State   workspace.TreeState `json:"state"`
	Why     string              `json:"why,omitempty"`
	Run     string              `json:"run,omitempty"`
	Plan    string              `json:"plan,omitempty"`
	Outcome string              `json:"outcome,omitempty"` // of the run; empty = it did not come to an end
	Host    string              `json:"host,omitempty"`    // the machine that the run was started on
	Last    *time.Time          `json:"last,omitempty"`    // the run's newest event
	Ignored []string            `json:"ignored,omitempty"` // what would go with it

	tree vcs.Worktree
}

type worktreesReport struct {
	Version   int            `json:"version"`
	Root      string         `json:"root"`
	Worktrees []worktreeInfo `json:"worktrees"`
}

// treeList is a look at the worktrees of runs.
type treeList struct {
	*job
	repo  workspace.TreeRepo // the main checkout
	base  string
	infos []worktreeInfo
}

// lookAtTrees finds the worktrees of runs: those in the folder of worktrees, and those that a journal names.
// With hold no start takes one of them until the caller calls releaseStart.
func lookAtTrees(ctx context.Context, p *Proc, g *root, hold bool) (*treeList, error) {
	j := &job{proc: p, opts: runOptions{configDir: g.ConfigDir}}
	if err := j.openRepo(ctx); err != nil {
		return nil, err
	}
	main, err := mainCheckout(ctx, p, j.repo)
	if err != nil {
		return nil, err
	}
	j.repo, j.home = main, main
	trees, err := workspace.Trees(main)
	if err != nil {
		return nil, err
	}
	if j.cfg, err = loadSettings(p, g, main.Root()); err != nil {
		return nil, err
	}
	l := &treeList{job: j, repo: trees}
	if l.base, err = j.treeBase(main.Root()); err != nil {
		return nil, err
	}
	l.tree = &treeJob{repo: l.repo, base: l.base}
	if hold {
		if err := l.holdStart(ctx); err != nil {
			return nil, err
		}
	}
	if err := l.look(ctx); err != nil {
		l.releaseStart()
		return nil, err
	}
	return l, nil
}

func (l *treeList) look(ctx context.Context) error {
	list, err := l.repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	runs, err := journal.ListRuns(l.store("events"))
	if err != nil {
		return err
	}
	newest := map[string]journal.Summary{}
	for _, r := range runs {
		if _, ok := newest[r.Start.Worktree]; !ok && r.Start.Worktree != "" {
			newest[r.Start.Worktree] = r
		}
	}
	into, err := l.mergedInto(ctx)
	if err != nil {
		return err
	}
	for _, w := range list {
		run, known := newest[w.Dir]
		if rel, err := filepath.Rel(l.base, w.Dir); w.Main || !known && (err != nil || !filepath.IsLocal(rel)) {
			continue
		}
		look, err := workspace.LookAt(ctx, l.repo, w, into, func(ctx context.Context, dir string) (workspace.LeaveRepo, error) {
			return openLeaving(ctx, l.proc, dir)
		})
		if err != nil {
			return err
		}
		info := worktreeInfo{Name: workspace.TreeName(l.base, w.Dir), Dir: w.Dir, Branch: string(w.Branch), State: look.State, Why: firstLine(look.Why),
			Ignored: look.Ignored, tree: w}
		if known {
			info.Run, info.Plan, info.Last = string(run.Run), relative(l.home.Root(), run.Start.Plan), &run.Last
			info.Host = run.Start.Host
			if run.End != nil {
				info.Outcome = string(run.End.Outcome)
			}
		}
		l.infos = append(l.infos, info)
	}
	return nil
}

// mergedInto are the commits that count: a branch that one of them holds is merged.
func (l *treeList) mergedInto(ctx context.Context) ([]vcs.Rev, error) {
	var into []vcs.Rev
	head, err := l.home.Head(ctx)
	if err != nil {
		return nil, err
	}
	if head.Rev != "" {
		into = append(into, head.Rev)
	}
	def := vcs.Branch(l.cfg.DefaultBranch)
	if def == "" {
		if def, err = l.home.DefaultBranch(ctx); err != nil {
			return nil, err
		}
	}
	if g, ok := l.home.(vcs.Grower); ok && g.Public() != "" {
		return into, nil // its own word for what is public is no branch; what was pushed is what counts, see workspace.LookAt
	}
	if exists, err := l.home.BranchExists(ctx, def); err != nil || !exists {
		return into, err
	}
	return append(into, vcs.Rev("refs/heads/"+string(def))), nil
}

func openLeaving(ctx context.Context, p *Proc, dir string) (workspace.LeaveRepo, error) {
	repo, err := openRepo(ctx, p.at(dir))
	if err != nil {
		return nil, err
	}
	leave, ok := repo.(workspace.LeaveRepo)
	if !ok {
		return nil, vcs.ErrUnsupported
	}
	return leave, nil
}

// Run lists the worktrees.
func (c worktreesListCmd) Run(ctx context.Context, p *Proc, g *root) error {
	l, err := lookAtTrees(ctx, p, g, false)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(p.Out, worktreesReport{Version: 1, Root: l.home.Root(), Worktrees: append([]worktreeInfo{}, l.infos...)})
	}
	out := plainly(p.Out)
	if len(l.infos) == 0 {
		fmt.Fprintln(out, "no worktrees of runs in this repository")
	}
	for _, i := range l.infos {
		fmt.Fprintf(out, "%-8s  %s", i.State, i.Name)
		if i.Branch != "" && i.Branch != i.Name {
			fmt.Fprintf(out, "  on %s", i.Branch)
		}
		if i.Run != "" {
			outcome := i.Outcome
			if outcome == "" && i.State != workspace.TreeRunning {
				outcome = "died"
			}
			fmt.Fprintf(out, "  %s  run %s %s  %s", i.Plan, i.Run, outcome, i.Last.Local().Format("2006-01-02 15:04"))
			if own, err := os.Hostname(); err == nil && i.Host != "" && i.Host != own {
				fmt.Fprintf(out, " on %s", i.Host)
			}
		}
		fmt.Fprintln(out)
		if i.Why != "" {
			fmt.Fprintf(out, "          %s\n", i.Why)
		}
	}
	return nil
}

// Run prints a path.
func (c worktreesOpenCmd) Run(ctx context.Context, p *Proc, g *root) error {
	l, err := lookAtTrees(ctx, p, g, false)
	if err != nil {
		return err
	}
	i, err := l.find(c.Name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(i.Dir); err != nil {
		return hinted(fmt.Errorf("the folder of worktree %s is gone: %s", i.Name, i.Dir), "the command of its run makes it anew; ralphex worktrees gc forgets it")
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version int `json:"version"`
			worktreeInfo
		}{1, i})
	}
	_, err = fmt.Fprintln(p.Out, i.Dir)
	return err
}

// find is the worktree that a word means.
func (l *treeList) find(word string) (worktreeInfo, error) {
	var names []string
	var near []worktreeInfo
	for _, i := range l.infos {
		names = append(names, i.Name)
		if word == i.Name || word == i.Branch || word == i.Run || word != "" && word == i.Plan {
			return i, nil
		}
		if strings.HasPrefix(i.Name, word) || strings.HasPrefix(i.Branch, word) || strings.HasPrefix(i.Run, word) {
			near = append(near, i)
		}
	}
	there := "there are: " + strings.Join(names, ", ")
	switch {
	case len(names) == 0:
		return worktreeInfo{}, hinted(errors.New("no worktrees of runs in this repository"), "ralphex --worktree PLAN makes one")
	case len(near) == 1:
		return near[0], nil
	case word == "":
		return worktreeInfo{}, usage(errors.New("which worktree?"), there)
	case len(near) > 1:
		return worktreeInfo{}, usage(fmt.Errorf("%s may mean %d worktrees", word, len(near)), there)
	}
	return worktreeInfo{}, usage(fmt.Errorf("no worktree %s", word), there)
}
