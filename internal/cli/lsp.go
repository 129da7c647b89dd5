package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
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
		Project: func(file string) lsp.Project { return c.project(p, g.ConfigDir, file, log) },
	})
}

// project reads the settings that hold for a file, anew each time: they are small, and may have changed. A setting
// that cannot be read is logged, and the defaults hold.
func (c lspCmd) project(p *Proc, configDir, file string, log *slog.Logger) lsp.Project {
	root := projectRoot(file, p.Dir)
	from := config.Options{GlobalDir: configDir, RepoRoot: root, Env: p.Env, TrustRepo: true, Executors: executorNames()}
	out := lsp.Project{Check: plancheck.Options{Profile: plancheck.Profile(c.Profile), LookPath: exec.LookPath}}
	cfg, _, err := config.Load(from)
	if err != nil {
		log.Warn("configuration", "error", err)
	} else {
		out.PlansDir = cfg.PlansDir
	}
	out.Check.Severities, err = c.severities(from, log)
	if err != nil {
		log.Warn("configuration", "error", err)
	}
	return out
}

// severities are those that the settings give to rules.
func (lspCmd) severities(from config.Options, log *slog.Logger) (map[string]plancheck.Severity, error) {
	var rules, words []string
	for _, r := range plancheck.Rules() {
		rules = append(rules, r.ID)
	}
	for _, s := range plancheck.Severities() {
		words = append(words, string(s))
	}
	set, warnings, err := config.LoadChecks(from, rules, words)
	for _, w := range warnings {
		log.Warn("configuration", "warning", w.String())
	}
	out := make(map[string]plancheck.Severity, len(set))
	for id, s := range set {
		out[id] = plancheck.Severity(s)
	}
	return out, err
}

// projectRoot is the folder above a file that holds a repository or ralphex's settings. Without one, and for a document
// that is no file, it is that of dir, or dir itself.
func projectRoot(file, dir string) string {
	for _, start := range []string{filepath.Dir(filepath.FromSlash(file)), dir} {
		if !filepath.IsAbs(start) {
			continue
		}
		for at := start; ; at = filepath.Dir(at) {
			for _, sign := range []string{".git", ".hg", ".ralphex"} {
				if _, err := os.Stat(filepath.Join(at, sign)); err == nil {
					return at
				}
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return dir
}
