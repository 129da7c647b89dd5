package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// desk is a workspace without a repository around it, and a person in it.
type desk struct {
	t   *testing.T
	dir string
	env []string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	home := t.TempDir()
	d := &desk{t: t, dir: t.TempDir(), env: []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home}}
	d.run(exitDone, "workspace", "init")
	return d
}

// run runs a command line and returns what it printed on stdout.
func (d *desk) run(want int, args ...string) string {
	d.t.Helper()
	var out, stderr bytes.Buffer
	code := Main(append([]string{"--config-dir", d.dir + "/none"}, args...), Proc{Out: &out, Err: &stderr, Dir: d.dir, Env: d.env})
	require.Equal(d.t, want, code, "%v\n%s", args, stderr.String())
	return out.String()
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	require.NoError(d.t, os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o644))
}

// The JSON of each verb is golden: programs read it, and docs/ralph-store.md has the shapes.
func TestTaskJSON(t *testing.T) {
	d := newDesk(t)
	d.write(".ralph/claims.json", `{"version":1,"claims":[{"taskId":"T3","agentId":"a","provenanceId":"run-i001-cli-x","claimedAt":"2020-01-01T00:00:00.000Z","status":"active"}]}`)
	d.write("p.md", "# P\n\n### Task 1: One\n- [x] a\n")
	var all strings.Builder
	for _, step := range []struct {
		code int
		line string
	}{
		{0, "task add Parse,_then_print --acceptance a --priority high"},
		{0, "task add Docs --depends-on T1"},
		{0, "task add Part --parent T2"},
		{0, "task list"},
		{0, "task show T2"},
		{0, "task next"},
		{0, "task ready"},
		{0, "task graph"},
		{0, "task decompose T1 --dry-run"},
		{0, "task decompose T1"},
		{0, "task set T1.1 mode documentation"},
		{0, "task block T1.2 waits"},
		{0, "task done T1.1"},
		{1, "task done T2"},
		{1, "task done T1 T2"},
		{0, "task set T1.2 status todo"},
		{1, "task done T2 T1.2"},
		{1, "task set T3 dependsOn T2"},
		{2, "task set T3 colour red"},
		{2, "task set T3 tier huge"},
		{2, "task show T-3"},
		{2, "task add again --id T1"},
		{1, "task decompose T3"},
		{0, "task import p.md"},
		{0, "prd new --objective x --dry-run"},
		{1, "prd new --objective x --yes"},
		{0, "prd new --objective x --yes --append"},
	} {
		var args []string
		for _, a := range strings.Fields(step.line) {
			args = append(args, strings.ReplaceAll(a, "_", " "))
		}
		all.WriteString("$ ralphex " + step.line + "\n" + strings.ReplaceAll(d.run(step.code, append(args, "--json")...), d.dir, "DIR"))
	}
	golden(t, "task_json.txt", all.String())
}

// Every command that docs/ralph-store.md and the command files for other tools name is there.
func TestCommandsThatTextsNameExist(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "integrate", "commands", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range append(files, filepath.Join("..", "..", "docs", "ralph-store.md"), filepath.Join("..", "..", "docs", "integrations.md")) {
		t.Run(filepath.Base(file), func(t *testing.T) { commandsExist(t, file) })
	}
}

func commandsExist(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var grammar root
	parser, err := newParser(&grammar, Proc{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}})
	require.NoError(t, err)
	found := regexp.MustCompile("`ralphex ([a-z]+)(?: \\[?([a-z]+)\\b)?").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, found)
	child := func(n *kong.Node, name string) *kong.Node {
		for _, c := range n.Children {
			if c.Name == name {
				return c
			}
		}
		return nil
	}
	for _, f := range found {
		if strings.Contains(f[0], ".md") || f[1] == "plan" {
			continue // `ralphex plan.md`
		}
		verb := child(parser.Model.Node, f[1])
		if assert.NotNil(t, verb, f[0]) && len(verb.Children) > 0 && f[2] != "" {
			assert.NotNil(t, child(verb, f[2]), f[0])
		}
	}
}

// What a shell would expand is never a candidate.
func TestCompletionOffersPlainWords(t *testing.T) {
	for word, want := range map[string]bool{"T1": true, "T1.2": true, "plan_p.1": true, "größe-2": true, "a/b:c@d+e": true,
		"": false, "$(touch x)": false, "`id`": false, "a b": false, "-rf": false, "a;b": false, "a\nb": false, "*": false, "~": false, "a'b": false, `a"b`: false, "{a,b}": false, "a\\b": false, "<(x)": false, "!1": false} {
		assert.Equal(t, want, plainWord().MatchString(word), "%q", word)
	}
}

// What may stand behind words that the grammar and the tables know. Ids of tasks, worktrees and copies are in the stories.
func TestCompletionWords(t *testing.T) {
	for words, want := range map[string]string{
		"--executor":             strings.Join(executorNames(), " "),
		"run --executor":         strings.Join(executorNames(), " "),
		"--validate":             "gate report off",
		"plan.md --review-when":  "end task group none",
		"--external-review-tool": "codex custom none",
		"--from":                 "tasks review external review2 finalize",
		"--format":               "text json sarif github",
		"new --validate":         "", // a command
		"check --profile":        "strict run",
		"check --explain":        strings.Join(ruleIDs(), " "),
		"convert --to":           "plan json tasks.json",
		"lsp --profile":          "strict run",
		"task graph --format":    "text mermaid dot",
		"task add x --priority":  "low normal high",
		"task set T1 status":     "todo in_progress blocked done",
		"worktrees":              "list gc open",
		"worktrees gc --dry-run": "",
		"workspace":              "init adopt doctor reset path",
		"workspace path":         strings.Join(placeNames(), " "),
		"workspace path prd":     "",
		"completion":             "bash zsh fish",
		"latest":                 "summary provenance prompt-evidence transcript bundle-dir",
		"integrations":           "git-hook install",
		"integrations install":   "ralphex ralphex-adopt ralphex-convert ralphex-plan ralphex-update",
		"__complete":             "",
	} {
		got := strings.Fields(run(t, 0, append([]string{"__complete"}, strings.Fields(words)...)...))
		assert.Equal(t, want, strings.Join(got, " "), words)
	}
	assert.Contains(t, ruleIDs(), "box-bullet")
	assert.Contains(t, strings.Fields(run(t, 0, "__complete", "--task-model")), "claude-opus-5")
	assert.Contains(t, strings.Fields(run(t, 0, "__complete", "convert", "--from")), "openspec")
}
