package preflight

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProjectShowsManifestsSourcesTestsAndScripts(t *testing.T) {
	dir := t.TempDir()
	assert.Equal(t, Project{}, readProject(dir), "an empty folder shows nothing")
	assert.Equal(t, Project{}, readProject(filepath.Join(dir, "gone")))
	for name, text := range map[string]string{"go.mod": "module x", "main.go": "package main", "lib/a.py": "", "docs/a.md": "", "node_modules/x/y.js": "",
		"package.json": `{"scripts":{"test":"x","build":"y"}}`, "lib/test_a.py": ""} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	assert.Equal(t, Project{Manifests: []string{"go.mod", "package.json"}, Sources: []string{"lib", "."}, Tests: true, Scripts: []string{"build", "test"}}, readProject(dir))
}
