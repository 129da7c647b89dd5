package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/term"

	"ralphex/internal/sandbox"
	"ralphex/pkg/vcs"
)

type sandboxCmd struct {
	Engine      string   `default:"" enum:",docker,podman" help:"docker or podman (default: the one that is there)." placeholder:"NAME"`
	Image       string   `default:"ralphex" env:"RALPHEX_IMAGE" help:"Image with ralphex and its agents (default ralphex; docs/sandbox.md has how to make one)."`
	Credentials []string `help:"Give the container the login of an agent: claude, codex, gemini, opencode, qwen." placeholder:"AGENT"`
	Env         []string `short:"E" sep:"none" help:"Give it a variable: NAME as it is here, or NAME=value." placeholder:"NAME"`
	Mount       []string `sep:"none" help:"Give it a folder or a file: PATH to read, PATH:rw to write, too." placeholder:"PATH"`
	Network     string   `help:"Network of the container, in the engine's words: none, bridge, …" placeholder:"NAME"`
	NoSettings  bool     `help:"Leave out your own settings, prompts and agents."`
	DryRun      bool     `help:"Print the command and start nothing."`
	Args        []string `arg:"" optional:"" passthrough:"" help:"What ralphex gets: a plan, flags, a command."`
}

// Help says what the container sees.
func (sandboxCmd) Help() string {
	return `The container sees this repository, at the same path, and your settings folder, read only. It gets no login, no variable and no other folder,
but those that you name; nothing that lies in the repository can choose one. docs/sandbox.md has the image, and what a container does not keep out.

Examples:
  ralphex sandbox --dry-run -- docs/plans/feature.md
  ralphex sandbox --credentials claude -- docs/plans/feature.md
  ralphex sandbox -E ANTHROPIC_BASE_URL -E ANTHROPIC_AUTH_TOKEN -- --review
  ralphex sandbox --network none -- --executor runbook plan.md

Exit codes: those of ralphex in the container; 1 if the engine is not there or can't start it; 2 for what is refused.`
}

// Run starts the container, and ends as it does.
func (c sandboxCmd) Run(ctx context.Context, p *Proc, g *root) error {
	spec, err := c.spec(ctx, p, g)
	if err != nil {
		return err
	}
	argv, err := spec.Argv()
	if err != nil {
		return usage(err, hintOf(err))
	}
	if c.DryRun {
		quoted := make([]string, len(argv))
		for i, a := range argv {
			quoted[i] = shellQuote(a)
		}
		_, err := fmt.Fprintln(p.Out, strings.Join(quoted, " "))
		return err
	}
	return contain(ctx, p, argv)
}

// spec is what the flags, the place and the person's folders say.
func (c sandboxCmd) spec(ctx context.Context, p *Proc, g *root) (sandbox.Spec, error) {
	top := vcs.Top(p.Dir)
	if top == "" {
		return sandbox.Spec{}, hinted(fmt.Errorf("%s: %w", p.Dir, vcs.ErrNotRepo), "go to the repository whose work is to be done")
	}
	top, err := filepath.EvalSymlinks(top)
	if err != nil {
		return sandbox.Spec{}, fmt.Errorf("find the repository: %w", err)
	}
	dir, err := filepath.EvalSymlinks(p.Dir)
	if err != nil {
		return sandbox.Spec{}, fmt.Errorf("find the working folder: %w", err)
	}
	args := c.Args
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	s := sandbox.Spec{Engine: c.engine(), Image: c.Image, Root: top, Dir: dir, Home: homeOf(p.Env), Credentials: c.Credentials, Mounts: c.Mount,
		Network: c.Network, Environ: p.Env, Args: args, Terminal: onTerminal(p)}
	if id := os.Getuid(); id > 0 { // -1 where there are none; root's container is root's
		s.User = fmt.Sprintf("%d:%d", id, os.Getgid())
	}
	if !c.NoSettings {
		s.Settings = mountedSettings(p, g)
	}
	s.Env = append(committer(ctx, p), c.Env...)
	return s, nil
}

// engine is the one that is asked for, else the one that is there.
func (c sandboxCmd) engine() string {
	if c.Engine != "" {
		return c.Engine
	}
	for _, name := range []string{"docker", "podman"} {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return "docker"
}

// homeOf is the home folder with its links resolved, "" if there is none.
func homeOf(env []string) string {
	home := getenv(env, "HOME")
	at, err := filepath.EvalSymlinks(home)
	if home == "" || err != nil { // of no name at all the folder at hand would be made
		return ""
	}
	return at
}

// mountedSettings is the person's own folder of settings, "" where there is none.
func mountedSettings(p *Proc, g *root) string {
	dir, err := filepath.EvalSymlinks(globalFolder(p, g).path)
	if fi, statErr := os.Stat(dir); err != nil || statErr != nil || !fi.IsDir() {
		return ""
	}
	return dir
}

// committer tells the container who commits: git's settings of the home folder stay outside, and with them helpers that they name.
func committer(ctx context.Context, p *Proc) []string {
	var env []string
	for key, names := range map[string][]string{"user.name": {"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"}, "user.email": {"GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"}} {
		cmd := exec.CommandContext(ctx, "git", "config", "--get", key)
		cmd.Dir, cmd.Env = p.Dir, p.Env
		out, err := cmd.Output()
		if v := strings.TrimSpace(string(out)); err == nil && v != "" {
			for _, name := range names {
				env = append(env, name+"="+v)
			}
		}
	}
	slices.Sort(env)
	return env
}

func onTerminal(p *Proc) bool {
	out, ok := p.Out.(*os.File)
	return ok && p.In != nil && term.IsTerminal(int(p.In.Fd())) && term.IsTerminal(int(out.Fd()))
}

// contain runs the engine until the container has ended. Ctrl+C reaches it from the terminal; an order to end this process is passed on.
func contain(ctx context.Context, p *Proc, argv []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.Dir, p.Env, p.Out, p.Err
	if p.In != nil {
		cmd.Stdin = p.In
	}
	if err := cmd.Start(); err != nil {
		return hinted(fmt.Errorf("start the container: %w", err), "install docker or podman; --dry-run shows the command")
	}
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), errTerminated) {
			_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended by itself
		}
	})
	defer stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &exit):
		return fmt.Errorf("run the container: %w", err)
	}
	switch code := exit.ExitCode(); code {
	case exitFailed, exitUsage, exitLeft, exitLimit, exitLogin, exitBusy, exitInterrupted, exitTerminated:
		return &exitError{code: code} // ralphex has said why
	case 125, 126, 127:
		return hinted(fmt.Errorf("%s could not start the container (exit %d)", argv[0], code), "its own words are above; docs/sandbox.md has how the image is made")
	default:
		return fmt.Errorf("the container ended with exit %d", code)
	}
}
