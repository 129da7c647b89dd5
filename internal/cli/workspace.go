package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/setup"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

type workspaceCmd struct {
	Init   workspaceInitCmd   `cmd:"" help:"Make a .ralph workspace: objective, task graph, log, doctrine."`
	Adopt  workspaceAdoptCmd  `cmd:"" help:"Give a workspace that lives already its doctrine pack."`
	Doctor workspaceDoctorCmd `cmd:"" help:"Check files, doctrine, settings and locks of the workspace; --fix makes what is missing."`
	Reset  workspaceResetCmd  `cmd:"" help:"Show what a reset would remove; --yes removes it. What people wrote stays."`
	Path   workspacePathCmd   `cmd:"" help:"Print where something of the workspace lies."`
}

type workspaceInitCmd struct {
	Objective string `help:"What is to be built; - reads it from standard input. Without it, prd.md is a placeholder." placeholder:"TEXT"`
	Starter   bool   `name:"starter-tasks" help:"Begin with two tasks: name the first piece of work, then do it."`
	JSON      bool   `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (workspaceInitCmd) Help() string {
	return `Makes prd.md, tasks.json, progress.md, .gitignore and the doctrine pack in .ralph. Where there is an objective already nothing is
touched. Files that are there without one are kept as they are.

Examples:
  ralphex workspace init
  ralphex workspace init --objective 'A rate limiter for the public API'
  ralphex workspace init --objective - < goal.md`
}

// Run makes a workspace.
func (c workspaceInitCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openForChange(ctx, p, "workspace init")
	if err != nil {
		return err
	}
	if c.Objective, err = readText(p, c.Objective, "the objective"); err != nil {
		return err
	}
	made, err := setup.Init(ctx, s.Layout, c.Objective, time.Now())
	if err != nil {
		var there *setup.InitializedError
		if errors.As(err, &there) {
			return usage(err, there.Hint())
		}
		return err
	}
	if c.Starter {
		if _, err := task.At(s.Tasks).Append(ctx, starterTasks()); err != nil {
			return fmt.Errorf("add the starter tasks: %w", err)
		}
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version   int    `json:"version"`
			Workspace string `json:"workspace"`
			setup.Made
		}{1, s.Root, made})
	}
	printPaths(p.Out, "made", made.Created)
	printPaths(p.Out, "kept", made.Present)
	printPaths(p.Out, "replaced", made.Replaced)
	fmt.Fprintf(p.Out, "\nnext: say what is to be built in %s, then ralphex preflight\n", s.Rel(s.PRD))
	return nil
}

// starterTasks are two tasks to begin with, the second of which waits for the first.
func starterTasks() []*task.Draft {
	first, second := &task.Draft{}, &task.Draft{}
	first.Set("id", "T1")
	first.Set("title", "Name the first piece of work")
	first.Set("notes", "Read prd.md, and say in one sentence what the smallest useful result is.")
	second.Set("id", "T2")
	second.Set("title", "Do the first piece of work")
	second.Set("dependsOn", &stable.Array{Items: []any{"T1"}})
	second.Set("notes", "With a test that shows it.")
	return []*task.Draft{first, second}
}

func printPaths(w io.Writer, verb string, paths []string) {
	w = plainly(w)
	for _, path := range paths {
		fmt.Fprintf(w, "%-9s %s\n", verb, path)
	}
}

// openForChange is openStore for a verb that changes something.
func openForChange(ctx context.Context, p *Proc, verb string) (*store, error) {
	if err := refuseInSession(p, verb); err != nil {
		return nil, err
	}
	return openStore(ctx, p)
}

// openToPropose is openStore for a verb that leaves something in a workspace which is there, unless it is only to show it.
func openToPropose(ctx context.Context, p *Proc, verb string, dryRun bool) (*store, error) {
	open := openStore
	if !dryRun {
		open = func(ctx context.Context, p *Proc) (*store, error) { return openForChange(ctx, p, verb) }
	}
	s, err := open(ctx, p)
	if err != nil {
		return nil, err
	}
	return s, s.mustBeWritable()
}

type workspaceAdoptCmd struct {
	JSON bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (workspaceAdoptCmd) Help() string {
	return `Makes the files of .ralph/doctrine that are missing. No word of a file that is there changes; an evidence index that is structurally
invalid is replaced, and its old bytes are kept beside it. A second call changes nothing.

Examples:
  ralphex workspace adopt
  ralphex workspace adopt --json`
}

// Run adopts.
func (c workspaceAdoptCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openForChange(ctx, p, "workspace adopt")
	if err != nil {
		return err
	}
	if err := s.CheckInside(); err != nil {
		return err
	}
	changes, err := doctrine.Adopt(s.Layout, time.Now())
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version int `json:"version"`
			doctrine.Changes
		}{1, changes})
	}
	printPaths(p.Out, "made", changes.Created)
	printPaths(p.Out, "repaired", changes.Repaired)
	printPaths(p.Out, "old bytes", changes.Kept)
	printPaths(p.Out, "present", changes.Present)
	return nil
}

type workspaceResetCmd struct {
	Yes   bool `short:"y" help:"Remove it."`
	Force bool `help:"Also while an agent has a claim."`
	JSON  bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (workspaceResetCmd) Help() string {
	return `Removes what runs left: prompts, runs, handoff, logs, artifacts, state.json. Objective, log, task graph, claims, doctrine, agents and
settings stay as they are. Without --yes it is only shown.

Examples:
  ralphex workspace reset
  ralphex workspace reset --yes`
}

// Run shows, or does, a reset.
func (c workspaceResetCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openForChange(ctx, p, "workspace reset")
	if err != nil {
		return err
	}
	if err := s.mustExist(); err != nil {
		return err
	}
	if c.Yes {
		release, err := s.takeCheckout(durable.Holder{What: "workspace reset"})
		if err != nil {
			return err
		}
		defer release()
	}
	holders, err := setup.ActiveHolders(s.Layout, s.settings.ClaimTTL, time.Now())
	if err != nil && !c.Force {
		return hinted(err, "mend the file, so that it can be seen whether somebody works here; --force resets all the same")
	}
	plan, err := setup.PlanReset(s.Layout, holders, c.Force)
	if err != nil {
		return err
	}
	if c.Yes {
		if err := plan.Apply(ctx, s.Layout); err != nil {
			return err
		}
		if _, err := setup.Ensure(ctx, s.Layout, s.saveState); err != nil {
			return fmt.Errorf("complete the workspace after the reset: %w", err)
		}
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version int  `json:"version"`
			Done    bool `json:"done"`
			setup.ResetPlan
		}{1, c.Yes, plan})
	}
	verb := "would go"
	if c.Yes {
		verb = "removed"
	}
	for _, r := range plan.Remove {
		fmt.Fprintf(p.Out, "%-9s %s  %d %s, %d bytes\n", verb, r.Path, r.Files, plural(r.Files, "file", "files"), r.Bytes)
	}
	printPaths(p.Out, "stays", plan.Keep)
	if !c.Yes {
		fmt.Fprintln(p.Out, "\nnothing was removed; next: ralphex workspace reset --yes")
	}
	return nil
}

type workspacePathCmd struct {
	Name string `arg:"" optional:"" help:"root, ralph, prd, progress, tasks, doctrine, claims, state, prompts, runs, handoff, artifacts, logs, agents, handoffs, settings. Without it, all."`
	JSON bool   `name:"json" help:"Print all as JSON."`
}

// Help shows examples.
func (workspacePathCmd) Help() string {
	return `Settings (ralphCodex.* in .vscode/settings.json, or .ralph/settings.json) may move some of them.

Examples:
  ralphex workspace path tasks
  $EDITOR "$(ralphex workspace path prd)"
  ralphex workspace path --json`
}

// Run prints one path, or all.
func (c workspacePathCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	names, paths := storePaths(s)
	if c.JSON {
		return printJSON(p.Out, map[string]any{"version": 1, "paths": paths})
	}
	if c.Name != "" {
		path, ok := paths[c.Name]
		if !ok {
			return usage(fmt.Errorf("no such place: %s", c.Name), "one of "+strings.Join(names, ", "))
		}
		fmt.Fprintln(p.Out, path)
		return nil
	}
	for _, n := range names {
		mark := ""
		if _, err := os.Stat(paths[n]); err != nil {
			mark = "  (not there)"
		}
		fmt.Fprintf(p.Out, "%-10s %s%s\n", n, paths[n], mark)
	}
	return nil
}

func storePaths(s *store) (names []string, paths map[string]string) {
	paths = map[string]string{}
	for _, e := range [][2]string{{"root", s.Root}, {"ralph", s.Ralph}, {"prd", s.PRD}, {"progress", s.Progress}, {"tasks", s.Tasks}, {"doctrine", s.Doctrine},
		{"claims", s.Claims}, {"state", s.State}, {"prompts", s.Prompts}, {"runs", s.Runs}, {"handoff", s.Handoff}, {"artifacts", s.Artifacts},
		{"logs", s.Logs}, {"agents", s.Agents}, {"handoffs", s.Handoffs}, {"settings", s.Settings}} {
		names = append(names, e[0])
		paths[e[0]] = e[1]
	}
	return names, paths
}
