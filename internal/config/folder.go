package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// folder is where a layer keeps its files: prompts/NAME.txt and agents/NAME.txt. It may not exist.
type folder struct {
	layer  Layer
	path   string
	shown  string // short form for people
	within string // folder that no link may lead out of; empty: any may
}

// read returns the text of prompts/task.txt and the like, its line ends made plain. A file that is not there is
// fs.ErrNotExist.
func (f folder) read(kind, name string) (string, error) {
	path := filepath.Join(f.path, kind, name+".txt")
	if err := stayWithin(f.within, path, f.show(kind, name)); err != nil {
		return "", err
	}
	raw, err := readSmall(path)
	if err != nil {
		return "", &FileError{Origin{Layer: f.layer, Name: f.show(kind, name)}, err}
	}
	return plainText(string(raw)), nil
}

// show is the file's name for people, ".ralphex/prompts/task.txt".
func (f folder) show(kind, name string) string { return filepath.Join(f.shown, kind, name+".txt") }

// names are the files of a kind, without .txt. A folder that is not there has none.
func (f folder) names(kind string) ([]string, error) {
	dir := filepath.Join(f.path, kind)
	if err := stayWithin(f.within, dir, filepath.Join(f.shown, kind)); err != nil {
		return nil, ignoreMissing(err)
	}
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".txt"); ok && !e.IsDir() && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	return names, ignoreMissing(err)
}

// Texts reads the files of a kind ("prompts", "agents") of one settings folder, by name, without the comments at their
// beginning. Files without a text are left out. within is a folder that no link may lead out of; empty: any may.
func Texts(dir, shown, within, kind string) (map[string]string, error) {
	f := folder{path: dir, shown: shown, within: within}
	names, err := f.names(kind)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, name := range names {
		raw, err := f.read(kind, name)
		if err != nil {
			return nil, err
		}
		if text := promptText(raw); text != "" {
			texts[name] = text
		}
	}
	return texts, nil
}

// PlainText is a built-in file as Texts gives those of a folder.
func (f File) PlainText() string { return promptText(f.Text) }

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// LinkError says that a file of a repository's settings is a link to a place outside of the repository: what
// lies there, somebody else wrote for another purpose, and a prompt would carry it to a model.
type LinkError struct {
	File   string // as shown to people
	Target string
}

func (e *LinkError) Error() string {
	return fmt.Sprintf("%s is a symbolic link out of the repository, to %s", e.File, e.Target)
}

// Hint says what to do instead.
func (e *LinkError) Hint() string {
	return "put the file itself there; what you want in all repositories belongs into your global folder"
}

// stayWithin refuses a path that links lead out of a folder.
func stayWithin(root, path, shown string) error {
	if root == "" {
		return nil
	}
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(top, target); err != nil || !filepath.IsLocal(rel) {
		return &LinkError{File: shown, Target: target}
	}
	return nil
}
