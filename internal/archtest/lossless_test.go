package archtest

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lossy are the ways in which a version control system throws work away, and why none of them is ours to use.
var lossy = []struct {
	name   string
	find   *regexp.Regexp
	reason string
}{
	{"reset --hard", regexp.MustCompile(`\breset\b.*--(hard|merge|keep)\b`), "it overwrites uncommitted changes of the user's; nothing brings them back"},
	{"clean", regexp.MustCompile(`\b(git|hg) (clean|purge)\b|^clean -|\bpurge\b`), "it deletes untracked files, which no commit has"},
	{"stash", regexp.MustCompile(`\bstash\b`), "the stash is the user's; a run that dies leaves their work in it, or pops another one's. Keep a snapshot below refs/ralphex/ instead"},
	{"push --force", regexp.MustCompile(`\bpush\b.*( -f\b|--force|--mirror|--delete)`), "it throws away what others pushed"},
	{"--no-verify", regexp.MustCompile(`--no-verify\b|\bcommit -n\b`), "the user's hooks are there for a reason; a hook that refuses is an answer"},
	{"checkout -f", regexp.MustCompile(`\b(checkout|switch)\b.*( -f\b|--force\b|--discard-changes\b)`), "it overwrites changed files; without it the command refuses"},
	{"checkout/restore of paths", regexp.MustCompile(`\bcheckout --( |$)|\bgit (checkout|restore) \.|^restore (-- |-[sSW]|--(staged|worktree|source)|\.)`), "it overwrites changed files without a word"},
	{"worktree remove --force", regexp.MustCompile(`\bworktree remove\b.*( -f\b|--force\b)`), "it deletes uncommitted work; without it the command refuses"},
	{"branch -D", regexp.MustCompile(`\bbranch\b.*( -D\b| -M\b|--force\b)`), "it drops commits that are merged nowhere"},
	{"add -f", regexp.MustCompile(`\badd\b.*( -f\b|--force( |$))`), "it commits what the user ignores"},
	{"gc, prune, reflog expire", regexp.MustCompile(`\bgc --(prune|aggressive)|\bprune --expire|\breflog (expire|delete)\b`), "it deletes what a mistake could be undone with"},
	{"hg update --clean", regexp.MustCompile(`\bhg\b.*\b(update|up|co|checkout)\b.*( -C\b|--clean\b)`), "it overwrites uncommitted changes"},
	{"hg revert, strip, prune, rollback", regexp.MustCompile(`\bhg\b.*\b(revert|strip|prune|rollback|uncommit)\b`), "it throws away uncommitted changes, or commits"},
}

// lossyAllowed are lines that name such a command and don't run it, or that can't lose anything. Each must still be there.
var lossyAllowed = []struct{ file, text, reason string }{
	{"pkg/vcs/verbs.go", "git stash -u", "a hint: the person types it, knowing what is in their tree"},
	{"pkg/vcs/verbs.go", "hg unbundle brings one back from .hg/strip-backup", "names a folder"},
	{"pkg/vcs/verbs.go", "hg revert {path}", "a word for hints: one path that the person names; Mercurial keeps the old file as .orig"},
}

// TestNothingThrowsWorkAway looks for commands that lose the user's work in all that we ship: string literals of Go (of one line
// together, since arguments are separate ones) and whole lines of scripts. Tests play the user, and may.
func TestNothingThrowsWorkAway(t *testing.T) {
	used := map[int]bool{}
	look := func(file string, line int, text string) {
		for _, l := range lossy {
			if !l.find.MatchString(text) {
				continue
			}
			i := slices.IndexFunc(lossyAllowed, func(a struct{ file, text, reason string }) bool {
				return a.file == file && strings.Contains(text, a.text)
			})
			if i < 0 {
				assert.Fail(t, file+":"+strconv.Itoa(line)+": "+l.name+": "+l.reason, "%s", text)
			}
			used[i] = true
		}
	}
	for _, s := range sources(t) {
		if s.test || strings.HasSuffix(s.pkg, "test") {
			continue
		}
		for line, text := range literals(s) {
			look(s.path, line, text)
		}
	}
	scripts := 0
	walk(t, func(rel string) {
		text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(rel)))
		require.NoError(t, err)
		if strings.Contains(rel, "testdata/") || !isScript(rel, text) {
			return
		}
		scripts++
		for i, line := range strings.Split(string(text), "\n") {
			if code := strings.TrimSpace(line); !strings.HasPrefix(code, "#") {
				look(rel, i+1, code)
			}
		}
	})
	assert.GreaterOrEqual(t, scripts, 3, "Makefile, .ci/run, the demo: are scripts still found?")
	for i, a := range lossyAllowed {
		assert.True(t, used[i], "%s: %q is gone: take the exception out", a.file, a.text)
	}
}

// TestLossyCommandsAreSeen holds the patterns to what they are for.
func TestLossyCommandsAreSeen(t *testing.T) {
	seen := func(text string) bool {
		return slices.ContainsFunc(lossy, func(l struct {
			name   string
			find   *regexp.Regexp
			reason string
		}) bool {
			return l.find.MatchString(text)
		})
	}
	for _, bad := range []string{"reset --hard", "git reset -q --hard HEAD", "clean -fdx", "git clean -f", "stash push -u", "push --force-with-lease origin x",
		"push -f", "commit -q --no-verify -m", "checkout -f main", "checkout -- a", "git checkout .", "switch --discard-changes x", "worktree remove --force /x",
		"branch -D x", "add -f x", "hg update -C .", "hg --config x purge", "hg revert --all", "restore --staged --worktree x", "reflog expire --all"} {
		assert.True(t, seen(bad), bad)
	}
	for _, good := range []string{"worktree remove /x", "branch -d x", "add -A --pathspec-from-file=-", "update-index --force-remove -z --stdin", "push origin x",
		"checkout -b x", "commit -q -m x", "update-ref --stdin", "reset boxes", "hg update x", "a clean tree", "ralphex restore --list"} {
		assert.False(t, seen(good), good)
	}
}

// literals joins the string literals of each line.
func literals(s source) map[int]string {
	lines := map[int]string{}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			return true
		}
		at := fset.Position(lit.Pos()).Line
		if lines[at] != "" {
			text = lines[at] + " " + text
		}
		lines[at] = text
		return true
	})
	return lines
}

func isScript(rel string, text []byte) bool {
	return strings.HasSuffix(rel, ".sh") || filepath.Base(rel) == "Makefile" || strings.HasPrefix(string(text), "#!")
}
