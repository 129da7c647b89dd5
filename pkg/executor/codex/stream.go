package codex

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

// wire is a line of exec --json, as far as we look at it.
type wire struct {
	Type     string `json:"type"`
	ThreadID string `json:"thread_id"`
	Message  string `json:"message"` // of an error
	Item     *item  `json:"item"`
	Error    struct {
		Message string `json:"message"`
	} `json:"error"`
	Usage usage `json:"usage"`
}

type usage struct {
	Input      int64 `json:"input_tokens"`
	Cached     int64 `json:"cached_input_tokens"`
	CacheWrite int64 `json:"cache_write_input_tokens"`
	Output     int64 `json:"output_tokens"`
	Reasoning  int64 `json:"reasoning_output_tokens"`
}

// item is a step of a turn.
type item struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Message  string          `json:"message"` // of an error
	Status   string          `json:"status"`
	Command  string          `json:"command"`
	Changes  []change        `json:"changes"`
	Tool     string          `json:"tool"`
	Server   string          `json:"server"`
	Query    string          `json:"query"`
	Prompt   string          `json:"prompt"`
	Agents   json.RawMessage `json:"agents_states"`
	ExitCode *int            `json:"exit_code"`
}

type change struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
}

type dialect struct {
	*session.Talk
	thread string
	usage  event.Usage
	open   map[string]string // steps that run, described
	failed string            // of the last turn, if it failed
	last   string            // the last error line
}

// Dialect reads exec --json.
func Dialect(t *session.Talk) session.Dialect { return &dialect{Talk: t, open: map[string]string{}} }

// Object implements session.Dialect.
func (d *dialect) Object(line []byte, long *jsonl.Long) bool {
	var w wire
	if !jsonl.Object(line, &w) {
		return false
	}
	switch w.Type {
	case "thread.started":
		d.thread = w.ThreadID
	case "turn.started":
		d.failed = ""
	case "item.started":
		if w.Item != nil {
			d.begins(w.Item)
		}
	case "item.completed":
		if w.Item != nil {
			d.ends(w.Item, line, long)
		}
	case "turn.completed":
		d.spent(w.Usage)
		d.LeaveOpen(func(id string) string { return d.open[id] })
		d.TurnEnds()
	case "turn.failed":
		d.failed = or(w.Error.Message, "the turn failed")
		d.TurnEnds()
	case "error":
		d.last = w.Message
		d.Note(event.Warn, session.FirstLine(session.Readable(w.Message)))
	}
	return true
}

// begins shows a step that takes its time.
func (d *dialect) begins(it *item) {
	what := it.describe()
	if what == "" {
		return
	}
	d.open[it.ID] = what
	d.Tool(what, it.ID, 0)
}

func (d *dialect) ends(it *item, line []byte, long *jsonl.Long) {
	if it.Type == "agent_message" {
		d.Say(it.Text, long)
		return
	}
	d.Foreign(line)
	switch it.Type {
	case "reasoning":
		if text := session.FirstLine(strings.ReplaceAll(it.Text, "**", "")); text != "" {
			d.Show("thinking: "+strings.TrimSuffix(text, " …"), 0)
		}
		return
	case "error":
		if !ofOurs(it.Message) {
			d.Note(event.Warn, session.FirstLine(session.Readable(it.Message)))
		}
		return
	}
	if _, known := d.open[it.ID]; !known {
		d.begins(it)
	}
	delete(d.open, it.ID)
	d.ToolEnds(it.ID)
	d.others(it)
	if long != nil && long.Whole() {
		d.Note(event.Info, "output of "+long.Size()+" is not shown")
	}
}

// others shows what became of the agents that this one asked, a line each.
func (d *dialect) others(it *item) {
	var states map[string]struct {
		Status  string `json:"status"`
		Message string `json:"message"`
	}
	if it.Type != "collab_tool_call" || !jsonl.Value(it.Agents, &states) {
		return
	}
	for _, s := range states {
		if s.Message != "" {
			d.Show(s.Status+": "+session.FirstLine(s.Message), 1)
		}
	}
}

// shell is what codex wraps a command in.
var shell = lazyregexp.New(`^(?:/usr)?/bin/(?:ba|z|da)?sh -l?c (?:'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+))$`)

// describe says in one line what a step does; empty for those that are over when they are told.
func (it *item) describe() string {
	switch it.Type {
	case "command_execution":
		cmd := it.Command
		if m := shell.FindStringSubmatch(cmd); m != nil {
			cmd = m[1] + strings.ReplaceAll(m[2], `\"`, `"`) + m[3]
		}
		return "exec: " + session.FirstLine(cmd)
	case "file_change":
		var names []string
		for _, c := range it.Changes {
			names = append(names, c.Kind+" "+filepath.Base(c.Path))
		}
		return session.FirstLine("edit: " + strings.Join(names, ", "))
	case "collab_tool_call":
		return strings.TrimSuffix(it.Tool+": "+session.FirstLine(it.Prompt), ": ")
	case "mcp_tool_call":
		return strings.Trim(it.Server+" "+it.Tool, " ")
	case "web_search":
		return strings.TrimSuffix("web search: "+session.FirstLine(it.Query), ": ")
	}
	return ""
}

// spent adds a turn's tokens. The CLI counts what came from the cache as input, too.
func (d *dialect) spent(u usage) {
	d.usage = d.usage.Add(event.Usage{
		InputTokens: max(0, u.Input-u.Cached), OutputTokens: u.Output, ReasoningTokens: u.Reasoning, CacheReadTokens: u.Cached, CacheWriteTokens: u.CacheWrite, Turns: 1,
	})
}

// Outcome implements session.Dialect.
func (d *dialect) Outcome(e session.End) session.Outcome {
	return session.Outcome{SessionID: d.thread, Usage: d.usage, Failure: d.failure(e)}
}

// Spent implements session.Meter. The stream names no model.
func (d *dialect) Spent() (event.Usage, map[string]event.Usage) { return d.usage, nil }

// failure decides: the last turn failed; else the exit code, which a signal outweighs.
func (d *dialect) failure(e session.End) *executor.Failure {
	switch {
	case d.failed != "":
		return refused(d.failed, e.At)
	case e.Exit.Code == 0 || len(e.Said.Signals) > 0:
		return nil
	}
	return endedBadly(e, d.last)
}
