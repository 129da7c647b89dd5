package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ralphex/internal/web/view"
)

// Library is the runs under the watched folders. It is safe for use by several goroutines.
type Library struct {
	opt   Options
	roots []string
	watch *watch
	done  chan struct{} // closed when its goroutines have ended

	mu      sync.Mutex
	byPath  map[string]*Session
	byID    map[string]*Session
	pending map[string]bool // ids to be told
	flush   *time.Timer     // tells them; nil = nothing is pending
	readers map[chan []string]bool
}

// tellEvery is how long changes are gathered before they are told.
const tellEvery = 100 * time.Millisecond

// Open begins to watch folders, until ctx is over; Wait returns then. It reads the ends of the files that lie where ralphex puts them; those in
// other folders are found a moment later. A folder that does not exist is told by Options.Note and waited for; if none exists, the error says so.
func Open(ctx context.Context, dirs []string, opt Options) (*Library, error) {
	l := &Library{opt: opt.withDefaults(), byPath: map[string]*Session{}, byID: map[string]*Session{}, pending: map[string]bool{},
		readers: map[chan []string]bool{}, done: make(chan struct{})}
	var problems []error
	for _, dir := range dirs {
		root, err := rootOf(dir)
		if err != nil {
			problems = append(problems, err)
			l.opt.Note(err.Error())
			continue
		}
		if !slices.Contains(l.roots, root) {
			l.roots = append(l.roots, root)
		}
	}
	if len(l.roots) == 0 && len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	l.watch = newWatch(l.opt)
	for _, root := range l.roots {
		l.take(root, scan(root, false))
	}
	go l.run(ctx)
	return l, nil
}

// rootOf makes a folder's name absolute, without links.
func rootOf(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	root, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", fmt.Errorf("watch %s: %w", abs, err)
	}
	if fi, err := os.Stat(root); err != nil || !fi.IsDir() {
		return "", fmt.Errorf("watch %s: it is no folder", abs)
	}
	return root, nil
}

// Roots are the folders that are watched.
func (l *Library) Roots() []string { return slices.Clone(l.roots) }

// Wait returns when the watching has ended.
func (l *Library) Wait() { <-l.done }

// Runs returns the rows, the newest activity first.
func (l *Library) Runs() []view.Run {
	runs, _ := l.rows(l.sessions())
	return runs
}

// Rows returns the rows of some of the ids, and those that have none: they are gone, their file has no run any more, or another session shows the same run.
func (l *Library) Rows(ids []string) (runs []view.Run, gone []string) {
	var some []*Session
	for _, id := range ids {
		if s, ok := l.Session(id); ok {
			some = append(some, s)
		} else {
			gone = append(gone, id)
		}
	}
	runs, none := l.rows(some)
	return runs, append(gone, none...)
}

func (l *Library) rows(some []*Session) (runs []view.Run, none []string) {
	journals := l.journals(some)
	runs = make([]view.Run, 0, len(some))
	for _, s := range some {
		if run, there := s.rowNow(); there && !journals.cover(s) {
			runs = append(runs, run)
		} else {
			none = append(none, s.id)
		}
	}
	slices.SortFunc(runs, func(a, b view.Run) int {
		return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.ID, b.ID))
	})
	return runs, none
}

func (l *Library) sessions() []*Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]*Session, 0, len(l.byID))
	for _, s := range l.byID {
		all = append(all, s)
	}
	return all
}

// Session returns the session of an id.
func (l *Library) Session(id string) (*Session, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.byID[id]
	return s, ok
}

// Wake tells that the file of the path has grown, so that nobody waits for the file system to say so.
func (l *Library) Wake(path string) { l.changed(filepath.Clean(path)) }

// take adds what a scan has found.
func (l *Library) take(root string, f found) {
	for _, dir := range f.watch {
		if l.watch.add(dir) {
			l.take(root, scan(dir, false)) // what came before it was watched
		}
	}
	for _, file := range f.files {
		l.add(root, file)
	}
}

// add makes a session of a file, unless there is one or the file has no run yet.
func (l *Library) add(root string, f file) {
	l.mu.Lock()
	known := l.byPath[f.path] != nil
	l.mu.Unlock()
	if known {
		return
	}
	checkout, main := f.root(root)
	s := &Session{lib: l, file: f, id: f.id(), root: checkout}
	if there, ok := l.Session(s.id); ok && there.file.path != f.path {
		s.id = f.otherID()
	}
	place := checkout // where the store and the plan are
	if ours := ofOurWorktree(checkout); ours != "" && f.source == view.Progress {
		place = ours
	}
	s.meta = view.Meta{ID: s.id, Source: f.source, Project: filepath.Base(main), Root: place, Path: f.path, Price: l.opt.Price}
	k, err := s.begin(context.Background())
	if err != nil {
		if !errors.Is(err, errNoRun) && !errors.Is(err, fs.ErrNotExist) {
			l.opt.Note(err.Error())
		}
		return
	}
	s.known = k
	s.dirty = true // the file is not watched for as long as it was read
	l.mu.Lock()
	if l.byPath[f.path] == nil {
		l.byPath[f.path], l.byID[s.id] = s, s
	}
	l.mu.Unlock()
	l.tell(s.id)
}

// changed takes that a file has grown, or is new.
func (l *Library) changed(path string) {
	l.mu.Lock()
	s := l.byPath[path]
	l.mu.Unlock()
	if s != nil {
		s.touch()
		l.tell(s.id)
		return
	}
	if f, ok := match(path); ok {
		if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() {
			l.add(l.rootAbove(path), f)
		}
	}
}

// rootAbove is the watched folder that a path lies in.
func (l *Library) rootAbove(path string) string {
	best := ""
	for _, root := range l.roots {
		if within(root, path) && len(root) > len(best) {
			best = root
		}
	}
	return best
}

// within tells whether a path is dir, or lies in it.
func within(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || strings.HasSuffix(dir, string(filepath.Separator)))
}

// gone drops what was at the path, or below it, and is there no more.
func (l *Library) gone(path string) {
	for _, s := range l.sessions() {
		if !within(path, s.file.path) {
			continue
		}
		if fi, err := os.Lstat(s.file.path); err == nil && fi.Mode().IsRegular() {
			s.touch() // another one took its place
			l.tell(s.id)
			continue
		}
		l.mu.Lock()
		delete(l.byPath, s.file.path)
		delete(l.byID, s.id)
		l.mu.Unlock()
		s.touch()
		l.tell(s.id)
	}
}

// Changes gives the ids of runs that changed, came or went, until ctx is over; then it is closed. They are gathered: who is slow gets more at
// once.
func (l *Library) Changes(ctx context.Context) <-chan []string {
	c := make(chan []string, 1)
	l.mu.Lock()
	l.readers[c] = true
	l.mu.Unlock()
	l.watch.kick()
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.readers, c)
		close(c)
	})
	return c
}

// tell remembers an id for those who want to know.
func (l *Library) tell(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.readers) == 0 {
		return
	}
	l.pending[id] = true
	if l.flush == nil {
		l.flush = time.AfterFunc(tellEvery, l.tellAll)
	}
}

func (l *Library) tellAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	ids := make([]string, 0, len(l.pending))
	for id := range l.pending {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	clear(l.pending)
	l.flush = nil
	for c := range l.readers {
		all := ids
		select {
		case old := <-c:
			all = append(slices.Clone(ids), old...)
			slices.Sort(all)
			all = slices.Compact(all)
		default:
		}
		c <- all // there is room: nobody else sends
	}
}
