package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ralphex/internal/durable"
	"ralphex/pkg/vcs"
)

type integrationsCmd struct {
	GitHook gitHookCmd         `cmd:"" name:"git-hook" help:"Install a pre-commit hook that checks the staged plans."`
	Install commandsInstallCmd `cmd:"" help:"Install command files for Claude Code and Codex: /ralphex, /ralphex-plan, and so on."`
}

type gitHookCmd struct {
	Uninstall bool `help:"Remove the hook, and put back one that it was chained to."`
	Chain     bool `help:"Where there is a hook already: keep it, and run it first."`
	Print     bool `help:"Print the hook and change nothing."`
}

// Help says what the hook does.
func (gitHookCmd) Help() string {
	return `The hook runs ralphex check --staged and ralphex convert --check --staged: a commit with a plan that breaks the format, or with
a plan whose source changed since it was converted, is refused. What is staged counts, not the working file.

A hook of somebody else is never overwritten. core.hooksPath is obeyed; a folder that serves other repositories, too, is
left alone. For the pre-commit framework see docs/pre-commit.md.

Examples:
  ralphex integrations git-hook
  ralphex integrations git-hook --chain        beside a hook that is there
  ralphex integrations git-hook --uninstall`
}

const (
	hookMark = "# ralphex git-hook"
	// hookLines are what a person adds to a hook of their own.
	hookLines = "ralphex check --staged || exit 1\nralphex convert --check --staged || exit 1\n"
	// chainedName is where a hook is kept that ours runs first.
	chainedName = "pre-commit.before-ralphex"
	hookScript  = `#!/bin/sh
` + hookMark + ` 1: checks staged plans; "ralphex integrations git-hook --uninstall" removes it
before="$(dirname "$0")/` + chainedName + `"
if [ -x "$before" ]; then "$before" "$@" || exit $?; fi
if ! command -v ralphex >/dev/null 2>&1; then
	echo "ralphex is not on PATH: the staged plans are not checked" >&2
	exit 0
fi
` + hookLines
)

// Run installs or removes the hook.
func (c gitHookCmd) Run(ctx context.Context, p *Proc) error {
	if c.Print {
		_, err := fmt.Fprint(p.Out, hookScript)
		return err
	}
	dir, err := hooksFolder(ctx, p)
	if err != nil {
		return err
	}
	hook := hookFile{path: filepath.Join(dir, "pre-commit"), chained: filepath.Join(dir, chainedName)}
	hook.shown = relative(p.Dir, hook.path)
	var said string
	if c.Uninstall {
		said, err = hook.uninstall()
	} else {
		said, err = hook.install(c.Chain)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(p.Out, said)
	return nil
}

// hooksFolder is where git looks for the hooks of this repository. A folder outside of it serves others, too.
func hooksFolder(ctx context.Context, p *Proc) (string, error) {
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "--path-format=absolute", "--git-path", "hooks", "--git-common-dir", "--show-toplevel")
	cmd.Dir, cmd.Env = p.Dir, p.Env
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", hinted(fmt.Errorf("%s: %w: %s", p.Dir, vcs.ErrNotRepo, bytes.TrimSpace(exit.Stderr)), "run it inside a Git repository with a working tree")
	}
	if err != nil {
		return "", hinted(fmt.Errorf("run git: %w", err), "install git")
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 3 {
		return "", fmt.Errorf("git rev-parse answers %q", out)
	}
	dir := filepath.FromSlash(lines[0])
	for _, own := range lines[1:] {
		if rel, err := filepath.Rel(filepath.FromSlash(own), dir); err == nil && filepath.IsLocal(rel) {
			return dir, nil
		}
	}
	return "", usage(fmt.Errorf("core.hooksPath is %s, which serves other repositories, too", dir),
		"add these lines to the pre-commit hook there, or set core.hooksPath in this repository:\n"+hookLines)
}

// mostHook is more than a hook of shell takes.
const mostHook = 1 << 20

// hookFile is the pre-commit hook of a repository.
type hookFile struct{ path, chained, shown string }

// state tells whether there is a hook, and whether it is ours.
func (h hookFile) state() (there, ours bool, err error) {
	if _, err := os.Lstat(h.path); errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	}
	text, err := durable.ReadFile(h.path, mostHook)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a link to nothing is somebody's link
		return true, false, fmt.Errorf("read hook: %w", err)
	}
	return true, bytes.Contains(text, []byte("\n"+hookMark)), nil
}

func (h hookFile) install(chain bool) (string, error) {
	there, ours, err := h.state()
	if err != nil {
		return "", err
	}
	said := "installed " + h.shown
	if there && !ours {
		if !chain {
			return "", usage(fmt.Errorf("%s is there already and not of ralphex: nothing is overwritten", h.shown), h.wayOut())
		}
		if _, err := os.Lstat(h.chained); err == nil {
			return "", usage(fmt.Errorf("%s is in the way: a hook was chained before", filepath.Base(h.chained)), "see what it is, and move it away")
		}
		if err := os.Rename(h.path, h.chained); err != nil {
			return "", fmt.Errorf("keep the hook: %w", err)
		}
		said += "; it runs " + filepath.Base(h.chained) + " first, the hook that was there"
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o755); err != nil {
		return "", fmt.Errorf("make folder: %w", err)
	}
	if err := durable.WriteFile(h.path, []byte(hookScript), 0o755); err != nil {
		return "", err
	}
	return said, nil
}

// wayOut says how the hook that is there can do both.
func (h hookFile) wayOut() string {
	text, _ := durable.ReadFile(h.path, mostHook)
	if bytes.Contains(text, []byte("pre-commit.com")) {
		return "it is the pre-commit framework's: add ralphex to .pre-commit-config.yaml, docs/pre-commit.md shows the lines"
	}
	return "ralphex integrations git-hook --chain keeps it and runs it first; or add to it yourself:\n" + hookLines
}

func (h hookFile) uninstall() (string, error) {
	there, ours, err := h.state()
	if err != nil {
		return "", err
	}
	switch {
	case !there:
		return "there is no hook " + h.shown, nil
	case !ours:
		return "", usage(fmt.Errorf("%s is not of ralphex: it stays", h.shown), "take the lines that run ralphex out of it")
	}
	if err := os.Rename(h.chained, h.path); err == nil {
		return "removed the hook, and put back the one before it: " + h.shown, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("put back the hook before: %w", err)
	}
	if err := os.Remove(h.path); err != nil {
		return "", fmt.Errorf("remove hook: %w", err)
	}
	return "removed " + h.shown, nil
}
