package cli

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// How the command line is read, where the public one reads it in its way; docs/compat.md has a row for each difference.
func TestDialect(t *testing.T) {
	parse := func(args ...string) (*runCmd, error) {
		var g root
		parser, err := newParser(&g, Proc{Out: io.Discard, Err: io.Discard})
		require.NoError(t, err)
		_, err = parser.Parse(rewriteShort(args))
		return &g.Run, err
	}
	for _, args := range [][]string{
		{"-m5", "p.md"}, {"-m=5", "p.md"}, {"-m", "5", "p.md"}, {"--max-iterations=5", "p.md"}, {"p.md", "--max-iterations", "5"},
		{"-rm5", "p.md"}, {"-m5", "--", "p.md"},
	} {
		c, err := parse(args...)
		require.NoError(t, err, "%q", args)
		assert.Equal(t, 5, *c.MaxIterations, "%q", args)
		assert.Equal(t, "p.md", *c.Plan, "%q", args)
	}
	c, err := parse("--review=false", "p.md")
	require.NoError(t, err)
	assert.False(t, c.Review)
	_, err = parse("--revie", "p.md")
	require.ErrorContains(t, err, "unknown flag --revie")
	_, err = parse("p.md", "more")
	require.ErrorContains(t, err, "unexpected argument more")
	_, err = parse("-m", "x", "p.md")
	require.ErrorContains(t, err, "--max-iterations")
}
