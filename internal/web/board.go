package web

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"ralphex/internal/web/view"
)

const (
	// tellEvery is how often a client hears of one run at most.
	tellEvery = 250 * time.Millisecond
	// lookEvery is how often runs are looked at though nothing happened: time alone makes a run that says nothing a stalled one.
	lookEvery = 20 * time.Second
	// bigDetail is the size from which a Detail is told less often: as many times as it is bigger.
	bigDetail = 128 << 10
)

// board knows the newest row of each run, encoded once for all clients. A client remembers how far it has read, and is no queue: what
// changed twice meanwhile it hears of once. Nothing goes on here while nobody looks.
type board struct {
	lib Library

	mu      sync.Mutex
	readers int
	end     context.CancelFunc // of watching; nil = nobody looks
	watched sync.WaitGroup
	version int64
	rows    map[string]card // by id
	moved   chan struct{}   // closed, and made anew, with each change
	touched map[string]int64
	ready   chan struct{} // closed when the first look is over
}

// card is the newest of one run.
type card struct {
	json    []byte // nil = it is gone
	version int64
}

func newBoard(lib Library) *board { return &board{lib: lib} }

// join begins to look, if nobody does. leave ends it with the last one.
func (b *board) join() (leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers++
	if b.readers == 1 {
		ctx, cancel := context.WithCancel(context.Background())
		b.end, b.rows, b.touched, b.moved, b.ready = cancel, map[string]card{}, map[string]int64{}, make(chan struct{}), make(chan struct{})
		changes := b.lib.Changes(ctx)
		ready := b.ready
		b.watched.Go(func() { b.watch(ctx, changes, ready) })
	}
	return sync.OnceFunc(b.leave)
}

func (b *board) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.readers--; b.readers == 0 {
		b.end()
	}
}

// watch keeps the rows as new as the library.
func (b *board) watch(ctx context.Context, changes <-chan []string, ready chan struct{}) {
	b.look(nil)
	close(ready)
	slow := time.NewTicker(lookEvery)
	defer slow.Stop()
	for {
		var ids []string
		select {
		case <-ctx.Done():
			return
		case <-slow.C:
		case some, ok := <-changes:
			if !ok {
				return
			}
			ids = some
		}
		b.look(ids)
		select { // what comes meanwhile is told together
		case <-ctx.Done():
			return
		case <-time.After(tellEvery):
		}
	}
}

// look takes in what the library has now: of the ids that are known to have changed, whether that shows in their rows or not; nil = of all. A list of a
// thousand runs is not made anew for a line that one of them tells.
func (b *board) look(ids []string) {
	var runs []view.Run
	var gone []string
	if ids == nil {
		runs = b.lib.Runs()
	} else {
		runs, gone = b.lib.Rows(ids)
	}
	fresh := map[string][]byte{}
	for _, run := range runs {
		if text, err := encodeRun(run); err == nil {
			fresh[run.ID] = text
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.readers == 0 {
		return
	}
	b.version++
	for _, id := range ids {
		b.touched[id] = b.version
	}
	for id, text := range fresh {
		if string(b.rows[id].json) != string(text) {
			b.rows[id], b.touched[id] = card{text, b.version}, b.version
		}
	}
	for id, c := range b.rows {
		if c.json != nil && (slices.Contains(gone, id) || ids == nil && fresh[id] == nil) {
			b.rows[id], b.touched[id] = card{nil, b.version}, b.version
		}
	}
	close(b.moved)
	b.moved = make(chan struct{})
}

// now is the newest version, when there is one.
func (b *board) now(ctx context.Context) (int64, error) {
	b.mu.Lock()
	ready := b.ready
	b.mu.Unlock()
	select {
	case <-ready:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.version, nil
}

// since are the messages about what changed behind a version, the new version, and what tells of the next change.
func (b *board) since(version int64, show func(id string) bool) (frames []byte, now int64, moved <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(b.rows)) {
		c := b.rows[id]
		if c.version <= version || !show(id) {
			continue
		}
		if c.json == nil {
			gone, _ := json.Marshal(map[string]string{"id": id})
			frames = frame(frames, "gone", gone)
			continue
		}
		frames = frame(frames, "run", c.json)
	}
	return frames, b.version, b.moved
}

// when tells the version in which a run changed last.
func (b *board) when(id string) (version int64, moved <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.touched[id], b.moved
}

// frame is a message of an event stream. JSON has no line breaks of its own.
func frame(out []byte, name string, data []byte) []byte {
	return fmt.Appendf(out, "event: %s\ndata: %s\n\n", name, data)
}

// details encodes the newest Detail of a run once for all who look at it.
type details struct {
	mu  sync.Mutex
	all map[string]*detailOf
}

type detailOf struct {
	mu      sync.Mutex
	version int64 // of the board, when it was made
	frame   []byte
	readers int
}

// of is the shared Detail of a run, until done.
func (d *details) of(id string) (one *detailOf, done func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all == nil {
		d.all = map[string]*detailOf{}
	}
	if one = d.all[id]; one == nil {
		one = &detailOf{version: -1}
		d.all[id] = one
	}
	one.readers++
	return one, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if one.readers--; one.readers == 0 {
			delete(d.all, id)
		}
	}
}

// at is the message with the Detail that is as new as version.
func (o *detailOf) at(ctx context.Context, version int64, get func(context.Context) (view.Detail, error)) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.frame != nil && o.version >= version {
		return o.frame, nil
	}
	d, err := get(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	o.frame, o.version = frame(nil, "state", text), version
	return o.frame, nil
}
