package vcs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// Commit takes as few processes as it can: "git add" only for files that git doesn't know yet, "git commit", and a look at the result only
// if the user has hooks. The pathspec form of commit builds the commit from HEAD and the named files alone, in an index of its
// own, so what else is staged stays staged. A hook that reformats and adds does so in that index; the real one then still holds the
// file as it was before ("MM"), which is why our paths are looked at, and added once more, afterwards.
func (r *repository) Commit(ctx context.Context, req CommitRequest) (CommitResult, error) {
	c, err := r.newCommitting(ctx, req)
	if err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	if len(c.paths) == 0 {
		return CommitResult{Left: c.nested}, nil
	}
	res, err := c.commit(ctx)
	res.Left = append(res.Left, c.nested...)
	if err != nil {
		return res, fmt.Errorf("commit: %w", err)
	}
	return res, nil
}

// committing is one commit on its way.
type committing struct {
	r       *repository
	message string
	paths   []string // to be committed
	fresh   []string // those of them that the index doesn't know: they are added first
	nested  []string // what can't be committed: repositories inside of ours that nobody registered
	folders []string // files that became folders: a commit of what lies in them removes them
	before  Head
	hooks   bool // the user has hooks
	readded bool
}

// newCommitting looks, and touches nothing.
func (r *repository) newCommitting(ctx context.Context, req CommitRequest) (*committing, error) {
	c := &committing{r: r, message: strings.TrimSpace(req.Message)}
	if c.message == "" {
		return nil, errors.New("the message is empty")
	}
	if t := strings.TrimSpace(req.Trailer); t != "" {
		c.message += "\n\n" + t
	}
	paths, err := cleanPaths(req.Paths)
	if err != nil {
		return nil, err
	}
	have, err := r.known(ctx, paths)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		if err := c.sort(ctx, p, have); err != nil {
			return nil, err
		}
	}
	for _, f := range c.folders {
		if !slices.ContainsFunc(c.paths, func(p string) bool { return strings.HasPrefix(p, f+"/") }) {
			c.nested = append(c.nested, f)
		}
	}
	if len(c.paths) == 0 {
		return c, nil
	}
	if c.before, err = r.reader.head(ctx); err != nil {
		return nil, err
	}
	c.hooks, err = r.settings.hasHooks(ctx)
	return c, err
}

// sort puts a path where it belongs.
func (c *committing) sort(ctx context.Context, p string, have map[string]indexEntry) error {
	fi, err := os.Lstat(c.r.abs(p))
	exists := err == nil
	e, tracked := have[p]
	switch {
	case tracked && (!exists || !fi.IsDir() || e.submodule()):
		c.paths = append(c.paths, p)
	case tracked:
		c.folders = append(c.folders, p)
	case exists && fi.IsDir():
		if _, ok, _ := gitAt(c.r.abs(p)); !ok {
			return fmt.Errorf("%s is a folder", p)
		}
		c.nested = append(c.nested, p+"/")
	case exists:
		c.paths, c.fresh = append(c.paths, p), append(c.fresh, p)
	default:
		// Neither here nor in the index; a removal that is staged already is still a change against HEAD.
		inHead, err := c.r.inHead(ctx, p)
		if err != nil {
			return err
		}
		if inHead {
			c.paths = append(c.paths, p)
		}
	}
	return nil
}

func (r *repository) inHead(ctx context.Context, p string) (bool, error) {
	h, err := r.reader.head(ctx)
	if err != nil || h.Unborn {
		return false, err
	}
	hash, err := r.reader.pathAt(ctx, h.Rev, p)
	return hash != "", err
}

// cleanPaths drops doubles and refuses what isn't a path below the root.
func cleanPaths(in []string) ([]string, error) {
	seen := make(map[string]bool, len(in))
	out := make([]string, 0, len(in))
	for _, p := range in {
		c := path.Clean(strings.TrimSuffix(p, "/"))
		first, _, _ := strings.Cut(c, "/")
		if p == "" || path.IsAbs(c) || first == ".." || c == "." || strings.EqualFold(first, ".git") || strings.ContainsRune(c, 0) {
			return nil, fmt.Errorf("path %q: %w", p, ErrOutside)
		}
		if !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	return out, nil
}

func (c *committing) commit(ctx context.Context) (CommitResult, error) {
	if len(c.fresh) > 0 {
		if err := c.add(ctx, c.fresh); err != nil {
			c.unstage(ctx)
			return CommitResult{}, err
		}
	}
	before := c.contents()
	err := c.git(ctx, c.paths)
	if err == nil {
		return c.settle(ctx)
	}
	if exitCode(err) != 1 { // 1: a hook refused, or there was nothing to commit
		c.unstage(ctx)
		return CommitResult{}, err
	}
	if same, serr := c.sameAsHead(ctx); serr == nil && same {
		// What is staged of our paths may still differ from both; the tree is what counts.
		return CommitResult{}, c.add(ctx, c.paths)
	}
	if !c.hooks {
		c.unstage(ctx)
		return CommitResult{}, err
	}
	// Formatters like to mend the files and refuse, so that a person looks at them. One second chance, if they did mend something.
	retried := before != c.contents()
	if retried {
		if err = c.add(ctx, c.paths); err == nil {
			c.readded = true
			err = c.git(ctx, c.paths)
		}
		if err == nil {
			return c.settle(ctx)
		}
	}
	c.unstage(ctx)
	return CommitResult{}, refusal(err, retried)
}

// sameAsHead reports whether the tree has our paths as HEAD has them, whatever the index says.
func (c *committing) sameAsHead(ctx context.Context) (bool, error) {
	if c.before.Unborn {
		return !slices.ContainsFunc(c.paths, func(p string) bool {
			_, err := os.Lstat(c.r.abs(p))
			return err == nil
		}), nil
	}
	for some := range slices.Chunk(c.paths, maxArgs) {
		args := []string{"diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "HEAD", "--"}
		_, err := c.r.run.look(ctx, append(args, some...)...)
		if exitCode(err) == 1 {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// refusal makes a hook's no out of a commit that failed with exit 1.
func refusal(err error, retried bool) error {
	ce, ok := errors.AsType[*CommandError](err)
	if !ok || exitCode(err) != 1 {
		return err
	}
	return &HookError{Text: ce.Stderr, Retried: retried, Err: ce}
}

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

// git runs the commit itself.
func (c *committing) git(ctx context.Context, paths []string, more ...string) error {
	args := append([]string{"commit", "-q", "--no-status", "--cleanup=whitespace", "-m", c.message}, more...)
	_, err := c.r.run.run(ctx, call{access: hooks, stdin: pathspecs(paths),
		args: append(args, "--pathspec-from-file=-", "--pathspec-file-nul")})
	return err
}

// add brings the index up to the working tree, removals included.
func (c *committing) add(ctx context.Context, paths []string) error {
	have, err := c.r.known(ctx, paths)
	if err != nil {
		return err
	}
	// A path that is neither here nor in the index is up to date, but git would call it a mistake.
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		_, known := have[p]
		_, err := os.Lstat(c.r.abs(p))
		return !known && err != nil
	})
	if len(paths) == 0 {
		return nil
	}
	_, err = c.r.run.run(ctx, call{access: writes, stdin: pathspecs(paths),
		args: []string{"add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul"}})
	return err
}

// unstage takes back the additions of a commit that did not come about. It is best effort: the commit's own error is what counts,
// and the files themselves are not touched.
func (c *committing) unstage(ctx context.Context) {
	if len(c.fresh) == 0 {
		return
	}
	var stdin bytes.Buffer
	for _, p := range c.fresh {
		stdin.WriteString(p)
		stdin.WriteByte(0)
	}
	_, _ = c.r.run.run(context.WithoutCancel(ctx), call{access: writes, stdin: stdin.Bytes(),
		args: []string{"update-index", "--force-remove", "-z", "--stdin"}})
}

// pathspecs is the list for --pathspec-from-file. Each name is marked as literal: GIT_LITERAL_PATHSPECS would do the same,
// but it would reach the user's hooks, whose patterns are theirs. The list is never empty: to git that would mean everything.
func pathspecs(paths []string) []byte {
	var b bytes.Buffer
	for _, p := range paths {
		b.WriteString(":(top,literal)")
		b.WriteString(p)
		b.WriteByte(0)
	}
	return b.Bytes()
}

// contents stands for what our paths hold now; empty without hooks, since nobody would change them.
func (c *committing) contents() string {
	if !c.hooks {
		return ""
	}
	sum := sha256.New()
	for _, p := range c.paths {
		if err := hashFile(sum, c.r.abs(p)); err != nil {
			fmt.Fprintf(sum, "%s: %v\x00", p, err)
		}
	}
	return string(sum.Sum(nil))
}
