package config

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed prompts/*.txt agents/*.txt
var embedded embed.FS

// PromptNames are the prompts that may be replaced by a file of that name.
func PromptNames() []string {
	return []string{"task", "review_first", "review_second", "codex", "codex_review", "custom_review", "custom_eval", "make_plan", "finalize"}
}

// Prompt returns the text of a prompt and where it comes from: the local file, else the global one, else
// "embedded". Variables and agents are not filled in; see Template. A name that is none is fs.ErrNotExist.
func (c *Config) Prompt(name string) (text, source string, err error) {
	if !slices.Contains(PromptNames(), name) {
		return "", "", fmt.Errorf("prompt %s: %w", name, fs.ErrNotExist)
	}
	for _, dir := range c.folders {
		raw, err := dir.read("prompts", name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", "", fmt.Errorf("read prompt %s: %w", name, err)
		}
		if text := promptText(raw); text != "" {
			return text, dir.show("prompts", name), nil
		}
	}
	raw, err := embedded.ReadFile("prompts/" + name + ".txt")
	if err != nil {
		return "", "", fmt.Errorf("prompt %s: %w", name, err)
	}
	return promptText(string(raw)), "embedded", nil
}

// promptText takes the comments out of a prompt file. Two or more # lines at its very beginning are a
// comment; a single one is a Markdown title and stays, as does everything further down. A file of
// nothing but # lines and blank lines is empty: that is how templates lie about.
func promptText(raw string) string {
	text := plainText(raw)
	if !hasText(text) {
		return ""
	}
	lines := strings.Split(text, "\n")
	head := 0
	for head < len(lines) && isComment(lines[head]) {
		head++
	}
	if head >= 2 {
		lines = lines[head:]
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// plainText takes a byte order mark and the carriage returns of line ends out.
func plainText(raw string) string {
	return strings.ReplaceAll(strings.TrimPrefix(raw, string(bom)), "\r\n", "\n")
}

func isComment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

// hasText tells whether a file has a line that is neither blank nor a comment.
func hasText(text string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && !isComment(line) {
			return true
		}
	}
	return false
}

// embeddedNames are the files of a kind that are part of the program, without .txt.
func embeddedNames(kind string) []string {
	entries, _ := embedded.ReadDir(kind)
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".txt"))
	}
	return names
}
