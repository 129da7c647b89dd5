package convert

// This file keeps the promise that no word is lost in silence. It counts words, whatever the readers did.

// unit is a piece of the source that has words: a line of Markdown, a string of JSON.
type unit struct {
	path string
	line int
	text string
}

// account finds words of the source that are neither in the plan nor in a loss, and makes losses of them, one a
// unit.
func account(units []unit, s *Source, losses []Loss, out string) []Loss {
	have := map[string]int{}
	count := func(text string) {
		for _, w := range words(text) {
			have[w]++
		}
	}
	count(out)
	for _, l := range losses {
		count(l.Text)
	}
	for _, w := range s.Counted {
		have[w]++
	}
	var more []Loss
	for _, u := range units {
		missing := false
		for _, w := range words(u.text) {
			if have[w]--; have[w] < 0 {
				missing = true
			}
		}
		if missing {
			more = append(more, Loss{Path: u.path, Line: u.line, Text: oneLine(u.text), Why: "is not in the plan as it stands here"})
			count(u.text)
		}
	}
	return more
}

// markdownUnits are the lines of a text without the marks of lists and boxes.
func markdownUnits(f *File) []unit {
	lines := splitLines(f.text)
	out := make([]unit, 0, len(lines))
	for _, l := range lines {
		out = append(out, unit{f.Path, l.num, unmarked(l.raw)})
	}
	return out
}

// unmarked is a line without bullet, number and box.
func unmarked(raw string) string {
	_, n := columns(raw)
	rest := raw[n:]
	if rest == "" {
		return rest
	}
	ok := false
	if _, size, is := marker(rest); is {
		after := rest[size:]
		if _, pad := columns(after); pad > 0 || len(after) == 0 || after[0] == '[' {
			rest, ok = after[pad:], true
		}
	}
	if _, _, t, is := bracket(rest, ok, false); is {
		return t
	}
	return rest
}
