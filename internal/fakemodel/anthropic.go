package fakemodel

import (
	"encoding/json"
	"maps"
)

// obj is a JSON object.
type obj = map[string]any

// anthropic speaks Messages.
type anthropic struct{}

func (anthropic) read(body []byte) (asked, error) {
	var r struct {
		Model  string
		Stream bool
		Tools  []struct {
			Name   string
			Schema schema `json:"input_schema"`
		}
	}
	err := json.Unmarshal(body, &r)
	a := asked{model: r.Model, stream: r.Stream}
	for _, t := range r.Tools {
		a.tools = append(a.tools, tool{name: t.Name, schema: t.Schema})
	}
	return a, err
}

func (anthropic) message(a answer) obj {
	u := a.usage()
	return obj{"id": "msg_" + a.id, "type": "message", "role": "assistant", "model": a.asked.model, "content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": obj{"input_tokens": u.Input, "cache_creation_input_tokens": u.CacheWrite, "cache_read_input_tokens": u.Cached, "output_tokens": 1}}
}

func (anthropic) stop(a answer) string {
	switch {
	case a.Stop == "length":
		return "max_tokens"
	case a.Stop != "":
		return a.Stop
	case len(a.calls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

func (p anthropic) stream(e *events, a answer) {
	send := func(kind string, fields obj) {
		fields["type"] = kind
		e.send(kind, fields)
	}
	index := 0
	block := func(start obj, deltas func(delta func(obj))) {
		send("content_block_start", obj{"index": index, "content_block": start})
		deltas(func(d obj) { send("content_block_delta", obj{"index": index, "delta": d}) })
		send("content_block_stop", obj{"index": index})
		index++
	}
	send("message_start", obj{"message": p.message(a)})
	if a.Thinking != "" {
		block(obj{"type": "thinking", "thinking": "", "signature": ""}, func(delta func(obj)) {
			delta(obj{"type": "thinking_delta", "thinking": a.Thinking})
			delta(obj{"type": "signature_delta", "signature": "c2lnbmVk"})
		})
	}
	if a.Text != "" || e.cut != nil {
		block(obj{"type": "text", "text": ""}, func(delta func(obj)) {
			e.text(func(piece string) { delta(obj{"type": "text_delta", "text": piece}) })
		})
	}
	for _, c := range a.calls {
		block(obj{"type": "tool_use", "id": c.id, "name": c.name, "input": obj{}}, func(delta func(obj)) {
			first, second := halves(string(c.input))
			delta(obj{"type": "input_json_delta", "partial_json": first})
			delta(obj{"type": "input_json_delta", "partial_json": second})
		})
	}
	send("message_delta", obj{"delta": obj{"stop_reason": p.stop(a), "stop_sequence": nil}, "usage": obj{"output_tokens": a.usage().Output}})
	send("message_stop", obj{})
}

func (p anthropic) whole(a answer) obj {
	var content []any
	if a.Text != "" {
		content = append(content, obj{"type": "text", "text": a.Text})
	}
	for _, c := range a.calls {
		content = append(content, obj{"type": "tool_use", "id": c.id, "name": c.name, "input": c.input})
	}
	m := p.message(a)
	m["content"], m["stop_reason"] = content, p.stop(a)
	m["usage"].(obj)["output_tokens"] = a.usage().Output
	return m
}

func (anthropic) refuse(f Fail) any {
	e := obj{"type": f.Type, "message": f.Message}
	maps.Copy(e, f.Fields)
	return obj{"type": "error", "error": e, "request_id": "req_fake"}
}

func (p anthropic) late(e *events, f Fail) { e.send("error", p.refuse(f)) }
