package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// stream is all that the page hears: which runs there are, and, of one of them, how it stands and what it logs. One connection does for a tab, since
// a browser keeps six to a server.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) error {
	from, err := after(r)
	if err != nil {
		return err
	}
	id := query(r, "run")
	var run Session
	if id != "" {
		if run, err = s.session(id); err != nil {
			return err
		}
	}
	return s.streamed(w, r, func(ctx context.Context, out *sse) error {
		defer s.board.join()()
		ctx, cancel := context.WithCancelCause(ctx)
		var parts sync.WaitGroup
		defer parts.Wait()
		defer cancel(nil)
		version, err := s.tellRuns(ctx, out)
		if err != nil {
			return err
		}
		parts.Go(func() { cancel(s.tellRunChanges(ctx, out, version)) })
		if run == nil {
			<-ctx.Done()
			return nil
		}
		parts.Go(func() { cancel(s.tellState(ctx, out, id, run)) })
		return run.Stream(ctx, from, V1, out)
	})
}

// tellRuns tells the whole list. Behind version of the board there may be more.
func (s *Server) tellRuns(ctx context.Context, out *sse) (version int64, err error) {
	if version, err = s.board.now(ctx); err != nil {
		return 0, err
	}
	text, err := json.Marshal(RunList{Runs: s.runs()})
	if err != nil {
		return 0, err
	}
	_, err = out.Write(frame(nil, "runs", text))
	return version, err
}

// tellRunChanges tells of each run that changed.
func (s *Server) tellRunChanges(ctx context.Context, out *sse, version int64) error {
	frames, version, moved := s.board.since(version, s.shown())
	for {
		if len(frames) > 0 {
			if _, err := out.Write(frames); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-moved:
		}
		frames, version, moved = s.board.since(version, s.shown())
	}
}

// tellState tells how a run stands, whenever that has changed.
func (s *Server) tellState(ctx context.Context, out *sse, id string, run Session) error {
	shared, done := s.details.of(id)
	defer done()
	var told []byte
	for first := true; ; first = false {
		version, moved := s.board.when(id)
		text, err := shared.at(ctx, version, run.Detail)
		if err != nil {
			return err
		}
		if first || !bytes.Equal(told, text) {
			if _, err := out.Write(text); err != nil {
				return err
			}
			told = text
		}
		rest := tellEvery * time.Duration(1+len(text)/bigDetail)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rest):
		}
		for now := version; now == version; now, moved = s.board.when(id) {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-moved:
			}
		}
	}
}
