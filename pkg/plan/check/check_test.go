package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func rulesOf(f []Finding) []string {
	var out []string
	for _, x := range f {
		out = append(out, x.Rule)
	}
	return out
}

// TestFrameIsClean checks that a whole plan of the examples has no finding at all.
func TestFrameIsClean(t *testing.T) {
	e := Example{frameTasks, InTasks}
	for _, crlf := range []bool{false, true} {
		src := string(e.Plan())
		if crlf {
			src = strings.ReplaceAll(src, "\n", "\r\n")
		}
		assert.Empty(t, Check([]byte(src), Options{}))
	}
}

// TestExamples checks the examples of each rule: the wrong one breaks it, the right one does not, and what is
// fixable is mended.
func TestExamples(t *testing.T) {
	for _, r := range Rules() {
		t.Run(r.ID, func(t *testing.T) {
			assert.NotEmpty(t, r.Title)
			assert.NotEmpty(t, r.Why)
			if r.Wrong.Text == "" {
				return
			}
			wrong := Check(r.Wrong.Plan(), Options{})
			require.Contains(t, rulesOf(wrong), r.ID)
			assert.NotContains(t, rulesOf(Check(r.Right.Plan(), Options{})), r.ID)
			fixed, rest, err := FixAll(r.Wrong.Plan(), Options{})
			require.NoError(t, err)
			if r.Fixable && r.ID != "title-first" && r.ID != "section-missing" {
				assert.NotContains(t, rulesOf(rest), r.ID, "%s", fixed)
			}
		})
	}
}
