package fakemodel

import "encoding/json"

// chat speaks Chat Completions.
type chat struct{}

func (chat) read(body []byte) (asked, error) {
	var r struct {
		Model  string
		Stream bool
		Tools  []struct {
			Function struct {
				Name       string
				Parameters schema
			}
		}
	}
	err := json.Unmarshal(body, &r)
	a := asked{model: r.Model, stream: r.Stream}
	for _, t := range r.Tools {
		a.tools = append(a.tools, tool{name: t.Function.Name, schema: t.Function.Parameters})
	}
	return a, err
}

func (chat) usage(a answer) obj {
	u := a.usage()
	return obj{"prompt_tokens": u.Input + u.Cached, "completion_tokens": u.Output, "total_tokens": u.Input + u.Cached + u.Output,
		"prompt_tokens_details": obj{"cached_tokens": u.Cached}, "completion_tokens_details": obj{"reasoning_tokens": u.Reasoning}}
}

func (chat) calls(a answer) []obj {
	var calls []obj
	for i, c := range a.calls {
		calls = append(calls, obj{"index": i, "id": c.id, "type": "function", "function": obj{"name": c.name, "arguments": string(c.input)}})
	}
	return calls
}

func (chat) finish(a answer) string {
	switch {
	case a.Stop == "refusal":
		return "content_filter"
	case a.Stop != "":
		return a.Stop
	case len(a.calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (p chat) stream(e *events, a answer) {
	chunk := func(choices []any, usage any) {
		e.send("", obj{"id": "chatcmpl-" + a.id, "object": "chat.completion.chunk", "created": 1700000000, "model": a.asked.model, "choices": choices, "usage": usage})
	}
	delta := func(d obj, finish any) { chunk([]any{obj{"index": 0, "delta": d, "finish_reason": finish}}, nil) }
	delta(obj{"role": "assistant", "content": ""}, nil)
	if a.Text != "" || e.cut != nil {
		e.text(func(piece string) { delta(obj{"content": piece}, nil) })
	}
	for _, c := range p.calls(a) {
		delta(obj{"tool_calls": []any{c}}, nil)
	}
	delta(obj{}, p.finish(a))
	chunk([]any{}, p.usage(a))
	e.send("", "[DONE]")
}

func (p chat) whole(a answer) obj {
	m := obj{"role": "assistant", "content": a.Text}
	if len(a.calls) > 0 {
		m["tool_calls"] = p.calls(a)
	}
	return obj{"id": "chatcmpl-" + a.id, "object": "chat.completion", "created": 1700000000, "model": a.asked.model,
		"choices": []any{obj{"index": 0, "message": m, "finish_reason": p.finish(a)}}, "usage": p.usage(a)}
}

func (chat) refuse(f Fail) any { return obj{"error": openAIError(f)} }

func (p chat) late(e *events, f Fail) { e.send("", p.refuse(f)) }
