package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"ralphex/internal/durable"
	"ralphex/pkg/vcs"
)

// What Restore did with a file.
const (
	DidRestore   = "restored"    // it was missing and is back
	DidSame      = "same"        // it is there just like that
	DidOverwrite = "overwritten" // another one was there; a copy of the tree was kept before
	DidLeave     = "left"        // nothing was done; Why tells the reason
)

// RestoreOptions say what comes back, and where to.
type RestoreOptions struct {
	// To is a folder, absolute; it is made. Empty = the working tree itself.
	To string
	// Paths are files or folders, relative to the repository's root, with slashes. Empty = all.
	Paths []string
	// Staged brings back what was staged and different from the tree, instead of what the tree had.
	Staged bool
	// Overwrite replaces files that differ, after the tree was kept. Nothing is ever deleted.
	Overwrite bool
	// Run is whose copy is kept before the first file is overwritten.
	Run string
}

// RestoredFile is one file of a copy and what became of it.
type RestoredFile struct {
	Path string `json:"path"`
	Did  string `json:"did"`
	Why  string `json:"why,omitempty"`
}

// Restored is what Restore did.
type Restored struct {
	Files []RestoredFile
	// Before is the copy that was kept before anything was overwritten.
	Before Kept
}

// Left counts the files that are not as the copy has them.
func (r Restored) Left() int {
	n := 0
	for _, f := range r.Files {
		if f.Did == DidLeave {
			n++
		}
	}
	return n
}

// Restore brings files of a copy back. A file that differs is left alone unless it is to be overwritten, and then a copy is kept first; a
// file that was gone in the copy is never deleted. An error in between leaves what Restored names done.
func Restore(ctx context.Context, repo vcs.Repo, ref string, o RestoreOptions) (Restored, error) {
	store, err := vcs.Snapshots(repo)
	if err != nil {
		return Restored{}, err
	}
	files, err := store.SnapshotFiles(ctx, ref)
	if err != nil {
		return Restored{}, err
	}
	to := o.To
	if to == "" {
		to = repo.Root()
	} else if err := os.MkdirAll(to, 0o755); err != nil {
		return Restored{}, err
	}
	dir, err := durable.OpenDir(to)
	if err != nil {
		return Restored{}, err
	}
	defer dir.Close()
	r := restoring{ctx: ctx, repo: repo, store: store, ref: ref, opts: o, dir: dir}
	for _, f := range files {
		if f.Staged != o.Staged || !Under(f.Path, o.Paths) {
			continue
		}
		did, err := r.file(f)
		if err != nil {
			return r.out, fmt.Errorf("restore %s: %w", f.Path, err)
		}
		r.out.Files = append(r.out.Files, did)
	}
	return r.out, nil
}

// Under reports whether a path is one of the wanted ones or lies in one; without any all are.
func Under(p string, wanted []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(wanted, func(w string) bool {
		w = path.Clean(w)
		return w == "." || p == w || strings.HasPrefix(p, w+"/")
	})
}

type restoring struct {
	ctx   context.Context
	repo  vcs.Repo
	store vcs.SnapshotStore
	ref   string
	opts  RestoreOptions
	dir   *durable.Dir
	out   Restored
}

func (r *restoring) file(f vcs.SnapshotFile) (RestoredFile, error) {
	leave := func(why string) (RestoredFile, error) { return RestoredFile{f.Path, DidLeave, why}, nil }
	switch {
	case f.Deleted:
		if _, err := r.dir.Root().Lstat(f.Path); err != nil {
			return RestoredFile{f.Path, DidSame, "it was gone and is"}, nil
		}
		return leave("it had been deleted; nothing is deleted here")
	case f.Mode == "160000":
		return leave("a repository of its own: its content was not kept")
	}
	if in := r.obstacle(f.Path); in != "" {
		return leave(in + " is in the way")
	}
	want, err := r.store.SnapshotContent(r.ctx, r.ref, f)
	if err != nil {
		return RestoredFile{}, err
	}
	fi, err := r.dir.Root().Lstat(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return RestoredFile{f.Path, DidRestore, ""}, r.create(f, want)
	}
	if err != nil {
		return RestoredFile{}, err
	}
	if fi.IsDir() {
		return leave("a folder is in the way")
	}
	same, err := r.same(f, fi, want)
	switch {
	case err != nil:
		return RestoredFile{}, err
	case same:
		return RestoredFile{f.Path, DidSame, ""}, nil
	case !r.opts.Overwrite:
		return leave("it differs")
	}
	return r.overwrite(f, want)
}

// obstacle names the first folder of a path that is none: a file, or a link, which could lead anywhere.
func (r *restoring) obstacle(p string) string {
	for i, c := range p {
		if c != '/' {
			continue
		}
		if fi, err := r.dir.Root().Lstat(p[:i]); err == nil && !fi.IsDir() {
			return p[:i]
		}
	}
	return ""
}

func (r *restoring) same(f vcs.SnapshotFile, fi fs.FileInfo, want []byte) (bool, error) {
	if link := fi.Mode()&fs.ModeSymlink != 0; link || f.Mode == "120000" {
		if !link || f.Mode != "120000" {
			return false, nil
		}
		target, err := r.dir.Root().Readlink(f.Path)
		return target == string(want), err
	}
	if !fi.Mode().IsRegular() || fi.Size() != int64(len(want)) {
		return false, nil
	}
	if executable := fi.Mode()&0o100 != 0; executable != (f.Mode == "100755") && runtime.GOOS != "windows" {
		return false, nil
	}
	have, err := r.dir.Root().ReadFile(f.Path)
	return bytes.Equal(have, want), err
}

// create makes a file that isn't there, and fails if it is by now.
func (r *restoring) create(f vcs.SnapshotFile, content []byte) error {
	root := r.dir.Root()
	if err := root.MkdirAll(path.Dir(f.Path), 0o755); err != nil {
		return err
	}
	if f.Mode == "120000" {
		return root.Symlink(string(content), f.Path)
	}
	out, err := root.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, permOf(f))
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return errors.Join(err, root.Remove(f.Path)) // half a file would look like somebody's
	}
	return nil
}

// overwrite replaces a file when all that the tree has was kept. What the repository ignores is in no copy, so it stays.
func (r *restoring) overwrite(f vcs.SnapshotFile, content []byte) (RestoredFile, error) {
	if r.opts.To != "" {
		return RestoredFile{f.Path, DidLeave, "it differs, and only the working tree's files can be kept before they are overwritten"}, nil
	}
	if ignored, err := r.repo.Ignored(r.ctx, f.Path); err != nil {
		return RestoredFile{}, err
	} else if tracked, terr := r.repo.Tracked(r.ctx, f.Path); terr != nil {
		return RestoredFile{}, terr
	} else if ignored && !tracked {
		return RestoredFile{f.Path, DidLeave, "it differs and is ignored by the repository, so that no copy of it could be kept"}, nil
	}
	if r.out.Before.Ref == "" {
		kept, err := NewKeeper(r.repo, r.opts.Run).Keep(r.ctx, "before files were overwritten by ralphex restore")
		if err != nil {
			return RestoredFile{}, err
		}
		r.out.Before = kept // none if the tree is as the last commit has it
	}
	root := r.dir.Root()
	if fi, err := root.Lstat(f.Path); err != nil || !fi.Mode().IsRegular() || f.Mode == "120000" {
		if err := root.Remove(f.Path); err != nil {
			return RestoredFile{}, err
		}
		return RestoredFile{f.Path, DidOverwrite, ""}, r.create(f, content)
	}
	if err := r.dir.WriteFile(f.Path, content, permOf(f)); err != nil {
		return RestoredFile{}, err
	}
	return RestoredFile{f.Path, DidOverwrite, ""}, root.Chmod(f.Path, permOf(f))
}

func permOf(f vcs.SnapshotFile) fs.FileMode {
	if f.Mode == "100755" {
		return 0o755
	}
	return 0o644
}
