package preflight

import (
	"path/filepath"
	"slices"
	"strings"
)

// ciFiles are where continuous integration says what it runs.
func ciFiles(dir string) []string {
	const workflows = ".github/workflows"
	var out []string
	for _, name := range list(filepath.Join(dir, workflows)) {
		if ext := filepath.Ext(name); ext == ".yml" || ext == ".yaml" {
			out = append(out, workflows+"/"+name)
		}
	}
	return append(out, ".gitlab-ci.yml", "azure-pipelines.yml", ".circleci/config.yml", ".travis.yml")
}

// ciCommands finds the commands of a CI file that prove something here, too. It reads lines and needs no more of YAML: steps with `run`, `script`,
// `bash` or `command`, on the line, as a block, or as a list. What leans on an environment that is not here is left out: variables and
// expressions, another folder, a line that goes on or that begins what the next one ends.
func ciCommands(text string) []string {
	var out []string
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		key, value, column := yamlKey(lines[i])
		if !slices.Contains([]string{"run", "script", "bash", "command"}, key) || elsewhere(lines, i, column) {
			continue
		}
		switch {
		case value == "" && !listBelow(lines[i+1:]): // a mapping: its own lines say more
		case value == "" || value[0] == '|' || value[0] == '>':
			end := i + 1
			for end < len(lines) && within(lines[end], column, value == "") {
				end++
			}
			out = append(out, block(lines[i+1:end], value)...)
			i = end - 1
		default:
			out = append(out, proofs(value)...)
		}
	}
	return out
}

// yamlKey takes a line `key: value` apart, also behind `- `. The column is that of the key.
func yamlKey(line string) (key, value string, column int) {
	rest := strings.TrimLeft(line, " ")
	for strings.HasPrefix(rest, "- ") {
		rest = strings.TrimLeft(rest[2:], " ")
	}
	key, value, ok := strings.Cut(rest, ":")
	if !ok || value != "" && value[0] != ' ' {
		return "", "", 0
	}
	return key, plain(value), len(line) - len(rest)
}

// plain is a value without comment and quotes.
func plain(value string) string {
	value = strings.TrimSpace(value)
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	before, _, _ := strings.Cut(value, " #")
	return strings.TrimSpace(before)
}

// listBelow tells whether the next line with anything on it is an item of a list.
func listBelow(lines []string) bool {
	for _, line := range lines {
		if text := strings.TrimSpace(line); text != "" {
			return strings.HasPrefix(text, "- ")
		}
	}
	return false
}

// within tells whether a line belongs to the value of a key at the column. The items of a list may stand as far left as their key.
func within(line string, column int, list bool) bool {
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	return rest == "" || indent > column || list && indent == column && strings.HasPrefix(rest, "- ")
}

// block is the commands of a value on lines of its own: a list, a literal block, or a folded one, which is one command.
func block(lines []string, value string) []string {
	var parts []string
	for _, line := range lines {
		text := strings.TrimSpace(line)
		if value == "" && text != "" {
			item, ok := strings.CutPrefix(text, "- ")
			if text = plain(item); !ok || strings.HasPrefix(item, text) && strings.Contains(text, ": ") {
				return nil // an item that goes over several lines, or is a mapping
			}
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	if value != "" && value[0] == '>' {
		parts = []string{strings.Join(parts, " ")}
	}
	return proofs(parts...)
}

// elsewhere tells whether a step says that it runs in another folder: beside its command, at the same column.
func elsewhere(lines []string, at, column int) bool {
	begins := func(i int) bool { // the step, or what it lies in
		rest := strings.TrimLeft(lines[i], " ")
		return rest != "" && len(lines[i])-len(rest) < column
	}
	other := func(i int) bool {
		key, value, c := yamlKey(lines[i])
		return c == column && slices.Contains([]string{"working-directory", "workingDirectory", "working_directory"}, key) && value != "."
	}
	for i := at; i >= 0; i-- {
		if other(i) {
			return true
		}
		if begins(i) {
			break
		}
	}
	for i := at + 1; i < len(lines) && !begins(i); i++ {
		if other(i) {
			return true
		}
	}
	return false
}

// proofs keeps those commands of one script that prove something, up to the first line that makes the next ones depend on it.
func proofs(script ...string) []string {
	var out []string
	for _, c := range script {
		first := strings.Fields(c + " #")[0]
		switch {
		case slices.Contains([]string{"cd", "pushd", "export", "source", ".", "if", "for", "while", "case", "set"}, first) || strings.HasSuffix(c, "\\"),
			strings.HasSuffix(c, "{"), strings.Contains(c, "<<"):
			return out
		case strings.ContainsAny(c, "$`") || strings.HasPrefix(c, "#") || strings.HasPrefix(c, "echo "):
		case proves(c):
			out = append(out, c)
		}
	}
	return out
}

// proves tells whether a command has a word that projects give to what proves them, and none that says it only prepares.
func proves(command string) bool {
	words := strings.FieldsFunc(command, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	has := func(known ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(known, w) })
	}
	if has("install", "add", "publish", "deploy", "push", "upload", "login", "release") {
		return false
	}
	return has(targets...) || has("tests", "pytest", "tox", "nox", "ctest", "phpunit", "rspec", "vet", "clippy", "mypy", "ruff", "eslint", "tsc", "verify")
}
