package journal

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/durable"
	"ralphex/pkg/event"
)

const (
	first  = `{"v":1,"seq":1,"time":"2026-01-29T15:30:12Z","run":"r","type":"gate_start","data":{"commands":1}}`
	second = `{"v":1,"seq":2,"time":"2026-01-29T15:30:12Z","run":"r","type":"output","data":{"text":"a\\\"b\\\\","source":"tool","partial":true}}`
	third  = `{"v":1,"seq":3,"time":"2026-01-29T15:30:12Z","run":"r","type":"gate_start","data":{"commands":3}}`
)

// steps reads everything and writes down what came: a sequence number, or what was wrong and where.
func steps(text string, skip ...event.Kind) (out []any) {
	r := NewReader(strings.NewReader(text), "j", 0, skip...)
	for {
		e, err := r.Next()
		var corrupt *durable.CorruptError
		var newer *event.VersionError
		switch {
		case errors.Is(err, io.EOF):
			return out
		case errors.As(err, &corrupt):
			out = append(out, [2]any{"broken at", corrupt.Offset})
		case errors.As(err, &newer):
			return append(out, [2]any{"version", newer.Version})
		case err != nil:
			return append(out, err.Error())
		default:
			out = append(out, e.Seq)
		}
	}
}

func TestReader(t *testing.T) {
	at := func(n int) [2]any { return [2]any{"broken at", int64(n)} }
	merged := second[:100] + third // a torn write that another one went on behind
	tests := []struct {
		name, text string
		want       []any
	}{
		{"empty", "", nil},
		{"whole", first + "\n" + second + "\n" + third + "\n", []any{int64(1), int64(2), int64(3)}},
		{"torn end", first + "\n" + second + "\n" + third[:50], []any{int64(1), int64(2)}},
		{"torn end with newline", first + "\n" + third[:50] + "\n", []any{int64(1)}},
		{"torn middle", first + "\n" + second[:50] + "\n" + third + "\n", []any{int64(1), at(len(first) + 1), int64(3)}},
		{"torn middle without newline", first + "\n" + merged + "\n" + third + "\n", []any{int64(1), at(len(first) + 1), int64(3)}},
		{"number that can't be", first + "\n" + strings.Replace(third, `"seq":3`, `"seq":9223372036854775807`, 1) + "\n" + third + "\n", []any{int64(1), at(len(first) + 1), int64(3)}},
		{"begun anew", strings.Replace(first, `"seq":1`, `"seq":13`, 1) + "\n" + strings.Replace(third, `"seq":3`, `"seq":14`, 1) + "\n" + strings.Replace(third, `"seq":3`, `"seq":15000`, 1) + "\n",
			[]any{int64(13), int64(14), at(len(first) + len(third) + 4)}},
		{"lines were taken out", first + "\n" + strings.Replace(third, `"seq":3`, `"seq":12`, 1) + "\n", []any{int64(1), int64(12)}},
		{"empty line", first + "\n\n" + third + "\n", []any{int64(1), at(len(first) + 1), int64(3)}},
		{"last line of another shape is not torn", first + "\n{}\n", []any{int64(1), at(len(first) + 1)}},
		{"newer", first + "\n{\"v\":2}\n", []any{int64(1), [2]any{"version", 2}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, steps(tt.text))
			var without []any
			for _, step := range tt.want {
				if step != int64(2) {
					without = append(without, step)
				}
			}
			assert.Equal(t, without, steps(tt.text, "output"), "with output skipped")
		})
	}
}

func TestReaderGoesOnWhereAnotherEnded(t *testing.T) {
	text := first + "\n" + second + "\n" + third[:20]
	r := NewReader(strings.NewReader(text), "j", 0)
	for range 2 {
		_, err := r.Next()
		require.NoError(t, err)
	}
	_, err := r.Next()
	require.ErrorIs(t, err, io.EOF)
	whole := text[:r.Offset()] + third + "\n"
	e, err := NewReader(strings.NewReader(whole[r.Offset():]), "j", r.Offset()).Next()
	require.NoError(t, err)
	assert.EqualValues(t, 3, e.Seq)
}

func TestEventsOfNoFile(t *testing.T) {
	for _, err := range Events(t.TempDir() + "/none") {
		require.Error(t, err)
	}
}

// FuzzReader: no input stops it, offsets point at lines, and skipping output hides nothing else.
func FuzzReader(f *testing.F) {
	f.Add([]byte(first + "\n" + second + "\n" + third + "\n"))
	f.Add([]byte(first + "\n" + second[:50] + third + "\n" + third))
	f.Add([]byte(second[:len(second)-2] + "," + second + "\n\n{\"v\":2}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		every := steps(string(text))
		for _, step := range every {
			if broken, ok := step.([2]any); ok && broken[0] == "broken at" {
				if at := broken[1].(int64); at > 0 && text[at-1] != '\n' {
					t.Fatalf("no line begins at %d", at)
				}
			}
		}
		outputs := map[int64]bool{}
		for e, err := range eventsOf(text) {
			if err == nil && e.Data.Kind() == "output" {
				outputs[e.Seq] = true
			}
		}
		others := func(steps []any) (seqs []int64) {
			for _, step := range steps {
				if seq, ok := step.(int64); ok && !outputs[seq] {
					seqs = append(seqs, seq)
				}
			}
			return seqs
		}
		want, got := others(every), others(steps(string(text), "output"))
		if !slices.Equal(want, got) {
			t.Fatalf("skipping output gives %v, not %v", got, want)
		}
	})
}

func eventsOf(text []byte) func(func(event.Event, error) bool) {
	return func(yield func(event.Event, error) bool) {
		r := NewReader(bytes.NewReader(text), "j", 0)
		for {
			e, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(e, err) {
				return
			}
			var corrupt *durable.CorruptError
			if err != nil && !errors.As(err, &corrupt) {
				return
			}
		}
	}
}

func BenchmarkReadSkippingOutput(b *testing.B) {
	line, err := event.AppendJSON(nil, event.Event{Seq: 1, Time: start, Run: run, Data: event.Output{Text: strings.Repeat("Reading \"a file\" now\n", 1500)}})
	require.NoError(b, err)
	text := bytes.Repeat(append(line, '\n'), 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r := NewReader(bytes.NewReader(text), "j", 0, "output")
		if _, err := r.Next(); !errors.Is(err, io.EOF) {
			b.Fatal(err)
		}
	}
}
