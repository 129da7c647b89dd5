package gate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/event"
)

// FuzzWindow compares the ring with the plain way: the last bytes of all bytes.
func FuzzWindow(f *testing.F) {
	f.Add([]byte("hello world"), uint8(3), uint8(4))
	f.Add([]byte("abcdefghij"), uint8(10), uint8(1))
	f.Add([]byte("äöü日本語"), uint8(5), uint8(7))
	f.Add([]byte{}, uint8(1), uint8(1))
	f.Fuzz(func(t *testing.T, all []byte, size, piece uint8) {
		w := window{max: int(size) + 1}
		step := int(piece) + 1
		for rest := all; len(rest) > 0; {
			n := min(step, len(rest))
			w.add(rest[:n])
			rest = rest[n:]
		}
		want := all[max(0, len(all)-w.max):]
		assert.Equal(t, string(want), string(w.bytes()))
		assert.Equal(t, int64(len(all)-len(want)), w.dropped)
		assert.True(t, utf8.ValidString(readable(w)))
		assert.LessOrEqual(t, len(readable(w)), w.max)
	})
}

func TestReadable(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		max        int
		want       string
	}{
		{"all of it", "a\nb", 10, "a\nb"},
		{"begins at a line", "first\nsecond\nthird\n", 16, "second\nthird\n"},
		{"no line near", "xxxxxxxxxx\ny", 8, "xxxxxx\ny"},
		{"half a character", "ääää", 5, "ää"},
		{"broken bytes", "a\xffb", 10, "a?b"},
	} {
		w := window{max: tt.max}
		w.add([]byte(tt.text))
		assert.Equal(t, tt.want, readable(w), tt.name)
	}
}

// TestStreamIsWholeLines sends pieces of any size and wants the same lines.
func TestStreamIsWholeLines(t *testing.T) {
	text := "one\n\ntwo ä\nthree\n" + strings.Repeat("läng€ ", 10_000) + "\nend"
	for step := 1; step < 40; step += 3 {
		var got strings.Builder
		parts := 0
		out := newOutput(Options{Emit: func(d event.Data) {
			o := d.(event.Output)
			got.WriteString(o.Text)
			if o.Partial {
				parts++
			} else {
				got.WriteByte('\n')
			}
		}}, 1)
		for rest := text; rest != ""; {
			n := min(step, len(rest))
			_, _ = out.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		_, sum, _ := out.close()
		assert.Equal(t, text+"\n", got.String(), "pieces of %d", step)
		assert.Positive(t, parts)
		assert.NotEmpty(t, sum)
	}
}
