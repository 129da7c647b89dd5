package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReparse(t *testing.T) {
	const src = "# P\n\n### Task 1: A\n- [ ] one\n- [~] two\n\n## Notes\n- [ ] stray\n"
	for _, tt := range []struct {
		name, now string
		patched   bool
	}{
		{"ticked", "# P\n\n### Task 1: A\n- [x] one\n- [~] two\n\n## Notes\n- [ ] stray\n", true},
		{"two marks", "# P\n\n### Task 1: A\n- [X] one\n- [-] two\n\n## Notes\n- [ ] stray\n", true},
		{"a mark of ours instead of a public one", "# P\n\n### Task 1: A\n- [-] one\n- [~] two\n\n## Notes\n- [ ] stray\n", false},
		{"stray box", "# P\n\n### Task 1: A\n- [ ] one\n- [~] two\n\n## Notes\n- [x] stray\n", false},
		{"text", "# P\n\n### Task 1: B\n- [x] one\n- [~] two\n\n## Notes\n- [ ] stray\n", false},
		{"no mark", "# P\n\n### Task 1: A\n- [y] one\n- [~] two\n\n## Notes\n- [ ] stray\n", false},
		{"longer", src + "more\n", false},
		{"empty", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, src)
			p.Path = "p.md"
			_, patched := p.changedBoxes([]byte(tt.now))
			assert.Equal(t, tt.patched, patched)
			got, err := p.Reparse([]byte(tt.now))
			require.NoError(t, err)
			want := parse(t, tt.now)
			want.Path = "p.md"
			assert.Equal(t, want, got)
			assert.Equal(t, src, p.Source(), "p stays what it was")
			assert.False(t, p.Tasks[0].Checkboxes[0].Checked)
		})
	}
	t.Run("too big", func(t *testing.T) {
		p := parse(t, src)
		p.Path = "p.md"
		_, err := p.Reparse(make([]byte, MaxSize+1))
		require.ErrorIs(t, err, ErrLimit)
		assert.ErrorContains(t, err, "p.md: ")
	})
}
