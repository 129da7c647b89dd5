package textdiff

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUnified(t *testing.T) {
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for _, tt := range []struct{ name, a, b, want string }{
		{"same", ten, ten, ""},
		{"change", ten, strings.Replace(ten, "5", "five", 1), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"two hunks", ten, "0\n" + strings.Replace(ten, "10", "ten", 1), "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -7,4 +8,4 @@\n 7\n 8\n 9\n-10\n+ten\n"},
		{"touching", ten, strings.NewReplacer("2\n", "two\n", "9", "nine").Replace(ten), "@@ -1,10 +1,10 @@\n 1\n-2\n+two\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+nine\n 10\n"},
		{"from nothing", "", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"to nothing", "a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"no newline", "a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{"line ends", "a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n"},
		{"broken bytes", "\xff\n\x00\n", "\xfe\n\x00\n", "@@ -1,2 +1,2 @@\n-\xff\n+\xfe\n \x00\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = "--- a/x\n+++ b/x\n" + want
			}
			assert.Equal(t, want, Unified("a/x", "b/x", tt.a, tt.b, 3))
		})
	}
}

// TestManyLines has more different lines than there are runes below the surrogates, and around U+FFFD.
func TestManyLines(t *testing.T) {
	var a strings.Builder
	for i := range 70_000 {
		fmt.Fprintln(&a, i)
	}
	b := strings.Replace(strings.Replace(a.String(), "\n63485\n", "\nx\n", 1), "\n60000\n", "\n", 1)
	assert.Equal(t, b, apply(t, a.String(), Unified("a", "b", a.String(), b, 3)))
}

// FuzzUnified applies what it wrote.
func FuzzUnified(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd", uint8(3))
	f.Add("", "x", uint8(0))
	f.Add("a\r\nb", "b\na\r\n", uint8(1))
	f.Fuzz(func(t *testing.T, a, b string, context uint8) {
		require.Equal(t, b, apply(t, a, Unified("a", "b", a, b, int(context%5))))
	})
}

// apply is a small patch(1): hunks must fit exactly.
func apply(t *testing.T, a, diff string) string {
	t.Helper()
	if diff == "" {
		return a
	}
	var old []string
	for l := range strings.Lines(a) {
		old = append(old, l)
	}
	var out strings.Builder
	at := 0
	var last string
	flush := func() { out.WriteString(last); last = "" }
	_, rest, _ := strings.Cut(diff, "+++ b\n")
	for l := range strings.Lines(rest) {
		switch l[0] {
		case '@':
			flush()
			start, count, found := strings.Cut(strings.TrimPrefix(strings.Fields(l)[1], "-"), ",")
			n, err := strconv.Atoi(start)
			require.NoError(t, err)
			if !found || count != "0" {
				n--
			}
			for ; at < n; at++ {
				out.WriteString(old[at])
			}
		case '\\':
			last = strings.TrimSuffix(last, "\n")
		case '+':
			flush()
			last = l[1:]
		default:
			flush()
			require.Equal(t, strings.TrimSuffix(old[at], "\n"), strings.TrimSuffix(l[1:], "\n"))
			at++
			if l[0] == ' ' {
				last = l[1:]
			}
		}
	}
	flush()
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String()
}
