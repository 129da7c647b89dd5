package vcs

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// IsAncestor without `merge-base`: a commit that is still there counts as one, which Caps tells; only one that is gone doesn't.
func (w *wrapper) IsAncestor(ctx context.Context, a, b Rev) (bool, error) {
	if err := checkRevs(a, b); err != nil {
		return false, err
	}
	if a == b {
		return true, nil
	}
	if !w.able(ctx, "merge-base") {
		_, err := w.run.look(ctx, "rev-parse", "--verify", "--quiet", string(a))
		if err != nil && exitCode(err) < 0 {
			return false, err
		}
		if err != nil {
			return w.Amended(ctx, a, b)
		}
		return true, nil
	}
	_, err := w.run.look(ctx, "merge-base", "--is-ancestor", string(a), string(b))
	if exitCode(err) == 1 {
		return false, nil
	}
	if _, seen := w.parents.of(a); seen && exitCode(err) > 1 { // it was HEAD, and nobody knows it any more
		return w.Amended(ctx, a, b)
	}
	if err != nil {
		return false, fmt.Errorf("ask whether %s is an ancestor of %s: %w", a, b, err)
	}
	return true, nil
}

// TreeHash without trees is the commit's own name, which stands for its tree as well.
func (w *wrapper) TreeHash(ctx context.Context, rev Rev) (string, error) {
	if err := checkRevs(rev); err != nil {
		return "", err
	}
	name := string(rev)
	if w.able(ctx, "tree") {
		name += "^{tree}"
	}
	out, err := w.run.look(ctx, "rev-parse", name)
	if err != nil {
		return "", fmt.Errorf("read tree of %s: %w", rev, err)
	}
	return line(out), nil
}

func (w *wrapper) PathAt(ctx context.Context, rev Rev, path string) (string, error) {
	if err := checkRevs(rev); err != nil {
		return "", err
	}
	if !w.able(ctx, "tree") {
		return "", &UnsupportedError{What: fmt.Sprintf("look %s up in %s", path, rev), Why: "the wrapper does not know REV^{tree} and REV:PATH",
			Next: "see docs/vcs-wrapper.md, or do without another branch: stay on the one you are on"}
	}
	out, err := w.run.look(ctx, "rev-parse", "--verify", "--quiet", string(rev)+":"+path)
	if err != nil && exitCode(err) < 0 {
		return "", fmt.Errorf("look %s up in %s: %w", path, rev, err)
	}
	if err != nil {
		return "", nil
	}
	return line(out), nil
}

func (w *wrapper) DiffStat(ctx context.Context, from, to Rev) (DiffStat, error) {
	if err := checkRevs(from, to); err != nil {
		return DiffStat{}, err
	}
	if from == to {
		return DiffStat{}, nil
	}
	out, err := w.run.look(ctx, "diff", "--numstat", string(from)+"..."+string(to))
	if err != nil {
		return DiffStat{}, fmt.Errorf("count changes %s...%s: %w", from, to, err)
	}
	var d DiffStat
	for l := range strings.Lines(string(out)) {
		fields := strings.SplitN(l, "\t", 3)
		if len(fields) != 3 {
			return DiffStat{}, fmt.Errorf("diff --numstat: expected ADDED<tab>DELETED<tab>PATH, got %q", l)
		}
		d.Files++
		for i, sum := range []*int{&d.Additions, &d.Deletions} {
			n, err := strconv.Atoi(fields[i])
			if err != nil && fields[i] != "-" {
				return DiffStat{}, fmt.Errorf("diff --numstat: expected a number or a dash, got %q", fields[i])
			}
			*sum += n
		}
	}
	return d, nil
}

// Log knows names and subjects only: that is what `log --oneline` says.
func (w *wrapper) Log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error) {
	if err := checkRevs(to); err != nil {
		return nil, err
	}
	if !w.able(ctx, "log") {
		return nil, nil
	}
	span := string(to)
	if from != "" {
		if err := checkRevs(from); err != nil {
			return nil, err
		}
		if amended, err := w.Amended(ctx, from, to); err == nil && amended {
			from, _ = w.parents.of(from)
		}
		span = string(from) + ".." + string(to)
	}
	args := []string{"log", "--oneline"}
	if max > 0 {
		args = append(args, "-n"+strconv.Itoa(max))
	}
	out, err := w.run.look(ctx, append(args, span)...)
	if err != nil {
		return nil, fmt.Errorf("read log %s..%s: %w", from, to, err)
	}
	var l []LogEntry
	for text := range strings.Lines(string(out)) {
		short, subject, _ := strings.Cut(strings.TrimRight(text, "\r\n"), " ")
		full, err := w.run.look(ctx, "rev-parse", short)
		if err != nil {
			return nil, fmt.Errorf("read log %s..%s: %w", from, to, err)
		}
		l = append(l, LogEntry{Rev: Rev(line(full)), Subject: subject})
	}
	return l, nil
}
