package vcs

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Hider is a repository that can be told to look away from files. Their changes are in no status, and in no commit.
type Hider interface {
	// Hidden lists the files that the repository was told to look away from and whose content is another one than it knows, sorted.
	Hidden(ctx context.Context) ([]string, error)
}

var _ Hider = (*repository)(nil)

// Hidden looks for files with git's marks skip-worktree and assume-unchanged. Without such a mark it costs one read of the index. An index that only
// git reads (split, sparse) tells nothing.
func (r *repository) Hidden(ctx context.Context) ([]string, error) {
	b, err := os.ReadFile(filepath.Join(r.gitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for hidden changes: %w", err)
	}
	known := map[string]string{} // object names of what may have changed
	err = scanIndex(b, r.nameLen, func(name []byte, e indexEntry) {
		if !e.skip && !e.assume || e.submodule() {
			return
		}
		p := string(name)
		fi, err := os.Lstat(r.abs(p))
		if err != nil || !fi.Mode().IsRegular() || behindLink(r.root, p, nil) != "" || sameStat(e.head, fi) {
			return // a file that is not there is what the mark is for
		}
		known[p] = hex.EncodeToString(e.head[40 : 40+r.nameLen])
	})
	if err != nil || len(known) == 0 {
		return nil, nil
	}
	return r.otherContent(ctx, known)
}

// sameStat tells whether size and time of a file are those in the index, which git has written when it last looked.
func sameStat(head []byte, fi fs.FileInfo) bool {
	sec, nano, size := binary.BigEndian.Uint32(head[8:]), binary.BigEndian.Uint32(head[12:]), binary.BigEndian.Uint32(head[36:])
	t := fi.ModTime()
	return size == uint32(fi.Size()) && sec == uint32(t.Unix()) && (nano == 0 || nano == uint32(t.Nanosecond()))
}

// otherContent keeps the paths whose content git would store under another name than the given one.
func (r *repository) otherContent(ctx context.Context, known map[string]string) ([]string, error) {
	var paths, other []string
	for p := range known {
		if strings.ContainsAny(p, "\n\r\"\\") { // the list of names has no way to write these
			other = append(other, p)
		} else {
			paths = append(paths, p)
		}
	}
	if len(paths) > 0 {
		out, err := r.run.run(ctx, call{access: looks, args: []string{"hash-object", "--stdin-paths"}, stdin: []byte(strings.Join(paths, "\n") + "\n"), slow: true})
		if err != nil {
			return nil, fmt.Errorf("look for hidden changes: %w", err)
		}
		names := bytes.Fields(out)
		if len(names) != len(paths) {
			return nil, fmt.Errorf("look for hidden changes: git hash-object: %d names for %d files", len(names), len(paths))
		}
		for i, p := range paths {
			if string(names[i]) != known[p] {
				other = append(other, p)
			}
		}
	}
	slices.Sort(other)
	return other, nil
}
