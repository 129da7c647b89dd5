package vcs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// Modes of files in trees and in the index.
const (
	modeFile   = 0o100644
	modeExec   = 0o100755
	modeLink   = 0o120000
	modeTree   = 0o040000
	modeModule = 0o160000 // a commit of another repository
)

// conversion is what git may do to a file's content between tree and repository.
type conversion struct{ lines, ident, filter bool }

// conversions tells which files git would store differently than they lie in the tree. It doesn't match patterns: an attribute that is
// mentioned in a file that could apply is taken to apply. So it errs only to the safe side, a refusal.
type conversions struct {
	layout   layout
	global   conversion
	fileMode bool
	seen     map[string]conversion // by folder; for one call
}

func newConversions(l layout, cfg *config.Config, env map[string]string) *conversions {
	core := cfg.Section("core")
	c := &conversions{layout: l, fileMode: core.Option("filemode") == "" || yes(core.Option("filemode"))}
	c.global.lines = yes(core.Option("autocrlf"))
	at := core.Option("attributesfile")
	home := env["HOME"]
	if at == "" {
		dir := env["XDG_CONFIG_HOME"]
		if dir == "" {
			dir = filepath.Join(home, ".config")
		}
		at = filepath.Join(dir, "git", "attributes")
	} else if rest, ok := strings.CutPrefix(at, "~/"); ok {
		at = filepath.Join(home, rest)
	}
	for _, file := range []string{at, "/etc/gitattributes", filepath.Join(l.common, "info", "attributes")} {
		if b, err := os.ReadFile(file); err == nil {
			c.global = c.global.and(mentions(b))
		}
	}
	return c
}

func (c conversion) and(d conversion) conversion {
	return conversion{c.lines || d.lines, c.ident || d.ident, c.filter || d.filter}
}

// mentions reads an attributes file.
func mentions(text []byte) (c conversion) {
	for line := range strings.SplitSeq(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		if line[0] == '"' { // a quoted pattern may hold blanks
			words = append([]string{""}, words...)
		}
		for _, w := range words[1:] {
			name, value, _ := strings.Cut(w, "=")
			switch name {
			case "text", "eol", "crlf":
				c.lines = true
			case "ident":
				c.ident = true
			case "filter", "working-tree-encoding":
				c.filter = c.filter || value != ""
			}
		}
	}
	return c
}

// fresh forgets what was read, since people edit attributes.
func (c *conversions) fresh() *conversions {
	d := *c
	d.seen = map[string]conversion{}
	return &d
}

// of is what may be done to the files of a folder ("" = root).
func (c *conversions) of(dir string, x *indexFile) conversion {
	if v, ok := c.seen[dir]; ok {
		return v
	}
	v := c.global
	if dir != "" {
		v = c.of(folderOf(dir), x)
	}
	name := strings.TrimPrefix(dir+"/.gitattributes", "/")
	b, err := os.ReadFile(filepath.Join(c.layout.root, filepath.FromSlash(name)))
	switch _, known := x.get(name); {
	case err == nil:
		v = v.and(mentions(b))
	case known: // git would read it from the index
		v = conversion{true, true, true}
	}
	c.seen[dir] = v
	return v
}

// stored is the content of a path as the repository would hold it, and its mode. was is the mode that the index has, 0 for a new file.
func (c *conversions) stored(path string, fi fs.FileInfo, was uint32, x *indexFile) ([]byte, uint32, error) {
	at := filepath.Join(c.layout.root, filepath.FromSlash(path))
	if fi.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(at)
		return []byte(filepath.ToSlash(target)), modeLink, err
	}
	mode, err := c.mode(fi, was)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	v := c.of(folderOf(path), x)
	if v.filter {
		return nil, 0, needsGit("read "+path, "its attributes name a filter or an encoding (.gitattributes)")
	}
	b, err := os.ReadFile(at)
	if err != nil {
		return nil, 0, err
	}
	if v.lines && bytes.Contains(b, []byte("\r\n")) {
		return nil, 0, needsGit("read "+path, "git would convert its line ends (core.autocrlf or .gitattributes)")
	}
	if v.ident && bytes.Contains(b, []byte("$Id")) {
		return nil, 0, needsGit("read "+path, "git would take its $Id$ back (.gitattributes)")
	}
	return b, mode, nil
}

// mode is a file's mode in git's words. was is the mode that the index has, 0 for a new file.
func (c *conversions) mode(fi fs.FileInfo, was uint32) (uint32, error) {
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		return modeLink, nil
	case !fi.Mode().IsRegular():
		return 0, errors.New("neither a file nor a link")
	case c.fileMode && fi.Mode()&0o100 != 0, !c.fileMode && was == modeExec:
		return modeExec, nil
	}
	return modeFile, nil
}

// lstat is os.Lstat for which a path below a file isn't there.
func lstat(path string) (fs.FileInfo, error) {
	fi, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && notDir(err) {
		return nil, fs.ErrNotExist
	}
	return fi, err
}

// notDir reports whether a folder on the way is a file.
func notDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// behindLink is the first link among the folders that a path lies in, "" if there is none. known remembers folders from one call to the next; it may be nil.
func behindLink(root, path string, known map[string]string) string {
	for _, dir := range parents(path) {
		link, seen := known[dir]
		if !seen {
			if fi, err := os.Lstat(filepath.Join(root, filepath.FromSlash(dir))); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
				link = dir
			}
			if known != nil {
				known[dir] = link
			}
		}
		if link != "" {
			return link
		}
	}
	return ""
}
