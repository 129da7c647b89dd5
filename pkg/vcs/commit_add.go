package vcs

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// RefusedError is a file that git could not take into a commit. Nothing was committed, the files are in the tree as they were.
type RefusedError struct {
	Paths []string // of the commit, not all of them at fault
	Why   string   // git's own first words
	Next  string
	Err   error
}

func (e *RefusedError) Error() string {
	const most = 5
	names := strings.Join(e.Paths[:min(len(e.Paths), most)], ", ")
	if more := len(e.Paths) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("git does not take %s: %s", names, e.Why)
}

func (e *RefusedError) Unwrap() error { return e.Err }

// Hint tells the person what to do next.
func (e *RefusedError) Hint() string {
	return e.Next + "; then run the same command: it goes on. The files are in the tree, `ralphex restore` lists the copies"
}

// stage adds paths to the index. A file outside of a sparse checkout is added all the same: it is there, and was made on purpose.
func (c *committing) stage(ctx context.Context, paths []string) error {
	add := call{access: writes, stdin: pathspecs(paths), args: []string{"add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul"}}
	_, err := c.r.run.run(ctx, add)
	if ce, ok := errors.AsType[*CommandError](err); ok && ce.Exit == 1 && strings.Contains(ce.Stderr, "sparse") {
		add.args = append(add.args, "--sparse")
		_, err = c.r.run.run(ctx, add)
	}
	return unfiltered(err, paths)
}

// unfiltered makes a refusal with names and a way on out of a filter that failed.
func unfiltered(err error, paths []string) error {
	ce, ok := errors.AsType[*CommandError](err)
	if !ok || ce.Err != nil || !strings.Contains(ce.Stderr, "filter") {
		return err
	}
	e := &RefusedError{Paths: paths, Why: strings.SplitN(ce.Stderr, "\n", 2)[0], Err: err,
		Next: "install the program of that filter (git config --get-regexp '^filter'; for lfs it is git-lfs)"}
	for l := range strings.Lines(ce.Stderr) {
		// "fatal: f.dat: clean filter 'lfs' failed", in the C locale that our commands have
		name, _, found := strings.Cut(strings.TrimPrefix(strings.TrimSpace(l), "fatal: "), ": clean filter ")
		if found {
			e.Paths = []string{name}
		}
	}
	return e
}
