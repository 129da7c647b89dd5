package vcs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// wholeFile is up to which size the content of a dirty file is read; of a bigger one size and time stand for it.
const wholeFile = 64 << 20

func (r *repository) Fingerprint(ctx context.Context) (Fingerprint, error) {
	s, err := r.Status(ctx)
	if err != nil {
		return "", err
	}
	return r.FingerprintOf(ctx, s)
}

func (r *repository) FingerprintOf(ctx context.Context, s Status) (Fingerprint, error) {
	return r.fingerprint(ctx, s, func(l layout) (Repo, error) {
		return openGit(ctx, l, Options{Command: r.run.tool, Timeout: r.run.timeout, HookTimeout: r.run.slow, Env: r.run.env, Exclude: []string{}})
	})
}

// fingerprint hashes HEAD, git's own entries (they hold the object names in HEAD and index) and the content that only the tree has.
// inner opens a repository that lies inside this one.
func (r *base) fingerprint(ctx context.Context, s Status, inner func(layout) (Repo, error)) (Fingerprint, error) {
	h, err := r.Head(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s\x00", h.Rev, h.Branch)
	for _, c := range s.Changes {
		if err := ctx.Err(); err != nil {
			return "", context.Cause(ctx)
		}
		fmt.Fprintf(sum, "%s\x00", c.raw)
		if !c.Unstaged() {
			continue
		}
		if c.Nested() || strings.HasPrefix(c.sub, "S") {
			err = hashInner(ctx, sum, r.abs(c.Path), inner)
		} else {
			err = hashFile(sum, r.abs(c.Path))
		}
		if err != nil {
			return "", fmt.Errorf("fingerprint %s: %w", c.Path, err)
		}
	}
	return Fingerprint(hex.EncodeToString(sum.Sum(nil))), nil
}

// hashInner takes in the state of a repository inside this one: its letters alone don't tell one edit from the next.
func hashInner(ctx context.Context, sum io.Writer, path string, open func(layout) (Repo, error)) error {
	l, ok, err := gitAt(path)
	if !ok || err != nil {
		return nil // its name is all that we know of it
	}
	inner, err := open(l)
	if err != nil {
		return nil
	}
	f, err := inner.Fingerprint(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "%s\x00", f)
	return nil
}

// hashFile takes in kind, mode and content of what lies at a path; that nothing lies there is a fact, too.
func hashFile(sum hash.Hash, path string) error {
	fi, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		fmt.Fprint(sum, "gone\x00")
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "%v %d\x00", fi.Mode().Type()|fi.Mode().Perm()&0o100, fi.Size())
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s\x00", target)
	case fi.Mode().IsRegular() && fi.Size() <= wholeFile:
		f, err := os.Open(path)
		if err != nil {
			if errors.Is(err, fs.ErrPermission) {
				fmt.Fprintf(sum, "%d\x00", fi.ModTime().UnixNano())
				return nil
			}
			return err
		}
		defer f.Close()
		if _, err := io.Copy(sum, f); err != nil {
			return err
		}
	case fi.Mode().IsRegular():
		fmt.Fprintf(sum, "%d\x00", fi.ModTime().UnixNano())
	}
	return nil
}
