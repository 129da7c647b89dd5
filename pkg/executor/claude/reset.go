package claude

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones in reset times are names; a static binary brings its own list
)

// resets is "resets 2:30pm (UTC)", "resets Dec 4, 4pm (Europe/Berlin)", "resets at 14:30".
var resets = regexp.MustCompile(`(?i)\bresets?(?: at)?\s+(?:([A-Z][a-z]{2})[a-z]*\.? (\d{1,2})(?:,? (\d{4}))?,? (?:at )?)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)?(?:\s*\(([^)]+)\))?`)

// parseReset finds the reset time in a limit message: the next moment after now that the text can mean. Without a zone it is now's.
func parseReset(text string, now time.Time) (time.Time, bool) {
	m := resets.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, false
	}
	zone := now.Location()
	if m[7] != "" {
		z, err := time.LoadLocation(m[7])
		if err != nil {
			return time.Time{}, false
		}
		zone = z
	}
	hour, _ := strconv.Atoi(m[4])
	minute, _ := strconv.Atoi(m[5])
	if half := strings.ToLower(m[6]); half != "" {
		if hour < 1 || hour > 12 {
			return time.Time{}, false
		}
		if hour %= 12; half == "pm" {
			hour += 12
		}
	}
	if hour > 23 || minute > 59 {
		return time.Time{}, false
	}
	local := now.In(zone)
	if m[1] == "" {
		return nextClock(local, hour, minute), true
	}
	month, err := time.Parse("Jan", strings.ToUpper(m[1][:1])+strings.ToLower(m[1][1:3]))
	if err != nil {
		return time.Time{}, false
	}
	day, _ := strconv.Atoi(m[2])
	year, _ := strconv.Atoi(m[3])
	return onDay(local, year, month.Month(), day, hour, minute), true
}

// nextClock is today at that time, or tomorrow if that is over. A minute's grace: the text is cut to minutes.
func nextClock(now time.Time, hour, minute int) time.Time {
	at := time.Date(now.Year(), now.Month(), now.Day(), hour, minute, 0, 0, now.Location())
	if at.Before(now.Add(-time.Minute)) {
		at = time.Date(now.Year(), now.Month(), now.Day()+1, hour, minute, 0, 0, now.Location())
	}
	return at
}

// onDay is that day of the year, or of the next one if it lies more than half a year back.
func onDay(now time.Time, year int, month time.Month, day, hour, minute int) time.Time {
	if year != 0 {
		return time.Date(year, month, day, hour, minute, 0, 0, now.Location())
	}
	at := time.Date(now.Year(), month, day, hour, minute, 0, 0, now.Location())
	if at.Before(now.AddDate(0, -6, 0)) {
		at = time.Date(now.Year()+1, month, day, hour, minute, 0, 0, now.Location())
	}
	return at
}
