package event

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outputs are events that decodeOutput must know, each as AppendJSON writes it.
var outputs = []Event{
	{Seq: 1, Time: time.Date(2026, 1, 29, 15, 30, 12, 123456789, time.UTC), Run: "20260129-153012-4f2a9c", Data: Output{}},
	{Seq: 812, Time: time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC), Run: "r", Phase: PhaseTask, Task: 12, Data: Output{Text: "one\ntwo\r\n\ttab \"quoted\" back\\slash", Source: FromTool}},
	{Seq: 9, Time: time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC), Run: "r", Phase: "other", Data: Output{Text: "\x00\x01\x1f ünï <b>&</b> \u2028 😀", Source: "else", Partial: true}},
}

func TestDecodeOutputIsTheSame(t *testing.T) {
	for _, e := range outputs {
		line, err := AppendJSON(nil, e)
		require.NoError(t, err)
		fast, ok := decodeOutput(line)
		assert.True(t, ok, "%s", line)
		slow, err := decodeAny(line)
		require.NoError(t, err)
		assert.Equal(t, slow, fast)
		assert.Equal(t, e, fast)
	}
}

func TestDecodeOutputOfAnotherHand(t *testing.T) {
	const good = `{"v":1,"seq":9,"time":"2026-01-29T15:30:12Z","run":"r","type":"output","data":{"text":"a"}}`
	_, ok := decodeOutput([]byte(good))
	require.True(t, ok)
	for _, line := range []string{
		``, good[1:], good[:len(good)-1], good + " ", strings.Replace(good, "9", "09", 1), strings.Replace(good, "9", "-9", 1), strings.Replace(good, `"v":1`, `"v":2`, 1),
		strings.Replace(good, `"r"`, `"\u0072"`, 1), strings.Replace(good, `"a"`, `"\ud83d\ude00"`, 1), strings.Replace(good, `"a"`, `"\/"`, 1), strings.Replace(good, `"a"`, "\"\xff\"", 1),
		strings.Replace(good, `"a"`, `"a","source":"tool","more":1`, 1), strings.Replace(good, "2026", "soon", 1), strings.Replace(good, "output", "note", 1),
	} {
		_, ok := decodeOutput([]byte(line))
		assert.False(t, ok, line)
	}
}

// FuzzDecodeOutput holds that the short way gives what the long one does, wherever it gives anything.
func FuzzDecodeOutput(f *testing.F) {
	for _, e := range outputs {
		line, _ := AppendJSON(nil, e)
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		fast, ok := decodeOutput(line)
		if !ok {
			return
		}
		slow, err := decodeAny(line)
		require.NoError(t, err)
		require.Equal(t, slow, fast)
	})
}

func BenchmarkDecodeOutput(b *testing.B) {
	line, _ := AppendJSON(nil, Event{Seq: 1, Time: at, Run: "20260129-153012-4f2a9c", Phase: PhaseTask, Task: 1, Data: Output{Text: "edit the file so that the parser accepts nested lists and add a table test for it\nthen run everything"}})
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := Decode(line); err != nil {
			b.Fatal(err)
		}
	}
}
