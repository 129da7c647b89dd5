package pi

import (
	"encoding/json"
	"fmt"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

// Name is this executor's name in the table.
const Name = "pi"

var help = session.Help{
	executor.ClassLimit:   "see your provider's usage page",
	executor.ClassMoney:   "see your provider's billing page",
	executor.ClassLogin:   "start pi once and log in: /login, or set your provider's key",
	executor.ClassRequest: "pi --list-models shows what there is: --task-model PROVIDER/MODEL",
}

// New returns the executor.
func New(o session.Options) *session.CLI {
	return session.NewCLI(session.Spec{
		Name: Name, Install: "npm install -g @mariozechner/pi-coding-agent", Help: help, Options: o, ReadsStdin: true,
		Caps: executor.Caps{
			Resume: true, AnyModel: true, Usage: "tokens and dollars",
			Efforts: []string{"off", "minimal", "low", "medium", "high", "xhigh"}, // others it ignores, so we refuse them
		},
		Rules: executor.RulesFor(true, "PI_SKIP_VERSION_CHECK=1"),
		Args: func(r executor.Request) []string {
			args := []string{"--print", "--mode", "json"}
			args = executor.WithFlag(args, "--model", r.Model)
			args = executor.WithFlag(args, "--thinking", r.Effort)
			return executor.WithFlag(args, "--session", r.Resume)
		},
		Open: Dialect,
	})
}

// wire is a line, as far as we look at it.
type wire struct {
	Type       string          `json:"type"`
	ID         string          `json:"id"` // of the session
	Message    message         `json:"message"`
	ToolID     string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	Args       json.RawMessage `json:"args"`
	IsError    bool            `json:"isError"`
	Success    bool            `json:"success"`
	Attempt    int             `json:"attempt"`
	Attempts   int             `json:"maxAttempts"`
	Error      string          `json:"errorMessage"`
	FinalError string          `json:"finalError"`
}

type message struct {
	Role    string `json:"role"`
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Model string `json:"model"`
	Usage struct {
		Input      int64 `json:"input"`
		Output     int64 `json:"output"`
		CacheRead  int64 `json:"cacheRead"`
		CacheWrite int64 `json:"cacheWrite"`
		Cost       struct {
			Total float64 `json:"total"`
		} `json:"cost"`
	} `json:"usage"`
	Stop  string `json:"stopReason"`
	Error string `json:"errorMessage"`
}

type dialect struct {
	*session.Talk
	id     string
	usage  event.Usage
	model  string
	failed *session.Refusal
	ended  bool
}

// Dialect reads --mode json.
func Dialect(t *session.Talk) session.Dialect { return &dialect{Talk: t} }

// Object implements session.Dialect.
func (d *dialect) Object(line []byte, long *jsonl.Long) bool {
	switch jsonl.Type(line) {
	case "message_update", "message_start", "turn_end":
		return true
	case "agent_start":
		d.ended = false
		return true
	case "agent_end":
		d.ended = true
		d.TurnEnds()
		return true
	}
	var w wire
	if !jsonl.Object(line, &w) {
		return false
	}
	switch w.Type {
	case "session":
		d.id = w.ID
	case "message_end":
		d.message(&w.Message, line, long)
	case "tool_execution_start":
		d.Foreign(line)
		d.Tool(session.Describe(w.ToolName, w.Args), w.ToolID, 0)
	case "tool_execution_end":
		d.ToolEnds(w.ToolID)
		if w.IsError {
			d.Show("failed", 1)
		}
	case "auto_retry_start":
		d.Note(event.Info, fmt.Sprintf("the agent tries again, %d of %d (%s)", w.Attempt, w.Attempts, session.FirstLine(w.Error)))
	case "auto_retry_end":
		d.failed = nil
		if !w.Success {
			d.failed = &session.Refusal{Message: w.FinalError}
		}
	}
	return true
}

func (d *dialect) message(m *message, line []byte, long *jsonl.Long) {
	if m.Role != "assistant" {
		d.Foreign(line)
		return
	}
	own := 0
	for _, b := range m.Content {
		if b.Type == "text" {
			own += session.CountMentions([]byte(b.Text))
			d.Say(b.Text, long)
		}
	}
	d.Others(session.CountMentions(line) - own)
	u := m.Usage
	d.model = m.Model
	d.usage = d.usage.Add(event.Usage{InputTokens: u.Input, OutputTokens: u.Output, CacheReadTokens: u.CacheRead, CacheWriteTokens: u.CacheWrite, CostUSD: u.Cost.Total, Turns: 1})
	d.failed = nil
	if m.Stop == "error" || m.Stop == "aborted" {
		d.failed = &session.Refusal{Message: m.Error}
		if m.Error == "" {
			d.failed.Message = "the turn ended with " + m.Stop
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
