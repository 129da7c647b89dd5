package source

import (
	"strconv"
	"strings"
	"time"

	"ralphex/pkg/event"
)

// footer reads the line behind the last ruler: "Completed: 2026-01-29 15:35:42 (5m30s)".
func (t *textReader) footer(line string) bool {
	end := event.RunEnd{Outcome: event.Done}
	rest, ok := strings.CutPrefix(line, "Completed: ")
	if !ok {
		if rest, ok = strings.CutPrefix(line, "Failed: "); !ok {
			return false
		}
		end.Outcome, end.Exit = event.Failed, 1
	}
	if len(rest) < len(longTime) {
		return false
	}
	at, err := time.ParseInLocation(longTime, rest[:len(longTime)], t.loc)
	if err != nil {
		return false
	}
	elapsed, reason, _ := strings.Cut(rest[len(longTime):], ") - ")
	if end.Elapsed, err = time.ParseDuration(strings.Trim(elapsed, " ()")); err != nil && !t.head.Started.IsZero() {
		end.Elapsed = at.Sub(t.head.Started)
	}
	if end.Reason = reason; reason == "user aborted" {
		end.Outcome, end.Exit = event.Interrupted, 130
	}
	end.Files, end.Additions, end.Deletions = t.files, t.added, t.deleted
	t.flush()
	t.now = at
	t.phase, t.stage, t.task = event.PhaseNone, event.StageNone, 0
	t.files, t.added, t.deleted = 0, 0, 0
	t.say(at, end)
	return true
}

// stats keeps "files=3 additions=10 deletions=2" for the end of the run.
func (t *textReader) stats(text string) bool {
	var n [3]int
	words := strings.Fields(text)
	if len(words) != len(n) {
		return false
	}
	for i, name := range []string{"files=", "additions=", "deletions="} {
		digits, ok := strings.CutPrefix(words[i], name)
		v, err := strconv.Atoi(digits)
		if !ok || err != nil || v < 0 {
			return false
		}
		n[i] = v
	}
	t.files, t.added, t.deleted = n[0], n[1], n[2]
	return true
}

// shortTime reads "26-01-29 15:30:13" without the cost of time.Parse, which a file of a million lines would feel.
func shortTime(s string, loc *time.Location) (time.Time, bool) {
	const form = "00-00-00 00:00:00"
	var n [6]int
	part := 0
	for i := range form {
		c := s[i]
		if form[i] != '0' {
			if c != form[i] {
				return time.Time{}, false
			}
			part++
			continue
		}
		if c < '0' || c > '9' {
			return time.Time{}, false
		}
		n[part] = 10*n[part] + int(c-'0')
	}
	if n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31 || n[3] > 23 || n[4] > 59 || n[5] > 60 {
		return time.Time{}, false
	}
	return time.Date(2000+n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, loc), true
}
