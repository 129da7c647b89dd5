package feed

import (
	"encoding/json"
	"strconv"
	"time"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

func newEncoder(f Format) encoder {
	if f == V1 {
		return rows{}
	}
	return &public{log: view.NewBroadcastLogger()}
}

// public is the encoder of the public format. Its ids are the numbers of the public events, from 1 on.
type public struct {
	log  *view.BroadcastLogger
	last int64
}

func (p *public) copy() encoder { return &public{log: p.log.Clone(), last: p.last} }

func (p *public) encode(c *chunk, e event.Event) {
	p.log.Each(e, func(out view.PublicEvent) {
		p.last++
		c.bytes = message(c.bytes, p.last)
		c.bytes = appendPublic(c.bytes, out)
		c.bytes = append(c.bytes, "\n\n"...)
		c.add(p.last)
	})
}

// appendPublic is json.Marshal, without its cost: a log has a hundred thousand of them.
func appendPublic(dst []byte, e view.PublicEvent) []byte {
	dst = appendText(append(dst, `{"type":`...), string(e.Type))
	dst = appendText(append(dst, `,"phase":`...), string(e.Phase))
	if e.Section != "" {
		dst = appendText(append(dst, `,"section":`...), e.Section)
	}
	dst = appendText(append(dst, `,"text":`...), e.Text)
	dst = append(dst, `,"timestamp":"`...)
	dst = e.Timestamp.AppendFormat(dst, time.RFC3339Nano)
	dst = append(dst, '"')
	if e.Signal != "" {
		dst = appendText(append(dst, `,"signal":`...), e.Signal)
	}
	if e.TaskNum != 0 {
		dst = strconv.AppendInt(append(dst, `,"task_num":`...), int64(e.TaskNum), 10)
	}
	if e.IterationNum != 0 {
		dst = strconv.AppendInt(append(dst, `,"iteration_num":`...), int64(e.IterationNum), 10)
	}
	return append(dst, '}')
}

// appendText appends a JSON string as the public ralphex has it: with <, > and & escaped.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			text, _ := json.Marshal(s) // a string always can be
			return append(dst, text...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
