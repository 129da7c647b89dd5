package vcs

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVerbsFillTheirWords(t *testing.T) {
	git := GitVerbs("git").With("base", "main", "path", "a.md")
	assert.Equal(t, "git diff main...HEAD", git.Diff)
	assert.Equal(t, "git restore -- a.md", git.Restore)
	assert.Equal(t, "git switch {branch}", git.Switch, "what nobody named stays")

	hg := HgVerbs().With("base", "")
	assert.Equal(t, `hg diff -r "ancestor(., last(public() and ::.))"`, hg.Diff, "the system's own base")
	assert.Equal(t, `hg log -r "only(., stable)"`, HgVerbs().With("base", "stable").Log)
}

// Each command of the struct reaches prompts, and one that is missing is a sentence, not a hole.
func TestVerbsVarsHoldEveryCommand(t *testing.T) {
	fields := reflect.TypeFor[Verbs]().NumField() - 2 // System and Base are no commands
	for _, v := range []Verbs{GitVerbs("git"), HgVerbs(), NoCommandVerbs()} {
		vars := v.Vars()
		assert.Len(t, vars, fields+1)
		for name, text := range vars {
			assert.NotEmpty(t, text, name)
		}
	}
	assert.Equal(t, "(Git has no command for this here)", NoCommandVerbs().Vars()["VCS_DIFF"])
	assert.Equal(t, "./hg2git.sh status --short", GitVerbs("./hg2git.sh").Vars()["VCS_STATUS"])
}

func TestPutAwayButKeepsAPath(t *testing.T) {
	assert.Equal(t, `git stash -u`, gitWays.PutAwayBut(""))
	assert.Equal(t, `git stash -u -- :/ ':/!it'\''s.md'`, gitWays.PutAwayBut("it's.md"))
}
