package vcs

import (
	"bytes"
	"fmt"
	"strings"
)

// Change is one path that differs from HEAD. Index and Work are the two letters of git's short format, '.' for no difference:
// M modified, T type changed, A added, D deleted, R renamed, C copied, U unmerged, and "??" for untracked.
type Change struct {
	Path string // relative to the root, with slashes; a folder's ends with a slash (a repository inside that isn't ours)
	From string // where a renamed or copied path came from
	// Index tells HEAD from the index, Work the index from the working tree.
	Index, Work byte

	sub string // the submodule field of porcelain v2: "N..." or "SCMU" with dots
	raw string // the entry as git printed it
}

// Untracked reports whether the repository doesn't know the path.
func (c Change) Untracked() bool { return c.Index == '?' }

// Staged reports whether the index differs from HEAD.
func (c Change) Staged() bool { return !c.Untracked() && c.Index != '.' }

// Unstaged reports whether the working tree differs from the index, untracked files included.
func (c Change) Unstaged() bool { return c.Work != '.' }

// Unmerged reports whether the path is in conflict.
func (c Change) Unmerged() bool {
	return c.Index == 'U' || c.Work == 'U' || c.Index == 'A' && c.Work == 'A' || c.Index == 'D' && c.Work == 'D'
}

// Nested reports whether the path is a repository of its own that this one doesn't know.
func (c Change) Nested() bool { return c.Untracked() && strings.HasSuffix(c.Path, "/") }

// InsideOnly reports whether only the inside of a submodule has changed: there is nothing that a commit here could hold.
func (c Change) InsideOnly() bool {
	return len(c.sub) == 4 && c.sub[0] == 'S' && c.sub[1] == '.' && c.Index == '.'
}

// Paths are the paths that a commit of this change needs: both ends of a rename.
func (c Change) Paths() []string {
	if c.Index == 'R' || c.Work == 'R' {
		return []string{c.From, c.Path}
	}
	return []string{c.Path}
}

// String is the change in git's short format, "MM a.go" or "R. b.go <- a.go".
func (c Change) String() string {
	s := string([]byte{c.Index, c.Work}) + " " + c.Path
	if c.From != "" {
		s += " <- " + c.From
	}
	return s
}

// Status is all that differs from HEAD, in git's order.
type Status struct{ Changes []Change }

// Clean reports whether nothing differs.
func (s Status) Clean() bool { return len(s.Changes) == 0 }

// Paths lists every path of every change, both ends of a rename.
func (s Status) Paths() []string {
	paths := make([]string, 0, len(s.Changes))
	for _, c := range s.Changes {
		paths = append(paths, c.Paths()...)
	}
	return paths
}

// Staged lists the changes of the index.
func (s Status) Staged() []Change {
	var staged []Change
	for _, c := range s.Changes {
		if c.Staged() {
			staged = append(staged, c)
		}
	}
	return staged
}

// Find returns the change of a path; either end of a rename finds it.
func (s Status) Find(path string) (Change, bool) {
	for _, c := range s.Changes {
		for _, p := range c.Paths() {
			if p == path {
				return c, true
			}
		}
	}
	return Change{}, false
}

// Has reports whether a path differs from HEAD.
func (s Status) Has(path string) bool {
	_, ok := s.Find(path)
	return ok
}

// Without leaves out what lies at or under the given paths.
func (s Status) Without(paths ...string) Status {
	return s.filter(func(p string) bool { return !underAny(p, paths) })
}

// Under keeps only what lies at or under one of the given paths.
func (s Status) Under(paths ...string) Status {
	return s.filter(func(p string) bool { return underAny(p, paths) })
}

// filter keeps a change if any of its paths is kept.
func (s Status) filter(keep func(string) bool) Status {
	var out Status
	for _, c := range s.Changes {
		for _, p := range c.Paths() {
			if keep(p) {
				out.Changes = append(out.Changes, c)
				break
			}
		}
	}
	return out
}

// underAny reports whether path is one of the folders or files, or lies below one.
func underAny(path string, roots []string) bool {
	for _, r := range roots {
		r = strings.TrimSuffix(r, "/")
		if rest, ok := strings.CutPrefix(path, r); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// parseStatus reads "git status --porcelain=v2 -z".
func parseStatus(out []byte) (Status, error) {
	var s Status
	for len(out) > 0 {
		entry, rest, ok := bytes.Cut(out, []byte{0})
		if !ok {
			return Status{}, fmt.Errorf("git status: entry %q has no end", out)
		}
		out = rest
		line := string(entry)
		if strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "! ") { // headers and ignored files, which nobody asked for
			continue
		}
		c, renamed, err := parseChange(line)
		if err != nil {
			return Status{}, err
		}
		if renamed {
			from, rest, ok := bytes.Cut(out, []byte{0})
			if !ok {
				return Status{}, fmt.Errorf("git status: %q lacks its origin", line)
			}
			c.From, out = string(from), rest
			c.raw += "\x00" + c.From
		}
		s.Changes = append(s.Changes, c)
	}
	return s, nil
}

// fieldsBefore is how many fields of an entry come before its path.
var fieldsBefore = map[byte]int{'1': 8, '2': 9, 'u': 10, '?': 1}

// parseChange reads one entry without its NUL; the origin of a rename follows in the next one.
func parseChange(line string) (c Change, renamed bool, err error) {
	bad := fmt.Errorf("git status: unknown entry %q", line)
	if line == "" {
		return c, false, bad
	}
	n, known := fieldsBefore[line[0]]
	fields := strings.SplitN(line, " ", n+1)
	if !known || len(fields) != n+1 || fields[n] == "" || len(fields[0]) != 1 {
		return c, false, bad
	}
	c = Change{Path: fields[n], raw: line, Index: line[0], Work: line[0]}
	if n == 1 {
		return c, false, nil
	}
	if len(fields[1]) != 2 {
		return c, false, bad
	}
	c.Index, c.Work, c.sub = fields[1][0], fields[1][1], fields[2]
	return c, line[0] == '2', nil
}
