package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// world is a home folder and a repository with the given settings; empty text = no file.
func world(t *testing.T, global, local string) Options {
	t.Helper()
	home, repo := t.TempDir(), t.TempDir()
	write(t, filepath.Join(home, ".config", "ralphex", "config"), global)
	write(t, filepath.Join(repo, ".ralphex", "config"), local)
	return Options{RepoRoot: repo, Env: []string{"HOME=" + home}}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if text == "" {
		return
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func load(t *testing.T, o Options) *Config {
	t.Helper()
	c, warnings, err := Load(o)
	require.NoError(t, err)
	require.Empty(t, warnings)
	return c
}

func texts(warnings []Warning) []string {
	var list []string
	for _, w := range warnings {
		list = append(list, w.String())
	}
	return list
}

func TestDefaultsNeedNothing(t *testing.T) {
	c := load(t, Options{})
	assert.Equal(t, "claude", c.ClaudeCommand)
	assert.Equal(t, 50, c.MaxIterations)
	assert.Equal(t, 2*time.Second, c.IterationDelay)
	assert.Equal(t, 30*time.Minute, c.IdleTimeout)
	assert.Equal(t, 4*time.Hour, c.SessionTimeout)
	assert.Equal(t, "gate", c.Validate)
	assert.Equal(t, "evidence", c.Record)
	assert.Len(t, c.ClaudeErrorPatterns, 14)
	assert.True(t, c.MovePlan)
	assert.Equal(t, "default", c.Source("task_model"))
	assert.False(t, c.IsSet("task_model"))
}

func TestHigherLayerWins(t *testing.T) {
	global, local := "task_model = global\n", "# ours\n\ntask_model = local\n"
	for _, tt := range []struct {
		name          string
		global, local string
		env           string
		flags         map[string]string
		want, source  string
	}{
		{"none", "", "", "", nil, "", "default"},
		{"global", global, "", "", nil, "global", "global ~/.config/ralphex/config:1"},
		{"local", global, local, "", nil, "local", "local .ralphex/config:3"},
		{"env", global, local, "RALPHEX_TASK_MODEL=env", nil, "env", "env RALPHEX_TASK_MODEL"},
		{"flag", global, local, "RALPHEX_TASK_MODEL=env", map[string]string{"task_model": "flag:high"}, "flag:high", "flag --task-model"},
		{"empty flag", global, local, "", map[string]string{"task_model": ""}, "", "flag --task-model"},
		{"empty env", global, local, "RALPHEX_TASK_MODEL=", nil, "", "env RALPHEX_TASK_MODEL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := world(t, tt.global, tt.local)
			o.Env, o.Flags = append(o.Env, tt.env), tt.flags
			c := load(t, o)
			assert.Equal(t, tt.want, c.TaskModel.String())
			assert.Equal(t, filepath.FromSlash(tt.source), filepath.FromSlash(c.Source("task_model")))
			assert.Equal(t, tt.want, c.Value("task_model"))
		})
	}
}

// TestEveryKeyCanBeCleared sets each key in the global file to something else than its default and takes
// it back in the local one (W45).
func TestEveryKeyCanBeCleared(t *testing.T) {
	other := map[string]string{"bool": "", "number": "7", "duration": "7m", "milliseconds": "7", "list": "x,y", "model": "m:e", "colour": "#123456", "path": "p", "text": "x", "dollars": "1.5", "tokens": "2M"}
	for _, k := range Keys() {
		t.Run(k.Name, func(t *testing.T) {
			raw := other[k.Type]
			switch {
			case k.Type == "bool" && k.Default == "true":
				raw = "no"
			case k.Type == "bool":
				raw = "yes"
			case len(k.Choices) > 0:
				raw = k.Choices[len(k.Choices)-1]
			}
			set := load(t, world(t, k.Name+" = "+raw+"\n", ""))
			o := world(t, k.Name+" = "+raw+"\n", k.Name+" =\n")
			o.TrustRepo = true // going back to the default of a command is a change of the command
			cleared := load(t, o)
			want := ""
			if k.EmptyIsDefault {
				want = load(t, Options{}).Value(k.Name)
			}
			assert.NotEqual(t, want, set.Value(k.Name), "the example sets nothing")
			assert.Equal(t, want, cleared.Value(k.Name))
			assert.Equal(t, Local, cleared.Origin(k.Name).Layer)
		})
	}
}

func TestZeroIsAValue(t *testing.T) {
	c := load(t, world(t, "review_patience = 3\nmax_external_iterations = 9\nsession_timeout = 1h\n",
		"iteration_delay_ms = 0\nreview_patience = 0\nmax_external_iterations = 0\nsession_timeout = 0\nidle_timeout = 0s\ntask_retry_count = 0\n"))
	assert.Zero(t, c.IterationDelay)
	assert.Zero(t, c.ReviewPatience)
	assert.Zero(t, c.MaxExternal)
	assert.Zero(t, c.SessionTimeout)
	assert.Zero(t, c.IdleTimeout)
	assert.Zero(t, c.TaskRetryCount)
}

func TestZeroThatMeansTheDefault(t *testing.T) {
	c := load(t, world(t, "codex_timeout_ms = 5\nnotify_timeout_ms = 5\n", "codex_timeout_ms = 0\nnotify_timeout_ms = 0\n"))
	assert.Equal(t, time.Hour, c.CodexTimeout)
	assert.Equal(t, 10*time.Second, c.NotifyTimeout)
}

func TestDialect(t *testing.T) {
	c := load(t, world(t, "\xef\xbb\xbf# first\r\nplans_dir: 'my plans'\r\n; note\r\ncommit_trailer = \"a = b\"\r\n"+
		"claude_error_patterns = one, two\\, three,, \"\"\"\n"+
		"watch_dirs = `a,\n b`\nfinalize_enabled = ON\n", ""))
	assert.Equal(t, "my plans", c.PlansDir)
	assert.Equal(t, "a = b", c.CommitTrailer)
	assert.Equal(t, []string{"one", "two, three", `"""`}, c.ClaudeErrorPatterns)
	assert.Equal(t, []string{"a", "b"}, c.WatchDirs)
	assert.True(t, c.FinalizeEnabled)
	assert.Equal(t, 8, c.Origin("finalize_enabled").Line, "a value over two lines moves the next key down")
}

func TestWarnings(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"typo", "\ntask_modle = x\n", ".ralphex/config:2: unknown key task_modle has no effect; did you mean task_model?"},
		{"dash", "max-iterations = 3\n", ".ralphex/config:1: unknown key max-iterations has no effect; did you mean max_iterations?"},
		{"case", "Executor = codex\n", ".ralphex/config:1: unknown key Executor has no effect; did you mean executor?"},
		{"nonsense", "wibble_wobble = x\n", ".ralphex/config:1: unknown key wibble_wobble has no effect"},
		{"section", "[run]\nmax_iterations = 3\n", ".ralphex/config:2: max_iterations stands below [run] and has no effect; move it above the first [section]"},
		{"twice", "plans_dir = a\n#\nplans_dir = b\n", ".ralphex/config:3: plans_dir is set in line 1 already; this line wins"},
		{"backslash", "commit_trailer = a\\\nplans_dir = b\n", ".ralphex/config:1: commit_trailer ends in a backslash, so that the next line is part of its value"},
		{"interpolation", "plans_dir = a\ncommit_trailer = x %(plans_dir)s\n", `.ralphex/config:2: commit_trailer holds %(…)s, which stands for another key's value: it is "x a"`},
		{"comment", "task_model = opus # best\n", `.ralphex/config:1: task_model is "opus # best", with what looks like a comment; a comment needs a line of its own`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, warnings, err := Load(world(t, "", tt.text))
			require.NoError(t, err)
			assert.Equal(t, []string{filepath.FromSlash(tt.want)}, texts(warnings))
			assert.Equal(t, 50, c.MaxIterations)
		})
	}
}

func TestWarningsComeInOrderAndWithErrors(t *testing.T) {
	_, warnings, err := Load(world(t, "a = 1\n", "b = 1\nmax_iterations = x\n[s]\nc = 1\n"))
	require.Error(t, err)
	require.Len(t, warnings, 3)
	assert.Equal(t, []int{1, 1, 4}, []int{warnings[0].Origin.Line, warnings[1].Origin.Line, warnings[2].Origin.Line})
}

func TestMissingChosenFolderIsSaid(t *testing.T) {
	o := world(t, "", "")
	o.GlobalDir = filepath.Join(o.RepoRoot, "gone")
	_, warnings, err := Load(o)
	require.NoError(t, err)
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0].String(), "--config-dir: no folder")
	assert.NoDirExists(t, o.GlobalDir, "reading settings made a folder (W47)")
}

func TestBadValues(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"max_iterations = 0", "max_iterations: 0 is too low, the lowest is 1"},
		{"max_iterations = many", `max_iterations: "many" is not a whole number`},
		{"task_retry_count = -1", "task_retry_count: -1 is too low, the lowest is 0"},
		{"codex_enabled = maybe", `codex_enabled: "maybe" is neither yes nor no; write true or false`},
		{"session_timeout = -1m", "session_timeout: must be non-negative, got -1m"},
		{"idle_timeout = 30", `idle_timeout: "30" is not a duration; write one like 90s, 30m or 1h30m`},
		{"iteration_delay_ms = 2s", `iteration_delay_ms: "2s" is not a number of milliseconds`},
		{"iteration_delay_ms = -5", "iteration_delay_ms: must be non-negative, got -5"},
		{"iteration_delay_ms = 9223372036854775807", `iteration_delay_ms: "9223372036854775807" is not a number of milliseconds`},
		{"validate = gates", `validate: "gates" is not one of gate, report, off; did you mean gate?`},
		{"external_review_tool = foo", `external_review_tool: "foo" is not one of codex, custom, none`},
		{"notify_channels = email, tellegram", `notify_channels: "tellegram" is not one of telegram, email, slack, webhook, custom, desktop; did you mean telegram?`},
		{"color_task = 2e8b57", `color_task: "2e8b57" is not a colour; write one like #2e8b57`},
		{"executor = clause", `executor: "clause" is not one of claude, codex; did you mean claude?`},
	} {
		t.Run(tt.line, func(t *testing.T) {
			o := world(t, "\n\n"+tt.line+"\n", "")
			o.Executors = []string{"claude", "codex"}
			_, _, err := Load(o)
			assert.ErrorContains(t, err, filepath.FromSlash("~/.config/ralphex/config:3: ")+tt.want)
			var bad *ValueError
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, 3, bad.Origin.Line)
		})
	}
}

func TestAllErrorsAtOnce(t *testing.T) {
	o := world(t, "max_iterations = x\n", "validate = y\n")
	o.Env = append(o.Env, "RALPHEX_RECORD=z")
	o.Flags = map[string]string{"wait_on_limit": "-1s"}
	_, _, err := Load(o)
	require.Error(t, err)
	for _, want := range []string{"config:1: max_iterations", "config:1: validate", `RALPHEX_RECORD: "z" is`, "--wait: wait_on_limit: must be non-negative"} {
		assert.ErrorContains(t, err, want)
	}
}

func TestUnreadableLines(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no delimiter", "plans_dir = a\nhello\n", "config:2: key-value delimiter not found: hello"},
		{"no name", "= a\n", "config:1: "},
		{"open section", "\n[run\n", "config:2: unclosed section"},
		{"open quote", "a = b\nplans_dir = \"\"\"x\ny\n", "config:2: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := Load(world(t, tt.text, ""))
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

func TestUnknownFlagIsTheCallersMistake(t *testing.T) {
	_, _, err := Load(Options{Flags: map[string]string{"nope": "1"}})
	assert.ErrorContains(t, err, `flag for unknown key "nope"`)
}

func TestSettingsFileThatCannotBeRead(t *testing.T) {
	o := world(t, "", "")
	require.NoError(t, os.MkdirAll(filepath.Join(o.RepoRoot, ".ralphex", "config"), 0o755))
	_, _, err := Load(o)
	assert.ErrorContains(t, err, filepath.Join(".ralphex", "config"))

	o = world(t, strings.Repeat("#", maxFile+1), "")
	_, _, err = Load(o)
	assert.ErrorContains(t, err, "larger than")

	o = world(t, "", "t\x00a\x00s\x00k\x00")
	_, _, err = Load(o)
	assert.ErrorContains(t, err, filepath.Join(".ralphex", "config")+": no UTF-8 text")
}

// What a terminal would obey is no value, from whichever layer it comes.
func TestControlCharactersAreRefused(t *testing.T) {
	o := world(t, "", "task_model = a\x1b[2Jb\n")
	_, _, err := Load(o)
	assert.ErrorContains(t, err, `config:1: task_model: "a\x1b[2Jb" has the control character U+001B in it`)
	o = world(t, "notify_template = \"\"\"a\r\n\tb\"\"\"\n", "")
	_, _, err = Load(o)
	assert.NoError(t, err, "lines and tabs are text")
}

func TestRepositoryMayNotNameCommands(t *testing.T) {
	var commands int
	for _, k := range Keys() {
		if !k.Command {
			continue
		}
		commands++
		t.Run(k.Name, func(t *testing.T) {
			o := world(t, "", "\n"+k.Name+" = ./evil.sh\n")
			_, _, err := Load(o)
			require.ErrorIs(t, err, ErrUntrusted)
			assert.ErrorContains(t, err, filepath.FromSlash(".ralphex/config:2: ")+k.Name+` = "./evil.sh"`)
			var trust *TrustError
			require.ErrorAs(t, err, &trust)
			assert.Contains(t, trust.Hint(), "--trust-repo-config")

			o.TrustRepo = true
			assert.Equal(t, "./evil.sh", load(t, o).Value(k.Name))
			assert.Equal(t, "./evil.sh", load(t, world(t, k.Name+" = ./evil.sh\n", "")).Value(k.Name), "the user's own file may")
			assert.Equal(t, "./evil.sh", load(t, world(t, k.Name+" = ./evil.sh\n", k.Name+" = ./evil.sh\n")).Value(k.Name), "what holds anyway needs no trust")
		})
	}
	assert.Equal(t, 20, commands, "claude_command, claude_args, codex_command, command and arguments of five other agents, custom_review_script, worktree_setup, vcs_command, notify_custom_script, notify_urls, notify_smtp_host, notify_webhook_urls")
}

func TestGlobalFolder(t *testing.T) {
	home, a, b := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, filepath.Join(home, ".config", "ralphex", "config"), "plans_dir = home\n")
	write(t, filepath.Join(a, "config"), "plans_dir = a\n")
	write(t, filepath.Join(b, "config"), "plans_dir = b\n")
	assert.Equal(t, "home", load(t, Options{Env: []string{"HOME=" + home}}).PlansDir)
	assert.Equal(t, "a", load(t, Options{Env: []string{"HOME=" + home, "RALPHEX_CONFIG_DIR=" + a}}).PlansDir)
	c := load(t, Options{Env: []string{"HOME=" + home, "RALPHEX_CONFIG_DIR=" + a}, GlobalDir: b})
	assert.Equal(t, "b", c.PlansDir)
	assert.Equal(t, "global "+filepath.Join(b, "config")+":1", c.Source("plans_dir"))
}

func TestLocalFolderThatIsTheGlobalOne(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, ".config", "ralphex", "config"), "claude_command = mine\n")
	repo := t.TempDir()
	if err := os.Symlink(filepath.Join(home, ".config", "ralphex"), filepath.Join(repo, ".ralphex")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	c := load(t, Options{RepoRoot: repo, Env: []string{"HOME=" + home}})
	assert.Equal(t, "mine", c.ClaudeCommand, "a person's own file is trusted by either way")
	assert.Equal(t, Global, c.Origin("claude_command").Layer)
}

func TestHomeFolderInPaths(t *testing.T) {
	o := world(t, "vcs_command = ~/bin/hg2git.sh\nplans_dir = ~/plans\n", "")
	home := environment(o.Env)["HOME"]
	c := load(t, o)
	assert.Equal(t, filepath.Join(home, "bin", "hg2git.sh"), c.VCSCommand)
	assert.Equal(t, "~/plans", c.PlansDir, "only commands are expanded, as in the public one")

	o.Flags = map[string]string{"custom_review_script": "~/x"}
	assert.Equal(t, "~/x", load(t, o).CustomReviewScript, "the shell has expanded what it wanted")
}

// What is named relative to a folder lies below the root, from wherever ralphex is called; flags are made absolute by who knows where they were typed.
func TestCommandsAtTheRoot(t *testing.T) {
	o := world(t, "custom_review_script = bin/review.sh\n", "claude_command = ./bin/wrapper\ncodex_command = bin\ngemini_command = wrapper\npi_command = bin/nowhere\n")
	o.TrustRepo = true
	write(t, filepath.Join(o.RepoRoot, "bin", "review.sh"), "#!/bin/sh\n")
	write(t, filepath.Join(o.RepoRoot, "bin", "wrapper"), "#!/bin/sh\n")
	write(t, filepath.Join(o.RepoRoot, "wrapper"), "a file that is not meant\n")
	c := load(t, o)
	assert.Equal(t, filepath.Join(o.RepoRoot, "bin", "review.sh"), c.CustomReviewScript)
	assert.Equal(t, filepath.Join(o.RepoRoot, "bin", "wrapper"), c.ClaudeCommand)
	assert.Equal(t, []string{"bin", "wrapper", "bin/nowhere"}, []string{c.CodexCommand, c.GeminiCommand, c.PiCommand})

	o.Flags = map[string]string{"claude_command": "./bin/wrapper"}
	assert.Equal(t, "./bin/wrapper", load(t, o).ClaudeCommand)
}

func TestNoArgumentsAtAll(t *testing.T) {
	def := load(t, Options{}).ClaudeArgs
	assert.Equal(t, def, load(t, world(t, "claude_args =\n", "")).ClaudeArgs)
	assert.Empty(t, load(t, world(t, "claude_args = none\n", "")).ClaudeArgs)
	assert.Empty(t, load(t, Options{Flags: map[string]string{"claude_args": ""}}).ClaudeArgs)
}

func TestContainerIsTheSandbox(t *testing.T) {
	o := world(t, "codex_sandbox = read-only\n", "")
	o.Env = append(o.Env, "RALPHEX_DOCKER=1")
	c := load(t, o)
	assert.Equal(t, "danger-full-access", c.CodexSandbox)
	assert.Equal(t, "env RALPHEX_DOCKER", c.Source("codex_sandbox"))
}

func TestReject(t *testing.T) {
	c := load(t, world(t, "", "default_branch = nope\n"))
	err := c.Reject("default_branch", "no such branch")
	assert.EqualError(t, err, filepath.FromSlash(".ralphex/config:1: default_branch: no such branch"))
	var bad *ValueError
	assert.True(t, errors.As(err, &bad))
	assert.NotErrorIs(t, err, fs.ErrNotExist)
}

func TestModelFallsBack(t *testing.T) {
	c := load(t, world(t, "task_model = opus:high\nreview_model = :low\n", ""))
	assert.Equal(t, Model{"opus", "high"}, c.TaskModel)
	assert.Equal(t, Model{"opus", "high"}, c.PlanModel.Or(c.TaskModel))
	assert.Equal(t, Model{"", "low"}, c.ReviewModel.Or(c.TaskModel))
	assert.Equal(t, ":low", c.ReviewModel.String())
}

func TestChecks(t *testing.T) {
	rules, words := []string{"task-header", "box-mark", "placeholder"}, []string{"error", "warning", "off"}
	o := world(t, "[check]\nbox-mark = off\nplaceholder = warning\n", "max_iterations = 3\n\n[check]\nbox-mark = Error\ntask-heder = off\n\n[other]\nx = 1\n")
	got, warnings, err := LoadChecks(o, rules, words)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"box-mark": "error", "placeholder": "warning"}, got)
	assert.Equal(t, []string{".ralphex/config:5: there is no rule task-heder; the line has no effect; did you mean task-header?"}, texts(warnings))

	// For a run the section is none of its business, and another one is as useless as before.
	_, warnings, err = Load(o)
	require.NoError(t, err)
	assert.Equal(t, []string{".ralphex/config:8: x stands below [other] and has no effect; move it above the first [section]"}, texts(warnings))

	_, _, err = LoadChecks(world(t, "", "# x\n[check]\nbox-mark = eror\n"), rules, words)
	bad, ok := errors.AsType[*ValueError](err)
	require.True(t, ok)
	assert.Equal(t, `.ralphex/config:3: box-mark: "eror" is not one of error, warning, off; did you mean error?`, bad.Error())

	got, warnings, err = LoadChecks(Options{}, rules, words)
	require.NoError(t, err)
	assert.Empty(t, got)
	assert.Empty(t, warnings)
}
