package claude

import (
	"encoding/json"
	"fmt"

	"ralphex/pkg/executor/jsonl"
)

// wire is a line of the stream, as far as we look at it. One struct serves all types: a field that a type lacks is zero.
type wire struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	SessionID string          `json:"session_id"`
	Parent    string          `json:"parent_tool_use_id"`
	Message   json.RawMessage `json:"message"` // an object, or a text in permission_denied

	Event        *wire         `json:"event"` // in stream_event
	Delta        *block        `json:"delta"`
	ContentBlock *block        `json:"content_block"`
	Result       any2text      `json:"result"`
	NumTurns     int           `json:"num_turns"`
	CostUSD      float64       `json:"total_cost_usd"`
	Usage        usage         `json:"usage"`
	ModelUsage   map[string]mu `json:"modelUsage"`

	apiError
	IsError        bool     `json:"is_error"`
	IsAPIError     bool     `json:"is_api_error_message"`
	TerminalReason string   `json:"terminal_reason"`
	Errors         []string `json:"errors"`
	RateLimit      *limit   `json:"rate_limit_info"`

	task
	Tasks       []task `json:"tasks"`
	Patch       task   `json:"patch"`
	Attempt     int    `json:"attempt"`
	MaxRetries  int    `json:"max_retries"`
	ErrorStatus int    `json:"error_status"`
	ToolName    string `json:"tool_name"`
}

// apiError is how a line describes what the API refused.
type apiError struct {
	Kind     string `json:"error"`            // rate_limit, authentication_failed, …
	Status   int    `json:"api_error_status"` // HTTP, 0 = no answer
	APIType  string `json:"api_error_type"`   // overloaded_error, …
	APIError string `json:"api_error"`        // usage_limit_reached, connection_failed
	Params   struct {
		RateLimit *limit `json:"rate_limit_info"`
	} `json:"api_error_params"`
}

// limit describes a usage window.
type limit struct {
	Status   string  `json:"status"`   // allowed, allowed_warning, rejected
	ResetsAt int64   `json:"resetsAt"` // seconds since 1970
	Type     string  `json:"rateLimitType"`
	Used     float64 `json:"utilization"`
}

// task is something the agent runs: a command, a subagent.
type task struct {
	ID          string `json:"task_id"`
	TaskType    string `json:"task_type"`
	Description string `json:"description"`
	Status      string `json:"status"`
	Background  bool   `json:"is_backgrounded"`
}

type message struct {
	ID         string          `json:"id"`
	Model      string          `json:"model"`
	StopReason string          `json:"stop_reason"`
	Content    json.RawMessage `json:"content"` // a list of blocks, or a text
	Usage      usage           `json:"usage"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
}

// usage counts tokens as the API does.
type usage struct {
	Input      int64 `json:"input_tokens"`
	Output     int64 `json:"output_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
}

// mu is a model's share, in the CLI's own spelling.
type mu struct {
	Input      int64   `json:"inputTokens"`
	Output     int64   `json:"outputTokens"`
	CacheRead  int64   `json:"cacheReadInputTokens"`
	CacheWrite int64   `json:"cacheCreationInputTokens"`
	Cost       float64 `json:"costUSD"`
}

// any2text is a text, or an object with the text in "output".
type any2text string

// UnmarshalJSON implements json.Unmarshaler. What is neither is empty.
func (t *any2text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil {
		var o struct{ Output string }
		_ = json.Unmarshal(b, &o)
		s = o.Output
	}
	*t = any2text(s)
	return nil
}

// String says what the task is, for a person.
func (t task) String() string {
	if t.Description == "" {
		return t.ID
	}
	return fmt.Sprintf("%s (%s %s)", t.Description, t.TaskType, t.ID)
}

// blocks reads the content of a message.
func (m *message) blocks() []block {
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return []block{{Type: "text", Text: s}}
	}
	var bs []block
	if !jsonl.Lenient(json.Unmarshal(m.Content, &bs)) {
		return nil
	}
	return bs
}
