package cli

import (
	"io/fs"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/config"
	"ralphex/internal/workspace"
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
	found := 0
	for _, name := range config.PromptNames() {
		text, _, err := cfg.Prompt(name)
		if err != nil {
			require.ErrorIs(t, err, fs.ErrNotExist)
			continue // a prompt of a phase to come
		}
		found++
		assert.NotRegexp(t, git, text, name)
		assert.NotRegexp(t, hg, text, name)
		for _, tt := range tests {
			r := &running{job: &job{cfg: cfg, repo: spoken{kind: tt.kind}, planAt: "/p.md", opts: runOptions{baseRef: tt.base},
				ready: &workspace.Prepared{Default: "main"}}}
			got := config.Expand(text, r.promptVars())
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
	assert.Positive(t, found)
}
