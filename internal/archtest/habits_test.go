package archtest

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMainIsADoor keeps main.go under 20 lines: what is worth testing lives in internal/cli.
func TestMainIsADoor(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "cmd", "ralphex", "main.go"))
	require.NoError(t, err)
	assert.Less(t, bytes.Count(text, []byte("\n")), 20, "main.go has 20 lines or more: move them to internal/cli")
}

// TestEveryPackageExplainsItself checks that each package has a doc.go with its sentence and its picture.
func TestEveryPackageExplainsItself(t *testing.T) {
	for pkg, files := range packages(t) {
		if files[0].ast.Name.Name == "main" {
			about := slices.ContainsFunc(files, func(s source) bool {
				return strings.HasPrefix(s.ast.Doc.Text(), "Command "+path.Base(pkg)+" ")
			})
			assert.True(t, about, "no file of %s begins with \"Command %s \"", pkg, path.Base(pkg))
			continue
		}
		var doc *source
		for i, s := range files {
			if path.Base(s.path) == "doc.go" {
				doc = &files[i]
			}
		}
		if doc == nil {
			assert.Fail(t, pkg+" has no doc.go")
			continue
		}
		want := "Package " + doc.ast.Name.Name + " "
		assert.True(t, strings.HasPrefix(doc.ast.Doc.Text(), want), "%s does not begin with %q", doc.path, want)
		assert.Contains(t, doc.ast.Doc.Text(), "\n\t", "%s has no picture (an indented block)", doc.path)
	}
}

// sleepers are the test files that may call time.Sleep, each with its reason.
var sleepers = map[string]string{
	"internal/proc/idle_test.go": "the steps of its table run in a synctest bubble, where a sleep takes no time",
}

// TestNoSleepInTests checks that tests wait for things, not for time.
func TestNoSleepInTests(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isCall(call, "synctest", "Test") {
				return false // its clock is not the wall's: a sleep there takes no time and misses nothing
			}
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Sleep" && isIdent(sel.X, "time") {
				used[s.path] = true
				if sleepers[s.path] == "" {
					assert.Fail(t, at(s, n)+" sleeps: wait for an event or a channel, use synctest, or give the reason in sleepers")
				}
			}
			return true
		})
	}
	for file := range sleepers {
		assert.True(t, used[file], "%s sleeps no more: take it out of sleepers", file)
	}
}

// wholeReaders are the files of internal/ that may call os.ReadFile, which waits for ever where somebody put a pipe, each with its reason.
var wholeReaders = map[string]string{
	"internal/proc/procfs_linux.go":   "the kernel's own files",
	"internal/sandbox/check.go":       "what links a worktree to its repository: git has read it before",
	"internal/cli/serveport_linux.go": "the kernel's own files",
	"internal/web/source/place.go":    "it has looked that it is a small file",
	"internal/workspace/tree.go":      "it has looked that they are files",
	"internal/control/control.go":     "it has looked that they are files, and no links",
	"internal/ralph/events/write.go":  "the log was opened a line before, which looks",
	"internal/cli/createanswers.go":   "named on the command line, where a pipe is meant",
	"internal/cli/editor.go":          "it has made the file",
	"internal/cli/prd.go":             "it has made the file",
}

// TestFilesOfOthersAreReadByDurable checks that a pipe, a device or a file without an end that stands where a file is expected is an error and
// no wait: durable.ReadFile looks, and has a limit.
func TestFilesOfOthersAreReadByDurable(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		if s.test || !strings.HasPrefix(s.path, "internal/") {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isCall(call, "os", "ReadFile") {
				used[s.path] = true
				assert.NotEmpty(t, wholeReaders[s.path], "%s reads a file that may be a pipe: call durable.ReadFile, or give the reason in wholeReaders", at(s, n))
			}
			return true
		})
	}
	for file := range wholeReaders {
		assert.True(t, used[file], "%s calls os.ReadFile no more: take it out of wholeReaders", file)
	}
}

// TestNobodyAsksForAgentsByName checks that code outside an agent's package never compares with its name.
// What differs between agents is a method or a row of data.
func TestNobodyAsksForAgentsByName(t *testing.T) {
	agents := map[string]bool{"claude": true, "codex": true, "runbook": true, "copilot": true, "gemini": true}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		complain := func(n ast.Expr) {
			if name, ok := literal(n); ok && agents[name] && s.pkg != "pkg/executor/"+name {
				assert.Fail(t, at(s, n)+" compares with the name "+strconv.Quote(name)+": make the difference a method of the executor or a row of a table")
			}
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					complain(n.X)
					complain(n.Y)
				}
			case *ast.CaseClause:
				for _, e := range n.List {
					complain(e)
				}
			}
			return true
		})
	}
}

// TestRepositoriesAreOpenedInOnePlace checks that only internal/cli picks a backend. Who else imports pkg/vcs
// does so for its words (a status, a revision), and gets the repository through an interface of its own.
func TestRepositoriesAreOpenedInOnePlace(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || s.pkg == "internal/cli" || s.pkg == "pkg/vcs/vcstest" {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isCall(call, "vcs", "Open") {
				assert.Fail(t, at(s, n)+" opens a repository: declare the interface that is needed, and let internal/cli pass it in")
			}
			return true
		})
	}
}

// isCall tells whether a call is pkg.name(…).
func isCall(call *ast.CallExpr, pkg, name string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == name && isIdent(sel.X, pkg)
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// foreign matches what belongs to one machine. The pieces are put together here, so that this file
// does not match itself.
func foreign(t *testing.T) *regexp.Regexp {
	t.Helper()
	places := []string{"/" + "work/(main|shared)", "/" + "root/", "(proxy|sum)[.]" + "golang[.]org", "deb[.]" + "debian[.]org", "registry[.]" + "npmjs"}
	for _, own := range []string{root(t), os.Getenv("HOME")} {
		if strings.Count(own, "/") >= 2 { // "/" or "/src" would match too much
			places = append(places, regexp.QuoteMeta(filepath.ToSlash(own))+`\b`)
		}
	}
	return regexp.MustCompile(`(^|[^\w.)}/-])(` + strings.Join(places, "|") + `)`)
}

// TestNoFileKnowsAMachine checks that no file holds a path of somebody's machine or the host of a registry.
func TestNoFileKnowsAMachine(t *testing.T) {
	bad := foreign(t)
	walk(t, func(rel string) {
		text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(rel)))
		require.NoError(t, err)
		if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			return // binary
		}
		for i, line := range bytes.Split(text, []byte("\n")) {
			if m := bad.Find(line); m != nil {
				assert.Fail(t, rel+":"+strconv.Itoa(i+1)+" holds "+strconv.Quote(string(m))+", which belongs to one machine or one mirror")
			}
		}
	})
}
