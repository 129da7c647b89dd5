package vcs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ChangeLister names the files in which two revisions differ. A backend that isn't one gets ErrUnsupported from [Changed].
type ChangeLister interface {
	// Changed lists the paths, sorted, that to holds differently than from: other bytes, another mode, only one of both has them. A rename is two.
	// An empty from is the revision of nothing.
	Changed(ctx context.Context, from, to Rev) ([]string, error)
}

var (
	_ ChangeLister = (*repository)(nil)
	_ ChangeLister = (*alone)(nil)
	_ ChangeLister = (*hg)(nil)
	_ ChangeLister = (*wrapper)(nil)
)

// Changed asks a repository in which files two revisions differ; see ChangeLister.
func Changed(ctx context.Context, r Repo, from, to Rev) ([]string, error) {
	if l, ok := r.(ChangeLister); ok && from != to {
		paths, err := l.Changed(ctx, from, to)
		if err != nil {
			return nil, fmt.Errorf("list what differs between %s and %s: %w", from, to, err)
		}
		return paths, nil
	}
	if from == to {
		return nil, nil
	}
	return nil, &UnsupportedError{What: "name the files of a change", Why: "this backend (" + r.Kind() + ") only counts", Next: "look at the change by your own tool"}
}

// Changed reads the trees in this process, and asks the command line only where that does not do.
func (r *repository) Changed(ctx context.Context, from, to Rev) ([]string, error) {
	if err := checkSpan(from, to); err != nil {
		return nil, err
	}
	if both, ok := r.reader.(*either); ok {
		if o, ok := both.first.(*objects); ok {
			if paths, err := o.changed(ctx, from, to); err == nil {
				return paths, nil
			}
		}
	}
	args := []string{"diff-tree", "-r", "-z", "--name-only", "--no-renames", string(from), string(to)}
	if from == "" {
		args = []string{"ls-tree", "-r", "-z", "--name-only", string(to)}
	}
	out, err := r.run.look(ctx, args...)
	paths := split0(out)
	slices.Sort(paths) // Git sorts folders as if their names ended with a slash
	return paths, err
}

func (a *alone) Changed(ctx context.Context, from, to Rev) ([]string, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	if err := checkSpan(from, to); err != nil {
		return nil, err
	}
	return a.objects.changed(ctx, from, to)
}

func (o *objects) changed(ctx context.Context, from, to Rev) ([]string, error) {
	var old commit
	if from != "" {
		var err error
		if old, err = o.commit(ctx, from); err != nil {
			return nil, err
		}
	}
	now, err := o.commit(ctx, to)
	if err != nil {
		return nil, err
	}
	changes, err := o.differing(ctx, old.tree, now.tree)
	return slices.Sorted(maps.Keys(changes)), err
}

// Changed of a Mercurial repository.
func (h *hg) Changed(ctx context.Context, from, to Rev) ([]string, error) {
	if err := checkSpan(from, to); err != nil {
		return nil, err
	}
	old := "null"
	if from != "" {
		old = "last(" + revset(from) + ")"
	}
	out, err := h.hg(ctx, "status", "--rev", old, "--rev", "last("+revset(to)+")", "-mar", "-n", "-0")
	paths := split0([]byte(out))
	slices.Sort(paths)
	return paths, err
}

// checkSpan is checkRevs for two revisions of which the first may be that of nothing.
func checkSpan(from, to Rev) error {
	if from == "" {
		return checkRevs(to)
	}
	return checkRevs(from, to)
}

// Changed takes the paths from the numbers that the protocol has. It has none for the revision of nothing, nor for a way back.
func (w *wrapper) Changed(ctx context.Context, from, to Rev) ([]string, error) {
	if from == "" {
		return nil, errors.ErrUnsupported
	}
	if err := checkRevs(from, to); err != nil {
		return nil, err
	}
	if onward, err := w.IsAncestor(ctx, from, to); err != nil || !onward {
		return nil, errors.Join(err, errors.ErrUnsupported)
	}
	out, err := w.run.look(ctx, "diff", "--numstat", string(from)+"..."+string(to))
	if err != nil {
		return nil, err
	}
	var paths []string
	for l := range strings.Lines(string(out)) {
		if fields := strings.SplitN(strings.TrimSuffix(l, "\n"), "\t", 3); len(fields) == 3 {
			paths = append(paths, unquote(fields[2]))
		}
	}
	slices.Sort(paths)
	return paths, nil
}
