package vcs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

func (a *alone) Snapshot(ctx context.Context, ref, message string) (Rev, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	rev, err := a.snapshot(ctx, ref, message)
	if err != nil {
		return "", fmt.Errorf("snapshot the working tree as %s: %w", ref, err)
	}
	return rev, nil
}

// snapshot makes the same commits as with git: the tree as it lies, and the index as a second parent if it holds something else than HEAD.
func (a *alone) snapshot(ctx context.Context, ref, message string) (Rev, error) {
	if !strings.HasPrefix(ref, "refs/ralphex/") || !legalRef(ref) {
		return "", ErrBadName
	}
	if err := a.stillHere(); err != nil {
		return "", err
	}
	if rev, target, err := a.reader.ref(ctx, ref); err != nil || rev != "" || target != "" {
		if err == nil {
			err = ErrExists
		}
		return "", err
	}
	h, err := a.reader.head(ctx)
	if err != nil {
		return "", err
	}
	s, err := a.survey(ctx)
	if err != nil {
		return "", err
	}
	staged, worked, err := s.kept()
	if err != nil {
		return "", err
	}
	headTree, err := a.headTree(ctx)
	if err != nil {
		return "", err
	}
	sign := "ralphex <ralphex@localhost> " + stamp(time.Now())
	var parents []Rev
	if !h.Unborn {
		parents = append(parents, h.Rev)
	}
	keep := func(edits map[string]leaf, message string, parents []Rev) (Rev, error) {
		tree, err := a.objects.edit(headTree, edits)
		if err == nil && tree == "" {
			tree, err = a.objects.write(plumbing.TreeObject, nil)
		}
		if err != nil {
			return "", err
		}
		return a.objects.writeCommit(tree, parents, sign, sign, message+"\n")
	}
	if len(staged) > 0 && !s.index.unmerged() {
		kept, err := keep(staged, "index: "+message, parents)
		if err != nil {
			return "", err
		}
		parents = append(parents, kept)
	}
	rev, err := keep(worked, message, parents)
	if err != nil {
		return "", err
	}
	return rev, a.setRef(ctx, ref, "", rev, sign, message)
}

// kept lists what index and tree have differently from HEAD; contents are stored on the way.
func (s *surveying) kept() (staged, worked map[string]leaf, err error) {
	changes, err := s.tracked()
	if err != nil {
		return nil, nil, err
	}
	names, err := s.untracked()
	if err != nil {
		return nil, nil, err
	}
	staged, worked = map[string]leaf{}, map[string]leaf{}
	for _, c := range changes {
		if c.Index != '.' && !c.Unmerged() {
			e, ok := s.index.get(c.Path)
			staged[c.Path] = leaf{}
			if ok {
				staged[c.Path] = leaf{e.mode, e.object()}
			}
		}
		names = append(names, c.Path)
	}
	take := &staging{a: s.a, index: &indexFile{entries: append([]fileEntry(nil), s.index.entries...)}, rules: s.rules, ignores: s.a.ignores(), edits: worked}
	for _, n := range names {
		if strings.HasSuffix(n, "/") {
			continue // a repository inside keeps its own
		}
		if err := take.add(n); err != nil {
			return nil, nil, err
		}
	}
	return staged, worked, nil
}
