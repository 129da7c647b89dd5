package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/control"
	"ralphex/internal/journal"
	"ralphex/pkg/event"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
)

type answerCmd struct {
	Name   string  `arg:"" optional:"" name:"run" help:"The run, or the beginning of its id (default: the newest that makes a plan)."`
	Option int     `help:"Take this option of the question, from 1 on." placeholder:"N" xor:"what"`
	Text   *string `help:"Answer the question in words; - reads them from standard input." placeholder:"TEXT" xor:"what"`
	Accept bool    `help:"Accept the draft: it is written." xor:"what"`
	Revise *string `help:"Say what is to be another way; - reads it from standard input." placeholder:"TEXT" xor:"what"`
	Reject bool    `help:"Reject the draft: the run ends with 1." xor:"what"`
	JSON   bool    `name:"json" help:"Ask nobody, at a terminal either: print what waits next as JSON."`

	Implement *bool `name:"run" negatable:"" help:"Run the plan when it is written, without asking; --no-run: don't."`
	TrustRepo bool  `name:"trust-repo-config" help:"Obey commands that this repository's .ralphex/config names."`
}

// Help shows examples.
func (answerCmd) Help() string {
	return `Examples:
  ralphex answer                                  what waits, as JSON
  ralphex answer 20260129-153012 --option 2
  ralphex answer --text "in the gateway, not in the service"
  ralphex answer --revise - < notes.txt
  ralphex answer --accept --run

The run goes on until something waits again, which is printed as JSON, or until the plan is written. At a terminal you are asked there.

Exit codes: 0 the plan is written; 1 the draft was rejected, or it could not be made; 2 nothing waits, or not for such an answer;
3 something waits for an answer (docs/create.md).`
}

// Run answers.
func (c answerCmd) Run(ctx context.Context, p *Proc, g *root) error {
	repo, err := openRepo(ctx, p)
	if err != nil {
		return err
	}
	run, err := findCreation(repo.Root(), c.Name)
	if err != nil {
		return err
	}
	waits := phase.Waiting(run.Talk)
	a, said, err := c.answer(p)
	if err != nil {
		return err
	}
	living, err := livingRun(repo.Root(), string(run.Run))
	if err != nil {
		return err
	}
	if living != nil && waits == nil {
		return hinted(fmt.Errorf("run %s goes on, and asks nothing now", run.Run), "wait for its next question or draft; ralphex status shows what it does")
	}
	if waits == nil {
		return usage(fmt.Errorf("run %s waits for no answer: its sessions were cut off", run.Run), "go on with it: ralphex create "+shellQuote(run.Start.Request))
	}
	if !said {
		if err := printPending(p.Out, run.Run, waits); err != nil {
			return err
		}
		return &exitError{code: exitLeft}
	}
	if err := fits(a, waits); err != nil {
		return err
	}
	if living != nil {
		return c.tell(ctx, p, *living, a)
	}
	o := runOptions{configDir: g.ConfigDir, trustRepo: c.TrustRepo, mode: processor.ModePlan, plain: g.NoColor, create: creating{
		request: run.Start.Request, run: run.Run, answers: given("the command line", a), asks: !c.JSON && atTerminal(p)}}
	then := runOptions{configDir: g.ConfigDir, trustRepo: c.TrustRepo, mode: processor.ModeFull, plain: g.NoColor}
	return createPlan(ctx, p, o, then, c.Implement)
}

// tell answers a run that goes on: it asks at its own terminal, too, and the first answer counts.
func (c answerCmd) tell(ctx context.Context, p *Proc, run living, a answer) error {
	if err := aPersons(p, "answer", "what a run asks is a person's to answer: do it in a shell of your own"); err != nil {
		return err
	}
	if c.Implement != nil {
		return usage(fmt.Errorf("run %s goes on: what comes behind its plan is said where it was started", run.Run), "leave --run out")
	}
	q := control.Request{Order: control.Answer, Option: a.Option, Text: a.Text}
	switch {
	case a.Accept:
		q = control.Request{Order: control.Draft, Action: string(event.Accept)}
	case a.Reject:
		q = control.Request{Order: control.Draft, Action: string(event.Reject)}
	case a.Revise != "":
		q = control.Request{Order: control.Draft, Action: string(event.Revise), Feedback: a.Revise}
	}
	return steered{JSON: c.JSON}.order(ctx, p, run, q)
}

// answer is what the flags say; ok is false if they say nothing.
func (c answerCmd) answer(p *Proc) (a answer, ok bool, err error) {
	a = answer{Option: c.Option, Accept: c.Accept, Reject: c.Reject}
	for _, words := range []struct {
		flag string
		text *string
		to   *string
	}{{"--text", c.Text, &a.Text}, {"--revise", c.Revise, &a.Revise}} {
		if words.text == nil {
			continue
		}
		text, err := readText(p, *words.text, words.flag)
		if err != nil {
			return a, false, err
		}
		if text = strings.TrimSpace(text); text == "" {
			return a, false, usage(fmt.Errorf("%s is empty", words.flag), "")
		}
		if len(text) > mostDescription {
			return a, false, usage(fmt.Errorf("%s is longer than %d KiB", words.flag, mostDescription>>10), "put it into a file of the repository, and name that file")
		}
		*words.to = text
	}
	if c.Option < 0 {
		return a, false, usage(fmt.Errorf("--option %d: options are counted from 1", c.Option), "")
	}
	return a, a != answer{}, nil
}

// fits tells before anything runs whether the answer is one to what waits.
func fits(a answer, waits *phase.PendingError) error {
	q := waits.Question
	switch {
	case q == nil && (a.Option > 0 || a.Text != ""):
		return usage(fmt.Errorf("draft %d waits, and no question", waits.Draft.N), "--accept, --revise TEXT or --reject")
	case q != nil && a.Option == 0 && a.Text == "":
		return usage(fmt.Errorf("a question waits, and no draft: %s", q.Question), fmt.Sprintf("--option 1 to %d, or --text TEXT", len(q.Options)))
	case q != nil && a.Option > len(q.Options):
		return usage(fmt.Errorf("--option %d: the question has %d", a.Option, len(q.Options)), "--option 1 is: "+q.Options[0])
	}
	return nil
}

// findCreation finds a run that makes a plan and is not over; empty = the newest.
func findCreation(root, name string) (*journal.Resume, error) {
	runs, err := journal.ListRuns(filepath.Join(root, storeDir, "events"))
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(runs, func(a, b journal.Summary) int { return b.Started.Compare(a.Started) })
	for _, s := range runs {
		if s.Err != nil || s.Start.Mode != string(processor.ModePlan) || !strings.HasPrefix(string(s.Run), name) {
			continue
		}
		state, err := journal.Resumable(filepath.Dir(s.Path), s.Start.Plan, func(e event.RunStart) bool {
			return e.Mode == s.Start.Mode && e.Request == s.Start.Request
		})
		if err != nil {
			return nil, err
		}
		if state != nil && state.Run == s.Run && !phase.Rejected(state.Talk) {
			return state, nil
		}
		if name != "" {
			return nil, usage(fmt.Errorf("run %s makes no plan any more: it is over", s.Run), "ralphex create begins another one")
		}
	}
	if name != "" {
		return nil, usage(fmt.Errorf("no run %s that makes a plan", name), "ralphex status --all lists runs")
	}
	return nil, usage(errors.New("no run waits for an answer"), `ralphex create "what you want" begins one`)
}

// creationWords are the runs that wait, for completion.
func creationWords(ctx context.Context, p *Proc) []string {
	repo, err := openRepo(ctx, p)
	if err != nil {
		return nil
	}
	if run, err := findCreation(repo.Root(), ""); err == nil {
		return []string{string(run.Run)}
	}
	return nil
}
