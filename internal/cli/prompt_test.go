package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/config"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/claude"
	"ralphex/pkg/executor/codex"
	"ralphex/pkg/executor/runbook"
	"ralphex/pkg/vcs"
)

// spoken is a repository of which only the words are asked.
type spoken struct {
	vcs.Repo
	kind string
}

func (s spoken) Kind() string { return s.kind }

// The embedded prompts name no version control system; rendered, they speak the repository's own and no other.
func TestPromptsSpeakTheRepositorysLanguage(t *testing.T) {
	git, hg := regexp.MustCompile(`(?i)\bgit\b`), regexp.MustCompile(`(?i)\bhg\b|mercurial`)
	open := regexp.MustCompile(`\{(base|path|rev|branch)\}|\{\{VCS`)
	cfg, _, err := config.Load(config.Options{})
	require.NoError(t, err)
	tests := []struct {
		kind, base  string
		speaks, not *regexp.Regexp
		has         []string
	}{
		{"git", "", git, hg, []string{"git log --oneline main..HEAD", `git commit -m "MESSAGE" -- FILES`}},
		{"git", "v1", git, hg, []string{"git log --oneline v1..HEAD"}},
		{"hg", "", hg, git, []string{`hg log -r "only(., last(public() and ::.))"`, "leave the changes in the tree"}},
		{"hg", "stable", hg, git, []string{`hg log -r "only(., stable)"`}},
	}
	for _, name := range config.PromptNames() {
		text, _, err := cfg.Prompt(name)
		require.NoError(t, err)
		assert.NotRegexp(t, git, text, name)
		assert.NotRegexp(t, hg, text, name)
		prompt, notes, err := promptFor(cfg, name, claude.New(claude.Options{}))
		require.NoError(t, err)
		for _, n := range notes {
			assert.Equal(t, event.Info, n.Level, n.Text)
		}
		for _, tt := range tests {
			r := &running{job: &job{cfg: cfg, repo: spoken{kind: tt.kind}, planAt: "/p.md", opts: runOptions{baseRef: tt.base},
				ready: &workspace.Prepared{Default: "main"}}}
			got := prompt("claude", r.promptVars())
			assert.Regexp(t, tt.speaks, got, name)
			assert.NotRegexp(t, tt.not, got, name)
			assert.NotRegexp(t, open, got, "%s: a word was not filled in", name)
			if name == "task" {
				for _, s := range tt.has {
					assert.Contains(t, got, s)
				}
			}
		}
	}
}

// The same prompt asks each agent in its own way to have the reviewers run.
func TestReviewersAreStartedAsTheAgentCan(t *testing.T) {
	cfg, _, err := config.Load(config.Options{})
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		ex  executor.Executor
		has string
	}{
		"claude": {claude.New(claude.Options{}), "Use the Task tool to launch a general-purpose agent"},
		"codex":  {codex.New(codex.Options{}), "spawn_agent(agent='reviewer', task='You review a change"},
		"none":   {runbook.New(), `Take the part of the reviewer "quality" now`},
	} {
		prompt, notes, err := promptFor(cfg, "review_first", tt.ex)
		require.NoError(t, err, name)
		assert.Len(t, notes, 5, name)
		text := prompt(tt.ex.Name(), map[string]string{"GOAL": "the goal"})
		assert.Contains(t, text, tt.has, name)
		assert.Equal(t, name == "codex", strings.HasPrefix(text, "=== Codex orchestration directives ===\n"), name)
	}
}

// Who stands in for another gets its own words, and what there is to say about the files is said once.
func TestStandInsArePromptedInTheirOwnWords(t *testing.T) {
	cfg, _, err := config.Load(config.Options{})
	require.NoError(t, err)
	s := staff{ex: claude.New(claude.Options{}), standIns: []executor.Executor{codex.New(codex.Options{})}}
	prompt, notes, err := promptFor(cfg, "review_first", s.all()...)
	require.NoError(t, err)
	assert.Len(t, notes, 5)
	first, second := prompt("claude", nil), prompt("codex", nil)
	assert.Contains(t, first, "Use the Task tool")
	assert.NotContains(t, first, "spawn_agent")
	assert.Contains(t, second, "spawn_agent(agent='reviewer'")
	assert.NotContains(t, second, "Use the Task tool")
}
