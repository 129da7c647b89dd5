package term

import (
	"strings"
	"unicode/utf8"
)

// clean makes text of others harmless for a terminal: sequences for colour and cursor are taken out, control characters of any
// other kind become their picture, so that nothing between them is hidden, and what could turn the direction of writing round
// is dropped. Tabs stay.
func clean(text string) string {
	if harmless(text) {
		return text
	}
	text = dropCSI(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r >= ' ' && r < 0x7f:
			return r
		case r < ' ':
			return 0x2400 + r // ␀ and the pictures behind it
		case r == 0x7f:
			return 0x2421
		case r < 0xa0:
			return utf8.RuneError
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
			return -1
		}
		return r
	}, text)
}

// dropCSI takes whole control sequences (ESC [ parameters letter) out.
func dropCSI(text string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "\x1b[")
		if i < 0 {
			break
		}
		n := i + 2
		for n < len(text) && text[n] >= 0x20 && text[n] <= 0x3f {
			n++
		}
		if n < len(text) && text[n] >= 0x40 && text[n] <= 0x7e {
			b.WriteString(text[:i])
			text = text[n+1:]
			continue
		}
		b.WriteString(text[:n])
		text = text[n:]
	}
	b.WriteString(text)
	return b.String()
}

// Clean makes text of others, of several lines perhaps, harmless for a terminal that it is printed to as it is.
func Clean(text string) string { return cleanBlock(text) }

// cleanBlock cleans a text that may hold newlines.
func cleanBlock(text string) string {
	if !strings.Contains(text, "\n") {
		return clean(text)
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = clean(strings.TrimSuffix(lines[i], "\r"))
	}
	return strings.Join(lines, "\n")
}

// harmless is a quick look: true for printable ASCII and tabs, and for the UTF-8 of most languages.
func harmless(text string) bool {
	ascii := true
	for i := 0; i < len(text); i++ {
		for i+8 <= len(text) && printable(text[i:i+8]) {
			i += 8
		}
		if i == len(text) {
			break
		}
		switch c := text[i]; {
		case c < ' ' && c != '\t', c == 0x7f:
			return false
		case c >= 0x80:
			ascii = false
		}
	}
	if ascii {
		return true
	}
	for _, r := range text {
		if r == utf8.RuneError || r >= 0x80 && r < 0xa0 || r == 0x061c || r >= 0x200e && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return false
		}
	}
	return true
}

// printable tells whether all of eight bytes are printable ASCII.
func printable(s string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	v := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	return ((v-ones*' ')|(v+ones)|v)&highs == 0
}

// signalName returns NAME of a line that is the token <<<RALPHEX:NAME>>> and nothing else.
func signalName(line string) (string, bool) {
	const begin, end = "<<<RALPHEX:", ">>>"
	i := strings.IndexByte(line, '<')
	if i < 0 || i > 3 {
		return "", false
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(line), begin)
	if !ok {
		return "", false
	}
	name, ok = strings.CutSuffix(name, end)
	return name, ok && name != "" && !strings.ContainsAny(name, " <>")
}
