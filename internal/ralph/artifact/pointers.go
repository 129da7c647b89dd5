package artifact

import (
	"maps"
	"slices"
	"sync"
)

// pointers are latest copies that are to be written. A copy that a newer one takes the place of before anybody wrote it is never written: iterations that
// follow each other within a blink would spend a third of their files on them.
type pointers struct {
	mu      sync.Mutex
	noted   map[string]*pointer // by path; also those that are written
	told    map[string]string   // by path: why it could not be written, as far as that is in missed, or was
	missed  []error             // that nobody was told of yet
	writing sync.Mutex          // of two that write at once the older one must not be the last
}

// pointer is what a latest copy is to hold.
type pointer struct {
	iteration int
	data      []byte
	tried     bool // it needs no writing any more
	written   bool
}

// PointTo notes what the latest copy at an absolute path is to hold. Of the copies of several iterations the newest one wins, and of one iteration's the last.
func (w *Writer) PointTo(iteration int, data []byte, path string) {
	l := &w.latest
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.noted == nil {
		l.noted, l.told = map[string]*pointer{}, map[string]string{}
	}
	if have := l.noted[path]; have == nil || have.iteration <= iteration {
		l.noted[path] = &pointer{iteration: iteration, data: data}
	}
}

// ShowLatest writes the latest copies that were noted since they were written last, and returns what keeps which from being written, each once. That of the
// bundle is the last one: where the process is killed before it, the bundle itself is newer, by which provenance.Restore knows that its copies are to be made
// again.
func (w *Writer) ShowLatest() (missed []error) {
	w.show()
	w.latest.mu.Lock()
	defer w.latest.mu.Unlock()
	missed, w.latest.missed = w.latest.missed, nil
	return missed
}

func (w *Writer) show() {
	l := &w.latest
	l.writing.Lock()
	defer l.writing.Unlock()
	open := l.open()
	bundle := w.Latest().ProvenanceBundle
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(open)), func(path string) bool { return path == bundle })
	if open[bundle] != nil {
		paths = append(paths, bundle)
	}
	for _, path := range paths {
		l.tried(path, open[path], w.Put(open[path].data, path))
	}
}

// open are the copies that are to be written.
func (l *pointers) open() map[string]*pointer {
	l.mu.Lock()
	defer l.mu.Unlock()
	open := map[string]*pointer{}
	for path, p := range l.noted {
		if !p.tried {
			open[path] = p
		}
	}
	return open
}

// tried notes what became of a copy.
func (l *pointers) tried(path string, p *pointer, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.tried, p.written, p.data = true, err == nil, nil
	if err == nil {
		delete(l.told, path)
	} else if text := err.Error(); l.told[path] != text {
		l.told[path], l.missed = text, append(l.missed, err)
	}
}

// Shown tells whether the latest copy at a path was written.
func (w *Writer) Shown(path string) bool {
	w.latest.mu.Lock()
	defer w.latest.mu.Unlock()
	p := w.latest.noted[path]
	return p != nil && p.written
}
