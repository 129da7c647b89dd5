package config

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzSettingsFile reads any bytes as a settings file: no panic, and every key that counts has the line
// on which it stands.
func FuzzSettingsFile(f *testing.F) {
	for _, seed := range []string{
		"", "task_model = x\n", "[a]\nb = c\n", "a", "= b", "plans_dir = \"\"\"\nx\n\"\"\"\n", "plans_dir = `a", "plans_dir = a\\\nb\\",
		"\"plans_dir\" = 1\n", "`plans_dir`:2", "\"\"\"plans_dir\"\"\" = 1", "plans_dir = %(plans_dir)s", "a=%(b)s\nb=%(a)s", "-=1\n-=2",
		"max_iterations = 99999999999999999999", "\xef\xbb\xbfplans_dir=x", "\x00=\x00", "[DEFAULT]\nplans_dir = d", "plans_dir = \\\n\n[x]\nvalidate = off",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, warnings, err := parseFile(text, Origin{Layer: Local, Name: "config"})
		lines := strings.Count(string(text), "\n") + 1
		for _, w := range warnings {
			assert.LessOrEqual(t, w.Origin.Line, lines)
			assert.NotEmpty(t, w.String())
		}
		if err != nil {
			return
		}
		entries, fault := scan(bytes.TrimPrefix(text, bom))
		for _, s := range list {
			assert.LessOrEqual(t, s.origin.Line, lines)
			if fault == 0 {
				assert.NotZero(t, s.origin.Line, "%s has no line among %v", s.key.Name, entries)
			}
		}
		c := &Config{origins: map[string]Origin{}}
		_ = c.merge(list, Options{}, "")
	})
}

// FuzzList joins and splits lists: what is joined splits into the same items.
func FuzzList(f *testing.F) {
	f.Add("a,b", "c")
	f.Add(`a\,b`, `\`)
	f.Add(`\\,`, ",")
	f.Fuzz(func(t *testing.T, a, b string) {
		list := splitList(a + "," + b)
		for _, item := range list {
			if strings.HasSuffix(item, `\`) {
				t.Skip("a backslash at the end of an item has no notation")
			}
		}
		assert.Equal(t, list, splitList(joinList(list)))
	})
}

// FuzzExpand fills variables once: a value's own variables come out as they went in.
func FuzzExpand(f *testing.F) {
	f.Add("see {{PLAN_FILE}} and {{X}}", "{{X}}")
	f.Add("{{{{PLAN_FILE}}}}", "")
	f.Fuzz(func(t *testing.T, text, value string) {
		const mark = "\x00value\x00"
		if strings.Contains(text, mark) {
			t.Skip()
		}
		marked := Expand(text, map[string]string{"PLAN_FILE": mark})
		require.Equal(t, strings.ReplaceAll(marked, mark, value), Expand(text, map[string]string{"PLAN_FILE": value}))
	})
}

// FuzzAgentFile reads any bytes as an agent's file: no panic, warnings within the file, and no text is lost: it is the
// body, or what stands between the lines of the head.
func FuzzAgentFile(f *testing.F) {
	for _, seed := range []string{"", "look", "---\nmodel: opus\n---\nlook", "---\n---\n", "# a\n\n---\nagent: [x]\n---\n", "---\n? a\n---\nb", "---\n&a *a\n---", "---\nmodel: !!binary x\n---\ny", "---\n{\n---\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		a, warnings := parseAgent("a", raw, Origin{Name: "a.txt"})
		assert.Contains(t, raw, a.Body)
		if a.Model != "" {
			assert.Contains(t, agentModels, a.Model)
		}
		for _, w := range warnings {
			assert.LessOrEqual(t, w.Origin.Line, strings.Count(raw, "\n")+1)
		}
	})
}
