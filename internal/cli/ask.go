package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/term"
)

// Why a question is not asked.
var (
	errNoTerminal = errors.New("this has to be confirmed, and there is no terminal to ask at")
	errNoInput    = errors.New("this has to be confirmed, and --no-input forbids to ask")
)

// interactive tells whether somebody is there to answer.
func interactive(p *Proc) bool {
	return !p.noInput && p.In != nil && term.IsTerminal(int(p.In.Fd()))
}

// nobodyToAsk is the error where something has to be asked and can't be; hint says how it is told without a question.
func nobodyToAsk(p *Proc, hint string) error {
	if p.noInput {
		return usage(errNoInput, hint)
	}
	return usage(errNoTerminal, hint)
}

// ask asks a question and returns the answer in small letters. The end of the input is an empty answer.
// command is what to type where nobody can be asked.
func ask(p *Proc, question, command string) (string, error) {
	if !interactive(p) {
		return "", nobodyToAsk(p, "add --yes when you have made sure: "+command)
	}
	fmt.Fprint(p.Err, question)
	line, err := readLine(p)
	if err != nil {
		return "", err
	}
	return strings.ToLower(strings.TrimSpace(line)), nil
}

// readLine reads one line; the end of the input is an empty one.
func readLine(p *Proc) (string, error) {
	line, err := p.lines().next(context.Background())
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the answer: %w", err)
	}
	return line, nil
}
