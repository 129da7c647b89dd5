package vcs

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// complete reads all that objects leaves to git: names of revisions, merged and long history, shallow clones. It is slower than git there, which has
// a commit-graph, and is used only where there is no git.
type complete struct{ *objects }

var _ reader = (*complete)(nil)

func (c *complete) head(ctx context.Context) (Head, error) {
	h, err := c.objects.head(ctx)
	return h, noGuess(err, "read HEAD")
}

func (c *complete) ref(ctx context.Context, name string) (Rev, string, error) {
	rev, target, err := c.objects.ref(ctx, name)
	return rev, target, noGuess(err, "read "+name)
}

// noGuess makes a refusal of what the first reader would pass on to git.
func noGuess(err error, what string) error {
	if errors.Is(err, errAsk) {
		return needsGit(what, "it is in a form that only git reads")
	}
	return err
}

// resolve returns the commit that a name stands for.
func (c *complete) resolve(ctx context.Context, name Rev) (Rev, error) {
	if plumbing.IsHash(string(name)) {
		return name, nil
	}
	for _, form := range []string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"} {
		at := fmt.Sprintf(form, name)
		if form == "%s" && at != "HEAD" && !strings.HasPrefix(at, "refs/") {
			continue
		}
		for range 5 { // links
			rev, target, err := c.ref(ctx, at)
			if err != nil {
				return "", err
			}
			if rev != "" {
				return c.peel(rev)
			}
			if target == "" {
				break
			}
			at = target
		}
	}
	return "", fmt.Errorf("no revision is called %s: %w", name, ErrBadName)
}

// peel goes from an annotated tag to its commit.
func (c *complete) peel(rev Rev) (Rev, error) {
	for range 5 {
		tag, err := c.read(plumbing.TagObject, string(rev))
		if err != nil {
			return rev, nil // no tag, so a commit; if not, its reader will say so
		}
		line, _, _ := strings.Cut(string(tag), "\n")
		rev = Rev(strings.TrimPrefix(line, "object "))
	}
	return "", fmt.Errorf("tag %s leads nowhere", rev)
}

func (c *complete) commit(ctx context.Context, r Rev) (commit, error) {
	r, err := c.resolve(ctx, r)
	if err != nil {
		return commit{}, err
	}
	k, err := c.objects.commit(ctx, r)
	if err != nil {
		return commit{}, fmt.Errorf("commit %s: %w", r, noGuess(err, "read a commit"))
	}
	if c.shallow() && c.cut()[r] {
		k.parents = nil
	}
	return k, nil
}

// cut lists the commits at which history was cut off.
func (c *complete) cut() map[Rev]bool {
	b, err := os.ReadFile(filepath.Join(c.layout.common, "shallow"))
	if err != nil {
		return nil
	}
	at := map[Rev]bool{}
	for _, rev := range strings.Fields(string(b)) {
		at[Rev(rev)] = true
	}
	return at
}

func (c *complete) pathAt(ctx context.Context, r Rev, path string) (string, error) {
	r, err := c.resolve(ctx, r)
	if err != nil {
		return "", err
	}
	hash, err := c.objects.pathAt(ctx, r, path)
	return hash, noGuess(err, "read a tree")
}

// reach is all that a revision descends from, itself included.
func (c *complete) reach(ctx context.Context, r Rev) (map[Rev]bool, error) {
	seen, queue := map[Rev]bool{r: true}, []Rev{r}
	for len(queue) > 0 {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		k, err := c.commit(ctx, queue[0])
		if err != nil {
			return nil, err
		}
		queue = queue[1:]
		for _, p := range k.parents {
			if !seen[p] {
				seen[p], queue = true, append(queue, p)
			}
		}
	}
	return seen, nil
}

func (c *complete) isAncestor(ctx context.Context, a, b Rev) (bool, error) {
	a, err := c.resolve(ctx, a)
	if err != nil {
		return false, err
	}
	if b, err = c.resolve(ctx, b); err != nil {
		return false, err
	}
	if _, err := c.commit(ctx, a); err != nil {
		return false, err // a name that nobody has is an error, not a "no"
	}
	seen, err := c.reach(ctx, b)
	return seen[a], err
}

// log lists by the committer's time, as git does; a parent never comes before one of its children that was reached first.
func (c *complete) log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error) {
	to, err := c.resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	not := map[Rev]bool{}
	if from != "" {
		if from, err = c.resolve(ctx, from); err != nil {
			return nil, err
		}
		if not, err = c.reach(ctx, from); err != nil {
			return nil, err
		}
	}
	var entries []LogEntry
	q := &byTime{}
	push := func(r Rev) error {
		if not[r] {
			return nil
		}
		not[r] = true
		k, err := c.commit(ctx, r)
		if err == nil {
			q.n++
			heap.Push(q, timed{k, q.n})
		}
		return err
	}
	if err := push(to); err != nil {
		return nil, err
	}
	for q.Len() > 0 && (max == 0 || len(entries) < max) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		k := heap.Pop(q).(timed)
		entries = append(entries, k.entry)
		for _, p := range k.parents {
			if err := push(p); err != nil {
				return nil, err
			}
		}
	}
	return entries, nil
}

// mergeBase is the commit that both descend from and no other such one descends from; "" if there is none. Of several the youngest.
func (c *complete) mergeBase(ctx context.Context, a, b Rev) (Rev, error) {
	a, err := c.resolve(ctx, a)
	if err != nil {
		return "", err
	}
	if b, err = c.resolve(ctx, b); err != nil {
		return "", err
	}
	ofA, err := c.reach(ctx, a)
	if err != nil {
		return "", err
	}
	q := &byTime{}
	seen := map[Rev]bool{b: true}
	at := b
	for {
		if ofA[at] {
			return at, nil
		}
		k, err := c.commit(ctx, at)
		if err != nil {
			return "", err
		}
		for _, p := range k.parents {
			if !seen[p] {
				seen[p] = true
				pk, err := c.commit(ctx, p)
				if err != nil {
					return "", err
				}
				q.n++
				heap.Push(q, timed{pk, q.n})
			}
		}
		if q.Len() == 0 {
			return "", nil
		}
		at = heap.Pop(q).(timed).entry.Rev
	}
}

// timed is a commit in a queue; n keeps the order of those of the same second.
type timed struct {
	commit
	n int
}

// byTime is a heap with the youngest commit on top.
type byTime struct {
	list []timed
	n    int
}

func (q *byTime) Len() int { return len(q.list) }

func (q *byTime) Less(i, j int) bool {
	if a, b := q.list[i].entry.Time, q.list[j].entry.Time; !a.Equal(b) {
		return a.After(b)
	}
	return q.list[i].n < q.list[j].n
}

func (q *byTime) Swap(i, j int) { q.list[i], q.list[j] = q.list[j], q.list[i] }

func (q *byTime) Push(x any) { q.list = append(q.list, x.(timed)) }

func (q *byTime) Pop() any {
	last := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return last
}
