package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValidate(t *testing.T) {
	const good = "### Task 1: T\n- [ ] a\n"
	for _, tt := range []struct{ name, src, want string }{
		{"good", good, ""},
		{"good with odd headings", good + "### Task list\n### Task 2-3 overview\n### Tasks 1: x\n### Step 1: x\n#### Task 1.1: y\n### Notes on Task 1: z\n", ""},
		{"examples in a fence", good + "```\n### Задача 1: x\n```\n> ### Task 1 - x\n<!--\n### Task 1 - x\n-->\n", ""},
		{"empty", "", "p.md:1:1: the plan is empty; begin with `# Title`, then `### Task 1: title` and `- [ ] step`"},
		{"blank", bom + " \r\n\t\n", "p.md:1:1: the plan is empty; begin with `# Title`, then `### Task 1: title` and `- [ ] step`"},
		{"no tasks", "# T\n- [ ] a\n", "p.md:1:1: the plan has no task; write `### Task 1: title`, then `- [ ] step`"},
		{"wrong level", "# T\n## Task 1: x\n", "p.md:1:1: the plan has no task; write `### Task 1: title`, then `- [ ] step`\n" +
			"p.md:2:1: a task header has exactly three #, this one starts no task; write `### Task N: title`"},
		{"Russian", good + "### Задача 2: Кеш\n", "p.md:3:1: a task header begins with the English word Task; write `### Task 2: Кеш`"},
		{"Japanese", good + "### タスク2：キャッシュ\n", "p.md:3:1: a task header begins with the English word Task; write `### Task 2: キャッシュ`"},
		{"Chinese", good + "### 任务 2: x\n", "p.md:3:1: a task header begins with the English word Task; write `### Task 2: x`"},
		{"Vietnamese", good + "### Nhiệm vụ 2: x\n", "p.md:3:1: a task header begins with the English word Task; write `### Task 2: x`"},
		{"lower case", good + "### task 2: x\n### ITERATION 3: y", "p.md:3:1: a task header begins with the English word Task; write `### Task 2: x`\n" +
			"p.md:4:1: a task header begins with the English word Task; write `### Iteration 3: y`"},
		{"dash", good + "### Task 2 - x\n", "p.md:3:1: a task header needs a colon after its number; write `### Task 2: x`"},
		{"em dash", good + "### Task 2 — x\n", "p.md:3:1: a task header needs a colon after its number; write `### Task 2: x`"},
		{"glued dash", good + "### Task 2- x\n", "p.md:3:1: a task header needs a colon after its number; write `### Task 2: x`"},
		{"wide colon", good + "### Task 2： x\n", "p.md:3:1: a task header needs a colon after its number; write `### Task 2: x`"},
		{"full stop", good + "### Task 2. x\n", "p.md:3:1: a task header needs a colon after its number; write `### Task 2: x`"},
		{"nothing", good + "### Task 2.5\n", "p.md:3:1: a task header needs a colon after its number; write `### Task 2.5: title`"},
		{"glued number", good + "### Task2: x\n", "p.md:3:1: a task header needs blanks around its keyword; write `### Task 2: x`"},
		{"glued mark", good + "###Task 2: x\n", "p.md:3:1: a task header needs blanks around its keyword; write `### Task 2: x`"},
		{"closed", good + "### Task 2 - x ###\r\n", "p.md:3:1: a task header needs a colon after its number; write `### Task 2: x`"},
		{"bare carriage returns", "### Task 1: T\r- [ ] a\r", ""},
		{"bare carriage returns and no task", "# P\r\r### Task 1: T\r- [ ] a\r", "p.md:1:1: the plan has no task; write `### Task 1: title`, then `- [ ] step`\n" +
			"p.md:1:4: lines end with a bare carriage return, so the file is one line; save it with LF or CRLF line ends"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, tt.src)
			p.Path = "p.md"
			err := p.Validate()
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, tt.want)
			run, ok := errors.AsType[*RunError](err)
			require.True(t, ok)
			assert.Len(t, run.Findings, strings.Count(tt.want, "\n")+1)
		})
	}
}

func TestForeignKeywords(t *testing.T) {
	for word := range foreignKeywords() {
		p := parse(t, "### "+word+" 1: x\n")
		assert.Contains(t, codes(p), string(WrongKeyword), word)
	}
	for _, word := range []string{"Tarea", "Tarefa", "Aufgabe", "Tâche", "ЗАДАЧА", "Zadanie"} {
		assert.Error(t, parse(t, "### Task 1: a\n- [ ] b\n### "+word+" 2: x\n").Validate(), word)
	}
}

func TestWarnings(t *testing.T) {
	p := parse(t, "- [ ] stray\n### Task 1: T\n* [ ] a\n")
	assert.Equal(t, "stray-box@1:1 public-blind-box@3:1", codes(p))
	require.Len(t, p.Warnings(), 1)
	assert.Equal(t, StrayBox, p.Warnings()[0].Code)
	assert.Equal(t, "1:1: this box is outside of every task and is ignored; move it below a `### Task N: title`, or write it without brackets", p.Warnings()[0].String())
}

// TestProblemTexts keeps every text whole: a message with its detail, and a hint.
func TestProblemTexts(t *testing.T) {
	for code, text := range problemTexts {
		assert.Equal(t, 1, strings.Count(text.message, "%s"), code)
		assert.NotEmpty(t, text.hint, code)
		assert.Contains(t, []Severity{Note, Warning, Refusal}, text.severity, code)
	}
}
