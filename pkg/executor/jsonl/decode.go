package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Object reads a line into v. false: it is no JSON object. A field of an unexpected type is left out, the rest is taken.
func Object(line []byte, v any) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	return Lenient(json.Unmarshal(line, v))
}

// Value reads a raw value into v, an absent one as empty. It tells whether v can be used.
func Value(raw json.RawMessage, v any) bool {
	return len(raw) == 0 || Lenient(json.Unmarshal(raw, v))
}

// Lenient takes the error of a value that only holds a field of another type than expected for none.
func Lenient(err error) bool {
	var te *json.UnmarshalTypeError
	return err == nil || errors.As(err, &te)
}

// Type is the string under the key "type" at the top of a line, wherever it stands there. It is empty where the line
// is none of JSON's plain objects; encoding/json has the last word on those.
func Type(line []byte) string {
	c := NewCursor(line)
	c.Expect('{')
	for n := 0; c.More(n, '}'); n++ {
		key, _ := c.Str()
		c.Expect(':')
		if string(key) == "type" && c.Peek() == '"' {
			return string(c.Word())
		}
		c.Skip(0)
	}
	return ""
}
