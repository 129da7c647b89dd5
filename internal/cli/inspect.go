package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"ralphex/pkg/finding"
	"ralphex/pkg/finding/weaken"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// How much of files that the repository does not know yet is looked at.
const (
	mostNewFile  = 1 << 20  // bytes of one
	mostNewFiles = 16 << 20 // of all
)

// inspect finds by rules what makes tests say less, in the change since a revision, "" = since the base. What the person has not
// committed is theirs, and no review's.
func (r *running) inspect(ctx context.Context, since vcs.Rev) (phase.Inspection, error) {
	repo := r.checked()
	if t, ok := repo.(*checkedTree); ok {
		repo = t.Repo
	}
	change, err := vcs.Diff(ctx, repo, cmp.Or(since, r.baseRev()), "", 0)
	if err != nil {
		return phase.Inspection{}, err
	}
	var in phase.Inspection
	for _, m := range weaken.Renames(change.Text) {
		in.Renamed = append(in.Renamed, [2]string{m.From, m.To})
	}
	news, err := r.newFiles(ctx, repo)
	if err != nil {
		return phase.Inspection{}, err
	}
	in.Found = slices.DeleteFunc(weaken.Find(change.Text+news), func(f finding.Finding) bool { return slices.Contains(r.whose().person, f.File) })
	return in, nil
}

// newFiles is what the repository's own diff leaves out: the files that it does not know yet, as a diff. Tests that moved into one of them are
// not gone.
func (r *running) newFiles(ctx context.Context, repo vcs.Repo) (string, error) {
	status, err := repo.Status(ctx)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, c := range status.Changes {
		if !c.Untracked() || c.Nested() || slices.Contains(r.whose().person, c.Path) || b.Len() > mostNewFiles {
			continue
		}
		if text, ok := newText(filepath.Join(repo.Root(), filepath.FromSlash(c.Path))); ok {
			b.WriteString(asAdded(c.Path, text))
		}
	}
	return b.String(), nil
}

// newText reads a file that can be looked at line by line.
func newText(path string) (string, bool) {
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > mostNewFile {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostNewFile))
	if err != nil || len(text) == 0 || !utf8.Valid(text) {
		return "", false
	}
	return string(text), true
}

// asAdded is a file as a diff that adds it.
func asAdded(path, text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/%[1]s b/%[1]s\nnew file mode 100644\n--- /dev/null\n+++ b/%[1]s\n@@ -0,0 +1,%[2]d @@\n", path, len(lines))
	for _, l := range lines {
		b.WriteString("+" + l)
	}
	b.WriteString("\n")
	return b.String()
}
