package vcs

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// ignoreRule is one line of an ignore file.
type ignoreRule struct {
	pattern string
	negated bool // "!": not ignored after all
	folders bool // "x/": folders only
	whole   bool // holds a slash: the path from the file's folder on is compared, not the name alone
}

// ignores are the rules of a working tree: of later and deeper rules the last that matches wins.
type ignores struct {
	root   string
	global []ignoreRule
	dirs   map[string][]ignoreRule // of each folder's .gitignore, by folder; "" = root
}

func newIgnores(l layout, cfg *config.Config, env map[string]string) *ignores {
	at := cfg.Section("core").Option("excludesfile")
	if at == "" {
		dir := env["XDG_CONFIG_HOME"]
		if dir == "" {
			dir = filepath.Join(env["HOME"], ".config")
		}
		at = filepath.Join(dir, "git", "ignore")
	} else if rest, ok := strings.CutPrefix(at, "~/"); ok {
		at = filepath.Join(env["HOME"], rest)
	}
	g := &ignores{root: l.root, dirs: map[string][]ignoreRule{}}
	for _, file := range []string{at, filepath.Join(l.common, "info", "exclude")} {
		if b, err := os.ReadFile(file); err == nil {
			g.global = append(g.global, ignoreRules(string(b))...)
		}
	}
	return g
}

// ignoreRules reads the text of an ignore file.
func ignoreRules(text string) []ignoreRule {
	var rules []ignoreRule
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for i, line := range lines {
		if i < len(lines)-1 {
			line = strings.TrimSuffix(line, "\r")
		}
		if line == "" || line[0] == '#' {
			continue
		}
		if r, ok := ignoreRuleOf(trimBlanks(line)); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

// trimBlanks takes blanks off the end, but for one that a backslash keeps.
func trimBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

func ignoreRuleOf(p string) (r ignoreRule, ok bool) {
	if rest, found := strings.CutPrefix(p, "!"); found {
		r.negated, p = true, rest
	}
	if rest, found := strings.CutSuffix(p, "/"); found {
		r.folders, p = true, rest
	}
	r.whole = strings.Contains(p, "/")
	r.pattern = strings.TrimPrefix(p, "/")
	return r, p != ""
}

// of returns the rules of a folder's own file, which may not be a link.
func (g *ignores) of(dir string) []ignoreRule {
	if rules, ok := g.dirs[dir]; ok {
		return rules
	}
	var rules []ignoreRule
	file := filepath.Join(g.root, filepath.FromSlash(dir), ".gitignore")
	if fi, err := os.Lstat(file); err == nil && fi.Mode().IsRegular() {
		if b, err := os.ReadFile(file); err == nil {
			rules = ignoreRules(string(b))
		}
	}
	g.dirs[dir] = rules
	return rules
}

// says tells what the rules have for a path, whose folders are not ignored.
func (g *ignores) says(path string, folder bool) bool {
	for dir := folderOf(path); ; dir = folderOf(dir) {
		rel := strings.TrimPrefix(strings.TrimPrefix(path, dir), "/")
		if hit, negated := lastMatch(g.of(dir), rel, folder); hit {
			return !negated
		}
		if dir == "" {
			break
		}
	}
	hit, negated := lastMatch(g.global, path, folder)
	return hit && !negated
}

// ignored is says for a path of which nothing is known: what lies in an ignored folder is ignored.
func (g *ignores) ignored(path string, folder bool) bool {
	for _, dir := range parents(path) {
		if g.says(dir, true) {
			return true
		}
	}
	return g.says(path, folder)
}

func lastMatch(rules []ignoreRule, rel string, folder bool) (hit, negated bool) {
	for i := len(rules) - 1; i >= 0; i-- {
		r := rules[i]
		if r.folders && !folder {
			continue
		}
		name := rel
		if !r.whole {
			name = rel[strings.LastIndexByte(rel, '/')+1:]
		}
		if wildmatch(r.pattern, name, r.whole) {
			return true, r.negated
		}
	}
	return false, false
}
