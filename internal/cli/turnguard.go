package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// beforeDir is the folder, among the artifacts, of what the workspace's own files were before a session: named by their bytes, so that one which no session
// changes is kept once.
const beforeDir = "before-session"

// copiesKept is how many of those there are of one file; older ones go.
const copiesKept = 5

// maxGuarded bounds a file that is guarded, in bytes.
const maxGuarded = 256 << 20

// taskStore is the task graph, whose changes are noted for those who look at it meanwhile.
func (s *store) taskStore(b lock.Budget) task.Store {
	return task.Store{Path: s.Tasks, Budget: b, Log: filepath.Join(s.Logs, task.WrittenName)}
}

// guarded is one of the workspace's own files, as it was at one moment.
type guarded struct {
	path string
	kind fs.FileMode // type bits
	link string      // target
	data []byte
	err  error // it can't be read
	none bool  // nothing is there
}

func lookAt(path string) guarded {
	g := guarded{path: path}
	fi, err := os.Lstat(path)
	if err != nil {
		g.none = true
		return g
	}
	if g.kind = fi.Mode().Type(); g.kind&fs.ModeSymlink != 0 {
		g.link, _ = os.Readlink(path) //nolint:errcheck // one that can't be read leads nowhere
	}
	g.data, g.err = durable.ReadFile(path, maxGuarded)
	return g
}

// lost says in what way a file is not to be used any more; "" = it can be read, and there is something in it if there was.
func (g guarded) lost(now guarded) string {
	switch {
	case now.none:
		return "was removed"
	case now.kind.IsDir():
		return "was replaced by a folder"
	case now.kind&fs.ModeSymlink != 0 && now.link != g.link:
		return "was replaced by a link to " + now.link
	case now.kind != g.kind:
		return "was replaced by something that is no file"
	case now.err != nil:
		return "can't be read any more (" + now.err.Error() + ")"
	case stable.Trim(string(now.data)) == "" && stable.Trim(string(g.data)) != "":
		return "was emptied"
	}
	return ""
}

// guard is what a session must leave alone, as it was right before it.
type guard struct {
	files    []guarded
	journals map[string]grows // they grow while a session runs
	written  int64            // mark of the log of writes
}

// guardFiles takes the workspace's own files down, right before a session. What people wrote there is copied first, if no copy has these bytes: a ralphex
// that is killed with its agent has nothing left to write it from.
func (o *oneTurn) guardFiles() guard {
	g := guard{journals: map[string]grows{}, written: o.tasks.Mark()}
	ours := []string{o.s.Tasks, o.s.PRD, o.s.Progress, o.s.DoctrineFile(doctrine.EvidenceIndex)}
	for _, f := range doctrine.Files {
		ours = append(ours, o.s.DoctrineFile(f.Name))
	}
	for _, path := range append(slices.Clone(ours), o.s.Claims, o.s.State) {
		was := lookAt(path)
		if was.none || was.err != nil {
			continue
		}
		g.files = append(g.files, was)
		if slices.Contains(ours, path) {
			if err := o.keepCopy(was); err != nil {
				o.warnings = append(o.warnings, fmt.Sprintf("No copy of %s could be kept: %v.", o.s.Rel(path), err))
			}
		}
	}
	journals := []string{filepath.Join(o.s.Root, storeDir, "events", string(o.log.bus.Run())+".jsonl")}
	if dir, err := o.s.Bundle(o.id); err == nil {
		journals = append(journals, filepath.Join(dir, events.FileName))
	}
	for _, path := range journals {
		if was, err := lookAtEnd(path); err == nil {
			g.journals[path] = was
		}
	}
	return g
}

// copyOf is where the bytes of a file are kept.
func (o *oneTurn) copyOf(g guarded) string {
	sum := sha256.Sum256(g.data)
	ext := filepath.Ext(g.path)
	return filepath.Join(o.s.Artifacts, beforeDir, strings.TrimSuffix(filepath.Base(g.path), ext)+"-"+hex.EncodeToString(sum[:6])+ext)
}

// keepCopy keeps a copy of the file, unless there is one.
func (o *oneTurn) keepCopy(g guarded) error {
	path := o.copyOf(g)
	if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() && fi.Size() == int64(len(g.data)) {
		return nil
	}
	if err := o.w.Put(g.data, path); err != nil {
		return err
	}
	o.dropCopies(path)
	return nil
}

// dropCopies takes the oldest copies of a file away, but never the one at path. What can't be deleted stays.
func (o *oneTurn) dropCopies(path string) {
	ext := filepath.Ext(path)
	name := strings.TrimSuffix(filepath.Base(path), ext)
	alike, err := filepath.Glob(filepath.Join(filepath.Dir(path), name[:strings.LastIndex(name, "-")]+"-????????????"+ext))
	if err != nil || len(alike) <= copiesKept {
		return
	}
	at := func(path string) int64 {
		fi, err := os.Lstat(path)
		if err != nil {
			return 0
		}
		return fi.ModTime().UnixNano()
	}
	slices.SortFunc(alike, func(a, b string) int { return int(min(max(at(a)-at(b), -1), 1)) })
	for _, old := range alike[:len(alike)-copiesKept] {
		if old != path {
			_ = os.Remove(old)
		}
	}
}

// undo is the command that has a file back as it was before the session; what is there now is moved aside. The copy is written anew, if the session took it away.
func (o *oneTurn) undo(was, now guarded) string {
	at := o.copyOf(was)
	if have, err := durable.ReadFile(at, maxGuarded); err != nil || !bytes.Equal(have, was.data) {
		if err := errors.Join(o.w.Put(was.data, at), o.w.Sync()); err != nil {
			return ""
		}
	}
	rel := func(path string) string {
		if near, err := filepath.Rel(o.p.Dir, path); err == nil {
			path = near
		}
		return shellQuote(path)
	}
	command := "cp " + rel(at) + " " + rel(was.path)
	if !now.none {
		command = "mv " + rel(was.path) + " " + rel(was.path+".session") + " && " + command
	} else if _, err := os.Stat(filepath.Dir(was.path)); err != nil {
		command = "mkdir -p " + rel(filepath.Dir(was.path)) + " && " + command
	}
	return command
}

// grows is a file that only grows while a session runs, as it was right before that.
type grows struct {
	fi  fs.FileInfo
	end []byte // its last bytes
}

// endKept is how many of a journal's last bytes are remembered: a line of it, or some.
const endKept = 4096

func lookAtEnd(path string) (g grows, err error) {
	if g.fi, err = os.Lstat(path); err != nil {
		return g, err
	}
	g.end, err = bytesBefore(path, g.fi.Size())
	return g, err
}

// bytesBefore reads what comes before an offset of a regular file.
func bytesBefore(path string, size int64) ([]byte, error) {
	if err := durable.CheckRegular(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	end := make([]byte, min(size, endKept))
	_, err = f.ReadAt(end, size-int64(len(end)))
	return end, err
}

// cut tells whether a journal is not the file any more that it was, or does not go on from there: one that was emptied may have grown again meanwhile.
func (g grows) cut(path string) bool {
	fi, err := os.Lstat(path)
	if err != nil || !os.SameFile(fi, g.fi) || fi.Size() < g.fi.Size() {
		return true
	}
	end, err := bytesBefore(path, g.fi.Size())
	return err != nil || !bytes.Equal(end, g.end)
}
