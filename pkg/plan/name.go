package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"
)

// maxBranch bounds a branch name: git keeps it as a file name, with ".lock" behind it.
const maxBranch = 200

// BranchName derives a branch name from a plan's path: the file's name without ".md" and without a date
// prefix (YYYY-MM-DD- or YYYYMMDD-, real dates only: "2fa-login" and "42-x" stay). A name that is a valid
// ASCII ref stays as it is. Everything else becomes one: letters are written in ASCII where there is a usual
// way, other bytes become dashes, and if letters had no such way a short hash keeps two plans apart.
func BranchName(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), ".md")
	if rest := strings.TrimLeft(withoutDate(name), "-"); rest != "" {
		name = rest
	}
	if validBranch(name) {
		return name
	}
	slug, lost := slug(name)
	if slug == "" || slug == "HEAD" {
		slug, lost = strings.Trim("plan-"+slug, "-"), true
	}
	if lost || len(slug) > maxBranch {
		sum := sha256.Sum256([]byte(name))
		hash := "-" + hex.EncodeToString(sum[:4])
		slug = slug[:min(len(slug), maxBranch-len(hash))] + hash
	}
	return slug
}

// withoutDate strips a prefix that is a date of the calendar.
func withoutDate(name string) string {
	for _, f := range []struct{ shape, layout string }{
		{"dddd-dd-dd-", "2006-01-02-"},
		{"dddddddd-", "20060102-"},
	} {
		if !shaped(name, f.shape) {
			continue
		}
		if _, err := time.Parse(f.layout, name[:len(f.shape)]); err == nil {
			return name[len(f.shape):]
		}
	}
	return name
}

// validBranch tells whether a name is an ASCII name that `git branch` takes.
func validBranch(name string) bool {
	for i := range len(name) {
		if !refByte(name[i]) {
			return false
		}
	}
	return name != "" && name != "HEAD" && len(name) <= maxBranch &&
		name[0] != '-' && name[0] != '.' && name != "@" &&
		!strings.HasSuffix(name, ".") && !strings.HasSuffix(name, ".lock") &&
		!strings.Contains(name, "..") && !strings.Contains(name, "@{")
}

// refByte tells whether git allows an ASCII byte in one component of a ref.
func refByte(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte(`~^:?*[\/`, c) < 0
}

// slug writes a name as a valid ref. lost tells that letters or digits could not be kept.
func slug(name string) (s string, lost bool) {
	var b strings.Builder
	for _, r := range name {
		ascii, ok := asciiOf(r)
		switch {
		case r < 0x80 && refByte(byte(r)) && r != '@' && r != '{' && r != '}':
			b.WriteRune(r)
		case ok:
			b.WriteString(ascii)
		case unicode.Is(unicode.Mn, r): // an accent that stands behind its letter
		default:
			lost = lost || unicode.IsLetter(r) || unicode.IsDigit(r) || r == unicode.ReplacementChar
			b.WriteByte('-')
		}
	}
	s = b.String()
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-")
	}
	for strings.Contains(s, "..") {
		s = strings.ReplaceAll(s, "..", ".")
	}
	for {
		t := strings.TrimSuffix(strings.Trim(s, "-."), ".lock")
		if t == s {
			return s, lost
		}
		s = t
	}
}

// asciiOf gives the usual ASCII spelling of a letter.
func asciiOf(r rune) (string, bool) {
	if s, ok := spelling()[unicode.ToLower(r)]; ok {
		if unicode.IsUpper(r) && s != "" {
			s = strings.ToUpper(s[:1]) + s[1:]
		}
		return s, true
	}
	return "", false
}

// spelling covers the Latin letters of Europe, Cyrillic and Greek.
var spelling = sync.OnceValue(func() map[rune]string {
	m := map[rune]string{
		'ä': "ae", 'ö': "oe", 'ü': "ue", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'å': "a", 'þ': "th", 'ð': "d", 'đ': "d", 'ł': "l", 'ħ': "h", 'ı': "i", 'ŋ': "ng",
		'ж': "zh", 'х': "kh", 'ц': "ts", 'ч': "ch", 'ш': "sh", 'щ': "shch", 'ъ': "", 'ь': "", 'ю': "yu", 'я': "ya", 'є': "ye", 'ї': "yi", 'ђ': "dj", 'љ': "lj", 'њ': "nj", 'џ': "dz",
		'θ': "th", 'χ': "ch", 'ψ': "ps",
	}
	pairs := []struct{ from, to string }{
		{"àáâãāăąǎ", "aaaaaaaa"}, {"çćĉċč", "ccccc"}, {"ď", "d"}, {"èéêëēĕėęě", "eeeeeeeee"}, {"ĝğġģ", "gggg"}, {"ĥ", "h"},
		{"ìíîïĩīĭįǐ", "iiiiiiiii"}, {"ĵ", "j"}, {"ķ", "k"}, {"ĺļľ", "lll"}, {"ñńņň", "nnnn"}, {"òóôõōŏőǒ", "oooooooo"}, {"ŕŗř", "rrr"},
		{"śŝşšș", "sssss"}, {"ţťŧț", "tttt"}, {"ùúûũūŭůűųǔ", "uuuuuuuuuu"}, {"ŵ", "w"}, {"ýÿŷ", "yyy"}, {"źżž", "zzz"},
		{"абвгґдеёзийіклмнопрстуфыэўјћ", "abvggdeeziiiklmnoprstufyeujc"},
		{"αβγδεζηικλμνξοπρσςτυφωάέήίόύώ", "abgdeziiklmnxoprsstyfoaeiioyo"},
	}
	for _, p := range pairs {
		i := 0
		for _, r := range p.from {
			m[r] = p.to[i : i+1]
			i++
		}
	}
	return m
})
