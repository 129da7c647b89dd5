package executortest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScript(t *testing.T) {
	file := filepath.Join(t.TempDir(), "agent")
	require.NoError(t, os.WriteFile(file, []byte("# x\nsession\n  say one\n - git commit -m x\n\nsession\nsession *\n say more\n"), 0o644))
	for i, want := range [][]step{
		{{3, "say", "one", false}, {4, "git", "commit -m x", true}},
		{},
		{{8, "say", "more", false}},
		{{8, "say", "more", false}},
	} {
		got, err := next(file)
		require.NoError(t, err)
		assert.Equal(t, want, got, "start %d", i+1)
	}
	for _, bad := range []string{"say x", "session\nfly away"} {
		_, err := parse(bad)
		assert.Error(t, err, bad)
	}
	require.NoError(t, os.WriteFile(file, []byte("session\n"), 0o644))
	_, err := next(file)
	assert.ErrorContains(t, err, "session 5 is not in the script")
}

func TestTick(t *testing.T) {
	const plan = "# P\n- [ ] not a task's\n### Task 1: a\n- [x] a\n```\n- [ ] fenced\n```\n### Task 2: b\n  * [ ] b1\n- [ ] b2\n## Notes\n- [ ] no\n### Iteration 3: c\n- [ ] c\n"
	dir := t.TempDir()
	for _, tt := range []struct{ args, want string }{
		{"next", "b1 b2"}, {"next 2", "b2"}, {"2 1", "b1"}, {"3", "c"}, {"all", "b1 b2 c"}, {"1", ""}, {"4", "error"}, {"2 3", "error"}, {"x", "error"},
	} {
		file := filepath.Join(dir, "p.md")
		require.NoError(t, os.WriteFile(file, []byte(plan), 0o644))
		err := (&agent{prompt: "Work on `" + file + "`."}).tick(tt.args, 'x')
		if tt.want == "error" {
			assert.Error(t, err, tt.args)
			continue
		}
		require.NoError(t, err, tt.args)
		after, err := os.ReadFile(file)
		require.NoError(t, err)
		want := plan
		for _, b := range map[string][][2]string{
			"b1 b2": {{"[ ] b1", "[x] b1"}, {"[ ] b2", "[x] b2"}}, "b2": {{"[ ] b2", "[x] b2"}}, "b1": {{"[ ] b1", "[x] b1"}},
			"c": {{"[ ] c", "[x] c"}}, "b1 b2 c": {{"[ ] b1", "[x] b1"}, {"[ ] b2", "[x] b2"}, {"[ ] c", "[x] c"}},
		}[tt.want] {
			want = strings.Replace(want, b[0], b[1], 1)
		}
		assert.Equal(t, want, string(after), tt.args)
	}
}
