package config

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/proc"
)

var update = flag.Bool("update", false, "rewrite golden files and generated pages")

// public are the keys of the public ralphex; a settings file of its users must go on working.
const public = `claude_command claude_args plan_model task_model review_model executor pass_claude_md codex_enabled
codex_command codex_model codex_reasoning_effort codex_timeout_ms codex_sandbox external_review_tool custom_review_script
iteration_delay_ms task_retry_count max_iterations max_external_iterations review_patience finalize_enabled
preserve_anthropic_api_key move_plan_on_completion use_worktree session_timeout idle_timeout wait_on_limit plans_dir
default_branch watch_dirs vcs_command commit_trailer claude_error_patterns claude_limit_patterns claude_retry_patterns
codex_error_patterns codex_limit_patterns notify_channels notify_on_error notify_on_complete notify_timeout_ms
notify_telegram_token notify_telegram_chat notify_slack_token notify_slack_channel notify_smtp_host notify_smtp_username
notify_smtp_password notify_email_from notify_smtp_port notify_smtp_starttls notify_email_to notify_webhook_urls
notify_custom_script color_task color_review color_codex color_claude_eval color_warn color_error color_signal
color_timestamp color_info`

func TestTableHoldsThePublicKeysAndOurs(t *testing.T) {
	known := map[string]bool{}
	for _, name := range strings.Fields(public) {
		known[name] = true
		k, ok := Lookup(name)
		assert.True(t, ok, "%s is gone", name)
		assert.False(t, k.Ours, "%s is a public key", name)
	}
	for _, k := range Keys() {
		assert.Equal(t, !known[k.Name], k.Ours, "%s: mark it as ours, or put it into the list of the public keys", k.Name)
	}
}

func TestTableIsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Keys() {
		assert.NotEmpty(t, k.Name)
		assert.False(t, seen[k.Name], "%s stands twice", k.Name)
		seen[k.Name] = true
		assert.NotEmpty(t, k.Group, k.Name)
		assert.True(t, strings.HasSuffix(k.Doc, "."), "%s: the doc is no sentence", k.Name)
		assert.NotContains(t, k.Doc+k.Note, "|", "%s: a bar breaks the page's table", k.Name)

		var v Values
		require.NoError(t, k.set(&v, k.Default), k.Name)
		var again Values
		require.NoError(t, k.set(&again, k.show(&v)), k.Name)
		assert.Equal(t, v, again, "%s: its value as text is not its value", k.Name)
	}
}

// TestKeptProcessesAreTheOnesThatProcSpares keeps the two lists alike: one is for people, the other for
// whoever starts a process without settings.
func TestKeptProcessesAreTheOnesThatProcSpares(t *testing.T) {
	assert.Equal(t, proc.DefaultKeep, load(t, Options{}).KeepProcesses)
	cleared := load(t, world(t, "", "keep_processes =\n")).KeepProcesses
	assert.NotNil(t, cleared, "nil would mean the default")
	assert.Empty(t, cleared)
}

// A key that comes later says so on the page; all others are of the first release.
func TestKeysSaySinceWhen(t *testing.T) {
	type later struct {
		Old string `key:"old" doc:"Old."`
		New string `key:"new" doc:"New." since:"1.2"`
	}
	fields := reflect.TypeFor[later]()
	assert.Equal(t, "Old.", pageMeaning(readKey(fields.Field(0), 0)))
	assert.Equal(t, "New. *Since 1.2.*", pageMeaning(readKey(fields.Field(1), 1)))
	for _, k := range Keys() {
		assert.Regexp(t, `^[0-9]+\.[0-9]+$`, k.Since, k.Name)
	}
}

// page writes the table as docs/config.md.
func page() []byte {
	var b bytes.Buffer
	b.WriteString("<!-- Written by `make golden` from internal/config/values.go. Change it there. -->\n# Settings\n\n" + pageIntro)
	group := ""
	for _, k := range Keys() {
		if k.Group != group {
			group = k.Group
			fmt.Fprintf(&b, "\n## %s\n\n| key | type | default | meaning |\n|---|---|---|---|\n", group)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Name, k.Type, pageDefault(k), pageMeaning(k))
	}
	return b.Bytes()
}

func pageDefault(k Key) string {
	if k.Default == "" {
		return ""
	}
	if strings.Count(k.Default, ",") > 2 {
		return fmt.Sprintf("%d entries, see below", len(splitList(k.Default)))
	}
	return "`" + k.Default + "`"
}

func pageMeaning(k Key) string {
	s := k.Doc
	if len(k.Choices) > 0 {
		s += " One of `" + strings.Join(k.Choices, "`, `") + "`."
	}
	if k.Command {
		s += " **Command.**"
	}
	if k.Ours {
		s += " *New.*"
	}
	if k.Since != FirstRelease {
		s += " *Since " + k.Since + ".*"
	}
	if k.Note != "" {
		s += " *Differs: " + k.Note + ".*"
	}
	if strings.Count(k.Default, ",") > 2 {
		s += " Default: `" + strings.Join(splitList(k.Default), "`, `") + "`."
	}
	return s
}

const pageIntro = `ralphex reads its settings from five layers. A layer sets a key or is silent about it; the highest one that sets it wins.

1. The defaults below.
2. The global file, ` + "`~/.config/ralphex/config`" + ` (another folder: ` + "`--config-dir`" + `, ` + "`RALPHEX_CONFIG_DIR`" + `).
3. The local file, ` + "`.ralphex/config`" + ` at the repository's root.
4. The environment: ` + "`RALPHEX_`" + ` and the key in capitals, ` + "`RALPHEX_TASK_MODEL=opus`" + `.
5. Flags: the key with dashes, ` + "`--task-model opus`" + `, where the command has such a flag. Shorter ones: ` + "`--wait`" + ` is ` + "`wait_on_limit`" + `, ` + "`--codex`" + ` is ` + "`executor = codex`" + `, ` + "`--worktree`" + ` is ` + "`use_worktree`" + `, ` + "`--allow-deletions`" + ` is ` + "`max_delete_share = 100`" + `. No settings are ` + "`--debug`" + ` (each command that is executed, on standard error) and ` + "`--no-color`" + `. ` + "`--skip-finalize`" + ` is ` + "`finalize_enabled = false`" + `.

` + "```ini" + `
# .ralphex/config: a comment has a line of its own
task_model      = opus:high
max_iterations  = 20
idle_timeout    = 15m
claude_error_patterns = Not logged in, one with a comma\, like this
` + "```" + `

- An empty value clears what a lower layer said: texts and lists become empty; numbers, durations, yes-or-no keys and names that must not be empty go back to the default. ` + "`0`" + ` is a value like any other.
- Yes: 1 t true yes y on. No: 0 f false no n off. Durations: ` + "`90s`, `30m`, `1h30m`" + `; 0 switches a limit off.
- The section ` + "`[check]`" + ` holds severities of the rules of ` + "`ralphex check`" + `: ` + "`manual-work = off`" + `. It comes after the settings; see docs/check.md.
- An unknown key, a key below another ` + "`[section]`" + `, a key that is set twice and a comment behind a value are warned about, with file and line. A value that a key cannot take is an error, with file and line; nothing is started.
- ` + "`%(other_key)s`" + ` stands for another key's value, a backslash at the end of a line carries the value on, ` + "`\"\"\"`" + ` and backticks hold values of several lines.
- Keys marked **Command** name something that is executed, or a place where something is sent. In a repository's own ` + "`.ralphex/config`" + ` they are refused, unless they change nothing, or you have allowed them (` + "`ralphex trust`" + `, [trust.md](trust.md)), or you pass ` + "`--trust-repo-config`" + `: a clone must not run commands by being cloned.
- Reading settings never writes: your folders stay as they are.

What holds here, and why: ` + "`ralphex config show --origin`" + `. Mistakes in all files: ` + "`ralphex config lint`" + `. Templates that show all keys: ` + "`ralphex config init`" + ` for a repository, ` + "`--global`" + ` for you; ` + "`ralphex config reset`" + ` goes back, and keeps what was there. What differs from the built-in values and texts, after an update, say: ` + "`ralphex config diff`" + `.

Prompts and agents are files, too: [prompts.md](prompts.md). What their variables call base is ` + "`--base-ref`" + `, else ` + "`default_branch`" + `, else what the repository says: the default branch, with Mercurial the last public commit.

*New* keys are unknown to the public ralphex; *Differs* says where a key means something else there. A key that came later than the first release says *Since*.
`

// TestPageIsCurrent compares docs/config.md with the table.
func TestPageIsCurrent(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "config.md")
	if *update {
		require.NoError(t, os.WriteFile(path, page(), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(page()), strings.ReplaceAll(string(have), "\r\n", "\n"), "run make golden")
}

func TestNearest(t *testing.T) {
	names := []string{"task_model", "plan_model", "plans_dir", "validate"}
	for word, want := range map[string]string{
		"task_mdoel": "task_model", "plan-dir": "plans_dir", "VALIDATE": "validate", "valid": "", "": "", "x": "",
		strings.Repeat("validate", 100): "",
	} {
		assert.Equal(t, want, nearest(word, names), word)
	}
}
