package signals

import (
	"encoding/json"
	"fmt"
	"strings"
)

// MaxPayload is how many bytes of a payload are kept. A longer one is malformed.
const MaxPayload = 1 << 20

const errNoEnd = "no END marker"

// payload is what was read so far behind QUESTION or PLAN_DRAFT.
type payload struct {
	kind Kind
	text []byte
	over bool // text is cut
	open bool // the last line was ended by its text block, without a newline
}

// add adds to the current line.
func (p *payload) add(text string) {
	if p.open {
		p.open = false
		p.endLine()
	}
	if room := MaxPayload - len(p.text); len(text) > room {
		text, p.over = text[:room], true
	}
	p.text = append(p.text, text...)
}

func (p *payload) endLine() { p.add("\n") }

// reopenLine takes the newline back from a line that only its block's end has ended. It gets it if a line follows.
func (p *payload) reopenLine() {
	if n := len(p.text); n > 0 && !p.over {
		p.text, p.open = p.text[:n-1], true
	}
}

// payloadLine takes a line while a payload is open.
func (s *Scanner) payloadLine(line string) {
	kind, alone := lone(line)
	switch {
	case alone && kind == kindEnd:
		s.closePayload("")
	case alone && s.payload.kind == KindQuestion:
		s.closePayload(errNoEnd) // no JSON holds such a line
		s.token(kind)
	default:
		s.payload.add(line)
		s.payload.endLine()
	}
}

// closePayload turns the open payload into a signal; problem is what is already known to be wrong with it.
func (s *Scanner) closePayload(problem string) {
	p := s.payload
	s.payload = nil
	raw := string(p.text)
	sig := Signal{Kind: p.kind}
	if problem == "" && p.over {
		problem = fmt.Sprintf("longer than %d bytes", MaxPayload)
	}
	if problem == "" {
		problem = sig.read(raw)
	}
	if problem != "" {
		sig.Err = &PayloadError{Kind: p.kind, Raw: raw, Reason: problem}
	}
	s.signals = append(s.signals, sig)
}

// read fills in the payload and returns what is wrong with it.
func (sig *Signal) read(raw string) (problem string) {
	if strings.TrimSpace(raw) == "" {
		return "empty"
	}
	if sig.Kind == KindPlanDraft {
		sig.Draft = raw
		return ""
	}
	var q Question
	if err := json.Unmarshal([]byte(raw), &q); err != nil {
		return "invalid JSON: " + err.Error()
	}
	if strings.TrimSpace(q.Question) == "" {
		return "no question"
	}
	if len(q.Options) == 0 {
		return "no options"
	}
	sig.Question = &q
	return ""
}
