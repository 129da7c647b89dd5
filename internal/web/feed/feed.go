package feed

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync"
	"time"

	"ralphex/internal/web/source"
)

const (
	keep      = time.Minute      // an unread feed is kept so long, for those who come back
	heartbeat = 15 * time.Second // between messages, so that nobody takes a quiet run for a dead line
)

// Feed is the events of one session for all who read them. It is safe for use by several goroutines.
type Feed struct {
	s       *source.Session
	tables  [2]table
	cursors int         // guarded by shared.mu
	end     *time.Timer // drops it when nobody reads
}

// shared has the feeds that somebody reads, or has read a moment ago.
var shared = struct {
	mu    sync.Mutex
	feeds map[*source.Session]*Feed
}{feeds: map[*source.Session]*Feed{}}

// Of returns the feed of a session, the same one for all.
func Of(s *source.Session) *Feed {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	f := shared.feeds[s]
	if f == nil {
		f = &Feed{s: s}
		for format := range f.tables {
			f.tables[format] = table{s: s, format: Format(format), limits: usual}
		}
		shared.feeds[s] = f
		f.leave()
	}
	return f
}

// leave drops the feed after a while, unless somebody comes. It needs shared.mu.
func (f *Feed) leave() {
	f.end = time.AfterFunc(keep, func() {
		shared.mu.Lock()
		defer shared.mu.Unlock()
		if f.cursors > 0 || shared.feeds[f.s] != f {
			return
		}
		delete(shared.feeds, f.s)
		for i := range f.tables {
			t := &f.tables[i]
			t.mu.Lock()
			t.forget()
			t.mu.Unlock()
		}
	})
}

// Cursor is a reader's place in a feed. It is used by one goroutine.
type Cursor struct {
	f          *Feed
	t          *table
	after      int64
	generation int
	begun      bool
	fresh      <-chan struct{}
	buf        []byte
}

// Cursor begins to read behind the event with the id after; 0 = at the first one. Close ends it.
func (f *Feed) Cursor(after int64, format Format) *Cursor {
	shared.mu.Lock()
	f.cursors++
	f.end.Stop()
	shared.feeds[f.s] = f
	shared.mu.Unlock()
	t := &f.tables[format]
	t.mu.Lock()
	defer t.mu.Unlock()
	return &Cursor{f: f, t: t, after: after, generation: t.generation}
}

// Close ends it.
func (c *Cursor) Close() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if c.f.cursors--; c.f.cursors == 0 {
		c.f.leave()
	}
}

// Last is the id of the newest event that Next has given.
func (c *Cursor) Last() int64 { return c.after }

// Ready is closed when there may be more than Next has given. It is asked after a Next that gave nothing.
func (c *Cursor) Ready() <-chan struct{} { return c.fresh }

// Reset is what Next gives in V1 where the file is another one than before: its events begin at 1 again.
const Reset = "event: reset\ndata: {}\n\n"

// Next gives the next messages, which are whole, and not to be changed, and good until the next call. None = there is nothing more for now. An
// error is about the file; of one that is gone it is fs.ErrNotExist.
func (c *Cursor) Next() ([]byte, error) {
	fresh := c.f.s.Changed() // taken before the end is seen, so that nothing is missed
	p, generation, err := c.t.next(c.generation, c.after)
	if err != nil {
		return nil, err
	}
	if generation != c.generation {
		c.generation, c.after = generation, 0
		return c.reset()
	}
	if p.last == 0 {
		if !c.begun {
			c.begun = true
			if c.t.newest() < c.after { // an id of a file that was there before
				c.after = 0
				return c.reset()
			}
		}
		c.fresh = fresh
		return nil, nil
	}
	c.after = p.last
	if c.t.format == Public {
		return p.bytes, nil
	}
	c.buf = append(message(c.buf[:0], p.last), '[')
	c.buf = append(append(c.buf, p.bytes...), "]\n\n"...)
	return c.buf, nil
}

func (c *Cursor) reset() ([]byte, error) {
	if c.t.format == Public {
		return c.Next()
	}
	return []byte(Reset), nil
}

// newest is the id of the newest event that was read.
func (t *table) newest() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last()
}

// CaughtUp is what a stream of V1 says once, when all that there was is through.
const CaughtUp = "event: caught-up\ndata: {}\n\n"

// Stream writes the events behind the id after, and then those to come, until ctx is over, the file is gone, or w takes nothing any more: the error
// says which. Each Write is one or more whole messages. If w has Flush() error, it is called when there is nothing more for now; how long a Write
// may take is up to w.
func (f *Feed) Stream(ctx context.Context, after int64, format Format, w io.Writer) error {
	c := f.Cursor(after, format)
	defer c.Close()
	flush := func() error { return nil }
	if f, ok := w.(interface{ Flush() error }); ok {
		flush = f.Flush
	}
	quiet := time.NewTimer(heartbeat)
	defer quiet.Stop()
	caughtUp := format == Public
	for {
		text, err := c.Next()
		if err == nil && len(text) == 0 && !caughtUp {
			caughtUp, text = true, []byte(CaughtUp)
		}
		if err != nil {
			return err
		}
		if len(text) > 0 {
			if _, err := w.Write(text); err != nil {
				return err
			}
			if ctx.Err() == nil {
				continue
			}
		}
		if err := flush(); err != nil {
			return err
		}
		quiet.Reset(heartbeat)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-c.Ready():
		case <-quiet.C:
			if _, err := io.WriteString(w, Heartbeat); err != nil {
				return err
			}
		}
	}
}

// Heartbeat is a comment: no message, but a sign of life.
const Heartbeat = ":\n\n"

// Rows returns at most limit rows of V1 behind the id after, and the id of the last one, behind which one reads on; after itself, if there is no row.
func Rows(ctx context.Context, s *source.Session, after int64, limit int) (rows []json.RawMessage, next int64, err error) {
	c := Of(s).Cursor(after, V1)
	defer c.Close()
	rows = []json.RawMessage{}
	for next = after; len(rows) < limit && ctx.Err() == nil; {
		p, generation, err := c.t.next(c.generation, next)
		if err != nil {
			return rows, next, err
		}
		if generation != c.generation {
			return []json.RawMessage{}, 0, nil // another file: from its beginning
		}
		if p.last == 0 {
			break
		}
		var some []json.RawMessage
		if err := json.Unmarshal(slices.Concat([]byte{'['}, p.bytes, []byte{']'}), &some); err != nil {
			return rows, next, err
		}
		n := min(len(some), limit-len(rows))
		rows, next = append(rows, some[:n]...), p.ids[n-1]
	}
	return rows, next, ctx.Err()
}
