package vcs

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// questions answers by asking the git CLI. It is slower than objects, and right wherever git is.
type questions struct{ run runner }

// probe makes sure that git itself can read the repository, so that an unknown format is one clear error at the start.
func (q *questions) probe(ctx context.Context) error {
	_, err := q.run.look(ctx, "rev-parse", "--git-dir")
	return err
}

func (q *questions) head(ctx context.Context) (Head, error) {
	var h Head
	out, err := q.run.look(ctx, "symbolic-ref", "-q", "HEAD")
	switch {
	case err == nil:
		h.Branch = Branch(strings.TrimPrefix(line(out), "refs/heads/"))
	case exitCode(err) == 1:
		h.Detached = true
	default:
		return Head{}, err
	}
	h.Rev, err = q.resolve(ctx, "HEAD")
	if err != nil {
		return Head{}, err
	}
	h.Unborn = h.Rev == ""
	return h, nil
}

// resolve returns the object name of a name, "" if there is none.
func (q *questions) resolve(ctx context.Context, name string) (Rev, error) {
	out, err := q.run.look(ctx, "rev-parse", "-q", "--verify", name)
	if exitCode(err) == 1 {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return Rev(line(out)), nil
}

func (q *questions) ref(ctx context.Context, name string) (Rev, string, error) {
	out, err := q.run.look(ctx, "symbolic-ref", "-q", name)
	if err == nil {
		return "", line(out), nil
	}
	if exitCode(err) != 1 && exitCode(err) != 128 { // older gits say 128 for a ref that isn't there
		return "", "", err
	}
	rev, err := q.resolve(ctx, name)
	return rev, "", err
}

const logFormat = "--format=%H%x00%T%x00%P%x00%an%x00%ct%x00%s"

func (q *questions) commit(ctx context.Context, r Rev) (commit, error) {
	cs, err := q.commits(ctx, "-1", string(r)+"^{commit}", "--")
	if err != nil {
		return commit{}, err
	}
	if len(cs) != 1 {
		return commit{}, fmt.Errorf("git log: %d commits for %s", len(cs), r)
	}
	return cs[0], nil
}

// commits runs git log and reads six fields a commit.
func (q *questions) commits(ctx context.Context, args ...string) ([]commit, error) {
	argv := append([]string{"log", "-z", "--no-color", "--no-show-signature", "--no-mailmap", logFormat}, args...)
	out, err := q.run.look(ctx, argv...)
	if err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, nil
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(fields)%6 != 0 {
		return nil, fmt.Errorf("git log: %d fields", len(fields))
	}
	cs := make([]commit, 0, len(fields)/6)
	for ; len(fields) > 0; fields = fields[6:] {
		seconds, err := strconv.ParseInt(fields[4], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git log: time %q", fields[4])
		}
		c := commit{tree: fields[1], entry: LogEntry{
			Rev: Rev(fields[0]), Author: fields[3], Time: time.Unix(seconds, 0).UTC(), Subject: fields[5],
		}}
		for _, p := range strings.Fields(fields[2]) {
			c.parents = append(c.parents, Rev(p))
		}
		cs = append(cs, c)
	}
	return cs, nil
}

func (q *questions) pathAt(ctx context.Context, r Rev, path string) (string, error) {
	out, err := q.run.look(ctx, "ls-tree", "-z", "--full-tree", string(r), "--", path)
	if err != nil {
		return "", err
	}
	head, name, _ := bytes.Cut(bytes.TrimSuffix(out, []byte{0}), []byte{'\t'})
	fields := strings.Fields(string(head)) // mode, type, hash
	if len(fields) != 3 || string(name) != path {
		return "", nil
	}
	return fields[2], nil
}

func (q *questions) isAncestor(ctx context.Context, a, b Rev) (bool, error) {
	_, err := q.run.look(ctx, "merge-base", "--is-ancestor", string(a), string(b))
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

func (q *questions) log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error) {
	args := []string{}
	if max > 0 {
		args = append(args, "-"+strconv.Itoa(max))
	}
	args = append(args, string(to))
	if from != "" {
		args = append(args, "^"+string(from))
	}
	cs, err := q.commits(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	var entries []LogEntry
	for _, c := range cs {
		entries = append(entries, c.entry)
	}
	return entries, nil
}

func (q *questions) holders(ctx context.Context) (map[Branch]string, error) {
	out, err := q.run.look(ctx, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	held := map[Branch]string{}
	var tree string
	for l := range strings.SplitSeq(string(out), "\n") {
		if t, ok := strings.CutPrefix(l, "worktree "); ok {
			tree = t
		}
		if b, ok := strings.CutPrefix(l, "branch refs/heads/"); ok {
			held[Branch(b)] = tree
		}
	}
	return held, nil
}

// line is output without its line end.
func line(out []byte) string { return string(bytes.TrimRight(out, "\r\n")) }
