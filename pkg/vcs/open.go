package vcs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Options say how a repository is opened. The zero value works.
type Options struct {
	// Command is the user's vcs_command. Empty, "git" or a path to a git: the kind of repository is detected, and that git is used.
	// Anything else is a wrapper that takes git's arguments, for every call and in any repository.
	Command string
	// Backend says who answers in a Git repository. "auto" (or ""): the library where it is right and fast, the command elsewhere,
	// the library alone where there is no git. "git": the command answers everything. "go-git": the library alone.
	Backend string

	Timeout time.Duration // of one command; 0 = 2 min
	// HookTimeout is the deadline of a command that runs the user's hooks, which may well run a test suite, and of each call that
	// the library answers; 0 = 15 min.
	HookTimeout time.Duration
	Env         []string // of the commands; nil = os.Environ()
	// Exclude lists folders that are never part of a status; nil = ".ralph" and ".ralphex".
	Exclude []string
}

// withDefaults fills in what the zero value stands for.
func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.HookTimeout <= 0 {
		o.HookTimeout = 15 * time.Minute
	}
	if o.Command == "" {
		o.Command = "git"
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Exclude == nil {
		o.Exclude = []string{".ralph", ".ralphex"}
	}
	return o
}

// wraps reports whether the command is a wrapper and not git itself.
func (o Options) wraps() bool {
	base := filepath.Base(o.Command)
	return base != "git" && !strings.EqualFold(base, "git.exe")
}

// Open finds the repository that dir lies in. In a Git repository it starts no process, unless only git can read it.
// Errors: ErrNotRepo, ErrBare, ErrNoTool, ErrUnsupported.
func Open(ctx context.Context, dir string, o Options) (Repo, error) {
	o = o.withDefaults()
	r, at, err := open(ctx, dir, o)
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", at, err)
	}
	return r, nil
}

// open sends each kind of repository to its constructor. at is the place for an error's text.
func open(ctx context.Context, dir string, o Options) (r Repo, at string, err error) {
	switch o.Backend {
	case "", "auto", "git", "go-git":
	default:
		return nil, "at " + dir, fmt.Errorf("%w: vcs_backend %q (it is auto, go-git or git)", ErrUnsupported, o.Backend)
	}
	if o.wraps() {
		r, err = openWrapper(ctx, dir, o)
		return r, "at " + dir, err
	}
	l, hg, err := find(dir)
	switch {
	case err != nil:
		return nil, "at " + dir, err
	case hg != "":
		r, err = openHg(ctx, hg, o)
		return r, hg, err
	}
	r, err = openEither(ctx, l, o)
	return r, l.root, err
}

// openEither opens a Git repository with git, or with the library alone where that is asked for or all there is.
func openEither(ctx context.Context, l layout, o Options) (Repo, error) {
	if o.Backend == "go-git" {
		return orNil(openAlone(ctx, l, o))
	}
	r, err := openGit(ctx, l, o)
	if errors.Is(err, ErrNoTool) && o.Backend != "git" && o.Command == "git" { // a path that the user names must be there
		return orNil(openAlone(ctx, l, o))
	}
	return orNil(r, err)
}

// orNil makes a true nil of a repository that could not be opened.
func orNil[R Repo](r R, err error) (Repo, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// openGit opens a repository that git itself works in, with or without the library's help.
func openGit(ctx context.Context, l layout, o Options) (*repository, error) {
	tool, err := lookPath(o.Command, o.Env)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrNoTool, o.Command)
	}
	if tool, err = filepath.Abs(tool); err != nil {
		return nil, err
	}
	run := newRunner(tool, l.root, o.Env, o.Timeout, o.HookTimeout)
	run.guard = l.stillHere
	r := &repository{run: run, base: base{layout: l, exclude: o.Exclude, nameLen: l.hashLen(), settings: newSettings(l, tool, run.look, o.Env), limit: o.HookTimeout}}
	asked := &questions{run: run}
	if objects, oerr := openObjects(l); oerr == nil && o.Backend != "git" {
		r.reader = &either{first: objects, second: asked}
		return r, nil
	}
	r.reader = asked
	if err := asked.probe(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// lookPath finds a command by the PATH of the given environment.
func lookPath(command string, env []string) (string, error) {
	if filepath.Base(command) != command {
		return exec.LookPath(command)
	}
	for _, kv := range env {
		list, ok := strings.CutPrefix(kv, "PATH=")
		if !ok || list == os.Getenv("PATH") {
			continue
		}
		for _, dir := range filepath.SplitList(list) {
			if tool, err := exec.LookPath(filepath.Join(dir, command)); err == nil && filepath.IsAbs(dir) {
				return tool, nil
			}
		}
		return "", exec.ErrNotFound
	}
	return exec.LookPath(command)
}
