package integrate

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"ralphex/internal/durable"
)

//go:embed commands/*.md
var embedded embed.FS

// Commands are the names of the commands, sorted.
func Commands() []string {
	entries, _ := embedded.ReadDir("commands")
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".md"))
	}
	slices.Sort(names)
	return names
}

// Text is the file of a command as it is installed, with its last line.
func Text(command string) ([]byte, error) {
	body, err := embedded.ReadFile(path.Join("commands", command+".md"))
	if err != nil {
		return nil, fmt.Errorf("no command %s: there are %s", command, strings.Join(Commands(), ", "))
	}
	return fmt.Appendf(body, "\n%s%s; a changed file is left alone -->\n", mark, sum(append(body, '\n'))), nil
}

const mark = "<!-- installed by ralphex integrations, sha256 "

// lastLine finds the mark at the end of a file.
var lastLine = regexp.MustCompile(regexp.QuoteMeta(mark) + `([0-9a-f]{64});[^\n]*-->\s*$`)

func sum(text []byte) string {
	s := sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(s[:])
}

// State is how a file stands.
type State string

// The states.
const (
	Missing  State = "missing"
	Current  State = "current"  // as this version has it
	Outdated State = "outdated" // of another version, and unchanged since it was installed
	Changed  State = "changed"  // of ralphex, with words of somebody else
	Foreign  State = "foreign"  // somebody else's, a link or a folder included
)

// Ours tells whether the file may be replaced or removed.
func (s State) Ours() bool { return s == Current || s == Outdated }

// File is the place of a command in a tool.
type File struct {
	Tool    string // "claude", "codex"
	Command string // "ralphex-plan"
	Dir     string // folder that is never left: absolute
	Name    string // below Dir, with slashes
}

// Path is the place as people read it.
func (f File) Path() string { return path.Join(strings.ReplaceAll(f.Dir, "\\", "/"), f.Name) }

// maxFile is how long a command file may be that is read.
const maxFile = 1 << 20

// State looks.
func (f File) State() (State, error) {
	root, err := os.OpenRoot(f.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Missing, nil
	}
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", f.Path(), err)
	}
	defer root.Close()
	fi, err := root.Lstat(f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing, nil
	case err != nil:
		return "", fmt.Errorf("look at %s: %w", f.Path(), err)
	case !fi.Mode().IsRegular() || fi.Size() > maxFile:
		return Foreign, nil
	}
	have, err := durable.ReadIn(root, f.Name, maxFile)
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", f.Path(), err)
	}
	return f.judge(have)
}

// judge tells what the bytes of the file are.
func (f File) judge(have []byte) (State, error) {
	want, err := Text(f.Command)
	if err != nil {
		return "", err
	}
	if bytes.Equal(have, want) {
		return Current, nil
	}
	at := lastLine.FindSubmatchIndex(have)
	switch {
	case at == nil:
		return Foreign, nil
	case sum(have[:at[0]]) != string(have[at[2]:at[3]]):
		return Changed, nil
	}
	return Outdated, nil
}

// Install writes the file where that takes nothing from anybody. wrote tells whether bytes changed; the state is the one before.
func (f File) Install() (before State, wrote bool, err error) {
	if before, err = f.State(); err != nil || before != Missing && before != Outdated {
		return before, false, err
	}
	text, err := Text(f.Command)
	if err != nil {
		return before, false, err
	}
	dir, err := durable.OpenDir(f.Dir)
	if err != nil {
		return before, false, fmt.Errorf("install %s: %w", f.Path(), err)
	}
	defer dir.Close()
	if folder := path.Dir(f.Name); folder != "." {
		if err := dir.Root().MkdirAll(folder, 0o755); err != nil {
			return before, false, fmt.Errorf("install %s: %w", f.Path(), err)
		}
	}
	if before == Missing { // somebody may have come in between
		if wrote, err = dir.CreateFile(f.Name, text, 0o644); err == nil && !wrote {
			before = Foreign
		}
	} else {
		wrote, err = true, dir.WriteFile(f.Name, text, 0o644)
	}
	if err != nil {
		return before, false, fmt.Errorf("install %s: %w", f.Path(), err)
	}
	return before, wrote, nil
}

// Remove takes the file away if nobody has changed it.
func (f File) Remove() (before State, removed bool, err error) {
	if before, err = f.State(); err != nil || !before.Ours() {
		return before, false, err
	}
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return before, false, fmt.Errorf("remove %s: %w", f.Path(), err)
	}
	defer root.Close()
	if err := root.Remove(f.Name); err != nil {
		return before, false, fmt.Errorf("remove %s: %w", f.Path(), err)
	}
	return before, true, nil
}
