package config

import "strings"

// Nearest returns the candidate that a person most likely meant, or "".
func Nearest(word string, candidates []string) string { return nearest(word, candidates) }

// DidYouMean is the hint that names the candidate which a person most likely meant; otherwise is the hint where none is close.
func DidYouMean(word string, candidates []string, otherwise string) string {
	if near := nearest(word, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// nearest returns the candidate that a person most likely meant, or "" when none is close: at most one
// slip in three letters, dashes and case aside.
func nearest(word string, candidates []string) string {
	fold := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }
	word = fold(word)
	if len(word) > 64 {
		return "" // the distance is quadratic, and nobody mistypes that much
	}
	best, at := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(word, fold(c)); d < at {
			best, at = c, d
		}
	}
	return best
}

// distance counts the slips between two words: a letter too many, too few, wrong, or two swapped.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
