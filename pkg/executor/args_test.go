package executor

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSplitArgs(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{"   ", nil},
		{"--verbose", []string{"--verbose"}},
		{"--a  --b ", []string{"--a", "--b"}},
		{"--dangerously-skip-permissions --output-format stream-json --verbose",
			[]string{"--dangerously-skip-permissions", "--output-format", "stream-json", "--verbose"}},
		{`--x "two words" 'and three more'`, []string{"--x", "two words", "and three more"}},
		{`--x="two words"y`, []string{"--x=two wordsy"}},
		{`a\ b`, []string{"a b"}},
		{`"a\"b" 'c\'d'`, []string{`a"b`, "c'd"}},
		{`a '' "" b`, []string{"a", "b"}},
		{`a"" ''b`, []string{"a", "b"}},
		{`"open to the end`, []string{"open to the end"}},
		{`end\`, []string{`end\`}},
		{"tab\tstays new\nline", []string{"tab\tstays", "new\nline"}},
		{`"it's"`, []string{"it's"}},
		{`日本 "é è"`, []string{"日本", "é è"}},
	} {
		assert.Equal(t, tt.want, SplitArgs(tt.line), "%q", tt.line)
	}
}

func TestWithFlag(t *testing.T) {
	for _, tt := range []struct{ args, value, want string }{
		{"--verbose", "opus", "--verbose --model opus"},
		{"", "opus", "--model opus"},
		{"--model sonnet --verbose", "opus", "--verbose --model opus"},
		{"--model=sonnet --verbose", "opus", "--verbose --model opus"},
		{"--verbose --model", "opus", "--verbose --model opus"},
		{"--model --verbose", "opus", "--verbose --model opus"},
		{"--model a --model=b --model c x", "opus", "x --model opus"},
		{"--models a", "opus", "--models a --model opus"},
		{"--model sonnet", "", "--model sonnet"},
	} {
		assert.Equal(t, strings.Fields(tt.want), WithFlag(strings.Fields(tt.args), "--model", tt.value), tt.args)
	}
}

func TestDropEnv(t *testing.T) {
	env := []string{"A=1", "CLAUDECODE=1", "CLAUDECODER=1", "SSE_PORT=1", "SSE_HOST=2", "EMPTY=", "A=2", "ODD"}
	got := DropEnv(env, "CLAUDECODE", "SSE_*", "ODD")
	assert.Equal(t, []string{"A=1", "CLAUDECODER=1", "EMPTY=", "A=2"}, got)
	assert.Len(t, env, 8, "the caller's is not touched")
	t.Setenv("RALPHEX_TEST_X", "1")
	assert.Contains(t, DropEnv(nil), "RALPHEX_TEST_X=1")
	assert.NotContains(t, DropEnv(nil, "RALPHEX_TEST_X"), "RALPHEX_TEST_X=1")
	assert.Equal(t, "2", Getenv(env, "A"))
	assert.Equal(t, "", Getenv(env, "NONE"))
	assert.Equal(t, "1", Getenv(nil, "RALPHEX_TEST_X"))
	assert.Nil(t, Trace(env))
	assert.NotNil(t, Trace([]string{"RALPHEX_DEBUG=net,exec"}))
}
