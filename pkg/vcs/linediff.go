package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// DiffStat counts as git does, but for a file that was renamed and changed: that is one gone and one new.
func (a *alone) DiffStat(ctx context.Context, from, to Rev) (DiffStat, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	if err := checkRevs(from, to); err != nil {
		return DiffStat{}, err
	}
	d, err := a.diffStat(ctx, from, to)
	if err != nil {
		return DiffStat{}, fmt.Errorf("count changes %s...%s: %w", from, to, err)
	}
	return d, nil
}

func (a *alone) diffStat(ctx context.Context, from, to Rev) (DiffStat, error) {
	_, changes, err := a.sinceLeft(ctx, from, to)
	if err != nil {
		return DiffStat{}, err
	}
	pairRenames(changes)
	var d DiffStat
	for path, pair := range changes {
		added, deleted, err := a.countLines(pair)
		if err != nil {
			return DiffStat{}, fmt.Errorf("%s: %w", path, err)
		}
		d.Files++
		d.Additions += added
		d.Deletions += deleted
	}
	return d, nil
}

// sinceLeft lists what to has otherwise than the commit at which it left base, and names the tree of that commit.
func (a *alone) sinceLeft(ctx context.Context, base, to Rev) (tree string, changes map[string][2]leaf, err error) {
	c := &complete{objects: a.objects}
	left, err := c.mergeBase(ctx, base, to)
	if err != nil {
		return "", nil, err
	}
	if left == "" {
		return "", nil, errors.New("they have no commit in common")
	}
	old, err := c.commit(ctx, left)
	if err != nil {
		return "", nil, err
	}
	now, err := c.commit(ctx, to)
	if err != nil {
		return "", nil, err
	}
	changes, err = a.objects.differing(ctx, old.tree, now.tree)
	return old.tree, changes, err
}

// pairRenames makes one change of a file that is gone and a new one with the same content, and returns the old names by the new ones.
func pairRenames(changes map[string][2]leaf) map[string]string {
	paths := slices.Sorted(maps.Keys(changes))
	gone := map[string][]string{}
	for _, path := range paths {
		if p := changes[path]; p[1] == (leaf{}) && p[0].mode != modeLink {
			gone[p[0].object] = append(gone[p[0].object], path)
		}
	}
	old := map[string]string{}
	for _, path := range paths {
		p := changes[path]
		from := gone[p[1].object]
		if p[0] != (leaf{}) || len(from) == 0 || p[1].mode == modeLink {
			continue
		}
		gone[p[1].object], old[path] = from[1:], from[0]
		p[0] = changes[from[0]][0]
		changes[path] = p
		delete(changes, from[0])
	}
	return old
}

// textOf is the content of one side of a change, nil where there is no file. known are contents that the repository may lack, by their object.
func (a *alone) textOf(l leaf, known map[string][]byte) ([]byte, error) {
	if text, ok := known[l.object]; ok {
		return text, nil
	}
	switch {
	case l.object == "":
		return nil, nil
	case l.mode == modeModule:
		return []byte("Subproject commit " + l.object + "\n"), nil
	}
	return a.objects.read(plumbing.BlobObject, l.object)
}

// isBinary guesses as git does: from a zero byte near the beginning.
func isBinary(text []byte) bool { return bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 }

// countLines counts what one pair of contents added and took away; binaries count nothing.
func (a *alone) countLines(pair [2]leaf) (added, deleted int, err error) {
	if pair[0].object == pair[1].object {
		return 0, 0, nil
	}
	var text [2][]byte
	for side, l := range pair {
		if text[side], err = a.textOf(l, nil); err != nil || isBinary(text[side]) {
			return 0, 0, err
		}
	}
	old, now := splitLines(string(text[0])), splitLines(string(text[1]))
	if pair[0].mode&0o170000 != pair[1].mode&0o170000 { // another kind of file is another file
		return len(now), len(old), nil
	}
	added, deleted = lineDiff(old, now)
	return added, deleted, nil
}

// splitLines keeps line ends, since a last line without one is another line.
func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// maxEdits bounds the search; what differs more counts as written anew.
const maxEdits = 20_000

// lineDiff counts the lines of the shortest edit from a to b. It is Myers' greedy walk over diagonals, of which only the last row is kept.
func lineDiff(a, b []string) (added, deleted int) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return m, n
	}
	far := make([]int, 2*(n+m)+3) // how far diagonal k got, at k + n + m + 1
	mid := n + m + 1
	for d := 0; d <= min(n+m, maxEdits); d++ {
		for k := -d; k <= d; k += 2 {
			x := far[mid+k-1] + 1
			if k == -d || k != d && far[mid+k-1] < far[mid+k+1] {
				x = far[mid+k+1]
			}
			for x < n && x-k < m && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			far[mid+k] = x
			if k == n-m && x >= n {
				return (d + m - n) / 2, (d + n - m) / 2 // added - deleted = m - n, added + deleted = d
			}
		}
	}
	return m, n
}
