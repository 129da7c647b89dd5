package vcs

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

var _ SnapshotStore = (*alone)(nil)

func (a *alone) Snapshots(ctx context.Context, prefix string) ([]SnapshotInfo, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	if !strings.HasPrefix(prefix, "refs/ralphex/") {
		return nil, fmt.Errorf("list snapshots %s: %w", prefix, ErrBadName)
	}
	refs, err := a.refsBelow(prefix)
	if err != nil {
		return nil, fmt.Errorf("list snapshots: %w", err)
	}
	var list []SnapshotInfo
	for name, rev := range refs {
		c, err := a.reader.commit(ctx, rev)
		if err != nil {
			return nil, fmt.Errorf("list snapshots: %s: %w", name, err)
		}
		list = append(list, SnapshotInfo{Ref: name, Rev: rev, Message: c.entry.Subject, Time: c.entry.Time.Local()})
	}
	slices.SortFunc(list, func(x, y SnapshotInfo) int { return cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.Ref, y.Ref)) })
	return list, nil
}

func (a *alone) refsBelow(prefix string) (map[string]Rev, error) {
	a.objects.mu.Lock()
	defer a.objects.mu.Unlock()
	refs, err := a.objects.store.IterReferences()
	if err != nil {
		return nil, err
	}
	defer refs.Close()
	found := map[string]Rev{}
	return found, refs.ForEach(func(r *plumbing.Reference) error {
		if name := string(r.Name()); strings.HasPrefix(name, prefix) && r.Type() == plumbing.HashReference {
			found[name] = Rev(r.Hash().String())
		}
		return nil
	})
}

func (a *alone) SnapshotFiles(ctx context.Context, ref string) ([]SnapshotFile, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	files, err := a.snapshotFiles(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("read snapshot %s: %w", ref, err)
	}
	return files, nil
}

// snapshotFiles reads what repository.snapshotFiles reads, by the same rules.
func (a *alone) snapshotFiles(ctx context.Context, ref string) ([]SnapshotFile, error) {
	rev, err := a.snapshotRev(ctx, ref)
	if err != nil {
		return nil, err
	}
	kept, err := a.reader.commit(ctx, rev)
	if err != nil {
		return nil, err
	}
	base, index := "", ""
	for _, p := range kept.parents {
		c, err := a.reader.commit(ctx, p)
		if err != nil {
			return nil, err
		}
		if c.entry.Author == "ralphex" && strings.HasPrefix(c.entry.Subject, "index: ") {
			index = c.tree
		} else {
			base = c.tree
		}
	}
	files, err := a.treeFiles(ctx, base, kept.tree)
	if err != nil || index == "" {
		return files, err
	}
	staged, err := a.treeFiles(ctx, base, index)
	if err != nil {
		return nil, err
	}
	for _, f := range staged {
		if !slices.Contains(files, f) {
			f.Staged = true
			files = append(files, f)
		}
	}
	return files, nil
}

// treeFiles lists what tree to has and from hasn't, by path.
func (a *alone) treeFiles(ctx context.Context, from, to string) ([]SnapshotFile, error) {
	changes, err := a.objects.differing(ctx, from, to)
	if err != nil {
		return nil, err
	}
	var files []SnapshotFile
	for path, p := range changes {
		f := SnapshotFile{Path: path, Mode: fmt.Sprintf("%06o", p[1].mode), Object: p[1].object}
		if p[1] == (leaf{}) {
			f = SnapshotFile{Path: path, Mode: fmt.Sprintf("%06o", p[0].mode), Deleted: true}
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(x, y SnapshotFile) int { return cmp.Compare(x.Path, y.Path) })
	return files, nil
}

func (a *alone) SnapshotContent(_ context.Context, ref string, f SnapshotFile) ([]byte, error) {
	if f.Deleted || f.Mode == "160000" || f.Object == "" {
		return nil, fmt.Errorf("read %s of snapshot %s: no content was kept", f.Path, ref)
	}
	b, err := a.objects.read(plumbing.BlobObject, f.Object)
	if err != nil {
		return nil, fmt.Errorf("read %s of snapshot %s: %w", f.Path, ref, err)
	}
	return b, nil
}

// DropSnapshot removes a ref that lies in a file of its own; one that git packed is git's to remove.
func (a *alone) DropSnapshot(ctx context.Context, ref string, rev Rev) error {
	if err := a.dropSnapshot(ctx, ref, rev); err != nil {
		return fmt.Errorf("drop snapshot %s: %w", ref, err)
	}
	return nil
}

func (a *alone) dropSnapshot(ctx context.Context, ref string, rev Rev) error {
	if err := a.stillHere(); err != nil {
		return err
	}
	if _, err := a.snapshotRev(ctx, ref); err != nil {
		return err
	}
	packed, err := os.ReadFile(filepath.Join(a.common, "packed-refs"))
	if err == nil && strings.Contains(string(packed), " "+ref+"\n") {
		return needsGit("drop it", "it lies in packed-refs")
	}
	file := filepath.Join(a.common, filepath.FromSlash(ref))
	l, err := lock(file)
	if err != nil {
		return err
	}
	defer l.abort()
	now, err := a.snapshotRev(ctx, ref)
	if err != nil {
		return err
	}
	if now != rev {
		return &SurpriseError{What: ref, Want: string(rev), Got: string(now)}
	}
	return os.Remove(file)
}
