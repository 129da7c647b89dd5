package term

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/event"
)

// A wait counts down to its end by the clock, not from when it was told of.
func TestWaitCountsDown(t *testing.T) {
	at := time.Date(2026, 1, 29, 12, 0, 0, 0, time.UTC)
	for _, w := range []event.Wait{
		{For: 2 * time.Hour, Until: at.Add(2 * time.Hour), Reason: "rate limit"},
		{For: 2 * time.Hour, Reason: "rate limit"},
	} {
		var s status
		s.apply(event.Event{Time: at, Data: w}, event.RunStart{})
		assert.Equal(t, "30m0s · waiting 1h30m: rate limit", s.line(at.Add(30*time.Minute), 80))
		assert.Equal(t, "3h0m · waiting 0s: rate limit", s.line(at.Add(3*time.Hour), 80), "never less than nothing")
		s.apply(event.Event{Time: at, Data: event.SessionStart{}}, event.RunStart{})
		assert.NotContains(t, s.line(at, 80), "waiting")
	}
}
