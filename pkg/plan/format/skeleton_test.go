package format_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
	"ralphex/pkg/plan/check"
	"ralphex/pkg/plan/format"
)

// A new plan is right before anybody has written a word of it.
func TestSkeletonChecksClean(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"Rate limiting", "  # Add `x` & <y> #\n", "Über: Größe", "日本語", "a --> b", strings.Repeat("long ", 40)} {
		s := format.Skeleton{Title: title, Commands: []string{"go test ./...", "echo `date`", "`x`"}}
		text := s.Plan()
		assert.Empty(t, check.Check(text, check.Options{}), title)
		p, err := plan.ParsePlan(text)
		require.NoError(t, err)
		require.NoError(t, p.Validate())
		assert.Empty(t, p.Warnings())
		assert.Equal(t, format.CleanTitle(title), p.Title)
		var commands []string
		for _, c := range p.ValidationCommands {
			commands = append(commands, c.Text)
		}
		assert.Equal(t, s.Commands, commands)
		res, err := format.Format(text)
		require.NoError(t, err)
		assert.Equal(t, string(text), string(res.Text), "and it is tidy")
	}
}

func TestSkeletonGolden(t *testing.T) {
	t.Parallel()
	text := format.Skeleton{Title: "Rate limiting", Commands: []string{"make test"}}.Plan()
	if *update {
		require.NoError(t, os.WriteFile("testdata/skeleton.txt", text, 0o644))
	}
	want, err := os.ReadFile("testdata/skeleton.txt")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(text))
}

func TestFileName(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 1, 29, 23, 0, 0, 0, time.UTC)
	for title, want := range map[string]string{
		"Rate limiting":             "20260129-rate-limiting.md",
		"Fix: a/b & C++ (again)!":   "20260129-fix-a-b-c-again.md",
		"Über Größe":                "20260129-ueber-groesse.md",
		"Добавить лимиты":           "20260129-dobavit-limity.md",
		"2026-01-29 things":         "20260129-things.md",
		"../../etc/passwd":          "20260129-etc-passwd.md",
		strings.Repeat("word ", 30): "20260129-" + strings.TrimSuffix(strings.Repeat("word-", 12), "-") + ".md",
	} {
		assert.Equal(t, want, format.FileName(title, day), title)
	}
	assert.NotEqual(t, format.FileName("日本語", day), format.FileName("中文", day))
	assert.Regexp(t, `^20260129-[a-z0-9-]+\.md$`, format.FileName("日本語", day))
}
