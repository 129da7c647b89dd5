package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ralphex/pkg/plan/origin"
	"ralphex/pkg/vcs"
)

// convertedPlan is a plan that remembers its sources.
type convertedPlan struct {
	stagedPlan
	record *origin.Record
}

// checkConverted tells of plans whose sources changed since they were converted, exit 1 if there are any. The
// arguments are plans or sources: a plan is looked at if it, or one of its sources, is named; without arguments
// all of the plans folder are. In the index, what the next commit touches counts as named.
func checkConverted(ctx context.Context, p *Proc, g *root, args []string, inIndex bool) error {
	look := lookAtDisk
	if inIndex {
		look = lookAtIndex
	}
	place, err := look(ctx, p, g, args)
	if err != nil {
		return err
	}
	stale := 0
	for _, cp := range place.plans {
		if !place.wants(cp) {
			continue
		}
		found, err := cp.record.Stale(place.read)
		if err != nil {
			return usage(fmt.Errorf("%s: %w", cp.Name, err), "")
		}
		for _, s := range found {
			what := "changed since"
			if s.Gone {
				what = "is gone"
			}
			fmt.Fprintf(p.Out, "%s: it was made from %s, which %s\n", cp.Name, s.Path, what)
			stale++
		}
	}
	if stale == 0 {
		return nil
	}
	fmt.Fprintln(p.Err, "  next: convert the source again and carry over what was done, or take the ralphex-origin comment out of a plan that goes its own way")
	return &exitError{code: exitFailed}
}

// convertedPlace is where converted plans and their sources are read from.
type convertedPlace struct {
	plans []convertedPlan
	named map[string]bool // by path relative to the root; nil = all
	read  func(path string) ([]byte, error)
}

func (c *convertedPlace) wants(cp convertedPlan) bool {
	return c.named == nil || c.named[cp.Path] || slices.ContainsFunc(cp.record.Sources, func(s origin.Source) bool { return c.named[s.Path] })
}

// add takes a plan, if it remembers anything.
func (c *convertedPlace) add(s stagedPlan) error {
	record, err := origin.Read(s.Text)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", s.Name, err), "convert the source again, or take the comment out")
	}
	if record != nil {
		c.plans = append(c.plans, convertedPlan{s, record})
	}
	return nil
}

func lookAtDisk(ctx context.Context, p *Proc, g *root, args []string) (*convertedPlace, error) {
	top, plans, err := projectPlaces(ctx, p, g)
	if err != nil {
		return nil, err
	}
	place := &convertedPlace{read: origin.FromDisk(top)}
	files, err := plansAt(plans, p.Dir)
	if err != nil && !(errors.Is(err, fs.ErrNotExist) && len(args) > 0) {
		return nil, usage(err, "")
	}
	for _, a := range args {
		path := absolute(p.Dir, a)
		if place.named == nil {
			place.named = map[string]bool{}
		}
		place.named[slashRel(top, path)] = true
		if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() && isPlanName(path) && filepath.Dir(path) != filepath.Clean(plans) {
			files = append(files, checked{path: path})
		}
	}
	for _, f := range files {
		text, err := readLimited(f.path)
		if err != nil {
			return nil, usage(err, "")
		}
		if err := place.add(stagedPlan{Path: slashRel(top, f.path), Name: relative(p.Dir, f.path), Text: text}); err != nil {
			return nil, err
		}
	}
	return place, nil
}

// slashRel is a path relative to the top, with slashes; through links of either, where that is the way.
func slashRel(top, path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	rel, err := filepath.Rel(top, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

func lookAtIndex(ctx context.Context, p *Proc, g *root, args []string) (*convertedPlace, error) {
	x, err := openIndex(ctx, p)
	if err != nil {
		return nil, err
	}
	touched, err := x.Touched(ctx)
	if err != nil {
		return nil, err
	}
	place := &convertedPlace{named: map[string]bool{}}
	for name := range touched {
		place.named[name] = true
	}
	plans, err := plansFolder(p, g, x.Root())
	if err != nil {
		return nil, err
	}
	look := []string{plans}
	for _, a := range args {
		rel, err := x.Rel(a)
		if err != nil {
			return nil, usage(err, "")
		}
		place.named[rel] = true
		if isPlanName(rel) {
			look = append(look, rel)
		}
	}
	files, err := x.Some(ctx, look)
	if err != nil {
		return nil, err
	}
	if err := place.addStaged(ctx, p, x, onlyPlans(files, look)); err != nil {
		return nil, err
	}
	place.read, err = stagedSources(ctx, x, place, touched)
	return place, err
}

func (c *convertedPlace) addStaged(ctx context.Context, p *Proc, x *vcs.Index, files []vcs.StagedFile) error {
	plans, err := readPlans(ctx, p, x, files)
	if err != nil {
		return err
	}
	for _, s := range plans {
		if err := c.add(s); err != nil {
			return err
		}
	}
	return nil
}

// stagedSources reads the sources of the plans that count, all at once. A source that git does not know is
// nothing that a commit could change: it counts as it was. One that the commit deletes is gone.
func stagedSources(ctx context.Context, x *vcs.Index, place *convertedPlace, touched map[string]byte) (func(string) ([]byte, error), error) {
	var paths []string
	for _, cp := range place.plans {
		for _, s := range cp.record.Sources {
			if place.wants(cp) && filepath.IsLocal(filepath.FromSlash(s.Path)) {
				paths = append(paths, s.Path)
			}
		}
	}
	files, err := x.Some(ctx, paths)
	if err != nil {
		return nil, err
	}
	texts, err := x.Read(ctx, files)
	if err != nil {
		return nil, err
	}
	return func(path string) ([]byte, error) {
		i := slices.IndexFunc(files, func(f vcs.StagedFile) bool { return f.Path == path })
		switch {
		case i >= 0:
			return texts[i], nil
		case touched[path] == 'D':
			return nil, fs.ErrNotExist
		}
		return nil, origin.ErrUnknown
	}, nil
}
