package jsonl

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

// record writes down what a Sink gets: a line a call.
type record struct{ got []string }

func (r *record) Line(line []byte) { r.got = append(r.got, "line "+string(line)) }

func (r *record) Long(skeleton []byte, l *Long) bool {
	var v struct{ A, B string }
	if !Object(skeleton, &v) {
		return false
	}
	var text strings.Builder
	l.Each(v.A, func(p []byte) { text.Write(p) })
	text.WriteByte('|')
	l.Each(v.B, func(p []byte) { text.Write(p) })
	r.got = append(r.got, fmt.Sprintf("long %v %s", l.IsCut(v.A), text.String()))
	return true
}

func (r *record) Raw(p []byte, ends bool) {
	n := len(r.got) - 1
	if n < 0 || !strings.HasPrefix(r.got[n], "raw…") {
		r.got = append(r.got, "raw…")
		n++
	}
	r.got[n] += string(p)
	if ends {
		r.got[n] = "raw " + strings.TrimPrefix(r.got[n], "raw…")
	}
}

func (r *record) Note(_ event.Level, text string) { r.got = append(r.got, "note "+text) }

// Lines are the same however they come; a long one goes through a file, and its texts come back whole.
func TestLines(t *testing.T) {
	text := strings.Repeat("é\"\\\n😀", 50)
	quoted, err := json.Marshal(text)
	require.NoError(t, err)
	stream := "a\n\n{\"b\":1}\n" + `{"A":` + string(quoted) + `,"B":"short"}` + "\n" +
		strings.Repeat("no JSON ", 40) + "\r\n" + `{"torn":"` + strings.Repeat("x", 200) + "\n" + "last"
	want := []string{"line a", "line ", `line {"b":1}`, "long true " + text + "|short",
		"raw " + strings.Repeat("no JSON ", 40), "raw " + `{"torn":"` + strings.Repeat("x", 200), "line last"}
	for size := 1; size < 90; size++ {
		r := &record{}
		l := NewLines(r)
		l.Limit = 64
		for p := stream; p != ""; p = p[min(size, len(p)):] {
			n, err := l.Write([]byte(p[:min(size, len(p))]))
			require.NoError(t, err)
			require.Equal(t, min(size, len(p)), n)
		}
		l.End()
		require.Equal(t, want, r.got, "in pieces of %d", size)
	}
}

func TestTooMuchStructure(t *testing.T) {
	r := &record{}
	l := NewLines(r)
	_, _ = l.Write([]byte(`{"x":[` + strings.Repeat("1,", 1<<20) + "1]}\nafter\n"))
	assert.Equal(t, []string{"note a line of 2.0 MB was left out: its structure is too large to be read", "line after"}, r.got)
}

func TestType(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{`{"type":"x"}`, "x"},
		{` { "a" : {"type":"inner"}, "b":[1,{"type":"y"}], "type" : "x" } `, "x"},
		{`{"a":"type"}`, ""},
		{`{"type":7}`, ""},
		{`["type"]`, ""},
		{`{"type":`, ""},
		{``, ""},
	} {
		assert.Equal(t, tt.want, Type([]byte(tt.line)), tt.line)
	}
}

func TestObjectIsLenient(t *testing.T) {
	var v struct {
		A int
		B string
	}
	assert.True(t, Object([]byte(` {"A":"no number","B":"taken"}`), &v))
	assert.Equal(t, "taken", v.B)
	assert.False(t, Object([]byte(`[1]`), &v))
	assert.False(t, Object([]byte(`{"B":`), &v))
	assert.True(t, Value(nil, &v))
}
