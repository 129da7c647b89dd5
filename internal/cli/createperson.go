package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralphex/internal/term"
	"ralphex/internal/textdiff"
	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// ownWords is the last choice of each question, in the words of the public ralphex.
const ownWords = "Other (type your own answer)"

// person asks who sits at the terminal: numbered lists and lines, which a screen reader can read and a pasted text can answer.
type person struct{ run *running }

// AskQuestion shows a question and its options.
func (p *person) AskQuestion(ctx context.Context, q event.Asked) (answer string, err error) {
	err = p.aside(ctx, func(w io.Writer) error {
		fmt.Fprintln(w)
		if q.Context != "" {
			fmt.Fprintln(w, term.Clean(q.Context))
		}
		fmt.Fprintln(w, term.Clean(q.Question))
		options := slices.DeleteFunc(slices.Clone(q.Options), func(o string) bool { return o == ownWords })
		n, err := p.choose(ctx, w, append(options, ownWords))
		if err != nil {
			return err
		}
		if n < len(options) {
			answer = options[n]
			return nil
		}
		answer, err = p.words(ctx, w, "Enter your answer: ")
		for err == nil && answer == "" {
			answer, err = p.words(ctx, w, "Enter your answer (it must not be empty): ")
		}
		return err
	})
	return answer, err
}

// The choices about a draft.
const (
	choiceAccept = iota
	choiceRevise
	choiceEdit
	choiceReject
	choiceCompare
)

// AskDraftReview shows a draft until the person has decided.
func (p *person) AskDraftReview(ctx context.Context, d event.Draft, before string) (review event.DraftReview, err error) {
	err = p.aside(ctx, func(w io.Writer) error {
		p.show(w, d)
		choices := []string{"Accept", "Revise", "Interactive review", "Reject"}
		if before != "" {
			choices = append(choices, "Show what changed since the draft before")
		}
		for review.Action == "" {
			n, err := p.choose(ctx, w, choices)
			if err != nil {
				return err
			}
			switch n {
			case choiceAccept:
				review.Action = event.Accept
			case choiceReject:
				review.Action = event.Reject
			case choiceRevise:
				if review.Feedback, err = p.words(ctx, w, "Enter revision feedback: "); err != nil {
					return err
				}
			case choiceEdit:
				if review.Feedback, err = p.edit(ctx, w, d.Text); err != nil {
					return err
				}
			case choiceCompare:
				p.compare(w, before, d.Text)
			}
			if review.Feedback != "" {
				review.Action = event.Revise
			}
		}
		return nil
	})
	return review, err
}

// show draws the draft, and what is wrong with its form.
func (p *person) show(w io.Writer, d event.Draft) {
	title := fmt.Sprintf("━━━ Plan Draft %d ━━━", d.N)
	fmt.Fprintf(w, "\n%s\n%s\n%s\n", title, strings.TrimRight(p.run.face.tio.Markdown(d.Text), "\n"), strings.Repeat("━", len([]rune(title))))
	list(w, "rules of the format that it breaks:", d.Problems)
}

// compare shows the difference of two drafts.
func (p *person) compare(w io.Writer, before, now string) {
	diff := textdiff.Unified("before", "now", before, now, 3)
	if diff == "" {
		fmt.Fprintln(w, "nothing: both drafts are the same")
		return
	}
	fmt.Fprintln(w, p.run.face.tio.Diff(diff))
}

// edit has the person change the draft in their editor; what they changed is the feedback. Empty = they changed nothing, or the editor
// could not be used, which is told.
func (p *person) edit(ctx context.Context, w io.Writer, text string) (string, error) {
	defer p.run.elsewhere.busy()()
	edited, err := editText(ctx, p.run.proc, "ralphex-plan-*.md", text)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		fmt.Fprintln(w, err)
		return "", nil
	case edited == text:
		fmt.Fprintln(w, "nothing was changed")
		return "", nil
	}
	return "I edited the draft. This is what I changed, added or noted in it, as a unified diff of your draft and my text. Take the changes over as they are, and do what the notes ask for:\n\n" +
		textdiff.Unified("original", "annotated", text, edited, 2), nil
}

// choose shows a numbered list and returns the index of the choice. Its beginning will do, too.
func (p *person) choose(ctx context.Context, w io.Writer, choices []string) (int, error) {
	p.run.proc.afresh()
	for i, c := range choices {
		fmt.Fprintf(w, "  %d) %s\n", i+1, term.Clean(c))
	}
	for {
		line, err := p.words(ctx, w, fmt.Sprintf("Enter number (1-%d): ", len(choices)))
		if err != nil {
			return 0, err
		}
		if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(choices) {
			return n - 1, nil
		}
		if i := slices.IndexFunc(choices, func(c string) bool { return strings.EqualFold(c, line) }); i >= 0 {
			return i, nil
		}
		fmt.Fprintf(w, "not one of 1 to %d: %s\n", len(choices), term.Clean(line))
	}
}

// words asks for a line.
func (p *person) words(ctx context.Context, w io.Writer, prompt string) (string, error) {
	fmt.Fprint(w, prompt)
	line, err := p.run.proc.lines().next(ctx)
	if err != nil {
		return "", endOfInput(err)
	}
	return strings.TrimSpace(line), nil
}

// endOfInput makes "nobody is there" of Ctrl+D: what was asked waits, and can be answered later.
func endOfInput(err error) error {
	if errors.Is(err, io.EOF) {
		return phase.ErrNoPerson
	}
	return err
}

// aside talks to the person when everything that happened so far is on the screen.
func (p *person) aside(ctx context.Context, f func(w io.Writer) error) error {
	p.run.face.seen.until(ctx, p.run.bus.Last(), 5*time.Second)
	if p.run.face.screen == nil {
		return f(p.run.proc.Err)
	}
	return p.run.face.screen.Aside(func() error { return f(p.run.proc.Err) })
}
