package vcs

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kept is a folder of snapshots, for repositories that have no refs for them:
//
//	<dir>/<run>/<n>/snapshot.json   what it holds, why and when
//	<dir>/<run>/<n>/changes.patch   the changes as a diff, for people; only where the system has one
//	<dir>/<run>/<n>/files/0 1 …     the files, whole
//
// A snapshot is made beside its place and moved there as the last step: it is whole or not there.
type kept struct{ dir string }

// keptSnapshot is snapshot.json.
type keptSnapshot struct {
	Version int        `json:"version"`
	Ref     string     `json:"ref"`
	Message string     `json:"message"`
	Head    Rev        `json:"head"`
	Time    time.Time  `json:"time"`
	Files   []keptFile `json:"files"`
}

type keptFile struct {
	Path    string `json:"path"`
	Mode    string `json:"mode"`
	Deleted bool   `json:"deleted,omitempty"`
	Object  string `json:"object,omitempty"` // the name in files/
}

func (w *wrapper) Snapshot(ctx context.Context, ref, message string) (Rev, error) {
	return w.kept.snapshot(ctx, w, ref, message, nil)
}

// snapshot copies all that is dirty. patch may be nil.
func (k kept) snapshot(ctx context.Context, r Repo, ref, message string, patch []byte) (Rev, error) {
	rev, err := k.make(ctx, r, ref, message, patch)
	if err != nil {
		return "", fmt.Errorf("snapshot the working tree as %s: %w", ref, err)
	}
	return rev, nil
}

func (k kept) make(ctx context.Context, r Repo, ref, message string, patch []byte) (Rev, error) {
	place, err := k.place(ref)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(place); err == nil {
		return "", ErrExists
	}
	h, err := r.Head(ctx)
	if err != nil {
		return "", err
	}
	s, err := r.Status(ctx)
	if err != nil {
		return "", err
	}
	if err := k.prepare(); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(k.dir, ".making-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	snap := keptSnapshot{Version: 1, Ref: ref, Message: message, Head: h.Rev, Time: time.Now().UTC()}
	if err := os.Mkdir(filepath.Join(tmp, "files"), 0o700); err != nil {
		return "", err
	}
	for _, p := range s.Paths() {
		f, err := keep(ctx, filepath.Join(r.Root(), filepath.FromSlash(p)), filepath.Join(tmp, "files", strconv.Itoa(len(snap.Files))))
		if err != nil {
			return "", fmt.Errorf("keep %s: %w", p, err)
		}
		f.Path = p
		snap.Files = append(snap.Files, f)
	}
	text, err := json.MarshalIndent(snap, "", "  ")
	if err != nil {
		return "", err
	}
	if len(patch) > 0 {
		if err := os.WriteFile(filepath.Join(tmp, "changes.patch"), patch, 0o600); err != nil {
			return "", err
		}
	}
	if err := writeSynced(filepath.Join(tmp, "snapshot.json"), text); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, place); err != nil {
		if _, there := os.Lstat(place); there == nil {
			return "", ErrExists
		}
		return "", err
	}
	return revOf(text), nil
}

// prepare makes the folder. Within the tree it ignores itself, for the systems that know such files.
func (k kept) prepare() error {
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return err
	}
	if filepath.Base(filepath.Dir(k.dir)) != ".ralphex" {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(k.dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// keep copies one file. A folder is another repository: only its name is kept.
func keep(ctx context.Context, from, to string) (keptFile, error) {
	if ctx.Err() != nil {
		return keptFile{}, context.Cause(ctx)
	}
	fi, err := os.Lstat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return keptFile{Mode: "100644", Deleted: true}, nil
	case err != nil:
		return keptFile{}, err
	case fi.IsDir():
		return keptFile{Mode: "160000"}, nil
	case fi.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err == nil {
			err = writeSynced(to, []byte(target))
		}
		return keptFile{Mode: "120000", Object: filepath.Base(to)}, err
	case !fi.Mode().IsRegular():
		return keptFile{}, fmt.Errorf("it is no file but %v", fi.Mode().Type())
	}
	f := keptFile{Mode: "100644", Object: filepath.Base(to)}
	if fi.Mode().Perm()&0o100 != 0 {
		f.Mode = "100755"
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
	return f, errors.Join(err, out.Sync(), out.Close())
}

func writeSynced(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Sync(), f.Close())
}

func revOf(text []byte) Rev {
	sum := sha1.Sum(text)
	return Rev(hex.EncodeToString(sum[:]))
}

// place is the folder of a snapshot.
func (k kept) place(ref string) (string, error) {
	name, ok := strings.CutPrefix(ref, SnapshotRoot)
	if !ok || !legalRef(ref) || !filepath.IsLocal(name) {
		return "", fmt.Errorf("%q: %w", ref, ErrBadName)
	}
	return filepath.Join(k.dir, filepath.FromSlash(name)), nil
}

func (k kept) read(ref string) (keptSnapshot, Rev, error) {
	var snap keptSnapshot
	place, err := k.place(ref)
	if err != nil {
		return snap, "", err
	}
	text, err := os.ReadFile(filepath.Join(place, "snapshot.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return snap, "", ErrNoSnapshot
	}
	if err == nil {
		err = json.Unmarshal(text, &snap)
	}
	if err == nil && snap.Version != 1 {
		err = fmt.Errorf("version %d: this program reads version 1: %w", snap.Version, ErrUnsupported)
	}
	return snap, revOf(text), err
}

func (w *wrapper) Snapshots(_ context.Context, prefix string) ([]SnapshotInfo, error) {
	if !strings.HasPrefix(prefix, "refs/ralphex/") {
		return nil, fmt.Errorf("list snapshots %s: %w", prefix, ErrBadName)
	}
	var list []SnapshotInfo
	err := filepath.WalkDir(w.kept.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "files" || strings.HasPrefix(d.Name(), ".making-")) {
			return fs.SkipDir
		}
		if d.Name() != "snapshot.json" {
			return nil
		}
		rel, err := filepath.Rel(w.kept.dir, filepath.Dir(path))
		if err != nil {
			return err
		}
		ref := SnapshotRoot + filepath.ToSlash(rel)
		snap, rev, err := w.kept.read(ref)
		if err != nil {
			return fmt.Errorf("%s: %w", ref, err)
		}
		if strings.HasPrefix(ref, prefix) {
			list = append(list, SnapshotInfo{Ref: ref, Rev: rev, Message: snap.Message, Time: snap.Time})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list snapshots: %w", err)
	}
	slices.SortStableFunc(list, func(a, b SnapshotInfo) int { return a.Time.Compare(b.Time) })
	return list, nil
}

func (w *wrapper) SnapshotFiles(_ context.Context, ref string) ([]SnapshotFile, error) {
	snap, _, err := w.kept.read(ref)
	if err != nil {
		return nil, fmt.Errorf("read snapshot %s: %w", ref, err)
	}
	var files []SnapshotFile
	for _, f := range snap.Files {
		files = append(files, SnapshotFile{Path: f.Path, Mode: f.Mode, Deleted: f.Deleted, Object: f.Object})
	}
	slices.SortFunc(files, func(a, b SnapshotFile) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

func (w *wrapper) SnapshotContent(_ context.Context, ref string, f SnapshotFile) ([]byte, error) {
	place, err := w.kept.place(ref)
	if err == nil && (f.Deleted || f.Object == "" || filepath.Base(f.Object) != f.Object) {
		err = errors.New("no content was kept")
	}
	if err != nil {
		return nil, fmt.Errorf("read %s of snapshot %s: %w", f.Path, ref, err)
	}
	return os.ReadFile(filepath.Join(place, "files", f.Object))
}

func (w *wrapper) DropSnapshot(_ context.Context, ref string, rev Rev) error {
	_, have, err := w.kept.read(ref)
	if err == nil && have != rev {
		err = fmt.Errorf("it is %s now, not %s", have.Short(), rev.Short())
	}
	if err != nil {
		return fmt.Errorf("drop snapshot %s: %w", ref, err)
	}
	place, err := w.kept.place(ref)
	if err != nil {
		return err
	}
	return os.RemoveAll(place)
}
