package vcs

import "context"

// settle looks after a commit that was made. Without hooks there is nothing to look for.
func (c *committing) settle(ctx context.Context) (CommitResult, error) {
	rev, err := c.made(ctx)
	if err != nil {
		return CommitResult{}, err
	}
	res := CommitResult{Rev: rev, Readded: c.readded}
	if !c.hooks {
		return res, nil
	}
	if res, err = c.mend(ctx, res); err != nil {
		return res, err
	}
	res.Brought, err = c.brought(ctx, res.Rev)
	return res, err
}

// mend brings what hooks changed of our paths into index and commit.
func (c *committing) mend(ctx context.Context, res CommitResult) (CommitResult, error) {
	left, err := c.left(ctx)
	if err != nil || len(left) == 0 {
		return res, err
	}
	// The hook changed our paths. If it added them itself, the commit has them already and only the index is behind.
	res.Readded = true
	if err := c.add(ctx, left); err != nil {
		return res, err
	}
	if left, err = c.left(ctx); err != nil || len(left) == 0 {
		return res, err
	}
	return c.amend(ctx, res, left)
}

// made finds the commit that we made: HEAD, or a little below it if a post-commit hook went on from there.
func (c *committing) made(ctx context.Context) (Rev, error) {
	h, err := c.r.reader.head(ctx)
	if err != nil || !c.hooks {
		return h.Rev, err
	}
	for rev, steps := h.Rev, 0; steps < 8; steps++ {
		o, err := c.r.reader.commit(ctx, rev)
		if err != nil {
			return "", err
		}
		first := Rev("")
		if len(o.parents) > 0 {
			first = o.parents[0]
		}
		if first == c.before.Rev {
			return rev, nil
		}
		if first == "" {
			break
		}
		rev = first
	}
	return h.Rev, nil
}

// amend takes what a hook changed without adding it into the commit that we made a moment ago, so that a task stays one commit.
// It leaves a commit alone that isn't HEAD any more. Hooks run again and have the last word: what they refuse is left and named.
func (c *committing) amend(ctx context.Context, res CommitResult, left []string) (CommitResult, error) {
	res.Left = left
	h, err := c.r.reader.head(ctx)
	if err != nil || h.Rev != res.Rev {
		return res, err
	}
	if err := c.git(ctx, left, "--amend"); err != nil {
		if exitCode(err) == 1 {
			return res, nil
		}
		return res, err
	}
	if h, err = c.r.reader.head(ctx); err != nil {
		return res, err
	}
	res.Rev = h.Rev
	if res.Left, err = c.left(ctx); err != nil || len(res.Left) == 0 {
		return res, err
	}
	if err := c.add(ctx, res.Left); err != nil {
		return res, err
	}
	res.Left, err = c.left(ctx)
	return res, err
}

// left lists those of our paths that still differ from HEAD.
func (c *committing) left(ctx context.Context) ([]string, error) {
	s, err := c.r.status(ctx, c.paths...)
	if err != nil {
		return nil, err
	}
	ours := make(map[string]bool, len(c.paths))
	for _, p := range c.paths {
		ours[p] = true
	}
	var left []string
	for _, p := range committable(s) {
		if ours[p] { // not what a hook put below a file that became a folder
			left = append(left, p)
		}
	}
	return left, nil
}

// committable lists the paths of a status that a commit could hold.
func committable(s Status) []string {
	var paths []string
	for _, c := range s.Changes {
		if !c.InsideOnly() && !c.Nested() {
			paths = append(paths, c.Paths()...)
		}
	}
	return paths
}
