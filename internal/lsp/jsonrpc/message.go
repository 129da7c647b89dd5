package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Version is what each message says in "jsonrpc".
const Version = "2.0"

// The error codes of JSON-RPC and of the Language Server Protocol.
const (
	ParseError           = -32700
	InvalidRequest       = -32600
	MethodNotFound       = -32601
	InvalidParams        = -32602
	InternalError        = -32603
	ServerNotInitialized = -32002
	RequestFailed        = -32803
	RequestCancelled     = -32800
)

// Error is the error of a response.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// Errorf makes an error with a code.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ID is the id of a request in compact JSON: `1` or `"a"`. The empty ID is none, and is written as null.
type ID string

// MarshalJSON writes the id as it was read.
func (id ID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte("null"), nil
	}
	return []byte(id), nil
}

// ReadID reads an id: an integer or a string. Two spellings of one string are the same id.
func ReadID(raw json.RawMessage) (ID, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || len(raw) > 1<<10 {
		return "", false
	}
	if raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return "", false
		}
		canonical, err := json.Marshal(s)
		return ID(canonical), err == nil
	}
	var n json.Number
	if json.Unmarshal(raw, &n) != nil {
		return "", false
	}
	_, err := n.Int64()
	return ID(n), err == nil
}

// Message is a request, a notification or a response.
type Message struct {
	ID     ID // empty for a notification
	Method string
	Params json.RawMessage
	Result json.RawMessage // of a response
	Error  *Error          // of a response
}

// IsRequest tells whether the message asks for an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != "" }

// IsNotification tells whether the message asks for none.
func (m *Message) IsNotification() bool { return m.Method != "" && m.ID == "" }

// Decode reads a body. If it is no message, the error is what to answer, and the message has the id to answer
// with, as far as one could be read.
func Decode(body []byte) (*Message, *Error) {
	m := &Message{}
	if first := bytes.TrimSpace(body); len(first) > 0 && first[0] == '[' && json.Valid(body) {
		return m, Errorf(InvalidRequest, "batches are not taken")
	}
	var raw struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  *string         `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   *Error          `json:"error"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		if !json.Valid(body) {
			return m, Errorf(ParseError, "parse message: %v", err)
		}
		return m, Errorf(InvalidRequest, "a message is an object, with a method that is a string")
	}
	if raw.ID != nil {
		id, ok := ReadID(raw.ID)
		if !ok && !(raw.Method == nil && string(raw.ID) == "null") {
			return m, Errorf(InvalidRequest, "an id is an integer or a string")
		}
		m.ID = id
	}
	switch {
	case raw.Version != Version:
		return m, Errorf(InvalidRequest, "jsonrpc is %q, not %q", raw.Version, Version)
	case raw.Method != nil && *raw.Method == "":
		return m, Errorf(InvalidRequest, "the method has no name")
	case raw.Method == nil && raw.ID == nil:
		return m, Errorf(InvalidRequest, "neither a method nor an id")
	case raw.Method == nil && raw.Result == nil && raw.Error == nil:
		return m, Errorf(InvalidRequest, "neither a method nor a result")
	}
	if raw.Method != nil {
		m.Method = *raw.Method
	}
	m.Params, m.Result, m.Error = raw.Params, raw.Result, raw.Error
	return m, nil
}

// Encode writes a body. A message that has no method is a response; its ID may be empty (null).
func Encode(m *Message) ([]byte, error) {
	type envelope struct {
		Version string          `json:"jsonrpc"`
		ID      *ID             `json:"id,omitempty"`
		Method  string          `json:"method,omitempty"`
		Params  json.RawMessage `json:"params,omitempty"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   *Error          `json:"error,omitempty"`
	}
	e := envelope{Version: Version, Method: m.Method, Params: m.Params, Result: m.Result, Error: m.Error}
	if m.Method == "" || m.ID != "" {
		e.ID = &m.ID
	}
	if m.Method == "" && m.Error == nil && m.Result == nil {
		e.Result = json.RawMessage("null")
	}
	body, err := marshal(e)
	if err != nil {
		return nil, fmt.Errorf("write message: %w", err)
	}
	return body, nil
}

// Raw is v as JSON, with <, > and & as they are.
func Raw(v any) (json.RawMessage, error) { return marshal(v) }

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
