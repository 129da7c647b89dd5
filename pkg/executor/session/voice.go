package session

import (
	"bytes"
	"encoding/json"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/signals"
)

// outputChunk is how much text is gathered into one Output while more is there to be read.
const outputChunk = 32 << 10

// voice is the agent's own text on its way: shown, searched for signals, and its end kept.
type voice struct {
	emit func(event.Data)
	scan *signals.Scanner

	out     []byte // gathered, not shown yet
	settled int    // so much of out is known to scan and kept
	kept    tail
	open    bool // the last line has no newline yet
	own     bool // the agent has said something itself
	claimed int  // so many signals were told

	live   *span  // text that comes in deltas now
	spoken []span // finished texts that came in deltas and may come again whole
}

// span is a piece of the text, by its place in all of it.
type span struct{ from, to int64 }

// delta adds a piece of a text block that comes in pieces.
func (v *voice) delta(text []byte) {
	if v.live == nil {
		v.settle()
		v.closeLine()
		v.live = &span{from: v.kept.n}
	}
	v.write(text)
}

// endDelta ends a block that came in pieces.
func (v *voice) endDelta() {
	if v.live == nil {
		return
	}
	v.settle()
	v.live.to = v.kept.n
	v.spoken = append(v.spoken[max(0, len(v.spoken)-7):], *v.live)
	v.live = nil
	v.endBlock()
}

// forget says that what was spoken so far will not be repeated.
func (v *voice) forget() {
	v.endDelta()
	v.spoken = nil
}

// block adds a whole text block, unless it repeats one that came in pieces.
func (v *voice) block(text []byte) {
	whole := tail{b: text[max(0, len(text)-executor.MaxText):], n: int64(len(text))}
	if v.repeats(whole) {
		return
	}
	v.write(text)
	v.endBlock()
}

// repeats tells whether a whole text, of which the end is given, came in pieces before. Each is repeated once.
func (v *voice) repeats(whole tail) bool {
	v.endDelta()
	for i := len(v.spoken) - 1; i >= 0; i-- {
		if v.spoken[i].to-v.spoken[i].from == whole.n && v.kept.endsAt(v.spoken[i].to, whole.last()) {
			v.spoken = append(v.spoken[:i], v.spoken[i+1:]...)
			return true
		}
	}
	return false
}

// write adds text of the agent.
func (v *voice) write(text []byte) {
	v.own = v.own || len(text) > 0
	for len(text) > 0 {
		n := min(len(text), max(1, outputChunk-len(v.out)))
		v.out = append(v.out, text[:n]...)
		v.open = text[n-1] != '\n'
		text = text[n:]
		if len(v.out) >= outputChunk {
			v.flush()
		}
	}
}

// raw adds a line, or a piece of it, that is not the agent's word: shown and kept, not searched.
func (v *voice) raw(line []byte, ends bool) {
	v.settle()
	for len(line) > 0 {
		n := min(len(line), outputChunk)
		if n < len(line) {
			n -= jsonl.OpenRune(line[:n])
		}
		v.addRaw(line[:n])
		v.open = true
		line = line[n:]
	}
	if ends {
		v.addRaw([]byte("\n"))
		v.open = false
	}
}

func (v *voice) addRaw(b []byte) {
	v.out = jsonl.AppendValid(v.out, b)
	v.kept.add(v.out[v.settled:])
	v.settled = len(v.out)
	if len(v.out) >= outputChunk {
		v.flush()
	}
}

// endBlock ends the text block and with it the line.
func (v *voice) endBlock() {
	fresh := v.out[v.settled:]
	v.scan.Block(fresh)
	v.kept.add(fresh)
	v.settled = len(v.out)
	v.closeLine()
}

// closeLine ends an open line for the eyes; the scanner is told of blocks, not of lines that we add.
func (v *voice) closeLine() {
	if v.open {
		v.raw(nil, true)
	}
}

// settle gives what was gathered to the scanner and to the kept end.
func (v *voice) settle() {
	if fresh := v.out[v.settled:]; len(fresh) > 0 {
		v.scan.Write(string(fresh))
		v.kept.add(fresh)
		v.settled = len(v.out)
	}
}

// flush shows what was gathered, then tells of new signals. A rune that is not whole stays.
func (v *voice) flush() {
	v.settle()
	n := len(v.out) - jsonl.OpenRune(v.out)
	if n > 0 {
		text, whole := bytes.CutSuffix(v.out[:n], []byte("\n"))
		v.emit(event.Output{Text: string(text), Partial: !whole})
		v.out = append(v.out[:0], v.out[n:]...)
		v.settled = len(v.out)
	}
	for _, s := range v.scan.Signals()[v.claimed:] {
		v.claimed++
		v.emit(claim(s))
	}
}

// finish says that nothing will come.
func (v *voice) finish() {
	v.endDelta()
	v.settle()
	v.scan.Finish()
	v.closeLine()
	v.flush()
}

func claim(s signals.Signal) event.Claimed {
	c := event.Claimed{Signal: string(s.Kind), Payload: s.Draft}
	if s.Question != nil {
		if b, err := json.Marshal(s.Question); err == nil {
			c.Payload = string(b)
		}
	}
	if s.Err != nil {
		c.Problem = s.Err.Error()
	}
	return c
}

// tail keeps the last MaxText bytes of a text, at least.
type tail struct {
	b []byte
	n int64 // length of the whole text
}

func (t *tail) add(p []byte) {
	t.n += int64(len(p))
	if len(t.b)+len(p) > 2*executor.MaxText {
		p = p[max(0, len(p)-executor.MaxText):]
		keep := min(len(t.b), executor.MaxText-len(p))
		t.b = append(t.b[:0], t.b[len(t.b)-keep:]...)
	}
	t.b = append(t.b, p...)
}

// last is the end of the text, at most MaxText bytes.
func (t *tail) last() []byte { return t.b[max(0, len(t.b)-executor.MaxText):] }

// endsAt tells whether the text up to a place ends with these bytes, as far as they are kept.
func (t *tail) endsAt(place int64, want []byte) bool {
	base := t.n - int64(len(t.b))
	if place < base || place > t.n {
		return false
	}
	have := t.b[:place-base]
	if len(have) < len(want) {
		if base == 0 {
			return false
		}
		want = want[len(want)-len(have):]
	}
	return len(want) == 0 || bytes.HasSuffix(have, want) && len(have) > 0
}
