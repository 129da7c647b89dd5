package feed

import (
	"errors"
	"io"
	"sort"
	"sync"

	"ralphex/internal/web/source"
)

// limits bound a table, in bytes.
type limits struct {
	chunk   int // about
	held    int // of all chunks
	message int // of rows in one message, if there is more than one
}

var usual = limits{chunk: 256 << 10, held: 8 << 20, message: 256 << 10}

// chunk is a part of a table.
type chunk struct {
	last int64             // id of its last event; while it has none, of the last one before it
	from source.Checkpoint // where it begins in the file
	enc  encoder           // as it is there

	making  sync.Mutex // held while dropped bytes are made again; taken before the table's mutex
	dropped bool
	bytes   []byte
	ids     []int64
	ends    []int // of each event in bytes
	used    int64 // when it was read last
}

func (c *chunk) add(id int64) {
	c.last = id
	c.ids = append(c.ids, id)
	c.ends = append(c.ends, len(c.bytes))
}

// table is what is known of a session in one format.
type table struct {
	s      *source.Session
	format Format
	limits limits

	mu         sync.Mutex
	generation int // of the file: it was replaced so often
	chunks     []*chunk
	r          *source.Reader // at the end of the last chunk; nil = not open
	enc        encoder
	held       int
	clock      int64
}

// part is a piece of a table for one reader.
type part struct {
	bytes []byte
	ids   []int64
	last  int64 // id of its last event
}

// next returns what follows behind an id; an empty part if there is nothing yet. generation is the one that the reader has seen; if another one is
// returned, the reader begins anew.
func (t *table) next(generation int, after int64) (part, int, error) {
	t.mu.Lock()
	for {
		if generation != t.generation {
			defer t.mu.Unlock()
			return part{}, t.generation, nil
		}
		i := sort.Search(len(t.chunks), func(i int) bool { return t.chunks[i].last > after })
		if i < len(t.chunks) {
			c := t.chunks[i]
			if !c.dropped {
				defer t.mu.Unlock()
				return t.slice(c, after), generation, nil
			}
			t.mu.Unlock()
			if err := t.restore(c); err != nil {
				return part{}, generation, err
			}
			t.mu.Lock()
			continue
		}
		more, err := t.extend()
		if err != nil || !more {
			defer t.mu.Unlock()
			return part{}, t.generation, err
		}
	}
}

// slice is what a chunk has behind an id. It needs mu.
func (t *table) slice(c *chunk, after int64) part {
	t.clock++
	c.used = t.clock
	i := sort.Search(len(c.ids), func(i int) bool { return c.ids[i] > after })
	from := 0
	if i > 0 {
		from = c.ends[i-1]
		if t.format == V1 {
			from++ // the comma
		}
	}
	j := len(c.ids)
	if c.ends[j-1]-from > t.limits.message {
		j = max(i+1, sort.Search(len(c.ends), func(j int) bool { return c.ends[j]-from > t.limits.message }))
	}
	return part{bytes: c.bytes[from:c.ends[j-1]], ids: c.ids[i:j], last: c.ids[j-1]}
}

// last is the newest id. It needs mu.
func (t *table) last() int64 {
	if n := len(t.chunks); n > 0 {
		return t.chunks[n-1].last
	}
	return 0
}

// extend reads more of the file; false = there is no more for now. It needs mu.
func (t *table) extend() (bool, error) {
	if t.r == nil {
		if err := t.open(); err != nil {
			return false, err
		}
	}
	c := t.growing()
	before := len(c.bytes)
	n := len(c.ids)
	for len(c.bytes) < t.limits.chunk || !t.r.AtLine() {
		e, err := t.r.Next()
		if errors.Is(err, source.ErrReplaced) {
			t.forget()
			t.generation++
			return false, nil
		}
		if err != nil {
			t.held += len(c.bytes) - before
			t.shrink(c)
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return len(c.ids) > n, err
		}
		t.enc.encode(c, e)
	}
	t.held += len(c.bytes) - before
	t.shrink(c)
	return true, nil
}

// open begins to read where the last chunk ends.
func (t *table) open() (err error) {
	t.r, err = t.s.Reader(source.Checkpoint{})
	if t.enc == nil {
		t.enc = newEncoder(t.format)
	}
	return err
}

// growing is the chunk that grows.
func (t *table) growing() *chunk {
	if n := len(t.chunks); n > 0 && len(t.chunks[n-1].bytes) < t.limits.chunk && !t.chunks[n-1].dropped {
		return t.chunks[n-1]
	}
	t.clock++
	var room []byte
	if len(t.chunks) > 0 { // there will be a whole one, or nearly
		room = make([]byte, 0, t.limits.chunk+t.limits.chunk/16)
	}
	c := &chunk{bytes: room, last: t.last(), from: t.r.Checkpoint(), enc: t.enc.copy(), used: t.clock}
	t.chunks = append(t.chunks, c)
	return c
}

// forget drops all. It needs mu.
func (t *table) forget() {
	if t.r != nil {
		t.r.Close()
	}
	t.r, t.enc, t.chunks, t.held = nil, nil, nil, 0
}

// shrink drops the bytes that nobody read for longest; those of the open chunk stay, and those of the one that somebody is about to read, however
// large it is. It needs mu.
func (t *table) shrink(wanted *chunk) {
	for t.held > t.limits.held {
		var old *chunk
		for _, c := range t.chunks[:len(t.chunks)-1] {
			if !c.dropped && c != wanted && (old == nil || c.used < old.used) {
				old = c
			}
		}
		if old == nil {
			return
		}
		t.held -= len(old.bytes)
		old.dropped, old.bytes, old.ids, old.ends = true, nil, nil, nil
	}
}

// restore makes the bytes of a chunk again.
func (t *table) restore(c *chunk) error {
	c.making.Lock()
	defer c.making.Unlock()
	t.mu.Lock()
	dropped := c.dropped
	t.mu.Unlock()
	if !dropped {
		return nil
	}
	again := &chunk{bytes: make([]byte, 0, t.limits.chunk+t.limits.chunk/16)}
	r, err := t.s.Reader(c.from)
	if err == nil {
		defer r.Close()
		enc := c.enc.copy()
		for again.last < c.last && err == nil {
			e, next := r.Next()
			if err = next; err == nil {
				enc.encode(again, e)
			}
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if errors.Is(err, source.ErrReplaced) || errors.Is(err, io.EOF) {
		t.forget()
		t.generation++
		return nil
	}
	if err != nil {
		return err
	}
	t.clock++
	c.dropped, c.bytes, c.ids, c.ends, c.used = false, again.bytes, again.ids, again.ends, t.clock
	t.held += len(c.bytes)
	t.shrink(c)
	return nil
}
