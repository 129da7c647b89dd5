package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ralphex/internal/workspace"
	"ralphex/pkg/processor"
)

//go:embed demo
var demoFiles embed.FS

type demoCmd struct {
	Dir string `help:"Make the repository here; the folder must not exist or be empty (default: a new temporary folder)." placeholder:"DIR"`
}

// Help says what happens.
func (demoCmd) Help() string {
	return `Makes a Git repository with a small plan whose steps are shell blocks, and runs it for real: branch, sessions, validation
commands, commits, archive. The agent is the embedded runbook executor; no network is used. The folder stays.`
}

// demoPlan is where the plan lies in the demo's repository.
const demoPlan = "docs/plans/word-counter.md"

// Run shows a run.
func (c demoCmd) Run(ctx context.Context, p *Proc, g *root) error {
	dir, err := c.folder(p)
	if err != nil {
		return err
	}
	if err := seedDemo(ctx, dir, p.Env); err != nil {
		return fmt.Errorf("make the demo repository: %w", err)
	}
	noConfig := filepath.Join(dir, storeDir, "demo-config") // the person's own settings stay out of the demo
	if err := errors.Join(workspace.EnsureSelfIgnored(filepath.Dir(noConfig)), os.MkdirAll(noConfig, 0o750)); err != nil {
		return err
	}
	fmt.Fprintf(p.Out, "demo repository: %s\n$ ralphex --tasks-only --executor runbook %s\n\n", dir, demoPlan)
	inDemo := *p
	inDemo.Dir = dir
	inDemo.Env = demoEnv(p.Env)
	err = work(ctx, &inDemo, runOptions{plan: demoPlan, mode: processor.ModeTasksOnly, plain: g.NoColor,
		flags: map[string]string{"executor": "runbook", "iteration_delay_ms": "0"}, configDir: noConfig})
	if err != nil {
		return err
	}
	log, err := exec.CommandContext(ctx, "git", "-C", dir, "log", "--oneline", "--stat", "--format=%h %s").Output()
	if err != nil {
		return fmt.Errorf("show the commits: %w", err)
	}
	fmt.Fprintf(p.Out, "\n$ git log --stat\n%s\nLook around: cd %s\nThe plan, ticked: %s\n", log, dir, filepath.Join("docs", "plans", "completed", "word-counter.md"))
	return nil
}

// folder makes or checks the place of the demo.
func (c demoCmd) folder(p *Proc) (string, error) {
	if c.Dir == "" {
		return os.MkdirTemp("", "ralphex-demo-")
	}
	dir := c.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.Dir, dir)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return dir, os.MkdirAll(dir, 0o755)
	case err != nil:
		return "", usage(err, "")
	case len(entries) > 0:
		return "", usage(fmt.Errorf("%s is not empty", c.Dir), "name a folder that does not exist yet")
	}
	return dir, nil
}

// seedDemo makes the repository as it is before the run.
func seedDemo(ctx context.Context, dir string, env []string) error {
	for name, from := range map[string]string{demoPlan: "demo/plan.md", "test/run.sh": "demo/run.sh"} {
		text, err := demoFiles.ReadFile(from)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"config", "user.name", "ralphex demo"}, {"config", "user.email", "demo@example.org"}, {"config", "commit.gpgsign", "false"},
		{"add", "test/run.sh"}, {"commit", "-q", "-m", "a test runner"},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir, cmd.Env = dir, demoEnv(env)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
		}
	}
	return nil
}

// demoEnv keeps the person's git hooks, templates and configuration out of the demo, and ralphex's, too.
func demoEnv(env []string) []string {
	out := make([]string, 0, len(env)+2)
	for _, kv := range env {
		if !strings.HasPrefix(kv, "RALPHEX_") && !strings.HasPrefix(kv, "GIT_") {
			out = append(out, kv)
		}
	}
	return append(out, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
}
