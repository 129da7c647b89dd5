package vcs

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errIndex is an index that our scanner doesn't read; the CLI is asked instead.
var errIndex = errors.New("an index that only git reads")

// indexEntry is what we need of an index entry.
type indexEntry struct {
	mode   uint32
	stage  int
	intend bool // "git add -N": known, but without content
	skip   bool // not checked out on purpose: sparse
	assume bool // somebody said that it never changes
	// head is the entry up to its name: stat data, object name, two bytes of flags, two more if any; valid during the visit only.
	head []byte
}

// submodule reports whether the entry is a commit of another repository.
func (e indexEntry) submodule() bool { return e.mode>>12 == 0o16 }

// scanIndex calls visit for each entry of a Git index of version 2, 3 or 4; the name is valid only during the call. An index with
// extensions that change what its entries mean (split, sparse) is errIndex, and so is a malformed one.
//
//	DIRC version count | stat data (40) hash flags (2) [more flags (2)] name … | extensions | hash
func scanIndex(b []byte, hashLen int, visit func(name []byte, e indexEntry)) error {
	if len(b) < 12+hashLen || string(b[:4]) != "DIRC" {
		return errIndex
	}
	version, count := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	if version < 2 || version > 4 {
		return errIndex
	}
	b = b[12 : len(b)-hashLen]
	var name []byte
	for range count {
		head := 42 + hashLen
		if len(b) < head+1 {
			return errIndex
		}
		flags := binary.BigEndian.Uint16(b[40+hashLen:])
		e := indexEntry{mode: binary.BigEndian.Uint32(b[24:]), stage: int(flags >> 12 & 3), assume: flags&0x8000 != 0}
		if flags&0x4000 != 0 {
			if version < 3 || len(b) < head+3 {
				return errIndex
			}
			more := binary.BigEndian.Uint16(b[head:])
			e.intend, e.skip = more&0x2000 != 0, more&0x4000 != 0
			head += 2
		}
		if e.mode>>12 == 0o4 {
			return errIndex // a folder: sparse
		}
		var used int
		if version == 4 {
			name, used = compressedName(b[head:], name)
		} else {
			name, used = paddedName(b[head:], head)
		}
		if used <= 0 || head+used > len(b) {
			return errIndex
		}
		e.head = b[:head:head]
		b = b[head+used:]
		visit(name, e)
	}
	return knownExtensions(b)
}

// paddedName reads a name that ends with 1 to 8 NULs, so that the entry's length is a multiple of eight.
func paddedName(b []byte, head int) ([]byte, int) {
	n := bytes.IndexByte(b, 0)
	if n <= 0 {
		return nil, 0
	}
	return b[:n], (head+n+8)&^7 - head
}

// compressedName reads "cut N bytes off the last name, then append this".
func compressedName(b, last []byte) ([]byte, int) {
	cut, n := offset(b)
	if n == 0 || cut > len(last) {
		return nil, 0
	}
	end := bytes.IndexByte(b[n:], 0)
	if end < 0 {
		return nil, 0
	}
	return append(last[:len(last)-cut], b[n:n+end]...), n + end + 1
}

// offset reads git's variable-length number; n is 0 if it has no end.
func offset(b []byte) (value, n int) {
	for i, c := range b {
		if i > 4 {
			return 0, 0
		}
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}

// knownExtensions goes through what follows the entries. By git's rule an extension that may be ignored begins with a capital letter.
func knownExtensions(b []byte) error {
	for len(b) > 0 {
		if len(b) < 8 || b[0] < 'A' || b[0] > 'Z' {
			return errIndex
		}
		size := binary.BigEndian.Uint32(b[4:])
		if uint64(size) > uint64(len(b)-8) {
			return errIndex
		}
		b = b[8+size:]
	}
	return nil
}

// known returns what the index has of the given paths.
func (r *repository) known(ctx context.Context, paths []string) (map[string]indexEntry, error) {
	want := make(map[string]bool, len(paths))
	for _, p := range paths {
		want[p] = true
	}
	have := make(map[string]indexEntry, len(paths))
	b, err := os.ReadFile(filepath.Join(r.gitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return have, nil
	}
	if err == nil {
		err = scanIndex(b, r.nameLen, func(name []byte, e indexEntry) {
			if want[string(name)] { // no allocation: the compiler looks it up in place
				have[string(name)] = e
			}
		})
	}
	if err != nil {
		return r.askKnown(ctx, paths)
	}
	return have, nil
}

// askKnown is known by the CLI.
func (r *repository) askKnown(ctx context.Context, paths []string) (map[string]indexEntry, error) {
	args := []string{"ls-files", "-z", "--stage", "--"}
	if len(paths) <= maxArgs {
		args = append(args, paths...)
	}
	out, err := r.run.look(ctx, args...)
	if err != nil {
		return nil, err
	}
	want := make(map[string]bool, len(paths))
	for _, p := range paths {
		want[p] = true
	}
	have := map[string]indexEntry{}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		head, name, ok := strings.Cut(entry, "\t") // mode, hash, stage
		if !ok || !want[name] {
			continue
		}
		var e indexEntry
		var hash string
		if _, err := fmt.Sscanf(head, "%o %s %d", &e.mode, &hash, &e.stage); err != nil {
			return nil, fmt.Errorf("git ls-files: entry %q: %w", entry, err)
		}
		have[name] = e
	}
	return have, nil
}

// hashLen is the length of the repository's object names in bytes.
func (l layout) hashLen() int {
	if strings.EqualFold(readConfig(filepath.Join(l.common, "config")).Section("extensions").Option("objectformat"), "sha256") {
		return 32
	}
	return 20
}
