package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestValidationCommands(t *testing.T) {
	const h2 = "## Validation Commands\n"
	type cs = []Command
	type ps = []Prose
	for _, tt := range []struct {
		name, src string
		commands  cs
		prose     ps
	}{
		{"code spans", h2 + "- `go test ./...`\n* ``echo `date` ``\n1. `a`\n", cs{{"go test ./...", 2}, {"echo `date`", 3}, {"a", 4}}, nil},
		{"dollar", h2 + "- $ go test\n- `$ go vet`\n", cs{{"go test", 2}, {"go vet", 3}}, nil},
		{"no command", h2 + "- `config.yaml` must parse\n- run `go test`\n- `a` and `b`\n- $HOME is set\n- ``\n- `a`.\n", nil,
			ps{{"`config.yaml` must parse", 2}, {"run `go test`", 3}, {"`a` and `b`", 4}, {"$HOME is set", 5}, {"``", 6}, {"`a`.", 7}}},
		{"wrapped", h2 + "- `go test\n  ./...`\n", cs{{"go test ./...", 2}}, nil},
		{"more paragraphs", h2 + "- `go test`\n\n  if you like\n", nil, ps{{"`go test`", 2}}},
		{"nested", h2 + "- first:\n  - `a`\n  - b\n", cs{{"a", 3}}, ps{{"first:", 2}, {"b", 4}}},
		{"fences", h2 + "```sh\na\n  b\n```\n~~~bash\nc\n~~~\n```console\n$ d\n```\n```\ne\n```\n```sh\n\n```\n", cs{{"a\n  b", 2}, {"c", 6}}, ps{{"$ d", 9}, {"e", 12}}},
		{"fence in an item", h2 + "- all of it:\n  ```sh\n  a\n  b\n  ```\n- ```sh\n  c\n  ```\n", cs{{"a\nb", 3}, {"c", 7}}, nil},
		{"crlf", "## Validation Commands\r\n- `a`\r\n```sh\r\nb\r\nc\r\n```\r\n", cs{{"a", 2}, {"b\nc", 3}}, nil},
		{"unclosed fence", h2 + "```sh\na\n", nil, nil},
		{"with a box", h2 + "- [ ] `a`\n- [x] b\n", cs{{"a", 2}}, ps{{"b", 3}}},
		{"left out", h2 + "> - `a`\n<!--\n- `b`\n-->\n", nil, nil},
		{"ends", h2 + "- `a`\n### More\n- `b`\n## Other\n- `c`\n", cs{{"a", 2}, {"b", 4}}, nil},
		{"case, colon, closed, setext", "## validation commands:\n- `a`\n## x\n## Validation Commands ##\n- `b`\n\nValidation Commands\n---\n- `c`\n", cs{{"a", 2}, {"b", 5}, {"c", 9}}, nil},
		{"after tasks", "### Task 1: T\n- [ ] `no`\n" + h2 + "- `a`\n", cs{{"a", 4}}, nil},
		{"in testing strategy", "## Testing Strategy\n- `no`\n### Validation Commands\n- `a`\n### Other\n- `no`\n", cs{{"a", 4}}, nil},
		{"elsewhere", "## Context\n### Validation Commands\n- `no`\n#### Validation Commands\n- `no`\n", nil, nil},
		{"h1", "# Validation Commands\n- `no`\n", nil, nil},
		{"intro", h2 + "Run these:\n\n- `a`\n", cs{{"a", 4}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, tt.src)
			assert.Equal(t, tt.commands, p.ValidationCommands)
			assert.Equal(t, tt.prose, p.ValidationProse)
		})
	}
}

func TestValidationProblems(t *testing.T) {
	p := parse(t, "## Validation Commands\n- must parse\n## Context\n### Validation Commands\n")
	assert.Equal(t, "validation-prose@2:1 validation-place@4:1", codes(p))
	assert.Equal(t, "2:1: is no command and will not run: must parse; write the command alone in `backquotes`, or after `$ `", p.Problems[0].String())
}
