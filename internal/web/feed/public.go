package feed

import (
	"time"

	"ralphex/pkg/event"
)

// public is the encoder of the public format.
type public struct{ last int64 }

func newEncoder(f Format) encoder {
	if f == V1 {
		return rows{}
	}
	return &public{}
}

func (p *public) copy() encoder { q := *p; return &q }

func (p *public) encode(c *chunk, e event.Event) {
	lines := event.Text(e)
	if o, ok := e.Data.(event.Output); ok {
		lines = []event.Line{{Text: o.Text}}
	}
	for _, l := range lines {
		p.last++
		c.bytes = message(c.bytes, p.last)
		c.bytes = append(c.bytes, `{"type":"output","phase":`...)
		c.bytes = event.AppendString(c.bytes, string(e.Phase))
		c.bytes = append(c.bytes, `,"text":`...)
		c.bytes = event.AppendString(c.bytes, l.Text)
		c.bytes = append(c.bytes, `,"timestamp":`...)
		c.bytes = event.AppendString(c.bytes, e.Time.Format(time.RFC3339Nano))
		c.bytes = append(c.bytes, "}\n\n"...)
		c.add(p.last)
	}
}
