package codex

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

// tail reads a session of an old codex: stdout is the last message and nothing else, the rest stands in the session file.
type tail struct {
	home string        // CODEX_HOME
	id   chan string   // the session's id, once
	once sync.Once     // of id
	tick time.Duration // between two looks at the file

	mu   sync.Mutex // guards name: stderr and stdout have goroutines of their own
	name string
}

func newTail(env []string) *tail {
	home := executor.Getenv(env, "CODEX_HOME")
	if home == "" {
		home = filepath.Join(executor.Getenv(env, "HOME"), ".codex")
	}
	return &tail{home: home, id: make(chan string, 1), tick: 200 * time.Millisecond}
}

var sessionID = lazyregexp.New(`(?i)session id: ([0-9a-f]{8}-[0-9a-f-]{27})`)

// stderr learns the session's id. Of the rest only errors are shown: the CLI repeats there what the file holds.
func (t *tail) stderr(line string) bool {
	if m := sessionID.FindStringSubmatch(line); m != nil {
		t.once.Do(func() {
			t.mu.Lock()
			t.name = m[1]
			t.mu.Unlock()
			t.id <- m[1]
		})
	}
	return complaint.MatchString(line)
}

// run shows the session file as it grows, until ctx is done and the file is read to its end.
func (t *tail) run(ctx context.Context, show func(string)) {
	var id string
	select {
	case id = <-t.id:
	case <-ctx.Done():
		return
	}
	tick := time.NewTicker(t.tick)
	defer tick.Stop()
	var f *os.File
	lines := jsonl.NewLines(&rollout{show: show})
	for over := false; ; {
		if f == nil {
			f = t.open(id)
		}
		if f != nil {
			_, _ = io.Copy(lines, f)
		}
		if over {
			break
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			over = true // once more: the last lines were written just before the end
		}
	}
	if f != nil {
		lines.End()
		f.Close()
	}
}

func (t *tail) open(id string) *os.File {
	found, err := filepath.Glob(filepath.Join(t.home, "sessions", "*", "*", "*", "rollout-*-"+id+".jsonl"))
	if err != nil || len(found) == 0 {
		return nil
	}
	f, err := os.Open(found[0])
	if err != nil {
		return nil
	}
	return f
}

// plain is the dialect of stdout.
type plain struct {
	*session.Talk
	t *tail
}

func (t *tail) dialect(talk *session.Talk) session.Dialect { return &plain{talk, t} }

// Text implements session.PlainText: the last message, the agent's own.
func (p *plain) Text(b []byte) { p.DeltaBytes(b) }

// Object implements session.Dialect; there are none.
func (p *plain) Object([]byte, *jsonl.Long) bool { return false }

// Outcome implements session.Dialect.
func (p *plain) Outcome(e session.End) session.Outcome {
	p.t.mu.Lock()
	defer p.t.mu.Unlock()
	o := session.Outcome{SessionID: p.t.name}
	if e.Exit.Code != 0 && len(e.Said.Signals) == 0 {
		o.Failure = endedBadly(e, "")
	}
	return o
}

// rollout shows records of the session file: what the agent said and thought.
type rollout struct {
	jsonl.Quiet
	show func(string)
}

// Line implements jsonl.Sink.
func (r *rollout) Line(line []byte) {
	if !bytes.Contains(line, []byte(`"response_item"`)) {
		return
	}
	var rec struct {
		Type    string `json:"type"`
		Payload struct {
			Type    string `json:"type"`
			Role    string `json:"role"`
			Content []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"content"`
			Summary []struct {
				Text string `json:"text"`
			} `json:"summary"`
		} `json:"payload"`
	}
	if !jsonl.Object(line, &rec) || rec.Type != "response_item" {
		return
	}
	switch p := rec.Payload; {
	case p.Type == "message" && p.Role == "assistant":
		for _, c := range p.Content {
			for l := range strings.Lines(c.Text) {
				r.show(strings.TrimRight(l, "\r\n"))
			}
		}
	case p.Type == "reasoning":
		for _, s := range p.Summary {
			if text := session.FirstLine(strings.ReplaceAll(s.Text, "**", "")); text != "" {
				r.show("thinking: " + strings.TrimSuffix(text, " …"))
			}
		}
	}
}
