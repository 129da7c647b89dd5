package config

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed prompts/*.txt
var embedded embed.FS

// PromptNames are the prompts that may be replaced by a file of that name.
func PromptNames() []string {
	return []string{"task", "review_first", "review_second", "codex", "codex_review", "custom_review", "custom_eval", "make_plan", "finalize"}
}

// Prompt returns the text of a prompt and where it comes from: the local file, else the global one, else
// "embedded". Variables are not filled in; see Expand. A name without any text is fs.ErrNotExist.
func (c *Config) Prompt(name string) (text, source string, err error) {
	if !slices.Contains(PromptNames(), name) {
		return "", "", fmt.Errorf("prompt %s: %w", name, fs.ErrNotExist)
	}
	for _, dir := range c.prompts {
		raw, err := readSmall(filepath.Join(dir.path, name+".txt"))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", "", fmt.Errorf("read prompt %s: %w", name, err)
		}
		if text := promptText(string(raw)); text != "" {
			return text, filepath.Join(dir.shown, name+".txt"), nil
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
	text := strings.ReplaceAll(strings.TrimPrefix(raw, string(bom)), "\r\n", "\n")
	lines := strings.Split(text, "\n")
	comment := func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" && !comment(l) }) {
		return ""
	}
	head := 0
	for head < len(lines) && comment(lines[head]) {
		head++
	}
	if head >= 2 {
		lines = lines[head:]
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// variable matches a template variable, {{PLAN_FILE}}.
var variable = regexp.MustCompile(`\{\{[A-Z][A-Z0-9_]*\}\}`)

// Expand fills the variables {{NAME}} of a prompt, in one pass: what a value brings in is never expanded
// again. Unknown variables stay as they are.
func Expand(text string, vars map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(v string) string {
		if value, ok := vars[v[2:len(v)-2]]; ok {
			return value
		}
		return v
	})
}
