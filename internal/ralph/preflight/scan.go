package preflight

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
)

// targets are the names that a project gives to what proves it, best first.
var targets = []string{"validate", "check", "lint", "test", "build", "compile", "typecheck"}

// scanCommands looks which validation commands the files of a project name: package scripts, make and just targets, then the test command of
// each language, and last what its CI files run.
func scanCommands(dir string) []string {
	var out []string
	add := func(commands ...string) {
		for _, c := range commands {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	read := func(name string) ([]byte, bool) {
		data, err := durable.ReadFile(filepath.Join(dir, name), maxSize)
		return data, err == nil
	}
	if data, ok := read("package.json"); ok {
		add(packageScripts(dir, data)...)
	}
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		if data, ok := read(name); ok {
			add(ruleTargets("make", data)...)
			break
		}
	}
	for _, name := range []string{"justfile", "Justfile", ".justfile"} {
		if data, ok := read(name); ok {
			add(ruleTargets("just", data)...)
			break
		}
	}
	for _, row := range []struct {
		file     string
		commands []string
	}{
		{"pyproject.toml", []string{"python -m pytest"}}, {"requirements.txt", []string{"python -m pytest"}},
		{"Cargo.toml", []string{"cargo test", "cargo check"}}, {"go.mod", []string{"go test ./..."}},
	} {
		if exists(filepath.Join(dir, row.file)) {
			add(row.commands...)
		}
	}
	if slices.ContainsFunc(list(dir), func(name string) bool {
		return slices.Contains([]string{".sln", ".csproj", ".fsproj"}, filepath.Ext(name))
	}) {
		add("dotnet test")
	}
	for _, name := range ciFiles(dir) {
		if data, ok := read(filepath.FromSlash(name)); ok {
			add(ciCommands(string(data))...)
		}
	}
	return out
}

// packageScripts runs scripts with the package manager whose lock file is there.
func packageScripts(dir string, data []byte) []string {
	var pkg struct {
		Scripts map[string]any `json:"scripts"`
	}
	if json.Unmarshal(data, &pkg) != nil {
		return nil
	}
	run := "npm run "
	for _, m := range [][2]string{{"pnpm-lock.yaml", "pnpm run "}, {"yarn.lock", "yarn run "}, {"bun.lockb", "bun run "}, {"bun.lock", "bun run "}} {
		if exists(filepath.Join(dir, m[0])) {
			run = m[1]
			break
		}
	}
	var out []string
	for _, t := range targets {
		if _, ok := pkg.Scripts[t].(string); ok {
			out = append(out, run+t)
		}
	}
	return out
}

// ruleTargets finds `name:` at the beginning of a line. A variable `name := x` is none.
func ruleTargets(command string, data []byte) []string {
	have := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		names, rest, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(rest, "=") || strings.ContainsAny(names[:min(1, len(names))], " \t#") {
			continue
		}
		for _, n := range strings.Fields(names) {
			have[n] = true
		}
	}
	var out []string
	for _, t := range targets {
		if have[t] {
			out = append(out, command+" "+t)
		}
	}
	return out
}
