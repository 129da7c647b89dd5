package cli

import (
	"context"
	"encoding/json"
	"io"

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

// Stream writes the log behind the message after, and what follows.
func (s watched) Stream(ctx context.Context, after int64, format web.Format, w io.Writer) error {
	of := map[web.Format]feed.Format{web.Public: feed.Public, web.V1: feed.V1}[format]
	return feed.Of(s.Session).Stream(ctx, after, of, w)
}

// Rows is a piece of the log.
func (s watched) Rows(ctx context.Context, after int64, limit int) ([]json.RawMessage, int64, error) {
	return feed.Rows(ctx, s.Session, after, limit)
}
