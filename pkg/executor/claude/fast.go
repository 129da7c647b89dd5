package claude

// quick is what the frequent lines say.
type quick struct {
	typ     []byte // assistant, user, content_block_delta; also from within a stream_event
	wrapped bool   // in a stream_event
	parent  bool   // a subagent's
	id      []byte // message.id
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
	buf, _, _ = unescape(buf[:0], t.raw, true)
	return buf
}

// read takes a line apart by hand if it has one of the frequent shapes, in any order of keys: text of the agent,
// its deltas, results of tools. It tells false for everything else, and for whatever looks odd.
func (q *quick) read(line []byte) bool {
	*q = quick{said: q.said[:0], results: q.results[:0]}
	c := cursor{b: line}
	q.top(&c)
	if !c.end() {
		return false
	}
	switch string(q.typ) {
	case "content_block_delta":
		return q.delta.set && q.message == nil
	case "assistant":
		return q.message != nil && !q.delta.set && !q.wrapped && len(q.results) == 0
	case "user":
		return q.message != nil && !q.delta.set && !q.wrapped && len(q.said) == 0
	}
	return false
}

func (q *quick) top(c *cursor) {
	seen := 0
	once := func(bit int) {
		if seen&bit != 0 {
			c.fail()
		}
		seen |= bit
	}
	c.expect('{')
	for n := 0; c.more(n, '}'); n++ {
		switch string(c.key()) {
		case "type":
			once(1)
			if typ := c.word(); string(typ) != "stream_event" {
				q.setType(c, typ)
			} else if q.wrapped = true; seen&2 == 0 && q.typ != nil {
				c.fail()
			}
		case "event":
			once(2)
			if !q.event(c) {
				c.fail()
			}
		case "delta":
			once(4)
			q.readDelta(c)
		case "message":
			once(8)
			c.space()
			from := c.i
			q.readMessage(c)
			q.message = c.b[from:c.i]
		case "parent_tool_use_id":
			once(16)
			q.parent = !c.null()
		case "error", "is_api_error_message", "api_error", "api_error_status", "api_error_params", "subtype", "result", "content_block":
			c.fail()
		default:
			c.skip(0)
		}
	}
	if q.wrapped != (seen&2 != 0) {
		c.fail()
	}
}

func (q *quick) setType(c *cursor, typ []byte) {
	if q.typ != nil {
		c.fail()
	}
	q.typ = typ
}

// event reads what a stream_event wraps: only a delta is of interest.
func (q *quick) event(c *cursor) bool {
	seen := 0
	c.expect('{')
	for n := 0; c.more(n, '}'); n++ {
		bit := 0
		switch string(c.key()) {
		case "type":
			bit = 1
			q.setType(c, c.word())
		case "delta":
			bit = 2
			q.readDelta(c)
		case "message", "content_block":
			return false
		default:
			c.skip(0)
		}
		if seen&bit != 0 {
			return false
		}
		seen |= bit
	}
	return string(q.typ) == "content_block_delta"
}

func (q *quick) readDelta(c *cursor) {
	typed, set := false, q.delta.set
	c.expect('{')
	for n := 0; c.more(n, '}'); n++ {
		switch string(c.key()) {
		case "type":
			if typed || string(c.word()) != "text_delta" {
				c.fail()
			}
			typed = true
		case "text":
			if set {
				c.fail()
			}
			set = true
			q.delta.raw, q.delta.plain = c.str()
		default:
			c.fail()
		}
	}
	q.delta.set = typed && set
	if !q.delta.set {
		c.fail()
	}
}

func (q *quick) readMessage(c *cursor) {
	content, id, use, model := false, false, false, false
	c.expect('{')
	for n := 0; c.more(n, '}'); n++ {
		switch string(c.key()) {
		case "id":
			if id {
				c.fail()
			}
			id = true
			q.id = c.word()
		case "model":
			if w := c.word(); model || string(w) == "<synthetic>" {
				c.fail()
			}
			model = true
		case "stop_reason":
			if c.peek() != '"' {
				c.skip(0)
			} else if string(c.word()) == "refusal" {
				c.fail()
			}
		case "usage":
			if use {
				c.fail()
			}
			use = true
			q.readUsage(c)
		case "content":
			if content {
				c.fail()
			}
			content = true
			c.expect('[')
			for m := 0; c.more(m, ']'); m++ {
				q.readBlock(c)
			}
		default:
			c.skip(0)
		}
	}
	if !content {
		c.fail()
	}
}

func (q *quick) readBlock(c *cursor) {
	var typ, ref []byte
	var b said
	c.expect('{')
	for n := 0; c.more(n, '}'); n++ {
		switch string(c.key()) {
		case "type":
			typ = c.once(typ)
		case "id":
			b.id = c.once(b.id)
		case "name":
			b.name = c.once(b.name)
		case "tool_use_id":
			ref = c.once(ref)
		case "text":
			if b.set {
				c.fail()
			}
			b.raw, b.plain = c.str()
			b.set = true
		case "input":
			if b.input != nil {
				c.fail()
			}
			c.space()
			from := c.i
			c.skip(0)
			b.input = c.b[from:c.i]
		default:
			c.skip(0)
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
		c.fail()
	}
}

// once reads a word into a place that must be empty.
func (c *cursor) once(place []byte) []byte {
	if place != nil {
		c.fail()
	}
	return c.word()
}

func (q *quick) readUsage(c *cursor) {
	if c.peek() != '{' {
		c.fail()
		return
	}
	c.i++
	for n := 0; c.more(n, '}'); n++ {
		var to *int64
		switch string(c.key()) {
		case "input_tokens":
			to = &q.usage.Input
		case "output_tokens":
			to = &q.usage.Output
		case "cache_read_input_tokens":
			to = &q.usage.CacheRead
		case "cache_creation_input_tokens":
			to = &q.usage.CacheWrite
		default:
			c.skip(0)
			continue
		}
		c.space()
		*to = c.number()
	}
}
