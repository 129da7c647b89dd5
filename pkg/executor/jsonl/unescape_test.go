package jsonl

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What comes in pieces is decoded as if it came whole.
func TestUnescapeInPieces(t *testing.T) {
	for _, src := range []string{`plain`, `a\nb\"c\\d\/e`, `\u00e9\ud83d\ude00`, `\ud83dx`, `\ud83d\n`, `\ud83d\u0041`, "é日😀", "\xff\xc3", `\`, `\u12`, `\x`, `\ude00\ud83d`} {
		want, _, wantOK := Unescape(nil, []byte(src), true)
		var std string
		if err := json.Unmarshal([]byte(`"`+src+`"`), &std); err == nil {
			assert.True(t, wantOK, src)
			assert.Equal(t, std, string(want), src)
		} else {
			assert.False(t, wantOK, src)
		}
		for size := 1; size < len(src); size++ {
			var got, rest []byte
			ok := true
			for i := 0; i < len(src) && ok; i += size {
				end := min(i+size, len(src))
				rest = append(rest, src[i:end]...)
				var used int
				got, used, ok = Unescape(got, rest, end == len(src))
				rest = rest[used:]
			}
			assert.Equal(t, wantOK, ok, "%q by %d", src, size)
			if ok {
				assert.Equal(t, string(want), string(got), "%q by %d", src, size)
			}
		}
	}
}
