package preflight

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
)

// Project is what the top of a project's folder shows of it. Nothing below the second level is looked at: this is no listing of files.
type Project struct {
	Manifests []string // go.mod, package.json, …
	Sources   []string // folders with source files, with slashes; "." = the top itself
	Tests     bool     // there are tests
	Scripts   []string // of package.json; nil = there is no package.json
}

var (
	manifests = []string{"package.json", "go.mod", "Cargo.toml", "pyproject.toml", "requirements.txt", "setup.py", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json",
		"Gemfile", "mix.exs", "CMakeLists.txt", "Makefile", "justfile"}
	sourceEnds = []string{".go", ".rs", ".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".java", ".kt", ".c", ".cc", ".cpp", ".h", ".cs", ".fs", ".rb", ".php", ".swift", ".ex", ".scala",
		".sh", ".lua", ".zig", ".dart", ".vue", ".svelte"}
	sourceDirs = []string{"src", "lib", "app", "cmd", "internal", "pkg", "packages", "crates", "apps"}
	testDirs   = []string{"test", "tests", "spec", "__tests__", "e2e"}
)

// maxEntries bounds how many entries of a folder are looked at.
const maxEntries = 2000

func readProject(root string) Project {
	var p Project
	for _, e := range entries(root) {
		name := e.Name()
		switch {
		case e.IsDir() && slices.Contains(testDirs, name):
			p.Tests = true
		case e.IsDir() && strings.HasPrefix(name, "."), name == "node_modules", name == "vendor":
		case e.IsDir():
			source, tests := looksInto(filepath.Join(root, name))
			p.Tests = p.Tests || tests
			if source || slices.Contains(sourceDirs, name) {
				p.Sources = append(p.Sources, name)
			}
		case slices.Contains(manifests, name), slices.Contains([]string{".sln", ".csproj", ".fsproj"}, filepath.Ext(name)):
			p.Manifests = append(p.Manifests, name)
		case isTest(name):
			p.Tests = true
		case slices.Contains(sourceEnds, filepath.Ext(name)) && !slices.Contains(p.Sources, "."):
			p.Sources = append(p.Sources, ".")
		}
	}
	if data, err := durable.ReadFile(filepath.Join(root, "package.json"), maxSize); err == nil {
		p.Scripts = scriptsOf(data)
	}
	return p
}

// looksInto tells whether a folder itself holds sources, and tests.
func looksInto(dir string) (source, tests bool) {
	for _, e := range entries(dir) {
		switch name := e.Name(); {
		case e.IsDir():
			tests = tests || slices.Contains(testDirs, name)
		case isTest(name):
			tests = true
		case slices.Contains(sourceEnds, filepath.Ext(name)):
			source = true
		}
	}
	return source, tests
}

func isTest(name string) bool {
	base := strings.TrimSuffix(name, filepath.Ext(name))
	return slices.Contains(sourceEnds, filepath.Ext(name)) &&
		(strings.HasSuffix(base, "_test") || strings.HasPrefix(base, "test_") || strings.HasSuffix(base, ".test") || strings.HasSuffix(base, ".spec") || strings.HasSuffix(base, "Test"))
}

// scriptsOf are the names of the scripts of a package.json, sorted; never nil.
func scriptsOf(data []byte) []string {
	var pkg struct {
		Scripts map[string]any `json:"scripts"`
	}
	out := []string{}
	if json.Unmarshal(data, &pkg) != nil {
		return out
	}
	for name := range pkg.Scripts {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func entries(dir string) []os.DirEntry {
	all, _ := os.ReadDir(dir) // a folder that can't be read shows nothing
	return all[:min(len(all), maxEntries)]
}
