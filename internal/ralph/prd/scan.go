package prd

import (
	"strings"

	"ralphex/internal/lazyregexp"
)

// section is a heading and what stands below it, down to the next heading.
type section struct {
	title    string // "" before the first heading
	level    int    // 0 before the first heading
	prose    []string
	items    []item
	commands []string // lines of shell fences
}

// item is one entry of a list, and those nested in it.
type item struct {
	text string
	sub  []string
}

var (
	heading  = lazyregexp.New(`^(#{1,6})\s+(.*?)\s*#*\s*$`)
	bullet   = lazyregexp.New(`^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX~-]\]\s+)?(.*)$`)
	fenceRow = lazyregexp.New("^\\s*(`{3,}|~{3,})\\s*([A-Za-z]*)")
)

// scan reads an objective. It keeps to what people write by hand: headings with #, lists, paragraphs, fences.
func scan(text string) []section {
	out := []section{{}}
	fence, shell, base := "", false, -1
	var para []string
	flush := func() {
		if s := strings.Join(para, " "); s != "" {
			cur := &out[len(out)-1]
			cur.prose = append(cur.prose, s)
		}
		para = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		cur := &out[len(out)-1]
		if m := fenceRow.FindStringSubmatch(line); m != nil && (fence == "" || strings.HasPrefix(m[1], fence)) {
			flush()
			switch {
			case fence == "":
				fence = m[1]
				shell = m[2] == "sh" || m[2] == "bash" || m[2] == "shell"
			default:
				fence = ""
			}
			continue
		}
		if fence != "" {
			if cmd := strings.TrimSpace(line); shell && cmd != "" && !strings.HasPrefix(cmd, "#") {
				cur.commands = append(cur.commands, strings.TrimPrefix(cmd, "$ "))
			}
			continue
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			flush()
			out, base = append(out, section{title: m[2], level: len(m[1])}), -1
			continue
		}
		m := bullet.FindStringSubmatch(line)
		switch {
		case m != nil:
			flush()
			indent := len(strings.ReplaceAll(m[1], "\t", "    "))
			if base < 0 || indent <= base || len(cur.items) == 0 {
				base = indent
				cur.items = append(cur.items, item{text: strings.TrimSpace(m[2])})
				continue
			}
			last := &cur.items[len(cur.items)-1]
			last.sub = append(last.sub, strings.TrimSpace(m[2]))
		case strings.TrimSpace(line) == "":
			flush()
		case len(cur.items) > 0 && base >= 0 && len(para) == 0 && strings.HasPrefix(line, " "):
			last := &cur.items[len(cur.items)-1] // a line that goes on
			if n := len(last.sub); n > 0 {
				last.sub[n-1] += " " + strings.TrimSpace(line)
			} else {
				last.text += " " + strings.TrimSpace(line)
			}
		default:
			para = append(para, strings.TrimSpace(line))
		}
	}
	flush()
	return out
}

// role is what a section is about, by its heading.
type role int

const (
	other role = iota
	work
	acceptance
	constraints
	contexts
	validation
)

// roles are words that headings are known by; the first that fits counts.
var roles = []struct {
	role  role
	words []string
}{
	{constraints, []string{"constraint", "non-goal", "non goal", "guardrail", "out of scope", "boundar", "limits"}},
	{acceptance, []string{"acceptance", "success", "definition of done"}},
	{validation, []string{"validation", "verification", "test command", "checks"}},
	{contexts, []string{"context", "background", "reference", "relevant file"}},
	{work, []string{"task", "step", "work", "feature", "requirement", "scope", "goal", "deliverable", "milestone", "stor", "implementation"}},
}

func (s *section) role() role {
	title := strings.ToLower(s.title)
	for _, r := range roles {
		for _, w := range r.words {
			if strings.Contains(title, w) {
				return r.role
			}
		}
	}
	return other
}

// texts are the items of a section with what is nested in them, or its paragraphs if it has none.
func (s *section) texts() []string {
	var out []string
	for _, it := range s.items {
		out = append(out, strings.Join(append([]string{it.text}, it.sub...), "; "))
	}
	if len(out) == 0 {
		return s.prose
	}
	return out
}
