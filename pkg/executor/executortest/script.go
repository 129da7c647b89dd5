package executortest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// step is one line of a script.
type step struct {
	line    int
	verb    string
	rest    string // what follows the verb
	lenient bool
}

// script is a list of sessions, and the steps for all further ones.
type script struct {
	sessions [][]step
	others   []step // nil = there is no `session *`
}

func parse(text string) (script, error) {
	var s script
	var current *[]step
	for i, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		if l == "session" {
			s.sessions = append(s.sessions, []step{})
			current = &s.sessions[len(s.sessions)-1]
			continue
		}
		if l == "session *" {
			s.others = []step{}
			current = &s.others
			continue
		}
		if current == nil {
			return s, fmt.Errorf("line %d: %q stands before the first session", i+1, l)
		}
		st := step{line: i + 1}
		if rest, ok := strings.CutPrefix(l, "- "); ok {
			st.lenient, l = true, strings.TrimSpace(rest)
		}
		st.verb, st.rest, _ = strings.Cut(l, " ")
		st.rest = strings.TrimSpace(st.rest)
		if verbs[st.verb] == nil {
			return s, fmt.Errorf("line %d: no step is called %q", i+1, st.verb)
		}
		*current = append(*current, st)
	}
	return s, nil
}

// next takes the steps of this start, and counts it.
func next(file string) ([]step, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := parse(string(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	n := 0
	if b, err := os.ReadFile(file + ".n"); err == nil {
		n, _ = strconv.Atoi(strings.TrimSpace(string(b)))
	}
	if err := os.WriteFile(file+".n", []byte(strconv.Itoa(n+1)+"\n"), 0o644); err != nil {
		return nil, err
	}
	if n < len(s.sessions) {
		return s.sessions[n], nil
	}
	if s.others == nil {
		return nil, fmt.Errorf("%s: session %d is not in the script", file, n+1)
	}
	return s.others, nil
}

// text decodes \n, \t and \\.
func text(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(s)
}

// two splits "FILE TEXT".
func two(s string) (first, rest string) {
	first, rest, _ = strings.Cut(s, " ")
	return first, strings.TrimSpace(rest)
}
