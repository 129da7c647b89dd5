package event

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var at = time.Date(2026, 1, 29, 15, 30, 12, 123456789, time.FixedZone("", 3600))

// every has one value of each type with no field empty.
func every(t *testing.T) []Data {
	t.Helper()
	all := []Data{}
	for kind := range readers {
		d, err := readers[kind]([]byte("{}"))
		require.NoError(t, err)
		v := reflect.New(reflect.TypeOf(d)).Elem()
		fill(v)
		all = append(all, v.Interface().(Data))
	}
	return all
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("<a> & \"b\"\n\x01\u2028é")
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(1 << 63)
	case reflect.Float64:
		v.SetFloat(1.25)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(at.UTC()))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	default:
		panic("fill: " + v.Type().String())
	}
}

func TestRoundTrip(t *testing.T) {
	for _, d := range every(t) {
		t.Run(string(d.Kind()), func(t *testing.T) {
			e := Event{Seq: 3, Time: at, Run: "20260129-153012-4f2a9c", Phase: PhaseTask, Task: 2, Data: d}
			line, err := AppendJSON(nil, e)
			require.NoError(t, err)
			require.True(t, json.Valid(line), "%s", line)
			assert.NotContains(t, string(line), "\n")

			got, err := Decode(line)
			require.NoError(t, err)
			assert.True(t, e.Time.Equal(got.Time))
			e.Time = got.Time
			assert.Equal(t, e, got)

			kind, ok := KindOf(line)
			assert.True(t, ok)
			assert.Equal(t, d.Kind(), kind)

			std, err := json.Marshal(e)
			require.NoError(t, err)
			var back Event
			require.NoError(t, json.Unmarshal(std, &back))
			assert.Equal(t, e, back)
		})
	}
}

// A type without a name, or with another one's, would be lost in the journal.
func TestKindIsNameOfType(t *testing.T) {
	for kind, read := range readers {
		d, err := read([]byte("{}"))
		require.NoError(t, err)
		assert.Equal(t, snake(reflect.TypeOf(d).Name()), string(kind))
	}
	assert.Len(t, readers, 36, "a new type needs a line in init")
}

func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func TestEncodeExactly(t *testing.T) {
	tests := []struct {
		name string
		e    Event
		want string
	}{
		{"output", Event{Seq: 1, Time: at, Run: "r", Phase: PhaseReview, Task: 4, Data: Output{Text: "a\n\t\"<b>\" \\ \x00\xff", Source: FromTool, Partial: true}},
			`{"v":1,"seq":1,"time":"2026-01-29T14:30:12.123456789Z","run":"r","phase":"review","task":4,"type":"output","data":{"text":"a\n\t\"<b>\" \\ \u0000�","source":"tool","partial":true}}`},
		{"nothing that can be left out", Event{Seq: 2, Time: at.Truncate(time.Second), Run: "r", Data: Output{}},
			`{"v":1,"seq":2,"time":"2026-01-29T14:30:12Z","run":"r","type":"output","data":{"text":""}}`},
		{"signals stay readable", Event{Seq: 3, Time: at.Truncate(time.Second), Run: "r", Data: Claimed{Signal: "<<<RALPHEX:TASK_FAILED>>>"}},
			`{"v":1,"seq":3,"time":"2026-01-29T14:30:12Z","run":"r","type":"claimed","data":{"signal":"<<<RALPHEX:TASK_FAILED>>>"}}`},
		{"unknown", Event{Seq: 4, Time: at.Truncate(time.Second), Run: "r", Data: Unknown{Name: "teleport", Raw: []byte(`{"to": [1]}`)}},
			`{"v":1,"seq":4,"time":"2026-01-29T14:30:12Z","run":"r","type":"teleport","data":{"to": [1]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AppendJSON([]byte("before "), tt.e)
			require.NoError(t, err)
			assert.Equal(t, "before "+tt.want, string(got))
		})
	}
}

func TestEncodeWithoutData(t *testing.T) {
	got, err := AppendJSON([]byte("before"), Event{Seq: 1})
	require.Error(t, err)
	assert.Equal(t, "before", string(got))
	got, err = AppendJSON([]byte("before"), Event{Seq: 1, Data: SessionEnd{Usage: Usage{CostUSD: inf()}}})
	require.Error(t, err)
	assert.Equal(t, "before", string(got))
}

func inf() float64 { var zero float64; return 1 / zero }

func TestDecodeUnknown(t *testing.T) {
	line := `{"v":1,"seq":9,"time":"2026-01-29T15:30:12Z","run":"r","type":"teleport","data":{"to":[1, 2]}}`
	e, err := Decode([]byte(line))
	require.NoError(t, err)
	assert.Equal(t, Unknown{Name: "teleport", Raw: []byte(`{"to":[1, 2]}`)}, e.Data)
	back, err := AppendJSON(nil, e)
	require.NoError(t, err)
	assert.Equal(t, line, string(back))
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"empty", ``, "unexpected end"},
		{"no JSON", `hello`, "invalid character"},
		{"other JSON", `{"a":1}`, "no format version"},
		{"no type", `{"v":1,"seq":5}`, "decode event 5: no type"},
		{"data of another shape", `{"v":1,"seq":6,"time":"2026-01-29T15:30:12Z","type":"tick","data":[]}`, "decode event 6, tick"},
		{"no data", `{"v":1,"seq":6,"time":"2026-01-29T15:30:12Z","type":"tick"}`, "decode event 6, tick"},
		{"newer", `{"v":2,"seq":"many"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode([]byte(tt.line))
			require.Error(t, err)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
}

func TestDecodeNewerVersion(t *testing.T) {
	_, err := Decode([]byte(`{"v":2,"seq":{"what":"ever"},"time":0}`))
	var newer *VersionError
	require.ErrorAs(t, err, &newer)
	assert.Equal(t, 2, newer.Version)
	assert.Contains(t, newer.Hint(), "upgrade")
}

func TestKindOfForeignLine(t *testing.T) {
	for _, line := range []string{``, `{"type":"output"}`, `{"v":1,"seq":1`, `{"v":1,"seq":1,"type":"out`} {
		_, ok := KindOf([]byte(line))
		assert.False(t, ok, line)
	}
}

func TestSections(t *testing.T) {
	tests := []struct {
		got  Section
		want string
	}{
		{NewTaskIterationSection(3), "task iteration 3"},
		{NewReviewSection("claude", 0), "claude review 0: all findings"},
		{NewReviewSection("claude", 2), "claude review 2: critical/major"},
		{NewReviewSection("", 1), "review 1: critical/major"},
		{NewExternalReviewSection("codex"), "codex external review"},
		{NewExternalIterationSection("codex", 1), "codex iteration 1"},
		{NewExternalIterationSection("custom review", 2), "custom review iteration 2"},
		{NewEvaluationSection("claude", "codex"), "claude evaluating codex findings"},
		{NewFinalizeSection(), "finalize step"},
		{NewPlanIterationSection(4), "plan iteration 4"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, tt.got.Label)
	}
	assert.Equal(t, Section{Type: SectionTask, Label: "task iteration 3", TaskNum: 3}, NewTaskIterationSection(3))
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"v":1,"seq":9,"time":"2026-01-29T15:30:12Z","run":"r","type":"teleport","data":{"to":[1, 2]}}`))
	f.Add([]byte(`{"v":1,"seq":9,"time":"2026-01-29T15:30:12Z","run":"r","type":"output","data":{"text":"\ud800"}}`))
	f.Add([]byte(`{"v":1,"seq":9,"time":"2026-01-29T15:30:12Z","run":"r","phase":"task","task":1,"type":"tick","data":{"box":1,"text":"","checked":true,"by":""}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := Decode(line)
		if err != nil {
			return
		}
		again, err := AppendJSON(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(again)
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		if fmt.Sprintf("%+v", e.Data) != fmt.Sprintf("%+v", back.Data) || e.Seq != back.Seq || !e.Time.Equal(back.Time) {
			t.Fatalf("%+v became %+v", e, back)
		}
	})
}

func BenchmarkAppendOutput(b *testing.B) {
	e := Event{Seq: 1, Time: at, Run: "20260129-153012-4f2a9c", Phase: PhaseTask, Task: 1,
		Data: Output{Text: strings.Repeat("Reading the file pkg/x/y.go now.\n", 1000)}}
	b.SetBytes(int64(len(e.Data.(Output).Text)))
	var buf []byte
	for b.Loop() {
		buf, _ = AppendJSON(buf[:0], e)
	}
}

func BenchmarkAppendTick(b *testing.B) {
	e := Event{Seq: 1, Time: at, Run: "20260129-153012-4f2a9c", Phase: PhaseTask, Task: 1, Data: Tick{Box: 1, Text: "write tests", Checked: true, By: "agent"}}
	var buf []byte
	for b.Loop() {
		buf, _ = AppendJSON(buf[:0], e)
	}
}
