package fakemodel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// tool is one that a request offers.
type tool struct {
	name   string
	space  string // that the tool stands in; empty = none
	custom bool   // takes a text and no arguments
	schema schema // of its arguments
}

// schema is as much of a JSON schema as is needed to call a tool.
type schema struct {
	Properties map[string]struct {
		Type any      `json:"type"`
		Enum []string `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

// called is a call in the words of the agent's own tools.
type called struct {
	id     string
	name   string
	space  string
	custom bool
	input  json.RawMessage // arguments, or of a custom tool a JSON string
}

// names are the tools that do a thing, in all agents.
var names = map[string][]string{
	"bash":  {"Bash", "bash", "exec_command", "run_shell_command"},
	"write": {"Write", "write", "write_file", "create", "apply_patch"},
	"edit":  {"Edit", "edit", "replace", "apply_patch"},
	"read":  {"Read", "read", "read_file", "view"},
	"agent": {"Task", "Agent", "task", "agent", "spawn_agent"},
}

// words are the names that an argument has, in all agents.
var words = map[string][]string{
	"command": {"command", "cmd"},
	"path":    {"file_path", "filePath", "path"},
	"content": {"content", "file_text"},
	"old":     {"old_string", "oldString", "old_str", "oldText"},
	"new":     {"new_string", "newString", "new_str", "newText"},
	"prompt":  {"prompt", "message"},
}

// translate says calls in the words of the tools that are offered.
func translate(calls []Call, offered []tool, id string) ([]called, error) {
	var out []called
	for i, c := range calls {
		made, err := c.translate(offered)
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
		made.id = fmt.Sprintf("toolu_%s_%d", id, i)
		out = append(out, made)
	}
	return out, nil
}

func (c Call) translate(offered []tool) (called, error) {
	if c.Name != "" {
		i := slices.IndexFunc(offered, func(t tool) bool { return t.name == c.Name })
		if i < 0 {
			return called{name: c.Name, input: c.Input}, nil // the agent shall say what it thinks of that
		}
		return called{name: c.Name, space: offered[i].space, custom: offered[i].custom, input: c.Input}, nil
	}
	does, args := c.means()
	if made, ok := c.with(names[does], args, offered); ok {
		return made, nil
	}
	if c.Write != nil || c.Edit != nil {
		args = map[string]string{"command": "apply_patch <<'EOF'\n" + c.patch() + "\nEOF"} // codex catches that
		if made, ok := c.with(names["bash"], args, offered); ok {
			return made, nil
		}
	}
	var have []string
	for _, t := range offered {
		have = append(have, t.name)
	}
	return called{}, fmt.Errorf("the agent offers no tool that does %s, only %s", does, strings.Join(have, ", "))
}

// with calls the first of the names that is offered.
func (c Call) with(names []string, args map[string]string, offered []tool) (called, bool) {
	for _, name := range names {
		i := slices.IndexFunc(offered, func(t tool) bool { return t.name == name })
		if i < 0 {
			continue
		}
		t := offered[i]
		if t.custom {
			return called{name: name, custom: true, input: marshal(c.patch())}, true
		}
		return called{name: name, space: t.space, input: marshal(t.arguments(args, c.Background != ""))}, true
	}
	return called{}, false
}

// means is what the call does, with its arguments by our names.
func (c Call) means() (string, map[string]string) {
	switch {
	case c.Bash != "":
		return "bash", map[string]string{"command": c.Bash}
	case c.Background != "":
		return "bash", map[string]string{"command": c.Background}
	case c.Write != nil:
		return "write", map[string]string{"path": c.Write.Path, "content": c.Write.Content}
	case c.Edit != nil:
		return "edit", map[string]string{"path": c.Edit.Path, "old": c.Edit.Old, "new": c.Edit.New}
	case c.Read != "":
		return "read", map[string]string{"path": c.Read}
	default:
		return "agent", map[string]string{"prompt": c.Agent}
	}
}

// arguments puts ours under the tool's names, and fills up what else the tool insists on.
func (t tool) arguments(ours map[string]string, background bool) map[string]any {
	args := map[string]any{}
	_, listed := t.schema.Properties["edits"] // several replacements at once
	change := map[string]string{}
	for word, value := range ours {
		if listed && (word == "old" || word == "new") {
			change[word+"Text"] = value
			continue
		}
		args[t.called(word)] = value
	}
	if listed {
		args["edits"] = []any{change}
	}
	for _, flag := range []string{"run_in_background", "is_background"} {
		if _, ok := t.schema.Properties[flag]; ok && background {
			args[flag] = true
		}
	}
	for _, name := range t.schema.Required {
		if _, ok := args[name]; !ok {
			args[name] = t.filler(name)
		}
	}
	return args
}

// called is the tool's name of an argument.
func (t tool) called(word string) string {
	for _, name := range words[word] {
		if _, ok := t.schema.Properties[name]; ok {
			return name
		}
	}
	return words[word][0]
}

// filler is a value for an argument that no call of ours has.
func (t tool) filler(name string) any {
	p := t.schema.Properties[name]
	switch {
	case len(p.Enum) > 0:
		return p.Enum[0]
	case name == "subagent_type":
		return "general-purpose"
	}
	switch fmt.Sprint(p.Type) {
	case "boolean", "BOOLEAN":
		return false
	case "number", "integer", "NUMBER", "INTEGER":
		return 1
	case "array", "ARRAY":
		return []any{}
	}
	return "next step"
}

// patch is a file or a change in the words of apply_patch.
func (c Call) patch() string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	switch {
	case c.Write != nil:
		fmt.Fprintf(&b, "*** Add File: %s\n", c.Write.Path)
		lines(&b, "+", c.Write.Content)
	case c.Edit != nil:
		fmt.Fprintf(&b, "*** Update File: %s\n@@\n", c.Edit.Path)
		lines(&b, "-", c.Edit.Old)
		lines(&b, "+", c.Edit.New)
	}
	b.WriteString("*** End Patch")
	return b.String()
}

func lines(b *strings.Builder, mark, text string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(mark + line + "\n")
	}
}

func marshal(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	return b
}
