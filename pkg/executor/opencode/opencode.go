package opencode

import (
	"encoding/json"
	"slices"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

// Name is this executor's name in the table.
const Name = "opencode"

var help = session.Help{
	executor.ClassLimit:   "see your provider's usage page",
	executor.ClassMoney:   "see your provider's billing page",
	executor.ClassLogin:   "opencode auth login",
	executor.ClassRequest: "opencode models lists what there is: --task-model PROVIDER/MODEL",
}

// New returns the executor.
func New(o session.Options) *session.CLI {
	return session.NewCLI(session.Spec{
		Name: Name, Install: "npm install -g opencode-ai", Help: help, Options: o, ReadsStdin: true,
		Caps: executor.Caps{
			Resume: true, SubAgents: "task", AnyModel: true, Usage: "tokens and dollars",
			Efforts: []string{"minimal", "low", "medium", "high", "xhigh", "max"}, AnyEffort: true, // variants are the model's own
		},
		Rules: executor.RulesFor(true, "OPENCODE_DISABLE_AUTOUPDATE=1"),
		Env:   allowAll,
		Args: func(r executor.Request) []string {
			args := []string{"run", "--format", "json"}
			args = executor.WithFlag(args, "--model", r.Model)
			args = executor.WithFlag(args, "--variant", r.Effort)
			return executor.WithFlag(args, "--session", r.Resume)
		},
		Open: Dialect,
	})
}

const configVar = "OPENCODE_CONFIG_CONTENT"

// allowAll lets the agent use its tools without asking: nobody is there to answer. What the user set in that variable
// stays, a permission of theirs too; if it is no JSON object, it is left alone.
func allowAll(env []string) []string {
	config := map[string]json.RawMessage{}
	if old := executor.Getenv(env, configVar); old != "" && json.Unmarshal([]byte(old), &config) != nil {
		return env
	}
	if _, set := config["permission"]; !set {
		config["permission"] = json.RawMessage(`"allow"`)
	}
	b, err := json.Marshal(config)
	if err != nil {
		return env
	}
	return append(executor.DropEnv(slices.Clone(env), configVar), configVar+"="+string(b))
}

// wire is a line, as far as we look at it.
type wire struct {
	Type    string `json:"type"`
	Session string `json:"sessionID"`
	Part    struct {
		Text   string `json:"text"`
		Tool   string `json:"tool"`
		Reason string `json:"reason"`
		State  struct {
			Status string          `json:"status"`
			Input  json.RawMessage `json:"input"`
			Error  string          `json:"error"`
		} `json:"state"`
		Tokens struct {
			Input     int64 `json:"input"`
			Output    int64 `json:"output"`
			Reasoning int64 `json:"reasoning"`
			Cache     struct {
				Read  int64 `json:"read"`
				Write int64 `json:"write"`
			} `json:"cache"`
		} `json:"tokens"`
		Cost float64 `json:"cost"`
	} `json:"part"`
	Error struct {
		Name string `json:"name"`
		Data struct {
			Message string `json:"message"`
			Status  int    `json:"statusCode"`
		} `json:"data"`
	} `json:"error"`
}

type dialect struct {
	*session.Talk
	id     string
	usage  event.Usage
	failed *session.Refusal
	ended  bool
}

// Dialect reads run --format json.
func Dialect(t *session.Talk) session.Dialect { return &dialect{Talk: t} }

// Object implements session.Dialect.
func (d *dialect) Object(line []byte, long *jsonl.Long) bool {
	var w wire
	if !jsonl.Object(line, &w) {
		return false
	}
	if d.id == "" {
		d.id = w.Session
	}
	depth := 0
	if w.Session != d.id { // a sub-agent has a session of its own
		depth = 1
	}
	switch p := &w.Part; w.Type {
	case "text":
		if depth == 0 {
			d.Say(p.Text, long)
			break
		}
		d.Foreign(line)
		d.Show(session.FirstLine(p.Text), depth)
	case "tool_use":
		d.Foreign(line)
		d.Tool(session.Describe(p.Tool, p.State.Input), "", depth)
		if p.State.Status == "error" {
			d.Show("failed: "+session.FirstLine(p.State.Error), depth+1)
		}
	case "reasoning":
		d.Foreign(line)
	case "step_start":
		d.ended = d.ended && depth > 0
	case "step_finish":
		t := p.Tokens
		d.usage = d.usage.Add(event.Usage{InputTokens: t.Input, OutputTokens: t.Output + t.Reasoning, ReasoningTokens: t.Reasoning,
			CacheReadTokens: t.Cache.Read, CacheWriteTokens: t.Cache.Write, CostUSD: p.Cost, Turns: 1})
		if depth == 0 {
			d.failed, d.ended = nil, p.Reason != "tool-calls"
		}
	case "error":
		d.failed = &session.Refusal{Kind: w.Error.Name, Message: w.Error.Data.Message, Status: w.Error.Data.Status}
		if d.failed.Message == "" {
			d.failed.Message = w.Error.Name
		}
		d.Note(event.Warn, session.FirstLine(d.failed.Message))
	}
	return true
}

// Outcome implements session.Dialect.
func (d *dialect) Outcome(e session.End) session.Outcome {
	return session.Outcome{SessionID: d.id, Usage: d.usage, Failure: e.Verdict(d.failed, d.ended, help)}
}

// Spent implements session.Meter.
func (d *dialect) Spent() (event.Usage, map[string]event.Usage) { return d.usage, nil }
