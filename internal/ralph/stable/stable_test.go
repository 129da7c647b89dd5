package stable

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cases reads a golden file that testdata/corpus.mjs has made.
func cases[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer f.Close()
	var all []T
	for s := bufio.NewScanner(f); s.Scan(); {
		var c T
		require.NoError(t, json.Unmarshal(s.Bytes(), &c))
		all = append(all, c)
	}
	require.NotEmpty(t, all)
	return all
}

type textCase struct {
	In, Pretty, Compact string
	Bad                 bool
}

// A08: what is written equals JSON.stringify, over a corpus that a JavaScript runtime made.
func TestA08EqualsStringify(t *testing.T) {
	for _, c := range cases[textCase](t, "json.jsonl") {
		v, err := Parse([]byte(c.In))
		if c.Bad {
			assert.Error(t, err, "%q", c.In)
			continue
		}
		if !assert.NoError(t, err, "%q", c.In) {
			continue
		}
		assert.Equal(t, c.Pretty, string(Marshal(v)), "%q", c.In)
		assert.Equal(t, c.Compact, string(Compact(v)), "%q", c.In)
		again, err := Parse([]byte(c.Pretty))
		require.NoError(t, err)
		assert.Equal(t, c.Pretty, string(Marshal(again)), "what was written reads back")
	}
}

// A09: keys are told apart by case.
func TestA09KeysByCase(t *testing.T) {
	o, err := ParseObject([]byte(`{"Status":"done","ID":"T1"}`))
	require.NoError(t, err)
	for _, key := range []string{"status", "id"} {
		_, ok := o.Get(key)
		assert.False(t, ok, key)
	}
}

func TestMarshalMadeValues(t *testing.T) {
	o := &Object{}
	o.Set("version", 2)
	o.Set("n", int64(1<<53))
	o.Set("list", []string{"a"})
	o.Set("none", []string(nil))
	o.Set("any", []any{1, nil, &Array{}})
	o.Set("own", own{})
	want := "{\n  \"version\": 2,\n  \"n\": 9007199254740992,\n  \"list\": [\n    \"a\"\n  ],\n  \"none\": [],\n  \"any\": [\n    1,\n    null,\n    []\n  ],\n  \"own\": \"mine\"\n}\n"
	assert.Equal(t, want, string(Marshal(o)))
	assert.Panics(t, func() { Marshal(struct{}{}) })
}

type own struct{}

func (own) Stable() any { return "mine" }

func TestObject(t *testing.T) {
	text := []byte("{\"a\":1,\n \"b\" : {\"c\": []}, \"a\": 3}")
	o, err := ParseObject(text)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, o.Keys())
	assert.True(t, o.Twice("a"))
	assert.False(t, o.Twice("b"))
	v, _ := o.Get("a")
	assert.Equal(t, 3.0, v)
	assert.Equal(t, []int{0, len(text)}, []int{o.Start, o.End})
	assert.Equal(t, bytes.Index(text, []byte(`"b"`)), o.KeyAt("b"))
	assert.Equal(t, bytes.Index(text, []byte(`{"c"`)), o.ValueAt("b"))
	b, _ := o.Get("b")
	assert.Equal(t, o.ValueAt("b"), b.(*Object).Start)

	c := o.Clone()
	c.Set("a", "x")
	c.Set("z", nil)
	c.Delete("b")
	c.Delete("not there")
	assert.Equal(t, `{"a":"x","z":null}`, string(Compact(c)))
	assert.Equal(t, 2, o.Len(), "the clone's changes are its own")
	assert.Equal(t, -1, c.KeyAt("z"))
	assert.Equal(t, -1, c.ValueAt("b"))
}

func TestObjectWithManyKeys(t *testing.T) {
	o := &Object{}
	for i := range 100 {
		o.Set(strings.Repeat("k", i+1), i)
	}
	o.Delete("k")
	o.Set("kk", "two")
	assert.Equal(t, 99, o.Len())
	for i := 2; i < 100; i++ {
		v, ok := o.Get(strings.Repeat("k", i+1))
		require.True(t, ok)
		require.Equal(t, i, v)
	}
	v, _ := o.Get("kk")
	assert.Equal(t, "two", v)
}

func TestArrayOffsets(t *testing.T) {
	text := `[ 1, "x" ,{"a":[true]}]`
	v, err := Parse([]byte(text))
	require.NoError(t, err)
	a := v.(*Array)
	require.Len(t, a.At, 3)
	for i, want := range []string{"1", `"x"`, "{"} {
		assert.True(t, strings.HasPrefix(text[a.At[i]:], want))
	}
}

func TestSyntaxErrorNamesPlace(t *testing.T) {
	tests := []struct{ in, want string }{
		{"{\n  \"é😀\": 1,\n}", "line 3, column 1: expected a key in double quotes, found '}'"},
		{"{\"😀\" 1}", "line 1, column 7: expected ':' after the key, found '1'"},
		{"[1 2]", "line 1, column 4: expected ',' or ']', found '2'"},
		{"[1", "line 1, column 3: the text ends where ',' or ']' was expected"},
		{"", "line 1, column 1: the text ends where a value was expected"},
		{"\uFEFF{}", "line 1, column 1: the file begins with a byte order mark: save it as UTF-8 without one"},
		{"{\"a\":\"\xff\"}", "line 1, column 7: these bytes are no UTF-8: save the file as UTF-8"},
		{"\"\xed\xa0\x80\"", "line 1, column 2: these bytes are no UTF-8: save the file as UTF-8"},
		{strings.Repeat("[", MaxDepth+1), "line 1, column 1001: values lie more than 1000 deep in each other"},
	}
	for _, tt := range tests {
		_, err := Parse([]byte(tt.in))
		assert.EqualError(t, err, tt.want)
	}
	_, err := ParseObject([]byte("\n []"))
	assert.EqualError(t, err, "line 2, column 2: expected an object, found an array")
}

func TestLines(t *testing.T) {
	text := []byte(strings.Repeat("é😀x\r\n", 700) + strings.Repeat("中", 5000))
	l := NewLines(text)
	line, col := 1, 1
	for i, c := range text {
		if c&0xC0 != 0x80 {
			gotLine, gotCol := l.Position(i)
			require.Equal(t, []int{line, col}, []int{gotLine, gotCol}, "offset %d", i)
		}
		if col += units(c); c == '\n' {
			line, col = line+1, 1
		}
	}
	line, col = l.Position(len(text) + 5)
	assert.Equal(t, []int{701, 5001}, []int{line, col})
	line, col = NewLines(nil).Position(0)
	assert.Equal(t, []int{1, 1}, []int{line, col})
}

// FuzzParse holds what is read against what is written, and the runtime of the standard library against both.
func FuzzParse(f *testing.F) {
	for _, c := range cases[textCase](f, "json.jsonl") {
		f.Add([]byte(c.In))
	}
	f.Add([]byte("\"\xed\xa0\x80\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		sameReading(t, string(data))
		v, err := Parse(data)
		if err == nil && !json.Valid(data) {
			t.Fatalf("%q was taken", data)
		}
		if err != nil {
			return
		}
		pretty := Marshal(v)
		again, err := Parse(pretty)
		require.NoError(t, err)
		require.Equal(t, string(pretty), string(Marshal(again)))
		compact := Compact(v)
		again, err = Parse(compact)
		require.NoError(t, err)
		require.Equal(t, string(compact), string(Compact(again)))
	})
}

func BenchmarkParse10kTasks(b *testing.B) {
	o := &Object{}
	o.Set("version", 2)
	tasks := make([]any, 10_000)
	for i := range tasks {
		task := &Object{}
		task.Set("id", "T"+strings.Repeat("1", i%7+1))
		task.Set("title", strings.Repeat("a title of some words ", 3))
		task.Set("status", "todo")
		task.Set("dependsOn", []string{"T1", "T2"})
		task.Set("notes", strings.Repeat("notes, \"quoted\" at times\n", 6))
		task.Set("acceptance", []string{"tests pass", "docs say so"})
		tasks[i] = task
	}
	o.Set("tasks", tasks)
	text := Marshal(o)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMarshal10kTasks(b *testing.B) {
	tasks := make([]any, 10_000)
	for i := range tasks {
		task := &Object{}
		task.Set("id", "T1")
		task.Set("title", strings.Repeat("a title of some words ", 10))
		tasks[i] = task
	}
	b.SetBytes(int64(len(Marshal(tasks))))
	for b.Loop() {
		Marshal(tasks)
	}
}

// What is parsed lies together in memory; a change of one object reaches no other.
func TestParsedValuesAreTheirOwn(t *testing.T) {
	v, err := Parse([]byte(`[{"a":1},{"b":2},[3],[4]]`))
	require.NoError(t, err)
	items := v.(*Array).Items
	items[0].(*Object).Set("more", true)
	items[0].(*Object).Delete("a")
	first := items[2].(*Array)
	first.Items = append(first.Items, "x")
	assert.Equal(t, `[{"more":true},{"b":2},[3,"x"],[4]]`, string(Compact(v)))
}
