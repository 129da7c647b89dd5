package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralphex/internal/durable"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// IncludeFile lists, in the syntax of .gitignore, the ignored files that each new worktree gets a copy of.
const IncludeFile = ".worktreeinclude"

// IgnoredLister finds ignored files by patterns of .gitignore.
type IgnoredLister interface {
	IgnoredMatching(ctx context.Context, patterns string) ([]string, error)
}

// forwarder brings a branch that is checked out up to a commit without a merge.
type forwarder interface {
	FastForward(ctx context.Context, to vcs.Rev) error
}

// Make makes the worktree as it was chosen: the folder, the branch, and the plan's text. Started again after a kill it goes on from
// what is there. The checkout that the run was started from is not touched.
func (t *Tree) Make(ctx context.Context) error {
	if t.Forget {
		if err := t.repo.RemoveWorktree(ctx, t.Dir); err != nil {
			return fmt.Errorf("forget the worktree whose folder is gone: %w", err)
		}
	}
	if t.Add {
		start := vcs.Rev("")
		if t.Create {
			start = t.Start
		}
		if err := os.MkdirAll(filepath.Dir(t.Dir), 0o750); err != nil {
			return err
		}
		if err := t.repo.AddWorktree(ctx, t.Dir, t.Branch, start); err != nil {
			return err
		}
	}
	if t.Forward {
		if err := t.forward(ctx); err != nil {
			return err
		}
	}
	if err := EnsureSelfIgnored(filepath.Join(t.Dir, ".ralph")); err != nil {
		return err
	}
	if t.BringPlan {
		return t.copyPlan()
	}
	return nil
}

func (t *Tree) forward(ctx context.Context) error {
	repo, err := t.opts.Open(ctx, t.Dir)
	if err != nil {
		return err
	}
	f, ok := repo.(forwarder)
	if !ok {
		return nil
	}
	return f.FastForward(ctx, t.Start)
}

func (t *Tree) copyPlan() error {
	text, err := plan.ReadFile(t.opts.Plan)
	if err != nil {
		return fmt.Errorf("bring the plan into the worktree: %w", err)
	}
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.FromSlash(t.plan)
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("bring the plan into the worktree: %w", err)
	}
	if err := root.WriteFile(name, text, 0o644); err != nil {
		return fmt.Errorf("bring the plan into the worktree: %w", err)
	}
	return nil
}

// Marker is what a worktree remembers of how it was made ready, in .ralph/worktree.json. Whoever cleans the worktree (git clean -fdx)
// takes the marker along, and it is made ready again.
type Marker struct {
	Version int    `json:"version"`
	Setup   string `json:"setup,omitempty"` // hash of the setup command that ended well
	// Brought are the copies of ignored files, each with the hash of what was copied.
	Brought map[string]string `json:"brought,omitempty"`
}

func markerFile(dir string) string { return filepath.Join(dir, ".ralph", "worktree.json") }

// ReadMarker reads the marker of a worktree; without one, or with one that can't be read, the worktree isn't ready.
func ReadMarker(dir string) (Marker, bool) {
	var m Marker
	text, err := durable.ReadFile(markerFile(dir), 1<<20)
	if err != nil || json.Unmarshal(text, &m) != nil || m.Version != 1 {
		return Marker{}, false
	}
	return m, true
}

// Write keeps the marker.
func (m Marker) Write(dir string) error {
	m.Version = 1
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(markerFile(dir), append(text, '\n'), 0o640)
}

// SetupHash stands for a setup command in a Marker.
func SetupHash(command string) string { return sum([]byte(command)) }

// Bring copies ignored files into the worktree: those that the patterns name, and those of from's own .worktreeinclude. Nothing that is
// there is overwritten, and no symbolic link leads the copies elsewhere. It returns what it copied, for the Marker.
func (t *Tree) Bring(ctx context.Context, from string, patterns []string) (map[string]string, error) {
	lister, ok := t.repo.(IgnoredLister)
	if !ok {
		return nil, nil
	}
	include, err := durable.ReadFile(filepath.Join(from, IncludeFile), 1<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all := string(include) + "\n" + strings.Join(patterns, "\n")
	if strings.TrimSpace(all) == "" {
		return nil, nil
	}
	paths, err := lister.IgnoredMatching(ctx, all+"\n")
	if err != nil {
		return nil, err
	}
	src, err := os.OpenRoot(from)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	dst, err := os.OpenRoot(t.Dir)
	if err != nil {
		return nil, err
	}
	defer dst.Close()
	brought := map[string]string{}
	for _, p := range paths {
		if inside(onDisk(t.repo, p), t.opts.Base) || samePath(t.repo, p, t.plan) {
			continue
		}
		hash, err := bring(ctx, src, dst, filepath.FromSlash(p))
		if err != nil {
			return brought, fmt.Errorf("bring %s into the worktree: %w", p, err)
		}
		if hash != "" {
			brought[p] = hash
		}
	}
	return brought, nil
}

// bring copies one file or link; the hash is empty where something was in its place already, or it is neither.
func bring(ctx context.Context, src, dst *os.Root, name string) (hash string, err error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if _, err := dst.Lstat(name); err == nil {
		return "", nil
	}
	fi, err := src.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil // gone since it was listed
	}
	if err != nil {
		return "", err
	}
	if err := dst.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", err
	}
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		to, err := src.Readlink(name)
		if err != nil {
			return "", err
		}
		return sum([]byte(to)), dst.Symlink(to, name)
	case !fi.Mode().IsRegular():
		return "", nil
	}
	in, err := src.Open(name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := dst.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fi.Mode().Perm())
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, h), in)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, out.Close())
}

// fingerprint is the hash that bring gave, of what a copy is now; empty if it is gone.
func fingerprint(path string) string {
	fi, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	if fi.Mode()&fs.ModeSymlink != 0 {
		to, _ := os.Readlink(path)
		return sum([]byte(to))
	}
	f, err := os.Open(path)
	if err != nil {
		return "unreadable"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "unreadable"
	}
	return hex.EncodeToString(h.Sum(nil))
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// inside reports whether a path lies in a folder.
func inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
