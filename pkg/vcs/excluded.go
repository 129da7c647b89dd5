package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
)

// Excluder is a repository with rules that are in no commit for what it does not see. What they name is in no status and in no commit either.
type Excluder interface {
	// Excludes are those rules as they are now.
	Excludes() Excludes
	// ExcludedSince lists what only rules name that came after was, sorted; a folder that is named whole ends with a slash.
	ExcludedSince(ctx context.Context, was Excludes) ([]string, error)
}

var _ Excluder = (*repository)(nil)

// Excludes are the lines, as git names them, of the repository's own rules by the file that has them.
type Excludes map[string][]string

// maxExcludes bounds a file of rules, in bytes.
const maxExcludes = 8 << 20

// Excludes reads .git/info/exclude, and the file that the repository's own config calls core.excludesFile. That of the person is theirs, and other programs write there.
func (r *repository) Excludes() Excludes {
	e := Excludes{}
	for _, path := range r.excludeFiles() {
		text, err := durable.ReadFile(path, maxExcludes)
		if err != nil {
			continue // none, or git can't read it either
		}
		for line := range strings.Lines(string(text)) {
			if rule := strings.TrimRight(line, " \t\r\n"); rule != "" && !strings.HasPrefix(rule, "#") {
				e[path] = append(e[path], rule)
			}
		}
	}
	return e
}

func (r *repository) excludeFiles() []string {
	files := []string{filepath.Join(r.common, "info", "exclude")}
	if at := readConfig(filepath.Join(r.common, "config")).Section("core").Option("excludesfile"); at != "" && !strings.HasPrefix(at, "~") {
		if !filepath.IsAbs(at) {
			at = filepath.Join(r.root, at)
		}
		files = append(files, at)
	}
	return files
}

// ExcludedSince asks git which rule is to blame for what it ignores. Where no rule was added it costs a read of two files.
func (r *repository) ExcludedSince(ctx context.Context, was Excludes) ([]string, error) {
	now := r.Excludes()
	added := func(source, rule string) bool {
		for path, lines := range now {
			if path == source {
				return slices.Contains(lines, rule) && !slices.Contains(was[path], rule)
			}
		}
		return false
	}
	grown := false
	for path, lines := range now {
		grown = grown || slices.ContainsFunc(lines, func(rule string) bool { return added(path, rule) })
	}
	if !grown {
		return nil, nil
	}
	ignored, err := r.run.run(ctx, call{access: looks, args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"}, slow: true})
	if err != nil {
		return nil, fmt.Errorf("look for excluded files: %w", err)
	}
	if len(ignored) == 0 {
		return nil, nil
	}
	// It knows nothing of the literal pathspecs that all else is asked with; what it reads from its input is taken as it is.
	blamed, err := r.run.run(ctx, call{access: looks, args: []string{"check-ignore", "-z", "--verbose", "--stdin"}, stdin: ignored, slow: true, env: []string{"GIT_LITERAL_PATHSPECS=0"}})
	var failed *CommandError
	if err != nil && !(errors.As(err, &failed) && failed.Exit == 1) { // 1 = none of them
		return nil, fmt.Errorf("look for excluded files: %w", err)
	}
	var paths []string
	fields := strings.Split(string(bytes.TrimSuffix(blamed, []byte{0})), "\x00")
	for ; len(fields) >= 4; fields = fields[4:] { // source, line, rule, path
		source := fields[0]
		if !filepath.IsAbs(source) {
			source = filepath.Join(r.root, source)
		}
		if added(source, fields[2]) {
			paths = append(paths, fields[3])
		}
	}
	slices.Sort(paths)
	return paths, nil
}
