package plan

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var branchNames = []struct{ path, want string }{
	{"docs/plans/2024-01-15-foo.md", "foo"},
	{"20240115-foo.md", "foo"},
	{"2024-01-15--foo.md", "foo"},
	{"foo.md", "foo"},
	{"Foo_Bar.v2.md", "Foo_Bar.v2"},
	{"foo.markdown", "foo.markdown"},
	{"2fa-login.md", "2fa-login"},           // W14
	{"42-x.md", "42-x"},                     // W14
	{"2024-13-45-foo.md", "2024-13-45-foo"}, // no date
	{"20240230-foo.md", "20240230-foo"},
	{"2024-01-15.md", "2024-01-15"},
	{"2024-01-15-.md", "2024-01-15-"},
	{"add caching layer.md", "add-caching-layer"},
	{"Fehler-über-Größe.md", "Fehler-ueber-Groesse"},
	{"Éclair.md", "Eclair"},
	{"E\u0301clair.md", "Eclair"},
	{"план кэша.md", "plan-kesha"},
	{"Щука.md", "Shchuka"},
	{"計画.md", "plan-"},
	{"計画 auth.md", "auth-"},
	{"設計 auth.md", "auth-"},
	{"a..b.md", "a.b"},
	{"a.lock.md", "a"},
	{"-x.md", "x"},
	{".hidden.md", "hidden"},
	{"@{u}.md", "u"},
	{"a@b.md", "a@b"},
	{"a~b^c:d?e*f[g\\h.md", "a-b-c-d-e-f-g-h"},
	{"HEAD.md", "plan-HEAD-"},
	{"...md", "plan-"},
	{"a\xff.md", "a-"},
	{"fire🔥.md", "fire"},
	{strings.Repeat("x", 250) + ".md", strings.Repeat("x", 191) + "-"},
}

func TestBranchName(t *testing.T) {
	seen := map[string]string{}
	for _, tt := range branchNames {
		got := BranchName(tt.path)
		if strings.HasSuffix(tt.want, "-") && got != tt.want {
			rest, ok := strings.CutPrefix(got, tt.want)
			assert.True(t, ok && len(rest) == 8, "%q: %q has a hash after %q", tt.path, got, tt.want)
			assert.Empty(t, seen[got], "two names, one branch")
			seen[got] = tt.path
		} else {
			assert.Equal(t, tt.want, got, tt.path)
		}
		assert.True(t, validBranch(got), got)
	}
}

// TestBranchNameIsValidForGit asks git itself.
func TestBranchNameIsValidForGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	for _, tt := range branchNames {
		name := BranchName(tt.path)
		out, err := exec.CommandContext(t.Context(), git, "check-ref-format", "--branch", name).CombinedOutput()
		assert.NoError(t, err, "%q: %s", name, out)
	}
}

func TestAlternateName(t *testing.T) {
	for _, tt := range []struct{ base, want string }{
		{"2024-01-15-foo.md", "20240115-foo.md"},
		{"20240115-foo.md", "2024-01-15-foo.md"},
		{"9999-99-99-x.md", "99999999-x.md"}, // digits, not dates
		{"foo.md", ""},
		{"2024-01-15-.md", ""},
		{"20240115-.md", ""},
		{"2024-01-15-foo", ""},
		{"2024-1-15-foo.md", ""},
		{"202401155-foo.md", ""},
		{"", ""},
	} {
		got, ok := AlternateName(tt.base)
		assert.Equal(t, tt.want, got, tt.base)
		assert.Equal(t, tt.want != "", ok, tt.base)
		if ok {
			back, ok := AlternateName(got)
			assert.True(t, ok)
			assert.Equal(t, tt.base, back)
		}
	}
}

func TestLocate(t *testing.T) {
	const dashed, plain = "2024-01-15-foo.md", "20240115-foo.md"
	for _, tt := range []struct {
		name  string
		asked string
		files []string
		want  string
	}{
		{"itself", dashed, []string{dashed, plain, "completed/" + dashed}, dashed},
		{"other date form", dashed, []string{plain, "completed/" + dashed}, plain},
		{"and back", plain, []string{dashed}, dashed},
		{"archived", dashed, []string{"completed/" + dashed, "completed/" + plain}, "completed/" + dashed},
		{"archived in the other form", dashed, []string{"completed/" + plain}, "completed/" + plain},
		{"no date", "foo.md", []string{"completed/foo.md"}, "completed/foo.md"},
		{"nowhere", dashed, []string{"foo.md"}, dashed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, CompletedDir), 0o755))
			for _, f := range tt.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, f), nil, 0o644))
			}
			got, err := Locate(filepath.Join(dir, tt.asked))
			require.NoError(t, err)
			assert.Equal(t, filepath.Join(dir, filepath.FromSlash(tt.want)), got)
		})
	}
	t.Run("an error that says nothing about the file", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("another error there")
		}
		file := writePlan(t, "")
		asked := filepath.Join(file, "plan.md") // a file in the place of a folder
		got, err := Locate(asked)
		require.Error(t, err)
		assert.Equal(t, asked, got)
	})
	t.Run("relative", func(t *testing.T) {
		t.Chdir(t.TempDir())
		require.NoError(t, os.WriteFile(plain, nil, 0o644))
		got, err := Locate(dashed)
		require.NoError(t, err)
		assert.Equal(t, plain, got)
	})
}
