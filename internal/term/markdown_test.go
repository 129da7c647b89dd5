package term

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func colored(width int) *IO {
	return &IO{Color: true, Width: func() int { return width }}
}

const sample = "# Grüße\n\nSome *words* and `code`, which are longer than a line of forty columns is.\n\n### Task 1: Greet\n- [ ] write it\n- [x] read it\n\n```go\nfunc main() {}\n```\n"

func TestMarkdownIsDrawn(t *testing.T) {
	out := colored(40).Markdown(sample)
	plain := dropCSI(out)
	assert.NotEqual(t, plain, out)
	for _, text := range []string{"Grüße", "Task 1: Greet", "[ ] write it", "[✓] read it", "func main() {}"} {
		assert.Contains(t, plain, text)
	}
	for _, line := range strings.Split(plain, "\n") {
		assert.LessOrEqual(t, len([]rune(line)), 40, line)
	}
	assert.Contains(t, out, "write it", "words of one style are not cut into pieces")
}

// --no-color and pipes get the text itself.
func TestMarkdownWithoutColor(t *testing.T) {
	tio, _, _, _ := Test()
	assert.Equal(t, sample, tio.Markdown(sample))
	assert.Equal(t, "-a\n+b", tio.Diff("-a\n+b\n"))
}

// A draft is text of an agent: it can't move the cursor, hide a line, or change the title, drawn or not.
func TestMarkdownIsHarmless(t *testing.T) {
	evil := "# A\x1b[2J\n\nb\x1b]0;title\x07c \x1b[8mhidden\x1b[0m\r\n\n```\n\x1b[1A\n```\n"
	tio, _, _, _ := Test()
	for _, out := range []string{colored(60).Markdown(evil), tio.Markdown(evil), colored(60).Diff("+" + evil)} {
		assert.NotContains(t, out, "\x1b[2J")
		assert.NotContains(t, out, "\x1b]")
		assert.NotContains(t, out, "\x1b[8m")
		assert.NotContains(t, out, "\x1b[1A")
		assert.NotContains(t, out, "\a")
		assert.NotContains(t, out, "\r")
	}
}

func TestTidy(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a b  ", "a b"},
		{"joined", "\x1b[1ma\x1b[m\x1b[1m b\x1b[m", "\x1b[1ma b" + reset},
		{"two styles", "\x1b[1ma\x1b[m\x1b[2mb\x1b[0m", "\x1b[1ma" + reset + "\x1b[2mb" + reset},
		{"filled up", "\x1b[1ma\x1b[m\x1b[2m  \x1b[m  ", "\x1b[1ma" + reset},
		{"a background is seen", "\x1b[48;5;63m a \x1b[m\x1b[1m  \x1b[m", "\x1b[48;5;63m a " + reset},
		{"nothing but blanks", "\x1b[1m  \x1b[m", ""},
		{"not a colour", "a\x1b[2Kb", "a\x1b[2Kb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, tidy(tt.in)) })
	}
}

func TestLightBackground(t *testing.T) {
	assert.True(t, lightBackground("0;15"))
	assert.True(t, lightBackground("0;default;7"))
	assert.False(t, lightBackground("15;0"))
	assert.False(t, lightBackground(""))
}
