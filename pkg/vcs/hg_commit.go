package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// longList is how many bytes of names go on a command line; more of them go through a file.
const longList = 100 << 10

// Commit makes a draft, or lets the one that is there grow. A draft that another checkout uses is left to it, and gets one on top. A name with a line end can't be told to Mercurial and is left.
func (h *hg) Commit(ctx context.Context, req CommitRequest) (CommitResult, error) {
	before, err := h.state(ctx)
	if err == nil && req.Expect != nil {
		_, err = expected(ctx, h, req.Expect)
	}
	if err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	onTop := false
	if before.phase == "draft" {
		if onTop, err = h.leftAlone(before); err != nil {
			return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
		}
	}
	titled := (onTop || before.phase == "public") && req.titled()
	p, err := h.prepare(ctx, req)
	if err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	if err := h.notInside(req.Paths); err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	if err := refuseIgnored(ctx, h, req.Paths, p.paths); err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	broken := func(path string) bool { return strings.ContainsAny(path, "\r\n") }
	for _, path := range p.fresh {
		if broken(path) {
			p.left = append(p.left, path)
		}
	}
	p.paths, p.fresh = slices.DeleteFunc(p.paths, broken), slices.DeleteFunc(p.fresh, broken)
	if len(p.paths) == 0 {
		return CommitResult{Left: p.left}, nil
	}
	if err := h.commit(ctx, p, onTop); err != nil {
		h.forget(ctx, p.fresh)
		if says(err, 1, "") {
			return CommitResult{Left: p.left}, nil // what differed differs no more
		}
		return CommitResult{}, fmt.Errorf("commit: %w", hgRefusal(err))
	}
	res, err := h.settled(ctx, before, p)
	res.Titled = titled && res.Rev != ""
	if res.Rev != "" {
		h.follow(ctx, res.Rev)
	}
	if err != nil {
		err = fmt.Errorf("commit: %w", err)
	}
	return res, err
}

// notInside refuses paths that another repository keeps: Mercurial would pass over them in silence.
func (h *hg) notInside(paths []string) error {
	b, err := os.ReadFile(h.abs(".hgsub"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for subrepositories: %w", err)
	}
	for line := range strings.Lines(string(b)) {
		sub, _, ok := strings.Cut(line, "=")
		sub = path.Clean(strings.TrimSpace(sub))
		if !ok || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, p := range paths {
			if strings.HasPrefix(p, sub+"/") {
				return &StateError{Why: fmt.Sprintf("%s lies in the subrepository %s, which has commits of its own", p, sub),
					Next: fmt.Sprintf("commit it there: hg -R %q commit; then commit .hgsubstate here", sub)}
			}
		}
	}
	return nil
}

func (h *hg) commit(ctx context.Context, p prepared, onTop bool) error {
	for some := range slices.Chunk(p.fresh, maxArgs) {
		if err := h.add(ctx, some); err != nil {
			return err
		}
	}
	args := []string{"commit", "-m", p.message}
	if onTop {
		args = append(args, "--hg-on-top")
	}
	size := 0
	for _, path := range p.paths {
		size += len(path) + 1
	}
	if size <= longList {
		args = append(append(args, "--"), p.paths...)
	} else {
		list, err := h.patterns(p.paths)
		if err != nil {
			return err
		}
		defer os.Remove(list)
		if err := h.dropMissing(ctx, p.paths); err != nil {
			return err
		}
		args = append(args, "--hg-patterns="+list)
	}
	_, err := h.run.run(ctx, call{access: hooks, args: args})
	return err
}

// dropMissing tells the repository of what is gone from the tree, as the script does with names that it is given.
func (h *hg) dropMissing(ctx context.Context, paths []string) error {
	var gone []string
	for _, path := range paths {
		if _, err := os.Lstat(h.abs(path)); err != nil {
			gone = append(gone, "path:"+path)
		}
	}
	for some := range slices.Chunk(gone, maxArgs) {
		_, err := h.ask.run(ctx, call{access: writes, args: append([]string{"-q", "remove", "--after"}, some...)})
		if err != nil && exitCode(err) != 1 { // 1: some were told already
			return err
		}
	}
	return nil
}

// patterns writes names down as Mercurial's own patterns, beside the repository's data.
func (h *hg) patterns(paths []string) (string, error) {
	dir := filepath.Join(h.meta, "ralphex")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "names-*")
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	for _, path := range paths {
		b.WriteString("path:" + path + "\x00")
		if fi, err := os.Lstat(h.abs(path)); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			b.WriteString("re:" + regexp.QuoteMeta(path) + "/\x00") // what lay below it goes with it
		}
	}
	_, err = f.Write(b.Bytes())
	return f.Name(), errors.Join(err, f.Close())
}

// forget takes back the additions of a commit that did not come about. It is best effort: the commit's own error is what counts.
func (h *hg) forget(ctx context.Context, fresh []string) {
	for some := range slices.Chunk(fresh, maxArgs) {
		args := []string{"forget"}
		for _, path := range some {
			args = append(args, "path:"+path)
		}
		_, _ = h.ask.run(context.WithoutCancel(ctx), call{access: writes, args: args})
	}
}

// hgRefusal makes a hook's no out of a commit that Mercurial gave up because of one.
func hgRefusal(err error) error {
	ce, ok := errors.AsType[*CommandError](err)
	if !ok || ce.Err != nil || !strings.Contains(ce.Stderr, " hook exited with status ") && !strings.Contains(ce.Stderr, " hook failed") &&
		!strings.Contains(ce.Stderr, " hook raised an exception") {
		return err
	}
	return &HookError{Text: ce.Stderr, Err: ce}
}

// settled tells a commit from an amended one, and writes the latter down.
func (h *hg) settled(ctx context.Context, before hgState, p prepared) (CommitResult, error) {
	now, err := h.state(ctx)
	if err != nil {
		return CommitResult{}, err
	}
	if now.rev == before.rev {
		return CommitResult{}, fmt.Errorf("hg reported success, but the working folder is still at %s", orUnborn(now.rev))
	}
	res := CommitResult{Rev: now.rev, Left: p.left}
	if now.parent != before.rev {
		res.Replaced = before.rev
		if err := h.recordAmend(before.rev, now.rev); err != nil {
			return res, fmt.Errorf("record that %s became %s: %w", before.rev.Short(), now.rev.Short(), err)
		}
	}
	s, err := h.status(ctx, p.paths...)
	for _, c := range s.Changes {
		res.Left = append(res.Left, c.Path)
	}
	return res, err
}

// amends is the file that says which commit became which, "OLD NEW" a line: without the evolve extension Mercurial forgets it.
func (h *hg) amends() string { return filepath.Join(h.store(), "ralphex", "amends") }

func (h *hg) recordAmend(from, to Rev) error {
	if err := os.MkdirAll(filepath.Dir(h.amends()), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.amends(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s %s\n", from, to)
	return errors.Join(err, f.Close())
}

// became follows a commit through what we amended; it returns rev itself if that was never amended by us.
func (h *hg) became(rev Rev) Rev {
	b, err := os.ReadFile(h.amends())
	if err != nil {
		return rev
	}
	for l := range strings.Lines(string(b)) { // the file is in the order of time, so one pass follows the whole chain
		from, to, ok := strings.Cut(strings.TrimSpace(l), " ")
		if ok && Rev(from) == rev {
			rev = Rev(to)
		}
	}
	return rev
}
