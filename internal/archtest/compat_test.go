package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// public are the names that the public ralphex has, by the heading of docs/compat.md that answers for them. The page must have each one.
var public = map[string]string{
	"Flags": `--max-iterations -m --max-external-iterations --review-patience --plan-model --task-model --review-model --claude-command --claude-args
		--external-review-tool --custom-review-script --review -r --external-only -e --codex-only -c --tasks-only -t --base-ref -b --wait --session-timeout
		--idle-timeout --skip-finalize --preserve-anthropic-api-key --codex --pass-claude-md --worktree --branch --plan --debug -d --no-color --version -v
		--serve -s --port -p --host --watch -w --init --reset --dump-defaults --config-dir --help -h`,
	"Environment": `RALPHEX_CONFIG_DIR RALPHEX_WEB_HOST RALPHEX_DOCKER NO_COLOR CLAUDECODE ANTHROPIC_API_KEY`,
	"Settings": `claude_command claude_args plan_model task_model review_model executor pass_claude_md codex_enabled codex_command codex_model
		codex_reasoning_effort codex_timeout_ms codex_sandbox external_review_tool custom_review_script iteration_delay_ms task_retry_count max_iterations
		max_external_iterations review_patience finalize_enabled preserve_anthropic_api_key move_plan_on_completion use_worktree session_timeout idle_timeout
		wait_on_limit plans_dir default_branch watch_dirs vcs_command commit_trailer claude_error_patterns claude_limit_patterns claude_retry_patterns
		codex_error_patterns codex_limit_patterns notify_channels notify_on_error notify_on_complete notify_timeout_ms notify_telegram_token
		notify_telegram_chat notify_slack_token notify_slack_channel notify_smtp_host notify_smtp_username notify_smtp_password notify_email_from
		notify_smtp_port notify_smtp_starttls notify_email_to notify_webhook_urls notify_custom_script color_task color_review color_codex
		color_claude_eval color_warn color_error color_signal color_timestamp color_info`,
	"Prompts and agents": `task.txt review_first.txt review_second.txt codex.txt codex_review.txt custom_review.txt custom_eval.txt make_plan.txt finalize.txt
		documentation.txt implementation.txt quality.txt simplification.txt testing.txt {{PLAN_FILE}} {{PROGRESS_FILE}} {{GOAL}} {{DEFAULT_BRANCH}}
		{{PLANS_DIR}} {{DIFF_INSTRUCTION}} {{PREVIOUS_REVIEW_CONTEXT}} {{CODEX_OUTPUT}} {{CUSTOM_OUTPUT}} {{PLAN_DESCRIPTION}} {{agent:NAME}}`,
	"Signals": `<<<RALPHEX:ALL_TASKS_DONE>>> <<<RALPHEX:TASK_FAILED>>> <<<RALPHEX:REVIEW_DONE>>> <<<RALPHEX:CODEX_REVIEW_DONE>>> <<<RALPHEX:PLAN_READY>>>
		<<<RALPHEX:QUESTION>>> <<<RALPHEX:PLAN_DRAFT>>> <<<RALPHEX:END>>>`,
	"Lines of the progress file": `Plan: Branch: Mode: Executor: Started: ERROR: WARN: QUESTION: OPTIONS: ANSWER: FEEDBACK:`,
	"Exit codes":                 `0 1`,
}

var (
	heading  = regexp.MustCompile(`(?m)^## (.*)$`)
	tableRow = regexp.MustCompile(`(?m)^\| (.+?) \| (same|better|different|open) \| (.*?) ?\| (.*) \|$`)
	weakRow  = regexp.MustCompile(`(?m)^\| (W\d+) \|.*\|([^|]*)\|$`)
	testName = regexp.MustCompile("`([^`]+)`")
)

// weaknesses is how many weak points of the public ralphex have a number.
const weaknesses = 61

// TestEveryPublicNameIsAnsweredFor checks docs/compat.md: it has each public name once, in a row that says how it is here and names tests that
// exist: `folder:TestName`, or `story:name` for cmd/ralphex/testdata/script/name.txtar.
func TestEveryPublicNameIsAnsweredFor(t *testing.T) {
	tables, _, found := strings.Cut(page(t, "compat.md"), "\n## Differences in detail\n")
	require.True(t, found)
	have := tests(t)
	answered := map[string][]string{}
	places := append(heading.FindAllStringSubmatchIndex(tables, -1), []int{len(tables), 0, 0, 0})
	for i, at := range places[:len(places)-1] {
		title, text := tables[at[2]:at[3]], tables[at[1]:places[i+1][0]]
		rows := tableRow.FindAllStringSubmatch(text, -1)
		assert.Len(t, rows, strings.Count(text, "\n| ")-1, "a row below %s is not of the form | `name` | same, better, different or open | how | `tests` |", title)
		for _, row := range rows {
			if row[2] == "different" || row[2] == "open" {
				assert.NotEmpty(t, row[3], "docs/compat.md says %s of %s, and gives no reason", row[2], row[1])
			}
			for _, name := range testName.FindAllStringSubmatch(row[1], -1) {
				answered[title] = append(answered[title], name[1])
			}
			namesTests(t, have, "docs/compat.md", row[1], row[4])
		}
	}
	for title, names := range public {
		for _, name := range strings.Fields(names) {
			n := 0
			for _, a := range answered[title] {
				if a == name {
					n++
				}
			}
			assert.Equal(t, 1, n, "docs/compat.md has %s %d times below %s, and should answer for it once", name, n, title)
		}
	}
	for title, names := range answered {
		for i, name := range names {
			assert.NotContains(t, names[:i], name, "docs/compat.md has it twice below %s", title)
		}
	}
}

// TestEveryWeaknessHasItsTest checks docs/weak-points.md: it has each number, in order, and a row that is not open names tests that exist.
func TestEveryWeaknessHasItsTest(t *testing.T) {
	text := page(t, "weak-points.md")
	rows := weakRow.FindAllStringSubmatch(text, -1)
	assert.Len(t, rows, strings.Count(text, "\n| W"), "a row of docs/weak-points.md is not of the form | W1 | … | … | `tests` |")
	require.Len(t, rows, weaknesses)
	have := tests(t)
	for i, row := range rows {
		assert.Equal(t, "W"+strconv.Itoa(i+1), row[1], "docs/weak-points.md leaves a number out, or has one twice")
		if strings.Contains(row[2], "**open**: with ") {
			continue
		}
		namesTests(t, have, "docs/weak-points.md", row[1], row[2])
	}
}

// namesTests checks that a cell names tests, and that there are these.
func namesTests(t *testing.T, have map[string]bool, page, of, cell string) {
	t.Helper()
	names := testName.FindAllStringSubmatch(cell, -1)
	assert.NotEmpty(t, names, "%s says how %s is here, and names no test", page, of)
	for _, name := range names {
		assert.True(t, have[name[1]], "%s names %s as a test of %s, and there is none", page, name[1], of)
	}
}

// page is the text of a page of docs, with plain line ends.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "docs", name))
	require.NoError(t, err)
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// tests lists all tests, fuzz targets and stories of the project.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	have := map[string]bool{}
	for _, s := range sources(t) {
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test && f.Recv == nil {
				have[s.pkg+":"+f.Name.Name] = true
			}
		}
	}
	stories, err := filepath.Glob(filepath.Join(root(t), "cmd", "ralphex", "testdata", "script", "*.txtar"))
	require.NoError(t, err)
	for _, story := range stories {
		have["story:"+strings.TrimSuffix(filepath.Base(story), ".txtar")] = true
	}
	return have
}
