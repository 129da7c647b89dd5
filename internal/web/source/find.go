package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// ignored are folders in which nobody looks: there are many, and no run is in them.
var ignored = []string{".git", ".hg", ".idea", ".vscode", ".cache", ".npm", ".yarn", "node_modules", "vendor", "__pycache__", "target", "build", "dist"}

// maxFolders bounds a scan, so that a home folder that is watched by mistake costs a second, and not an hour.
const maxFolders = 200_000

// found is what a scan brings.
type found struct {
	files []file
	watch []string // folders whose changes are to be told
	seen  int      // folders
}

// scan looks for runs below dir, without following links. deep = in all folders; else only in those where ralphex puts them.
func scan(dir string, deep bool) found {
	var f found
	f.folder(dir, true, deep)
	return f
}

// folder looks into one folder. What can't be read has nothing.
func (f *found) folder(dir string, root, deep bool) {
	if f.seen++; f.seen > maxFolders {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	watch := root || ours(dir)
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case entry.IsDir():
			watch = watch || slices.Contains(projectSigns, entry.Name())
		case entry.Type().IsRegular():
			if file, ok := match(path); ok {
				f.files = append(f.files, file)
				watch = true
			} else {
				watch = watch || entry.Name() == ".git" // of a linked worktree
			}
		}
	}
	if watch {
		f.watch = append(f.watch, dir)
	}
	for _, entry := range entries {
		if entry.IsDir() && enter(dir, entry, root, deep) {
			f.folder(filepath.Join(dir, entry.Name()), false, deep)
		}
	}
}

// enter tells whether a scan goes into a folder of dir.
func enter(dir string, entry fs.DirEntry, root, deep bool) bool {
	name := entry.Name()
	switch filepath.Base(dir) {
	case ".ralph":
		return name == "events" // the rest of the store may be large, and has no runs
	case ".ralphex":
		return name == "progress" || name == "worktrees"
	case "worktrees":
		if ours(dir) {
			return true
		}
	}
	if name == ".ralph" || name == ".ralphex" {
		return true
	}
	return deep && !slices.Contains(ignored, name)
}

// ours tells whether the folder is one that ralphex makes, and in which runs may appear.
func ours(dir string) bool {
	name, above := filepath.Base(dir), filepath.Base(filepath.Dir(dir))
	switch name {
	case ".ralph", ".ralphex":
		return true
	case "events":
		return above == ".ralph"
	case "progress", "worktrees":
		return above == ".ralphex"
	}
	return false
}
