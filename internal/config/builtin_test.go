package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What --dump-defaults writes says what no file would say.
func TestBuiltInSettingsAreTheDefaults(t *testing.T) {
	o := world(t, "", "")
	for _, f := range BuiltIn() {
		write(t, filepath.Join(environment(o.Env)["HOME"], ".config", "ralphex", filepath.FromSlash(f.Name)), f.Text)
	}
	c, plain := load(t, o), load(t, Options{})
	assert.Equal(t, plain.Values, c.Values)
	for _, name := range PromptNames() {
		want, _, err := plain.Prompt(name)
		require.NoError(t, err)
		got, source, err := c.Prompt(name)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.NotEqual(t, "embedded", source)
	}
	for _, k := range Keys() {
		assert.Equal(t, k.Default != "" && !k.unsetMeans, c.IsSet(k.Name), k.Name)
	}
}

func TestTemplatesSetNothing(t *testing.T) {
	o := world(t, "", "")
	seen := map[string]bool{}
	for _, f := range BuiltIn() {
		seen[f.Kind()] = true
		assert.True(t, IsTemplate(f.Template()), f.Name)
		assert.False(t, IsTemplate(f.Text), f.Name)
		write(t, filepath.Join(o.RepoRoot, ".ralphex", filepath.FromSlash(f.Name)), f.Template())
	}
	assert.Len(t, seen, 3)
	c := load(t, o)
	assert.Empty(t, c.origins)
	_, source, err := c.Prompt("task")
	require.NoError(t, err)
	assert.Equal(t, "embedded", source)
}

// A template whose lines lose their first two characters is the file again.
func TestTemplatesCanBeTakenBack(t *testing.T) {
	for _, f := range BuiltIn() {
		if f.Kind() == "config" {
			continue
		}
		var back strings.Builder
		for line := range strings.Lines(f.Template()) {
			back.WriteString(strings.TrimPrefix(line, "# "))
		}
		assert.Equal(t, f.Text, back.String(), f.Name)
	}
	for line := range strings.Lines(File{"config", settingsText()}.Template()) {
		assert.LessOrEqual(t, len(line), 500, "a comment that nobody can read: %s", line)
	}
}

func TestIsTemplate(t *testing.T) {
	assert.True(t, IsTemplate("\xef\xbb\xbf# a\r\n\r\n  # b\r\n"))
	assert.True(t, IsTemplate(""))
	assert.False(t, IsTemplate("; a comment of the settings' dialect counts as text, as for the public ralphex\n"))
}
