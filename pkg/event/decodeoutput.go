package event

import (
	"bytes"
	"strconv"
	"time"
	"unicode/utf8"
)

// decodeOutput reads a line with an Output as AppendJSON writes it, to its last byte, without reflection: nearly all lines of a journal are of that
// kind. ok is false for all others, and for lines of another hand.
func decodeOutput(line []byte) (e Event, ok bool) {
	l := fields{rest: line}
	seq := l.number(`{"v":1,"seq":`)
	at := l.word(`,"time":"`)
	run := l.word(`,"run":"`)
	var phase, source []byte
	var task int64
	if l.has(`,"phase":"`) {
		phase = l.word(`,"phase":"`)
	}
	if l.has(`,"task":`) {
		task = l.number(`,"task":`)
	}
	l.skip(`,"type":"output","data":{"text":"`)
	text := l.text()
	if l.has(`,"source":"`) {
		source = l.word(`,"source":"`)
	}
	partial := l.has(`,"partial":true`)
	if partial {
		l.skip(`,"partial":true`)
	}
	if l.bad || string(l.rest) != "}}" {
		return Event{}, false
	}
	when, err := time.Parse(time.RFC3339Nano, string(at))
	if err != nil {
		return Event{}, false
	}
	return Event{Seq: seq, Time: when, Run: RunID(run), Phase: phaseOf(phase), Task: int(task),
		Data: Output{Text: string(text), Source: sourceOf(source), Partial: partial}}, true
}

// phaseOf and sourceOf give the constants, which need no memory.
func phaseOf(name []byte) Phase {
	for _, p := range []Phase{PhaseTask, PhaseReview, PhaseCodex, PhaseClaudeEval, PhasePlan, PhaseFinalize} {
		if string(name) == string(p) {
			return p
		}
	}
	return Phase(name)
}

func sourceOf(name []byte) Source {
	for _, s := range []Source{FromTool, FromStderr, FromCommand} {
		if string(name) == string(s) {
			return s
		}
	}
	return Source(name)
}

// fields reads a line from the left. Once something is not as expected, it is bad and reads nothing.
type fields struct {
	rest []byte
	bad  bool
}

func (l *fields) has(key string) bool { return !l.bad && bytes.HasPrefix(l.rest, []byte(key)) }

func (l *fields) skip(key string) {
	if l.bad = !l.has(key); !l.bad {
		l.rest = l.rest[len(key):]
	}
}

func (l *fields) number(key string) int64 {
	l.skip(key)
	n := 0
	for !l.bad && n < len(l.rest) && l.rest[n] >= '0' && l.rest[n] <= '9' {
		n++
	}
	v, err := strconv.ParseInt(string(l.rest[:n]), 10, 64)
	if err != nil || n > 1 && l.rest[0] == '0' {
		l.bad = true
		return 0
	}
	l.rest = l.rest[n:]
	return v
}

// word reads a string that has nothing escaped.
func (l *fields) word(key string) []byte {
	l.skip(key)
	n := bytes.IndexByte(l.rest, '"')
	if l.bad || n < 0 {
		l.bad = true
		return nil
	}
	w := l.rest[:n]
	for _, c := range w {
		if !plain[c] || c >= utf8.RuneSelf {
			l.bad = true
			return nil
		}
	}
	l.rest = l.rest[n+1:]
	return w
}

// text reads a string to its end. What is escaped is so as appendEscape does it.
func (l *fields) text() []byte {
	if l.bad {
		return nil
	}
	n := 0
	for n < len(l.rest) && plain[l.rest[n]] {
		n++
	}
	if n < len(l.rest) && l.rest[n] == '"' { // nothing is escaped
		t := l.rest[:n]
		l.rest = l.rest[n+1:]
		l.bad = !utf8.Valid(t)
		return t
	}
	t := make([]byte, 0, len(l.rest))
	for i := 0; i < len(l.rest); i++ {
		c := l.rest[i]
		switch {
		case plain[c]:
			t = append(t, c)
		case c == '"':
			l.rest = l.rest[i+1:]
			l.bad = !utf8.Valid(t)
			return t
		case c != '\\' || i+1 == len(l.rest):
			l.bad = true
			return nil
		default:
			i++
			c, n := unescape(l.rest[i:])
			if n == 0 {
				l.bad = true
				return nil
			}
			t = append(t, c)
			i += n - 1
		}
	}
	l.bad = true
	return nil
}

// unescape reads what stands behind a backslash, in n bytes; 0 = nothing of ours.
func unescape(s []byte) (c byte, n int) {
	switch s[0] {
	case '"', '\\':
		return s[0], 1
	case 'n':
		return '\n', 1
	case 'r':
		return '\r', 1
	case 't':
		return '\t', 1
	case 'u':
		if len(s) < 5 || s[1] != '0' || s[2] != '0' {
			return 0, 0
		}
		v, err := strconv.ParseUint(string(s[3:5]), 16, 8)
		if err != nil || v >= ' ' {
			return 0, 0
		}
		return byte(v), 5
	}
	return 0, 0
}
