package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestConvertJSONKeepsItsSchema validates the report and the model of every sample that the readers are tested with.
func TestConvertJSONKeepsItsSchema(t *testing.T) {
	schema := compileSchema(t, "convert.json")
	samples, err := filepath.Glob(filepath.Join("..", "..", "pkg", "plan", "convert", "testdata", "*"))
	require.NoError(t, err)
	converted := 0
	for _, path := range samples {
		path, err := filepath.Abs(path)
		require.NoError(t, err)
		for _, args := range [][]string{{"--to", "json"}, {"--json", "-o", "out.md"}, {"--json", "--fail-on-loss", "-o", "strict.md"}} {
			dir := t.TempDir()
			var out, stderr bytes.Buffer
			code := Main(append([]string{"convert", path}, args...), Proc{Out: &out, Err: &stderr, Dir: dir})
			if code == exitUsage { // no source: a folder of goldens, a circle
				continue
			}
			doc, err := jsonschema.UnmarshalJSON(&out)
			require.NoError(t, err, "%s %v: %s", path, args, stderr.String())
			assert.NoError(t, schema.Validate(doc), "%s %v", path, args)
			converted++
		}
	}
	assert.Greater(t, converted, 60, "samples were converted")
}

// TestConvertSchemaSaysNo breaks a good report and a good model in one place at a time.
func TestConvertSchemaSaysNo(t *testing.T) {
	schema := compileSchema(t, "convert.json")
	run := func(args ...string) string {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "TODO.md"), []byte("# T\n\n## Tasks\n- [ ] TBD first\n- [x] second\n"), 0o644))
		var out, stderr bytes.Buffer
		require.Equal(t, exitDone, Main(append([]string{"convert", "TODO.md"}, args...), Proc{Out: &out, Err: &stderr, Dir: dir}), stderr.String())
		return out.String()
	}
	report, model := run("--json", "-o", "x.md"), run("--to", "json")
	validate := func(text string) error {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err, text)
		return schema.Validate(doc)
	}
	require.NoError(t, validate(report))
	require.NoError(t, validate(model))
	for _, tt := range []struct{ good, old, new string }{
		{report, `"version": 1`, `"version": 2`}, {report, `"format": "list"`, `"format": "letter"`}, {report, `"why": `, `"reason": `},
		{report, `"line": 4`, `"line": "4"`}, {report, `"tasks": 1`, `"tasks": -1`},
		{model, `"checked": false`, `"checked": 0`}, {model, `"state": "open"`, `"state": "todo"`}, {model, `"sections": [`, `"chapters": [`}, {model, `"offset": `, `"at": `},
	} {
		bad := strings.Replace(tt.good, tt.old, tt.new, 1)
		require.NotEqual(t, tt.good, bad, "nothing was broken: %s", tt.old)
		assert.Error(t, validate(bad), tt.new)
	}
}
