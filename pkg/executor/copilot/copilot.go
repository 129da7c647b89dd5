package copilot

import (
	"encoding/json"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

// Name is this executor's name in the table.
const Name = "copilot"

var help = session.Help{
	executor.ClassLimit:   "see your premium requests on the settings page of your account",
	executor.ClassMoney:   "see your plan on the settings page of your account",
	executor.ClassLogin:   "start copilot once and log in: /login",
	executor.ClassRequest: "set another model: --task-model NAME",
}

// New returns the executor.
func New(o session.Options) *session.CLI {
	return session.NewCLI(session.Spec{
		Name: Name, Install: "npm install -g @github/copilot", Help: help, Options: o,
		Caps:  executor.Caps{Resume: true, SubAgents: "task", AnyModel: true, Usage: "premium requests"},
		Rules: executor.RulesFor(true, "COPILOT_AUTO_UPDATE=false"),
		Args: func(r executor.Request) []string {
			args := executor.WithFlag([]string{"--allow-all", "--no-ask-user", "--no-color", "--output-format", "json"}, "--model", r.Model)
			if r.Resume != "" {
				args = append(args, "--resume="+r.Resume)
			}
			return args
		},
		Prompt: func(text string) []string { return []string{"-p", text} },
		Open:   Dialect,
	})
}

// wire is a line, as far as we look at it.
type wire struct {
	Type     string `json:"type"`
	Session  string `json:"sessionId"`
	ExitCode int    `json:"exitCode"`
	Data     struct {
		Content    string          `json:"content"`
		Parent     string          `json:"parentToolCallId"`
		ToolCall   string          `json:"toolCallId"`
		ToolName   string          `json:"toolName"`
		Arguments  json.RawMessage `json:"arguments"`
		Success    *bool           `json:"success"`
		ErrorType  string          `json:"errorType"`
		InfoType   string          `json:"infoType"`
		Message    string          `json:"message"`
		Status     int             `json:"statusCode"`
		Model      string          `json:"model"`
		Input      int64           `json:"inputTokens"`
		Output     int64           `json:"outputTokens"`
		CacheRead  int64           `json:"cacheReadTokens"`
		CacheWrite int64           `json:"cacheWriteTokens"`
	} `json:"data"`
}

type dialect struct {
	*session.Talk
	id     string
	usage  event.Usage
	model  string
	failed *session.Refusal
	ended  bool
}

// Dialect reads --output-format json.
func Dialect(t *session.Talk) session.Dialect { return &dialect{Talk: t} }

// Object implements session.Dialect.
func (d *dialect) Object(line []byte, long *jsonl.Long) bool {
	var w wire
	if !jsonl.Object(line, &w) {
		return false
	}
	depth := 0
	if w.Data.Parent != "" {
		depth = 1
	}
	switch w.Type {
	case "session.tools_updated":
		d.model = w.Data.Model
	case "assistant.message":
		d.message(&w, line, long, depth)
	case "user.message", "assistant.reasoning", "tool.execution_partial_result":
		d.Foreign(line)
	case "assistant.turn_end":
		d.usage.Turns++
	case "assistant.usage":
		d.usage = d.usage.Add(event.Usage{InputTokens: w.Data.Input, OutputTokens: w.Data.Output, CacheReadTokens: w.Data.CacheRead, CacheWriteTokens: w.Data.CacheWrite})
	case "tool.execution_start":
		d.Foreign(line)
		d.Tool(session.Describe(w.Data.ToolName, w.Data.Arguments), w.Data.ToolCall, depth)
	case "tool.execution_complete":
		d.Foreign(line)
		d.ToolEnds(w.Data.ToolCall)
		if ok := w.Data.Success; ok != nil && !*ok {
			d.Show("failed", depth+1)
		}
	case "session.info":
		if w.Data.InfoType == "model_retry" { // others repeat what a tool did
			d.Note(event.Info, session.FirstLine(w.Data.Message))
		}
	case "session.warning":
		d.Note(event.Warn, session.FirstLine(w.Data.Message))
	case "session.error":
		d.failed = &session.Refusal{Kind: w.Data.ErrorType, Message: w.Data.Message, Status: w.Data.Status}
	case "result":
		d.id, d.ended = w.Session, true
		d.TurnEnds()
		if w.ExitCode == 0 {
			d.failed = nil
		}
	}
	return true
}

// message is a whole answer. A failed call that was made again leaves none.
func (d *dialect) message(w *wire, line []byte, long *jsonl.Long, depth int) {
	if depth > 0 {
		d.Foreign(line)
		d.Show(session.FirstLine(w.Data.Content), depth)
		return
	}
	if w.Data.Content != "" {
		d.Say(w.Data.Content, long)
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
