package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// Actions steer runs.
type Actions interface {
	// Do gives an order and tells what the run says to it. An error is a refusal, or that the run could not be reached.
	Do(ctx context.Context, run view.Run, o Order) (Reply, error)
}

// The verbs of orders.
const (
	VerbPause    = "pause"
	VerbResume   = "resume"
	VerbStop     = "stop"
	VerbSkip     = "skip"
	VerbRetryNow = "retry-now"
	VerbBudget   = "budget"
	VerbNote     = "note"
	VerbAnswer   = "answer"
	VerbDraft    = "draft"
)

// Verbs are all of them.
var Verbs = []string{VerbPause, VerbResume, VerbStop, VerbSkip, VerbRetryNow, VerbBudget, VerbNote, VerbAnswer, VerbDraft}

// Order is what somebody at the dashboard wants of a run.
type Order struct {
	Verb      string        `json:"verb"`
	ID        string        `json:"id"`                   // of this order: one that is sent twice is obeyed once
	AfterTask bool          `json:"after_task,omitempty"` // of pause and stop: let the task end first
	Task      int           `json:"task,omitempty"`       // of skip: the position that was meant; another one by now is not skipped
	CostUSD   float64       `json:"cost_usd,omitempty"`   // of budget: what is added
	Tokens    int64         `json:"tokens,omitempty"`
	Time      time.Duration `json:"time_ns,omitempty"`
	Sessions  int           `json:"sessions,omitempty"`
	Text      string        `json:"text,omitempty"`     // of note, and an answer in one's own words
	Option    int           `json:"option,omitempty"`   // of answer: which one, from 1 on
	Seq       int64         `json:"seq,omitempty"`      // of answer and draft: what it is to; something newer by then is not answered
	Action    string        `json:"action,omitempty"`   // of draft: accept, revise, reject
	Feedback  string        `json:"feedback,omitempty"` // of revise

	From string `json:"-"` // address it comes from: the server says so, not the client; empty = this machine
}

// Reply is what becomes of it.
type Reply struct {
	OK   bool   `json:"ok"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

// maxText is how long a text of a person may be, in bytes.
const maxText = 64 << 10

// check refuses what no run could understand.
func (o Order) check() error {
	if !slices.Contains(Verbs, o.Verb) {
		return BadRequest("no order is called %s: %s", quoted(o.Verb), strings.Join(Verbs, ", "))
	}
	if o.ID == "" || len(o.ID) > 100 {
		return BadRequest("id: give the order a name of its own, so that it is obeyed once")
	}
	for _, text := range []string{o.Text, o.Feedback, o.ID, o.Action} {
		if len(text) > maxText || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return BadRequest("a text has %d bytes of UTF-8 at most, and no NUL", maxText)
		}
	}
	switch o.Verb {
	case VerbNote:
		if strings.TrimSpace(o.Text) == "" {
			return BadRequest("text: a note without words")
		}
	case VerbAnswer:
		if strings.TrimSpace(o.Text) == "" && o.Option < 1 {
			return BadRequest("give option, from 1 on, or text")
		}
	case VerbDraft:
		return o.checkDraft()
	case VerbBudget:
		if o.CostUSD < 0 || o.Tokens < 0 || o.Time < 0 || o.Sessions < 0 || o.CostUSD == 0 && o.Tokens == 0 && o.Time == 0 && o.Sessions == 0 {
			return BadRequest("give what is added: cost_usd, tokens, time_ns or sessions, above 0")
		}
	}
	return nil
}

func (o Order) checkDraft() error {
	switch event.DraftAction(o.Action) {
	case event.Accept, event.Reject:
		return nil
	case event.Revise:
		if strings.TrimSpace(o.Feedback) == "" {
			return BadRequest("feedback: say what is to be another way")
		}
		return nil
	}
	return BadRequest("action: accept, revise or reject")
}

// control gives an order.
func (s *Server) control(w http.ResponseWriter, r *http.Request, run view.Run) error {
	if s.cfg.Actions == nil {
		return refused(http.StatusForbidden, "read_only", "this dashboard only looks", "")
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refused(http.StatusUnsupportedMediaType, "bad_request", "an order is JSON", "send Content-Type: application/json")
	}
	var o Order
	body := json.NewDecoder(r.Body)
	body.DisallowUnknownFields()
	if err := body.Decode(&o); err != nil {
		return badBody(err)
	}
	if _, err := body.Token(); !errors.Is(err, io.EOF) {
		return BadRequest("one order is one JSON object")
	}
	if err := o.check(); err != nil {
		return err
	}
	o.From = cameFrom(r)
	reply, err := s.cfg.Actions.Do(r.Context(), run, o)
	if err != nil {
		return err
	}
	if !reply.OK {
		return Conflict(reply.Text, reply.Hint)
	}
	return writeJSON(w, r, http.StatusOK, reply)
}

func badBody(err error) error {
	if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refused(http.StatusRequestEntityTooLarge, "too_large", "an order has less than "+fmt.Sprintf("%d bytes", big.Limit), "")
	}
	return BadRequest("the body is no order: %v", err)
}

// cameFrom is the address of who asks; empty = this machine.
func cameFrom(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil || IsLoopback(host) {
		return ""
	}
	return host
}
