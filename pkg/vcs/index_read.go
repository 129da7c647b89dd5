package vcs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralphex/internal/wait"
)

// Index reads what is staged: the next commit as it stands, whatever the working tree holds. It is git's own
// view, taken from the environment, so a hook sees the index that its commit is made of (`git commit FILE`
// makes one of its own).
type Index struct {
	root, prefix string // prefix: the folder it was opened in, relative to root, with a slash at its end, or ""
	run          runner
}

// StagedFile is a regular file of the index.
type StagedFile struct {
	Path string // relative to the root, with slashes
	blob string
}

// OpenIndex finds the repository that dir lies in. Errors: ErrNotRepo (also for a bare one), ErrNoTool.
func OpenIndex(ctx context.Context, dir string, env []string) (*Index, error) {
	tool, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("open index: %w: git", ErrNoTool)
	}
	if env == nil {
		env = os.Environ()
	}
	x := &Index{run: runner{tool: tool, dir: dir, env: append(slices.Clip(env), "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat"),
		timeout: 2 * time.Minute, slow: 2 * time.Minute, pause: wait.For}}
	out, err := x.run.look(ctx, "rev-parse", "--show-toplevel", "--show-prefix")
	if exitCode(err) == 128 {
		return nil, fmt.Errorf("open index of %s: %w: %w", dir, ErrNotRepo, err)
	}
	if err != nil {
		return nil, fmt.Errorf("open index of %s: %w", dir, err)
	}
	top, prefix, _ := strings.Cut(strings.TrimSuffix(string(out), "\n"), "\n")
	x.root, x.prefix = filepath.FromSlash(top), prefix
	x.run.dir = x.root
	return x, nil
}

// Root is the absolute top folder of the working tree.
func (x *Index) Root() string { return x.root }

// Rel turns a path as somebody typed it in the folder of OpenIndex into one relative to the root. Outside of it
// the error is ErrOutside.
func (x *Index) Rel(name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = path.Join(x.prefix, filepath.ToSlash(name))
		if name == ".." || strings.HasPrefix(name, "../") {
			return "", fmt.Errorf("%w: %s", ErrOutside, name)
		}
		return name, nil
	}
	dir, base := filepath.Split(filepath.Clean(name))
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		name = filepath.Join(real, base)
	}
	rel, err := filepath.Rel(x.root, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%w: %s", ErrOutside, name)
	}
	return filepath.ToSlash(rel), nil
}

// Files lists the files of the index at or below the paths, which are relative to the root; none = all. A path
// that matches nothing is fs.ErrNotExist, an unmerged one an error. What is only announced (`git add -N`) is no
// file yet; links and submodules are none at all.
func (x *Index) Files(ctx context.Context, paths []string) ([]StagedFile, error) {
	files, seen, err := x.list(ctx, paths)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		if !slices.ContainsFunc(seen, func(name string) bool { return within(name, p) }) {
			return nil, fmt.Errorf("%s is not staged: %w", p, fs.ErrNotExist)
		}
	}
	return files, nil
}

// Some is Files for paths that may be missing.
func (x *Index) Some(ctx context.Context, paths []string) ([]StagedFile, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	files, _, err := x.list(ctx, paths)
	return files, err
}

// list asks git. seen are the names of all entries, also of those that are no files.
func (x *Index) list(ctx context.Context, paths []string) (files []StagedFile, seen []string, err error) {
	out, err := x.run.look(ctx, append([]string{"ls-files", "--cached", "--stage", "--full-name", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, nil, fmt.Errorf("list index: %w", err)
	}
	announced := false
	for rec := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		head, name, ok := strings.Cut(rec, "\t")
		words := strings.Fields(head)
		if !ok || len(words) != 3 {
			continue
		}
		seen = append(seen, name)
		if words[2] != "0" {
			return nil, nil, fmt.Errorf("list index: %s is not merged yet", name)
		}
		if strings.HasPrefix(words[0], "100") {
			files = append(files, StagedFile{Path: name, blob: words[1]})
			announced = announced || emptyBlob[words[1]]
		}
	}
	if announced {
		files, err = x.withoutAnnounced(ctx, files)
	}
	return files, seen, err
}

// emptyBlob names a file without content, in both hashes.
var emptyBlob = map[string]bool{
	"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391":                         true,
	"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813": true,
}

// within tells whether a file is at or below a path.
func within(name, p string) bool {
	p = strings.TrimSuffix(p, "/")
	return p == "." || p == "" || name == p || strings.HasPrefix(name, p+"/")
}

// withoutAnnounced leaves out what `git add -N` put into the index: compared with the index it is new.
func (x *Index) withoutAnnounced(ctx context.Context, files []StagedFile) ([]StagedFile, error) {
	out, err := x.run.look(ctx, "diff", "--name-only", "--no-ext-diff", "--no-relative", "--diff-filter=A", "-z")
	if err != nil {
		return nil, fmt.Errorf("list announced files: %w", err)
	}
	names := strings.Split(string(out), "\x00")
	return slices.DeleteFunc(files, func(f StagedFile) bool { return emptyBlob[f.blob] && slices.Contains(names, f.Path) }), nil
}

// Changed lists the files at or below the paths that the next commit adds or changes, in order of their names.
func (x *Index) Changed(ctx context.Context, paths []string) ([]StagedFile, error) {
	out, err := x.run.look(ctx, append([]string{"diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-relative",
		"--no-color", "--ignore-submodules", "--diff-filter=AMT", "--"}, paths...)...)
	if err != nil {
		return nil, fmt.Errorf("compare index with HEAD: %w", err)
	}
	var files []StagedFile
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		words := strings.Fields(fields[i]) // :oldmode newmode oldblob newblob status
		if len(words) == 5 && strings.HasPrefix(words[1], "100") {
			files = append(files, StagedFile{Path: fields[i+1], blob: words[3]})
		}
	}
	slices.SortFunc(files, func(a, b StagedFile) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

// Touched lists all that the next commit changes: 'A' added, 'M' modified, 'D' deleted, 'T' another kind of file.
func (x *Index) Touched(ctx context.Context) (map[string]byte, error) {
	out, err := x.run.look(ctx, "diff", "--cached", "--name-status", "-z", "--no-renames", "--no-ext-diff", "--no-relative", "--no-color", "--ignore-submodules")
	if err != nil {
		return nil, fmt.Errorf("compare index with HEAD: %w", err)
	}
	touched := map[string]byte{}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] != "" {
			touched[fields[i+1]] = fields[i][0]
		}
	}
	return touched, nil
}

// Read returns the contents of files, in their order, by one process.
func (x *Index) Read(ctx context.Context, files []StagedFile) ([][]byte, error) {
	if len(files) == 0 {
		return nil, nil
	}
	var ask bytes.Buffer
	for _, f := range files {
		ask.WriteString(f.blob + "\n")
	}
	out, err := x.run.run(ctx, call{access: looks, args: []string{"cat-file", "--batch"}, stdin: ask.Bytes()})
	if err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	contents := make([][]byte, len(files))
	for i, f := range files {
		if contents[i], out, err = nextObject(out); err != nil {
			return nil, fmt.Errorf("read %s from the index: %w", f.Path, err)
		}
	}
	return contents, nil
}

// nextObject cuts one answer off what `cat-file --batch` said.
func nextObject(out []byte) (content, rest []byte, err error) {
	head, rest, ok := bytes.Cut(out, []byte("\n"))
	words := bytes.Fields(head)
	if !ok || len(words) != 3 {
		return nil, nil, fmt.Errorf("git says %q", head)
	}
	size, err := strconv.Atoi(string(words[2]))
	if err != nil || size < 0 || size >= len(rest) {
		return nil, nil, errors.New("git's answer is cut off")
	}
	return rest[:size:size], rest[size+1:], nil
}
