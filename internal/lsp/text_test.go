package lsp

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOffset(t *testing.T) {
	const doc = "ab\r\n😀x\ré\n\n終"
	tests := []struct {
		name      string
		line, col uint32
		enc       Encoding
		want      int
	}{
		{"begin", 0, 0, UTF16, 0},
		{"end of a line", 0, 2, UTF16, 2},
		{"inside of CRLF", 0, 3, UTF16, 2},
		{"far behind the end", 0, 4294967295, UTF16, 2},
		{"behind two units", 1, 2, UTF16, 8},
		{"between two units", 1, 1, UTF16, 4},
		{"behind four bytes", 1, 4, UTF8, 8},
		{"inside of four bytes", 1, 3, UTF8, 4},
		{"behind one code point", 1, 1, UTF32, 8},
		{"a bare CR ends a line", 2, 0, UTF16, 10},
		{"one unit, two bytes", 2, 1, UTF16, 12},
		{"empty line", 3, 0, UTF16, 13},
		{"end of an empty line", 3, 9, UTF16, 13},
		{"end of the text", 4, 1, UTF16, 17},
		{"behind the last line", 5, 0, UTF16, 17},
		{"far behind the last line", 4294967295, 0, UTF16, 17},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, newText([]byte(doc)).offset(Position{tt.line, tt.col}, tt.enc))
		})
	}
}

func TestRangeThatEndsBeforeItBegins(t *testing.T) {
	from, to := newText([]byte("abc\ndef")).span(Range{Position{1, 1}, Position{0, 1}}, UTF16)
	assert.Equal(t, []int{1, 5}, []int{from, to})
}

// pieces are what random documents are made of: each kind of line end, and characters of each width.
var pieces = []string{"\n", "\r", "\r\n", "a", "- [ ] ", "é", "終", "😀", "\t", "### Task 1: x\n", "\u2028", "\ufeff"}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// columns is what a column counts, told in the simplest way.
func columns(s string, enc Encoding) int {
	switch enc {
	case UTF8:
		return len(s)
	case UTF32:
		return utf8.RuneCountInString(s)
	}
	return len(utf16.Encode([]rune(s)))
}

// linesOf takes a text apart in the simplest way.
func linesOf(s string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\r\n\x00", "\n", "\n\x00", "\r", "\r\x00").Replace(s), "\x00")
}

// TestPositionsThereAndBack compares each place of random texts with the simplest way to count.
func TestPositionsThereAndBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		doc := randomText(rnd, 30)
		txt := newText([]byte(doc))
		require.Len(t, txt.starts, len(linesOf(doc)), "%q", doc)
		for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
			rising, off := txt.ruler(enc), 0
			for n, line := range linesOf(doc) {
				body := strings.TrimRight(line, "\r\n")
				for i := range body + "$" {
					want := Position{uint32(n), uint32(columns(body[:i], enc))}
					require.Equal(t, want, rising.position(off+i), "%q at %d", doc, off+i)
					require.Equal(t, want, txt.ruler(enc).position(off+i), "%q at %d", doc, off+i)
					require.Equal(t, off+i, txt.offset(want, enc), "%q at %d", doc, off+i)
				}
				off += len(line)
			}
		}
	}
}

// FuzzSplice checks that an edited text is the same as the one that is read anew, whatever was cut or joined.
func FuzzSplice(f *testing.F) {
	f.Add("a\r\nb\rc\n", "\n", 2, 1)
	f.Add("a\rb", "\n", 2, 0)
	f.Add("a\r\nb", "", 2, 1)
	f.Add("", "\r\n", 0, 0)
	f.Add("\n", "", 0, 1)
	f.Add("\r\n\r\n", "\r", 1, 2)
	f.Fuzz(func(t *testing.T, doc, with string, a, n int) {
		a = min(max(a, 0), len(doc))
		b := a + min(max(n, 0), len(doc)-a)
		old := newText([]byte(doc))
		txt := old.clone()
		txt.splice(a, b, with)
		want := newText([]byte(doc[:a] + with + doc[b:]))
		require.Equal(t, string(want.bytes), string(txt.bytes))
		require.Equal(t, want.starts, txt.starts)
		require.Equal(t, doc, string(old.bytes), "a snapshot never changes")
	})
}
