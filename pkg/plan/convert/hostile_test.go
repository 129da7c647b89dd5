package convert

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHostile checks that no text makes the readers slow: time grows with the size, not with its square. The limit
// is a hundred times what it takes.
func TestHostile(t *testing.T) {
	const n = 20000
	for name, src := range map[string]string{
		"fences that never close":   strings.Repeat("```a\n", n) + "- [ ] x\n",
		"fences in items":           strings.Repeat("- ```\n", n) + "- [ ] x\n",
		"comments that never close": strings.Repeat("- [ ] <!-- x\n", n),
		"comments in spans":         "- [ ] x " + strings.Repeat("`<!--` ", n) + "\n",
		"deep lists":                deepList(2000),
		"one long line":             "- [ ] " + strings.Repeat("word ", n) + "\n",
		"backquotes":                "- [ ] a " + strings.Repeat("` `` ", n/20) + "\n",
		"equal titles":              strings.Repeat("## A\n- [ ] x\n", n/10),
		"a chain":                   chain(n / 4),
		"placeholders":              strings.Repeat("- [ ] a ??? b TBD\n", n/4),
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			in := FromBytes("x.md", []byte(src))
			r, err := Convert(in, Options{})
			require.NoError(t, err)
			assert.NotEmpty(t, r.Output)
			assert.Less(t, time.Since(begin), time.Minute)
			t.Logf("%d bytes in %v", len(src), time.Since(begin).Round(time.Millisecond))
		})
	}
}

func deepList(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "- [ ] x\n")
	}
	return b.String()
}

// chain is a list in which each item waits for the next.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("- [ ] A" + itoa(i) + " x (depends on A" + itoa(i+1) + ")\n")
	}
	return b.String()
}
