package lsptest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ralphex/internal/lsp/jsonrpc"
)

// Conn is a server to speak with.
type Conn interface {
	// Send writes bytes to the server.
	Send(raw []byte) error
	// Settle returns what the server has said since the last call, once it has nothing more to say. want is how many
	// messages the conversation has at this place.
	Settle(want int) ([]*jsonrpc.Message, error)
	// Wait lets time pass.
	Wait(d time.Duration)
	// HangUp closes the stream to the server.
	HangUp() error
	// End waits for the server's end and tells it.
	End() string
}

// anything is the body of a step of the server that may say what it likes.
const anything = "…"

// Play speaks the client's part and puts in place of the server's part what it really said.
func (t *Talk) Play(c Conn) error {
	p := &player{talk: t, conn: c, docs: map[string]*document{}}
	var steps []Step
	for i := 0; i < len(t.Steps); {
		s := t.Steps[i]
		if !s.Client {
			return fmt.Errorf("the conversation begins with the server: << %s", s.Head)
		}
		if err := p.do(s); err != nil {
			return fmt.Errorf(">> %s: %w", s.Head, err)
		}
		steps = append(steps, s)
		var said []Step
		for i++; i < len(t.Steps) && !t.Steps[i].Client; i++ {
			said = append(said, t.Steps[i])
		}
		got, err := c.Settle(len(said))
		if err != nil {
			return fmt.Errorf(">> %s: %w", s.Head, err)
		}
		for n, m := range got {
			step := p.hear(m)
			if n < len(said) {
				step.Comment = said[n].Comment
				if said[n].Head == step.Head && strings.TrimSpace(said[n].Body) == anything {
					step.Body = anything
				}
			}
			steps = append(steps, step)
		}
	}
	t.Steps, t.End = steps, c.End()
	return nil
}

// player is a client that knows what it has open.
type player struct {
	talk *Talk
	conn Conn
	docs map[string]*document
	enc  string
	last json.RawMessage // result of the last answer that has one, or params of the last request
}

// do does one step of the client.
func (p *player) do(s Step) error {
	word, rest, _ := strings.Cut(s.Head, " ")
	switch word {
	case "raw":
		return jsonrpc.Write(sender{p.conn}, []byte(rest))
	case "bytes":
		raw, err := strconv.Unquote(rest)
		if err != nil {
			return err
		}
		return p.conn.Send([]byte(raw))
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil {
			return err
		}
		p.conn.Wait(d)
		return nil
	case "hang":
		return p.conn.HangUp()
	case "apply":
		return p.apply(rest)
	}
	body, err := p.talk.params(s.Body)
	if err != nil {
		return err
	}
	id, _ := jsonrpc.ReadID(json.RawMessage(rest))
	if word == "result" {
		return p.send(&jsonrpc.Message{ID: id, Result: body})
	}
	if err := p.remember(word, body); err != nil {
		return err
	}
	return p.send(&jsonrpc.Message{ID: id, Method: word, Params: body})
}

func (p *player) send(m *jsonrpc.Message) error {
	body, err := jsonrpc.Encode(m)
	if err != nil {
		return err
	}
	return jsonrpc.Write(sender{p.conn}, body)
}

// sender makes a writer of a conn.
type sender struct{ Conn }

func (s sender) Write(b []byte) (int, error) { return len(b), s.Send(b) }

// hear turns what the server said into a step.
func (p *player) hear(m *jsonrpc.Message) Step {
	s := Step{}
	switch {
	case m.Method != "":
		s.Head, s.Body = m.Method, pretty(m.Params)
		if m.ID != "" {
			s.Head += " " + string(m.ID)
			p.last = m.Params
		}
	case m.Error != nil:
		s.Head, s.Body = idOrNull(m.ID), fmt.Sprintf("error %d: %s", m.Error.Code, m.Error.Message)
	default:
		s.Head, s.Body = idOrNull(m.ID), pretty(m.Result)
		if string(m.Result) != "null" {
			p.last = m.Result
		}
		p.agree(m.Result)
	}
	return s
}

func idOrNull(id jsonrpc.ID) string {
	if id == "" {
		return "null"
	}
	return string(id)
}
