package origin

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"strings"
)

// Mark finds the box of a source's line: a bullet or a number, blanks, one character in brackets, blanks or the
// end of the line. at is the index of that character, text what follows, without blanks around it.
func Mark(line string) (at int, text string, ok bool) {
	i := blanks(line, 0)
	switch {
	case i < len(line) && strings.IndexByte("-*+", line[i]) >= 0:
		i++
	default:
		digits := i
		for i < len(line) && line[i] >= '0' && line[i] <= '9' {
			i++
		}
		if i == digits || i-digits > 9 || i == len(line) || line[i] != '.' && line[i] != ')' {
			return 0, "", false
		}
		i++
	}
	j := blanks(line, i)
	if j == i || j+2 >= len(line) || line[j] != '[' || line[j+2] != ']' || strings.IndexByte(" xX~-", line[j+1]) < 0 {
		return 0, "", false
	}
	rest := line[j+3:]
	if rest != "" && blanks(rest, 0) == 0 {
		return 0, "", false
	}
	return j + 1, strings.TrimSpace(rest), true
}

func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// progress are keys of JSON lists that only say how far things are; what a store counts and writes while it ticks is among them.
var progress = map[string]bool{"status": true, "done": true, "completed": true, "checked": true, "mutationCount": true, "version": true, "blocker": true}

// Sum is the checksum of a source: SHA-256 over its text with line feeds as line ends and every box open; where the file is JSON, over
// its values without those that tell progress, however they are spaced and ordered. What ticking alone changes leaves it as it is.
func Sum(name string, content []byte) string {
	text := strings.ReplaceAll(string(content), "\r\n", "\n")
	if strings.EqualFold(path.Ext(name), ".json") {
		text = values(text)
	} else {
		text = opened(text)
	}
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// values is a JSON text in one form, without what tells progress. A text that is none stays as it is.
func values(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		return text
	}
	out, err := json.Marshal(withoutProgress(v))
	if err != nil {
		return text
	}
	return string(out)
}

func withoutProgress(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if progress[key] {
				delete(v, key)
				continue
			}
			v[key] = withoutProgress(inner)
		}
	case []any:
		for i := range v {
			v[i] = withoutProgress(v[i])
		}
	}
	return v
}

// opened is text with every box open.
func opened(text string) string {
	out := []byte(text)
	for off := 0; off < len(text); {
		line, _, _ := strings.Cut(text[off:], "\n")
		if at, _, ok := Mark(line); ok && strings.IndexByte("xX", line[at]) >= 0 {
			out[off+at] = ' '
		}
		off += len(line) + 1
	}
	return string(out)
}

// short is a hash that is long enough to tell two boxes of one file apart.
func short(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		h.Write([]byte(strings.Join(strings.Fields(w), " ")))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
