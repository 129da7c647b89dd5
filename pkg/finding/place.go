package finding

import (
	"path"
	"strconv"
	"strings"
)

// maxPath is how many bytes a path can have.
const maxPath = 1024

// readPlace reads "path:42", "path:42-50", "path:42:7", "path#L42-L50" at the beginning of s into the finding, and
// returns what follows. Quotes around it and a severity in brackets behind it are left for others to see.
func (f *Finding) readPlace(s string) (rest string, ok bool) {
	quote := ""
	for _, q := range []string{"`", "\"", "'", "(", "<"} {
		if strings.HasPrefix(s, q) {
			quote = q
			s = s[len(q):]
			break
		}
	}
	for i := 1; i < len(s); i++ {
		if i > maxPath || quote == "" && (s[i] == ' ' || s[i] == '\t') {
			return "", false // a bare path has no blanks: else each sentence with a place in it would be one
		}
		n := numberMark(s[i:])
		if n == 0 || !isPath(s[:i]) {
			continue
		}
		line, end, after, found := lineRange(s[i+n:])
		if !found {
			continue
		}
		if quote != "" {
			after = strings.TrimPrefix(after, map[string]string{"(": ")", "<": ">"}[quote])
			after = strings.TrimPrefix(after, quote)
		}
		after = strings.TrimPrefix(after, "`")
		f.File, f.Line, f.EndLine = cleanPath(s[:i]), line, end
		return after, true
	}
	return "", false
}

// wholePlace reads a place that is all of s: its path may have blanks, and what stands behind it may be no number of a line.
func (f *Finding) wholePlace(s string) bool {
	s = strings.Trim(s, "`\"' \t")
	name := s
	for i := 1; i < len(s); i++ {
		n := numberMark(s[i:])
		if n == 0 {
			continue
		}
		if line, end, rest, ok := lineRange(s[i+n:]); ok && rest == "" {
			f.Line, f.EndLine, name = line, end, s[:i]
			break
		}
		if strings.Trim(s[i+n:], "0123456789") == "" {
			name = s[:i]
			break
		}
	}
	if name == "" || !isPath(name) {
		return false
	}
	f.File = cleanPath(name)
	return true
}

// numberMark is the length of what leads to a line number: ":", ":L", "#L"; 0 = nothing does.
func numberMark(s string) int {
	for _, mark := range []string{":L", "#L", ":"} {
		if strings.HasPrefix(s, mark) && len(s) > len(mark) && digit(s[len(mark)]) {
			return len(mark)
		}
	}
	return 0
}

// lineRange reads "42", "42-50", "42-L50", "42:7", "42:7-50:9", "42,50"; end is 0 where it is the line itself.
func lineRange(s string) (line, end int, rest string, ok bool) {
	line, s, ok = number(s)
	if !ok {
		return 0, 0, "", false
	}
	s = column(s)
	for _, dash := range []string{"-", "–", "—", ","} {
		after, has := strings.CutPrefix(s, dash)
		if !has {
			continue
		}
		last, behind, is := number(strings.TrimPrefix(after, "L"))
		if is {
			if last > line {
				end = last
			}
			return line, end, column(behind), true
		}
	}
	return line, 0, s, true
}

// column takes the column of "42:7" away.
func column(s string) string {
	if after, has := strings.CutPrefix(s, ":"); has {
		if _, rest, ok := number(after); ok {
			return rest
		}
	}
	return s
}

// number reads a line or a column; what has more than eight digits is none.
func number(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && digit(s[i]) {
		i++
	}
	n, err := strconv.Atoi(s[:i])
	if err != nil || i > 8 || n == 0 {
		return 0, s, false
	}
	if i < len(s) && letter(s[i]) { // "42nd"
		return 0, s, false
	}
	return n, s[i:], true
}

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// plainNames are files without a dot or a folder that people review.
var plainNames = map[string]bool{
	"readme": true, "license": true, "notice": true, "changelog": true, "version": true, "authors": true,
	"codeowners": true, "build": true, "workspace": true, "justfile": true,
}

// isPath says whether a word can be the path of a file: it has a letter, and a folder, a dot, or a name that one knows.
func isPath(s string) bool {
	if len(s) > maxPath || strings.Contains(s, "://") || strings.ContainsAny(s, "\"`*?<>|\t=(){}") {
		return false
	}
	if strings.ContainsAny(s[len(s)-1:], "/\\ .:") {
		return false
	}
	hasLetter := strings.ContainsFunc(s, func(r rune) bool { return r > 127 || (r < 128 && letter(byte(r))) })
	if !hasLetter {
		return false
	}
	if colon := strings.IndexByte(s, ':'); colon >= 0 && !(colon == 1 && len(s) > 2 && (s[2] == '\\' || s[2] == '/')) {
		return false
	}
	lower := strings.ToLower(s)
	return strings.ContainsAny(s, "/\\.") || strings.HasSuffix(lower, "file") || plainNames[lower]
}

// cleanPath writes a path with slashes and without what says nothing.
func cleanPath(s string) string {
	if !strings.Contains(s, "/") {
		s = strings.ReplaceAll(s, "\\", "/")
	}
	return path.Clean(tidy(s))
}
