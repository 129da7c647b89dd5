package vcs

import (
	"bytes"
	"context"
	"fmt"
)

// maxPatch is how many bytes of a patch are kept where the caller names no bound.
const maxPatch = 64 << 20

// Patch is a unified diff in Git's form, with a/ and b/ before the names and renames told as such.
type Patch struct {
	Text string
	Cut  bool // there was more: Text ends with a whole line, and behind it one that says so
}

// Differ is a repository that tells changes line by line. A backend that isn't one gets ErrUnsupported from [Diff].
type Differ interface {
	// Diff tells what to has since it left base; an empty to is the working tree, without what the repository doesn't know yet.
	// No more than max bytes are kept, 0 = 64 MiB.
	Diff(ctx context.Context, base, to Rev, max int) (Patch, error)
}

var (
	_ Differ = (*repository)(nil)
	_ Differ = (*hg)(nil)
	_ Differ = (*wrapper)(nil)
)

// Diff asks a repository for the change since it left base; see Differ.
func Diff(ctx context.Context, r Repo, base, to Rev, max int) (Patch, error) {
	if d, ok := r.(Differ); ok {
		return d.Diff(ctx, base, to, max)
	}
	return Patch{}, &UnsupportedError{What: "show a change line by line", Why: "this backend (" + r.Kind() + ") only counts", Next: "review the change by its files"}
}

func (r *repository) Diff(ctx context.Context, base, to Rev, max int) (Patch, error) {
	if err := checkRevs(base); err != nil {
		return Patch{}, err
	}
	args := []string{"diff", "--no-color", "--no-ext-diff", "--no-textconv", "-M", "-U3", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short"}
	if to != "" {
		if err := checkRevs(to); err != nil {
			return Patch{}, err
		}
		args = append(args, string(base)+"..."+string(to))
	} else {
		left, err := r.run.look(ctx, "merge-base", string(base), "HEAD")
		if err != nil {
			return Patch{}, fmt.Errorf("diff since %s: %w", base, err)
		}
		args = append(args, line(left))
	}
	return r.run.patch(ctx, max, "diff since "+string(base), append(args, "--")...)
}

// Diff counts the beginning as DiffStat does; see since.
func (h *hg) Diff(ctx context.Context, base, to Rev, max int) (Patch, error) {
	at := to
	if to == "" {
		at = "HEAD"
	}
	if err := checkRevs(base, at); err != nil {
		return Patch{}, err
	}
	args := []string{"diff", "--git", "-r", "first(ancestor(" + since(base, at) + ", " + revset(at) + ") + null)"}
	if to != "" {
		args = append(args, "-r", "last("+revset(to)+")")
	}
	return h.ask.patch(ctx, max, "diff since "+string(base), args...)
}

// Diff asks the wrapper for more than the protocol demands: where it has no answer, that is ErrUnsupported. For the working tree it is
// the difference to base itself.
func (w *wrapper) Diff(ctx context.Context, base, to Rev, max int) (Patch, error) {
	if err := checkRevs(base); err != nil {
		return Patch{}, err
	}
	span := string(base)
	if to != "" {
		if err := checkRevs(to); err != nil {
			return Patch{}, err
		}
		span += "..." + string(to)
	}
	p, err := w.run.patch(ctx, max, "diff since "+string(base), "diff", span)
	if exitCode(err) > 0 {
		return Patch{}, &UnsupportedError{What: "show a change line by line", Why: "the wrapper has no answer to diff " + span, Next: "see docs/vcs-wrapper.md"}
	}
	return p, err
}

// patch runs a command that may print very much, and keeps no more of it than max bytes.
func (r runner) patch(ctx context.Context, max int, what string, args ...string) (Patch, error) {
	if max <= 0 {
		max = maxPatch
	}
	out, err := r.run(ctx, call{access: looks, args: args, slow: true, keep: max + 1})
	if err != nil {
		return Patch{}, fmt.Errorf("%s: %w", what, err)
	}
	return bounded(out, max), nil
}

// bounded ends a patch with a whole line, where it is larger than max bytes.
func bounded(out []byte, max int) Patch {
	if len(out) <= max {
		return Patch{Text: string(out)}
	}
	out = out[:bytes.LastIndexByte(out[:max], '\n')+1]
	return Patch{Text: fmt.Sprintf("%s… (cut here: the whole change is larger than %d bytes)\n", out, max), Cut: true}
}

// head is a writer that keeps the first bytes it gets, and takes the others without a word, so that the command can end.
type head struct {
	bytes.Buffer
	keep int // 0 = all
}

func (h *head) Write(p []byte) (int, error) {
	if h.keep > 0 {
		h.Buffer.Write(p[:min(len(p), max(h.keep-h.Len(), 0))])
		return len(p), nil
	}
	return h.Buffer.Write(p)
}
