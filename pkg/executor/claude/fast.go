package claude

import (
	"bytes"

	"ralphex/pkg/executor/jsonl"
)

// quick is what the frequent lines say.
type quick struct {
	typ     []byte // assistant, user, system, content_block_delta; also from within a stream_event
	subtype []byte // of a system line
	wrapped bool   // in a stream_event
	parent  bool   // a subagent's
	above   []byte // the call that it works for
	id      []byte // message.id
	model   []byte // message.model
	usage   usage
	said    []said   // texts and tool calls of a message, in order
	results [][]byte // ids of the tool calls that ended
	delta   text
	message []byte // raw
}

// said is a block of a message: a text, or a call of the tool name.
type said struct {
	text
	name, id, input []byte // input is raw
}

// text is the inside of a JSON string.
type text struct {
	raw   []byte
	plain bool
	set   bool
}

// decode returns the text, in buf if it has escapes or bytes that are no UTF-8.
func (t text) decode(buf []byte) []byte {
	buf, _, _ = jsonl.Unescape(buf[:0], t.raw, true)
	return buf
}

// read takes a line apart by hand if it has one of the frequent shapes, in any order of keys: text of the agent,
// its deltas, results of tools. It tells false for everything else, and for whatever looks odd.
func (q *quick) read(line []byte) bool {
	*q = quick{said: q.said[:0], results: q.results[:0]}
	c := jsonl.NewCursor(line)
	q.top(c)
	if !c.End() {
		return false
	}
	switch string(q.typ) {
	case "content_block_delta":
		return q.delta.set && q.message == nil && q.subtype == nil
	case "assistant":
		return q.message != nil && !q.delta.set && !q.wrapped && len(q.results) == 0 && q.subtype == nil
	case "user":
		return q.message != nil && !q.delta.set && !q.wrapped && len(q.said) == 0 && q.subtype == nil
	case "system":
		return q.subtype != nil && q.message == nil && !q.delta.set && !q.wrapped
	}
	return false
}

// idle are the frequent kinds of system lines that tell nothing: how far a sub-agent is, how long the model thinks.
func idle(subtype string) bool { return subtype == "task_progress" || subtype == "thinking_tokens" }

func (q *quick) top(c *jsonl.Cursor) {
	seen := 0
	once := func(bit int) {
		if seen&bit != 0 {
			c.Fail()
		}
		seen |= bit
	}
	c.Expect('{')
	for n := 0; c.More(n, '}'); n++ {
		switch string(c.Key()) {
		case "type":
			once(1)
			if typ := c.Word(); string(typ) != "stream_event" {
				q.setType(c, typ)
			} else if q.wrapped = true; seen&2 == 0 && q.typ != nil {
				c.Fail()
			}
		case "event":
			once(2)
			if !q.event(c) {
				c.Fail()
			}
		case "delta":
			once(4)
			q.readDelta(c)
		case "message":
			once(8)
			c.Space()
			from := c.Pos()
			q.readMessage(c)
			q.message = c.From(from)
		case "parent_tool_use_id":
			once(16)
			c.Space()
			from := c.Pos()
			q.parent = !c.Null()
			if q.above = bytes.Trim(c.From(from), `"`); bytes.IndexByte(q.above, '\\') >= 0 {
				c.Fail()
			}
		case "subtype":
			if q.subtype = c.Once(q.subtype); !idle(string(q.subtype)) {
				c.Fail()
			}
		case "error", "is_api_error_message", "api_error", "api_error_status", "api_error_params", "result", "content_block":
			c.Fail()
		default:
			c.Skip(0)
		}
	}
	if q.wrapped != (seen&2 != 0) {
		c.Fail()
	}
}

func (q *quick) setType(c *jsonl.Cursor, typ []byte) {
	if q.typ != nil {
		c.Fail()
	}
	q.typ = typ
}

// event reads what a stream_event wraps: only a delta is of interest.
func (q *quick) event(c *jsonl.Cursor) bool {
	seen := 0
	c.Expect('{')
	for n := 0; c.More(n, '}'); n++ {
		bit := 0
		switch string(c.Key()) {
		case "type":
			bit = 1
			q.setType(c, c.Word())
		case "delta":
			bit = 2
			q.readDelta(c)
		case "message", "content_block":
			return false
		default:
			c.Skip(0)
		}
		if seen&bit != 0 {
			return false
		}
		seen |= bit
	}
	return string(q.typ) == "content_block_delta"
}

func (q *quick) readDelta(c *jsonl.Cursor) {
	typed, set := false, q.delta.set
	c.Expect('{')
	for n := 0; c.More(n, '}'); n++ {
		switch string(c.Key()) {
		case "type":
			if typed || string(c.Word()) != "text_delta" {
				c.Fail()
			}
			typed = true
		case "text":
			if set {
				c.Fail()
			}
			set = true
			q.delta.raw, q.delta.plain = c.Str()
		default:
			c.Fail()
		}
	}
	q.delta.set = typed && set
	if !q.delta.set {
		c.Fail()
	}
}

func (q *quick) readMessage(c *jsonl.Cursor) {
	content, id, use, model := false, false, false, false
	c.Expect('{')
	for n := 0; c.More(n, '}'); n++ {
		switch string(c.Key()) {
		case "id":
			if id {
				c.Fail()
			}
			id = true
			q.id = c.Word()
		case "model":
			if q.model = c.Word(); model || string(q.model) == "<synthetic>" {
				c.Fail()
			}
			model = true
		case "stop_reason":
			if c.Peek() != '"' {
				c.Skip(0)
			} else if string(c.Word()) == "refusal" {
				c.Fail()
			}
		case "usage":
			if use {
				c.Fail()
			}
			use = true
			q.readUsage(c)
		case "content":
			if content {
				c.Fail()
			}
			content = true
			c.Expect('[')
			for m := 0; c.More(m, ']'); m++ {
				q.readBlock(c)
			}
		default:
			c.Skip(0)
		}
	}
	if !content {
		c.Fail()
	}
}

func (q *quick) readBlock(c *jsonl.Cursor) {
	var typ, ref []byte
	var b said
	c.Expect('{')
	for n := 0; c.More(n, '}'); n++ {
		switch string(c.Key()) {
		case "type":
			typ = c.Once(typ)
		case "id":
			b.id = c.Once(b.id)
		case "name":
			b.name = c.Once(b.name)
		case "tool_use_id":
			ref = c.Once(ref)
		case "text":
			if b.set {
				c.Fail()
			}
			b.raw, b.plain = c.Str()
			b.set = true
		case "input":
			if b.input != nil {
				c.Fail()
			}
			b.input = c.Raw()
		default:
			c.Skip(0)
		}
	}
	switch {
	case string(typ) == "text" && b.set && b.name == nil:
		q.said = append(q.said, b)
	case string(typ) == "tool_use" && b.name != nil && !b.set:
		q.said = append(q.said, b)
	case string(typ) == "tool_result" && ref != nil:
		q.results = append(q.results, ref)
	default:
		c.Fail()
	}
}

func (q *quick) readUsage(c *jsonl.Cursor) {
	c.Expect('{')
	for n := 0; c.More(n, '}'); n++ {
		var to *int64
		switch string(c.Key()) {
		case "input_tokens":
			to = &q.usage.Input
		case "output_tokens":
			to = &q.usage.Output
		case "cache_read_input_tokens":
			to = &q.usage.CacheRead
		case "cache_creation_input_tokens":
			to = &q.usage.CacheWrite
		default:
			c.Skip(0)
			continue
		}
		c.Space()
		*to = c.Number()
	}
}
