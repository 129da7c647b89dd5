package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// answer is one thing said beforehand. Exactly one field is set.
type answer struct {
	Option int    `json:"option,omitempty"` // 1-based, of a question
	Text   string `json:"text,omitempty"`   // words of one's own, to a question
	Accept bool   `json:"accept,omitempty"`
	Revise string `json:"revise,omitempty"`
	Reject bool   `json:"reject,omitempty"`
}

// check tells what is wrong with it.
func (a answer) check() error {
	n := 0
	for _, set := range []bool{a.Option != 0, a.Text != "", a.Accept, a.Revise != "", a.Reject} {
		if set {
			n++
		}
	}
	if n != 1 {
		return errors.New(`one of these is expected: {"option": 1}, {"text": "…"}, {"accept": true}, {"revise": "…"}, {"reject": true}`)
	}
	return nil
}

// answers gives out answers in their order: JSON values, or lines. They are read when they are needed, so that whoever writes them may wait
// for the question.
type answers struct {
	from string // for messages: a file's name, "standard input", "the command line"
	n    int    // given out so far
	next func() (answer, error)
}

// given are answers that are there already.
func given(from string, list ...answer) *answers {
	return &answers{from: from, next: func() (answer, error) {
		if len(list) == 0 {
			return answer{}, io.EOF
		}
		a := list[0]
		list = list[1:]
		return a, nil
	}}
}

// openAnswers opens a file of answers, or standard input. A file is read whole, so that a mistake in it is told before anything runs.
func openAnswers(p *Proc, name string) (*answers, error) {
	if name == "-" {
		if interactive(p) {
			return nil, usage(errors.New("--answers -: standard input is a terminal, where you are asked anyway"), "leave --answers out, or name a file")
		}
		return &answers{from: "standard input", next: reading(oneByte{p.In})}, nil
	}
	text, err := os.ReadFile(absolute(p.Dir, name))
	if err != nil {
		return nil, usage(fmt.Errorf("--answers: %w", err), "")
	}
	var list []answer
	next := reading(bytes.NewReader(text))
	for {
		a, err := next()
		if errors.Is(err, io.EOF) {
			return given(name, list...), nil
		}
		if err != nil {
			return nil, usage(fmt.Errorf("%s: answer %d: %w", name, len(list)+1, err), "docs/create.md shows both forms")
		}
		list = append(list, a)
	}
}

// reading reads answers from a stream that begins with [ or { as JSON, else as lines.
func reading(r io.Reader) func() (answer, error) {
	in := bufio.NewReaderSize(r, 16)
	var dec *json.Decoder
	begun := false
	return func() (answer, error) {
		if !begun {
			begun = true
			first, err := firstByte(in)
			if err != nil {
				return answer{}, err
			}
			if first == '[' || first == '{' {
				dec = json.NewDecoder(in)
				dec.DisallowUnknownFields()
			}
			if first == '[' {
				if _, err := dec.Token(); err != nil {
					return answer{}, err
				}
			}
		}
		if dec == nil {
			return lineAnswer(in)
		}
		if !dec.More() {
			return answer{}, io.EOF
		}
		var a answer
		if err := dec.Decode(&a); err != nil {
			return answer{}, err
		}
		return a, a.check()
	}
}

// firstByte looks at the first byte that is no blank.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(b)) {
			return b, in.UnreadByte()
		}
	}
}

// lineAnswer reads a line: accept, reject, revise: TEXT; a number or other words answer a question. Empty lines are passed over.
func lineAnswer(in *bufio.Reader) (answer, error) {
	for {
		line, err := in.ReadString('\n')
		text := strings.TrimSpace(line)
		if text == "" && err != nil {
			return answer{}, err
		}
		if text == "" {
			continue
		}
		return wordsAnswer(text), nil
	}
}

func wordsAnswer(text string) answer {
	head, rest, colon := strings.Cut(text, ":")
	switch word := strings.ToLower(strings.TrimSpace(head)); {
	case !colon && word == "accept":
		return answer{Accept: true}
	case !colon && word == "reject":
		return answer{Reject: true}
	case colon && word == "revise" && strings.TrimSpace(rest) != "":
		return answer{Revise: strings.TrimSpace(rest)}
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return answer{Option: n}
	}
	return answer{Text: text}
}

// prepared answers with what was said beforehand; when there is no more, then is asked.
type prepared struct {
	answers *answers
	then    phase.InputCollector // nil = nobody
}

// take is the next answer; ok is false if there is none. Reading may last, so the end of ctx ends it.
func (p *prepared) take(ctx context.Context) (a answer, ok bool, err error) {
	type taken struct {
		a   answer
		err error
	}
	got := make(chan taken, 1)
	go func() { // ends with the answer, or with the process
		a, err := p.answers.next()
		got <- taken{a, err}
	}()
	select {
	case t := <-got:
		p.answers.n++
		if errors.Is(t.err, io.EOF) {
			return answer{}, false, nil
		}
		if t.err != nil {
			return answer{}, false, p.wrong(t.err.Error())
		}
		return t.a, true, nil
	case <-ctx.Done():
		return answer{}, false, context.Cause(ctx)
	}
}

func (p *prepared) wrong(why string) error {
	return usage(fmt.Errorf("%s: answer %d: %s", p.answers.from, p.answers.n, why), "mend it and run the same command: what was asked waits; docs/create.md shows both forms")
}

// AskQuestion takes a number of an option, its text, or words.
func (p *prepared) AskQuestion(ctx context.Context, q event.Asked) (string, error) {
	a, ok, err := p.take(ctx)
	switch {
	case err != nil:
		return "", err
	case !ok && p.then != nil:
		return p.then.AskQuestion(ctx, q)
	case !ok:
		return "", phase.ErrNoPerson
	case a.Option > len(q.Options):
		return "", p.wrong(fmt.Sprintf("option %d, but the question %q has %d", a.Option, q.Question, len(q.Options)))
	case a.Option > 0:
		return q.Options[a.Option-1], nil
	case a.Text != "":
		if i := slices.IndexFunc(q.Options, func(o string) bool { return strings.EqualFold(o, a.Text) }); i >= 0 {
			return q.Options[i], nil
		}
		return a.Text, nil
	}
	return "", p.wrong(fmt.Sprintf("it is about a draft, but a question waits: %q", q.Question))
}

// AskDraftReview takes a decision.
func (p *prepared) AskDraftReview(ctx context.Context, d event.Draft, before string) (event.DraftReview, error) {
	a, ok, err := p.take(ctx)
	switch {
	case err != nil:
		return event.DraftReview{}, err
	case !ok && p.then != nil:
		return p.then.AskDraftReview(ctx, d, before)
	case !ok:
		return event.DraftReview{}, phase.ErrNoPerson
	case a.Accept:
		return event.DraftReview{Action: event.Accept}, nil
	case a.Reject:
		return event.DraftReview{Action: event.Reject}, nil
	case a.Revise != "":
		return event.DraftReview{Action: event.Revise, Feedback: a.Revise}, nil
	}
	return event.DraftReview{}, p.wrong("it answers a question, but a draft waits for accept, revise or reject")
}
