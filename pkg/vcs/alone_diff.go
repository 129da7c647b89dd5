package vcs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	patchformat "github.com/go-git/go-git/v5/plumbing/format/diff"
	linediff "github.com/go-git/go-git/v5/utils/diff"
)

var _ Differ = (*alone)(nil)

// longestDiff is how long the lines of one file are compared; what takes longer counts as written anew.
const longestDiff = 5 * time.Second

// Diff knows a file that moved and changed as one gone and one new.
func (a *alone) Diff(ctx context.Context, base, to Rev, max int) (Patch, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	at := to
	if to == "" {
		at = "HEAD"
	}
	if err := checkRevs(base, at); err != nil {
		return Patch{}, err
	}
	if max <= 0 {
		max = maxPatch
	}
	p, err := a.patchOf(ctx, base, at, to == "")
	if err != nil {
		return Patch{}, fmt.Errorf("diff since %s: %w", base, err)
	}
	out := &head{keep: max + 1}
	if err := patchformat.NewUnifiedEncoder(out, 3).Encode(p); err != nil {
		return Patch{}, fmt.Errorf("diff since %s: %w", base, err)
	}
	return bounded(out.Bytes(), max), nil
}

// patchOf compares two trees; with tree the second one is the working tree.
func (a *alone) patchOf(ctx context.Context, base, at Rev, tree bool) (filePatches, error) {
	old, changes, err := a.sinceLeft(ctx, base, at)
	if err != nil {
		return nil, err
	}
	work := map[string][]byte{}
	if tree {
		if err := a.overlay(ctx, old, changes, work); err != nil {
			return nil, err
		}
	}
	return a.filePatches(ctx, changes, work)
}

// overlay puts what the working tree has in the place of what HEAD has.
func (a *alone) overlay(ctx context.Context, base string, changes map[string][2]leaf, work map[string][]byte) error {
	s, err := a.survey(ctx)
	if err != nil {
		return err
	}
	tracked, err := s.tracked()
	if err != nil {
		return err
	}
	was, err := a.objects.leaves(ctx, base)
	if err != nil {
		return err
	}
	for _, ch := range tracked {
		pair := [2]leaf{was[ch.Path], {}}
		fi, err := lstat(a.abs(ch.Path))
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && fi.IsDir():
		case err != nil:
			return err
		default:
			content, mode, err := s.rules.stored(ch.Path, fi, pair[0].mode, s.index)
			if err != nil {
				return err
			}
			pair[1] = leaf{mode: mode, object: plumbing.ComputeHash(plumbing.BlobObject, content).String()}
			work[pair[1].object] = content
		}
		if changes[ch.Path] = pair; pair[0] == pair[1] {
			delete(changes, ch.Path)
		}
	}
	return nil
}

// filePatches compares the contents. A file that only moved is told as such. work holds what the working tree has, by its object.
func (a *alone) filePatches(ctx context.Context, changes map[string][2]leaf, work map[string][]byte) (filePatches, error) {
	from := pairRenames(changes)
	var out filePatches
	for _, path := range slices.Sorted(maps.Keys(changes)) {
		f, err := a.compare(cmp.Or(from[path], path), path, changes[path], work)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		out = append(out, f)
	}
	return out, nil
}

// compare is the change of one file, line by line.
func (a *alone) compare(from, to string, pair [2]leaf, work map[string][]byte) (*filePatch, error) {
	f := &filePatch{}
	if pair[0] != (leaf{}) {
		f.from = &sideFile{from, pair[0]}
	}
	if pair[1] != (leaf{}) {
		f.to = &sideFile{to, pair[1]}
	}
	if pair[0].object == pair[1].object {
		return f, nil
	}
	var text [2]string
	for side, l := range pair {
		content, err := a.textOf(l, work)
		if err != nil {
			return nil, err
		}
		f.binary = f.binary || isBinary(content)
		text[side] = string(content)
	}
	if !f.binary {
		for _, d := range linediff.DoWithTimeout(text[0], text[1], longestDiff) {
			op := patchformat.Equal
			switch {
			case d.Type > 0:
				op = patchformat.Add
			case d.Type < 0:
				op = patchformat.Delete
			}
			f.chunks = append(f.chunks, chunk{d.Text, op})
		}
	}
	return f, nil
}

// What go-git's encoder wants to be told.
type (
	filePatches []patchformat.FilePatch
	filePatch   struct {
		from, to *sideFile
		binary   bool
		chunks   []patchformat.Chunk
	}
	sideFile struct {
		path string
		leaf leaf
	}
	chunk struct {
		text string
		op   patchformat.Operation
	}
)

func (p filePatches) FilePatches() []patchformat.FilePatch { return p }
func (p filePatches) Message() string                      { return "" }

func (f *filePatch) IsBinary() bool              { return f.binary }
func (f *filePatch) Chunks() []patchformat.Chunk { return f.chunks }
func (f *filePatch) Files() (from, to patchformat.File) {
	if f.from != nil { // a nil *sideFile would be a File that is not nil
		from = f.from
	}
	if f.to != nil {
		to = f.to
	}
	return from, to
}

func (f *sideFile) Hash() plumbing.Hash     { return plumbing.NewHash(f.leaf.object) }
func (f *sideFile) Mode() filemode.FileMode { return filemode.FileMode(f.leaf.mode) }
func (f *sideFile) Path() string            { return f.path }

func (c chunk) Content() string             { return c.text }
func (c chunk) Type() patchformat.Operation { return c.op }
