package gemini

import (
	"encoding/json"
	"strings"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

// Name is this executor's name in the table.
const Name = "gemini"

var help = session.Help{
	executor.ClassLimit:   "wait, or use another model: --task-model NAME",
	executor.ClassMoney:   "see the billing of your key's project",
	executor.ClassLogin:   "set GEMINI_API_KEY, or start gemini once and log in",
	executor.ClassRequest: "set another model: --task-model NAME",
}

// New returns the executor.
func New(o session.Options) *session.CLI {
	return session.NewCLI(session.Spec{
		Name: Name, Install: "npm install -g @google/gemini-cli", Help: help, Options: o, ReadsStdin: true,
		Caps:  executor.Caps{AnyModel: true, Usage: "tokens"},
		Rules: executor.RulesFor(true, "GEMINI_CLI_TRUST_WORKSPACE=true"),
		Args: func(r executor.Request) []string {
			return executor.WithFlag([]string{"--yolo", "-o", "stream-json"}, "-m", r.Model)
		},
		Prompt: func(text string) []string { return []string{"-p", text} },
		Open:   Dialect,
		Stderr: worthShowing,
	})
}

// worthShowing keeps back what says nothing about the session: advice on terminals, and stack traces.
func worthShowing(line string) bool {
	for _, noise := range []string{"Warning: Basic terminal", "Warning: 256-color", "YOLO mode is enabled", "Ripgrep is not available", "    at ", "  ", "}"} {
		if strings.HasPrefix(line, noise) {
			return false
		}
	}
	return true
}

// wire is a line, as far as we look at it.
type wire struct {
	Type    string          `json:"type"`
	Session string          `json:"session_id"`
	Model   string          `json:"model"`
	Role    string          `json:"role"`
	Content string          `json:"content"`
	Delta   bool            `json:"delta"`
	Tool    string          `json:"tool_name"`
	ToolID  string          `json:"tool_id"`
	Params  json.RawMessage `json:"parameters"`
	Status  string          `json:"status"`
	Message string          `json:"message"` // of an error line
	Error   struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
	Stats struct {
		Input  int64 `json:"input_tokens"`
		Output int64 `json:"output_tokens"`
		Cached int64 `json:"cached"`
	} `json:"stats"`
}

type dialect struct {
	*session.Talk
	id     string
	usage  event.Usage
	model  string
	failed *session.Refusal
	ended  bool
}

// Dialect reads -o stream-json.
func Dialect(t *session.Talk) session.Dialect { return &dialect{Talk: t} }

// Object implements session.Dialect.
func (d *dialect) Object(line []byte, long *jsonl.Long) bool {
	var w wire
	if !jsonl.Object(line, &w) {
		return false
	}
	switch w.Type {
	case "init":
		d.id, d.model = w.Session, w.Model
	case "message":
		switch {
		case w.Role != "assistant":
			d.EndDelta()
			d.Foreign(line)
		case w.Delta:
			d.Delta(w.Content, long)
		default:
			d.Say(w.Content, long)
		}
	case "tool_use":
		d.EndDelta()
		d.Foreign(line)
		d.Tool(session.Describe(w.Tool, w.Params), w.ToolID, 0)
	case "tool_result":
		d.Foreign(line)
		d.ToolEnds(w.ToolID)
		if w.Status == "error" {
			d.Show("failed: "+session.FirstLine(w.Error.Message), 1)
		}
	case "error":
		d.Note(event.Warn, session.FirstLine(w.Message))
	case "result":
		d.result(&w)
	}
	return true
}

func (d *dialect) result(w *wire) {
	d.EndDelta()
	d.TurnEnds()
	d.ended, d.failed = true, nil
	d.usage = d.usage.Add(event.Usage{InputTokens: max(0, w.Stats.Input-w.Stats.Cached), OutputTokens: w.Stats.Output, CacheReadTokens: w.Stats.Cached, Turns: 1})
	if w.Status != "success" {
		d.failed = &session.Refusal{Kind: w.Error.Type, Message: w.Error.Message}
		if d.failed.Message == "" {
			d.failed.Message = "the turn ended with status " + w.Status
		}
	}
}

// Outcome implements session.Dialect.
func (d *dialect) Outcome(e session.End) session.Outcome {
	return session.Outcome{SessionID: d.id, Usage: d.usage, Models: session.OfModel(d.model, d.usage), Failure: e.Verdict(d.failed, d.ended, help)}
}

// Spent implements session.Meter.
func (d *dialect) Spent() (event.Usage, map[string]event.Usage) {
	return d.usage, session.OfModel(d.model, d.usage)
}
