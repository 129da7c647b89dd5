package config

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPromptComesFromTheNearestFile(t *testing.T) {
	o := world(t, "", "")
	home := environment(o.Env)["HOME"]
	prompt := func() (string, string) {
		text, source, err := load(t, o).Prompt("task")
		require.NoError(t, err)
		return text, filepath.ToSlash(source)
	}
	text, source := prompt()
	assert.Equal(t, "embedded", source)
	assert.Contains(t, text, "{{PLAN_FILE}}")

	write(t, filepath.Join(home, ".config", "ralphex", "prompts", "task.txt"), "global\n")
	text, source = prompt()
	assert.Equal(t, []string{"global", "~/.config/ralphex/prompts/task.txt"}, []string{text, source})

	write(t, filepath.Join(o.RepoRoot, ".ralphex", "prompts", "task.txt"), "# nothing\n\n# but comments\n")
	_, source = prompt()
	assert.Equal(t, "~/.config/ralphex/prompts/task.txt", source, "a file without text falls through")

	write(t, filepath.Join(o.RepoRoot, ".ralphex", "prompts", "task.txt"), "local\r\n")
	text, source = prompt()
	assert.Equal(t, []string{"local", ".ralphex/prompts/task.txt"}, []string{text, source})
}

func TestPromptWithoutText(t *testing.T) {
	c := load(t, Options{})
	for _, name := range []string{"nonsense", "../prompts/task", ""} {
		_, _, err := c.Prompt(name)
		assert.ErrorIs(t, err, fs.ErrNotExist, name)
	}
}

func TestPromptText(t *testing.T) {
	for _, tt := range []struct{ name, raw, want string }{
		{"plain", "\n do it \n", "do it"},
		{"comment block", "# a\n# b\ndo\n", "do"},
		{"blank line ends the block", "# a\n# b\n\n# Title\ndo", "# Title\ndo"},
		{"one line is a title", "# Title\ndo", "# Title\ndo"},
		{"indented comments", "  # a\n\t# b\ndo", "do"},
		{"later comments stay", "do\n# a\n# b", "do\n# a\n# b"},
		{"template", "# do this\n#\n\n# and that\n", ""},
		{"empty", "", ""},
		{"byte order mark", "\xef\xbb\xbf# a\n# b\ndo", "do"},
		{"windows", "# a\r\n# b\r\ndo\r\nit\r\n", "do\nit"},
	} {
		assert.Equal(t, tt.want, promptText(tt.raw), tt.name)
	}
}

func TestExpand(t *testing.T) {
	vars := map[string]string{"A": "{{B}}", "B": "b", "C_1": "c"}
	assert.Equal(t, "{{B}} b c {{D}} {{a}} {{ A }} {{agent:x}}", Expand("{{A}} {{B}} {{C_1}} {{D}} {{a}} {{ A }} {{agent:x}}", vars))
	assert.Equal(t, "{b}", Expand("{{{B}}}", vars))
	assert.Equal(t, "x", Expand("x", nil))
}

func BenchmarkLoad(b *testing.B) {
	o := Options{RepoRoot: b.TempDir(), Env: []string{"HOME=" + b.TempDir()}}
	for b.Loop() {
		if _, _, err := Load(o); err != nil {
			b.Fatal(err)
		}
	}
}
