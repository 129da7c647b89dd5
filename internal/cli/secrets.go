package cli

import (
	"io"
	"slices"
	"strings"
	"sync"

	"ralphex/internal/config"
	"ralphex/internal/redact"
	"ralphex/pkg/event"
)

// secrets keeps secrets out of what a run writes down. Every fact goes through it on its way to the bus, and so to journal,
// progress file and terminal; the outputs of validation commands on their way into files. Transcripts have the same net in the
// executor.
//
// What names something that is looked up again (a plan, a branch, a path, a revision, a task) stays as it is: it comes from the
// repository, which has it anyway.
type secrets struct {
	redactor *redact.Redactor

	mu    sync.Mutex
	texts map[event.Source]*redact.Text // of the outputs, which come in pieces
}

func newSecrets(env []string, cfg *config.Config) *secrets {
	return &secrets{redactor: redact.New(env, configured(cfg)...), texts: map[event.Source]*redact.Text{}}
}

// configured are the secrets that the settings hold.
func configured(cfg *config.Config) []string {
	var values []string
	for _, k := range config.Keys() {
		if k.Secret {
			values = append(values, strings.Split(cfg.Value(k.Name), ",")...)
		}
	}
	return values
}

// Pass hands the fact to emit without secrets. Of Output it may hold back the end, until more comes or a fact that ends the text.
func (s *secrets) Pass(d event.Data, emit func(event.Data)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, ok := d.(event.Output); ok {
		s.output(o, d, emit)
		return
	}
	if event.EndsText(d) {
		for _, source := range []event.Source{event.FromAgent, event.FromStderr, event.FromTool, event.FromCommand} {
			if t := s.texts[source]; t != nil {
				s.show(source, t.Rest(), emit)
			}
		}
	}
	emit(s.clean(d))
}

// output takes an Output, as which d is handed on where nothing is to be changed.
func (s *secrets) output(o event.Output, d event.Data, emit func(event.Data)) {
	t := s.texts[o.Source]
	if t == nil {
		t = s.redactor.Text()
		s.texts[o.Source] = t
	}
	text, end := t.Add(o.Text), ""
	if !o.Partial {
		if end = t.Add("\n"); end == "\n" {
			if text != o.Text {
				d = event.Output{Text: text, Source: o.Source}
			}
			emit(d)
			return
		}
	}
	s.show(o.Source, text+end, emit)
}

func (s *secrets) show(source event.Source, text string, emit func(event.Data)) {
	if text != "" {
		line, whole := strings.CutSuffix(text, "\n")
		emit(event.Output{Text: line, Source: source, Partial: !whole})
	}
}

// clean takes secrets out of what agents, commands and their errors say.
func (s *secrets) clean(d event.Data) event.Data {
	safe := s.redactor.String
	switch d := d.(type) {
	case event.SessionStart:
		d.Argv = slices.Clone(d.Argv)
		for i, arg := range d.Argv {
			d.Argv[i] = safe(arg)
		}
		return d
	case event.SessionEnd:
		d.Cause, d.Message = safe(d.Cause), safe(d.Message)
		return d
	case event.RunEnd:
		d.Reason = safe(d.Reason)
		return d
	case event.PhaseEnd:
		d.Err = safe(d.Err)
		return d
	case event.TaskEnd:
		d.Reason = safe(d.Reason)
		return d
	case event.Finding:
		d.Text, d.Reason = safe(d.Text), safe(d.Reason)
		return d
	case event.Opinion:
		d.Text = safe(d.Text)
		return d
	case event.ReviewRound:
		d.Words = safe(d.Words)
		return d
	case event.Claimed:
		d.Payload, d.Problem = safe(d.Payload), safe(d.Problem)
		return d
	case event.Tick:
		d.Text = safe(d.Text)
		return d
	case event.GateCommand:
		d.Cause, d.Tail = safe(d.Cause), safe(d.Tail)
		return d
	case event.Commit:
		d.Message = safe(d.Message)
		return d
	case event.Survivor:
		d.Command = safe(d.Command)
		return d
	case event.Note:
		d.Text, d.Hint = safe(d.Text), safe(d.Hint)
		return d
	case event.Wait:
		d.Reason = safe(d.Reason)
		return d
	case event.Kept:
		d.Why = safe(d.Why)
		return d
	case event.Order:
		d.Text = safe(d.Text)
		return d
	case event.Asked:
		d.Question, d.Answer, d.Context = safe(d.Question), safe(d.Answer), safe(d.Context)
		d.Options = slices.Clone(d.Options)
		for i, o := range d.Options {
			d.Options[i] = safe(o)
		}
		return d
	case event.Draft:
		d.Text = safe(d.Text)
		return d
	case event.DraftReview:
		d.Feedback = safe(d.Feedback)
		return d
	}
	return d
}

// Writer is the net for a file.
func (s *secrets) Writer(w io.Writer) io.WriteCloser { return s.redactor.Writer(w) }
