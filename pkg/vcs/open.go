package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Options say how a repository is opened. The zero value works.
type Options struct {
	GitCommand string        // name or path; "" = "git"
	Timeout    time.Duration // of one command; 0 = 2 min
	// HookTimeout is the deadline of a command that runs the user's hooks, which may well run a test suite; 0 = 15 min.
	HookTimeout time.Duration
	Env         []string // of the commands; nil = os.Environ()
	// Exclude lists folders that are never part of a status; nil = ".ralph" and ".ralphex".
	Exclude []string
	// Backend is "auto" (or ""): go-git where it is right and fast, the CLI elsewhere; or "git": the CLI answers everything.
	Backend string
}

// layout is where the parts of a Git repository lie. All paths are absolute.
type layout struct {
	root   string // top of the working tree
	gitDir string // HEAD and index; of a linked worktree its own
	common string // refs, objects, config; the same as gitDir but in a linked worktree
}

// Open finds the repository that dir lies in. It starts no process, unless only the CLI can read the repository.
// Errors: ErrNotRepo, ErrBare, ErrNoTool, ErrUnsupported.
func Open(ctx context.Context, dir string, o Options) (Repo, error) {
	l, err := find(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository at %s: %w", dir, err)
	}
	r, err := open(ctx, l, o)
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", l.root, err)
	}
	return r, nil
}

func open(ctx context.Context, l layout, o Options) (*repository, error) {
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.HookTimeout <= 0 {
		o.HookTimeout = 15 * time.Minute
	}
	if o.GitCommand == "" {
		o.GitCommand = "git"
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Exclude == nil {
		o.Exclude = []string{".ralph", ".ralphex"}
	}
	tool, err := exec.LookPath(o.GitCommand)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrNoTool, o.GitCommand)
	}
	if tool, err = filepath.Abs(tool); err != nil {
		return nil, err
	}
	run := newRunner(tool, l.root, o.Env, o.Timeout, o.HookTimeout)
	r := &repository{layout: l, run: run, exclude: o.Exclude, nameLen: l.hashLen(), settings: newSettings(l, run, o.Env)}
	asked := &questions{run: run}
	switch o.Backend {
	case "git":
		r.reader, err = asked, asked.probe(ctx)
	case "", "auto":
		if objects, oerr := openObjects(l); oerr == nil {
			r.reader = &either{first: objects, second: asked}
		} else {
			r.reader, err = asked, asked.probe(ctx)
		}
	default:
		err = fmt.Errorf("%w: vcs backend %q", ErrUnsupported, o.Backend)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// find walks up from dir to the first folder that is the top of a repository.
func find(dir string) (layout, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return layout{}, err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return layout{}, err
	}
	for at := abs; ; at = filepath.Dir(at) {
		l, ok, err := gitAt(at)
		if ok || err != nil {
			return l, err
		}
		if fi, err := os.Stat(filepath.Join(at, ".hg")); err == nil && fi.IsDir() {
			return layout{}, fmt.Errorf("%w: Mercurial (%s)", ErrUnsupported, at)
		}
		if isGitDir(at) {
			return layout{}, ErrBare
		}
		if at == filepath.Dir(at) {
			return layout{}, ErrNotRepo
		}
	}
}

// gitAt looks for a repository whose top is exactly at. A ".git" folder that isn't one is passed over as git does; a ".git" file that
// leads nowhere is an error, as it is for git: what lies further up is another repository.
func gitAt(at string) (layout, bool, error) {
	dot := filepath.Join(at, ".git")
	fi, err := os.Stat(dot)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return layout{}, false, nil
	}
	if err != nil {
		return layout{}, false, err
	}
	gitDir := dot
	if !fi.IsDir() {
		if gitDir, err = readLink(dot); err != nil {
			return layout{}, false, err
		}
		if !isGitDir(gitDir) {
			return layout{}, false, fmt.Errorf("%s points to %s: %w", dot, gitDir, ErrNotRepo)
		}
	} else if !isGitDir(dot) {
		return layout{}, false, nil
	}
	l := layout{root: at, gitDir: gitDir, common: commonDir(gitDir)}
	return l, true, l.checkTree()
}

// readLink reads a ".git" file: "gitdir: PATH".
func readLink(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(string(b), "gitdir: ")
	if !ok {
		return "", fmt.Errorf("%s is no link to a repository: %w", file, ErrNotRepo)
	}
	target = strings.TrimRight(target, "\r\n")
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(file), target)
	}
	return target, nil
}

// isGitDir asks what git asks: a HEAD, and refs and objects here or in the common folder.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonDir(dir)
	for _, sub := range []string{"refs", "objects"} {
		if fi, err := os.Stat(filepath.Join(common, sub)); err != nil || !fi.IsDir() {
			return false
		}
	}
	return true
}

// commonDir is the folder that a linked worktree shares with the others.
func commonDir(gitDir string) string {
	b, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	dir := string(bytes.TrimRight(b, "\r\n"))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(gitDir, dir)
	}
	return filepath.Clean(dir)
}

// checkTree refuses a repository whose working tree isn't where its ".git" lies.
func (l layout) checkTree() error {
	// core.bare of the shared file says nothing about a linked worktree: it has a tree by its nature.
	if l.linked() {
		return nil
	}
	core := readConfig(filepath.Join(l.common, "config")).Section("core")
	if tree := core.Option("worktree"); tree != "" {
		if !filepath.IsAbs(tree) {
			tree = filepath.Join(l.gitDir, tree)
		}
		if !sameFile(tree, l.root) {
			return fmt.Errorf("%w: core.worktree is %s", ErrUnsupported, tree)
		}
		return nil
	}
	if yes(core.Option("bare")) {
		return ErrBare
	}
	return nil
}

func (l layout) linked() bool { return l.gitDir != l.common }

// sameFile reports whether two paths lead to one file, whatever their spelling.
func sameFile(a, b string) bool {
	fa, err := os.Stat(a)
	if err != nil {
		return false
	}
	fb, err := os.Stat(b)
	return err == nil && os.SameFile(fa, fb)
}
