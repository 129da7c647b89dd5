package signals

import "strings"

const (
	tokenStart = "<<<RALPHEX:"
	tokenEnd   = ">>>"
	maxName    = 32
	maxToken   = len(tokenStart) + maxName + len(tokenEnd)
)

// known tells whether the signal stands for itself: of this version, and with no payload.
func (k Kind) known() bool {
	switch k {
	case AllTasksDone, TaskFailed, ReviewDone, CodexReviewDone, PlanReady:
		return true
	}
	return false
}

// lone returns the name of the token that is alone on the line.
func lone(line string) (Kind, bool) {
	i := 0
	for i < len(line) && i < 4 && line[i] == ' ' {
		i++
	}
	if i == len(line) || i == 4 || line[i] != '<' {
		return "", false
	}
	name, rest, ok := cutToken(line[i:])
	if !ok || strings.TrimRight(rest, " \t\r") != "" {
		return "", false
	}
	return Kind(name), true
}

// cutToken splits the token off that s begins with.
func cutToken(s string) (name, rest string, ok bool) {
	after, ok := strings.CutPrefix(s, tokenStart)
	if !ok {
		return "", s, false
	}
	n := 0
	for n < len(after) && n <= maxName && (after[n] >= 'A' && after[n] <= 'Z' || after[n] == '_') {
		n++
	}
	if n == 0 || n > maxName || !strings.HasPrefix(after[n:], tokenEnd) {
		return "", s, false
	}
	return after[:n], after[n+len(tokenEnd):], true
}

// nextToken returns where the first whole token of s begins and ends; start is -1 without one.
func nextToken(s string) (start, end int) {
	from := 0
	for {
		i := strings.Index(s[from:], tokenStart)
		if i < 0 {
			return -1, -1
		}
		from += i
		if _, rest, ok := cutToken(s[from:]); ok {
			return from, len(s) - len(rest)
		}
		from += len(tokenStart)
	}
}

func countTokens(s string) (n int) {
	for {
		_, end := nextToken(s)
		if end < 0 {
			return n
		}
		n, s = n+1, s[end:]
	}
}

// tail counts tokens in a line that is too long to keep: it remembers what may be the beginning of one.
type tail struct {
	buf [maxToken - 1]byte // the last bytes seen, behind the last token that was counted
	n   int
}

// count returns how many tokens end in text.
func (t *tail) count(text string) (n int) {
	if t.n > 0 {
		// A token that began in an earlier piece ends within the next maxToken-1 bytes. Only one can.
		joined := string(t.buf[:t.n]) + text[:min(len(text), maxToken-1)]
		if start, end := nextToken(joined); start >= 0 && start < t.n {
			n, text = 1, text[end-t.n:]
			t.n = 0
		}
	}
	for {
		_, end := nextToken(text)
		if end < 0 {
			break
		}
		n, text = n+1, text[end:]
		t.n = 0
	}
	t.remember(text)
	return n
}

func (t *tail) remember(text string) {
	if len(text) >= len(t.buf) {
		t.n = copy(t.buf[:], text[len(text)-len(t.buf):])
		return
	}
	keep := min(t.n, len(t.buf)-len(text))
	copy(t.buf[:], t.buf[t.n-keep:t.n])
	t.n = keep + copy(t.buf[keep:], text)
}
