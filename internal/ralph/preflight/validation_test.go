package preflight

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestValidationChoice(t *testing.T) {
	w := workspace(t, `{"id":"T1","title":"a","status":"todo"}`)
	assert.Empty(t, w.look(Request{}).Validation.Effective)
	w.write("go.mod", "module x\n")
	assert.Equal(t, "go test ./...", w.look(Request{}).Validation.Effective, "the project's own")
	w.write(".ralph/tasks.json", `{"version":2,"tasks":[`+todoTask+`]}`)
	w.settings.ValidationOverride = "make ci"
	v := w.look(Request{}).Validation
	assert.Equal(t, "make ci", v.Effective)
	assert.Equal(t, "go test ./...", v.Hint)
	w.write(".ralph/tasks.json", `{"version":2,"tasks":[]}`)
	r := w.look(Request{})
	assert.Empty(t, r.Validation.Effective, "a backlog that is filled proves nothing")
	assert.NotContains(t, codes(r), "validation_command_missing")
	assert.Contains(t, r.Summary, "Validation none.")
}

func TestScan(t *testing.T) {
	w := workspace(t, "")
	w.write("package.json", `{"scripts":{"test":"x","lint":"y","start":"z","build":7}}`)
	w.write("pnpm-lock.yaml", "")
	w.write("Makefile", "X := 1\nbuild test: deps\n\tgo build\n# lint: no\nCHECK:=2\ncheck:\n\ttrue\n")
	w.write("justfile", "lint:\n  x\n")
	w.write("requirements.txt", "")
	w.write("pyproject.toml", "")
	w.write("Cargo.toml", "")
	w.write("go.mod", "")
	w.write("app.csproj", "")
	assert.Equal(t, []string{"pnpm run lint", "pnpm run test", "make check", "make test", "make build", "just lint",
		"python -m pytest", "cargo test", "cargo check", "go test ./...", "dotnet test"}, scanCommands(w.Root))
}

// What CI runs comes last, and once.
func TestScanOfCI(t *testing.T) {
	w := workspace(t, `{"id":"T1","title":"a","status":"todo"}`)
	w.write(".gitlab-ci.yml", "lint:\n  script:\n  - npm ci\n  - npm run lint\n  - mix test --only unit\n")
	w.write(".github/workflows/b.yaml", "jobs:\n  t:\n    steps:\n      - run: make verify\n")
	w.write(".github/workflows/a.yml", "jobs:\n  t:\n    steps:\n      - uses: actions/checkout@v4\n      - run: go test ./...\n      - run: go vet ./... # all\n")
	w.write(".github/workflows/notes.txt", "- run: make test\n")
	assert.Equal(t, []string{"go test ./...", "go vet ./...", "make verify", "npm run lint", "mix test --only unit"}, scanCommands(w.Root))
	assert.Equal(t, "go test ./...", w.look(Request{}).Validation.Effective, "nothing else names a command")
	w.write("go.mod", "module x\n")
	w.write("justfile", "check:\n  x\n")
	assert.Equal(t, []string{"just check", "go test ./...", "go vet ./..."}, scanCommands(w.Root)[:3])
}

func TestCICommands(t *testing.T) {
	for name, row := range map[string]struct {
		text string
		want []string
	}{
		"block":            {"- name: x\n  run: |\n    npm ci\n    npm test\n\n    npm run lint\n- run: make check", []string{"npm test", "npm run lint", "make check"}},
		"folded":           {"- run: >-\n    go test\n    -race ./...\n", []string{"go test -race ./..."}},
		"quoted":           {"- run: \"make 'test'\"\n- run: 'tox'", []string{"make 'test'", "tox"}},
		"list":             {"test:\n  script:\n    - \"make test\" \n    - make check # it\n  tags: [test]\n", []string{"make test", "make check"}},
		"list of mappings": {"script:\n  - name: make test\n", nil},
		"one line":         {"script: cargo clippy\nother: make test", []string{"cargo clippy"}},
		"expression":       {"- run: go test ${{ matrix.flags }}\n- run: make test-$OS\n- run: make lint", []string{"make lint"}},
		"prepares":         {"- run: pip install pytest\n- run: docker push x/test\n- run: echo test\n- run: ls -la", nil},
		"after cd":         {"- run: |\n    make lint\n    cd web\n    npm test\n", []string{"make lint"}},
		"goes on":          {"- run: |\n    go test \\\n      ./...\n", nil},
		"folder above":     {"- working-directory: web\n  run: npm test\n- run: make test", []string{"make test"}},
		"folder below":     {"- run: npm test\n  working-directory: web\n- name: y\n  working-directory: .\n  run: make test\n", []string{"make test"}},
		"folder of a next": {"- run: npm test\n- run: make lint\n  working-directory: x\n", []string{"npm test"}},
		"CRLF":             {"- run: |\r\n    make test\r\n- run: make lint\r\n", []string{"make test", "make lint"}},
		"circle":           {"steps:\n  - run:\n      name: Test\n      command: make test\n  - run: make lint\n", []string{"make test", "make lint"}},
		"no YAML":          {"run: \n\t: :\n- - - run: make test\n:::", []string{"make test"}},
		"empty":            {"", nil},
		"end":              {"run:", nil},
	} {
		assert.Equal(t, row.want, ciCommands(row.text), name)
	}
}

// A model that a login may not reach is told of where the settings choose it for codex, and nowhere else.
func TestModelsThatALoginMayNotReach(t *testing.T) {
	const code = "codex_model_chatgpt_auth_may_be_unsupported"
	w := workspace(t, todoTask)
	w.settings.Provider, w.sys.name = "codex", "codex"
	assert.NotContains(t, codes(w.look(Request{})), code)
	w.settings.Tiering.Simple, w.settings.Tiering.Complex = "gpt-5", "GPT-5"
	r := w.look(Request{})
	assert.Contains(t, messages(r, code), "GPT")
	assert.True(t, r.Ready, "it is a warning")
	w.settings.Tiering.Enabled = false
	assert.NotContains(t, codes(w.look(Request{})), code, "the model of all tasks is another one")
	w.settings.Model = "gpt-5-codex"
	assert.Contains(t, messages(w.look(Request{}), code), "gpt-5-codex")
	w.sys.name = "claude"
	assert.NotContains(t, codes(w.look(Request{})), code)
}

func TestWithoutCd(t *testing.T) {
	root := filepath.FromSlash("/work/app")
	for command, want := range map[string]string{
		"cd . && go test":               "go test",
		"cd app && go test && go vet":   "go test && go vet", // as seen from the folder above
		`cd "/work/app" && make`:        "make",
		"cd ./sub/.. && make":           "make",
		"cd sub && make":                "",
		"cd $HOME && make":              "",
		"cd . &&":                       "",
		"make && cd .":                  "",
		"cd .; make":                    "",
		"cdx . && make":                 "",
		"cd . || cd app && make":        "",
		"cd /work/app/../app/ && make ": "make",
	} {
		rest, ok := withoutCd(command, root, root)
		assert.Equal(t, want != "", ok, command)
		assert.Equal(t, want, rest, command)
	}
	rest, ok := withoutCd("cd app && x", filepath.FromSlash("/work"), root)
	assert.True(t, ok)
	assert.Equal(t, "x", rest)
	_, ok = withoutCd("cd app && x", filepath.FromSlash("/work/other"), root)
	assert.False(t, ok, "the folder above is only asked when the roots are one")
}

func TestProgram(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...": "go", "A=1 B_2='x' make": "make", "./run.sh": "./run.sh", `"my tool" -x`: "my tool", "  npm  test": "npm",
		"$(x) y": "", "(cd x; y)": "", "A=1": "", "": "", "1A=2 x": "", `"open`: "", "{ x; }": "", "!": "!",
	} {
		assert.Equal(t, want, program(command), "%q", command)
	}
}

func TestReadinessOfPrograms(t *testing.T) {
	for command, row := range map[string]struct {
		sys  system
		want Readiness
	}{
		"go test": {system{programs: []string{"go"}}, ValidationConfirmed},
		"gone x":  {system{}, ValidationNotConfirmed},
		"some x":  {system{blind: true}, ValidationSelected},
		"test -f": {system{}, ValidationConfirmed},
		"$X":      {system{}, ValidationSelected},
	} {
		w := workspace(t, todoTask)
		w.settings.ValidationOverride, w.sys = command, row.sys
		assert.Equal(t, row.want, w.look(Request{}).Validation.Readiness, command)
	}
}

func TestSurfaces(t *testing.T) {
	w := workspace(t, todoTask)
	assert.Equal(t, Surfaces{}, w.snapshot().Latest)
	w.write(".ralph/artifacts/latest-result.json", `{"artifactDir":"`+filepath.ToSlash(w.Iteration(3).Dir)+`","promptPath":"relative.md","summaryPath":null}`)
	w.write(".ralph/artifacts/latest-prompt-evidence.json", `{"kind":"bootstrap","iteration":3}`)
	w.write(".ralph/artifacts/latest-cli-invocation.json", `{"transcriptPath":`)
	s := w.snapshot().Latest
	assert.Equal(t, []string{".ralph/artifacts/latest-result.json"}, s.WithoutText)
	assert.Equal(t, []string{"latest-result.json: artifactDir → .ralph/artifacts/iteration-003",
		"latest-prompt-evidence.json: kind, iteration → .ralph/artifacts/iteration-003",
		"latest-prompt-evidence.json: kind, iteration → .ralph/prompts/bootstrap-003.prompt.md"}, s.Dangling)
	w.write(".ralph/artifacts/latest-summary.md", "x")
	w.write(".ralph/artifacts/iteration-003/x", "x")
	w.write(".ralph/prompts/bootstrap-003.prompt.md", "x")
	assert.Equal(t, Surfaces{}, w.snapshot().Latest)
	w.write(".ralph/artifacts/latest-prompt-evidence.json", `{"kind":"../../x","iteration":3}`)
	assert.Empty(t, w.snapshot().Latest.Dangling)
}
