package prompt

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/lazyregexp"
	"ralphex/internal/ralph/iteration"
)

// Template is a text with placeholders.
type Template struct {
	Path string // where it lies, or "built in: <kind>"
	Text string
}

// builtin is the template of every kind. The stable part ends where stableEnd begins.
const builtin = `# {{prompt_title}}

{{prompt_intro}}

## Strategy

{{strategy_context}}

## Operating Rules

{{operating_rules}}

## Execution Contract

{{execution_contract}}

## Final Response

{{final_response_contract}}

## Template Selection

{{template_selection_reason}}

## Preflight

{{preflight_context}}

## Objective

{{objective_context}}

## Repository

{{repo_context}}

## Structure

{{structure_context}}

## Runtime

{{runtime_context}}

## Selected Task

{{task_context}}

## Plan of the Task

{{task_plan_context}}

## Progress So Far

{{progress_context}}

## Prior Iterations

{{prior_iteration_context}}
`

const stableEnd = "## Template Selection"

// maxTemplate bounds a template, in bytes.
const maxTemplate = 1 << 20

// TemplateError is a template that can't be used.
type TemplateError struct {
	Path string
	Line int // 1-based; 0 = the file as a whole
	What string
}

func (e *TemplateError) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.What
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.What)
}

// Hint says what to do.
func (e *TemplateError) Hint() string {
	return "the placeholders are {{" + strings.Join(placeholders, "}}, {{") + "}}; without promptTemplateDirectory the built-in templates are used"
}

// LoadTemplate finds the template of a kind in a folder: that of the role, <role>.md, then that of the kind, <kind>.md, then the built-in one. dir is "" where the
// workspace has no templates of its own, role where nobody set one.
func LoadTemplate(dir string, kind iteration.Kind, role string) (Template, error) {
	own := Template{"built in: " + string(kind), builtin}
	if dir == "" {
		return own, nil
	}
	names := []string{string(kind) + ".md"}
	if role != "" && kind != iteration.Replenish {
		names = append([]string{role + ".md"}, names...)
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		text, err := durable.ReadFile(path, maxTemplate)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return own, &TemplateError{Path: path, What: err.Error()}
		}
		t := Template{path, string(text)}
		return t, t.check()
	}
	return own, nil
}

var placeholder = lazyregexp.New(`\{\{\s*([A-Za-z0-9_.-]+)\s*\}\}`)

// check refuses placeholders that nobody fills: what stands in a prompt as {{name}} was a slip of the pen.
func (t Template) check() error {
	for i, line := range strings.Split(t.Text, "\n") {
		for _, m := range placeholder.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(placeholders, m[1]) {
				return &TemplateError{t.Path, i + 1, "unknown placeholder " + m[0]}
			}
		}
	}
	return nil
}

// fill puts the parts in. A heading whose only part is empty goes with it; required parts that the template has no place for stand at its end.
func (t Template) fill(parts map[string][]string) string {
	var out []string
	placed := map[string]bool{}
	for line := range strings.Lines(t.Text) {
		line = strings.TrimRight(line, "\r\n")
		m := placeholder.FindStringSubmatch(line)
		if m != nil && strings.TrimSpace(line) == m[0] {
			placed[m[1]] = true
			if len(parts[m[1]]) == 0 {
				out = withoutHeading(out)
				continue
			}
			out = append(out, parts[m[1]]...)
			continue
		}
		out = append(out, placeholder.ReplaceAllStringFunc(line, func(s string) string {
			name := placeholder.FindStringSubmatch(s)[1]
			placed[name] = true
			return strings.Join(parts[name], "\n")
		}))
	}
	for _, s := range sections {
		if s.required && !placed[s.placeholder] && len(parts[s.placeholder]) > 0 {
			out = append(out, "", "## "+s.title, "")
			out = append(out, parts[s.placeholder]...)
		}
	}
	return squeeze(out)
}

// withoutHeading takes a heading that has nothing below it off the end.
func withoutHeading(lines []string) []string {
	end := len(lines)
	for end > 0 && strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	if end > 0 && strings.HasPrefix(lines[end-1], "#") {
		return lines[:end-1]
	}
	return lines
}

// squeeze joins lines, with never more than one empty one in a row at the places of parts that were left out.
func squeeze(lines []string) string {
	var out []string
	for _, line := range lines {
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
