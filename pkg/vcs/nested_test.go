package vcs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNestedIn(t *testing.T) {
	for name, c := range map[string]struct {
		paths []string // those that end with a slash are folders
		want  string
	}{
		"nothing":                 {[]string{".git", "a/b/c.go", "build/x.o"}, ""},
		"its own metadata":        {[]string{".git/modules/x/.git/", ".hg/x/.git/"}, ""},
		"deep down":               {[]string{".git", "build/a/b/n/.git/"}, "a repository of its own is in build/a/b/n"},
		"a link to a repository":  {[]string{".git", "build/n/.git"}, "a repository of its own is in build/n"},
		"Mercurial":               {[]string{".git", "out/.hg/"}, "a repository of its own is in out"},
		"a file of that name":     {[]string{".git", "out/.hg"}, ""},
		"a folder of ours":        {[]string{".git", ".ralphex/n/.git/"}, "a repository of its own is in .ralphex/n"},
		"a package":               {[]string{"node_modules/mine/.git/"}, "a repository of its own is in node_modules/mine"},
		"a package with a scope":  {[]string{"web/node_modules/@me/mine/.git/"}, "a repository of its own is in web/node_modules/@me/mine"},
		"the packages themselves": {[]string{"node_modules/.git/"}, "a repository of its own is in node_modules"},
		"within a package":        {[]string{"node_modules/a/lib/test/fixtures/.git/"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, p := range c.paths {
				at := filepath.Join(dir, filepath.FromSlash(p))
				if p[len(p)-1] == '/' {
					require.NoError(t, os.MkdirAll(at, 0o755))
					continue
				}
				require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
				require.NoError(t, os.WriteFile(at, nil, 0o644))
			}
			why, err := nestedIn(t.Context(), dir)
			require.NoError(t, err)
			assert.Equal(t, c.want, why)
		})
	}
}
