package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/stable"
	"ralphex/pkg/vcs"
)

// ground is what a turn stands on at one moment.
type ground struct {
	head     vcs.Head
	tree     iteration.Tree
	status   []byte
	texts    map[string]string // hashes of the durable files, by path from the workspace
	doctrine doctrine.Protection
}

// lookAround takes the ground down: what differs from the commit, with hashes, and the durable files.
func (o *oneTurn) lookAround(ctx context.Context) (ground, error) {
	st, err := o.s.repo.Status(ctx)
	if err != nil {
		return ground{}, fmt.Errorf("read the working tree: %w", err)
	}
	head, err := o.s.repo.Head(ctx)
	if err != nil {
		return ground{}, fmt.Errorf("read HEAD: %w", err)
	}
	v := ground{head: head, tree: iteration.Tree{}, texts: map[string]string{}, doctrine: doctrine.Take(o.s.Layout)}
	hash := func(path string) string {
		b, err := durable.ReadFile(path, maxHashed)
		if err != nil {
			return ""
		}
		return stable.Hash(b)
	}
	for _, c := range st.Changes {
		v.tree[c.Path] = struct{ Letters, Hash string }{string([]byte{c.Index, c.Work}), hash(filepath.Join(o.s.repo.Root(), filepath.FromSlash(c.Path)))}
		v.status = append(v.status, c.String()+"\n"...)
	}
	for _, path := range []string{o.s.PRD, o.s.Progress, o.s.Tasks} {
		v.texts[o.s.Rel(path)] = hash(path)
	}
	return v, nil
}

// maxHashed is the largest changed file whose bytes are looked at; of a larger one only its state counts.
const maxHashed = 256 << 20

// changed are the durable files that differ.
func (v ground) changed(after ground) []string {
	var out []string
	for path, h := range v.texts {
		if after.texts[path] != h {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}
