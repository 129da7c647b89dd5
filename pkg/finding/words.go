package finding

import "strings"

// severityWords are the words for a severity that reviewers use, in brackets, bold or a column of their own.
var severityWords = map[string]Severity{
	"critical": Critical, "blocker": Critical, "blocking": Critical, "fatal": Critical, "severe": Critical, "p0": Critical,
	"major": Major, "high": Major, "error": Major, "important": Major, "p1": Major,
	"minor": Minor, "medium": Minor, "moderate": Minor, "low": Minor, "warning": Minor, "p2": Minor,
	"info": Info, "note": Info, "nit": Info, "nitpick": Info, "style": Info, "suggestion": Info, "trivial": Info, "p3": Info,
}

// bareSeverities need no brackets: "major: what is wrong". The others are ordinary words at the beginning of a text.
var bareSeverities = map[string]bool{"critical": true, "major": true, "minor": true, "info": true, "nit": true}

// severity reads one at the beginning of s: [major], (major), `major`, "major:" or "major -".
func severity(s string) (sev Severity, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return "", "", false
	}
	for _, pair := range []string{"[]", "()", "``"} {
		if s[0] != pair[0] {
			continue
		}
		if end := strings.IndexByte(s[1:], pair[1]); end > 0 {
			if sev, ok = severityWords[strings.ToLower(strings.TrimSpace(s[1:1+end]))]; ok {
				return sev, s[end+2:], true
			}
		}
		return "", "", false
	}
	i := 0
	for i < len(s) && (letter(s[i]) || digit(s[i])) {
		i++
	}
	word := strings.ToLower(s[:i])
	if bareSeverities[word] && (separator(s[i:]) != s[i:]) && s[i] != '-' && s[i] != ',' {
		return severityWords[word], s[i:], true
	}
	return "", "", false
}

// dispositionWords are the words for what became of a finding; longer ones first where one begins with another.
var dispositionWords = []struct {
	word string
	is   Disposition
}{
	{"fixed", Fixed}, {"resolved", Fixed},
	{"refuted", Refuted}, {"dismissed", Refuted}, {"rejected", Refuted}, {"invalid", Refuted},
	{"false positive", Refuted}, {"not an issue", Refuted},
	{"open", Open}, {"not fixed", Open}, {"unfixed", Open}, {"deferred", Open}, {"wontfix", Open}, {"won't fix", Open},
}

// splitDisposition takes the last "=> fixed" and the like off a text. An arrow before other words is part of the text.
func splitDisposition(text string) (head string, d Disposition, reason string) {
	end := len(text)
	for {
		i := strings.LastIndex(text[:end], "=>")
		if i < 0 {
			return text, "", ""
		}
		if d, reason, ok := disposition(text[i+2:]); ok {
			return strings.TrimRight(text[:i], " \t`"), d, reason
		}
		end = i
	}
}

// disposition reads "fixed", "refuted: why", "fixed in 1a2b3c4".
func disposition(said string) (d Disposition, reason string, ok bool) {
	said = strings.TrimLeft(said, " \t`*[")
	for _, w := range dispositionWords {
		if len(said) < len(w.word) || !strings.EqualFold(said[:len(w.word)], w.word) {
			continue
		}
		rest := strings.TrimLeft(said[len(w.word):], "`*]")
		if reason, ok := endOfWord(rest); ok {
			return w.is, tidy(reason), true
		}
	}
	return "", "", false
}

// endOfWord says whether a disposition ends here, and takes the reason behind it: "open(path)" and "fixed-size" are
// other words.
func endOfWord(rest string) (reason string, ok bool) {
	trimmed := strings.TrimLeft(rest, " \t")
	switch {
	case trimmed == "":
		return "", true
	case strings.ContainsAny(rest[:1], ":.,;"):
		return strings.TrimSpace(rest[1:]), true
	case trimmed == rest:
		return "", false
	}
	for _, dash := range []string{"-", "–", "—", "("} {
		if after, has := strings.CutPrefix(trimmed, dash); has {
			after = strings.TrimSpace(after)
			if dash == "(" {
				after = strings.TrimSuffix(after, ")")
			}
			return after, true
		}
	}
	for _, word := range []string{"in ", "by ", "because ", "since "} {
		if strings.HasPrefix(strings.ToLower(trimmed), word) {
			return trimmed, true
		}
	}
	return "", false
}
