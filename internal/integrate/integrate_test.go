package integrate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func at(t *testing.T) File {
	t.Helper()
	env := map[string]string{"HOME": t.TempDir()}
	return Tools[0].File("ralphex-plan", func(name string) string { return env[name] })
}

func state(t *testing.T, f File) State {
	t.Helper()
	s, err := f.State()
	require.NoError(t, err)
	return s
}

func TestInstallTwiceAndRemove(t *testing.T) {
	f := at(t)
	assert.Equal(t, Missing, state(t, f))
	before, wrote, err := f.Install()
	require.NoError(t, err)
	assert.Equal(t, Missing, before)
	assert.True(t, wrote)
	assert.Equal(t, Current, state(t, f))
	before, wrote, err = f.Install()
	require.NoError(t, err)
	assert.Equal(t, Current, before)
	assert.False(t, wrote)
	_, removed, err := f.Remove()
	require.NoError(t, err)
	assert.True(t, removed)
	assert.Equal(t, Missing, state(t, f))
	_, removed, err = f.Remove()
	require.NoError(t, err)
	assert.False(t, removed)
}

// What an older version installed, and nobody changed, is replaced.
func TestOlderVersionIsReplaced(t *testing.T) {
	f := at(t)
	old := []byte("---\ndescription: old\n---\nold text\n\n")
	whole := string(old) + mark + sum(old) + "; some other words -->\n"
	put(t, f, whole)
	assert.Equal(t, Outdated, state(t, f))
	_, wrote, err := f.Install()
	require.NoError(t, err)
	assert.True(t, wrote)
	assert.Equal(t, Current, state(t, f))
	put(t, f, strings.ReplaceAll(whole, "\n", "\r\n"))
	assert.Equal(t, Outdated, state(t, f), "line ends are no words")
}

func TestWhatIsSomebodysIsLeftAlone(t *testing.T) {
	text, err := Text("ralphex-plan")
	require.NoError(t, err)
	for name, have := range map[string]struct {
		text string
		want State
	}{
		"one word":           {strings.Replace(string(text), "conversation", "talk", 1), Changed},
		"a line behind it":   {string(text) + "and this\n", Foreign},
		"another's":          {"my own command\n", Foreign},
		"empty":              {"", Foreign},
		"only the last line": {mark + strings.Repeat("0", 64) + "; x -->\n", Changed},
	} {
		t.Run(name, func(t *testing.T) {
			f := at(t)
			put(t, f, have.text)
			assert.Equal(t, have.want, state(t, f))
			_, wrote, err := f.Install()
			require.NoError(t, err)
			assert.False(t, wrote)
			_, removed, err := f.Remove()
			require.NoError(t, err)
			assert.False(t, removed)
			kept, err := os.ReadFile(filepath.Join(f.Dir, f.Name))
			require.NoError(t, err)
			assert.Equal(t, have.text, string(kept))
		})
	}
	t.Run("a link", func(t *testing.T) {
		f := at(t)
		require.NoError(t, os.MkdirAll(f.Dir, 0o755))
		if err := os.Symlink("elsewhere.md", filepath.Join(f.Dir, f.Name)); err != nil {
			t.Skip(err)
		}
		assert.Equal(t, Foreign, state(t, f))
		_, wrote, err := f.Install()
		require.NoError(t, err)
		assert.False(t, wrote)
	})
}

// A repository can't choose where its command files land.
func TestRepositoryWithALinkOut(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, ".claude")); err != nil {
		t.Skip(err)
	}
	f, ok := Tools[0].FileIn(root, "ralphex")
	require.True(t, ok)
	_, wrote, err := f.Install()
	assert.Error(t, err)
	assert.False(t, wrote)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, entries)
	_, ok = Tools[1].FileIn(root, "ralphex")
	assert.False(t, ok, "codex reads none of a repository")
}

// The texts have the form that both tools read.
func TestTexts(t *testing.T) {
	assert.Equal(t, []string{"ralphex", "ralphex-adopt", "ralphex-convert", "ralphex-plan", "ralphex-update"}, Commands())
	for _, name := range Commands() {
		raw, err := Text(name)
		require.NoError(t, err)
		text := string(raw)
		head, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		require.True(t, ok, name)
		lines := strings.Split(head, "\n")
		require.Len(t, lines, 2, name)
		assert.Regexp(t, `^description: [A-Z][^:"]{20,100}$`, lines[0], name)
		assert.Regexp(t, `^argument-hint: "[^"]+"$`, lines[1], name)
		assert.Equal(t, 1, strings.Count(body, "$ARGUMENTS"), name)
		assert.NotRegexp(t, `\$\d`, body, "%s: it would be taken for an argument", name)
		assert.Less(t, len(text), 6000, name)
	}
	_, err := Text("../doc")
	assert.ErrorContains(t, err, "there are ralphex, ")
}

func put(t *testing.T, f File, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(f.Dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(f.Dir, f.Name), []byte(text), 0o644))
}
