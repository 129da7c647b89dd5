package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralphex/internal/config"
	"ralphex/pkg/vcs"
)

// settingsError is a configuration that can't be read when a repository is opened by it.
type settingsError struct{ err error }

func (e *settingsError) Error() string { return e.err.Error() }

func (e *settingsError) Unwrap() error { return e.err }

// openRepo opens the repository that the process works in, by vcs_command and vcs_backend.
func openRepo(ctx context.Context, p *Proc) (vcs.Repo, error) {
	o, err := repoSettings(p)
	if err != nil {
		return nil, err
	}
	return openRepoBy(ctx, p, o)
}

func openRepoBy(ctx context.Context, p *Proc, o vcs.Options) (vcs.Repo, error) {
	o.Env, o.Exclude = p.Env, []string{storeDir, ".ralphex"}
	repo, err := vcs.Open(ctx, p.Dir, o)
	if err == nil {
		if own := ownOutput(ctx, p, repo); len(own) > 0 {
			o.Exclude = append(o.Exclude, own...)
			repo, err = vcs.Open(ctx, p.Dir, o)
		}
	}
	if errors.Is(err, vcs.ErrNotRepo) {
		return nil, hinted(fmt.Errorf("%s: %w", p.Dir, vcs.ErrNotRepo), "run ralphex inside a Git or Mercurial repository; `git init` or `hg init` makes one")
	}
	if errors.Is(err, vcs.ErrBare) {
		return nil, hinted(fmt.Errorf("%s: %w", p.Dir, vcs.ErrBare), "run ralphex in a clone or a worktree of it: git worktree add DIR BRANCH")
	}
	if errors.Is(err, vcs.ErrNoTool) {
		return nil, hinted(err, "install it, or see that it is on your PATH")
	}
	return repo, err
}

// settingsAt says what the settings of a repository are read from; without a root those of the person alone.
func (p *Proc) settingsAt(root string) config.Options {
	o := p.layers
	o.RepoRoot, o.Env, o.Executors = root, p.Env, executorNames()
	if o.Trusted == nil {
		o.Trusted = trusted(p, o)
	}
	return o
}

// repoSettings reads the two keys. They are needed before the repository is known, so its local layer is found by its folder alone; commands of
// a layer that nobody trusts count as unset here, and the run that asks for trust says so afterwards.
func repoSettings(p *Proc) (vcs.Options, error) {
	o := p.settingsAt(vcs.Top(p.Dir))
	cfg, _, err := config.Load(o)
	if errors.Is(err, config.ErrUntrusted) {
		o.RepoRoot = ""
		cfg, _, err = config.Load(o)
	}
	if err != nil {
		return vcs.Options{}, &settingsError{usage(err, hintOf(err))}
	}
	return vcs.Options{Command: atTop(cfg.VCSCommand, o.RepoRoot), Backend: cfg.VCSBackend}, nil
}

// atTop finds a command that is named relative to a folder, "./my-wrapper.sh": that is the repository's top, wherever the person stands; else
// where the person stands.
func atTop(command, top string) string {
	if top == "" || filepath.IsAbs(command) || !strings.ContainsAny(command, `/\`) {
		return command
	}
	at := filepath.Join(top, filepath.FromSlash(command))
	if fi, err := os.Stat(at); err != nil || fi.IsDir() {
		return command
	}
	return at
}
