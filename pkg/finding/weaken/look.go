package weaken

import (
	"path"
	"strings"
)

// spot is something at a line.
type spot struct {
	name string // of a test, or the trimmed line
	test string // the test that it is in; "" = not known
	at   int
}

// look is what one file with tests shows.
type look struct {
	*change
	lang        *language
	gone, added []spot // tests
	lost, won   []spot // assertions
	skips       []spot // that are new and without a condition
	wasSkipped  []spot
	commented   []spot // what was code before
	loosened    []spot // the weaker assertion that took the place of a stronger one
}

// sideState is where the walk stands in one of the two versions of a file.
type sideState struct {
	test    string // the last one that began
	pending bool   // a mark stood above: the next head is a test
}

// lookAt walks through the hunks of a file with tests.
func lookAt(c *change, lang *language) *look {
	l := &look{change: c, lang: lang}
	var old, now sideState
	var above []string // the lines of the hunk so far, in the new version
	was := l.removed()
	for _, ln := range c.lines {
		if ln.kind == '@' {
			test := named(lang.test.find(ln.text))
			old, now, above = sideState{test: test}, sideState{test: test}, above[:0]
			continue
		}
		if said, comment := lang.uncomment(ln.trimmed); comment {
			if ln.kind == '+' && said != "" && was[said] {
				l.commented = append(l.commented, spot{said, now.test, ln.at})
			}
			continue
		}
		if ln.kind != '+' {
			if name, begins := old.step(lang, ln.text); begins {
				l.gone = append(l.gone, spot{name, name, ln.at})
			}
		}
		if ln.kind != '-' {
			if name, begins := now.step(lang, ln.text); begins {
				l.added = append(l.added, spot{name, name, ln.at})
			}
		}
		switch ln.kind {
		case '-':
			l.minus(ln, old.test)
		case '+':
			l.plus(ln, now.test, above)
		}
		if ln.kind != '-' && ln.trimmed != "" {
			above = append(above, ln.text)
		}
	}
	l.gone, l.added = apart(l.gone, l.added)
	l.loosened = loosened(c, lang)
	return l
}

// step takes a line into account, and tells whether a test begins with it.
func (s *sideState) step(lang *language, text string) (string, bool) {
	if lang.mark.in(text) {
		s.pending = true
	}
	name := named(lang.test.find(text))
	if name == "" && s.pending {
		if t := strings.TrimSpace(text); !strings.HasPrefix(t, "@") && !strings.HasPrefix(t, "#[") && !strings.HasPrefix(t, "[") {
			name = named(lang.head.find(text))
		}
	}
	if name == "" {
		return "", false
	}
	s.test, s.pending = name, false
	return name, true
}

// removed are the lines of code that are no longer there and that a test lives of.
func (l *look) removed() map[string]bool {
	out := map[string]bool{}
	for _, ln := range l.lines {
		if ln.kind == '-' && (l.lang.assert.in(ln.text) || l.lang.test.in(ln.text) || l.lang.mark.in(ln.text)) {
			out[ln.trimmed] = true
		}
	}
	return out
}

func (l *look) minus(ln line, test string) {
	if l.lang.assert.in(ln.text) && !l.lang.plumbing.in(ln.text) {
		l.lost = append(l.lost, spot{ln.trimmed, test, ln.at})
	}
	if l.lang.skip.in(ln.text) {
		l.wasSkipped = append(l.wasSkipped, spot{ln.trimmed, test, ln.at})
	}
}

func (l *look) plus(ln line, test string, above []string) {
	if l.lang.assert.in(ln.text) && !l.lang.plumbing.in(ln.text) {
		l.won = append(l.won, spot{ln.trimmed, test, ln.at})
	}
	if l.lang.skip.in(ln.text) && !l.lang.guarded.in(ln.text) && !conditional(ln.text) && !l.guard(ln, above) {
		l.skips = append(l.skips, spot{ln.trimmed, test, ln.at})
	}
}

// maxAbove is how many lines above a skip are searched for the condition that it hangs on.
const maxAbove = 50

// guard says whether a line hangs on a condition: whether the next line above that is indented less is one. Where the hunk does not show
// that line, what is indented deep, and is no mark of a test, may well hang on one.
func (l *look) guard(ln line, above []string) bool {
	in := indent(ln.text)
	for i := len(above) - 1; i >= max(0, len(above)-maxAbove); i-- {
		if indent(above[i]) < in {
			return l.lang.guarded.in(above[i])
		}
	}
	return in > 4 && !strings.ContainsAny(ln.trimmed[:1], "@[#")
}

// indent is how far a line is indented, a tab as four blanks.
func indent(text string) int {
	n := 0
	for _, c := range []byte(text) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// conditional recognises a condition behind what it is about.
func conditional(text string) bool {
	return strings.Contains(text, " if ") || strings.Contains(text, " unless ")
}

// apart takes away what stands in both lists: a test whose head is context, or that moved within its file.
func apart(a, b []spot) (onlyA, onlyB []spot) {
	in := map[string]int{}
	for _, s := range b {
		in[s.name]++
	}
	both := map[string]int{}
	for _, s := range a {
		if in[s.name] > 0 {
			in[s.name]--
			both[s.name]++
		} else {
			onlyA = append(onlyA, s)
		}
	}
	for _, s := range b {
		if both[s.name] > 0 {
			both[s.name]--
		} else {
			onlyB = append(onlyB, s)
		}
	}
	return onlyA, onlyB
}

// blocks are the changes of a file without unchanged lines between.
func blocks(c *change, visit func(minus, plus []line)) {
	var minus, plus []line
	flush := func() {
		if len(minus) > 0 || len(plus) > 0 {
			visit(minus, plus)
		}
		minus, plus = nil, nil
	}
	for _, ln := range c.lines {
		switch ln.kind {
		case '-':
			if len(plus) > 0 {
				flush()
			}
			minus = append(minus, ln)
		case '+':
			plus = append(plus, ln)
		default:
			flush()
		}
	}
	flush()
}

// maxBlock is how many lines of a block are compared with each other.
const maxBlock = 200

// loosened are the assertions that ask less of the same value than the ones in whose place they stand.
func loosened(c *change, lang *language) []spot {
	if lang.strong == nil {
		return nil
	}
	var out []spot
	blocks(c, func(minus, plus []line) {
		if len(minus) > maxBlock || len(plus) > maxBlock {
			return
		}
		var strong []line
		for _, m := range minus {
			if lang.strong.in(m.text) {
				strong = append(strong, m)
			} else if lang.weak.in(m.text) {
				return // it was weak before: who knows which one is which
			}
		}
		for _, p := range plus {
			if _, comment := lang.uncomment(p.trimmed); comment {
				continue
			}
			if lang.strong.in(p.text) {
				if len(strong) > 0 {
					strong = strong[1:]
				}
				continue
			}
			if !lang.weak.in(p.text) || exact(p.text) {
				continue
			}
			for i, m := range strong {
				if sameSubject(m.text, p.text) {
					out = append(out, spot{p.trimmed, "", p.at})
					strong = append(strong[:i:i], strong[i+1:]...)
					break
				}
			}
		}
	})
	return out
}

// exact says whether an assertion compares by itself: assertTrue(a == b).
func exact(text string) bool {
	for _, word := range []string{"==", "qual", "matches", "atch(", ".eq(", ".is("} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// plain are words that say nothing about what an assertion is about.
var plain = map[string]bool{
	"t": true, "nil": true, "null": true, "None": true, "true": true, "false": true, "True": true, "False": true, "not": true, "self": true, "this": true,
	"assert": true, "require": true, "expect": true, "to": true, "toBe": true, "be": true,
}

func sameSubject(a, b string) bool {
	in := map[string]bool{}
	for _, w := range subject(a) {
		in[w] = true
	}
	for _, w := range subject(b) {
		if in[w] {
			return true
		}
	}
	return false
}

// subject lists the words that an assertion is about.
func subject(text string) []string {
	if _, args, has := strings.Cut(text, "("); has {
		text = args
	}
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r < 128
	}) {
		if !plain[w] && (w[0] < '0' || w[0] > '9') {
			out = append(out, w)
		}
	}
	return out
}

// subjectOf is the name of what a file of tests is about: "parse" of parse_test.go, ParseTest.java, test_parse.py.
func subjectOf(p string) string {
	name := strings.ToLower(path.Base(p))
	name, _, _ = strings.Cut(name, ".")
	for _, affix := range []string{"_tests", "_test", "_spec", "tests", "test", "spec"} {
		name = strings.TrimSuffix(name, affix)
	}
	return strings.TrimPrefix(name, "test_")
}
