package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// ID is the fingerprint of a finding, 16 hexadecimal digits: "9f86d081884c7d65".
type ID string

// ID returns the fingerprint of file, rule and words. Lines, severity, case, punctuation, articles and line numbers
// that the text mentions are no part of it.
func (f Finding) ID() ID {
	sum := sha256.New()
	for _, part := range []string{f.File, f.Rule, words(f.Text)} {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	return ID(hex.EncodeToString(sum.Sum(nil)[:8]))
}

// token is a run of letters and digits.
type token struct {
	text   string // in lower case
	number bool
	behind rune // the character in front of it; 0 at the beginning
}

// words is what a text says, without how it is written.
func words(text string) string {
	tokens := tokenize(text)
	out := make([]string, 0, len(tokens))
	inPlace := false // the token before was the line of a place: b.go:12-14
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		inPlace = t.number && (t.behind == ':' || (inPlace && t.behind == '-'))
		switch {
		case inPlace, lineLabel(t.text), t.text == "a" || t.text == "an" || t.text == "the":
			continue
		case t.text == "line" || t.text == "lines":
			i = afterNumbers(tokens, i+1) - 1
			continue
		}
		out = append(out, t.text)
	}
	if len(out) == 0 { // nothing but signs: they are all we have
		return strings.Join(strings.Fields(strings.ToLower(text)), " ")
	}
	return strings.Join(out, " ")
}

func tokenize(text string) []token {
	var out []token
	var cur []rune
	behind, last := rune(0), rune(0)
	number := true
	flush := func() {
		if len(cur) > 0 {
			out = append(out, token{string(cur), number, behind})
		}
		cur, number = cur[:0], true
	}
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			if len(cur) == 0 {
				behind = last
			}
			cur = append(cur, unicode.ToLower(r))
			number = number && r >= '0' && r <= '9'
		} else {
			flush()
		}
		last = r
	}
	flush()
	return out
}

// lineLabel says whether a word is a line in the style of web pages: L42.
func lineLabel(word string) bool {
	rest, l := strings.CutPrefix(word, "l")
	return l && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// afterNumbers is the place behind "42", "42-50", "42, 50 and 61", where the words "line" or "lines" stood before.
func afterNumbers(tokens []token, i int) int {
	for i < len(tokens) {
		switch {
		case tokens[i].number:
			i++
		case i+1 < len(tokens) && tokens[i+1].number && joins(tokens[i].text):
			i += 2
		default:
			return i
		}
	}
	return i
}

func joins(word string) bool {
	return word == "and" || word == "to" || word == "or" || word == "through"
}
