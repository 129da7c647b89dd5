package stable

import (
	"fmt"
	"strings"
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

// ParseTime reads a time as the Date of a JavaScript runtime does: the ISO forms, and the looser ones that people and
// other programs write ("Tue, 17 Mar 2026 12:00:00 GMT", "3/17/2026 1:30 PM"). What has a time and no zone is local. It
// returns false for what can't be read: its age is unknown.
func ParseTime(s string) (time.Time, bool) {
	f, ok := iso(s)
	if !ok {
		f, ok = loose(s)
	}
	if !ok {
		return time.Time{}, false
	}
	return f.time()
}

// fields is a time in pieces, none of them checked against its neighbours.
type fields struct {
	year, month, day     int
	hour, min, sec, msec int
	zoned                bool
	offset               int // minutes east of UTC
}

// furthest is how far from 1970 a Date can be, in milliseconds.
const furthest = 8_640_000_000_000_000

// time puts the pieces together. A day behind the end of its month is in the next one, as it is there.
func (f fields) time() (time.Time, bool) {
	ok := f.month >= 1 && f.month <= 12 && f.day >= 1 && f.day <= 31 && f.min <= 59 && f.sec <= 59 &&
		(f.hour <= 23 || f.hour == 24 && f.min == 0 && f.sec == 0 && f.msec == 0)
	if !ok {
		return time.Time{}, false
	}
	zone := time.Local
	if f.zoned {
		zone = time.UTC
	}
	t := time.Date(f.year, time.Month(f.month), f.day, f.hour, f.min-f.offset, f.sec, f.msec*1e6, zone)
	ms := t.UnixMilli()
	return t, ms >= -furthest && ms <= furthest
}

// cursor reads a text from its start.
type cursor struct{ rest string }

// take passes one of the bytes.
func (c *cursor) take(of string) (byte, bool) {
	if c.rest == "" || !strings.Contains(of, c.rest[:1]) {
		return 0, false
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b, true
}

// num passes n digits.
func (c *cursor) num(n int) (v int, ok bool) {
	if len(c.rest) < n {
		return 0, false
	}
	for i := range n {
		if !digit(c.rest[i]) {
			return 0, false
		}
		v = v*10 + int(c.rest[i]-'0')
	}
	c.rest = c.rest[n:]
	return v, true
}

// run passes all digits that follow. The value stops growing at nine of them.
func (c *cursor) run() (v, length int) {
	for length < len(c.rest) && digit(c.rest[length]) {
		if length < 9 {
			v = v*10 + int(c.rest[length]-'0')
		}
		length++
	}
	c.rest = c.rest[length:]
	return v, length
}

// millis passes a fraction of a second, of which three digits count.
func (c *cursor) millis() (int, bool) {
	digits := c.rest
	_, n := c.run()
	v := 0
	for i := range 3 {
		v *= 10
		if i < n {
			v += int(digits[i] - '0')
		}
	}
	return v, n > 0
}

// iso reads YYYY[-MM[-DD]][Thh:mm[:ss[.fff]][zone]], with years of six digits behind a sign.
func iso(s string) (f fields, ok bool) {
	c := &cursor{s}
	if f.year, ok = c.isoYear(); !ok {
		return f, false
	}
	f.month, f.day = 1, 1
	for _, part := range []*int{&f.month, &f.day} {
		if _, more := c.take("-"); !more {
			break
		}
		if *part, ok = c.num(2); !ok {
			return f, false
		}
	}
	if c.rest == "" {
		f.zoned = true // a date alone is UTC
		return f, true
	}
	if _, ok := c.take("Tt"); !ok {
		return f, false
	}
	return f, c.isoClock(&f) && c.rest == ""
}

func (c *cursor) isoYear() (int, bool) {
	sign, signed := c.take("+-")
	if !signed {
		return c.num(4)
	}
	y, ok := c.num(6)
	if sign == '-' {
		return -y, ok && y != 0
	}
	return y, ok
}

func (c *cursor) isoClock(f *fields) (ok bool) {
	if f.hour, ok = c.num(2); !ok {
		return false
	}
	if _, ok = c.take(":"); !ok {
		return false
	}
	if f.min, ok = c.num(2); !ok {
		return false
	}
	if _, more := c.take(":"); more {
		if f.sec, ok = c.num(2); !ok {
			return false
		}
		if _, more := c.take("."); more {
			if f.msec, ok = c.millis(); !ok {
				return false
			}
		}
	}
	return c.isoZone(f)
}

func (c *cursor) isoZone(f *fields) bool {
	if _, ok := c.take("Zz"); ok {
		f.zoned = true
		return true
	}
	sign, ok := c.take("+-")
	if !ok {
		return true
	}
	h, okHour := c.num(2)
	c.take(":")
	m, okMin := c.num(2)
	f.setZone(sign, h, m)
	return okHour && okMin && h <= 23 && m <= 59
}

func (f *fields) setZone(sign byte, h, m int) {
	f.zoned, f.offset = true, h*60+m
	if sign == '-' {
		f.offset = -f.offset
	}
}
