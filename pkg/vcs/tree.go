package vcs

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// leaf is a file, link or submodule of a tree. The zero value stands for "not there".
type leaf struct {
	mode   uint32
	object string
}

// treeItem is one entry of a tree object.
type treeItem struct {
	name string
	leaf
}

// parseTree reads "MODE NAME\0" and 20 bytes of hash, again and again.
func parseTree(b []byte) ([]treeItem, error) {
	var items []treeItem
	for len(b) > 0 {
		head, rest, ok := bytes.Cut(b, []byte{0})
		mode, name, ok2 := bytes.Cut(head, []byte{' '})
		if !ok || !ok2 || len(rest) < 20 || len(name) == 0 {
			return nil, errors.New("malformed tree")
		}
		m, err := strconv.ParseUint(string(mode), 8, 32)
		if err != nil {
			return nil, fmt.Errorf("malformed tree: mode %q", mode)
		}
		items = append(items, treeItem{string(name), leaf{uint32(m), hex.EncodeToString(rest[:20])}})
		b = rest[20:]
	}
	return items, nil
}

// encodeTree writes a tree object in git's order, in which a folder's name ends with a slash.
func encodeTree(items []treeItem) ([]byte, error) {
	key := func(i treeItem) string {
		if i.mode == modeTree {
			return i.name + "/"
		}
		return i.name
	}
	sort.Slice(items, func(i, j int) bool { return key(items[i]) < key(items[j]) })
	var b bytes.Buffer
	for _, i := range items {
		hash, err := hex.DecodeString(i.object)
		if err != nil || len(hash) != 20 {
			return nil, fmt.Errorf("tree entry %s: object name %q", i.name, i.object)
		}
		fmt.Fprintf(&b, "%o %s\x00", i.mode, i.name)
		b.Write(hash)
	}
	return b.Bytes(), nil
}

func (o *objects) tree(hash string) ([]treeItem, error) {
	if hash == "" {
		return nil, nil
	}
	b, err := o.read(plumbing.TreeObject, hash)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", hash, err)
	}
	return parseTree(b)
}

// leaves lists all that a tree holds, at any depth; "" is the tree of nothing.
func (o *objects) leaves(ctx context.Context, hash string) (map[string]leaf, error) {
	all := map[string]leaf{}
	var walk func(hash, prefix string) error
	walk = func(hash, prefix string) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		items, err := o.tree(hash)
		if err != nil {
			return err
		}
		for _, i := range items {
			if i.mode == modeTree {
				if err := walk(i.object, prefix+i.name+"/"); err != nil {
					return err
				}
				continue
			}
			all[prefix+i.name] = i.leaf
		}
		return nil
	}
	return all, walk(hash, "")
}

// differing lists what two trees hold differently, each with what it is in both; equal folders are not opened.
func (o *objects) differing(ctx context.Context, from, to string) (map[string][2]leaf, error) {
	out := map[string][2]leaf{}
	var walk func(from, to, prefix string) error
	walk = func(from, to, prefix string) error {
		if from == to {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		pairs := map[string]*[2]leaf{}
		for side, hash := range []string{from, to} {
			items, err := o.tree(hash)
			if err != nil {
				return err
			}
			for _, i := range items {
				if pairs[i.name] == nil {
					pairs[i.name] = &[2]leaf{}
				}
				pairs[i.name][side] = i.leaf
			}
		}
		for name, p := range pairs {
			if p[0] == p[1] {
				continue
			}
			var sub [2]string
			for side := range p {
				if p[side].mode == modeTree {
					sub[side], p[side] = p[side].object, leaf{}
				}
			}
			if p[0] != p[1] {
				out[prefix+name] = *p
			}
			if err := walk(sub[0], sub[1], prefix+name+"/"); err != nil {
				return err
			}
		}
		return nil
	}
	return out, walk(from, to, "")
}

// edit writes the tree that has the given leaves in place of its own, and returns its name; a zero leaf removes. A file in the way of a
// folder goes, and the other way round; a folder that holds nothing any more goes, too. "" is the tree of nothing, in and out.
func (o *objects) edit(hash string, edits map[string]leaf) (string, error) {
	if len(edits) == 0 {
		return hash, nil
	}
	items, err := o.tree(hash)
	if err != nil {
		return "", err
	}
	have := map[string]leaf{}
	for _, i := range items {
		have[i.name] = i.leaf
	}
	below := map[string]map[string]leaf{}
	for path, l := range edits {
		name, rest, deep := strings.Cut(path, "/")
		switch {
		case deep:
			if below[name] == nil {
				below[name] = map[string]leaf{}
			}
			below[name][rest] = l
		case l == leaf{}:
			if have[name].mode != modeTree {
				delete(have, name)
			}
		default:
			have[name] = l
		}
	}
	for name, sub := range below {
		if edits[name] != (leaf{}) {
			continue // it is a file now
		}
		at := ""
		if have[name].mode == modeTree {
			at = have[name].object
		}
		made, err := o.edit(at, sub)
		if err != nil {
			return "", err
		}
		switch {
		case made != "":
			have[name] = leaf{modeTree, made}
		case have[name].mode == modeTree:
			delete(have, name)
		}
	}
	if len(have) == 0 {
		return "", nil
	}
	items = items[:0]
	for name, l := range have {
		items = append(items, treeItem{name, l})
	}
	b, err := encodeTree(items)
	if err != nil {
		return "", err
	}
	return o.write(plumbing.TreeObject, b)
}
