package web

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// told is a diff as text, to be compared.
func toldDiff(files []DiffFile) (got []string) {
	for _, f := range files {
		text := fmt.Sprintf("%s %s +%d -%d", f.Status, f.Path, f.Additions, f.Deletions)
		if f.OldPath != "" {
			text += " from " + f.OldPath
		}
		if f.Binary {
			text += " binary"
		}
		if f.TooBig {
			text += " too big"
		}
		got = append(got, text)
		for _, h := range f.Hunks {
			got = append(got, fmt.Sprintf("@ %d,%d %d,%d %s", h.OldStart, h.OldLines, h.NewStart, h.NewLines, h.Section))
			for _, l := range h.Lines {
				got = append(got, fmt.Sprintf("%s%d:%d %s", l.Op, l.Old, l.New, l.Text))
			}
		}
	}
	return got
}

func TestParsePatch(t *testing.T) {
	tests := []struct {
		name, patch string
		want        []string
	}{
		{"nothing", "", nil},
		{"no patch at all", "hello\n@@ -1 +1 @@\n-x\n+y\n", nil},
		{"a change", "diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n@@ -1,3 +1,3 @@ func f() {\n a\n-b\n+c\n d\n@@ -9 +9,2 @@\n-e\n+f\n+g\n\\ No newline at end of file\n",
			[]string{"modified x.go +3 -2", "@ 1,3 1,3 func f() {", " 1:1 a", "-2:0 b", "+0:2 c", " 3:3 d", "@ 9,1 9,2 ", "-9:0 e", "+0:9 f", "+0:10 g"}},
		{"lines that look like headers", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/q\n-diff --git a/q b/q\n+++ b/q\n+@@ -1 +1 @@\n",
			[]string{"modified x +2 -2", "@ 1,2 1,2 ", "-1:0 -- a/q", "-2:0 diff --git a/q b/q", "+0:1 ++ b/q", "+0:2 @@ -1 +1 @@"}},
		{"new, gone, renamed, copied, of another kind", strings.Join([]string{
			"diff --git a/n b/n", "new file mode 100644", "--- /dev/null", "+++ b/n", "@@ -0,0 +1 @@", "+x",
			"diff --git a/g b/g", "deleted file mode 100644", "--- a/g", "+++ /dev/null", "@@ -1 +0,0 @@", "-x",
			"diff --git a/old b/new", "similarity index 90%", "rename from old", "rename to new",
			"diff --git a/c b/d", "copy from c", "copy to d",
			"diff --git a/l b/l", "old mode 100644", "new mode 120000", "diff --git a/e b/e", "old mode 100644", "new mode 100755", ""}, "\n"),
			[]string{"added n +1 -0", "@ 0,0 1,1 ", "+0:1 x", "deleted g +0 -1", "@ 1,1 0,0 ", "-1:0 x", "renamed new +0 -0 from old", "copied d +0 -0 from c",
				"type l +0 -0", "modified e +0 -0"}},
		{"binary", "diff --git a/p b/p\nindex 1..2\nBinary files a/p and b/p differ\ndiff --git a/q b/q\nGIT binary patch\nliteral 3\n+++ b/no\nKcmZ\n\ndiff --git a/r b/r\n--- a/r\n+++ b/r\n@@ -1 +1 @@\n-a\n+b\n",
			[]string{"modified p +0 -0 binary", "modified q +0 -0 binary", "modified r +1 -1", "@ 1,1 1,1 ", "-1:0 a", "+0:1 b"}},
		{"odd names", "diff --git \"a/\\303\\251\\t\" \"b/\\303\\251\\t\"\n--- \"a/\\303\\251\\t\"\n+++ \"b/\\303\\251\\t\"\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/a b/c b/a b/c\n--- a/a b/c\t\n+++ b/a b/c\t\n",
			[]string{"modified é\t +1 -1", "@ 1,1 1,1 ", "-1:0 a", "+0:1 b", "modified a b/c +0 -0"}},
		{"a binary file with blanks", "diff --git a/a b.png b/a b.png\nBinary files differ\n", []string{"modified a b.png +0 -0 binary"}},
		{"numbers that make no sense", "diff --git a/x b/x\n@@ -1,-5 +1 @@\n@@ -a +b @@\n@@\n@@ -1\n@@ -99999999999999999999 +1 @@\n-x\n", []string{"modified x +0 -0"}},
		{"a hunk that is cut off", "diff --git a/x b/x\n@@ -1,9 +1,9 @@\n-x\n… (cut here)\ndiff --git a/y b/y\n", []string{"modified x +0 -1", "@ 1,9 1,9 ", "-1:0 x", "modified y +0 -0"}},
		{"an empty line without its blank, and Windows line ends", "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n\n-a\r\n+b\r\n", []string{"modified x +1 -1", "@ 1,2 1,2 ", " 1:1 ", "-2:0 a", "+0:2 b"}},
		{"bytes that are no text", "diff --git a/x b/x\n@@ -1 +1 @@\n-\xff\n+<b>\x00\n", []string{"modified x +1 -1", "@ 1,1 1,1 ", "-1:0 \uFFFD", "+0:1 <b>\x00"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, toldDiff(ParsePatch(tt.patch, false))) })
	}
}

func TestPatchBounds(t *testing.T) {
	file := func(name string, lines int) string {
		return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n@@ -0,0 +1,%[2]d @@\n%[3]s", name, lines, strings.Repeat("+x\n", lines))
	}
	files := ParsePatch(file("a", maxFileLines)+file("b", maxFileLines+1)+file("c", maxFileLines)+file("d", maxFileLines)+file("e", 1), false)
	require.Len(t, files, 5)
	for i, tooBig := range []bool{false, true, false, false, true} {
		assert.Equal(t, tooBig, files[i].TooBig, files[i].Path)
		assert.Equal(t, tooBig, len(files[i].Hunks) == 0, files[i].Path)
	}
	assert.Equal(t, maxFileLines+1, files[1].Additions, "they are counted all the same")

	files = ParsePatch(file("a", 1)+file("b", 1), true)
	assert.False(t, files[0].TooBig)
	assert.True(t, files[1].TooBig, "nobody knows how it goes on")

	long := ParsePatch("diff --git a/x b/x\n@@ -0,0 +1 @@\n+"+strings.Repeat("é", maxDiffLine)+"\n", false)
	text := long[0].Hunks[0].Lines[0].Text
	assert.LessOrEqual(t, len(text), maxDiffLine+len("…"))
	assert.True(t, utf8.ValidString(text))
}

func TestNewFile(t *testing.T) {
	assert.Equal(t, []string{"added a +2 -0", "@ 0,0 1,2 ", "+0:1 x", "+0:2 y"}, toldDiff([]DiffFile{NewFile("a", "x\r\ny", false)}))
	assert.Equal(t, []string{"added a +0 -0"}, toldDiff([]DiffFile{NewFile("a", "", false)}))
	assert.Equal(t, []string{"added a +0 -0 binary"}, toldDiff([]DiffFile{NewFile("a", "x", true)}))
	assert.Equal(t, []string{fmt.Sprintf("added a +%d -0 too big", maxFileLines+1)}, toldDiff([]DiffFile{NewFile("a", strings.Repeat("x\n", maxFileLines+1), false)}))
}

// Whatever is said to be a patch, lines are numbered as the hunks say, and nothing is nil.
func FuzzParsePatch(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ f\n a\n-b\n+c\n", false)
	f.Add("diff --git a/x b/y\nrename from x\nrename to y\nGIT binary patch\nliteral 0\n", true)
	f.Fuzz(func(t *testing.T, text string, cut bool) {
		for _, file := range ParsePatch(text, cut) {
			require.NotNil(t, file.Hunks)
			plus, minus := 0, 0
			for _, h := range file.Hunks {
				require.NotNil(t, h.Lines)
				for _, l := range h.Lines {
					require.True(t, utf8.ValidString(l.Text))
					switch l.Op {
					case "+":
						plus++
					case "-":
						minus++
					default:
						require.Equal(t, " ", l.Op)
					}
				}
			}
			if !file.TooBig {
				require.Equal(t, [2]int{file.Additions, file.Deletions}, [2]int{plus, minus})
			}
		}
	})
}
