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
	paths   []string          // to be committed
	fresh   []string          // those of them that the index doesn't know: they are added first
	nested  []string          // what can't be committed: repositories inside of ours that nobody registered, what lies behind a link that isn't ours
	folders []string          // files that became folders: a commit of what lies in them removes them
	asked   map[string]bool   // the paths of the request
	links   map[string]string // folders, and the link that they are or lie behind; "" = none
	expect  *Head
	before  Head
	hooks   bool // the user has hooks
	readded bool
}

// newCommitting looks, and touches nothing.
func (r *repository) newCommitting(ctx context.Context, req CommitRequest) (*committing, error) {
	c := &committing{r: r, message: strings.TrimSpace(req.Message), expect: req.Expect, links: map[string]string{}}
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
	if c.before, err = r.expected(ctx, req.Expect); err != nil {
		return nil, err
	}
	have, err := r.known(ctx, paths)
	if err != nil {
		return nil, err
	}
	c.asked = make(map[string]bool, len(paths))
	for _, p := range paths {
		c.asked[p] = true
	}
	for _, p := range paths {
		if err := c.sort(ctx, p, have); err != nil {
			return nil, err
		}
	}
	if err := c.dropReplaced(ctx); err != nil {
		return nil, err
	}
	// "git add" would say so as well, but only after it had put other paths in the place of what is staged.
	rules := r.ignores()
	for _, p := range c.fresh {
		if err := notIgnored(rules, p); err != nil {
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
	c.hooks, err = r.settings.hasHooks(ctx)
	return c, err
}

// sort puts a path where it belongs.
func (c *committing) sort(ctx context.Context, p string, have map[string]indexEntry) error {
	fi, err := os.Lstat(c.r.abs(p))
	link := c.behind(p)
	exists := err == nil && link == ""
	e, tracked := have[p]
	switch {
	case link != "" && c.asked[link]: // gone with its folder, which is a link now: git removes it when it adds that, and a name below it would bring it back
		return nil
	case link != "":
		c.nested = append(c.nested, p)
		return nil
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

// behind is the link that a path lies behind, "" if there is none: what is there is no file of ours, and may be outside of the repository.
func (c *committing) behind(p string) string { return behindLink(c.r.root, p, c.links) }

// dropReplaced leaves out what was only staged and now lies below a file of ours: once that file is added, git knows nothing of it any more.
func (c *committing) dropReplaced(ctx context.Context) error {
	kept := c.paths[:0:0]
	for _, p := range c.paths {
		if slices.ContainsFunc(parents(p), func(dir string) bool { return slices.Contains(c.fresh, dir) }) {
			inHead, err := c.r.inHead(ctx, p)
			if err != nil {
				return err
			}
			if !inHead {
				continue
			}
		}
		kept = append(kept, p)
	}
	c.paths = kept
	return nil
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
	// Adding many files takes its time; git itself makes sure of HEAD from its own start on.
	if _, err := c.r.expected(ctx, c.expect); err != nil {
		c.unstage(ctx)
		return CommitResult{}, err
	}
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

// git runs the commit itself.
func (c *committing) git(ctx context.Context, paths []string, more ...string) error {
	args := append([]string{"commit", "-q", "--no-status", "--cleanup=whitespace", "-m", c.message}, more...)
	_, err := c.r.run.run(ctx, call{access: hooks, stdin: pathspecs(paths),
		args: append(args, "--pathspec-from-file=-", "--pathspec-file-nul")})
	if exitCode(err) == 1 { // a hook, or nothing to commit
		return err
	}
	return unfiltered(err, paths)
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
	return c.stage(ctx, paths)
}

// unstage takes back the additions of a commit that did not come about. It is best effort: the commit's own error is what counts,
// and the files themselves are not touched. What somebody else's commit took along meanwhile stays.
func (c *committing) unstage(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	var stdin bytes.Buffer
	for _, p := range c.fresh {
		if taken, err := c.r.inHead(ctx, p); err == nil && taken {
			continue
		}
		stdin.WriteString(p)
		stdin.WriteByte(0)
	}
	if stdin.Len() == 0 {
		return
	}
	_, _ = c.r.run.run(ctx, call{access: writes, stdin: stdin.Bytes(),
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
