package control

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"
)

// The orders that go through the socket. They are about a process that lives: to a dead one they are not given, and they are not kept for it.
const (
	Pause  = "pause"
	Resume = "resume"
	Stop   = "stop"
	Skip   = "skip"
	Note   = "note"   // Text is for the next session
	Budget = "budget" // something was added to what it may use up: ID is that of the addition
	Answer = "answer" // to the question that waits: Option or Text
	Draft  = "draft"  // what becomes of the draft that waits: Action, Feedback
)

// Request is an order to a living run.
type Request struct {
	V         int    `json:"v"`
	ID        string `json:"id"`  // of this order
	Run       string `json:"run"` // whom it is for
	Order     string `json:"order"`
	AfterTask bool   `json:"after_task,omitempty"`
	By        string `json:"by"` // who gives it, for the journal

	Task     int    `json:"task,omitempty"`     // of Skip: the position that is meant; 0 = the one that is worked on
	Seq      int64  `json:"seq,omitempty"`      // of Answer and Draft: the event that is answered; 0 = the one that waits
	Text     string `json:"text,omitempty"`     // of Note and Answer
	Option   int    `json:"option,omitempty"`   // of Answer: from 1 on
	Action   string `json:"action,omitempty"`   // of Draft: accept, revise, reject
	Feedback string `json:"feedback,omitempty"` // of Draft: what is to be another way
}

// Reply is what the run says.
type Reply struct {
	V    int    `json:"v"`
	OK   bool   `json:"ok"`             // it was taken
	Text string `json:"text"`           // what happens now, or why it was not taken
	Hint string `json:"hint,omitempty"` // what to do instead
}

const (
	protocol   = 1
	maxMessage = 2 << 20 // JSON may make six bytes of one, and a text is at most 256 KiB
	// talkFor is how long one conversation may take.
	talkFor = 10 * time.Second
	// remembered is how many answers are kept, for orders that come twice.
	remembered = 64
)

// Server hears orders on a socket.
type Server struct {
	path   string
	l      net.Listener
	handle func(Request) Reply
	talks  sync.WaitGroup

	mu      sync.Mutex
	answers map[string]Reply // by the order's id
	order   []string
}

// Open begins to listen at a path of SocketPath. What is left of a dead run there is removed: the caller holds the lock of the run. handle
// obeys an order; it is called for one order at a time, and once for each.
func Open(path string, handle func(Request) Reply) (*Server, error) {
	if err := makeRoom(path); err != nil {
		return nil, fmt.Errorf("make the control socket: %w", err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("make the control socket: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("make the control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("make the control socket: %w", err)
	}
	return &Server{path: path, l: l, handle: handle, answers: map[string]Reply{}}, nil
}

// Run answers until ctx is over. Then the socket is gone, and so are all conversations.
func (s *Server) Run(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { s.l.Close() })()
	defer s.talks.Wait()
	defer s.l.Close()
	for {
		c, err := s.l.Accept()
		if ctx.Err() != nil {
			if err == nil {
				c.Close()
			}
			return
		}
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue // of one that went away again
		}
		s.talks.Go(func() {
			defer c.Close()
			defer context.AfterFunc(ctx, func() { c.SetReadDeadline(time.Now()) })()
			s.talk(c)
		})
	}
}

// talk hears one order and answers.
func (s *Server) talk(c net.Conn) {
	_ = c.SetDeadline(time.Now().Add(talkFor))
	reply := s.hear(c)
	reply.V = protocol
	_ = json.NewEncoder(c).Encode(reply) // who asked has gone: the journal has the order
}

func (s *Server) hear(c net.Conn) Reply {
	if err := samePerson(c); err != nil {
		return Reply{Text: err.Error()}
	}
	line, err := readLine(c)
	if err != nil {
		return Reply{Text: "no order: " + err.Error()}
	}
	var q Request
	if err := json.Unmarshal(line, &q); err != nil {
		return Reply{Text: "no order: not the JSON that is expected"}
	}
	if q.V != protocol {
		return Reply{Text: fmt.Sprintf("orders of format %d are not understood here, only %d", q.V, protocol), Hint: "use the ralphex that the run was started with"}
	}
	return s.once(q)
}

// once obeys an order, unless it has come before: then the answer is the one that was given.
func (s *Server) once(q Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reply, ok := s.answers[q.ID]; ok && q.ID != "" {
		return reply
	}
	reply := s.handle(q)
	if len(s.order) == remembered {
		delete(s.answers, s.order[0])
		s.order = s.order[1:]
	}
	s.answers[q.ID], s.order = reply, append(s.order, q.ID)
	return reply
}

func readLine(c net.Conn) ([]byte, error) {
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, maxMessage)
	if lines.Scan() {
		return lines.Bytes(), nil
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return nil, errors.New("the line was closed")
}
