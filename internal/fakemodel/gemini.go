package fakemodel

import (
	"encoding/json"
	"maps"
)

// gemini speaks generateContent; the model stands in the path.
type gemini struct{}

func (gemini) read(body []byte) (asked, error) {
	var r struct {
		Tools []struct {
			Functions []struct {
				Name       string
				Parameters schema
				Schema     schema `json:"parametersJsonSchema"`
			} `json:"functionDeclarations"`
		}
	}
	err := json.Unmarshal(body, &r)
	var a asked
	for _, group := range r.Tools {
		for _, f := range group.Functions {
			t := tool{name: f.Name, schema: f.Schema}
			if len(t.schema.Properties) == 0 {
				t.schema = f.Parameters
			}
			a.tools = append(a.tools, t)
		}
	}
	return a, err
}

func (gemini) part(a answer, parts []any, finish bool) obj {
	c := obj{"index": 0, "content": obj{"role": "model", "parts": parts}}
	o := obj{"candidates": []any{c}, "responseId": a.id}
	if finish {
		u := a.usage()
		c["finishReason"] = map[string]string{"": "STOP", "refusal": "SAFETY", "length": "MAX_TOKENS"}[a.Stop]
		o["usageMetadata"] = obj{"promptTokenCount": u.Input + u.Cached, "cachedContentTokenCount": u.Cached, "thoughtsTokenCount": u.Reasoning,
			"candidatesTokenCount": u.Output - u.Reasoning, "totalTokenCount": u.Input + u.Cached + u.Output}
	}
	return o
}

func (gemini) calls(a answer) []any {
	parts := []any{}
	for _, c := range a.calls {
		parts = append(parts, obj{"functionCall": obj{"name": c.name, "args": c.input}})
	}
	return parts
}

func (p gemini) stream(e *events, a answer) {
	if a.Thinking != "" {
		e.send("", p.part(a, []any{obj{"text": a.Thinking, "thought": true}}, false))
	}
	if a.Text != "" || e.cut != nil {
		e.text(func(piece string) { e.send("", p.part(a, []any{obj{"text": piece}}, false)) })
	}
	e.send("", p.part(a, p.calls(a), true))
}

func (p gemini) whole(a answer) obj {
	parts := p.calls(a)
	if a.Text != "" {
		parts = append([]any{obj{"text": a.Text}}, parts...)
	}
	return p.part(a, parts, true)
}

func (gemini) refuse(f Fail) any {
	e := obj{"code": f.Status, "status": f.Type, "message": f.Message}
	maps.Copy(e, f.Fields)
	return obj{"error": e}
}

func (p gemini) late(e *events, f Fail) { e.send("", p.refuse(f)) }
