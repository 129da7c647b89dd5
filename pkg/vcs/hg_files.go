package vcs

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// FileAt returns the bytes that a file has in a commit, nil if it isn't there.
func (h *hg) FileAt(ctx context.Context, rev Rev, path string) ([]byte, error) {
	text, err := h.fileAt(ctx, rev, path)
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", path, rev, err)
	}
	return text, nil
}

func (h *hg) fileAt(ctx context.Context, rev Rev, path string) ([]byte, error) {
	at, names, err := h.filesAt(ctx, rev, path)
	if err != nil || names != path+"\x00" { // a folder's name stands for all that is in it
		return nil, err
	}
	text, err := h.hg(ctx, "cat", "-r", at, "path:"+path)
	return []byte(text), err
}

// filesAt lists what a commit has at a path and below it, each name with a zero byte behind it; at is the commit as Mercurial is asked for it.
func (h *hg) filesAt(ctx context.Context, rev Rev, path string) (at, names string, err error) {
	if err := checkRevs(rev); err != nil {
		return "", "", err
	}
	if rev, err = h.named(rev); err != nil {
		return "", "", err
	}
	at = "last(" + revset(rev) + ")"
	names, err = h.hg(ctx, "files", "-r", at, "-T", `{path}\0`, "path:"+path)
	if exitCode(err) == 1 { // nothing is there
		return at, "", nil
	}
	return at, names, err
}

// IgnoredFiles lists what the repository ignores, sorted: whole folders as one entry with a slash at its end, and single files.
// Options.Exclude is never in it.
func (h *hg) IgnoredFiles(ctx context.Context) ([]string, error) {
	all, err := h.ignoredFiles(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	known, err := h.hg(ctx, "files", "-T", `{path}\0`)
	if err != nil && exitCode(err) != 1 {
		return nil, fmt.Errorf("list ignored files: %w", err)
	}
	keeps := map[string]bool{} // folders that hold what is tracked
	for _, path := range split0([]byte(known)) {
		for _, dir := range parents(path) {
			keeps[dir] = true
		}
	}
	var list []string
	for _, path := range all {
		entry := path
		for _, dir := range parents(path) {
			if !keeps[dir] {
				entry = dir + "/"
				break
			}
		}
		list = append(list, entry)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// IgnoredMatching lists, one by one, the ignored files that patterns in .gitignore's own syntax name. What is not ignored is never in it.
func (h *hg) IgnoredMatching(ctx context.Context, patterns string) ([]string, error) {
	rules := ignoreRules(patterns)
	if len(rules) == 0 {
		return nil, nil
	}
	all, err := h.ignoredFiles(ctx)
	return slices.DeleteFunc(all, func(path string) bool { return !matched(rules, path) }), err
}

// matched reports whether rules name a file, or a folder that it is in.
func matched(rules []ignoreRule, path string) bool {
	for _, dir := range parents(path) {
		if hit, negated := lastMatch(rules, dir, true); hit && !negated {
			return true
		}
	}
	hit, negated := lastMatch(rules, path, false)
	return hit && !negated
}

func (h *hg) ignoredFiles(ctx context.Context) ([]string, error) {
	out, err := h.ask.run(ctx, call{access: looks, args: []string{"status", "-i", "-T", `{path}\0`}, slow: true})
	if err != nil {
		return nil, fmt.Errorf("list ignored files: %w", err)
	}
	return slices.DeleteFunc(split0(out), func(path string) bool {
		top, _, _ := strings.Cut(path, "/")
		return slices.Contains(h.exclude, top)
	}), nil
}
