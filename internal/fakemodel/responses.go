package fakemodel

import (
	"encoding/json"
	"maps"
)

// responses speaks OpenAI's Responses.
type responses struct{}

func (responses) read(body []byte) (asked, error) {
	var r struct {
		Model  string
		Stream bool
		Tools  []struct {
			responsesTool
			Tools []responsesTool // of a namespace
		}
	}
	err := json.Unmarshal(body, &r)
	a := asked{model: r.Model, stream: r.Stream}
	for _, t := range r.Tools {
		if t.Type != "namespace" {
			a.tools = append(a.tools, t.tool(""))
		}
		for _, inner := range t.Tools {
			a.tools = append(a.tools, inner.tool(t.Name))
		}
	}
	return a, err
}

type responsesTool struct {
	Type, Name string
	Parameters schema
}

func (t responsesTool) tool(space string) tool {
	name := t.Name
	if name == "" {
		name = t.Type // what the provider itself brings: "web_search"
	}
	return tool{name: name, space: space, custom: t.Type == "custom", schema: t.Parameters}
}

func (responses) items(a answer) []obj {
	var items []obj
	if a.Thinking != "" {
		items = append(items, obj{"type": "reasoning", "id": "rs_" + a.id, "summary": []any{obj{"type": "summary_text", "text": a.Thinking}}})
	}
	if a.Text != "" {
		items = append(items, obj{"type": "message", "id": "msg_" + a.id, "role": "assistant",
			"content": []any{obj{"type": "output_text", "text": a.Text, "annotations": []any{}}}})
	}
	for _, c := range a.calls {
		item := obj{"type": "function_call", "id": "fc_" + c.id, "call_id": c.id, "name": c.name, "arguments": string(c.input)}
		if c.space != "" {
			item["namespace"] = c.space
		}
		if c.custom {
			var text string
			_ = json.Unmarshal(c.input, &text) // no string: the agent is told nothing, and says so
			item = obj{"type": "custom_tool_call", "id": "ct_" + c.id, "call_id": c.id, "name": c.name, "input": text}
		}
		items = append(items, item)
	}
	return items
}

func (p responses) response(a answer, status string) obj {
	u := a.usage()
	return obj{"id": "resp_" + a.id, "object": "response", "model": a.asked.model, "status": status, "output": p.items(a), "usage": obj{
		"input_tokens": u.Input + u.Cached, "input_tokens_details": obj{"cached_tokens": u.Cached},
		"output_tokens": u.Output, "output_tokens_details": obj{"reasoning_tokens": u.Reasoning}, "total_tokens": u.Input + u.Cached + u.Output}}
}

func (p responses) stream(e *events, a answer) {
	send := func(kind string, fields obj) {
		fields["type"] = kind
		e.send(kind, fields)
	}
	send("response.created", obj{"response": obj{"id": "resp_" + a.id, "status": "in_progress", "output": []any{}}})
	items := p.items(a)
	if a.Text == "" && e.cut != nil {
		items = append(items, obj{"type": "message", "id": "msg_" + a.id, "role": "assistant", "content": []any{}})
	}
	for i, item := range items {
		begun := maps.Clone(item)
		if item["type"] == "message" {
			begun["content"] = []any{} // its text comes in pieces
		}
		send("response.output_item.added", obj{"output_index": i, "item": begun})
		if item["type"] == "message" {
			e.text(func(piece string) {
				send("response.output_text.delta", obj{"item_id": item["id"], "output_index": i, "content_index": 0, "delta": piece})
			})
		}
		send("response.output_item.done", obj{"output_index": i, "item": item})
	}
	whole := p.whole(a)
	send("response."+whole["status"].(string), obj{"response": whole})
}

func (p responses) whole(a answer) obj {
	if a.Stop == "" {
		return p.response(a, "completed")
	}
	whole := p.response(a, "incomplete")
	whole["incomplete_details"] = obj{"reason": map[string]string{"refusal": "content_filter", "length": "max_output_tokens"}[a.Stop]}
	return whole
}

func (responses) refuse(f Fail) any { return obj{"error": openAIError(f)} }

func (responses) late(e *events, f Fail) {
	e.send("response.failed", obj{"type": "response.failed", "response": obj{"id": "resp_failed", "status": "failed", "error": openAIError(f)}})
}

func openAIError(f Fail) obj {
	e := obj{"type": f.Type, "code": f.Code, "message": f.Message}
	if f.Code == "" {
		e["code"] = nil
	}
	maps.Copy(e, f.Fields)
	return e
}
