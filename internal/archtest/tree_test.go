package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the module's path, as go.mod says.
const module = "ralphex"

// source is one parsed Go file.
type source struct {
	path string // slash-separated, relative to the module root
	pkg  string // folder of path
	test bool
	ast  *ast.File
}

// imports lists the import paths of the file.
func (s source) imports() []string {
	var list []string
	for _, spec := range s.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil {
			list = append(list, p)
		}
	}
	return list
}

// fset positions all parsed files.
var fset = token.NewFileSet()

// at names the place of a node.
func at(s source, n ast.Node) string {
	return s.path + ":" + strconv.Itoa(fset.Position(n.Pos()).Line)
}

// root is the folder of go.mod, two levels up from this package.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(dir, "go.mod"))
	return dir
}

// skipped folders hold no sources of ours.
var skipped = map[string]bool{".git": true, "bin": true, "perf-out": true, ".ralphex": true, ".ralph": true}

// walk calls visit for each regular file of the tree with its slash-separated path.
func walk(t *testing.T, visit func(rel string)) {
	t.Helper()
	top := root(t)
	err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipped[d.Name()]:
			return filepath.SkipDir
		case d.Name() == ".git": // of a linked worktree: a file that names the repository
		case d.Type().IsRegular():
			rel, err := filepath.Rel(top, p)
			if err != nil {
				return err
			}
			visit(filepath.ToSlash(rel))
		}
		return nil
	})
	require.NoError(t, err)
}

// parseTree parses all Go files once; the syntax trees are shared by the tests and never changed.
var parseTree = sync.OnceValues(func() ([]source, error) {
	var list []source
	top, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (skipped[d.Name()] || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") {
			return nil
		}
		bytes, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, p, bytes, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		list = append(list, source{path: rel, pkg: path.Dir(rel), test: strings.HasSuffix(rel, "_test.go"), ast: file})
		return nil
	})
	return list, err
})

// sources returns all Go files of the module, build tags ignored.
func sources(t *testing.T) []source {
	t.Helper()
	list, err := parseTree()
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

// packages returns the files of each package folder.
func packages(t *testing.T) map[string][]source {
	t.Helper()
	all := map[string][]source{}
	for _, s := range sources(t) {
		all[s.pkg] = append(all[s.pkg], s)
	}
	return all
}
