package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/ralph/task"
	"ralphex/pkg/executor"
)

// The parser's words are put so that a person knows what to type.
func TestWrongCommandLines(t *testing.T) {
	for line, want := range map[string]string{
		"tick plan.md":               "error: <pos> is missing\n  next: ralphex tick --help\n",
		"task show":                  "error: <id> is missing\n  next: ralphex task show --help\n",
		"claim":                      "error: a command is missing: list, resolve, watchdog\n  next: ralphex claim --help\n",
		"prd":                        "error: a command is missing: new\n  next: ralphex prd --help\n",
		"chekc docs/my plan.md":      "error: no command chekc, and no plan of that name\n  next: did you mean `ralphex check docs/my plan.md`?\n",
		"tick plan.md x":             "error: <pos>: \"x\" is no task: expected the position of one in the file, as `ralphex show` counts them, or 2.3 for a box of it\n  next: ralphex tick --help\n",
		"task lst":                   "error: unexpected argument lst\n  next: ralphex task --help\n",
		"a.md b.md":                  "error: unexpected argument b.md\n  next: ralphex run --help\n",
		"--idle-timeout abc plan.md": "error: --idle-timeout: \"abc\" is no duration; write 90s, 30m or 1h30m\n  next: ralphex --help\n",
	} {
		var stderr bytes.Buffer
		code := Main(strings.Fields(line), Proc{Out: &bytes.Buffer{}, Err: &stderr, Dir: t.TempDir()})
		assert.Equal(t, exitUsage, code, line)
		assert.Equal(t, want, stderr.String(), line)
	}
}

// The page of help that comes first fits a terminal of the usual width.
func TestHelpFitsEightyColumns(t *testing.T) {
	t.Setenv("COLUMNS", "")
	_, flags, _ := strings.Cut(run(t, 0, "--help"), "\nFlags of run:\n")
	for _, line := range strings.Split(flags, "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
	}
	assert.Contains(t, flags, "\n      --[no-]worktree       Work in a worktree")
	assert.Contains(t, flags, "\n      --preserve-anthropic-api-key\n                            Leave")
}

func TestColumnOfIDsIsAsWideAsTheyAre(t *testing.T) {
	infos := []taskInfo{{Task: task.Task{ID: "T1", Title: "a", Status: task.Todo}}, {Task: task.Task{ID: "plan_third.1", Title: "b", Status: task.Done}}}
	assert.Equal(t, "todo        T1           a\ndone        plan_third.1 b\n", printInfos(infos))
	assert.Equal(t, "todo        T1       a\n", printInfos(infos[:1]))
}

func TestEnvironmentSaysWhatDiffers(t *testing.T) {
	rules := executor.EnvRules{Drop: []string{"A"}, Set: []string{"B=1"}}
	assert.Equal(t, "as it is", environment(executor.EnvRules{}, []string{"C=1"}))
	assert.Equal(t, "without A; with B=1", environment(rules, []string{"A=1"}))
	assert.Equal(t, "with B=1", environment(rules, []string{"C=1"}))
}
