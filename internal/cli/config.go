package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"ralphex/internal/config"
	"ralphex/pkg/vcs"
)

type configCmd struct {
	Show  configShowCmd  `cmd:"" default:"withargs" help:"Show the settings that count here, and where each one comes from."`
	Diff  configDiffCmd  `cmd:"" help:"Show how your settings, prompts and agents differ from the built-in ones."`
	Lint  configLintCmd  `cmd:"" help:"Look for mistakes in settings, prompts and agents."`
	Init  configInitCmd  `cmd:"" help:"Put commented templates of all settings, prompts and agents into a folder."`
	Reset configResetCmd `cmd:"" help:"Go back to the built-in settings, prompts or agents; what was there is kept."`
	Dump  configDumpCmd  `cmd:"" help:"Write the built-in settings, prompts and agents to a folder of your choice."`
}

// Help shows examples.
func (configCmd) Help() string {
	return `Examples:
  ralphex config                             what is set, and by whom
  ralphex config show task_model --origin
  ralphex config lint
  ralphex config diff prompts
  ralphex config init                        .ralphex/ of this repository; --global: your own folder
  ralphex config reset --local prompts
  ralphex config dump /tmp/defaults

docs/config.md lists all keys, docs/prompts.md tells of prompts and agents.`
}

// settingsHere are the places of the settings as seen from the working folder, in a repository or not.
func settingsHere(p *Proc, g *root) config.Options {
	return config.Options{GlobalDir: g.ConfigDir, RepoRoot: vcs.Top(p.Dir), Env: p.Env, Executors: executorNames()}
}

// settingsFolder is one of the two folders that files of settings lie in.
type settingsFolder struct {
	path, shown string
	local       bool
}

// globalFolder is the person's own folder.
func globalFolder(p *Proc, g *root) settingsFolder {
	dir := config.GlobalDir(config.Options{GlobalDir: g.ConfigDir, Env: p.Env})
	return settingsFolder{path: dir, shown: dir}
}

// localFolder is .ralphex of the repository that the process works in. A repository does not choose where ralphex writes:
// a link is refused.
func localFolder(ctx context.Context, p *Proc) (settingsFolder, error) {
	top := vcs.Top(p.Dir) // without a look at the settings: they may be what is to be mended
	if top == "" {
		repo, err := openRepo(ctx, p) // a wrapper knows of others
		if err != nil {
			return settingsFolder{}, err
		}
		top = repo.Root()
	}
	if err := refuseLinks(top); err != nil {
		return settingsFolder{}, err
	}
	return settingsFolder{path: filepath.Join(top, ".ralphex"), shown: ".ralphex", local: true}, nil
}

// folderOf is the folder that a command is about.
func folderOf(ctx context.Context, p *Proc, g *root, local bool) (settingsFolder, error) {
	if local {
		return localFolder(ctx, p)
	}
	return globalFolder(p, g), nil
}

// kinds are the parts of a settings folder.
var kinds = []string{"config", "prompts", "agents"}

// chosenKinds checks the parts that were named; none means all.
func chosenKinds(names []string) ([]string, error) {
	if len(names) == 0 {
		return kinds, nil
	}
	for _, n := range names {
		if !slices.Contains(kinds, n) {
			return nil, usage(errors.New("no part of a settings folder is called "+n), config.DidYouMean(n, kinds, "there are config, prompts and agents"))
		}
	}
	return names, nil
}
