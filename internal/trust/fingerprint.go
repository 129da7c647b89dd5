package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Command is a setting that is executed: the name of its key, and its value.
type Command struct{ Key, Value string }

// Print identifies a set of commands.
type Print struct {
	Hash    string   // hexadecimal
	Scripts []string // files of the repository whose bytes are part of it, with slashes, sorted
}

// ErrOutside is a command that names a file of the repository which is a link out of it: its target can change without
// anything in the repository changing.
var ErrOutside = errors.New("symbolic link out of the repository")

// Fingerprint makes the print of commands in the repository at root. The order of commands is of no importance.
func Fingerprint(root string, commands []Command) (Print, error) {
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		return Print{}, err
	}
	sorted := slices.SortedFunc(slices.Values(commands), func(a, b Command) int { return strings.Compare(a.Key, b.Key) })
	var p Print
	hash := sha256.New()
	for _, c := range sorted {
		fmt.Fprintf(hash, "%d:%s=%d:%s\n", len(c.Key), c.Key, len(c.Value), c.Value)
		for _, word := range words(c.Value) {
			rel, err := fileOf(top, root, word)
			if err != nil {
				return Print{}, fmt.Errorf("%s: %w", c.Key, err)
			}
			if rel != "" && !slices.Contains(p.Scripts, rel) {
				p.Scripts = append(p.Scripts, rel)
			}
		}
	}
	slices.Sort(p.Scripts)
	for _, rel := range p.Scripts {
		sum, err := sumOf(filepath.Join(top, filepath.FromSlash(rel)))
		if err != nil {
			return Print{}, err
		}
		fmt.Fprintf(hash, "%d:%s %s\n", len(rel), rel, sum)
	}
	p.Hash = hex.EncodeToString(hash.Sum(nil))
	return p, nil
}

// words splits a command at whatever can stand between two words of a shell, "--config=x" included. Too many words do no
// harm: only those that are files count. The whole text is a word, too: a path may have blanks.
func words(value string) []string {
	split := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`;&|()<>=,$", r) })
	return append([]string{value}, split...)
}

// fileOf is the path of a word below the repository, "" if it is no regular file there. The real top and the root as it is
// written are both looked for in absolute words.
func fileOf(top, root, word string) (string, error) {
	path := filepath.FromSlash(strings.TrimSpace(word))
	if path == "" || strings.ContainsRune(path, 0) {
		return "", nil
	}
	if filepath.IsAbs(path) {
		rel, err := below(root, path)
		if err != nil {
			if rel, err = below(top, path); err != nil {
				return "", nil // a file of the machine: the person's, not the repository's
			}
		}
		path = rel
	}
	target, err := filepath.EvalSymlinks(filepath.Join(top, path))
	if err != nil {
		return "", nil // no file: an option, a word of the shell
	}
	fi, err := os.Stat(target)
	if err != nil || !fi.Mode().IsRegular() {
		return "", nil
	}
	if _, err := below(top, target); err != nil {
		if _, up := below(top, filepath.Join(top, path)); up != nil {
			return "", nil // ../tool: said openly, and hashed as text
		}
		return "", fmt.Errorf("%s: %w, to %s", filepath.ToSlash(path), ErrOutside, target)
	}
	return filepath.ToSlash(filepath.Clean(path)), nil
}

// below is path relative to dir; an error where it is not below.
func below(dir, path string) (string, error) {
	rel, err := filepath.Rel(dir, path)
	if err == nil && !filepath.IsLocal(rel) {
		err = fs.ErrInvalid
	}
	return rel, err
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
