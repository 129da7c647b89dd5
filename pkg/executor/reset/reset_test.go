package reset

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	utc := time.Date(2026, 11, 30, 12, 6, 49, 0, time.UTC)
	for _, tt := range []struct{ text, want string }{
		// The forms of the real CLIs.
		{"You've hit your 5-hour limit · resets 2:30pm (UTC)", "2026-11-30T14:30:00Z"},
		{"You've hit your weekly limit · resets Dec 4, 4pm (UTC)", "2026-12-04T16:00:00Z"},
		{"You've hit your session limit ∙ resets 12am (America/New_York)", "2026-12-01T05:00:00Z"},
		{"You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at Dec 1st, 2026 1:00 PM.", "2026-12-01T13:00:00Z ?"},
		{"Rate limit reached for gpt-5.5. Please try again in 1s.", "2026-11-30T12:06:50Z"},
		{"Claude AI usage limit reached|1796040641", "2026-11-30T12:10:41Z"},
		// Clock times.
		{"resets 2pm (UTC)", "2026-11-30T14:00:00Z"},
		{"resets 12pm (UTC)", "2026-12-01T12:00:00Z"},
		{"resets 12am (UTC)", "2026-12-01T00:00:00Z"},
		{"resets 9am (UTC)", "2026-12-01T09:00:00Z"},
		{"resets at 14:30", "2026-11-30T14:30:00Z ?"},
		{"resets 3pm", "2026-11-30T15:00:00Z ?"},
		{"resets 3 p.m. (UTC)", "2026-11-30T15:00:00Z"},
		{"resets 3\u202fPM (UTC)", "2026-11-30T15:00:00Z"},
		{"resets 15:00 UTC", "2026-11-30T15:00:00Z"},
		{"resets 2:30pm (Europe/Berlin)", "2026-11-30T13:30:00Z"},
		// Just passed is now; longer ago is tomorrow.
		{"resets 12:06pm (UTC)", "2026-11-30T12:06:49Z"},
		{"resets 12:05pm (UTC)", "2026-12-01T12:05:00Z"},
		// Days.
		{"resets Jan 2, 4:05am (UTC)", "2027-01-02T04:05:00Z"},
		{"resets Jan 2, 2028, 4am (UTC)", "2028-01-02T04:00:00Z"},
		{"resets Dec 4 at 4pm (America/New_York)", "2026-12-04T21:00:00Z"},
		{"resets Fri, Dec 4 at 4pm (UTC)", "2026-12-04T16:00:00Z"},
		{"try again at December 22nd, 2026 9:15 AM", "2026-12-22T09:15:00Z ?"},
		{"available again on 2026-12-04 16:00 (UTC)", "2026-12-04T16:00:00Z"},
		{"resets Nov 30, 12:06pm (UTC)", "2026-11-30T12:06:49Z"},
		{"resets Nov 30, 11am (UTC)", "2026-11-30T11:00:00Z"},
		// Stamps, numbers, spans.
		{`"resets_at":1796040641`, "2026-11-30T12:10:41Z"},
		{"anthropic-ratelimit-unified-reset: 1796040641", "2026-11-30T12:10:41Z"},
		{"resetsAt: 1796040641000", "2026-11-30T12:10:41Z"},
		{"resets at 2026-12-01T13:00:00Z", "2026-12-01T13:00:00Z"},
		{"resets at 2026-12-01T13:00:00.5+01:00", "2026-12-01T12:00:00.5Z"},
		{"try again in 1h 20m", "2026-11-30T13:26:49Z"},
		{"Try again in 2 days, 3 hours and 5 minutes.", "2026-12-02T15:11:49Z"},
		{"retry-after: 30s", "2026-11-30T12:07:19Z"},
		// Nothing that tells.
		{"resets soon", ""},
		{"resets 25:00 (UTC)", ""},
		{"resets 13pm (UTC)", ""},
		{"resets 3:75pm (UTC)", ""},
		{"resets 3pm (Nowhere/Town)", ""},
		{"resets 3pm (../etc/passwd)", ""},
		{"resets Foo 4, 3pm (UTC)", ""},
		{"resets Feb 31, 2027, 3pm (UTC)", ""},
		{"resets 4", ""},
		{"Try again later.", ""},
		{"", ""},
	} {
		got, ok := Parse(tt.text, utc)
		shown := ""
		if ok {
			if shown = got.At.UTC().Format(time.RFC3339Nano); !got.Zoned {
				shown += " ?"
			}
		}
		assert.Equal(t, tt.want, shown, tt.text)
	}
}

// Clocks are put forward and back; a time in the gap is the moment after it, a doubled one the next that comes.
func TestParseWhenClocksChange(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	for _, tt := range []struct{ now, text, want string }{
		{"2026-03-28T23:00:00Z", "resets 3:30am (Europe/Berlin)", "2026-03-29T01:30:00Z"}, // summer time already
		{"2026-03-29T00:30:00Z", "resets 2:30am (Europe/Berlin)", "2026-03-29T01:30:00Z"}, // does not exist
		{"2026-10-25T00:00:00Z", "resets 2:30am (Europe/Berlin)", "2026-10-25T00:30:00Z"}, // the first
		{"2026-10-25T00:45:00Z", "resets 2:30am (Europe/Berlin)", "2026-10-25T01:30:00Z"}, // the second
		{"2026-10-25T01:45:00Z", "resets 2:30am (Europe/Berlin)", "2026-10-26T01:30:00Z"},
		{"2026-10-24T21:00:00Z", "resets 9am (Europe/Berlin)", "2026-10-25T08:00:00Z"},
		{"2026-03-08T06:30:00Z", "resets 12am (America/New_York)", "2026-03-09T04:00:00Z"},
	} {
		now, err := time.Parse(time.RFC3339, tt.now)
		require.NoError(t, err)
		got, ok := Parse(tt.text, now)
		require.True(t, ok, tt.text)
		assert.Equal(t, tt.want, got.At.UTC().Format(time.RFC3339), "%s at %s", tt.text, tt.now)
		local, _ := Parse(tt.text[:len("resets ")+6], now.In(berlin))
		assert.False(t, local.Zoned)
	}
}

// A time that is understood lies ahead, or the message gave its day.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"resets 2:30pm (UTC)", "resets Dec 4 at 4pm (America/New_York)", "try again at Dec 1st, 2026 1:00 PM", "try again in 1h 20m", `"resets_at":1796040641`, "resets 2:30am (Europe/Berlin)"} {
		f.Add(s, int64(1796040641))
	}
	f.Fuzz(func(t *testing.T, text string, sec int64) {
		now := time.Unix(sec&0xffffffff, 0).UTC()
		got, ok := Parse(text, now)
		if !ok {
			assert.Zero(t, got)
			return
		}
		assert.False(t, got.At.IsZero())
		again, _ := Parse(text, now)
		assert.Equal(t, got, again)
		if m := clock.FindStringSubmatch(spaces.Replace(text)); m != nil && m[1] == "" && m[4] == "" && !epoch.MatchString(text) && !stamp.MatchString(text) && span.FindString(text) == "" {
			assert.False(t, got.At.Before(now.Add(-Grace)), text)
		}
	})
}
