package executortest

import (
	"encoding/json"
	"fmt"
	"os"
	"unicode/utf8"
)

// stream prints what the CLI would.
type stream struct {
	last  string // text
	turns int
	tools int
}

const sessionID = "00000000-0000-4000-8000-000000000001"

type object map[string]any

func (s *stream) print(o object) error {
	o["session_id"] = sessionID
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(o)
}

func (s *stream) init() {
	_ = s.print(object{"type": "system", "subtype": "init", "model": "scripted"})
}

func textBlock(t string) object { return object{"type": "text", "text": t} }
func thinking(t string) object  { return object{"type": "thinking", "thinking": t, "signature": ""} }

// block prints a message of the assistant; parent is nil for the agent itself.
func (s *stream) block(parent any, b object) error {
	return s.print(object{"type": "assistant", "parent_tool_use_id": parent, "message": object{
		"role": "assistant", "id": fmt.Sprintf("msg_%d", s.turns), "content": []object{b},
		"usage": object{"input_tokens": 100, "output_tokens": 20},
	}})
}

func (s *stream) say(t string) error {
	s.last = t
	s.turns++
	return s.block(nil, textBlock(t))
}

// deltas prints a text in small pieces, then whole.
func (s *stream) deltas(t string) error {
	for rest := t; rest != ""; {
		n := min(7, len(rest))
		for n < len(rest) && !utf8.RuneStart(rest[n]) {
			n++
		}
		err := s.print(object{"type": "stream_event", "parent_tool_use_id": nil, "event": object{
			"type": "content_block_delta", "index": 0, "delta": object{"type": "text_delta", "text": rest[:n]}}})
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return s.say(t)
}

func (s *stream) toolBegin(command string) error {
	s.tools++
	return s.block(nil, object{"type": "tool_use", "id": s.toolID(), "name": "Bash", "input": object{"command": command}})
}

func (s *stream) toolID() string { return fmt.Sprintf("toolu_%d", s.tools) }

func (s *stream) tool(command, result string) error {
	if err := s.toolBegin(command); err != nil {
		return err
	}
	return s.print(object{"type": "user", "parent_tool_use_id": nil, "message": object{"role": "user", "content": []object{
		{"type": "tool_result", "tool_use_id": s.toolID(), "content": result}}}})
}

func (s *stream) result() {
	_ = s.print(object{"type": "result", "subtype": "success", "is_error": false, "result": s.last, "num_turns": s.turns,
		"total_cost_usd": 0.01, "usage": object{"input_tokens": 100, "output_tokens": 20}, "terminal_reason": "completed"})
}

// fail ends the session as the CLI does when the API refuses.
func (s *stream) fail(status int, kind, apiError, text string) error {
	e := object{"error": kind}
	if status != 0 {
		e["api_error_status"] = status
	}
	if apiError != "" {
		e["api_error"] = apiError
	}
	msg := object{"type": "assistant", "parent_tool_use_id": nil, "is_api_error_message": true,
		"message": object{"model": "<synthetic>", "role": "assistant", "content": []object{textBlock(text)}}}
	res := object{"type": "result", "subtype": "success", "is_error": true, "result": text, "num_turns": 1,
		"total_cost_usd": 0, "terminal_reason": "api_error"}
	for k, v := range e {
		msg[k] = v
		if k != "error" {
			res[k] = v
		}
	}
	_ = s.print(msg)
	_ = s.print(res)
	os.Exit(1)
	return nil
}
