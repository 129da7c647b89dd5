package signals

import (
	"slices"
	"strings"
	"unsafe"
)

// MaxLine is how many bytes of a line are looked at as a line. A longer line can't be a signal.
const MaxLine = 4096

// Scanner finds signals in text that arrives in pieces. Where the text is cut makes no difference to what is found.
// The zero value is ready. A Scanner is used by one goroutine.
type Scanner struct {
	signals  []Signal
	mentions int

	part []byte // beginning of a line whose end has not arrived; at most MaxLine bytes
	long bool   // the line is longer than part, which was dealt with; only its end is of interest
	tail tail   // where a long line is searched for mentions

	fence   fence
	spans   spans
	payload *payload // nil = none is open
}

// NewScanner returns a Scanner for one session of an agent.
func NewScanner() *Scanner { return &Scanner{} }

// Scan finds the signals of a whole text that is one block.
func Scan(text string) []Signal {
	var s Scanner
	s.Write(text)
	s.Finish()
	return s.Signals()
}

// Write adds the next piece of the agent's own text.
func (s *Scanner) Write(text string) {
	for text != "" {
		end := strings.IndexByte(text, '\n')
		if end < 0 {
			s.keep(text)
			return
		}
		s.finishLine(text[:end])
		text = text[end+1:]
	}
}

// Block adds a text that is the rest of a block, or all of it, and ends the block. Nothing of text is kept.
func (s *Scanner) Block(text []byte) {
	view := unsafe.String(unsafe.SliceData(text), len(text)) // read only, and only until this returns
	if end := strings.LastIndexByte(view, '\n') + 1; s.long || len(s.part) > 0 || len(view)-end > MaxLine {
		s.Write(view)
	} else {
		s.Write(view[:end])
		s.lastLine(view[end:])
	}
	s.EndBlock()
}

// lastLine takes a whole line that only the end of its block has ended.
func (s *Scanner) lastLine(line string) {
	if line == "" {
		return
	}
	s.line(line)
	if s.payload != nil {
		s.payload.reopenLine()
	}
}

// EndBlock says that a text block of the agent is over: so are its last line and its open fence, but not a payload.
func (s *Scanner) EndBlock() {
	if s.long || len(s.part) > 0 {
		s.finishLine("")
		if s.payload != nil {
			s.payload.reopenLine()
		}
	}
	s.fence = fence{}
	s.endParagraph()
}

// Finish says that no text will come. A payload that is still open becomes a malformed signal. It may be called again.
func (s *Scanner) Finish() {
	s.EndBlock()
	if s.payload != nil {
		s.closePayload(errNoEnd)
	}
}

// Signals returns what counts so far, in the order of the text; the last one wins. The caller doesn't change it.
func (s *Scanner) Signals() []Signal { return slices.Clip(s.signals) }

// Mentions returns how many tokens, of whatever name, were seen that don't count.
func (s *Scanner) Mentions() int { return s.mentions }

// keep stores the beginning of a line, or skips through the middle of a long one.
func (s *Scanner) keep(text string) {
	if !s.long {
		if len(s.part)+len(text) <= MaxLine {
			s.part = append(s.part, text...)
			return
		}
		n := MaxLine - len(s.part)
		s.part = append(s.part, text[:n]...)
		text = text[n:]
		s.beginLong(string(s.part))
	}
	s.continueLong(text)
}

// finishLine deals with a line whose end was found. rest is what follows the kept beginning.
func (s *Scanner) finishLine(rest string) {
	if !s.long && len(s.part)+len(rest) > MaxLine {
		s.keep(rest)
		rest = ""
	}
	switch {
	case s.long:
		s.continueLong(rest)
		s.endLong()
	case len(s.part) > 0:
		s.part = append(s.part, rest...)
		s.line(string(s.part))
	default:
		s.line(rest)
	}
	s.part = s.part[:0]
}

// beginLong takes the first MaxLine bytes of a line that has more. They decide what kind of line it is.
func (s *Scanner) beginLong(head string) {
	s.long = true
	s.tail = tail{}
	if s.payload == nil {
		l := lookAt(head)
		s.leaveItem(l)
		s.structure(l)
	}
	s.continueLong(head)
}

func (s *Scanner) continueLong(text string) {
	if s.payload != nil {
		s.payload.add(text)
		return
	}
	s.mentions += s.tail.count(text)
}

func (s *Scanner) endLong() {
	if s.payload != nil {
		s.payload.endLine()
	}
	s.long = false
}

// line deals with one whole line of at most MaxLine bytes, without its newline.
func (s *Scanner) line(line string) {
	if s.payload != nil {
		s.payloadLine(line)
		return
	}
	l := lookAt(line)
	s.leaveItem(l)
	if kind, alone := lone(line); alone && !s.fence.open() {
		s.token(kind)
		return
	}
	if strings.Contains(line, tokenStart) {
		s.mentions += countTokens(line)
	}
	s.structure(l)
}

// leaveItem ends a fence that was opened within a list item if the line lies outside of the item.
func (s *Scanner) leaveItem(l look) {
	if s.fence.endsBefore(l) {
		s.fence = fence{}
	}
}

// structure follows the Markdown around the tokens: fences, paragraphs, code spans.
func (s *Scanner) structure(l look) {
	if s.fence.open() {
		s.fence.closeAt(l)
		return
	}
	if f := openFence(l); f.open() {
		s.fence = f
		s.endParagraph()
		return
	}
	if l.startsBlock() {
		s.endParagraph()
	}
	if !l.quote {
		s.mentions += s.spans.line(l.text)
	}
}

// token takes a token that is alone on its line and not in a fence.
func (s *Scanner) token(kind Kind) {
	kind = Kind(strings.Clone(string(kind))) // the line is the caller's
	switch {
	case kind.HasPayload():
		s.endParagraph()
		s.payload = &payload{kind: kind}
	case !kind.known():
		s.mentions++ // an END without a beginning, or a name of another version
	case s.spans.mayEnclose():
		s.spans.hold(Signal{Kind: kind})
	default:
		s.signals = append(s.signals, Signal{Kind: kind})
	}
}

// endParagraph ends what a code span can run over, so that held signals count.
func (s *Scanner) endParagraph() { s.signals = append(s.signals, s.spans.end()...) }
