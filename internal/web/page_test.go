package web

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pageFiles returns our own files of the page with one of the extensions, by name, as they are embedded.
func pageFiles(t *testing.T, exts ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, ext := range exts {
		names, err := fs.Glob(embedded, "assets/*"+ext)
		require.NoError(t, err)
		for _, name := range names {
			body, err := fs.ReadFile(embedded, name)
			require.NoError(t, err)
			files[path.Base(name)] = string(body)
		}
	}
	require.NotEmpty(t, files)
	return files
}

// The content security policy allows scripts and styles of our own server only; a page that counts on more is a broken page.
func TestPageIsWhatItsPolicyAllows(t *testing.T) {
	inline := map[string]*regexp.Regexp{
		"an inline script":   regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<\s]`),
		"an inline style":    regexp.MustCompile(`(?i)<style|\sstyle\s*=\s*["']`),
		"an inline handler":  regexp.MustCompile(`(?i)\son[a-z]+\s*=\s*["']`),
		"a script link":      regexp.MustCompile(`(?i)javascript:`),
		"an address outside": regexp.MustCompile(`(?i)(?:src|href)\s*=\s*["'](?:[a-z]+:)?//`),
	}
	for name, body := range pageFiles(t, ".html", ".svg") {
		for what, re := range inline {
			assert.NotRegexp(t, re, body, "%s holds %s", name, what)
		}
	}
	foreign := regexp.MustCompile(`(?:https?:)?//[\w-]+(?:\.[\w-]+)+`)
	for name, body := range pageFiles(t, ".html", ".svg", ".css", ".js") {
		body = strings.ReplaceAll(body, "http://www.w3.org/2000/svg", "") // a name of XML, which nobody fetches
		assert.NotRegexp(t, foreign, body, "%s names another server", name)
		assert.NotContains(t, body, "@import", "%s: a style sheet gets a link in index.html", name)
	}
}

// Text of agents, plans and repositories comes into the page as text nodes. What makes elements or code of text is in none of its modules.
func TestPageMakesNoMarkupOfText(t *testing.T) {
	makers := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|DOMParser|createContextualFragment|\beval\(|new Function|setAttribute\('on|srcdoc`)
	for name, body := range pageFiles(t, ".js") {
		if name == "export.js" {
			continue // writes a file of its own; its own test holds what is escaped there
		}
		assert.NotRegexp(t, makers, body, name)
	}
}

func TestPageModulesAreThere(t *testing.T) {
	comments := regexp.MustCompile(`(?m)^\s*//.*$`)
	imports := regexp.MustCompile(`(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]`)
	served, err := loadAssets(embedded)
	require.NoError(t, err)
	seen := map[string]bool{}
	var visit func(at string)
	visit = func(at string) {
		if seen[at] {
			return
		}
		seen[at] = true
		file := served["/static/"+at]
		if !assert.NotNil(t, file, "%s is not served", at) || path.Ext(at) != ".js" {
			return
		}
		for _, m := range imports.FindAllStringSubmatch(comments.ReplaceAllString(string(file.body), ""), -1) {
			if assert.Regexp(t, `^\./`, m[1], "%s imports a bare name, which no browser finds", at) {
				visit(path.Join(path.Dir(at), m[1]))
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="/static/([^"]+)"`).FindAllStringSubmatch(pageFiles(t, ".html")[page], -1) {
		visit(m[1])
	}
	for name := range pageFiles(t, ".js", ".css") {
		assert.True(t, seen[name], "%s is embedded, and nothing uses it", name)
	}
	assert.True(t, seen["third_party/preact.js"])
}

func TestThirdPartyFilesAreThoseOfTheirRows(t *testing.T) {
	readme, err := os.ReadFile("third_party/README.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|.*`([\\w.]+LICENSE)` \\| `([0-9a-f]{64})` \\|$").FindAllStringSubmatch(string(readme), -1)
	known := map[string]bool{"README.md": true}
	for _, row := range rows {
		known[row[1]], known[row[2]] = true, true
		body, err := os.ReadFile(filepath.Join("third_party", row[1]))
		require.NoError(t, err)
		sum := sha256.Sum256(body)
		assert.Equal(t, row[3], hex.EncodeToString(sum[:]), row[1])
		assert.FileExists(t, filepath.Join("third_party", row[2]))
	}
	entries, err := os.ReadDir("third_party")
	require.NoError(t, err)
	for _, e := range entries {
		assert.True(t, known[e.Name()], "third_party/%s has no row in its README.md", e.Name())
	}
}

func TestPageModulesParse(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here: the browser tests load the modules")
	}
	dir := t.TempDir()
	for name, body := range pageFiles(t, ".js") {
		file := filepath.Join(dir, strings.TrimSuffix(name, ".js")+".mjs")
		require.NoError(t, os.WriteFile(file, []byte(body), 0o600))
		out, err := exec.Command(node, "--check", file).CombinedOutput()
		assert.NoError(t, err, "%s: %s", name, out)
	}
}
