package stable

import (
	"strings"
)

// months, zones and halves are the words that count in a loose date, by their first three letters.
var (
	months = [...]string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
	zones  = map[string]int{
		"utc": 0, "ut": 0, "gmt": 0, "z": 0,
		"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, // hours
	}
)

// looseTime gathers the pieces of a date in whatever order they come.
type looseTime struct {
	c       cursor
	f       fields
	numbers []int // of the date
	clock   []int // hours, minutes, seconds
	open    bool  // a colon stands behind the last number of the clock
	half    string
	any     bool // a number was read: from here on each word must mean something
}

// loose reads dates as people and mail programs write them.
func loose(s string) (fields, bool) {
	l := &looseTime{c: cursor{s}}
	for l.c.rest != "" {
		b := l.c.rest[0]
		ok := true
		switch {
		case digit(b):
			ok = l.number()
		case letter(b):
			ok = l.word()
		case b == '(':
			l.skipComment()
		case (b == '+' || b == '-') && (len(l.clock) > 0 || l.f.zoned):
			ok = l.zone()
		case (b == '+' || b == ')') && l.any:
			ok = false
		default:
			l.c.rest = l.c.rest[1:]
		}
		if !ok {
			return fields{}, false
		}
	}
	return l.f, l.date() && l.time()
}

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// skipComment passes what stands in brackets, which may lie in each other.
func (l *looseTime) skipComment() {
	depth := 0
	for i := range len(l.c.rest) {
		switch l.c.rest[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			l.c.rest = l.c.rest[i+1:]
			return
		}
	}
	l.c.rest = ""
}

func (l *looseTime) number() bool {
	n, _ := l.c.run()
	l.any = true
	_, colon := l.c.take(":")
	switch {
	case colon:
		if len(l.clock) == 2 || len(l.clock) > 0 && !l.open {
			return false
		}
		l.clock, l.open = append(l.clock, n), true
		return true
	case l.open:
		l.clock, l.open = append(l.clock, n), false
		if _, dot := l.c.take("."); dot {
			var ok bool
			l.f.msec, ok = l.c.millis()
			return ok && len(l.clock) == 3
		}
		return l.c.rest == "" || strings.ContainsAny(l.c.rest[:1], " \t\n\v\f\r+-Zz")
	case len(l.numbers) == 3:
		return false
	}
	l.numbers = append(l.numbers, n)
	l.c.take("-")
	return true
}

func (l *looseTime) word() bool {
	n := 0
	for n < len(l.c.rest) && letter(l.c.rest[n]) {
		n++
	}
	w := strings.ToLower(l.c.rest[:n])
	l.c.rest = l.c.rest[n:]
	start := w[:min(n, 3)]
	hours, isZone := zones[w]
	switch {
	case (w == "am" || w == "pm") && len(l.clock) > 0:
		l.half = w
	case monthOf(start) > 0:
		l.f.month = monthOf(start)
		l.c.take("-")
	case isZone && l.any:
		l.f.zoned, l.f.offset = true, hours*60
	default:
		return !l.any && (l.c.rest == "" || !digit(l.c.rest[0]))
	}
	return true
}

// monthOf returns the number of the month, 0 if the letters begin none.
func monthOf(start string) int {
	for i, m := range months {
		if m == start {
			return i + 1
		}
	}
	return 0
}

// zone reads an offset: ±h, ±hh, ±hmm, ±hhmm, ±hh:mm.
func (l *looseTime) zone() bool {
	sign, _ := l.c.take("+-")
	n, length := l.c.run()
	l.any = true
	h, m := n, 0
	switch {
	case length > 4 || length == 0:
		return false
	case length > 2:
		h, m = n/100, n%100
	default:
		if _, colon := l.c.take(":"); colon {
			m, _ = l.c.run()
		}
	}
	l.f.setZone(sign, h, m)
	return true
}

// date puts the numbers in their order, where those that are missing are 1: a named month leaves day and year, or year and
// day; a first number that can be no day is the year before month and day; else the order is month, day, year.
func (l *looseTime) date() bool {
	if len(l.numbers) == 0 {
		return false
	}
	n := append(l.numbers, 1, 1)
	isDay := n[0] >= 1 && n[0] <= 31
	switch named := l.f.month > 0; {
	case named && isDay:
		l.f.day, l.f.year = n[0], n[1]
	case named:
		l.f.year, l.f.day = n[0], n[1]
	case isDay:
		l.f.month, l.f.day, l.f.year = n[0], n[1], n[2]
	default:
		l.f.year, l.f.month, l.f.day = n[0], n[1], n[2]
	}
	switch {
	case l.f.year < 50:
		l.f.year += 2000
	case l.f.year < 100:
		l.f.year += 1900
	}
	return true
}

// time takes the clock over, with its half of the day.
func (l *looseTime) time() bool {
	for i, to := range []*int{&l.f.hour, &l.f.min, &l.f.sec} {
		if i < len(l.clock) {
			*to = l.clock[i]
		}
	}
	if l.half == "" {
		return true
	}
	if l.f.hour > 12 {
		return false
	}
	l.f.hour %= 12
	if l.half == "pm" {
		l.f.hour += 12
	}
	return true
}
