package qwen

import (
	"bytes"
	"fmt"
	"strings"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/claude"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

// Name is this executor's name in the table.
const Name = "qwen"

var help = session.Help{
	executor.ClassLimit:   "wait, or see your provider's usage page",
	executor.ClassMoney:   "see your provider's billing page",
	executor.ClassLogin:   "start qwen once and log in: /auth, or set OPENAI_API_KEY",
	executor.ClassRequest: "set another model: --task-model NAME",
}

// New returns the executor.
func New(o session.Options) *session.CLI {
	return session.NewCLI(session.Spec{
		Name: Name, Install: "npm install -g @qwen-code/qwen-code", Help: help, Options: o, ReadsStdin: true,
		Caps:  executor.Caps{Resume: true, SubAgents: "agent", AnyModel: true, Usage: "tokens"},
		Rules: executor.RulesFor(true, "QWEN_CODE_SUPPRESS_YOLO_WARNING=1"),
		Args: func(r executor.Request) []string {
			args := executor.WithFlag([]string{"--yolo", "-o", "stream-json"}, "--model", r.Model)
			return executor.WithFlag(args, "--resume", r.Resume)
		},
		Open:   Dialect,
		Stderr: func(line string) bool { return !strings.HasPrefix(line, "Ripgrep not available") },
	})
}

type dialect struct {
	*session.Talk
	inner  session.Dialect
	failed *session.Refusal
	ended  bool
}

// Dialect reads -o stream-json.
func Dialect(t *session.Talk) session.Dialect { return &dialect{Talk: t, inner: claude.Dialect(t)} }

// Object implements session.Dialect.
func (d *dialect) Object(line []byte, long *jsonl.Long) bool {
	if !d.inner.Object(line, long) {
		return false
	}
	if !bytes.Contains(line, []byte(`"result"`)) && !bytes.Contains(line, []byte(`"retry"`)) {
		return true
	}
	var w struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
		IsError bool   `json:"is_error"`
		Error   struct {
			Message string `json:"message"`
		} `json:"error"`
		Data struct {
			Attempt int `json:"attempt"`
			Max     int `json:"maxRetries"`
		} `json:"data"`
	}
	switch jsonl.Object(line, &w); {
	case w.Type == "system" && w.Subtype == "retry" && w.Data.Max > 0:
		d.Note(event.Info, fmt.Sprintf("the agent tries again, %d of %d", w.Data.Attempt, w.Data.Max))
	case w.Type == "system" && w.Subtype == "retry":
		d.Note(event.Info, "the agent tries again")
	case w.Type == "result":
		d.ended, d.failed = true, nil
		if w.IsError {
			d.failed = &session.Refusal{Message: w.Error.Message}
			if w.Error.Message == "" {
				d.failed.Message = w.Subtype
			}
		}
	}
	return true
}

// Spent implements session.Meter.
func (d *dialect) Spent() (event.Usage, map[string]event.Usage) {
	return d.inner.(session.Meter).Spent()
}

// Outcome implements session.Dialect.
func (d *dialect) Outcome(e session.End) session.Outcome {
	o := d.inner.Outcome(e)
	o.Failure = e.Verdict(d.failed, d.ended, help)
	return o
}
