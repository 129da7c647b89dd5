package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ralphex/internal/control"
)

type noteCmd struct {
	Words []string `arg:"" name:"run text" help:"The text, or the run and the text; - reads the text from standard input. A run is named by its id, the beginning of that, or its plan (default: the only one that goes on)."`
	JSON  bool     `name:"json" help:"Print it as JSON."`
}

// Help says what it does.
func (noteCmd) Help() string {
	return `Examples:
  ralphex note "use the v2 API, the old one goes away"
  ralphex note docs/plans/feature.md "leave the migration to me"
  ralphex note 20260129-153012 - < hint.txt

The next session of the run gets the text in its prompt, once, whatever kind of session that is; the one that runs now does not. To have it heard at
once: ralphex pause, ralphex note, ralphex resume. The note stands in the journal, with who gave it, and survives a kill of the run until a session has got it.
See docs/control.md. Exit 1 if no such run goes on.`
}

// Run leaves the note.
func (c noteCmd) Run(ctx context.Context, p *Proc) error {
	if err := aPersons(p, "note", "a note is a person's: do it in a shell of your own"); err != nil {
		return err
	}
	name, text := "", c.Words[0]
	switch len(c.Words) {
	case 1:
	case 2:
		name, text = c.Words[0], c.Words[1]
	default:
		return usage(fmt.Errorf("a note is one text, and there are %d words", len(c.Words)), `put it into quotes: ralphex note "use the v2 API"`)
	}
	text, err := readText(p, text, "the note")
	if err != nil {
		return err
	}
	if text = strings.TrimSpace(text); text == "" {
		return usage(errors.New("the note is empty"), `ralphex note "what the next session is to know"`)
	}
	if len(text) > mostNote {
		return usage(fmt.Errorf("the note is longer than %d KiB", mostNote>>10), "put it into a file of the repository, and name that file")
	}
	repo, err := runsRepo(ctx, p)
	if err != nil {
		return err
	}
	run, err := pickLiving(repo, p.Dir, control.Note, name)
	if err != nil {
		return err
	}
	return steered{JSON: c.JSON}.order(ctx, p, run, control.Request{Order: control.Note, Text: text})
}

// mostNote bounds a note, in bytes: it goes into a prompt.
const mostNote = 64 << 10
