package weaken

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ralphex/pkg/finding"
)

// Rule is the finding's Rule, and Source who found it.
const (
	Rule   = "test-weakening"
	Source = "ralphex"
)

// maxFindings bounds what one diff can bring.
const maxFindings = 200

// hit is a finding in the making.
type hit struct {
	at   int
	text string
}

// Find looks at a unified diff (git, hg --git) for tests that say less than before. It reads no file; the time it
// needs grows with the diff and nothing else. The order is that of the diff.
func Find(diff string) []finding.Finding {
	v := view{gone: map[string]bool{}, tests: map[string]int{}, asserts: map[string]int{}, skips: map[string]int{}}
	var out []finding.Finding
	for c := range changes(diff) {
		v.take(c)
	}
	for _, f := range v.files {
		for _, h := range v.judge(f) {
			out = append(out, finding.Finding{File: f.path, Line: h.at, Severity: finding.Major, Text: h.text, Source: Source, Rule: Rule})
			if len(out) == maxFindings {
				return out
			}
		}
	}
	return out
}

// view is the whole diff: what is gone in one place can be new in another.
type view struct {
	files   []seen
	gone    map[string]bool // what sources were about that are gone: the tests of those may go
	tests   map[string]int  // new tests by language and name
	asserts map[string]int  // new assertions by language and text
	skips   map[string]int  // skips that are gone, by language and text
}

type seen struct {
	path string
	look *look
	hits []hit
}

func (v *view) take(c *change) {
	gone := c.gone
	if c.path == "" {
		c.path = c.old
	}
	lang := languageOf(c.path)
	switch {
	case lang != nil:
		l := lookAt(c, lang)
		l.change = &change{path: c.path, gone: gone} // the lines are not needed any more
		v.files = append(v.files, seen{path: c.path, look: l})
		for _, s := range l.added {
			v.tests[lang.name+" "+s.name]++
		}
		for _, s := range l.won {
			v.asserts[lang.name+" "+s.name]++
		}
		for _, s := range l.wasSkipped {
			v.skips[lang.name+" "+s.name]++
		}
	case isSettings(c.path):
		if hits := settings(c); len(hits) > 0 {
			v.files = append(v.files, seen{path: c.path, hits: hits})
		}
	}
	if gone && (lang == nil || lang.name == "rust") {
		v.gone[subjectOf(c.path)] = true
	}
}

func (v *view) judge(f seen) []hit {
	if f.look == nil {
		return f.hits
	}
	l := f.look
	moved := func(in map[string]int, s spot) bool {
		key := l.lang.name + " " + s.name
		if in[key] > 0 {
			in[key]--
			return true
		}
		return false
	}
	gone := slices.DeleteFunc(l.gone, func(s spot) bool { return moved(v.tests, s) })
	if l.change.gone {
		return v.fileGone(l, gone)
	}
	var hits []hit
	for _, s := range l.commented {
		hits = append(hits, hit{s.at, "it is commented out: " + code(s.name)})
	}
	hits = append(hits, l.testsGone(gone)...)
	for _, s := range l.skips {
		if !moved(v.skips, s) {
			hits = append(hits, hit{s.at, in(s.test) + "it is skipped, without a condition: " + code(s.name)})
		}
	}
	for _, s := range l.loosened {
		hits = append(hits, hit{s.at, "the assertion asks less than the one before: " + code(s.name)})
	}
	hits = append(hits, v.assertsGone(l, gone, moved)...)
	slices.SortStableFunc(hits, func(a, b hit) int { return a.at - b.at })
	return hits
}

// fileGone is a file of tests that is no more, and what it tested is.
func (v *view) fileGone(l *look, gone []spot) []hit {
	if len(gone) == 0 || v.gone[subjectOf(l.path)] {
		return nil
	}
	return []hit{{0, fmt.Sprintf("the file is gone with %s", tests(gone))}}
}

// testsGone are tests that neither moved nor were renamed: where as many are new as are gone, they were.
func (l *look) testsGone(gone []spot) []hit {
	if len(gone) <= len(l.added) {
		return nil
	}
	if len(l.added) > 0 {
		return []hit{{gone[0].at, fmt.Sprintf("more tests are gone than are new: %s", tests(gone))}}
	}
	commented := map[string]bool{}
	for _, c := range l.commented {
		commented[named(l.lang.test.find(c.name))] = true
	}
	out := make([]hit, 0, len(gone))
	for _, s := range gone {
		if !commented[s.name] {
			out = append(out, hit{s.at, "a test is gone: " + s.name})
		}
	}
	return out
}

// assertsGone are tests that go on with fewer assertions, in a file that as a whole has fewer.
func (v *view) assertsGone(l *look, gone []spot, moved func(map[string]int, spot) bool) []hit {
	without := map[string]bool{}
	for _, s := range gone {
		without[s.name] = true
	}
	commented := map[string]bool{}
	for _, s := range l.commented {
		commented[s.name] = true
	}
	type balance struct {
		n    int
		lost spot
	}
	by := map[string]*balance{}
	var order []string
	whole := 0
	of := func(test string) *balance {
		if by[test] == nil {
			by[test] = &balance{}
			order = append(order, test)
		}
		return by[test]
	}
	won := map[string]bool{}
	for _, s := range l.won {
		of(s.test).n++
		whole++
		won[s.name] = true
	}
	for _, s := range l.lost {
		if without[s.test] || commented[s.name] {
			continue
		}
		if !won[s.name] && moved(v.asserts, s) {
			continue // it is in another file now
		}
		b := of(s.test)
		if b.n--; b.lost.name == "" {
			b.lost = s
		}
		whole--
	}
	var out []hit
	for _, test := range order {
		if b := by[test]; b.n < 0 && whole < 0 {
			out = append(out, hit{b.lost.at, fmt.Sprintf("%sassertions are gone (%d less than before): %s", in(test), -b.n, code(b.lost.name))})
		}
	}
	return out
}

func in(test string) string {
	if test == "" {
		return ""
	}
	return test + ": "
}

// tests names some of many.
func tests(list []spot) string {
	const some = 10
	names := make([]string, 0, some)
	for _, s := range list[:min(len(list), some)] {
		names = append(names, s.name)
	}
	more := ""
	if len(list) > some {
		more = ", …"
	}
	if len(list) == 1 {
		return "the test " + names[0]
	}
	return fmt.Sprintf("%d tests: %s%s", len(list), strings.Join(names, ", "), more)
}

// code is a line of code in a text, cut where it is long.
func code(s string) string {
	const most = 120
	if len(s) > most {
		end := most
		for !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end] + "…"
	}
	return "`" + strings.ToValidUTF8(strings.ReplaceAll(s, "`", "'"), "?") + "`"
}
