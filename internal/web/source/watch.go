package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"ralphex/internal/web/view"
)

const (
	scanEvery  = time.Minute     // the safety net: what no folder told. At least, and so that it takes 1/500 of the time
	pollEvery  = 2 * time.Second // files in folders that can't be watched
	probeEvery = 5 * time.Second // whether the processes of runs are still there, as long as somebody looks
)

// watch tells of changes in folders.
type watch struct {
	w    *fsnotify.Watcher // nil = nobody can tell
	note func(string)
	more chan struct{} // a token: somebody looks since a moment ago

	mu   sync.Mutex
	dirs map[string]bool
	deaf map[string]bool // folders that can't be watched
	told bool
}

func newWatch(opt Options) *watch {
	w := &watch{note: opt.Note, more: make(chan struct{}, 1), dirs: map[string]bool{}, deaf: map[string]bool{}}
	var err error = syscall.EMFILE
	if !opt.deaf {
		w.w, err = fsnotify.NewWatcher()
	}
	if err != nil {
		w.w = nil
		w.limit(err)
	}
	return w
}

// limit tells once that folders are looked at instead of being told.
func (w *watch) limit(err error) {
	if w.told {
		return
	}
	w.told = true
	hint := ""
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		hint = "; raise fs.inotify.max_user_watches or max_user_instances to have it at once"
	}
	w.note("can't watch all folders (" + err.Error() + "), so they are looked at every few seconds" + hint)
}

// add watches a folder. It tells whether it is watched from now on.
func (w *watch) add(dir string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dirs[dir] {
		return false
	}
	if w.w == nil {
		w.deaf[dir] = true
		return false
	}
	if err := w.w.Add(dir); err != nil {
		if _, gone := os.Lstat(dir); gone == nil {
			w.deaf[dir] = true
			w.limit(err)
		}
		return false
	}
	w.dirs[dir] = true
	delete(w.deaf, dir)
	return true
}

// drop forgets a folder that is gone, and those below it.
func (w *watch) drop(dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for d := range w.dirs {
		if within(dir, d) {
			delete(w.dirs, d)
			_ = w.w.Remove(d) // it is gone already, as a rule
		}
	}
	for d := range w.deaf {
		if within(dir, d) {
			delete(w.deaf, d)
		}
	}
}

func (w *watch) has(dir string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dirs[dir] || w.deaf[dir]
}

// unheard are the folders that have to be looked at.
func (w *watch) unheard() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	dirs := make([]string, 0, len(w.deaf))
	for d := range w.deaf {
		dirs = append(dirs, d)
	}
	return dirs
}

func (w *watch) kick() {
	select {
	case w.more <- struct{}{}:
	default:
	}
}

// run is the Library's goroutine.
func (l *Library) run(ctx context.Context) {
	defer close(l.done)
	var events chan fsnotify.Event
	var errs chan error
	if w := l.watch.w; w != nil {
		defer w.Close()
		events, errs = w.Events, w.Errors
	}
	var scans sync.WaitGroup
	defer scans.Wait()
	again := make(chan time.Duration, 1)
	look := func() {
		scans.Go(func() { again <- l.lookAround(ctx) })
	}
	look()
	missed := false // something was, while it looked around
	var scan, probe, poll <-chan time.Time
	for {
		if probe == nil && l.watched() {
			probe = time.After(probeEvery)
		}
		if poll == nil && len(l.watch.unheard()) > 0 {
			poll = time.After(pollEvery)
		}
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			l.handle(e)
		case <-errs: // events were lost
			if missed = scan == nil; !missed {
				scan = nil
				look()
			}
		case took := <-again:
			if scan = time.After(max(scanEvery, 500*took)); missed {
				missed, scan = false, nil
				look()
			}
		case <-scan:
			scan = nil
			look()
		case <-probe:
			probe = nil
			l.probe()
		case <-poll:
			poll = nil
			l.poll()
		case <-l.watch.more:
		}
	}
}

// watched tells whether anybody wants to know of changes.
func (l *Library) watched() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.readers) > 0
}

// lookAround is the safety net: it scans all folders, and looks at the size of each file. It returns how long the scan took: large trees are scanned
// more rarely.
func (l *Library) lookAround(ctx context.Context) time.Duration {
	began := time.Now()
	for _, root := range l.roots {
		if ctx.Err() != nil {
			return 0
		}
		l.take(root, scan(root, true))
	}
	took := time.Since(began)
	l.compare()
	l.readJournals(ctx)
	return took
}

// readJournals reads the large journals as a whole, one after the other, those of the newest activity first: how far a run is, what it cost and what was
// found stands nowhere else.
func (l *Library) readJournals(ctx context.Context) {
	var large []*Session
	last := map[*Session]time.Time{}
	for _, s := range l.sessions() {
		s.mu.Lock()
		if s.file.source == view.Journal && !s.whole {
			large, last[s] = append(large, s), s.proc.last
		}
		s.mu.Unlock()
	}
	slices.SortFunc(large, func(a, b *Session) int { return last[b].Compare(last[a]) })
	for _, s := range large {
		if ctx.Err() == nil && s.open(ctx) == nil {
			l.tell(s.id)
		}
	}
}

// compare finds the files that grew or went without anybody saying so.
func (l *Library) compare() {
	for _, s := range l.sessions() {
		fi, err := os.Lstat(s.file.path)
		if err != nil || !fi.Mode().IsRegular() {
			l.gone(s.file.path)
			continue
		}
		if s.resized(fi.Size()) {
			s.touch()
			l.tell(s.id)
		}
	}
}

// poll looks at the folders that tell nothing.
func (l *Library) poll() {
	for _, dir := range l.watch.unheard() {
		l.take(l.rootAbove(dir), scan(dir, false))
	}
	l.compare()
}

// probe looks whether runs changed without a word: their process died, or it has told nothing for long.
func (l *Library) probe() {
	for _, s := range l.sessions() {
		if s.stateChanged() {
			l.tell(s.id)
		}
	}
}

// handle takes what the file system says.
func (l *Library) handle(e fsnotify.Event) {
	path := e.Name
	switch {
	case e.Has(fsnotify.Write):
		l.changed(path)
	case e.Has(fsnotify.Create):
		if _, ok := match(path); ok {
			l.gone(path) // one of that name may have been renamed away
			l.changed(path)
			return
		}
		l.folder(path)
	case e.Has(fsnotify.Remove), e.Has(fsnotify.Rename):
		if l.watch.has(path) {
			l.watch.drop(path)
			l.gone(path)
			if slices.Contains(l.roots, path) || !ours(path) { // a repository, too, in a folder that nobody listens to
				l.watch.add(filepath.Dir(path)) // it may come back
				l.folder(path)
			}
			return
		}
		if _, ok := match(path); ok {
			l.gone(path)
		}
	}
}

// folder looks into a new folder.
func (l *Library) folder(path string) {
	root := l.rootAbove(path)
	if root == "" || slices.Contains(ignored, filepath.Base(path)) && path != root {
		return
	}
	fi, err := os.Lstat(path)
	if err != nil || !fi.IsDir() {
		return
	}
	l.take(root, scan(path, true))
	if slices.Contains(projectSigns, filepath.Base(path)) {
		l.watch.add(filepath.Dir(path))
	}
}

// resized tells whether the file has another size than when it was looked at last.
func (s *Session) resized(size int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.size
	s.size = size
	return size != old && size != s.at.offset
}

// stateChanged tells whether the state is another one than the row said last.
func (s *Session) stateChanged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc.ended || s.shown == "" || s.shown == view.Killed { // one that was killed comes back by writing
		return false
	}
	old := s.shown
	return s.row().State != old
}
