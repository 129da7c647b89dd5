package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// underRace is set where the race detector is on.
var underRace bool

// TestPreCommitFramework installs the hooks of .pre-commit-hooks.yaml with the real framework, which builds ralphex
// from a clone of this tree, and commits: what is staged counts, the working file does not.
func TestPreCommitFramework(t *testing.T) {
	for _, tool := range []string{"pre-commit", "go", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	if testing.Short() || underRace {
		t.Skip("builds the whole program, and no code of this process is tested")
	}
	t.Parallel()
	f := newFramework(t)
	hooks, rev := f.hooksRepo()
	config := "repos:\n  - repo: " + hooks + "\n    rev: " + rev + "\n    hooks:\n      - id: ralphex-check\n      - id: ralphex-convert-check\n"
	f.write(".pre-commit-config.yaml", config)
	f.git("add", ".")
	f.git("commit", "-q", "-m", "start")
	f.must("pre-commit", "install")

	good := f.read(f.plan("good.md"))
	f.git("add", "docs")
	f.write("docs/plans/good.md", "# Broken\n")
	out := f.must("git", "commit", "-m", "good as staged")
	assert.Regexp(t, `ralphex check\.+Passed`, out)
	assert.Regexp(t, `ralphex convert --check\.+Passed`, out)
	assert.Equal(t, "# Broken\n", f.read("docs/plans/good.md"), "the working file is as it was")

	f.git("add", "docs")
	f.write("docs/plans/good.md", good)
	out = f.refused("git", "commit", "-m", "broken as staged")
	assert.Regexp(t, `ralphex check\.+Failed`, out)
	assert.Contains(t, out, "docs/plans/good.md:1:")

	// All files, as in CI: the index holds what is staged, whatever the file says.
	assert.Contains(t, f.refused("pre-commit", "run", "--all-files", "ralphex-check"), "docs/plans/good.md:1:")
	f.git("add", "docs")
	f.must("pre-commit", "run", "--all-files")

	f.convertCheck(good)
	f.systemLanguage()
}

// convertCheck commits a converted plan and changes its source.
func (f framework) convertCheck(good string) {
	f.write("docs/source.md", "- [ ] one\n")
	f.write("docs/plans/converted.md", good+"\n<!-- ralphex-origin 1\nsource list sha256:ac1f13485cf0acb36b8a31e945ef4388bc827251b1eb18655e71a6ef3f1eac35 docs/source.md\n-->\n")
	f.git("add", "docs")
	f.must("git", "commit", "-m", "converted")
	f.write("docs/source.md", "- [x] one\n")
	f.must("git", "commit", "-a", "-m", "ticks are no change")
	f.write("docs/source.md", "- [x] one\n- [ ] two\n")
	f.must("git", "commit", "--allow-empty", "-m", "the change is not staged")
	f.git("add", "docs")
	out := f.refused("git", "commit", "-m", "stale")
	assert.Regexp(f.t, `ralphex convert --check\.+Failed`, out)
	assert.Contains(f.t, out, "docs/plans/converted.md: it was made from docs/source.md, which changed since")
	f.git("commit", "-q", "-m", "stale", "--no-verify")
	assert.Contains(f.t, f.refused("pre-commit", "run", "--all-files"), "which changed since")
}

// systemLanguage runs the local hooks of docs/pre-commit.md with the ralphex that the framework built.
func (f framework) systemLanguage() {
	built, err := filepath.Glob(filepath.Join(f.home, "pre-commit", "repo*", "golangenv-*", "bin", "ralphex"))
	require.NoError(f.t, err)
	require.Len(f.t, built, 1)
	f.env = append(f.env, "PATH="+filepath.Dir(built[0])+string(os.PathListSeparator)+os.Getenv("PATH"))
	doc, err := os.ReadFile(filepath.Join(moduleRoot(f.t), "docs", "pre-commit.md"))
	require.NoError(f.t, err)
	_, local, found := strings.Cut(string(doc), "```yaml\nrepos:\n  - repo: local\n")
	require.True(f.t, found)
	local, _, _ = strings.Cut(local, "```")
	f.write(".pre-commit-config.yaml", "repos:\n  - repo: local\n"+local)
	f.git("add", ".pre-commit-config.yaml")
	out := f.refused("pre-commit", "run", "--all-files")
	assert.Regexp(f.t, `ralphex check\.+Passed`, out)
	assert.Contains(f.t, out, "which changed since")
}

// framework is a repository of a user of the pre-commit framework, with a home of its own.
type framework struct {
	t         *testing.T
	home, dir string
	env       []string
}

func newFramework(t *testing.T) framework {
	t.Helper()
	f := framework{t: t, home: t.TempDir(), dir: t.TempDir()}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "PRE_COMMIT") {
			f.env = append(f.env, kv)
		}
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // else they would lie below the new home, empty
		out, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		f.env = append(f.env, name+"="+strings.TrimSpace(string(out)))
	}
	f.env = append(f.env, "HOME="+f.home, "XDG_CONFIG_HOME="+f.home, "PRE_COMMIT_HOME="+filepath.Join(f.home, "pre-commit"),
		"GOPROXY=off", "GOFLAGS=", "GOTOOLCHAIN=local", "CGO_ENABLED=0", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.org", "GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.org")
	f.git("init", "-q")
	return f
}

// plan writes a plan that passes, and returns its name.
func (f framework) plan(name string) string {
	path := "docs/plans/" + name
	doc, err := os.ReadFile(filepath.Join(moduleRoot(f.t), "pkg", "plan", "format", "testdata", "skeleton.txt"))
	require.NoError(f.t, err)
	f.write(path, string(doc))
	return path
}

// hooksRepo is a repository that holds this module as it is on disk, as somebody else would clone it.
func (f framework) hooksRepo() (dir, rev string) {
	root := moduleRoot(f.t)
	dir = f.t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", ".pre-commit-hooks.yaml"} {
		copyFile(f.t, filepath.Join(root, name), filepath.Join(dir, name))
	}
	for _, top := range []string{"cmd", "internal", "pkg", "scripts"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if err == nil && d.Name() == "fuzz" {
					return filepath.SkipDir
				}
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err == nil && d.Type().IsRegular() && !strings.HasSuffix(path, "_test.go") {
				copyFile(f.t, path, filepath.Join(dir, rel))
			}
			return err
		})
		require.NoError(f.t, err)
	}
	f.dir = dir
	f.git("init", "-q")
	f.git("add", ".")
	f.git("commit", "-q", "-m", "ralphex")
	return dir, strings.TrimSpace(f.git("rev-parse", "HEAD"))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
	require.NoError(t, os.WriteFile(to, text, 0o644))
}

// moduleRoot is the folder of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(dir, "go.mod"))
	return dir
}

func (f framework) write(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	require.NoError(f.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(f.t, os.WriteFile(path, []byte(text), 0o644))
}

func (f framework) read(name string) string {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, filepath.FromSlash(name)))
	require.NoError(f.t, err)
	return string(text)
}

func (f framework) git(args ...string) string {
	f.t.Helper()
	return f.must("git", args...)
}

func (f framework) must(name string, args ...string) string {
	f.t.Helper()
	out, err := f.run(name, args...)
	require.NoError(f.t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
	return out
}

func (f framework) refused(name string, args ...string) string {
	f.t.Helper()
	out, err := f.run(name, args...)
	require.Error(f.t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
	return out
}

func (f framework) run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = f.dir, f.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}
