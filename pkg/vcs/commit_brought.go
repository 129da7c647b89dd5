package vcs

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
)

// entry is a file as a tree or the index has it; the zero value is none.
type entry struct{ mode, object string }

// brought lists what the commit has beside our paths: a hook added it, to the index that git gave it for this commit alone. The real index
// knows nothing of that, and would show the opposite of each such change as staged, ready for the user's next commit. So what the
// user had not staged themselves is brought up to the commit, as an ordinary "git commit" would have done.
func (c *committing) brought(ctx context.Context, rev Rev) ([]string, error) {
	changes, err := c.changes(ctx, rev)
	if err != nil {
		return nil, err
	}
	paths := make([]string, 0, len(changes))
	for p := range changes {
		if !c.covers(p) {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	slices.Sort(paths)
	staged, err := c.staged(ctx, paths)
	if err != nil {
		return paths, err
	}
	var info bytes.Buffer
	for _, p := range paths {
		if now := changes[p].new; staged[p] == changes[p].old {
			if now.object == "" {
				now = entry{"0", strings.Repeat("0", c.r.nameLen*2)}
			}
			fmt.Fprintf(&info, "%s %s\t%s\x00", now.mode, now.object, p)
		}
	}
	if info.Len() == 0 {
		return paths, nil
	}
	_, err = c.r.run.run(ctx, call{access: writes, args: []string{"update-index", "-z", "--index-info"}, stdin: info.Bytes()})
	return paths, err
}

// covers tells whether a path is ours, or changed because one of ours did: a file and a folder can't have the same name.
func (c *committing) covers(p string) bool {
	return slices.ContainsFunc(slices.Concat(c.paths, c.folders), func(ours string) bool {
		return p == ours || strings.HasPrefix(p, ours+"/") || strings.HasPrefix(ours, p+"/")
	})
}

type entryChange struct{ old, new entry }

// changes are what the commit has otherwise than HEAD had before.
func (c *committing) changes(ctx context.Context, rev Rev) (map[string]entryChange, error) {
	args := []string{"diff-tree", "-r", "-z", "--no-renames", "--raw", "--full-index", "--no-commit-id"}
	if c.before.Unborn {
		args = append(args, "--root", string(rev))
	} else {
		args = append(args, string(c.before.Rev), string(rev))
	}
	out, err := c.r.run.look(ctx, args...)
	if err != nil {
		return nil, err
	}
	changes := map[string]entryChange{}
	for len(out) > 0 {
		meta, rest, _ := bytes.Cut(out, []byte{0})
		path, rest, found := bytes.Cut(rest, []byte{0})
		f := strings.Fields(strings.TrimPrefix(string(meta), ":"))
		if !found || len(f) != 5 {
			return nil, fmt.Errorf("git diff-tree: entry %q", meta)
		}
		changes[string(path)] = entryChange{old: entryOf(f[0], f[2]), new: entryOf(f[1], f[3])}
		out = rest
	}
	return changes, nil
}

func entryOf(mode, object string) entry {
	if mode == "000000" {
		return entry{}
	}
	return entry{mode, object}
}

// staged are the paths as the index has them. One that is in conflict is like nothing that a commit could have.
func (c *committing) staged(ctx context.Context, paths []string) (map[string]entry, error) {
	have := make(map[string]entry, len(paths))
	for some := range slices.Chunk(paths, maxArgs) {
		out, err := c.r.run.look(ctx, append([]string{"ls-files", "-z", "--stage", "--"}, some...)...)
		if err != nil {
			return nil, err
		}
		for line := range bytes.SplitSeq(out, []byte{0}) {
			meta, path, found := bytes.Cut(line, []byte{'\t'})
			f := strings.Fields(string(meta))
			switch {
			case !found:
			case len(f) != 3:
				return nil, fmt.Errorf("git ls-files: entry %q", line)
			case f[2] != "0":
				have[string(path)] = entry{"conflict", ""}
			default:
				have[string(path)] = entry{f[0], f[1]}
			}
		}
	}
	return have, nil
}
