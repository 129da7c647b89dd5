package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/price"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/task"
	plancheck "ralphex/pkg/plan/check"
	"ralphex/pkg/plan/convert"
	"ralphex/pkg/vcs"
)

// taskWords are the words that a field takes.
func taskWords(field string) []string {
	switch field {
	case "status":
		return asStrings(task.Statuses...)
	case "priority":
		return asStrings(task.Low, task.Normal, task.High)
	case "mode":
		return asStrings(task.Default, task.Documentation)
	case "tier":
		return asStrings(task.Simple, task.Medium, task.Complex)
	}
	return nil
}

func asStrings[T ~string](list ...T) []string {
	var out []string
	for _, w := range list {
		out = append(out, string(w))
	}
	return out
}

func taskIDs(ctx context.Context, p *Proc) []string {
	b, err := openBacklog(ctx, p, false)
	if err != nil {
		return nil
	}
	return ids(b.in.File.Tasks)
}

// claimedTasks are those whose claim a person can resolve.
func claimedTasks(ctx context.Context, p *Proc) []string {
	s, claims, err := openClaims(ctx, p)
	if err != nil {
		return nil
	}
	file, err := claims.Read(ctx)
	if err != nil {
		return nil
	}
	var out []string
	for _, t := range file.Inspect(time.Now(), s.settings.ClaimTTL).Tasks {
		if t.Canonical.Status == claim.Active && t.Canonical.Stale {
			out = append(out, t.TaskID)
		}
	}
	return out
}

func ruleIDs() []string {
	var out []string
	for _, r := range plancheck.Rules() {
		out = append(out, string(r.ID))
	}
	return out
}

func sourceFormats() []string {
	var out []string
	for _, f := range convert.Formats() {
		out = append(out, string(f.Format))
	}
	return out
}

// placeNames are the places of a workspace, whether there is one or not.
func placeNames() []string {
	names, _ := storePaths(&store{})
	return names
}

// keyChoices are what the setting behind a flag may be; nil = anything.
func keyChoices(flag string) []string {
	for _, k := range config.Keys() {
		if k.Flag == flag {
			return k.Choices
		}
	}
	return nil
}

// modelNames are the models whose prices are known, and the short names of claude's.
func modelNames() []string {
	out := []string{"opus", "sonnet", "haiku"}
	list, err := price.Load()
	if err != nil {
		return out
	}
	for _, r := range list.Rows() {
		if name := strings.TrimSuffix(r.Model, "*"); !strings.Contains(name, "-20") {
			out = append(out, name)
		}
	}
	return out
}

// planWords are the plans of the plans folder, as one types them in this folder.
func planWords(ctx context.Context, p *Proc) []string {
	repo, err := openRepo(ctx, p)
	if err != nil {
		return nil
	}
	cfg, _, err := config.Load(config.Options{GlobalDir: p.layers.GlobalDir, RepoRoot: repo.Root(), Env: p.Env, TrustRepo: true, Executors: executorNames()}) // nothing of it is run
	if err != nil {
		return nil
	}
	found, err := plansIn(filepath.Join(repo.Root(), filepath.FromSlash(cfg.PlansDir)))
	if err != nil {
		return nil
	}
	for i, f := range found {
		found[i] = filepath.ToSlash(relative(p.Dir, f))
	}
	return found
}

// treeNames are the worktrees of runs.
func treeNames(ctx context.Context, p *Proc) []string {
	l, err := lookAtTrees(ctx, p, &root{ConfigDir: p.layers.GlobalDir}, false)
	if err != nil {
		return nil
	}
	var out []string
	for _, i := range l.infos {
		out = append(out, i.Name)
	}
	return out
}

// keptWords are runs that copies of the working tree were kept of, and behind a run its copies.
func keptWords(ctx context.Context, p *Proc, args []string) []string {
	if len(args) > 1 {
		return nil
	}
	var c restoreCmd
	if len(args) == 1 {
		c.ID = args[0]
	}
	repo, err := openRepo(ctx, p)
	if err != nil {
		return nil
	}
	store, err := vcs.Snapshots(repo)
	if err != nil {
		return nil
	}
	copies, err := c.find(ctx, p, repo, store)
	if err != nil || len(copies) == 0 {
		return nil
	}
	var out []string
	for _, k := range copies {
		if len(args) == 1 {
			out = append(out, k.Name)
		} else {
			out = append(out, k.Run)
		}
	}
	if len(args) == 0 {
		out = append(slices.Compact(out), "last")
	}
	return out
}

// channelNames are the kinds of channels that a message can go to.
func channelNames() []string {
	return []string{"telegram", "email", "slack", "webhook", "custom", "desktop", "discord", "ntfy"}
}

// livingIDs are the runs that go on.
func livingIDs(ctx context.Context, p *Proc) []string {
	repo, err := runsRepo(ctx, p)
	if err != nil {
		return nil
	}
	runs, err := livingRuns(repo.Root())
	if err != nil {
		return nil
	}
	var ids []string
	for _, l := range runs {
		ids = append(ids, l.Run)
	}
	return ids
}
