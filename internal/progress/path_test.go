package progress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPath(t *testing.T) {
	tests := []struct{ mode, subject, branch, want string }{
		{"full", "docs/plans/feature.md", "", "progress-feature.txt"},
		{"tasks-only", "/a/Мой план.md", "", "progress-Мой план.txt"},
		{"review", "docs/plans/feature.md", "", "progress-feature-review.txt"},
		{"codex-only", "docs/plans/feature.md", "", "progress-feature-codex.txt"},
		{"full", "docs/plans/feature.md", "my/feat-1", "progress-myfeat-1.txt"},
		{"review", "", "x", "progress-x-review.txt"},
		{"review", "", "", "progress-review.txt"},
		{"codex-only", "", "", "progress-codex.txt"},
		{"full", "", "", "progress.txt"},
		{"plan", "", "", "progress-plan.txt"},
		{"plan", "Add a -- Thing!", "x", "progress-plan-add-a-thing.txt"},
		{"plan", "Ещё", "", "progress-plan-unnamed.txt"},
		{"plan", strings.Repeat("ab ", 30), "", "progress-plan-" + strings.TrimRight(strings.Repeat("ab-", 17)[:50], "-") + ".txt"},
	}
	for _, tt := range tests {
		assert.Equal(t, filepath.Join("d", tt.want), Path("d", tt.mode, tt.subject, tt.branch))
	}
}

func TestIgnore(t *testing.T) {
	tests := []struct {
		name, before, after string
		wrote               bool
	}{
		{"missing", "", ".gitignore\nprogress/\nworktrees/\n", true},
		{"there", ".gitignore\nprogress/\nworktrees/\n", ".gitignore\nprogress/\nworktrees/\n", false},
		{"with more", "mine\nworktrees/\r\nprogress/\n.gitignore", "mine\nworktrees/\r\nprogress/\n.gitignore", false},
		{"lacks one", "mine\nprogress/", "mine\nprogress/\n.gitignore\nworktrees/\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), ".ralphex")
			if tt.before != "" {
				require.NoError(t, os.Mkdir(dir, 0o750))
				require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(tt.before), 0o644))
			}
			wrote, err := Ignore(dir)
			require.NoError(t, err)
			assert.Equal(t, tt.wrote, wrote)
			got, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
			require.NoError(t, err)
			assert.Equal(t, tt.after, string(got))
		})
	}
}
