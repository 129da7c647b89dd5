package vcs

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// revset is what one of our names means in Mercurial's language. "master" is no name in most repositories: then it is what is public.
func revset(rev Rev) string {
	name := string(rev)
	switch {
	case name == "HEAD":
		return "."
	case strings.HasPrefix(name, "refs/heads/"):
		return "bookmark(" + hgString("literal:"+strings.TrimPrefix(name, "refs/heads/")) + ")"
	case name == string(published):
		return "first(present(" + hgString(name) + ") + last(public() and ::.))"
	}
	return hgString(name)
}

func hgString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// since is revset for a commit that a run began at: where it was amended away meanwhile, it is the last public one below to.
func since(from, to Rev) string {
	return "first(present(" + revset(from) + ") + last(public() and ::" + revset(to) + ") + null)"
}

// before is since for what was HEAD in a session: where that was amended, what it stood on.
func (h *hg) before(from, to Rev) string {
	if parent, known := h.parents.of(from); known && parent != "" {
		return "first(present(" + revset(from) + ") + present(" + revset(parent) + ") + last(public() and ::" + revset(to) + ") + null)"
	}
	return since(from, to)
}

// IsAncestor follows a commit that was amended, by us or under the evolve extension, to what it became.
func (h *hg) IsAncestor(ctx context.Context, a, b Rev) (bool, error) {
	if err := checkRevs(a, b); err != nil {
		return false, err
	}
	for _, r := range []*Rev{&a, &b} {
		at, err := h.named(*r)
		if err != nil {
			return false, err
		}
		*r = at
	}
	if a == b {
		return true, nil
	}
	yes, err := h.above(ctx, a, b)
	if err == nil || exitCode(err) < 0 {
		return yes, err
	}
	switch became, serr := h.successor(ctx, a, b); {
	case serr != nil:
		return false, serr
	case became:
		return true, nil
	}
	if _, seen := h.parents.of(a); seen || h.backup(a, "") {
		return false, nil // it was here, and was stripped or rewritten by somebody else
	}
	return false, fmt.Errorf("ask whether %s is an ancestor of %s: %w", a, b, err)
}

// Amended asks about a commit that is gone: one that is still there was not replaced.
func (h *hg) Amended(ctx context.Context, a, b Rev) (bool, error) {
	if err := checkRevs(a, b); err != nil || a == b {
		return false, err
	}
	if _, err := h.above(ctx, a, b); err == nil || exitCode(err) < 0 {
		return false, err
	}
	return h.successor(ctx, a, b)
}

// successor reports whether b stands on what a commit became that is gone. We write down what we amend; under the evolve extension Mercurial
// knows the rest, and without it the backup that an amend leaves is named after the commit, whose place is taken by a child of its parent.
func (h *hg) successor(ctx context.Context, a, b Rev) (bool, error) {
	if now := h.became(a); now != a {
		yes, err := h.above(ctx, now, b)
		if err == nil || exitCode(err) < 0 {
			return yes, err
		}
		a = now // which was amended by somebody else
	}
	out, err := h.hg(ctx, "log", "--hidden", "-r", "successors("+revset(a)+") and ::"+revset(b), "-T", "x")
	if err == nil || exitCode(err) < 0 {
		return out != "", err
	}
	parent, known := h.parents.of(a)
	if !known || parent == "" || !h.backup(a, "-amend") {
		return false, nil
	}
	out, err = h.hg(ctx, "log", "-r", "children("+revset(parent)+") and draft() and ::"+revset(b), "-T", "x")
	return out != "", err
}

// backup reports whether Mercurial put a commit away that it took out, for a reason ("-amend", "-backup"; "" = any).
func (h *hg) backup(rev Rev, reason string) bool {
	for _, meta := range []string{h.meta, h.store()} { // a share has backups of its own
		if left, _ := filepath.Glob(filepath.Join(meta, "strip-backup", rev.Short()+"-*"+reason+".hg")); len(left) > 0 {
			return true
		}
	}
	return false
}

func (h *hg) above(ctx context.Context, a, b Rev) (bool, error) {
	out, err := h.hg(ctx, "log", "-r", revset(a)+" and ::"+revset(b), "-T", "x")
	return out != "", err
}

// TreeHash is the name of the commit's manifest.
func (h *hg) TreeHash(ctx context.Context, rev Rev) (string, error) {
	if err := checkRevs(rev); err != nil {
		return "", err
	}
	out, err := h.hg(ctx, "log", "-r", "last("+revset(rev)+")", "-T", "{manifest.node}")
	if err == nil && out == "" {
		err = ErrBadName
	}
	if err != nil {
		return "", fmt.Errorf("read tree of %s: %w", rev, err)
	}
	return out, nil
}

// PathAt is git's name for the content of a file: Mercurial's own name for it changes with its history. A folder's is made of its files'.
func (h *hg) PathAt(ctx context.Context, rev Rev, path string) (string, error) {
	name, err := h.pathAt(ctx, rev, path)
	if err != nil {
		return "", fmt.Errorf("look %s up in %s: %w", path, rev, err)
	}
	return name, nil
}

func (h *hg) pathAt(ctx context.Context, rev Rev, path string) (string, error) {
	at, names, err := h.filesAt(ctx, rev, path)
	if err != nil || names == "" {
		return "", err
	}
	data, err := h.hg(ctx, "cat", "-r", at, "path:"+path)
	if err != nil {
		return "", err
	}
	sum := sha1.New()
	if names == path+"\x00" {
		fmt.Fprintf(sum, "blob %d\x00%s", len(data), data)
	} else {
		listing, err := h.hg(ctx, "files", "-r", at, "-T", `{path}\0{flags}\0{size}\0`, "path:"+path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s\x00%s", listing, data)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// DiffStat counts from where to left from; see since.
func (h *hg) DiffStat(ctx context.Context, from, to Rev) (DiffStat, error) {
	if err := checkRevs(from, to); err != nil {
		return DiffStat{}, err
	}
	base, err := h.hg(ctx, "log", "-r", "ancestor("+since(from, to)+", "+revset(to)+")", "-T", "{node}")
	if err != nil {
		return DiffStat{}, fmt.Errorf("count changes %s...%s: %w", from, to, err)
	}
	if base == "" {
		base = "null"
	}
	return h.wrapper.DiffStat(ctx, Rev(base), to)
}

func (h *hg) Log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error) {
	l, err := h.log(ctx, from, to, max)
	if err != nil {
		return nil, fmt.Errorf("read log %s..%s: %w", from, to, err)
	}
	return l, nil
}

func (h *hg) log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error) {
	if err := checkRevs(to); err != nil {
		return nil, err
	}
	span := "reverse(::" + revset(to) + ")"
	if from != "" {
		if err := checkRevs(from); err != nil {
			return nil, err
		}
		span = "reverse(only(" + revset(to) + ", " + h.before(from, to) + "))"
	}
	args := []string{"log", "-r", span, "-T", `{node}\0{desc|firstline}\0{author|person}\0{date|hgdate}\0`}
	if max > 0 {
		args = append(args, "-l", strconv.Itoa(max))
	}
	out, err := h.hg(ctx, args...)
	if err != nil {
		return nil, err
	}
	f := split0([]byte(out))
	if len(f)%4 != 0 {
		return nil, fmt.Errorf("hg log: expected four fields a commit, got %d in all", len(f))
	}
	var l []LogEntry
	for ; len(f) >= 4; f = f[4:] {
		stamp, _, _ := strings.Cut(f[3], " ")
		at, err := strconv.ParseInt(stamp, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("hg log: date %q: %w", f[3], err)
		}
		l = append(l, LogEntry{Rev: Rev(f[0]), Subject: f[1], Author: f[2], Time: time.Unix(at, 0)})
	}
	return l, nil
}

// Deleted leaves out what was renamed, as far as Mercurial was told of it.
func (h *hg) Deleted(ctx context.Context, from, to Rev) ([]string, error) {
	if err := checkRevs(from, to); err != nil {
		return nil, err
	}
	out, err := h.hg(ctx, "status", "--rev", h.before(from, to), "--rev", revset(to), "-arC", "-T", `{status}\0{path}\0{source}\0`)
	if err != nil {
		return nil, fmt.Errorf("list what %s has and %s hasn't: %w", from, to, err)
	}
	f := strings.Split(out, "\x00")
	moved := map[string]bool{}
	var gone []string
	for i := 0; i+2 < len(f); i += 3 {
		moved[f[i+2]] = true
	}
	for i := 0; i+2 < len(f); i += 3 {
		if f[i] == "R" && !moved[f[i+1]] {
			gone = append(gone, f[i+1])
		}
	}
	return gone, nil
}

func (h *hg) CountFiles(ctx context.Context, rev Rev) (int, error) {
	if err := checkRevs(rev); err != nil {
		return 0, err
	}
	out, err := h.hg(ctx, "files", "-r", "last("+revset(rev)+")", "-T", "x")
	if err != nil && exitCode(err) != 1 {
		return 0, fmt.Errorf("count the files of %s: %w", rev, err)
	}
	return len(out), nil
}
