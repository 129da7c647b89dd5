package executortest

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

var (
	header  = regexp.MustCompile(`^### (?:Task|Iteration) `)
	box     = regexp.MustCompile(`^(\s*(?:>\s*)?[-*+] \[)([ xX])(\] )`)
	fence   = regexp.MustCompile("^\\s*(```|~~~)")
	section = regexp.MustCompile(`^##? `)
)

// boxLine is a box of a plan by the agent's own rule.
type boxLine struct {
	line, task int
	open       bool
}

func boxes(lines []string) []boxLine {
	var out []boxLine
	task, fenced := 0, false
	inTask := false
	for i, l := range lines {
		switch m := box.FindStringSubmatch(l); {
		case fence.MatchString(l):
			fenced = !fenced
		case fenced:
		case header.MatchString(l):
			task++
			inTask = true
		case section.MatchString(l):
			inTask = false
		case m != nil && inTask:
			out = append(out, boxLine{i, task, m[2] == " "})
		}
	}
	return out
}

// tick sets boxes to a mark: "next" = those of the first task with an open one, "all", or a position; then one box of it, or all.
func (a *agent) tick(args string, mark byte) error {
	file, err := a.planFile()
	if err != nil {
		return err
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := strings.SplitAfter(string(b), "\n")
	want, err := choose(boxes(lines), args)
	if err != nil {
		return err
	}
	for _, i := range want {
		loc := box.FindStringSubmatchIndex(lines[i])
		lines[i] = lines[i][:loc[4]] + string(mark) + lines[i][loc[5]:]
	}
	return os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644)
}

func choose(all []boxLine, args string) ([]int, error) {
	which, nth := two(args)
	task := 0
	switch which {
	case "all":
	case "next":
		for _, b := range all {
			if b.open {
				task = b.task
				break
			}
		}
		if task == 0 {
			return nil, errors.New("no box is open")
		}
	default:
		n, err := strconv.Atoi(which)
		if err != nil {
			return nil, fmt.Errorf("%q is no position, next or all", which)
		}
		task = n
	}
	var lines []int
	for _, b := range all {
		if task == 0 || b.task == task {
			lines = append(lines, b.line)
		}
	}
	if nth != "" {
		n, err := strconv.Atoi(nth)
		if err != nil || n < 1 || n > len(lines) {
			return nil, fmt.Errorf("there is no box %q", nth)
		}
		lines = lines[n-1 : n]
	}
	if len(lines) == 0 {
		return nil, errors.New("there is no such box")
	}
	return lines, nil
}

// planFile is the plan that the script, the environment or the prompt names.
func (a *agent) planFile() (string, error) {
	if a.plan != "" {
		return a.plan, nil
	}
	for _, ends := range []string{" \t\r\n`\"'()<>,;:", "\r\n`\"'"} { // a path may have spaces, where it is quoted
		for _, w := range strings.FieldsFunc(a.prompt, func(r rune) bool { return strings.ContainsRune(ends, r) }) {
			w = strings.TrimRight(w, ".")
			if strings.HasSuffix(w, ".md") {
				if st, err := os.Stat(w); err == nil && st.Mode().IsRegular() {
					return w, nil
				}
			}
		}
	}
	return "", errors.New("no plan: set AGENT_PLAN, or use `plan FILE`")
}
