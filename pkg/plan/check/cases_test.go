package check

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// only lists "rule@line:col" of a rule's findings.
func only(src string, o Options, rules ...string) string {
	var out []string
	for _, f := range Check([]byte(src), o) {
		for _, r := range rules {
			if f.Rule == r {
				fix := ""
				if f.Fix != nil {
					fix = "+"
				}
				out = append(out, fmt.Sprintf("%s@%d:%d%s", f.Rule, f.Line, f.Col, fix))
			}
		}
	}
	return strings.Join(out, " ")
}

// TestCases looks at the edges of rules. A plus stands for a certain fix.
func TestCases(t *testing.T) {
	for _, tt := range []struct{ name, rule, src, want string }{
		{"title", "title-first", "# T\n", ""},
		{"blank lines above", "title-first", "\n\n# T\n", "title-first@1:1+"},
		{"text above", "title-first", "x\n\n# T\n", "title-first@3:1"},
		{"underlined", "title-first", "T\n===\n", "title-first@1:1+"},
		{"underlined, two lines", "title-first", "T\nU\n===\n", "title-first@1:1"},
		{"indented", "title-first", "  # T\n", "title-first@1:1+"},
		{"no blank", "title-first", "#T\n", "title-first@1:1+"},
		{"a shebang is no title", "title-first", "#!/bin/sh\n", "title-first@1:1"},
		{"without text", "title-first", "#\n", "title-first@1:1"},
		{"nothing", "title-first", "", ""},
		{"byte order mark", "byte-order-mark", bom + "# T\n", "byte-order-mark@1:1+"},
		{"in a fence", "title-once", "# T\n```\n# U\n```\n", ""},

		{"other sections anywhere", "section-order", "# T\n## A\n## Overview\n## B\n## Context\n## C\n", ""},
		{"two pairs out of order", "section-order", "# T\n## Context\n## Overview\n## Testing Strategy\n## Development Approach\n", "section-order@3:1+ section-order@5:1+"},
		{"twice, so no fix", "section-order", "# T\n## Context\n## Overview\n## Context\n", "section-order@3:1"},
		{"in open HTML, so no fix", "section-order", "# T\n## Context\n<pre>\n\n## Overview\n", ""},
		{"Tasks beside Implementation Steps", "section-name", "# T\n## Tasks\n## Implementation Steps\n", ""},
		{"Tasks", "section-name", "# T\n## tasks:\n", "section-name@2:1+"},
		{"emphasis", "section-name", "# T\n## **Overview**\n", "section-name@2:1+"},
		{"closing marks are fine", "section-name", "# T\n## Overview ##\n", ""},
		{"at another level", "section-missing", "# T\n### Overview\n## Context\n## Development Approach\n## Testing Strategy\n## Progress Tracking\n## Implementation Steps\n", "section-missing@2:1+"},
		{"steps above the first task", "section-missing", "# T\n## Overview\n## Context\n## Development Approach\n## Testing Strategy\n## Progress Tracking\n### Task 1: a\n- [ ] b\n", "section-missing@7:1+"},

		{"in the same words", "task-header", "### Task 1: a\n### Task 2: b: c\n### Task 3: d  \n", ""},
		{"iteration", "task-header", "### Iteration 1: a\n", "task-header@1:1+"},
		{"blanks", "task-header", "###  Task  1 :  a\n", "task-header@1:1+"},
		{"closed", "task-header", "### Task 1: a ###\n", "task-header@1:1+"},
		{"a dash", "task-header", "### Task 1 — a\n", "task-header@1:1+"},
		{"no title", "task-header", "### Aufgabe 1\n", "task-header@1:1"},
		{"a word would be lost", "task-header", "### Задача номер 1: a\n", "task-header@1:1"},
		{"languages", "task-header", "### Задача 1: a\n### タスク2：b\n### Tarea 3: c\n### Tarefa 4: d\n### Aufgabe 5: e\n### 任务 6: f\n", "task-header@1:1+ task-header@2:1+ task-header@3:1+ task-header@4:1+ task-header@5:1+ task-header@6:1+"},
		{"two #", "task-header", "## Task 1: a\n- [ ] b\n## Task 2: c\n", "task-header@1:1+ task-header@3:1+"},
		{"two levels", "task-header", "### Task 1: a\n#### Task 2: b\n", "task-header@2:1"},
		{"in a list", "task-header", "- a\n\n  ### Task 1: x\n", "task-header@3:1"},

		{"numbers", "task-number", "### Task 1: a\n### Task 2.5: b\n### Task 2a: c\n", "task-number@2:1+ task-number@3:1+"},
		{"from zero", "task-number", "### Task 0: a\n### Task 1: b\n", "task-number@1:1+ task-number@2:1+"},
		{"a text speaks of a task", "task-number", "### Task 2: a\nlike Task 3\n", "task-number@1:1"},
		{"in another language", "task-number", "### Task 2: a\nпосле задачи 3\n", "task-number@1:1"},
		{"an issue", "task-number", "### Task 2: fixes #3\n", "task-number@1:1"},
		{"other numbers", "task-number", "### Task 2: a\nport 8080 of 3 hosts\n", "task-number@1:1+"},
		{"words as number", "task-number", "### Task one: a\n", "task-number@1:1"},

		{"ending", "task-ending", "### Task 1: a\n- [ ] b\n- [x] Write tests for b\n- [ ] **Run project tests**: `make`\n### Task 2: x\n", ""},
		{"ending with details", "task-ending", "### Task 1: a\n- [ ] b\n- [ ] write tests\n  - [ ] unit\n- [ ] run project tests\n  - [ ] all\n### Task 2: x\n", ""},
		{"no word", "task-ending", "### Task 1: a\n- [ ] write testsuite\n- [ ] run project tests\n### Task 2: x\n", "task-ending@1:1+"},
		{"no boxes", "task-ending", "### Task 1: a\n### Task 2: x\n", ""},
		{"murky box", "task-ending", "### Task 1: a\n<details>\n- [ ] b\n</details>\n### Task 2: x\n", "task-ending@1:1"},
		{"last", "last-task-ending", "### Task 1: a\n- [ ] b\n", "last-task-ending@1:1+"},

		{"last task", "last-task", "### Task 1: verify Acceptance Criteria.\n", "last-task@1:1+"},
		{"not at the end", "last-task", "### Task 1: Verify acceptance criteria\n### Task 2: b\n", "last-task@1:1"},
		{"behind a header that is none", "last-task", "### Task 1: b\n- [ ] c\n### Task 2 - d\n", "last-task@1:1"},
		{"items in Russian", "last-task-items", "### Task 1: Verify acceptance criteria\n- [ ] прогнать все тесты\n- [ ] запустить линтер\n- [ ] сверить с обзором: требования\n", ""},
		{"write tests runs none", "last-task-items", "### Task 1: Verify acceptance criteria\n- [ ] write tests\n- [ ] lint; requirements\n", "last-task-items@1:1+"},

		{"marks", "box-mark", "### Task 1: a\n- [X] b\n- [~] c\n- [-] d\n- [~]\n", "box-mark@2:3+ box-mark@3:3+ box-mark@4:3+ box-mark@5:3"},
		{"bullets", "box-bullet", "### Task 1: a\n* [ ] b\n  + [x] c\n* d\n", "box-bullet@2:1+ box-bullet@3:3+"},
		{"forms", "box-form", "### Task 1: a\n- []b\n-[x] c\n- [ x ] d\n12. [ ] e\n12345. [ ] f\n- [x](url)\n- [ ]g\n- - [ ] h\n- [ ]\n", "box-form@2:1+ box-form@3:1+ box-form@4:1+ box-form@5:1+ box-form@6:1 box-form@7:1 box-form@8:1+ box-form@9:1"},
		{"no box", "box-form", "### Task 1: a\n- [link](url)\n- [ref]: x\n- [2026-01-29] note\n", ""},
		{"loose", "box-loose", "### Task 1: a\n[ ] b\ntext\n[x] c\n\n    [ ] d\n", "box-loose@2:1+ box-loose@4:1 box-loose@6:5"},
		{"outside", "box-place", "# T\n- [ ] a\n## Overview\n- [ ] b\n- [x] c\n## Other\n- [ ] d\n", "box-place@2:1 box-place@4:1+ box-place@5:1 box-place@7:1"},
		{"below a header that is none", "box-place", "## Overview\n- [ ] a\n### Task 1 - b\n- [ ] c\n## Context\n- [ ] d\n", "box-place@2:1+ box-place@6:1"},
		{"empty", "box-empty", "### Task 1: a\n- [ ]\n- [ ]  \n- [ ] - [ ]\n- [ ] b\n", "box-empty@2:1 box-empty@3:1 box-empty@4:1"},

		{"placeholders", "placeholder", "TBD\n`TBD` TBD\n??? ?????\nwhat??\nFIXMEs STBD TBD_X\n```\nTBD\n```\n<!-- TBD -->\n", "placeholder@1:1 placeholder@2:7 placeholder@3:1"},
		{"people", "manual-work", "### Task 1: a\n- [ ] ask Bob\n- [ ] (manual) ask Bob\n- [x] ask Bob\n- [ ] deploy the service to production\n- [ ] get approval from legal\n- [ ] `ask` returns 1\n- [ ] the mask covers production code\n", "manual-work@2:7 manual-work@5:7 manual-work@6:7"},
		{"like tasks", "near-task", "# T\n## Implementation Steps\n### Step 1: a\n- [ ] b\n### 2. c\n- [ ] d\n### Notes\n- [ ] e\n**Task 3: f**\n### 3 notes on it\ntext\n", "near-task@3:1 near-task@5:1 near-task@9:1"},
		{"duplicate", "task-duplicate", "### Task 1: a b\n### Task 2: A  B\n", "task-duplicate@2:1"},
		{"one long line", "task-size", "### Task 1: a\n- [ ] " + strings.Repeat("word ", 90) + "\n- [ ] write tests\n- [ ] run project tests\n", "task-size@1:1"},
		{"many boxes", "task-size", "### Task 1: a\n" + strings.Repeat("- [ ] b\n", 21), "task-size@1:1"},
		{"many lines", "task-size", "### Task 1: a\n- [ ] b\n" + strings.Repeat("c\n", 150), "task-size@1:1"},

		{"carriage returns", "line-ends", "# T\r## U\r", "line-ends@1:4"},
		{"too deep", "plan-unreadable", "# T\n\n" + strings.Repeat("> ", 101) + "x\n", "plan-unreadable@3:1"},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, only(tt.src, Options{}, tt.rule)) })
	}
}

// TestFixed compares whole texts before and after.
func TestFixed(t *testing.T) {
	off := Options{Severities: map[string]Severity{"section-missing": Off, "last-task": Off, "section-name": Off}}
	for _, tt := range []struct{ name, src, want string }{
		{"CRLF stays", "# T\r\n### Task 1: a\r\n* [X] b\r\n", "# T\r\n### Task 1: a\r\n- [x] b\r\n- [ ] write tests\r\n- [ ] run project tests\r\n"},
		{"no newline at the end stays", "# T\n### Task 1: a\n- [ ] b", "# T\n### Task 1: a\n- [ ] b\n- [ ] write tests\n- [ ] run project tests"},
		{"blank lines stay", "# T\n### Task 1: a\n\n- [ ] b  \n\n\n## End\n", "# T\n### Task 1: a\n\n- [ ] b  \n- [ ] write tests\n- [ ] run project tests\n\n\n## End\n"},
		{"the first is missing", "# T\n### Task 1: a\n- [ ] b\n- [ ] run project tests\n", "# T\n### Task 1: a\n- [ ] b\n- [ ] write tests\n- [ ] run project tests\n"},
		{"behind what is nested", "# T\n### Task 1: a\n  - [ ] b\n    text\n    - [ ] c\n", "# T\n### Task 1: a\n  - [ ] b\n    text\n    - [ ] c\n  - [ ] write tests\n  - [ ] run project tests\n"},
		{"a task that is done is open again", "# T\n### Task 1: a\n- [x] b\n", "# T\n### Task 1: a\n- [x] b\n- [ ] write tests\n- [ ] run project tests\n"},
		{"meaning in words", "# T\n### Task 1: a\n- [~] b\n* [-] c\n- [~] (manual) d\n- [ ] write tests\n- [ ] run project tests\n", "# T\n### Task 1: a\n- [ ] (manual) b\n- [x] (skipped) c\n- [ ] (manual) d\n- [ ] write tests\n- [ ] run project tests\n"},
		{"numbers and headers at once", "# T\n### Task 3 - a\n- [ ] write tests\n- [ ] run project tests\n### task 7: b\n- [ ] write tests\n- [ ] run project tests\n", "# T\n### Task 1: a\n- [ ] write tests\n- [ ] run project tests\n### Task 2: b\n- [ ] write tests\n- [ ] run project tests\n"},
		{"sections in order, others in place", "# T\n## Context\nc\n## Other\no\n## Overview\nv", "# T\n## Overview\nv\n\n## Other\no\n## Context\nc\n"},
		{"nothing into an open fence", "# T\n### Task 1: a\n* [ ] b\n```\nc\n", "# T\n### Task 1: a\n- [ ] b\n```\nc\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := FixAll([]byte(tt.src), off)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(got))
		})
	}
}

func TestSeveritiesAndComments(t *testing.T) {
	src := "# T\n### Task 1: a\n* [ ] b\n"
	assert.Equal(t, "", only(src, Options{Severities: map[string]Severity{"box-bullet": Off}}, "box-bullet"))
	f := Check([]byte(src), Options{Severities: map[string]Severity{"box-bullet": Note}})
	assert.Contains(t, f, Finding{Rule: "box-bullet", Severity: Note, Line: 3, Col: 1, EndLine: 3, EndCol: 2, Offset: 18, Len: 1,
		Message: "begin the box with `-`: other readers do not see it", Fix: one("begin it with `-`", 18, 1, "-")})

	for _, tt := range []struct{ name, src, want string }{
		{"next line", "<!-- ralphex-check: off box-bullet -->\n* [ ] b\n* [ ] c\n", "box-bullet@4:1+"},
		{"next line that is not blank", "<!-- ralphex-check: off box-bullet -->\n\n* [ ] b\n", ""},
		{"this line", "* [ ] b <!-- ralphex-check: off box-bullet -->\n* [ ] c\n", "box-bullet@3:1+"},
		{"the file", "* [ ] b\n\n<!-- ralphex-check: off-file task-ending, box-bullet -->\n", ""},
		{"two comments", "<!-- ralphex-check: off box-bullet -->\n<!-- ralphex-check: off box-mark -->\n* [ ] b\n", ""},
		{"in a fence", "```\n<!-- ralphex-check: off box-bullet -->\n```\n* [ ] b\n", "box-bullet@5:1+"},
		{"in code", "`<!-- ralphex-check: off-file box-bullet -->`\n* [ ] b\n", "box-bullet@3:1+"},
		{"no such rule", "<!-- ralphex-check: off bullets -->\n* [ ] b\n", "off-comment@2:1 box-bullet@3:1+"},
		{"no rule", "<!-- ralphex-check: off -->\n* [ ] b\n", "off-comment@2:1 box-bullet@3:1+"},
		{"not closed on its line", "<!-- ralphex-check: off box-bullet\n-->\n* [ ] b\n", "off-comment@2:1 box-bullet@4:1+"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := "### Task 1: a\n" + tt.src
			assert.Equal(t, tt.want, only(src, Options{}, "box-bullet", "off-comment"))
			fixed, _, err := FixAll([]byte(src), Options{})
			require.NoError(t, err)
			if tt.want == "" {
				assert.Contains(t, string(fixed), "* [ ] b", "what is off is not fixed")
			}
		})
	}
}

func TestDeep(t *testing.T) {
	have := func(name string) (string, error) {
		if name == "go" || name == "make" {
			return "/bin/" + name, nil
		}
		return "", errors.New("not found")
	}
	src := "# T\n\n## Validation Commands\n\n- `go test ./... && golint`\n- $ make\n- `./run.sh; $X; \"a b\"; [ -f x ]`\n\n```sh\nset -eu\nfor f in *; do shfmt \"$f\" | tee x; done # nothing\n```\n"
	o := Options{Deep: true, LookPath: have}
	assert.Equal(t, "validation-program@5:21 validation-program@9:1 validation-program@9:1", only(src, o, "validation-program"))
	o.Profile = Run
	assert.Equal(t, "validation-program@5:21 validation-program@9:1 validation-program@9:1", only(src, o, "validation-program"))
	assert.Empty(t, only(src, Options{Deep: true}, "validation-program"))
	assert.Empty(t, only(src, Options{LookPath: have}, "validation-program"))
}

func TestPrograms(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...":                            "go",
		"cd a && FOO=1 BAR= make -j2 | tee x":      "make tee",
		"! grep -q 'a && b' x || exit 1":           "grep",
		"if test -f x; then npm ci; else yarn; fi": "npm yarn",
		"a \\\n  b; c":                             "a c",
		"$TOOL run; ./x; ../y; ~/z":                "",
		"cat <<EOF\nfoo\nEOF":                      "",
		"f() { g; }; f":                            "",
		"echo 'unclosed; x":                        "",
		"a 2>&1 | b & c":                           "a b c",
		"# nothing\nd":                             "d",
		"":                                         "",
	} {
		assert.Equal(t, want, strings.Join(programs(command), " "), command)
	}
}

func TestRulesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, r.ID)
		assert.False(t, seen[r.ID], r.ID)
		seen[r.ID] = true
		assert.Equal(t, r.ID, r.Doc)
		assert.NotEqual(t, Off, r.Severity)
		assert.False(t, strings.HasSuffix(r.Title, "."), r.ID)
		assert.Equal(t, r.Wrong.Text == "", r.Right.Text == "", r.ID)
	}
	_, ok := Lookup("nothing")
	assert.False(t, ok)
}

// TestEdits keeps fixes apart that touch each other.
func TestEdits(t *testing.T) {
	fix := func(edits ...Edit) Finding { return Finding{Fix: &Fix{Edits: edits}} }
	a, b, c := Edit{0, 2, "x"}, Edit{1, 2, "y"}, Edit{5, 0, "z"}
	assert.Equal(t, []Edit{a, c}, Edits([]Finding{fix(c), fix(a), fix(b), fix(c), {}}))
	assert.Equal(t, []Edit{a}, Edits([]Finding{fix(a), fix(b, c)}), "a fix is made whole or not at all")
	assert.Equal(t, "xcdez", string(Apply([]byte("abcde"), []Edit{a, c})))

	adds, shapes := fix(c), fix(a)
	adds.Fix.order, shapes.Fix.order = late, shaping
	assert.Equal(t, []Edit{a}, Edits([]Finding{adds, shapes}))
	assert.Equal(t, []Edit{c}, Edits([]Finding{adds}))
}
