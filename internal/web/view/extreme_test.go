package view

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

// A journal may say anything. What is made of it can be encoded, since the list of all runs is one text: one run must not keep the others from being shown.
func TestWhateverAJournalSaysCanBeEncoded(t *testing.T) {
	for _, at := range []string{"2026-01-02T03:04:05Z", "9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+14:00"} {
		s, b := NewState(Meta{ID: "r"}), NewBroadcastLogger()
		for i, line := range []string{
			`"run_start","data":{"tasks":2000000000,"budget":{"run":{"cost_usd":1e308,"tokens":9223372036854775807}}}`,
			`"phase_start","phase":"task","data":{"name":"task","stage":"tasks"}`,
			`"task_start","task":1,"data":{"id":"1","open":-1,"total":99999999999}`,
			`"session_start","task":1,"data":{"n":1,"executor":"claude"}`,
			`"session_end","task":1,"data":{"n":1,"elapsed_ns":9223372036854775807,"usage":{"input_tokens":9223372036854775807,"cost_usd":1e308}}`,
			`"session_start","task":1,"data":{"n":2,"executor":"claude"}`,
			`"session_end","task":1,"data":{"n":2,"elapsed_ns":9223372036854775807,"usage":{"input_tokens":9223372036854775807,"output_tokens":9223372036854775807,"cost_usd":1e308}}`,
			`"task_end","task":1,"data":{"id":"1","outcome":"done"}`,
			`"run_end","data":{}`,
		} {
			e, err := event.Decode(fmt.Appendf(nil, `{"v":1,"seq":%d,"time":%q,"run":"r","type":%s}`, i+1, at, line))
			require.NoError(t, err, line)
			s.Apply(e)
			for _, shown := range b.Events(e) {
				_, err = json.Marshal(shown)
				require.NoError(t, err, line)
			}
			_, err = json.Marshal(s.Run(t0, Unknown))
			require.NoError(t, err, line)
			d := s.Detail(t0, Unknown)
			_, err = json.Marshal(d)
			require.NoError(t, err, line)
			assert.GreaterOrEqual(t, d.Usage.Tokens(), int64(0))
		}
	}
}
