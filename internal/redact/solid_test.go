package redact

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var solidEnv = []string{"API_KEY=abcdefgh-ijkl-mnop", "OTHER_TOKEN=KEY-----abcdefgh+x with blanks", "QUOTED_SECRET=0123456789abcde\"<&>"}

func TestSolid(t *testing.T) {
	assert.True(t, New(solidEnv).solid)
	assert.True(t, New([]string{"HOME=/root"}).solid, "the known shapes are")
	for _, value := range []string{"abcdefgh-ijkl", "abcdefg hijklmnopqrst", `abcdefgh"ijklmnopqrst`} {
		assert.False(t, New([]string{"A_KEY=" + value}).solid, value)
	}
}

// Where all patterns are solid, passing over words finds the same as looking at every byte.
func TestSearchSolid(t *testing.T) {
	quick := New(solidEnv)
	every := *quick
	every.solid = false
	parts := []string{"abcdefgh-ijkl-mnop", "KEY-----abcdefgh+x with blanks", `0123456789abcde"<&>`, `0123456789abcde\"<&>`, "PRIVATE " + "KEY-----", "PRIVATE ", "-----", "KEY",
		ghp, ant, jwt, pem, "AKIA" + "ABCDEFGHIJKLMNOP", " ", "a", "task-", "sk-", "hf_", "\n", `\n`, "an ordinary line of text, as there are many ", "--", "+", "\"", "é",
		"AVeryLongIdentifierWithoutBlanks", strings.Repeat("-", 30), strings.Repeat("\n", 20)}
	rng := rand.New(rand.NewSource(3))
	found := 0
	for range 8_000 {
		var b []byte
		for range 1 + rng.Intn(8) {
			part := parts[rng.Intn(len(parts))]
			if rng.Intn(4) == 0 {
				part = part[:rng.Intn(len(part)+1)]
			}
			b = append(b, part...)
		}
		from := rng.Intn(min(len(b), 24) + 1)
		at, n, _ := every.find(b, from)
		quickAt, quickN, _ := quick.find(b, from)
		require.Equal(t, []int{at, n}, []int{quickAt, quickN}, "%q from %d", b, from)
		if n > 0 {
			found++
			require.True(t, quick.hints(b[from:]), "%q from %d", b, from)
		}
		require.Equal(t, string(every.Bytes(b)), string(quick.Bytes(b)), "%q", b)
	}
	require.Greater(t, found, 1_500)
}

// The stories of redact_test.go, with nothing in the environment that is not solid.
func TestSolidInPieces(t *testing.T) {
	r := New(solidEnv)
	for _, tt := range cases {
		if strings.Contains(tt.want, "redacted:MY_") || strings.Contains(tt.want, "redacted:API") || strings.Contains(tt.want, "redacted:LONGER") {
			continue
		}
		assert.Equal(t, tt.want, string(r.Bytes([]byte(tt.in))), tt.name)
		for size := 1; size < 70; size++ {
			assert.Equal(t, tt.want, inPieces(t, r, tt.in, size), "%s in pieces of %d", tt.name, size)
		}
	}
}
