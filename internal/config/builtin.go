package config

import (
	"fmt"
	"path"
	"strings"
)

// File is a file of a settings folder as it is built in.
type File struct {
	Name string // below the folder, with slashes: "config", "prompts/task.txt", "agents/quality.txt"
	Text string
}

// BuiltIn are all files that a settings folder can have: the settings at their defaults, the prompts, the agents.
func BuiltIn() []File {
	files := []File{{"config", settingsText()}}
	for _, kind := range []string{"prompts", "agents"} {
		for _, name := range embeddedNames(kind) {
			raw, _ := embedded.ReadFile(kind + "/" + name + ".txt")
			files = append(files, File{path.Join(kind, name+".txt"), string(raw)})
		}
	}
	return files
}

// Kind is the part of the folder that the file belongs to: "config", "prompts" or "agents".
func (f File) Kind() string {
	kind, _, _ := strings.Cut(f.Name, "/")
	return kind
}

// Template is the file as a comment: it sets nothing and shows what could be set. Taking the first two characters of
// a line away makes it count.
func (f File) Template() string {
	var out strings.Builder
	for line := range strings.Lines(f.Text) {
		switch {
		case strings.TrimSpace(line) == "", f.Kind() == "config" && strings.HasPrefix(line, "#"):
			out.WriteString(line)
		default:
			out.WriteString("# " + line)
		}
	}
	return out.String()
}

// IsTemplate tells whether a file has nothing but comments and blank lines, so that it sets nothing.
func IsTemplate(text string) bool { return !hasText(plainText(text)) }

// settingsText is a settings file that sets every key to its default. Keys to which no value is a meaning of its own are
// comments in it.
func settingsText() string {
	var out strings.Builder
	out.WriteString("# Settings of ralphex. A comment has a line of its own; docs/config.md tells more of each key.\n")
	group := ""
	for _, k := range table() {
		if k.Group != group {
			group = k.Group
			fmt.Fprintf(&out, "\n# ---- %s ----\n", group)
		}
		out.WriteString("\n")
		for _, line := range wrap(k.about(), 100) {
			out.WriteString("# " + line + "\n")
		}
		if k.Default == "" || k.unsetMeans {
			out.WriteString("# ")
		}
		out.WriteString(strings.TrimRight(k.Name+" = "+k.Default, " ") + "\n")
	}
	return out.String()
}

// about is the key's meaning with what it takes.
func (k Key) about() string {
	s := k.Doc
	if len(k.Choices) > 0 {
		s += " One of " + strings.Join(k.Choices, ", ") + "."
	}
	if k.Command {
		s += " From a repository's own settings it needs trust (ralphex trust)."
	}
	return s
}

// wrap breaks a text into lines of at most so many characters, but for words that are longer.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(*last)+1+len(word) > width:
			lines = append(lines, word)
		default:
			*last += " " + word
		}
	}
	return lines
}
