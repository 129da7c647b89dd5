package trust

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/wait"
)

// version is the format of the file. A newer one is refused.
const version = 1

// ErrNewer is a file that a newer version wrote.
var ErrNewer = errors.New("written by a newer version of ralphex")

// Grant is what a person has allowed once.
type Grant struct {
	Root     string    `json:"root"`              // the repository, links resolved
	Hash     string    `json:"hash"`              // see Print
	Commands []string  `json:"commands"`          // for people: claude_command = "./agent.sh"
	Scripts  []string  `json:"scripts,omitempty"` // files of the repository that are part of the hash
	At       time.Time `json:"at"`
}

// Store is the file that grants lie in; it may not exist.
type Store struct{ Path string }

// file is the whole file.
type file struct {
	Version int     `json:"version"`
	Grants  []Grant `json:"grants"`
}

// Place makes a repository's path comparable: absolute, links resolved where that can be done.
func Place(root string) string {
	abs, err := filepath.Abs(root)
	if err != nil {
		return root
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return abs
}

// List returns all grants, the oldest first.
func (s Store) List() ([]Grant, error) {
	f, err := s.read()
	return f.Grants, err
}

// Has tells whether these commands were allowed in this repository.
func (s Store) Has(root, hash string) (bool, error) {
	f, err := s.read()
	root = Place(root)
	return slices.ContainsFunc(f.Grants, func(g Grant) bool { return g.Root == root && g.Hash == hash }), err
}

// Add remembers a grant. One of the same repository and hash is replaced.
func (s Store) Add(g Grant) error {
	g.Root = Place(g.Root)
	return s.change(func(f *file) {
		f.Grants = slices.DeleteFunc(f.Grants, func(o Grant) bool { return o.Root == g.Root && o.Hash == g.Hash })
		f.Grants = append(f.Grants, g)
	})
}

// Revoke forgets all grants of a repository and returns how many there were.
func (s Store) Revoke(root string) (n int, err error) {
	root = Place(root)
	err = s.change(func(f *file) {
		before := len(f.Grants)
		f.Grants = slices.DeleteFunc(f.Grants, func(g Grant) bool { return g.Root == root })
		n = before - len(f.Grants)
	})
	return n, err
}

// change reads, changes and writes the file under its lock.
func (s Store) change(with func(*file)) error {
	if err := os.MkdirAll(filepath.Dir(s.Path), 0o700); err != nil {
		return err
	}
	lock, err := s.lock()
	if err != nil {
		return fmt.Errorf("lock %s: %w", s.Path, err)
	}
	defer lock.Release()
	f, err := s.read()
	if err != nil {
		return err
	}
	with(&f)
	f.Version = version
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(s.Path, append(text, '\n'), 0o600)
}

// lockWait is how long another change is waited for; one takes milliseconds.
const lockWait = 3 * time.Second

// lock takes the file's lock.
func (s Store) lock() (*durable.Lock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	for {
		lock, err := durable.Acquire(s.Path+".lock", durable.Holder{What: "trust"})
		if !errors.Is(err, durable.ErrHeld) || wait.For(ctx, 10*time.Millisecond) != nil {
			return lock, err
		}
	}
}

// mostFile is more than anybody's permissions take.
const mostFile = 16 << 20

// read reads the file. One that is not there has no grants; one that can't be understood is an error, and allows nothing.
func (s Store) read() (file, error) {
	text, err := durable.ReadFile(s.Path, mostFile)
	if errors.Is(err, fs.ErrNotExist) {
		return file{}, nil
	}
	if err != nil {
		return file{}, err
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return file{}, fmt.Errorf("read %s: %w; move it away, and trust again", s.Path, err)
	}
	if f.Version > version {
		return file{}, fmt.Errorf("read %s: %w", s.Path, ErrNewer)
	}
	return f, nil
}
