package retention

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// maxPointer bounds a file that protects: state.json, and copies of artifacts of one iteration.
const maxPointer = 64 << 20

// Snapshot is what lay in the folders of a workspace at one moment: names without folders, in any order. Compute looks at nothing else.
type Snapshot struct {
	Layout     layout.Layout
	Iterations []string // folders in artifacts
	Prompts    []string // files in prompts
	Runs       []string // files in runs
	Handoff    []string // files in handoff
	Watchdog   []string // files in artifacts/watchdog
	Bundles    []string // folders in artifacts/runs
	Logs       []string // files in logs

	// Outputs are the folders of runs of plans, with what validation commands printed in them: "." for a folder that holds nothing else.
	Outputs map[string][]string

	// FailurePaths are what latest-provenance-failure.json names, and whether that is there. nil = there is no such file, or it can't be read.
	FailurePaths map[string]bool
}

// Look takes a snapshot. Folders that are missing are empty, and so is one that is a link.
func Look(l layout.Layout) (Snapshot, error) {
	if err := l.CheckInside(); err != nil {
		return Snapshot{}, err
	}
	s := Snapshot{Layout: l}
	for _, place := range []struct {
		dir     string
		folders bool
		into    *[]string
	}{
		{l.Artifacts, true, &s.Iterations}, {l.Bundles, true, &s.Bundles}, {l.Prompts, false, &s.Prompts}, {l.Runs, false, &s.Runs},
		{l.Handoff, false, &s.Handoff}, {l.Watchdog, false, &s.Watchdog}, {l.Logs, false, &s.Logs},
	} {
		names, err := list(place.dir, place.folders)
		if err != nil {
			return Snapshot{}, err
		}
		*place.into = names
	}
	var err error
	if s.Outputs, err = outputs(l.Outputs); err != nil {
		return Snapshot{}, err
	}
	failure := pointer(l.Latest().ProvenanceFailure)
	if failure == nil {
		return s, nil
	}
	s.FailurePaths = map[string]bool{}
	for _, key := range failureKeys {
		path, _ := failure.String(key)
		if !filepath.IsAbs(path) {
			continue
		}
		_, err := os.Lstat(path)
		s.FailurePaths[filepath.Clean(path)] = !errors.Is(err, fs.ErrNotExist)
	}
	return s, nil
}

// list returns the names of the folders, or of the regular files, in dir itself.
func list(dir string, folders bool) ([]string, error) {
	if fi, err := os.Lstat(dir); err != nil || !fi.IsDir() {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("look for old artifacts: %w", err)
		}
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look for old artifacts: %w", err)
	}
	var names []string
	for _, e := range entries {
		if folders && e.IsDir() || !folders && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// outputs looks which of the folders in dir are those of runs, and what in them is of their validation commands.
func outputs(dir string) (map[string][]string, error) {
	folders, err := list(dir, true)
	if err != nil {
		return nil, err
	}
	found := map[string][]string{}
	for _, run := range folders {
		if _, ok := planRun(run); !ok {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(dir, run))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("look for old artifacts: %w", err)
		}
		all, names := true, []string(nil)
		for _, e := range entries {
			if e.IsDir() && isOutput(e.Name()) {
				names = append(names, e.Name())
			} else if e.Name() != ".gitignore" {
				all = false
			}
		}
		if all && names != nil {
			names = []string{"."}
		}
		if names != nil {
			found[run] = names
		}
	}
	return found, nil
}

// pointer reads a JSON file that may protect something; nil if it holds no object.
func pointer(path string) *stable.Object {
	return stable.ObjectOf(durable.ReadFile(path, maxPointer))
}

func isLog(name string) bool { return strings.HasSuffix(name, ".log") && name != ".log" }
