package vcs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
	"unicode"
)

// Hold is how files were before a command ran that may take them away: a copy that is cheap to make and to drop, and that becomes a
// snapshot where it was needed. It lies with what belongs to the repository and not to its tree, in the form of [kept], so that it
// outlives a clean of the tree, and a kill.
type Hold struct {
	dir  string
	root string
	snap keptSnapshot
}

// Holder makes holds.
type Holder interface {
	// Hold copies the paths as they lie in the tree; that nothing lies there is held, too. The name is the caller's: an older hold of
	// that name is replaced.
	Hold(ctx context.Context, name string, head Rev, paths []string) (*Hold, error)
	// Held is the hold of that name that was not dropped, since who made it was killed; nil = there is none.
	Held(name string) (*Hold, error)
	// SnapshotHold keeps what a hold has, as Snapshot does with the whole tree. The hold is dropped.
	SnapshotHold(ctx context.Context, ref, message string, h *Hold) (Rev, error)
}

var (
	_ Holder = (*repository)(nil)
	_ Holder = (*alone)(nil)
	_ Holder = (*wrapper)(nil)
)

// Fate is what became of a held file.
type Fate int

// The fates.
const (
	FateSame    Fate = iota // byte by byte, or still not there
	FateSpaced              // only white space is another one: it was formatted
	FateChanged             // it has other content, or another kind
	FateEmptied
	FateGone
	FateCame // it was not there, and is
)

// holdDir is where holds of a folder of snapshots lie.
func (k kept) holdDir(name string) string { return filepath.Join(filepath.Dir(k.dir), "hold", name) }

func (r *repository) keptBeside() kept { return kept{filepath.Join(r.gitDir, "ralphex", "wip")} }
func (a *alone) keptBeside() kept      { return kept{filepath.Join(a.gitDir, "ralphex", "wip")} }

// Hold copies files aside.
func (r *repository) Hold(ctx context.Context, name string, head Rev, paths []string) (*Hold, error) {
	return r.keptBeside().hold(ctx, name, r.root, head, paths)
}

// Held finds a hold.
func (r *repository) Held(name string) (*Hold, error) { return r.keptBeside().held(name, r.root) }

// Hold copies files aside.
func (a *alone) Hold(ctx context.Context, name string, head Rev, paths []string) (*Hold, error) {
	return a.keptBeside().hold(ctx, name, a.root, head, paths)
}

// Held finds a hold.
func (a *alone) Held(name string) (*Hold, error) { return a.keptBeside().held(name, a.root) }

// Hold copies files aside.
func (w *wrapper) Hold(ctx context.Context, name string, head Rev, paths []string) (*Hold, error) {
	return w.kept.hold(ctx, name, w.root, head, paths)
}

// Held finds a hold.
func (w *wrapper) Held(name string) (*Hold, error) { return w.kept.held(name, w.root) }

func (k kept) hold(ctx context.Context, name, root string, head Rev, paths []string) (*Hold, error) {
	h := &Hold{dir: k.holdDir(name), root: root, snap: keptSnapshot{Version: 1, Head: head, Time: time.Now().UTC()}}
	fail := func(err error) (*Hold, error) {
		return nil, errors.Join(fmt.Errorf("copy what is uncommitted: %w", err), os.RemoveAll(h.dir))
	}
	if err := k.prepare(); err != nil {
		return fail(err)
	}
	if err := os.RemoveAll(h.dir); err != nil {
		return fail(err)
	}
	if err := os.MkdirAll(filepath.Join(h.dir, "files"), 0o700); err != nil {
		return fail(err)
	}
	for _, p := range paths {
		if ctx.Err() != nil {
			return fail(context.Cause(ctx))
		}
		f, err := holdFile(h.at(p), filepath.Join(h.dir, "files", strconv.Itoa(len(h.snap.Files))))
		if err != nil {
			return fail(err)
		}
		f.Path = p
		h.snap.Files = append(h.snap.Files, f)
	}
	text, err := json.Marshal(h.snap)
	if err == nil {
		err = os.WriteFile(filepath.Join(h.dir, "snapshot.json"), text, 0o600)
	}
	if err != nil {
		return fail(err)
	}
	return h, nil
}

// held reads a hold that nobody dropped. One that was cut off while it was made held nothing yet.
func (k kept) held(name, root string) (*Hold, error) {
	h := &Hold{dir: k.holdDir(name), root: root}
	text, err := os.ReadFile(filepath.Join(h.dir, "snapshot.json"))
	if err == nil && json.Unmarshal(text, &h.snap) == nil && h.snap.Version == 1 {
		return h, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what was uncommitted: %w", err)
	}
	return nil, os.RemoveAll(h.dir)
}

// holdFile copies a file, or keeps a second name of a large one: that is free, and guards against its removal.
func holdFile(from, to string) (keptFile, error) {
	fi, err := os.Lstat(from)
	if missing(err) {
		return keptFile{Mode: "100644", Deleted: true}, nil
	}
	if err != nil {
		return keptFile{}, err
	}
	f := keptFile{Mode: "100644", Object: filepath.Base(to)}
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		f.Mode = "120000"
		target, err := os.Readlink(from)
		if err == nil {
			err = os.WriteFile(to, []byte(target), 0o600)
		}
		return f, err
	case !fi.Mode().IsRegular():
		return keptFile{Mode: "160000"}, nil // a folder is another repository, which keeps its own
	case fi.Mode().Perm()&0o100 != 0:
		f.Mode = "100755"
	}
	if fi.Size() > wholeFile && os.Link(from, to) == nil {
		return f, nil
	}
	in, err := os.Open(from)
	if err != nil {
		return f, err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return f, err
	}
	_, err = io.Copy(out, in)
	return f, errors.Join(err, out.Close())
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func (h *Hold) at(path string) string { return filepath.Join(h.root, filepath.FromSlash(path)) }

// Head is where HEAD was.
func (h *Hold) Head() Rev { return h.snap.Head }

// Paths are what is held.
func (h *Hold) Paths() []string {
	paths := make([]string, 0, len(h.snap.Files))
	for _, f := range h.snap.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// Drop forgets the hold.
func (h *Hold) Drop() error { return os.RemoveAll(h.dir) }

// Fate compares a held file with what lies in its place now.
func (h *Hold) Fate(path string) (Fate, error) {
	for _, f := range h.snap.Files {
		if f.Path == path {
			return h.fate(f)
		}
	}
	return FateSame, nil
}

func (h *Hold) fate(f keptFile) (Fate, error) {
	fi, err := os.Lstat(h.at(f.Path))
	switch {
	case missing(err) && f.Deleted:
		return FateSame, nil
	case missing(err):
		return FateGone, nil
	case err != nil:
		return FateSame, err
	case f.Deleted:
		return FateCame, nil
	case f.Mode == "160000" || fi.IsDir():
		if fi.IsDir() == (f.Mode == "160000") {
			return FateSame, nil
		}
		return FateChanged, nil
	case f.Mode == "120000" || fi.Mode()&fs.ModeSymlink != 0:
		return h.linkFate(f, fi)
	}
	was, err := os.Stat(filepath.Join(h.dir, "files", f.Object))
	if err != nil {
		return FateSame, err
	}
	if fi.Size() == 0 && was.Size() > 0 {
		return FateEmptied, nil
	}
	if os.SameFile(was, fi) {
		return FateSame, nil
	}
	if was.Size() > wholeFile || fi.Size() > wholeFile {
		return FateChanged, nil
	}
	before, err := os.ReadFile(filepath.Join(h.dir, "files", f.Object))
	if err != nil {
		return FateSame, err
	}
	now, err := os.ReadFile(h.at(f.Path))
	switch {
	case err != nil:
		return FateSame, err
	case !bytes.Equal(before, now) && bytes.Equal(unspaced(before), unspaced(now)):
		return FateSpaced, nil
	case !bytes.Equal(before, now), (f.Mode == "100755") != (fi.Mode().Perm()&0o100 != 0):
		return FateChanged, nil
	}
	return FateSame, nil
}

func (h *Hold) linkFate(f keptFile, fi fs.FileInfo) (Fate, error) {
	if f.Mode != "120000" || fi.Mode()&fs.ModeSymlink == 0 {
		return FateChanged, nil
	}
	before, err := os.ReadFile(filepath.Join(h.dir, "files", f.Object))
	if err != nil {
		return FateSame, err
	}
	now, err := os.Readlink(h.at(f.Path))
	if err == nil && now != string(before) {
		return FateChanged, nil
	}
	return FateSame, err
}

// unspaced is the text without its white space.
func unspaced(b []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, b)
}
