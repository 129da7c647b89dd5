package feed

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// FuzzPublicText holds that a public event is encoded as encoding/json does it.
func FuzzPublicText(f *testing.F) {
	for _, text := range []string{"", "plain", "<b>&amp;</b>", "\"\\\x00\x1f\x7f", "ünï\u2028\xff", "two\nlines\r"} {
		f.Add(text, text, 3)
	}
	f.Fuzz(func(t *testing.T, text, section string, n int) {
		e := view.PublicEvent{Type: view.PublicOutput, Phase: event.PhaseTask, Section: section, Text: text, Timestamp: time.Unix(int64(n), int64(n)).UTC(), Signal: section, TaskNum: n, IterationNum: -n}
		want, err := json.Marshal(e)
		if err != nil {
			t.Skip("a year of five digits")
		}
		require.Equal(t, string(want), string(appendPublic(nil, e)))
	})
}

// TestRow holds what a row has: the fact as the journal has it, less what all rows share, and its words.
func TestRow(t *testing.T) {
	at := time.Date(2026, 1, 29, 15, 30, 12, 5, time.UTC)
	tests := []struct {
		name string
		e    event.Event
		want string
	}{
		{"output has no words", event.Event{Seq: 7, Time: at, Run: "r", Phase: event.PhaseTask, Task: 2, Data: event.Output{Text: "<b>\n\"", Source: event.FromTool}},
			`{"seq":7,"time":"2026-01-29T15:30:12.000000005Z","phase":"task","task":2,"type":"output","data":{"text":"<b>\n\"","source":"tool"}}`},
		{"words", event.Event{Seq: 8, Time: at, Run: `"\`, Data: event.Note{Level: event.Warn, Text: "a", Hint: "b"}},
			`{"seq":8,"time":"2026-01-29T15:30:12.000000005Z","type":"note","data":{"level":"warn","text":"a","hint":"b"},"lines":[{"style":"warning","text":"a"},{"style":"help","text":"b"}]}`},
		{"no words", event.Event{Seq: 9, Time: at, Data: event.Spent{}}, `{"seq":9,"time":"2026-01-29T15:30:12.000000005Z","type":"spent","data":{"usage":{}},"lines":[]}`},
		{"of a newer version", event.Event{Seq: 10, Time: at, Data: event.Unknown{Name: "teleport", Raw: []byte("{\"to\":\r[1,\r2]}")}},
			`{"seq":10,"time":"2026-01-29T15:30:12.000000005Z","type":"teleport","data":{"to": [1, 2]},"lines":[]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c chunk
			rows{}.encode(&c, tt.e)
			assert.Equal(t, tt.want, string(c.bytes))
			assert.True(t, json.Valid(c.bytes))
			rows{}.encode(&c, tt.e)
			assert.Equal(t, tt.want+","+tt.want, string(c.bytes))
			assert.False(t, strings.ContainsAny(string(c.bytes), "\r\n"))
		})
	}
}
