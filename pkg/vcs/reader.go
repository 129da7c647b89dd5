package vcs

import (
	"context"
	"errors"
)

// reader is the reading half of a repository: refs and objects. There are two, and either knows to ask the second
// what the first can't answer.
type reader interface {
	head(ctx context.Context) (Head, error)
	// ref returns what a full ref name holds: an object name, or the ref that it points to. Both empty if it isn't there.
	ref(ctx context.Context, name string) (rev Rev, target string, err error)
	commit(ctx context.Context, r Rev) (commit, error)
	pathAt(ctx context.Context, r Rev, path string) (string, error)
	isAncestor(ctx context.Context, a, b Rev) (bool, error)
	log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error)
	// holders maps each branch that is checked out to its working tree.
	holders(ctx context.Context) (map[Branch]string, error)
}

// commit is what we read of a commit object.
type commit struct {
	entry   LogEntry
	tree    string
	parents []Rev
}

// errAsk is how the first reader says that it doesn't know and the second one should be asked.
var errAsk = errors.New("ask the command line")

// either asks the first reader and, whatever its trouble is, the second: it never turns a weakness of ours into an error of the user's.
type either struct{ first, second reader }

var (
	_ reader = (*either)(nil)
	_ reader = (*objects)(nil)
	_ reader = (*questions)(nil)
)

func (e *either) head(ctx context.Context) (Head, error) {
	h, err := e.first.head(ctx)
	if err != nil {
		return e.second.head(ctx)
	}
	return h, nil
}

func (e *either) ref(ctx context.Context, name string) (Rev, string, error) {
	rev, target, err := e.first.ref(ctx, name)
	if err != nil {
		return e.second.ref(ctx, name)
	}
	return rev, target, nil
}

func (e *either) commit(ctx context.Context, r Rev) (commit, error) {
	c, err := e.first.commit(ctx, r)
	if err != nil {
		return e.second.commit(ctx, r)
	}
	return c, nil
}

func (e *either) pathAt(ctx context.Context, r Rev, path string) (string, error) {
	s, err := e.first.pathAt(ctx, r, path)
	if err != nil {
		return e.second.pathAt(ctx, r, path)
	}
	return s, nil
}

func (e *either) isAncestor(ctx context.Context, a, b Rev) (bool, error) {
	yes, err := e.first.isAncestor(ctx, a, b)
	if err != nil {
		return e.second.isAncestor(ctx, a, b)
	}
	return yes, nil
}

func (e *either) log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error) {
	l, err := e.first.log(ctx, from, to, max)
	if err != nil {
		return e.second.log(ctx, from, to, max)
	}
	return l, nil
}

func (e *either) holders(ctx context.Context) (map[Branch]string, error) {
	h, err := e.first.holders(ctx)
	if err != nil {
		return e.second.holders(ctx)
	}
	return h, nil
}
