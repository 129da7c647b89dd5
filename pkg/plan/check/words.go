package check

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/plan"
)

// placeholders are what people write for text that they owe.
var placeholders = []string{"???", "TBD", "FIXME"}

// words checks what the text says: placeholders, work that no agent can do, headings like tasks.
func (c *checker) words() {
	if c.on("placeholder") {
		for _, w := range placeholders {
			c.placeholder(w)
		}
	}
	if c.on("manual-work") {
		for i := range c.p.Tasks {
			for j := range c.p.Tasks[i].Checkboxes {
				c.manual(&c.p.Tasks[i].Checkboxes[j])
			}
		}
	}
	c.nearTasks()
}

// placeholder reports a word once a line.
func (c *checker) placeholder(w string) {
	for from := 0; ; {
		i := strings.Index(c.src[from:], w)
		if i < 0 {
			return
		}
		at := from + i
		from = at + len(w)
		for w[0] == '?' && from < len(c.src) && c.src[from] == '?' {
			from++
		}
		if standsAlone(c.src, at, from) && !c.opaque(at) && !c.inCode(at) {
			c.report("placeholder", at, from-at, "write what belongs here, or put `"+w+"` into backquotes if you mean the word", nil)
			n, _ := c.place(at)
			from = max(from, c.after(n))
		}
	}
}

// standsAlone tells whether no letter or digit touches what stands between two offsets of s.
func standsAlone(s string, at, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[end:])
	return !isWordRune(before) && !isWordRune(after)
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// inCode tells whether an offset is in a code span of its line.
func (c *checker) inCode(at int) bool {
	n, _ := c.place(at)
	line, start := c.line(n)
	return inCode(line, at-start)
}

// longLine is a line in which nobody looks for code spans.
const longLine = 1 << 16

// inCode tells whether index i of a line is in a code span.
func inCode(line string, i int) bool {
	if len(line) > longLine {
		return false
	}
	for at := 0; at < i; {
		open := strings.IndexByte(line[at:], '`')
		if open < 0 || at+open >= i {
			return false
		}
		at += open
		run := backquotes(line[at:])
		end := closing(line, at+run, run)
		if end < 0 {
			at += run
			continue
		}
		if i < end {
			return true
		}
		at = end + run
	}
	return false
}

// backquotes is how many s begins with.
func backquotes(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// closing finds the run of exactly n backquotes from an index on, -1 if there is none.
func closing(line string, from, n int) int {
	for from < len(line) {
		i := strings.IndexByte(line[from:], '`')
		if i < 0 {
			return -1
		}
		from += i
		run := backquotes(line[from:])
		if run == n {
			return from
		}
		from += run
	}
	return -1
}

// humanWork matches boxes that ask for a person.
var humanWork = lazyregexp.New(`(?i)^(manual(ly)?\b|ask\s+\w|get (the )?(approval|sign-?off|permission|consent)|wait for\b|call \w+ (and|to|about)\b|e-?mail (the|our)\b|meet with\b|sign (the )?contract|buy\b|negotiate\b|interview\b)|` +
	`\b(by hand|manually|manual (testing|test|check|verification|qa|review)|on a real device|physical device|(deploy|release|roll ?out|ship|push|migrate)\b.{0,40}\b(to|in|on) prod(uction)?|in production|sign-?off from|approval from|stakeholders?)\b`)

// manual reports an open box that no agent can tick.
func (c *checker) manual(b *plan.Checkbox) {
	if b.State != plan.BoxOpen || b.Sample || !mayBeHuman(b.Text) {
		return
	}
	where := humanWork.FindStringIndex(b.Text)
	if where == nil || inCode(b.Text, where[0]) {
		return
	}
	text := strings.Index(c.src[b.Offset:], b.Text) + b.Offset
	c.report("manual-work", text, len(b.Text), "write `- [ ] (manual) "+b.Text+"` if a person must do this: an agent can't", nil)
}

// mayBeHuman is a cheap look before the expression: nearly no box has one of these.
func mayBeHuman(text string) bool {
	for i := 0; i+3 < len(text); i++ {
		switch text[i] | 0x20 {
		case 'a', 'b', 'c', 'd', 'e', 'g', 'h', 'i', 'm', 'n', 'p', 'r', 's', 'w':
			return humanHint(text)
		}
	}
	return false
}

// humanHint looks for the stems of the expression.
func humanHint(text string) bool {
	lower := strings.ToLower(text)
	for _, stem := range humanStems {
		if strings.Contains(lower, stem) {
			return true
		}
	}
	return false
}

var humanStems = []string{"manual", "ask ", "approv", "sign", "permission", "consent", "wait for", "call ", "mail ", "meet ",
	"buy", "negotiate", "interview", "by hand", "device", "prod", "stakeholder"}

var (
	numberedHeading = lazyregexp.New(`^(?i:(step|phase|part|milestone|story|item|stage)\s*)?\d+(\.\d+)*[.):]?\s+\S|^(?i:step|phase|part|milestone|story|item|stage)\s*\d+(\.\d+)*[a-z]?\s*([:.)–—-]|$)`)
	taskWord        = lazyregexp.New(`^(?i:task|iteration)s?\b`)
	boldTask        = lazyregexp.New(`^\*\*(?i:task|iteration)\s+\d+[^*]*\*\*`)
)

// nearTasks reports headings in Implementation Steps, and bold lines, that look like a task and are none.
func (c *checker) nearTasks() {
	if !c.on("near-task") {
		return
	}
	told := c.toldHeaders()
	for _, h := range c.p.Headings {
		if h.Level < 2 || told[h.Line] {
			continue
		}
		s, ok := c.outl.sectionAt(h.Offset)
		inSteps := ok && s.index == stepIndex && h.Level <= 4 && h.Level > 2
		isSection := h.Level == 2 && ok && s.index >= 0
		if inSteps && h.Level == 3 && numberedHeading.MatchString(h.Text) && c.hasOwnBoxes(h) || !isSection && taskWord.MatchString(h.Text) && c.hasOwnBoxes(h) {
			line, start := c.line(h.Line)
			c.report("near-task", start, len(line), "write `### Task N: title` if this is a task: no task begins here", nil)
		}
	}
	c.boldTasks()
}

// toldHeaders are the lines of task headers, and of those that another rule speaks of.
func (c *checker) toldHeaders() map[int]bool {
	told := map[int]bool{}
	for i := range c.p.Tasks {
		told[c.p.Tasks[i].Line] = true
	}
	for _, q := range c.p.Problems {
		switch q.Code {
		case plan.WrongKeyword, plan.NoColon, plan.MissingSpaces, plan.WrongLevel, plan.NestedHeader:
			told[q.Line] = true
		}
	}
	return told
}

// hasOwnBoxes tells whether a box or a list item stands below a heading, before the next one.
func (c *checker) hasOwnBoxes(h plan.Heading) bool {
	for n := h.Line + 1; n <= len(c.lines); n++ {
		line, start := c.line(n)
		text := strings.TrimLeft(line, " \t")
		if strings.HasPrefix(text, "#") && !c.opaque(start) {
			return false
		}
		if strings.HasPrefix(text, "- [") || strings.HasPrefix(text, "* [") || strings.HasPrefix(text, "+ [") {
			return true
		}
	}
	return false
}

func (c *checker) boldTasks() {
	for from := 0; ; {
		i := strings.Index(c.src[from:], "**")
		if i < 0 {
			return
		}
		at := from + i
		from = at + 2
		if at > 0 && c.src[at-1] != '\n' {
			continue
		}
		n, _ := c.place(at)
		line, start := c.line(n)
		from = max(from, c.after(n))
		if boldTask.MatchString(line) && !c.opaque(start) {
			c.report("near-task", start, len(line), "write `### Task N: title` if this is a task: no task begins here", nil)
		}
	}
}

// Words splits a text into runs of letters and runs of digits. It is what a fix must not lose.
func Words(text string) []string {
	var out []string
	start, kind := 0, 0
	for i, r := range text {
		k := 0
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			k = 1
		case unicode.IsDigit(r):
			k = 2
		}
		if k != kind {
			if kind != 0 {
				out = append(out, text[start:i])
			}
			start, kind = i, k
		}
	}
	if kind != 0 {
		out = append(out, text[start:])
	}
	return out
}
