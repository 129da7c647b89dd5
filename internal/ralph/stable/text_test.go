package stable

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// literal reads a string literal, which may hold lone surrogates.
func literal(t *testing.T, s string) string {
	t.Helper()
	v, err := Parse([]byte(s))
	require.NoError(t, err)
	return v.(string)
}

func TestStringsAsTheRuntime(t *testing.T) {
	type stringCase struct {
		In, Trim, TrimEnd string
		Len               int
		Cut               []string
	}
	for _, c := range cases[stringCase](t, "strings.jsonl") {
		s := literal(t, c.In)
		assert.Equal(t, literal(t, c.Trim), Trim(s), c.In)
		assert.Equal(t, literal(t, c.TrimEnd), TrimEnd(s), c.In)
		assert.Equal(t, c.Len, UTF16Len(s), c.In)
		for n, want := range c.Cut {
			assert.Equal(t, literal(t, want), CutUTF16(s, n), "%s %d", c.In, n)
		}
	}
}

func TestText(t *testing.T) {
	assert.Equal(t, "a\n b\n", Text("a\n b \r\n\n\uFEFF"))
	assert.Equal(t, "\n", Text(""))
	assert.Equal(t, "x\uFFFD\n", Text("x\xed\xa0\x80"))
}

func TestHash(t *testing.T) {
	assert.Equal(t, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", Hash(nil))
}

func TestTime(t *testing.T) {
	zone := time.FixedZone("", 3600)
	assert.Equal(t, "2026-03-17T11:00:00.999Z", Time(time.Date(2026, 3, 17, 12, 0, 0, 999_999_999, zone)))
	assert.Equal(t, "+012026-03-17T12:00:00.000Z", Time(time.Date(12026, 3, 17, 12, 0, 0, 0, time.UTC)))
	assert.Equal(t, "-000001-01-01T00:00:00.000Z", Time(time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)))
}

// The corpus was made in a zone five and a half hours east of UTC.
func TestParseTimeAsTheRuntime(t *testing.T) {
	local := time.Local
	t.Cleanup(func() { time.Local = local })
	time.Local = time.FixedZone("", 5*3600+30*60)
	type timeCase struct {
		In  string
		MS  *int64
		ISO *string
	}
	for _, c := range cases[timeCase](t, "times.jsonl") {
		got, ok := ParseTime(c.In)
		if c.MS == nil {
			assert.False(t, ok, "%q is %v", c.In, got)
			continue
		}
		if assert.True(t, ok, "%q", c.In) {
			assert.Equal(t, *c.ISO, Time(got), "%q", c.In)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	for _, c := range cases[struct{ In string }](f, "times.jsonl") {
		f.Add(c.In)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if at, ok := ParseTime(s); ok {
			again, ok := ParseTime(Time(at))
			require.True(t, ok, Time(at))
			require.True(t, again.Equal(at), "%v %v", again, at)
		}
	})
}

func TestAPageMovesNoCursor(t *testing.T) {
	hostile := "a\x1b[2J\x00\x7f\u0085\u202eb\u2066\tc\r\nd\xff"
	assert.Equal(t, "a\u241b[2J\u2400\u2421\ufffdb\tc\r\nd\ufffd\n", Page(hostile))
	assert.Equal(t, "a\u241b[2J\u2400\u2421\ufffd\u202eb\u2066\tc\r\nd\ufffd", Visible(hostile, false))
	assert.Equal(t, Page(hostile), Page(Page(hostile)), "once is enough")
}
