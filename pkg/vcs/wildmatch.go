package vcs

import "strings"

// wildmatch reports whether a name matches a pattern of an ignore file. With paths, "*" and "?" stop at slashes, and "**" between slashes
// stands for any number of folders. A class that has no end matches nothing.
func wildmatch(pattern, name string, paths bool) bool {
	m := &matcher{p: pattern, s: name, paths: paths}
	return m.match(0, 0)
}

// matcher remembers which pairs of rests don't match, so that a pattern of many stars takes no longer than their product.
type matcher struct {
	p, s   string
	paths  bool
	failed map[[2]int]bool
}

func (m *matcher) match(i, j int) bool {
	for i < len(m.p) {
		switch c := m.p[i]; c {
		case '*':
			return m.star(i, j)
		case '?':
			if j == len(m.s) || m.paths && m.s[j] == '/' {
				return false
			}
			i, j = i+1, j+1
		case '[':
			if j == len(m.s) {
				return false
			}
			in, next, ok := class(m.p, i, m.s[j])
			if !ok || !in || m.paths && m.s[j] == '/' {
				return false
			}
			i, j = next, j+1
		case '\\':
			if i++; i == len(m.p) {
				return false
			}
			fallthrough
		default:
			if j == len(m.s) || m.s[j] != m.p[i] {
				return false
			}
			i, j = i+1, j+1
		}
	}
	return j == len(m.s)
}

// star matches from a run of stars on.
func (m *matcher) star(i, j int) bool {
	if m.failed[[2]int{i, j}] {
		return false
	}
	next := i
	for next < len(m.p) && m.p[next] == '*' {
		next++
	}
	rest := m.p[next:]
	deep := !m.paths
	if m.paths && next-i > 1 && (i == 0 || m.p[i-1] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)) {
		deep = true
		if rest != "" && rest[0] == '/' && m.match(next+1, j) {
			return true // no folder at all
		}
	}
	for k := j; ; k++ {
		if m.match(next, k) {
			return true
		}
		if k == len(m.s) || !deep && m.s[k] == '/' {
			break
		}
	}
	if m.failed == nil {
		m.failed = map[[2]int]bool{}
	}
	m.failed[[2]int{i, j}] = true
	return false
}

// class reads "[…]" at i; in says whether c is one of it, next is the place behind it.
func class(p string, i int, c byte) (in bool, next int, ok bool) {
	i++
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	var last byte
	for first := true; ; first = false {
		if i == len(p) {
			return false, 0, false
		}
		ch := p[i]
		switch {
		case ch == ']' && !first:
			return in != negated, i + 1, true
		case ch == '[' && i+1 < len(p) && p[i+1] == ':':
			end := strings.Index(p[i+2:], "]")
			if end < 0 {
				return false, 0, false
			}
			if end == 0 || p[i+2+end-1] != ':' { // "[:" that is no named class
				in = in || c == '['
				last, i = '[', i+1
				continue
			}
			is, known := posix[p[i+2:i+2+max(end-1, 0)]]
			if !known {
				return false, 0, false
			}
			in = in || is(c)
			last, i = 0, i+2+end+1
			continue
		case ch == '-' && last != 0 && i+1 < len(p) && p[i+1] != ']':
			i++
			to := p[i]
			if to == '\\' {
				if i++; i == len(p) {
					return false, 0, false
				}
				to = p[i]
			}
			in = in || last <= c && c <= to
			last, i = 0, i+1
			continue
		case ch == '\\':
			if i++; i == len(p) {
				return false, 0, false
			}
			ch = p[i]
		}
		in = in || c == ch
		last, i = ch, i+1
	}
}

func between(lo, hi byte) func(byte) bool { return func(c byte) bool { return lo <= c && c <= hi } }

func anyOf(fs ...func(byte) bool) func(byte) bool {
	return func(c byte) bool {
		for _, f := range fs {
			if f(c) {
				return true
			}
		}
		return false
	}
}

// posix are the named classes, of ASCII only.
var posix = func() map[string]func(byte) bool {
	upper, lower, digit := between('A', 'Z'), between('a', 'z'), between('0', '9')
	alnum := anyOf(upper, lower, digit)
	graph := between('!', '~')
	return map[string]func(byte) bool{
		"upper": upper, "lower": lower, "digit": digit, "alnum": alnum, "graph": graph,
		"alpha":  anyOf(upper, lower),
		"xdigit": anyOf(digit, between('a', 'f'), between('A', 'F')),
		"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
		"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
		"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
		"print":  between(' ', '~'),
		"punct":  func(c byte) bool { return graph(c) && !alnum(c) },
	}
}()
