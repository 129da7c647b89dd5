package vcs

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// SnapshotRoot is where snapshots lie: SnapshotRoot + RUN + "/" + NAME.
const SnapshotRoot = "refs/ralphex/wip/"

// SnapshotInfo is one snapshot that was kept.
type SnapshotInfo struct {
	Ref     string // "refs/ralphex/wip/20260201-120000-ab12/3"
	Rev     Rev
	Message string // why it was made
	Time    time.Time
}

// SnapshotFile is one file that a snapshot holds and the commit below it doesn't, or holds differently.
type SnapshotFile struct {
	Path    string
	Mode    string // "100644", "100755", "120000" (a link; its content is the target), "160000" (a repository of its own: not kept)
	Deleted bool   // the file was gone
	// Staged says that this is the version of the index, kept beside another one that the tree had.
	Staged bool
	// Object names the content to [SnapshotStore.SnapshotContent]; it means nothing elsewhere.
	Object string
}

// SnapshotStore reads what [Repo.Snapshot] kept. A backend that can't is no SnapshotStore; see [Snapshots].
type SnapshotStore interface {
	// Snapshots lists the snapshots whose ref begins with prefix, the oldest first.
	Snapshots(ctx context.Context, prefix string) ([]SnapshotInfo, error)
	// SnapshotFiles lists what a snapshot holds, by path. A ref that isn't there is ErrNoSnapshot.
	SnapshotFiles(ctx context.Context, ref string) ([]SnapshotFile, error)
	// SnapshotContent is a file of the snapshot, as it lay in the tree.
	SnapshotContent(ctx context.Context, ref string, f SnapshotFile) ([]byte, error)
	// DropSnapshot forgets a snapshot if it still is rev. Only a person's own command does that.
	DropSnapshot(ctx context.Context, ref string, rev Rev) error
}

// Snapshots returns the part of r that reads snapshots, or an error that is ErrUnsupported.
func Snapshots(r Repo) (SnapshotStore, error) {
	if s, ok := r.(SnapshotStore); ok {
		return s, nil
	}
	return nil, fmt.Errorf("read snapshots of a %s repository: %w", r.Kind(), ErrUnsupported)
}

var (
	_ SnapshotStore = (*repository)(nil)
	_ Verber        = (*repository)(nil)
)

// Verbs are Git's own.
func (r *repository) Verbs() Verbs { return GitVerbs("git") }

func (r *repository) Snapshots(ctx context.Context, prefix string) ([]SnapshotInfo, error) {
	if !strings.HasPrefix(prefix, "refs/ralphex/") {
		return nil, fmt.Errorf("list snapshots %s: %w", prefix, ErrBadName)
	}
	out, err := r.run.look(ctx, "for-each-ref", "--sort=creatordate", "--sort=refname",
		"--format=%(refname)%00%(objectname)%00%(creatordate:unix)%00%(subject)", "refs/ralphex/")
	if err != nil {
		return nil, fmt.Errorf("list snapshots: %w", err)
	}
	var list []SnapshotInfo
	for _, l := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		f := strings.SplitN(l, "\x00", 4)
		if len(f) != 4 || !strings.HasPrefix(f[0], prefix) {
			continue
		}
		at, _ := strconv.ParseInt(f[2], 10, 64) // a ref of somebody else's that is no commit has no date
		list = append(list, SnapshotInfo{Ref: f[0], Rev: Rev(f[1]), Time: time.Unix(at, 0), Message: f[3]})
	}
	return list, nil
}

func (r *repository) SnapshotFiles(ctx context.Context, ref string) ([]SnapshotFile, error) {
	files, err := r.snapshotFiles(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("read snapshot %s: %w", ref, err)
	}
	return files, nil
}

// snapshotFiles reads the tree against the commit below. The snapshot has the kept index as its second parent (its only one, if there was no
// commit yet): of that, the versions count that neither the commit below nor the tree has.
func (r *repository) snapshotFiles(ctx context.Context, ref string) ([]SnapshotFile, error) {
	rev, err := r.snapshotRev(ctx, ref)
	if err != nil {
		return nil, err
	}
	out, err := r.run.look(ctx, "log", "-1", "--format=%P", string(rev))
	if err != nil {
		return nil, err
	}
	base, index := "", ""
	for _, p := range strings.Fields(string(out)) {
		subject, err := r.run.look(ctx, "log", "-1", "--format=%an%x00%s", p)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(line(subject), "ralphex\x00index: ") {
			index = p
		} else {
			base = p
		}
	}
	files, err := r.treeChanges(ctx, base, string(rev))
	if err != nil || index == "" {
		return files, err
	}
	staged, err := r.treeChanges(ctx, base, index)
	if err != nil {
		return nil, err
	}
	worked := map[string]SnapshotFile{}
	for _, f := range files {
		worked[f.Path] = f
	}
	for _, f := range staged {
		if worked[f.Path] != f {
			f.Staged = true
			files = append(files, f)
		}
	}
	return files, nil
}

func (r *base) snapshotRev(ctx context.Context, ref string) (Rev, error) {
	if !strings.HasPrefix(ref, "refs/ralphex/") || !legalRef(ref) {
		return "", ErrBadName
	}
	rev, _, err := r.reader.ref(ctx, ref)
	if err == nil && rev == "" {
		err = ErrNoSnapshot
	}
	return rev, err
}

// treeChanges lists what tree to has and from hasn't; an empty from has nothing.
func (r *repository) treeChanges(ctx context.Context, from, to string) ([]SnapshotFile, error) {
	if from == "" {
		empty, err := r.run.run(ctx, call{access: looks, args: []string{"hash-object", "-t", "tree", "--stdin"}, stdin: []byte{}})
		if err != nil {
			return nil, err
		}
		from = line(empty)
	}
	out, err := r.run.look(ctx, "diff-tree", "-r", "-z", "--no-renames", "--raw", "--full-index", from, to)
	if err != nil {
		return nil, err
	}
	return parseRaw(out)
}

// parseRaw reads ":OLDMODE NEWMODE OLD NEW LETTER\0PATH\0".
func parseRaw(out []byte) ([]SnapshotFile, error) {
	var files []SnapshotFile
	for len(out) > 0 {
		meta, rest, _ := bytes.Cut(out, []byte{0})
		path, rest, found := bytes.Cut(rest, []byte{0})
		f := strings.Fields(strings.TrimPrefix(string(meta), ":"))
		if !found || len(f) != 5 {
			return nil, fmt.Errorf("git diff-tree: entry %q", meta)
		}
		out = rest
		if f[4] == "D" {
			files = append(files, SnapshotFile{Path: string(path), Mode: f[0], Deleted: true})
			continue
		}
		files = append(files, SnapshotFile{Path: string(path), Mode: f[1], Object: f[3]})
	}
	return files, nil
}

// SnapshotContent gives a file of the tree byte by byte, as it was kept. What was staged is as git had stored it: there the filters for line
// ends and large file storage are undone.
func (r *repository) SnapshotContent(ctx context.Context, ref string, f SnapshotFile) ([]byte, error) {
	if f.Deleted || f.Mode == "160000" || f.Object == "" {
		return nil, fmt.Errorf("read %s of snapshot %s: no content was kept", f.Path, ref)
	}
	args := []string{"cat-file", "blob", f.Object}
	if f.Staged && f.Mode != "120000" {
		args = []string{"cat-file", "--filters", "--path=" + f.Path, f.Object}
	}
	out, err := r.run.run(ctx, call{access: looks, args: args, slow: true})
	if err != nil {
		return nil, fmt.Errorf("read %s of snapshot %s: %w", f.Path, ref, err)
	}
	return out, nil
}

func (r *repository) DropSnapshot(ctx context.Context, ref string, rev Rev) error {
	if _, err := r.snapshotRev(ctx, ref); err != nil {
		return fmt.Errorf("drop snapshot %s: %w", ref, err)
	}
	_, err := r.run.run(ctx, call{access: writes, args: []string{"update-ref", "--stdin"}, stdin: fmt.Appendf(nil, "delete %s %s\n", ref, rev)})
	if err != nil {
		return fmt.Errorf("drop snapshot %s: %w", ref, err)
	}
	return nil
}
