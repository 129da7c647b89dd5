package reset

import (
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones in messages are names; a static binary brings its own list

	"ralphex/internal/lazyregexp"
)

// Grace is how long ago a time may lie that still means now.
const Grace = 90 * time.Second

// Time is when a limit ends.
type Time struct {
	At    time.Time
	Zoned bool // the message named the zone, or the time needs none
}

// when is a clock time, with a day before it or not: "2:30pm (UTC)", "Dec 4, 2026 at 16:00", "Dec 1st, 2026 1:00 PM".
const when = `(?:(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?,? )?` +
	`(?:([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?|(\d{4})-(\d{2})-(\d{2})),?[ t](?:at )?)?` +
	`(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*([ap]\.?m\b\.?)?(?:\s*(?:\(([^()]{1,64})\)|(utc|gmt|z)\b))?`

var (
	clock = lazyregexp.New(`(?i)\b(?:(?:resets?|available(?: again)?|try again|retry|until)(?: (?:at|on|after))?|(?:at|until))\s+` + when)
	stamp = lazyregexp.New(`\b\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})`)
	span  = lazyregexp.New(`(?i)\b(?:(?:try again|retry|resets?|available(?: again)?|wait)(?: (?:in|after))?|retry-after:?)\s+((?:\d+(?:\.\d+)?\s*(?:d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|ms|s(?:ec(?:ond)?s?)?)\b[ ,]*(?:and )?)+)`)
	part  = lazyregexp.New(`(?i)(\d+(?:\.\d+)?)\s*(ms|[dhms])`)
	epoch = lazyregexp.New(`(?i)\b(?:resets?_?at|reset)["']?\s*[:=|]\s*["']?(\d{10}(?:\d{3})?)\b|\|(\d{10})\b`)
)

// spaces are what looks like a blank in a message and isn't one.
var spaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "’", "'", "∙", " ", "·", " ")

// Parse finds the end of a limit in a message: the next moment after now that it can mean.
func Parse(text string, now time.Time) (Time, bool) {
	text = spaces.Replace(text)
	if m := epoch.FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseInt(m[1]+m[2], 10, 64)
		return Time{Epoch(n), true}, true
	}
	if m := stamp.FindString(text); m != "" {
		if at, ok := Stamp(m); ok {
			return Time{soon(at, now), true}, true
		}
	}
	if m := span.FindStringSubmatch(text); m != nil {
		if d := duration(m[1]); d > 0 {
			return Time{now.Add(d), true}, true
		}
	}
	for _, m := range clock.FindAllStringSubmatch(text, -1) {
		if t, ok := fromClock(m, now); ok {
			return t, true
		}
	}
	return Time{}, false
}

// Epoch reads seconds since 1970, or milliseconds where the number is that large.
func Epoch(n int64) time.Time {
	if n > 1e11 {
		return time.UnixMilli(n)
	}
	return time.Unix(n, 0)
}

// Stamp reads a time with its offset, "2026-12-01T13:00:00Z".
func Stamp(s string) (time.Time, bool) {
	s = strings.ToUpper(strings.Replace(s, " ", "T", 1))
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// duration adds up "1h 20m", "2 days", "1.5s".
func duration(s string) time.Duration {
	var sum time.Duration
	for _, m := range part.FindAllStringSubmatch(s, -1) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil || n > 1e6 {
			return 0
		}
		unit := map[string]time.Duration{"d": 24 * time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second, "ms": time.Millisecond}[strings.ToLower(m[2])]
		sum += time.Duration(n * float64(unit))
	}
	return sum
}

// fromClock reads a match of clock.
func fromClock(m []string, now time.Time) (Time, bool) {
	zone, zoned, ok := zoneOf(m[10]+m[11], now)
	if !ok {
		return Time{}, false
	}
	hour, minute, ok := clockOf(m[7], m[8], m[9])
	if !ok || m[8] == "" && m[9] == "" { // a bare number is no time
		return Time{}, false
	}
	local := now.In(zone)
	year, month, day, dated := dateOf(m)
	switch {
	case m[1] != "" && !dated || m[4] != "" && !dated:
		return Time{}, false
	case !dated:
		at := nextOf(time.Date(local.Year(), local.Month(), local.Day(), hour, minute, 0, 0, zone), now)
		if at.Before(now.Add(-Grace)) {
			at = nextOf(time.Date(local.Year(), local.Month(), local.Day()+1, hour, minute, 0, 0, zone), now)
		}
		return Time{soon(at, now), zoned}, true
	case year != 0:
		at := time.Date(year, month, day, hour, minute, 0, 0, zone)
		return Time{soon(at, now), zoned}, at.Day() == day
	}
	at := time.Date(local.Year(), month, day, hour, minute, 0, 0, zone)
	if at.Before(now.AddDate(0, -6, 0)) {
		at = time.Date(local.Year()+1, month, day, hour, minute, 0, 0, zone)
	}
	return Time{soon(at, now), zoned}, at.Day() == day
}

// soon turns a moment that has just passed into now.
func soon(at, now time.Time) time.Time {
	if at.Before(now) && !at.Before(now.Add(-Grace)) {
		return now
	}
	return at
}

// nextOf is the first moment not over yet that shows the same clock time on the same day: the night when clocks are put
// back has two.
func nextOf(at, now time.Time) time.Time {
	for _, other := range []time.Time{at.Add(-time.Hour), at, at.Add(time.Hour)} {
		if other.Hour() == at.Hour() && other.Minute() == at.Minute() && !other.Before(now.Add(-Grace)) {
			return other
		}
	}
	return at
}

func zoneOf(name string, now time.Time) (zone *time.Location, zoned, ok bool) {
	switch strings.ToLower(name) {
	case "":
		return now.Location(), false, true
	case "z", "utc", "gmt":
		return time.UTC, true, true
	case "local":
		return nil, false, false
	}
	zone, err := time.LoadLocation(name)
	return zone, true, err == nil
}

func clockOf(h, m, half string) (hour, minute int, ok bool) {
	hour, _ = strconv.Atoi(h)
	minute, _ = strconv.Atoi(m)
	if half != "" {
		if hour < 1 || hour > 12 {
			return 0, 0, false
		}
		if hour %= 12; half[0] == 'p' || half[0] == 'P' {
			hour += 12
		}
	}
	return hour, minute, hour <= 23 && minute <= 59
}

// dateOf reads the day of a match; dated is false where there is none, or none that exists.
func dateOf(m []string) (year int, month time.Month, day int, dated bool) {
	if m[4] != "" {
		year, _ = strconv.Atoi(m[4])
		n, _ := strconv.Atoi(m[5])
		day, _ = strconv.Atoi(m[6])
		return year, time.Month(n), day, 1 <= n && n <= 12 && 1 <= day && day <= 31
	}
	if m[1] == "" {
		return 0, 0, 0, false
	}
	t, err := time.Parse("Jan", strings.ToUpper(m[1][:1])+strings.ToLower(m[1][1:3]))
	day, _ = strconv.Atoi(m[2])
	year, _ = strconv.Atoi(m[3])
	return year, t.Month(), day, err == nil && 1 <= day && day <= 31
}
