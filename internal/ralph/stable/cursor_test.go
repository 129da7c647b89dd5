package stable

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drawn makes the tree of a text by going over it with a cursor.
func drawn(c *Cursor) any {
	switch {
	case c.IsObject():
		o := &Object{}
		for key := range c.Members() {
			o.Set(key, drawn(c))
		}
		return o
	case c.IsArray():
		a := &Array{}
		for at := range c.Items() {
			a.Items, a.At = append(a.Items, drawn(c)), append(a.At, at)
		}
		return a
	}
	return c.Value()
}

// sameReading checks that a cursor takes what Parse takes, and finds the same there.
func sameReading(t *testing.T, text string) {
	t.Helper()
	want, err := Parse([]byte(text))
	c := NewCursor([]byte(text))
	got := drawn(c)
	require.Equal(t, err == nil, c.End(), "%q: %v", text, err)
	if err == nil {
		require.Equal(t, string(Compact(want)), string(Compact(got)), "%q", text)
	}
}

func TestCursorTakesWhatParseTakes(t *testing.T) {
	for _, c := range cases[textCase](t, "json.jsonl") {
		sameReading(t, c.In)
		sameReading(t, `{"a": [`+c.In+`], "a":{"b" :`+c.In+"}}\n")
	}
	for _, text := range []string{"", " ", "{", "[", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `[1`, `[1,`, `[1,]`, `{"a":1,}`, "\xff", "\ufeff{}", `{} {}`, `{1:2}`, `[[]`} {
		sameReading(t, text)
	}
}

func TestCursorPassesWhatIsNotWanted(t *testing.T) {
	text := `{"s": "x", "n": 7, "list": [" a ", 1, "", ["b"], "c", "\n"], "o": {"deep": [{}]}, "end": true}`
	c := NewCursor([]byte(text))
	got := map[string]any{}
	for key := range c.Members() {
		switch key {
		case "s", "n":
			got[key] = c.String()
		case "list":
			at := c.At()
			got[key] = c.Strings()
			c.Back(at)
			assert.Equal(t, []string{"a", "c"}, c.Strings(), "read again")
		case "o":
			assert.Nil(t, c.Strings())
		case "end":
			for range c.Members() {
				t.Error("a truth value has no members")
			}
		}
	}
	assert.True(t, c.End())
	assert.Equal(t, map[string]any{"s": "x", "n": "", "list": []string{"a", "c"}}, got)

	c = NewCursor([]byte(`{"a": [1, {"b": tru}]}`))
	drawn(c)
	assert.True(t, c.Failed())
	assert.False(t, c.End())
	assert.Equal(t, []any{nil, ""}, []any{c.Value(), c.String()}, "nothing more is read")
}
