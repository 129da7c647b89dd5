// Package textdiff writes the difference of two texts as a unified diff, which people read and `git apply` takes.
//
//	a, b ─► lines ─► one rune a line ─► sergi/go-diff ─► runs of ' ', '-', '+' ─► hunks
//
// Lines are compared whole, line ends included: a text that only changes CRLF to LF differs in each line.
package textdiff
