package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/pkg/vcs"
)

// stagedPlan is a plan as the next commit will have it.
type stagedPlan struct {
	Path string // relative to the root, with slashes
	Name string // as it is shown: relative to the working folder
	Text []byte
}

// readStaged reads plans from the index. Without arguments these are the plans of the plans folder that the next
// commit adds or changes; files that are named are read if they are staged, changed or not, and a folder stands
// for the plans in it, without what is in folders of it.
func readStaged(ctx context.Context, p *Proc, g *root, args []string) ([]stagedPlan, error) {
	x, err := openIndex(ctx, p)
	if err != nil {
		return nil, err
	}
	files, err := stagedFiles(ctx, p, g, x, args)
	if err != nil {
		return nil, err
	}
	return readPlans(ctx, p, x, files)
}

func openIndex(ctx context.Context, p *Proc) (*vcs.Index, error) {
	x, err := vcs.OpenIndex(ctx, p.Dir, p.Env)
	if errors.Is(err, vcs.ErrNotRepo) {
		return nil, hinted(fmt.Errorf("%s: %w", p.Dir, vcs.ErrNotRepo), "--staged reads git's index; run it inside a Git repository")
	}
	return x, err
}

// readPlans reads files of the index.
func readPlans(ctx context.Context, p *Proc, x *vcs.Index, files []vcs.StagedFile) ([]stagedPlan, error) {
	texts, err := x.Read(ctx, files)
	if err != nil {
		return nil, err
	}
	var plans []stagedPlan
	for i, f := range files {
		name := relative(p.Dir, filepath.Join(x.Root(), filepath.FromSlash(f.Path)))
		plans = append(plans, stagedPlan{Path: f.Path, Name: name, Text: texts[i]})
	}
	return plans, nil
}

func stagedFiles(ctx context.Context, p *Proc, g *root, x *vcs.Index, args []string) ([]vcs.StagedFile, error) {
	if len(args) == 0 {
		plans, err := plansFolder(p, g, x.Root())
		if err != nil {
			return nil, err
		}
		files, err := x.Changed(ctx, []string{plans})
		return onlyPlans(files, []string{plans}), err
	}
	var paths []string
	for _, a := range args {
		rel, err := x.Rel(a)
		if err != nil {
			return nil, usage(err, "")
		}
		paths = append(paths, rel)
	}
	files, err := x.Files(ctx, paths)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage(err, "git add it first")
	}
	return onlyPlans(files, paths), err
}

// onlyPlans leaves the files that were named, and the plans of folders that were.
func onlyPlans(files []vcs.StagedFile, named []string) []vcs.StagedFile {
	return slices.DeleteFunc(files, func(f vcs.StagedFile) bool {
		return !slices.Contains(named, f.Path) && !(isPlanName(f.Path) && slices.Contains(named, path.Dir(f.Path)))
	})
}

// stagedInputs are staged plans as inputs of check.
func stagedInputs(ctx context.Context, p *Proc, g *root, args []string) ([]checked, error) {
	plans, err := readStaged(ctx, p, g, args)
	if err != nil {
		return nil, err
	}
	var out []checked
	for _, in := range plans {
		out = append(out, checked{name: in.Name, src: in.Text})
	}
	return out, nil
}

// plansFolder is the folder of plans relative to the root, with slashes.
func plansFolder(p *Proc, g *root, top string) (string, error) {
	cfg, err := loadSettings(p, g, top)
	if err != nil {
		return "", err
	}
	if filepath.IsAbs(cfg.PlansDir) {
		rel, err := filepath.Rel(top, cfg.PlansDir)
		if err != nil || !filepath.IsLocal(rel) {
			return "", usage(fmt.Errorf("the plans folder %s is outside of the repository", cfg.PlansDir), "name the plans")
		}
		return filepath.ToSlash(rel), nil
	}
	return path.Clean(strings.TrimSuffix(filepath.ToSlash(cfg.PlansDir), "/")), nil
}
