package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
)

// hostilePlans are what somebody's editor, converter or agent may leave behind.
var hostilePlans = []string{
	"", "\n", "\ufeff", "\x00", "\xff\xfe\xfd", "# \xff\n### Task \xff: \xff\n- [x] \xff\n",
	"# T\r\n\r\n### Task 1: a\r\n- [ ] b\r\n", "### Task 1: a\r- [ ] b\r",
	"### Task 99999999999999999999: a\n- [ ] b\n", "### Task 0: a\n### Task -1: b\n### Task 2.5: c\n### Task 2a: d\n### Task : e\n",
	"### Task 1:\n- [ ]\n- [x]\n- [~]\n- [-]\n- [X]\n", "### Task 1: a\n- [ ] (manual) b\n- [~] c\n- [-] d\n",
	"### Task 1: a\n- [ ] `- [ ]`\n- [ ] - [ ]\n", "### Task 1: a\n" + strings.Repeat("  ", 40) + "- [ ] b\n",
	"### Task 1: a\n```\n- [ ] b\n", "<!--\n### Task 1: a\n- [ ] b\n", "<details>\n### Task 1: a\n- [ ] b\n</details>\n",
	"### Задача 1: a\n### Task 2 - b\n###Task 3: c\n## Task 4: d\n", "### Task 1: a\n1. [ ] b\n- [] c\n-[ ] d\n> ### Task 2: x\n",
	"## Validation Commands\n- `a`\n- prose\n```sh\nb\nc\n```\n```sh\n```\n- ``\n", "### Task 1: <b>&amp;\u2028\n- [ ] \"quoted\" \\ \t \u0007\n",
	strings.Repeat("### Task 1: a\n- [ ] b\n", 500),
}

// TestShowJSONKeepsItsSchema validates what `show --json` prints, for the golden plans and for hostile ones.
func TestShowJSONKeepsItsSchema(t *testing.T) {
	schema := compileSchema(t, "plan.json")
	sources := hostilePlans
	golden, err := filepath.Glob(filepath.Join("..", "..", "pkg", "plan", "testdata", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, golden)
	for _, path := range golden {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		sources = append(sources, string(text))
	}
	file := filepath.Join(t.TempDir(), "plan.md")
	for _, src := range sources {
		require.NoError(t, os.WriteFile(file, []byte(src), 0o644))
		var out, stderr bytes.Buffer
		code := Main([]string{"show", file, "--json"}, Proc{Out: &out, Err: &stderr, Dir: t.TempDir()})
		require.Contains(t, []int{exitDone, exitUsage}, code, "%q", src)
		doc, err := jsonschema.UnmarshalJSON(&out)
		require.NoError(t, err, "%q: %s", src, stderr.String())
		assert.NoError(t, schema.Validate(doc), "%q", src)
	}
}

// TestGoldenPlansKeepTheSchema validates the golden JSON of the reader itself: a change to it must come here, too.
func TestGoldenPlansKeepTheSchema(t *testing.T) {
	schema := compileSchema(t, "plan.json")
	golden, err := filepath.Glob(filepath.Join("..", "..", "pkg", "plan", "testdata", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, golden)
	for _, path := range golden {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		assert.NoError(t, schema.Validate(doc), path)
	}
}

// TestPlanSchemaSaysNo breaks a good document in one place at a time.
func TestPlanSchemaSaysNo(t *testing.T) {
	schema := compileSchema(t, "plan.json")
	p, err := plan.ParsePlan([]byte("# T\n## Validation Commands\n- `a`\n- b\n### Task 1: a\n- [x] b\n- [~] c\n1. [ ] d\n"))
	require.NoError(t, err)
	good, err := json.Marshal(p)
	require.NoError(t, err)
	validate := func(text string) error {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err, text)
		return schema.Validate(doc)
	}
	require.NoError(t, validate(string(good)))
	for _, tt := range []struct{ name, old, new string }{
		{"a list that is null", `"validation_prose":[{"text":"b","line":4}]`, `"validation_prose":null`},
		{"a key that nobody knows", `"title":"T"`, `"title":"T","colour":"red"`},
		{"a key that is gone", `"title":"T",`, ``},
		{"another status", `"status":"done"`, `"status":"finished"`},
		{"a box that is ticked and open", `"checked":true,"state":"checked"`, `"checked":true,"state":"open"`},
		{"a box that is neither", `"checked":true,"state":"checked"`, `"checked":false,"state":"checked"`},
		{"position 0", `"id":"1","position":1`, `"id":"1","position":0`},
		{"a number that is a word", `"number":1`, `"number":"1"`},
		{"line 0", `"text":"a","line":3`, `"text":"a","line":0`},
		{"another severity", `"severity":"warning"`, `"severity":"fatal"`},
		{"a code in capitals", `"code":"numbered-box"`, `"code":"NumberedBox"`},
		{"a sample that is none", `"state":"manual"`, `"state":"manual","sample":false`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := strings.Replace(string(good), tt.old, tt.new, 1)
			require.NotEqual(t, string(good), bad, "nothing was broken in %s", good)
			assert.Error(t, validate(bad))
		})
	}
}

func compileSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "schema", name))
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(name, doc))
	schema, err := c.Compile(name)
	require.NoError(t, err)
	return schema
}
