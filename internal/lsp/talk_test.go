package lsp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/internal/lsp/lsptest"
	"ralphex/internal/textdiff"
)

// session is a server in a bubble of synctest, and a client that hears everything it says.
type session struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *io.PipeReader
	cancel context.CancelCauseFunc
	ended  chan error
	deaf   chan struct{} // closed when the client has heard the end
	log    strings.Builder

	mu   sync.Mutex
	said []*jsonrpc.Message
}

// connect starts a server. Only for bubbles.
func connect(t *testing.T, o Options) *session {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	s := &session{t: t, in: clientOut, out: clientIn, ended: make(chan error, 1), deaf: make(chan struct{})}
	ctx, cancel := context.WithCancelCause(t.Context())
	s.cancel = cancel
	o.Log = slog.New(slog.NewTextHandler(&s.log, nil))
	go func() {
		err := Serve(ctx, serverIn, serverOut, o)
		serverIn.Close()
		serverOut.Close()
		s.ended <- err
	}()
	go s.listen()
	return s
}

func (s *session) listen() {
	defer close(s.deaf)
	r := jsonrpc.NewReader(s.out, maxMessage)
	for {
		body, err := r.Read()
		if err != nil {
			return
		}
		m, bad := jsonrpc.Decode(body)
		if !assert.Nil(s.t, bad, string(body)) {
			return
		}
		s.mu.Lock()
		s.said = append(s.said, m)
		s.mu.Unlock()
	}
}

func (s *session) Send(raw []byte) error {
	_, err := s.in.Write(raw)
	return err
}

func (s *session) Settle(int) ([]*jsonrpc.Message, error) {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	said := s.said
	s.said = nil
	return said, nil
}

func (s *session) Wait(d time.Duration) { <-time.After(d) }

func (s *session) HangUp() error { return s.in.Close() }

// End hangs up, which ends a server that has not ended yet.
func (s *session) End() string {
	s.in.Close()
	err := <-s.ended
	<-s.deaf
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, ErrNoShutdown):
		return "ErrNoShutdown"
	case errors.Is(err, ErrParentGone):
		return "ErrParentGone"
	}
	return err.Error()
}

// TestTalks plays the conversations of testdata: what a client says is played, what the server says is golden.
func TestTalks(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.talk"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".talk"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			require.NoError(t, err)
			talk, err := lsptest.Parse(want)
			require.NoError(t, err)
			synctest.Test(t, func(t *testing.T) {
				s := connect(t, Options{Version: "1.2.3", Alive: func(pid int) bool { return pid != 404 }})
				require.NoError(t, talk.Play(s))
			})
			got := talk.Format()
			if *update {
				require.NoError(t, os.WriteFile(name, got, 0o644))
			}
			if diff := textdiff.Unified(name, "played", string(want), string(got), 3); diff != "" {
				t.Error("the conversation went another way (-update takes it over):\n" + diff)
			}
		})
	}
}
