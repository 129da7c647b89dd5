package vcs

import (
	"context"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
)

// indexFile is an index of 20-byte names, whole. Entries keep every bit that they came with; extensions are caches and left out when it is
// written, and those that are more than caches were refused when it was read.
type indexFile struct {
	entries []fileEntry // by name, then stage
	at      time.Time   // when it was written: what a file did since then, its entry can't know
	missing bool        // there is no index yet
}

// fileEntry is one entry. head is as in the file: stat data (40), object name (20), flags (2), more flags (2, if extended).
type fileEntry struct {
	name  string
	head  []byte
	fresh bool // its stat data was taken just now
	indexEntry
}

func (e *fileEntry) object() string { return hex.EncodeToString(e.head[40:60]) }

// readIndexFile refuses what this backend would get wrong.
func (a *alone) readIndexFile() (*indexFile, error) {
	const what = "read the index"
	x := &indexFile{}
	path := filepath.Join(a.gitDir, "index")
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		x.missing = true
		return x, nil
	}
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	x.at = fi.ModTime()
	err = scanIndex(b, a.nameLen, func(name []byte, e indexEntry) {
		x.entries = append(x.entries, fileEntry{name: string(name), head: e.head, indexEntry: e})
	})
	if err != nil {
		return nil, needsGit(what, "it is split, sparse or otherwise only git's")
	}
	for _, e := range x.entries {
		switch {
		case e.submodule():
			return nil, needsGit(what, "the repository has a submodule, "+e.name)
		case e.skip:
			return nil, needsGit(what, "the checkout is sparse: "+e.name+" is left out")
		}
	}
	return x, nil
}

// find is where the stage-0 entry of a name is, or would be.
func (x *indexFile) find(name string) (int, bool) {
	i := sort.Search(len(x.entries), func(i int) bool { return x.entries[i].name >= name })
	return i, i < len(x.entries) && x.entries[i].name == name
}

func (x *indexFile) get(name string) (fileEntry, bool) {
	i, ok := x.find(name)
	if !ok {
		return fileEntry{}, false
	}
	return x.entries[i], true
}

// remove takes all stages of a name out.
func (x *indexFile) remove(name string) {
	i, _ := x.find(name)
	j := i
	for j < len(x.entries) && x.entries[j].name == name {
		j++
	}
	x.entries = slices.Delete(x.entries, i, j)
}

// put replaces or inserts an entry; files and folders that are in its way go.
func (x *indexFile) put(e fileEntry) {
	x.remove(e.name)
	for _, dir := range parents(e.name) {
		x.remove(dir)
	}
	i, _ := x.find(e.name + "/")
	j := i
	for j < len(x.entries) && strings.HasPrefix(x.entries[j].name, e.name+"/") {
		j++
	}
	x.entries = slices.Delete(x.entries, i, j)
	i, _ = x.find(e.name)
	x.entries = slices.Insert(x.entries, i, e)
}

// holdsBelow reports whether the name is a folder of the index.
func (x *indexFile) holdsBelow(name string) bool {
	i, _ := x.find(name + "/")
	return i < len(x.entries) && strings.HasPrefix(x.entries[i].name, name+"/")
}

// unmerged reports whether any entry is in conflict.
func (x *indexFile) unmerged() bool {
	return slices.ContainsFunc(x.entries, func(e fileEntry) bool { return e.stage != 0 })
}

// encode writes version 2, or 3 if an entry has more flags.
func (x *indexFile) encode() []byte {
	version := uint32(2)
	for _, e := range x.entries {
		if len(e.head) > 62 {
			version = 3
		}
	}
	b := make([]byte, 0, 12+96*len(x.entries)+20)
	b = append(b, "DIRC"...)
	b = binary.BigEndian.AppendUint32(b, version)
	b = binary.BigEndian.AppendUint32(b, uint32(len(x.entries)))
	for _, e := range x.entries {
		start := len(b)
		b = append(b, e.head...)
		flags := binary.BigEndian.Uint16(e.head[60:])&^0xfff | uint16(min(len(e.name), 0xfff))
		binary.BigEndian.PutUint16(b[start+60:], flags)
		b = append(b, e.name...)
		for pad := 8 - (len(b)-start)%8; pad > 0; pad-- {
			b = append(b, 0)
		}
	}
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

// newEntry is the entry of a file as it lies in the tree. mode is git's.
func newEntry(name, object string, mode uint32, fi fs.FileInfo) (fileEntry, error) {
	hash, err := hex.DecodeString(object)
	if err != nil || len(hash) != 20 {
		return fileEntry{}, fmt.Errorf("object name %q", object)
	}
	head := make([]byte, 62)
	putStat(head, fi)
	binary.BigEndian.PutUint32(head[24:], mode)
	copy(head[40:], hash)
	return fileEntry{name: name, head: head, fresh: true, indexEntry: indexEntry{mode: mode}}, nil
}

// putStat writes what git compares to know that a file was not touched.
func putStat(head []byte, fi fs.FileInfo) {
	mt := fi.ModTime()
	binary.BigEndian.PutUint32(head[8:], uint32(mt.Unix()))
	binary.BigEndian.PutUint32(head[12:], uint32(mt.Nanosecond()))
	binary.BigEndian.PutUint32(head[36:], uint32(fi.Size()))
	if n, ok := nodeOf(fi); ok {
		for i, v := range [...]uint32{n.csec, n.cnsec} {
			binary.BigEndian.PutUint32(head[4*i:], v)
		}
		for i, v := range [...]uint32{n.dev, n.ino} {
			binary.BigEndian.PutUint32(head[16+4*i:], v)
		}
		for i, v := range [...]uint32{n.uid, n.gid} {
			binary.BigEndian.PutUint32(head[28+4*i:], v)
		}
	}
}

// node is what a file system knows of a file beside its times and size.
type node struct{ csec, cnsec, dev, ino, uid, gid uint32 }

// untouched reports whether the file surely is as the entry has it: all that git compares is the same, and the index is younger than
// the file. False means only that its content has to be looked at.
func (e *fileEntry) untouched(fi fs.FileInfo, written time.Time) bool {
	n, ok := nodeOf(fi)
	if !ok {
		return false
	}
	h := e.head
	at := func(i int) uint32 { return binary.BigEndian.Uint32(h[i:]) }
	mt := fi.ModTime()
	return at(0) == n.csec && at(4) == n.cnsec && at(8) == uint32(mt.Unix()) && at(12) == uint32(mt.Nanosecond()) &&
		at(20) == n.ino && at(28) == n.uid && at(32) == n.gid && at(36) == uint32(fi.Size()) &&
		mt.Before(written)
}

// lockedIndex is the index while nobody else may write it.
type lockedIndex struct {
	*lockFile
	index *indexFile
	since time.Time // no file of ours was looked at before
}

func (a *alone) lockIndex(ctx context.Context) (*lockedIndex, error) {
	l, err := lockPatiently(ctx, filepath.Join(a.gitDir, "index"))
	if err != nil {
		return nil, err
	}
	x, err := a.readIndexFile()
	if err != nil {
		l.abort()
		return nil, err
	}
	return &lockedIndex{lockFile: l, index: x, since: time.Now()}, nil
}

func (l *lockedIndex) commit() error {
	l.index.smudge(l.since)
	return l.replace(l.index.encode())
}

// smudge keeps in doubt what was in doubt. A file that changed in the very moment in which the index was written looks untouched by its stat
// data; only the index's own time says that it has to be looked at. That time is about to change, so a size that can't be right takes its
// place. A moment is a second: many gits are built to compare no less.
func (x *indexFile) smudge(since time.Time) {
	for i := range x.entries {
		e := &x.entries[i]
		limit := x.at
		if e.fresh {
			limit = since
		}
		if int64(binary.BigEndian.Uint32(e.head[8:])) >= limit.Unix() {
			binary.BigEndian.PutUint32(e.head[36:], 0)
		}
	}
}
