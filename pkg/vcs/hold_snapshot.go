package vcs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// SnapshotHold makes the same commit as Snapshot, of what is held.
func (r *repository) SnapshotHold(ctx context.Context, ref, message string, h *Hold) (Rev, error) {
	rev, err := r.snapshotHold(ctx, ref, message, h)
	if err != nil {
		return "", fmt.Errorf("keep what was uncommitted as %s: %w", ref, err)
	}
	return rev, h.Drop()
}

func (r *repository) snapshotHold(ctx context.Context, ref, message string, h *Hold) (Rev, error) {
	if !strings.HasPrefix(ref, "refs/ralphex/") || !legalRef(ref) {
		return "", ErrBadName
	}
	if rev, target, err := r.reader.ref(ctx, ref); err != nil {
		return "", err
	} else if rev != "" || target != "" {
		return "", ErrExists
	}
	index := filepath.Join(h.dir, "index")
	s := snapshotter{run: r.run, ctx: ctx, env: append([]string{"GIT_INDEX_FILE=" + index}, snapshotAuthor...)}
	commit := []string{"-m", message}
	if head := h.snap.Head; head != "" {
		if _, err := s.git("read-tree", string(head)); err != nil {
			return "", err
		}
		commit = append(commit, "-p", string(head))
	}
	info, err := h.indexInfo(s)
	if err != nil {
		return "", err
	}
	if _, err := s.call(call{access: writes, args: []string{"update-index", "-z", "--index-info"}, stdin: info}); err != nil {
		return "", err
	}
	tree, err := s.git("write-tree")
	if err != nil {
		return "", err
	}
	rev, err := s.git(append([]string{"commit-tree", tree}, commit...)...)
	if err != nil {
		return "", err
	}
	_, err = r.run.run(ctx, call{access: writes, args: []string{"update-ref", "--stdin"}, stdin: fmt.Appendf(nil, "create %s %s\n", ref, rev)})
	return Rev(rev), err
}

// indexInfo stores the held contents as they are, and returns the lines for update-index.
func (h *Hold) indexInfo(s snapshotter) ([]byte, error) {
	var names bytes.Buffer
	var stored []keptFile
	for _, f := range h.snap.Files {
		if f.Object != "" {
			stored = append(stored, f)
			names.WriteString(filepath.Join(h.dir, "files", f.Object) + "\n")
		}
	}
	var hashes []string
	if len(stored) > 0 {
		out, err := s.call(call{access: writes, args: []string{"hash-object", "-w", "--no-filters", "--stdin-paths"}, stdin: names.Bytes()})
		if err != nil {
			return nil, err
		}
		if hashes = strings.Fields(string(out)); len(hashes) != len(stored) {
			return nil, fmt.Errorf("git hash-object: %d names for %d files", len(hashes), len(stored))
		}
	}
	var info bytes.Buffer
	nothing := strings.Repeat("0", max(len(h.snap.Head), len(zeroName)))
	for _, f := range h.snap.Files { // what lay in the place of a folder first
		if f.Deleted {
			fmt.Fprintf(&info, "0 %s\t%s\x00", nothing, f.Path)
		}
	}
	for i, f := range stored {
		fmt.Fprintf(&info, "%s %s\t%s\x00", f.Mode, hashes[i], f.Path)
	}
	return info.Bytes(), nil
}

// SnapshotHold makes the same commit without git.
func (a *alone) SnapshotHold(ctx context.Context, ref, message string, h *Hold) (Rev, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	rev, err := a.snapshotHold(ctx, ref, message, h)
	if err != nil {
		return "", fmt.Errorf("keep what was uncommitted as %s: %w", ref, err)
	}
	return rev, h.Drop()
}

func (a *alone) snapshotHold(ctx context.Context, ref, message string, h *Hold) (Rev, error) {
	if !strings.HasPrefix(ref, "refs/ralphex/") || !legalRef(ref) {
		return "", ErrBadName
	}
	if rev, target, err := a.reader.ref(ctx, ref); err != nil || rev != "" || target != "" {
		return "", errors.Join(err, ErrExists)
	}
	edits := map[string]leaf{}
	for _, f := range h.snap.Files {
		if f.Deleted {
			edits[f.Path] = leaf{}
		}
		if f.Object == "" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(h.dir, "files", f.Object))
		if err != nil {
			return "", err
		}
		name, err := a.objects.write(plumbing.BlobObject, content)
		if err != nil {
			return "", err
		}
		mode, err := filemode.New(f.Mode)
		if err != nil {
			return "", err
		}
		edits[f.Path] = leaf{uint32(mode), name}
	}
	base, parents := "", []Rev(nil)
	if h.snap.Head != "" {
		parents = []Rev{h.snap.Head}
		var err error
		if base, err = a.TreeHash(ctx, h.snap.Head); err != nil {
			return "", err
		}
	}
	tree, err := a.objects.edit(base, edits)
	if err == nil && tree == "" {
		tree, err = a.objects.write(plumbing.TreeObject, nil)
	}
	if err != nil {
		return "", err
	}
	sign := "ralphex <ralphex@localhost> " + stamp(time.Now())
	rev, err := a.objects.writeCommit(tree, parents, sign, sign, message+"\n")
	if err != nil {
		return "", err
	}
	return rev, a.setRef(ctx, ref, "", rev, sign, message)
}

// SnapshotHold moves the copies to where snapshots lie.
func (w *wrapper) SnapshotHold(_ context.Context, ref, message string, h *Hold) (Rev, error) {
	rev, err := w.kept.take(ref, message, h)
	if err != nil {
		return "", fmt.Errorf("keep what was uncommitted as %s: %w", ref, err)
	}
	return rev, nil
}

func (k kept) take(ref, message string, h *Hold) (Rev, error) {
	place, err := k.place(ref)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(place); !errors.Is(err, fs.ErrNotExist) {
		return "", errors.Join(err, ErrExists)
	}
	snap := h.snap
	snap.Ref, snap.Message = ref, message
	text, err := json.MarshalIndent(snap, "", "  ")
	if err != nil {
		return "", err
	}
	whole := filepath.Join(h.dir, "snapshot.json")
	if err := os.Remove(whole); err != nil {
		return "", err
	}
	if err := writeSynced(whole, text); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return "", err
	}
	return revOf(text), os.Rename(h.dir, place)
}
