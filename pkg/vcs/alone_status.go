package vcs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Status is git's, but for renames: a file that was renamed is told as one that is gone and one that is new.
func (a *alone) Status(ctx context.Context) (Status, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	if err := a.stillHere(); err != nil {
		return Status{}, err
	}
	s, err := a.status(ctx)
	if err != nil {
		return Status{}, fmt.Errorf("read status: %w", err)
	}
	return s.Without(a.exclude...), nil
}

// surveying is one status on its way.
type surveying struct {
	a     *alone
	ctx   context.Context
	index *indexFile
	head  map[string]leaf
	rules *conversions
	links map[string]string // see behindLink
}

func (a *alone) survey(ctx context.Context) (*surveying, error) {
	x, err := a.readIndexFile()
	if err != nil {
		return nil, err
	}
	tree, err := a.headTree(ctx)
	if err != nil {
		return nil, err
	}
	head, err := a.objects.leaves(ctx, tree)
	if err != nil {
		return nil, err
	}
	return &surveying{a: a, ctx: ctx, index: x, head: head, rules: a.rules.fresh(), links: map[string]string{}}, nil
}

// headTree is the tree of HEAD, "" before the first commit.
func (a *alone) headTree(ctx context.Context) (string, error) {
	h, err := a.reader.head(ctx)
	if err != nil || h.Unborn {
		return "", err
	}
	c, err := a.reader.commit(ctx, h.Rev)
	return c.tree, err
}

func (a *alone) status(ctx context.Context) (Status, error) {
	s, err := a.survey(ctx)
	if err != nil {
		return Status{}, err
	}
	changes, err := s.tracked()
	if err != nil {
		return Status{}, err
	}
	names, err := s.untracked()
	if err != nil {
		return Status{}, err
	}
	for _, n := range names {
		changes = append(changes, Change{Path: n, Index: '?', Work: '?', raw: "? " + n})
	}
	return Status{Changes: changes}, nil
}

// tracked compares HEAD, index and tree. Conflicts come last, as in git's list.
func (s *surveying) tracked() ([]Change, error) {
	var changes, conflicts []Change
	seen := make(map[string]bool, len(s.index.entries))
	for i := 0; i < len(s.index.entries); i++ {
		if s.ctx.Err() != nil {
			return nil, context.Cause(s.ctx)
		}
		e := &s.index.entries[i]
		seen[e.name] = true
		if e.stage != 0 {
			stages := 0
			for ; i < len(s.index.entries) && s.index.entries[i].name == e.name; i++ {
				stages |= 1 << (s.index.entries[i].stage - 1)
			}
			i--
			conflicts = append(conflicts, conflictOf(e.name, stages))
			continue
		}
		c, err := s.change(e)
		if err != nil {
			return nil, err
		}
		if c.Index != '.' || c.Work != '.' {
			changes = append(changes, c)
		}
	}
	for name, l := range s.head {
		if !seen[name] {
			changes = append(changes, Change{Path: name, Index: 'D', Work: '.', sub: "N...",
				raw: fmt.Sprintf("1 D. N... %06o 000000 000000 %s %s %s", l.mode, l.object, zeroName, name)})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return append(changes, conflicts...), nil
}

// conflictOf words which stages a conflict has: 1 = base, 2 = ours, 4 = theirs.
func conflictOf(name string, stages int) Change {
	letters := [...]string{1: "DD", 2: "AU", 3: "UD", 4: "UA", 5: "DU", 6: "AA", 7: "UU"}[stages]
	return Change{Path: name, Index: letters[0], Work: letters[1], sub: "N...", raw: "u " + letters + " " + name}
}

// change compares one entry with HEAD and with the tree.
func (s *surveying) change(e *fileEntry) (Change, error) {
	c := Change{Path: e.name, Index: '.', Work: '.', sub: "N..."}
	was, object, mode := s.head[e.name], e.object(), e.mode
	switch {
	case e.intend:
		was, object, mode = leaf{}, zeroName, 0
	case was == leaf{}:
		c.Index = 'A'
	case was.mode&0o170000 != e.mode&0o170000:
		c.Index = 'T'
	case was.object != object || was.mode != e.mode:
		c.Index = 'M'
	}
	work := uint32(0)
	fi, err := lstat(s.a.abs(e.name))
	if behindLink(s.a.root, e.name, s.links) != "" {
		err = fs.ErrNotExist
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && fi.IsDir():
		c.Work = 'D'
	case err != nil:
		return c, err
	default:
		if work, err = s.work(e, fi); err != nil {
			return c, err
		}
		switch {
		case work == 0:
			work = e.mode
			if e.intend {
				c.Work = 'A'
			}
		case e.intend:
			c.Work = 'A'
		case work&0o170000 != e.mode&0o170000:
			c.Work = 'T'
		default:
			c.Work = 'M'
		}
	}
	before := was.object
	if before == "" {
		before = zeroName
	}
	c.raw = fmt.Sprintf("1 %c%c N... %06o %06o %06o %s %s %s", c.Index, c.Work, was.mode, mode, work, before, object, e.name)
	return c, nil
}

// work is the mode of a file that differs from its entry, 0 of one that doesn't.
func (s *surveying) work(e *fileEntry, fi fs.FileInfo) (uint32, error) {
	mode, err := s.rules.mode(fi, e.mode)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", e.name, err)
	}
	if mode != e.mode || e.intend {
		return mode, nil
	}
	if e.untouched(fi, s.index.at) {
		return 0, nil
	}
	b, mode, err := s.rules.stored(e.name, fi, e.mode, s.index)
	if err != nil {
		return 0, err
	}
	if blobName(b) == e.object() {
		return 0, nil
	}
	return mode, nil
}

// untracked lists the files that neither the index knows nor a rule ignores, and repositories inside, which end with a slash.
func (s *surveying) untracked() ([]string, error) {
	rules := s.a.ignores()
	var names []string
	var walk func(dir string) error
	walk = func(dir string) error {
		if s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		items, err := os.ReadDir(filepath.Join(s.a.root, filepath.FromSlash(dir)))
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
			return nil // git warns, and goes on
		}
		if err != nil {
			return err
		}
		for _, i := range items {
			if strings.EqualFold(i.Name(), ".git") {
				continue
			}
			name := strings.TrimPrefix(dir+"/"+i.Name(), "/")
			switch {
			case i.IsDir():
				err = s.folder(name, rules, &names, walk)
			case i.Type()&^fs.ModeSymlink != 0: // neither file nor link
			default:
				if _, known := s.index.get(name); !known && !rules.says(name, false) {
					names = append(names, name)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	err := walk("")
	slices.Sort(names)
	return names, err
}

// folder looks into one, unless it is ignored as a whole or a repository of its own. What is tracked was compared already.
func (s *surveying) folder(name string, rules *ignores, names *[]string, walk func(string) error) error {
	if rules.says(name, true) {
		return nil
	}
	if _, inner, _ := gitAt(s.a.abs(name)); inner && !s.index.holdsBelow(name) {
		*names = append(*names, name+"/")
		return nil
	}
	return walk(name)
}

func (a *alone) Tracked(_ context.Context, path string) (bool, error) {
	x, err := a.readIndexFile()
	if err != nil {
		return false, fmt.Errorf("look %s up in the index: %w", path, err)
	}
	_, ok := x.get(path)
	return ok, nil
}

func (a *alone) Ignored(_ context.Context, path string) (bool, error) {
	x, err := a.readIndexFile()
	if err != nil {
		return false, fmt.Errorf("ask whether %s is ignored: %w", path, err)
	}
	if _, tracked := x.get(path); tracked {
		return false, nil
	}
	fi, err := lstat(a.abs(path))
	return a.ignores().ignored(path, err == nil && fi.IsDir()), nil
}

func (a *alone) Fingerprint(ctx context.Context) (Fingerprint, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	s, err := a.Status(ctx)
	if err != nil {
		return "", err
	}
	return a.FingerprintOf(ctx, s)
}

func (a *alone) FingerprintOf(ctx context.Context, s Status) (Fingerprint, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	return a.fingerprint(ctx, s, func(l layout) (Repo, error) {
		return openAlone(ctx, l, Options{Env: a.settings.pairs(), Exclude: []string{}})
	})
}
