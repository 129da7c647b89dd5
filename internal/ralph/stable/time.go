package stable

import (
	"fmt"
	"time"
)

// Time prints the time as the store keeps it: UTC, three fractional digits (what is finer is cut off), "Z".
func Time(t time.Time) string {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return fmt.Sprintf("%+07d", y) + t.Format("-01-02T15:04:05.000Z")
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}

// isoZoned are the forms with a zone, or a date alone, which is UTC; isoLocal those that mean local time.
var (
	isoZoned = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"}
	isoLocal = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"}
	others   = []string{time.RFC1123, time.RFC1123Z, "Mon Jan 2 2006 15:04:05 GMT-0700", "2 Jan 2006 15:04:05 MST", "2006-01-02 15:04:05Z07:00"}
)

// ParseTime reads a time as the Date of a JavaScript runtime does. It returns false for one that can't be read, whose
// age is unknown.
func ParseTime(s string) (time.Time, bool) {
	for _, layout := range isoZoned {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Truncate(time.Millisecond), true
		}
	}
	for _, layout := range isoLocal {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t.Truncate(time.Millisecond), true
		}
	}
	for _, layout := range others {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Truncate(time.Millisecond), true
		}
	}
	return time.Time{}, false
}
