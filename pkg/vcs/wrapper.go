package vcs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// wrapper is any command that takes git's arguments: the user's vcs_command. It promises what docs/vcs-wrapper.md lists and no more;
// what else it can is found out by asking once, and what it can't is told in Caps.
type wrapper struct {
	root    string
	run     runner
	exclude []string
	can     *abilities
	kept    kept
	parents *lineage
}

var (
	_ Repo          = (*wrapper)(nil)
	_ Verber        = (*wrapper)(nil)
	_ SnapshotStore = (*wrapper)(nil)
)

// openWrapper opens the repository that dir lies in through the user's own vcs_command.
func openWrapper(ctx context.Context, dir string, o Options) (Repo, error) {
	tool, err := findTool(o.Command, o.Env)
	if err != nil {
		return nil, fmt.Errorf("vcs_command: %w", err)
	}
	ask := newRunner(tool, dir, o.Env, o.Timeout, o.HookTimeout)
	ask.env = append(ask.env, "GIT_CEILING_DIRECTORIES=") // the top may be anywhere above
	out, err := ask.look(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		if exitCode(err) > 0 {
			return nil, fmt.Errorf("%w: %w", ErrNotRepo, err)
		}
		return nil, err
	}
	root, err := filepath.EvalSymlinks(line(out))
	if err != nil || !filepath.IsAbs(root) {
		return nil, fmt.Errorf("%s rev-parse --show-toplevel: expected the absolute path of a folder, got %q", filepath.Base(tool), line(out))
	}
	w := newWrapper(root, newRunner(tool, root, o.Env, o.Timeout, o.HookTimeout), o.Exclude)
	return w, w.probe(ctx)
}

func newWrapper(root string, run runner, exclude []string) *wrapper {
	return &wrapper{root: root, run: run, exclude: exclude, can: &abilities{}, kept: kept{keepDir(root)}, parents: &lineage{}}
}

func (w *wrapper) Root() string { return w.root }

func (w *wrapper) Kind() string { return "wrapper" }

// Verbs are Git's, typed with the wrapper, as far as its contract goes; the rest is the system's own.
func (w *wrapper) Verbs() Verbs {
	v := GitVerbs(w.run.tool)
	v.Switch = w.run.tool + " checkout {branch}"
	if w.hgMeta() != "" {
		own := HgVerbs()
		v.System, v.Restore, v.History = own.System, own.Restore, own.History
	}
	return v
}

func (w *wrapper) Rel(path string) (string, error) { return relTo(w.root, path) }

func (w *wrapper) abs(path string) string { return filepath.Join(w.root, filepath.FromSlash(path)) }

func (w *wrapper) Head(ctx context.Context) (Head, error) {
	h, err := w.head(ctx)
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	return h, nil
}

func (w *wrapper) head(ctx context.Context) (Head, error) {
	var h Head
	out, err := w.run.look(ctx, "rev-parse", "HEAD")
	switch {
	case says(err, 128, "ambiguous argument"):
		h.Unborn = true
	case err != nil:
		return h, err
	default:
		h.Rev = Rev(line(out))
		if strings.Trim(string(h.Rev), "0") == "" { // older wrappers answer with the null commit
			h.Rev, h.Unborn = "", true
		}
	}
	out, err = w.run.look(ctx, "symbolic-ref", "--short", "HEAD")
	switch {
	case says(err, 128, "not a symbolic ref"):
		h.Detached = !h.Unborn
	case err != nil:
		return h, err
	default:
		h.Branch = Branch(line(out))
	}
	w.learn(ctx, h.Rev)
	return h, nil
}

// learn asks once for the parent of a commit that may be amended later.
func (w *wrapper) learn(ctx context.Context, rev Rev) {
	if _, known := w.parents.of(rev); known || rev == "" || w.Public() == "" {
		return
	}
	if out, err := w.run.look(ctx, "rev-parse", "--verify", "--quiet", "HEAD^"); err == nil {
		w.parents.note(rev, Rev(line(out)))
	}
}

// expected reads HEAD before a write and makes sure that it is where the caller believes it to be.
func expected(ctx context.Context, r Repo, want *Head) (Head, error) {
	h, err := r.Head(ctx)
	switch {
	case err != nil || want == nil:
		return h, err
	case h.Branch != want.Branch:
		return h, &SurpriseError{What: "branch", Want: string(want.Branch), Got: string(h.Branch)}
	case h.Rev != want.Rev:
		return h, &SurpriseError{What: "commit of HEAD", Want: string(want.Rev), Got: string(h.Rev)}
	}
	return h, nil
}

// says reports whether a command ended with that exit code and these words on stderr.
func says(err error, exit int, words string) bool {
	ce, ok := errors.AsType[*CommandError](err)
	return ok && ce.Err == nil && ce.Exit == exit && strings.Contains(strings.ToLower(ce.Stderr), words)
}

func (w *wrapper) DefaultBranch(ctx context.Context) (Branch, error) {
	out, err := w.run.look(ctx, "symbolic-ref", "refs/remotes/origin/HEAD")
	if err != nil && exitCode(err) < 0 {
		return "", fmt.Errorf("find default branch: %w", err)
	}
	if name, ok := strings.CutPrefix(line(out), "refs/remotes/origin/"); ok && err == nil && name != "" {
		local, err := w.BranchExists(ctx, Branch(name))
		if err != nil || local {
			return Branch(name), err
		}
		return Branch("origin/" + name), nil
	}
	for _, b := range []Branch{"main", "master", "trunk", "develop"} {
		ok, err := w.BranchExists(ctx, b)
		if err != nil || ok {
			return b, err
		}
	}
	return "master", nil
}

func (w *wrapper) BranchExists(ctx context.Context, b Branch) (bool, error) {
	if !b.Legal() {
		return false, nil
	}
	_, err := w.run.look(ctx, "show-ref", "--verify", "--quiet", "refs/heads/"+string(b))
	if err != nil && exitCode(err) < 0 {
		return false, fmt.Errorf("look for branch %s: %w", b, err)
	}
	return err == nil, nil
}

// BranchHolder: the contract has no question for it. A wrapper that refuses to switch says so itself.
func (w *wrapper) BranchHolder(context.Context, Branch) (string, error) { return "", nil }

func (w *wrapper) CreateBranch(ctx context.Context, b Branch) error {
	if err := w.createBranch(ctx, b); err != nil {
		return fmt.Errorf("create branch %s: %w", b, err)
	}
	return nil
}

func (w *wrapper) createBranch(ctx context.Context, b Branch) error {
	if !b.Legal() {
		return ErrBadName
	}
	h, err := w.head(ctx)
	if err != nil {
		return err
	}
	if h.Unborn {
		return ErrUnborn
	}
	exists, err := w.BranchExists(ctx, b)
	if err != nil {
		return err
	}
	if exists {
		return ErrExists
	}
	_, err = w.run.run(ctx, call{access: hooks, args: []string{"checkout", "-b", string(b)}})
	return err
}

func (w *wrapper) Switch(ctx context.Context, b Branch) error {
	exists, err := w.BranchExists(ctx, b)
	if err == nil && !exists {
		err = fmt.Errorf("no such branch: %w", ErrBadName)
	}
	if err == nil {
		_, err = w.run.run(ctx, call{access: hooks, args: []string{"checkout", string(b)}})
	}
	if err != nil {
		return fmt.Errorf("switch to branch %s: %w", b, err)
	}
	return nil
}

// InProgress looks at what the systems that wrappers are made for leave in their folder; the contract has no question for it.
func (w *wrapper) InProgress(ctx context.Context) (string, error) {
	if l, ok, _ := gitAt(w.root); ok {
		return (&base{layout: l}).InProgress(ctx)
	}
	return hgWaiting(filepath.Join(w.root, ".hg"))
}

// Identity is not asked for: the contract has no question for it, and a commit without a name says so itself.
func (w *wrapper) Identity(ctx context.Context) error {
	if !w.can.has("var") {
		return nil
	}
	_, err := w.run.look(ctx, "var", "GIT_AUTHOR_IDENT")
	if exitCode(err) == 128 {
		return &IdentityError{Err: err}
	}
	return nil
}

// keepDir is the folder for what belongs to a repository and not to its tree.
func keepDir(root string) string {
	for _, meta := range []string{".git", ".hg"} {
		if fi, err := os.Stat(filepath.Join(root, meta)); err == nil && fi.IsDir() {
			return filepath.Join(root, meta, "ralphex", "wip")
		}
	}
	return filepath.Join(root, ".ralphex", "wip")
}
