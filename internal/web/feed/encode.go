package feed

import (
	"bytes"
	"strconv"

	"ralphex/pkg/event"
)

// Format is a form of events.
type Format int

// The formats.
const (
	Public Format = iota // of the public ralphex: one message an event
	V1                   // of the page: rows, many in one message
)

// encoder makes messages of events. Its ids only grow.
type encoder interface {
	// encode appends what the event becomes to the chunk.
	encode(c *chunk, e event.Event)
	// copy is an encoder in the same state.
	copy() encoder
}

// rows is the encoder of V1: {"seq":…,"time":…,"phase":…,"task":…,"type":…,"data":…,"lines":[…]}, as the journal has it, and in words.
type rows struct{}

func (rows) copy() encoder { return rows{} }

func (rows) encode(c *chunk, e event.Event) {
	start := len(c.bytes)
	if start > 0 {
		c.bytes = append(c.bytes, ',')
	}
	from := len(c.bytes)
	out, err := event.AppendJSON(c.bytes, e)
	if err != nil {
		c.bytes = c.bytes[:start]
		return
	}
	out = cut(out, from)
	out = out[:len(out)-1]
	if _, output := e.Data.(event.Output); !output {
		out = appendLines(out, event.Text(e))
	}
	c.bytes = append(out, '}')
	c.add(e.Seq)
}

// cut takes the version and the run out of a line of the journal, which begins at from: who reads the rows of a run knows both.
func cut(line []byte, from int) []byte {
	const version = `"v":1,`
	row := line[from:]
	run := bytes.Index(row, []byte(`,"run":"`))
	end := run + len(`,"run":"`)
	for row[end] != '"' { // an id has no quotation mark; of another hand it would be escaped
		if row[end] == '\\' {
			end++
		}
		end++
	}
	n := 1 + copy(row[1:], row[1+len(version):run])
	n += copy(row[n:], row[end+1:])
	row = row[:n]
	for i := bytes.IndexByte(row, '\r'); i >= 0; i = bytes.IndexByte(row, '\r') {
		row[i] = ' ' // between the words of a fact that is not known here: it would end the message
	}
	return line[:from+n]
}

func appendLines(dst []byte, lines []event.Line) []byte {
	dst = append(dst, `,"lines":[`...)
	for i, l := range lines {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"style":`...)
		dst = event.AppendString(dst, string(l.Style))
		dst = append(dst, `,"text":`...)
		dst = event.AppendString(dst, l.Text)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// message is the head of a message with an id.
func message(dst []byte, id int64) []byte {
	dst = append(dst, "id: "...)
	dst = strconv.AppendInt(dst, id, 10)
	return append(dst, "\ndata: "...)
}
