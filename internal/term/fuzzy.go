package term

import (
	"slices"
	"strings"
	"unicode"
)

// fuzzy tells how well a name fits what was typed: its letters stand in the name in this order. The higher the better; ok is false where
// they don't. Letters that stand together, and those at the beginning of a word, count more. Capitals and small letters are alike.
func fuzzy(query, name string) (score int, ok bool) {
	want, have := []rune(strings.ToLower(query)), []rune(strings.ToLower(name))
	at, last := 0, -2
	for _, r := range want {
		if r == ' ' {
			last = -2
			continue
		}
		found := slices.Index(have[at:], r)
		if found < 0 {
			return 0, false
		}
		found += at
		switch {
		case found == last+1:
			score += 8
		case found == 0 || !unicode.IsLetter(have[found-1]) && !unicode.IsDigit(have[found-1]):
			score += 6
		}
		score -= min(found-at, 3)
		at, last = found+1, found
	}
	if strings.Contains(string(have), strings.TrimSpace(string(want))) {
		score += 20
	}
	return score, true
}

// fuzzyOrder returns the indexes of the names that fit, the best first, equals in their order.
func fuzzyOrder(query string, names []string) []int {
	type hit struct{ index, score int }
	var hits []hit
	for i, n := range names {
		if s, ok := fuzzy(query, n); ok {
			hits = append(hits, hit{i, s})
		}
	}
	if strings.TrimSpace(query) != "" {
		slices.SortStableFunc(hits, func(a, b hit) int { return b.score - a.score })
	}
	out := make([]int, 0, len(hits))
	for _, h := range hits {
		out = append(out, h.index)
	}
	return out
}
