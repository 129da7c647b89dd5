package vcs

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

// maxArgs is how many paths go on a command line; with more, the whole answer is asked for and sifted here.
const maxArgs = 400

// repository is a Git working tree with git at hand.
type repository struct {
	base
	run runner
}

var _ Repo = (*repository)(nil)

func (r *repository) Kind() string { return "git" }

func (r *repository) Caps() Caps { return Caps{Hooks: true, Signing: true, Worktrees: true} }

func (r *repository) Status(ctx context.Context) (Status, error) {
	return r.status(ctx)
}

// status is Status, of some paths only if any are given.
func (r *repository) status(ctx context.Context, paths ...string) (Status, error) {
	if err := r.stillHere(); err != nil {
		return Status{}, err
	}
	args := []string{"status", "--porcelain=v2", "-z", "-uall"}
	switch {
	case len(paths) == 0:
		args = append(args, "--renames")
	case len(paths) <= maxArgs:
		// A rename whose other end isn't asked for would show as an addition anyway.
		args = append(append(args, "--no-renames", "--"), paths...)
	default:
		args = append(args, "--no-renames")
	}
	out, err := r.run.look(ctx, args...)
	if err != nil {
		return Status{}, fmt.Errorf("read status: %w", err)
	}
	s, err := parseStatus(out)
	if err != nil {
		return Status{}, err
	}
	if len(paths) == 0 {
		return s.Without(r.exclude...), nil
	}
	return s.Under(paths...), nil
}

func (r *repository) Ignored(ctx context.Context, path string) (bool, error) {
	// check-ignore takes names only, and refuses to be told so; "./" keeps a colon from meaning anything.
	_, err := r.run.run(ctx, call{access: looks, args: []string{"check-ignore", "-q", "-z", "--stdin"},
		stdin: []byte("./" + path + "\x00"), env: []string{"GIT_LITERAL_PATHSPECS=0"}})
	if exitCode(err) == 1 {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("ask whether %s is ignored: %w", path, err)
	}
	return true, nil
}

func (r *repository) Tracked(ctx context.Context, path string) (bool, error) {
	have, err := r.known(ctx, []string{path})
	if err != nil {
		return false, fmt.Errorf("look %s up in the index: %w", path, err)
	}
	_, ok := have[path]
	return ok, nil
}

func (r *repository) Move(ctx context.Context, src, dst string) error {
	if _, err := os.Lstat(r.abs(dst)); err == nil && !sameFile(r.abs(src), r.abs(dst)) {
		return fmt.Errorf("move %s to %s: %w", src, dst, fs.ErrExist)
	}
	_, err := r.run.run(ctx, call{access: writes, args: []string{"mv", "--", src, dst}})
	if err != nil {
		return fmt.Errorf("move %s to %s: %w", src, dst, err)
	}
	return nil
}

func (r *repository) Identity(ctx context.Context) error { return r.settings.identity(ctx) }

func (r *repository) DiffStat(ctx context.Context, from, to Rev) (DiffStat, error) {
	if err := checkRevs(from, to); err != nil {
		return DiffStat{}, err
	}
	if from == to {
		return DiffStat{}, nil
	}
	out, err := r.run.look(ctx, "diff", "--numstat", "-z", "--no-color", "--no-ext-diff", "--no-textconv",
		string(from)+"..."+string(to), "--")
	if err != nil {
		return DiffStat{}, fmt.Errorf("count changes %s...%s: %w", from, to, err)
	}
	return parseNumstat(out)
}

// parseNumstat reads "ADDED\tDELETED\tPATH\0", or "ADDED\tDELETED\t\0OLD\0NEW\0" for a rename; binaries have dashes for numbers.
func parseNumstat(out []byte) (DiffStat, error) {
	var d DiffStat
	for len(out) > 0 {
		entry, rest, _ := bytes.Cut(out, []byte{0})
		fields := bytes.SplitN(entry, []byte{'\t'}, 3)
		if len(fields) != 3 {
			return DiffStat{}, fmt.Errorf("git diff --numstat: entry %q", entry)
		}
		out = rest
		if len(fields[2]) == 0 {
			for range 2 {
				_, out, _ = bytes.Cut(out, []byte{0})
			}
		}
		d.Files++
		for i, sum := range []*int{&d.Additions, &d.Deletions} {
			if n, err := strconv.Atoi(string(fields[i])); err == nil {
				*sum += n
			} else if string(fields[i]) != "-" {
				return DiffStat{}, fmt.Errorf("git diff --numstat: number %q", fields[i])
			}
		}
	}
	return d, nil
}
