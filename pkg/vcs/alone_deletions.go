package vcs

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

var _ DeletionReader = (*alone)(nil)

// maxPairs bounds how many files are compared for likeness; beyond it only equal contents count as moved, so more is told as deleted.
const maxPairs = 100_000

func (a *alone) Deleted(ctx context.Context, from, to Rev) ([]string, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	if err := checkRevs(from, to); err != nil {
		return nil, err
	}
	gone, err := a.deleted(ctx, from, to)
	if err != nil {
		return nil, fmt.Errorf("list what %s has and %s hasn't: %w", from, to, err)
	}
	return gone, nil
}

func (a *alone) deleted(ctx context.Context, from, to Rev) ([]string, error) {
	old, err := a.reader.commit(ctx, from)
	if err != nil {
		return nil, err
	}
	now, err := a.reader.commit(ctx, to)
	if err != nil {
		return nil, err
	}
	changes, err := a.objects.differing(ctx, old.tree, now.tree)
	if err != nil {
		return nil, err
	}
	pairRenames(changes)
	var gone []string
	fresh := map[string]leaf{}
	for path, p := range changes {
		switch {
		case p[1] == (leaf{}):
			gone = append(gone, path)
		case p[0] == (leaf{}):
			fresh[path] = p[1]
		}
	}
	slices.Sort(gone)
	if len(gone)*len(fresh) > maxPairs {
		return gone, nil
	}
	var left []string
	for _, path := range gone {
		to, err := a.likeness(changes[path][0], fresh)
		if err != nil {
			return nil, err
		}
		if to == "" {
			left = append(left, path)
		}
		delete(fresh, to)
	}
	return left, nil
}

// likeness returns the new file that holds two fifths or more of an old one's lines, "" if there is none.
func (a *alone) likeness(old leaf, fresh map[string]leaf) (string, error) {
	if len(fresh) == 0 || old.mode == modeModule {
		return "", nil
	}
	text, err := a.objects.read(plumbing.BlobObject, old.object)
	if err != nil {
		return "", err
	}
	lines, size := bag(text)
	best, most := "", 0
	for path, l := range fresh {
		if l.mode&0o170000 != old.mode&0o170000 {
			continue
		}
		other, err := a.objects.read(plumbing.BlobObject, l.object)
		if err != nil {
			return "", err
		}
		theirs, otherSize := bag(other)
		shared := 0
		for line, n := range theirs {
			shared += min(n, lines[line]) * len(line)
		}
		if whole := max(size, otherSize); whole > 0 && 5*shared >= 2*whole && shared > most {
			best, most = path, shared
		}
	}
	return best, nil
}

// bag counts the lines of a text.
func bag(text []byte) (lines map[string]int, size int) {
	lines = map[string]int{}
	for _, l := range splitLines(string(text)) {
		lines[l]++
	}
	return lines, len(text)
}

func (a *alone) CountFiles(ctx context.Context, rev Rev) (int, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	if err := checkRevs(rev); err != nil {
		return 0, err
	}
	c, err := a.reader.commit(ctx, rev)
	if err != nil {
		return 0, fmt.Errorf("count the files of %s: %w", rev, err)
	}
	all, err := a.objects.leaves(ctx, c.tree)
	if err != nil {
		return 0, fmt.Errorf("count the files of %s: %w", rev, err)
	}
	return len(all), nil
}
