package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
)

type doctorCmd struct {
	TrustRepo bool `name:"trust-repo-config" help:"Look as a run with this flag would: obey commands that this repository's .ralphex/config names."`
	JSON      bool `name:"json" help:"Print it as JSON."`
}

// Help says what is checked.
func (doctorCmd) Help() string {
	return `Checks what a run needs and changes nothing. Exit 1 when something would stop a run; warnings don't count.`
}

// check is one line of the doctor.
type check struct {
	Name  string `json:"name"`
	State string `json:"state"` // ok, warn, fail
	Text  string `json:"text"`
	Next  string `json:"next,omitempty"`
}

// Run checks.
func (c doctorCmd) Run(ctx context.Context, p *Proc, g *root) error {
	p.layers.TrustRepo = c.TrustRepo
	checks := examine(ctx, p, g.ConfigDir)
	if c.JSON {
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(map[string]any{"version": 1, "checks": checks}); err != nil {
			return err
		}
	} else {
		printChecks(p.Out, checks)
	}
	for _, k := range checks {
		if k.State == "fail" {
			return &exitError{code: exitFailed}
		}
	}
	return nil
}

func printChecks(w io.Writer, checks []check) {
	mark := map[string]string{"ok": "✓", "warn": "!", "fail": "✗"}
	for _, k := range checks {
		fmt.Fprintf(w, "%s %-14s %s\n", mark[k.State], k.Name, k.Text)
		if k.Next != "" {
			fmt.Fprintf(w, "  %-14s next: %s\n", "", strings.ReplaceAll(k.Next, "\n", fmt.Sprintf("\n  %-14s       ", "")))
		}
	}
}

func examine(ctx context.Context, p *Proc, configDir string) []check {
	var out []check
	add := func(name string, err error, text string) {
		k := check{Name: name, State: "ok", Text: text}
		if err != nil {
			k.State, k.Text, k.Next = "fail", err.Error(), hintOf(err)
		}
		out = append(out, k)
	}
	add("ralphex", nil, versionString())
	repo, err := openRepo(ctx, p)
	if _, bad := errors.AsType[*settingsError](err); bad { // its own line tells it; the rest is looked at all the same
		repo, err = openRepoBy(ctx, p, vcs.Options{})
	}
	if err != nil || repo.Kind() == "git" {
		add("git", gitVersion(ctx, p), "found")
	}
	if err != nil {
		add("repository", err, "")
		return append(out, examineConfig(ctx, p, "", configDir)...)
	}
	head, err := repo.Head(ctx)
	where := string(head.Branch)
	if head.Detached {
		where = "detached HEAD: a run is refused here"
	}
	add("repository", err, repo.Root()+" on "+where)
	out = append(out, backendCheck(repo))
	add("identity", repo.Identity(ctx), "commits have an author")
	busy, err := repo.InProgress(ctx)
	if err == nil && busy != "" {
		err = hinted(fmt.Errorf("a %s is in progress", busy), vcs.VerbsOf(repo).Ways().Unfinished[busy])
	}
	add("state", err, "no merge or rebase in progress")
	if r, ok := repo.(vcs.IgnoreAdviser); ok {
		if lines, err := r.IgnoreAdvice(ctx); err == nil && lines != "" {
			out = append(out, check{Name: "ignored", State: "warn", Text: "your own status shows the folders of ralphex", Next: lines})
		}
	}
	out = append(out, startCheck(ctx, repo)...)
	holder, held, err := durable.Probe(filepath.Join(repo.Root(), storeDir, "run.lock"))
	text := "free"
	if held {
		text = "held by " + holder.String()
	}
	add("run lock", err, text)
	return append(out, examineConfig(ctx, p, repo.Root(), configDir)...)
}

// backendCheck names who answers for the repository, and what that one can't do.
func backendCheck(repo vcs.Repo) check {
	note := repo.Caps().Note
	if note == "" {
		return check{Name: "backend", State: "ok", Text: repo.Kind()}
	}
	return check{Name: "backend", State: "warn", Text: repo.Kind() + ": " + note, Next: "see docs/vcs.md"}
}

// startCheck asks what a run would be asked: can it begin on the tree as it is?
func startCheck(ctx context.Context, repo vcs.Repo) []check {
	ready, err := workspace.Check(ctx, repo, workspace.Options{Verbs: vcs.VerbsOf(repo)})
	if err != nil {
		return []check{{Name: "start", State: "fail", Text: firstLine(err.Error()), Next: hintOf(err)}}
	}
	if n := len(ready.Changes); n > 0 && ready.OnDefault() {
		return []check{{Name: "start", State: "warn", Text: fmt.Sprintf("%d changed %s on %s: a run refuses to begin there, unless it is only the plan", n, plural(n, "path", "paths"), ready.Start.Branch),
			Next: ready.ClearWay()}}
	}
	return []check{{Name: "start", State: "ok", Text: "the working tree lets a run begin"}}
}

// examineConfig reports configuration and agents: the one that a run would use must be there, others may.
func examineConfig(ctx context.Context, p *Proc, repoRoot, configDir string) []check {
	var out []check
	load := config.Options{GlobalDir: configDir, RepoRoot: repoRoot, Env: p.Env, TrustRepo: p.layers.TrustRepo, Executors: executorNames()}
	load.Trusted = trusted(p, load)
	cfg, warnings, err := config.Load(load)
	if errors.Is(err, config.ErrUntrusted) {
		out = append(out, check{Name: "trust", State: "fail", Text: err.Error(), Next: hintOf(err)})
		load.TrustRepo = true
		cfg, warnings, err = config.Load(load)
	} else if w, werr := lookForTrust(load); werr == nil && len(w.commands) > 0 && repoRoot != "" {
		out = append(out, check{Name: "trust", State: "ok", Text: "the repository's own commands are allowed: " + strings.Join(w.lines(), ", ")})
	}
	for _, w := range warnings {
		out = append(out, check{Name: "configuration", State: "warn", Text: w.String()})
	}
	if err != nil {
		return append(out, check{Name: "configuration", State: "fail", Text: err.Error(), Next: hintOf(err)})
	}
	out = append(out, check{Name: "configuration", State: "ok", Text: "read"})
	if n, err := newNotifier(cfg, cmp.Or(repoRoot, p.Dir), p.Env); err != nil {
		out = append(out, check{Name: "notifications", State: "fail", Text: err.Error(), Next: hintOf(err)})
	} else if names := n.Channels(); len(names) > 0 {
		out = append(out, check{Name: "notifications", State: "ok", Text: strings.Join(names, ", ") + "; ralphex notify test tries them"})
	}
	return append(out, examineAgents(ctx, p, cfg)...)
}

func sourceOfExecutor(cfg *config.Config) string {
	if cfg.TaskExecutor != "" {
		return cfg.Source("task_executor")
	}
	return cfg.Source("executor")
}

func gitVersion(ctx context.Context, p *Proc) error {
	cmd := exec.CommandContext(ctx, "git", "version")
	cmd.Env = p.Env
	out, err := cmd.Output()
	if err != nil {
		return hinted(fmt.Errorf("run git: %w", err), "install git")
	}
	if !strings.HasPrefix(string(out), "git version") {
		return fmt.Errorf("git answers %q", strings.TrimSpace(string(out)))
	}
	return nil
}
