package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"golang.org/x/term"

	"ralphex/internal/config"
	"ralphex/internal/lsp"
	plancheck "ralphex/pkg/plan/check"
)

type lspCmd struct {
	Profile string `help:"Rules that are asked: strict (all) or run (what would make a run fail)." enum:"strict,run" default:"strict" placeholder:"NAME"`
	Stdio   bool   `hidden:"" help:"What editors add; there is no other way."`
}

// Help says how an editor is told.
func (lspCmd) Help() string {
	return `A language server for editors, on stdin and stdout: diagnostics and quick fixes of ralphex check while you type,
the tasks as an outline, and a code action that ticks the box under the cursor. docs/editors.md has the lines for
VS Code, Neovim, Helix and Emacs.

Exit codes are the protocol's: 0 after shutdown and exit, 1 after any other end. Logs go to stderr.`
}

// Run serves one editor.
func (c lspCmd) Run(ctx context.Context, p *Proc, g *root) error {
	if p.In == nil {
		return usage(errors.New("there is no stdin to speak on"), "")
	}
	if term.IsTerminal(int(p.In.Fd())) {
		fmt.Fprintln(p.Err, "ralphex lsp waits for an editor to speak on stdin (docs/editors.md); Ctrl+C ends it")
	}
	signal.Ignore(syscall.SIGPIPE) // an editor that is gone is an error to return, not the end by a signal
	log := slog.New(slog.NewTextHandler(p.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	return lsp.Serve(ctx, p.In, p.Out, lsp.Options{
		Version: versionString(), Alive: alive, Log: log,
		Project: func(file string) lsp.Project { return c.project(p, g, file, log) },
	})
}

// project reads the settings that hold for a file, anew each time: they are small, and may have changed. A setting
// that cannot be read is logged, and the defaults hold.
func (c lspCmd) project(p *Proc, g *root, file string, log *slog.Logger) lsp.Project {
	dir := p.Dir // of a document that is no file yet
	if at := filepath.FromSlash(file); filepath.IsAbs(at) {
		dir = filepath.Dir(at)
	}
	there := *p
	there.Dir = repoRoot(dir)
	var out lsp.Project
	cfg, _, err := config.Load(config.Options{GlobalDir: g.ConfigDir, RepoRoot: there.Dir, Env: p.Env, TrustRepo: true, Executors: executorNames()})
	if err != nil {
		log.Warn("configuration", "error", err)
	} else {
		out.PlansDir = cfg.PlansDir
	}
	out.Check, err = checkCmd{Profile: c.Profile}.options(&there, g)
	if err != nil {
		log.Warn("configuration", "error", err)
		out.Check = plancheck.Options{Profile: plancheck.Profile(c.Profile), LookPath: exec.LookPath}
	}
	return out
}
