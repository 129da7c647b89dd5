package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"ralphex/internal/web"
	"ralphex/internal/web/feed"
	"ralphex/internal/web/source"
)

// library is the watched runs as the dashboard asks for them.
type library struct{ *source.Library }

// Session finds a run that somebody looks at.
func (l library) Session(id string) (web.Session, bool) {
	s, ok := l.Library.Session(id)
	if !ok {
		return nil, false
	}
	return watched{s}, true
}

// watched is one run of it.
type watched struct{ *source.Session }

// Stream sends the log behind the message after, and what follows.
func (s watched) Stream(ctx context.Context, after int64, format web.Format, to web.Sink) error {
	of := map[web.Format]feed.Format{web.Public: feed.Public, web.V1: feed.V1}[format]
	c := feed.Of(s.Session).Cursor(after, of)
	defer c.Close()
	for caughtUp := of == feed.Public; ; {
		parts, err := c.Next()
		if err != nil {
			return err
		}
		if len(parts) > 0 {
			if err := to.Send(parts...); err != nil {
				return err
			}
			continue
		}
		if !caughtUp {
			caughtUp = true
			if err := to.Send([]byte(feed.CaughtUp)); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-c.Ready():
		}
	}
}

// Rows is a piece of the log. It is cut out of the messages that streams get.
func (s watched) Rows(ctx context.Context, after int64, limit int) (rows []json.RawMessage, next int64, err error) {
	c := feed.Of(s.Session).Cursor(after, feed.V1)
	defer c.Close()
	next = after
	for len(rows) < limit && ctx.Err() == nil {
		parts, err := c.Next()
		if err != nil || len(parts) == 0 {
			return rows, next, err
		}
		message := bytes.Join(parts, nil)
		if string(message) == feed.Reset { // the file is another one: from its beginning
			rows, next = nil, 0
			continue
		}
		var more []json.RawMessage
		if err := json.Unmarshal(message[bytes.IndexByte(message, '['):], &more); err != nil {
			return rows, next, fmt.Errorf("read the log of %s: %w", s.Path(), err)
		}
		more = more[:min(len(more), limit-len(rows))]
		var last struct {
			Seq int64 `json:"seq"`
		}
		if err := json.Unmarshal(more[len(more)-1], &last); err != nil {
			return rows, next, fmt.Errorf("read the log of %s: %w", s.Path(), err)
		}
		rows, next = append(rows, more...), last.Seq
	}
	return rows, next, context.Cause(ctx)
}
