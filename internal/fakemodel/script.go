package fakemodel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Script is what the model does. The first turn that fits a request and is not used up answers it.
type Script struct {
	Turns []Turn `json:"turns"`
	// Side answers requests that offer no tools (a title, a summary); they use no turn up. Empty: "ok".
	Side string `json:"side,omitempty"`
}

// Turn is one answer.
type Turn struct {
	Match  []string `json:"match,omitempty"`  // texts that the request's body must all hold, as they stand in its JSON
	Unless []string `json:"unless,omitempty"` // texts none of which it may hold
	Times  int      `json:"times,omitempty"`  // how many requests it answers; 0 = one, -1 = any number

	Thinking string `json:"thinking,omitempty"`
	Text     string `json:"text,omitempty"`
	Calls    []Call `json:"calls,omitempty"`
	Usage    *Usage `json:"usage,omitempty"` // nil = 100 in, 20 out
	Stop     string `json:"stop,omitempty"`  // why it ends: "refusal" or "length"; empty = as it should

	Fail *Fail `json:"fail,omitempty"` // instead of an answer; with Fail.Late in the middle of it
	// Drop breaks the connection: "before" the answer, or in "mid", when half of the text is out.
	Drop string `json:"drop,omitempty"`
	// Hang says half of the text and is silent then, until the agent goes away.
	Hang bool `json:"hang,omitempty"`
	// PauseMS is waited between the events of the answer, in milliseconds: a slow model.
	PauseMS int `json:"pause_ms,omitempty"`
}

// Call asks the agent to use a tool. Exactly one field is set; Name goes with Input.
type Call struct {
	Bash       string          `json:"bash,omitempty"` // a shell command
	Background string          `json:"background,omitempty"`
	Write      *File           `json:"write,omitempty"`
	Edit       *Edit           `json:"edit,omitempty"`
	Read       string          `json:"read,omitempty"`  // a file's path
	Agent      string          `json:"agent,omitempty"` // the prompt of a sub-agent
	Name       string          `json:"name,omitempty"`  // a tool by its own name, with …
	Input      json.RawMessage `json:"input,omitempty"` // … its own arguments
}

// File is a file to write whole.
type File struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// Edit is a text to replace in a file.
type Edit struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Usage is the count of tokens that an answer reports.
type Usage struct {
	Input      int `json:"input,omitempty"` // without those that were cached
	Cached     int `json:"cached,omitempty"`
	CacheWrite int `json:"cache_write,omitempty"`
	Output     int `json:"output,omitempty"` // with those of reasoning
	Reasoning  int `json:"reasoning,omitempty"`
}

// Fail is an error of the server.
type Fail struct {
	Status  int               `json:"status,omitempty"` // of HTTP
	Type    string            `json:"type,omitempty"`
	Code    string            `json:"code,omitempty"`
	Message string            `json:"message"`
	Headers map[string]string `json:"headers,omitempty"`
	Fields  map[string]any    `json:"fields,omitempty"` // further fields of the error ("resets_at")
	// Late sends it as an event of a stream that began well.
	Late bool `json:"late,omitempty"`
}

// Parse reads a script. An error names the turn.
func Parse(text []byte) (Script, error) {
	var s Script
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return Script{}, fmt.Errorf("read script: %w", err)
	}
	return s, s.check()
}

func (s Script) check() error {
	for i, t := range s.Turns {
		if err := t.check(); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	return nil
}

func (t Turn) check() error {
	switch {
	case t.Drop != "" && t.Drop != "before" && t.Drop != "mid":
		return fmt.Errorf("drop is %q; before and mid are possible", t.Drop)
	case t.Stop != "" && t.Stop != "refusal" && t.Stop != "length":
		return fmt.Errorf("stop is %q; refusal and length are possible", t.Stop)
	case t.Fail != nil && !t.Fail.Late && (t.Fail.Status < 400 || t.Fail.Status > 599):
		return fmt.Errorf("fail has status %d; one between 400 and 599 is needed, or late", t.Fail.Status)
	case t.Fail != nil && t.Drop != "":
		return errors.New("fail and drop exclude each other")
	}
	for _, c := range t.Calls {
		if n := c.set(); n != 1 {
			return fmt.Errorf("a call sets %d of bash, background, write, edit, read, agent, name; exactly one is needed", n)
		}
	}
	return nil
}

// set counts the fields that say what is called.
func (c Call) set() int {
	n := 0
	for _, is := range []bool{c.Bash != "", c.Background != "", c.Write != nil, c.Edit != nil, c.Read != "", c.Agent != "", c.Name != ""} {
		if is {
			n++
		}
	}
	return n
}

// fits tells whether the turn may answer a request with this body.
func (t Turn) fits(body string) bool {
	for _, text := range t.Match {
		if !strings.Contains(body, text) {
			return false
		}
	}
	for _, text := range t.Unless {
		if strings.Contains(body, text) {
			return false
		}
	}
	return true
}

func (t Turn) usage() Usage {
	if t.Usage == nil {
		return Usage{Input: 100, Output: 20}
	}
	return *t.Usage
}
