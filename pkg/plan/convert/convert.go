package convert

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ralphex/pkg/plan/check"
)

// Target is what is written.
type Target string

// The targets.
const (
	ToPlan  Target = "plan"       // a strict plan, the default
	ToJSON  Target = "json"       // the model, docs/convert.md
	ToRalph Target = "tasks.json" // .ralph/tasks.json, version 2
)

// Options say how to convert. The zero value detects the format and writes a plan.
type Options struct {
	From     Format   // "" = detect
	To       Target   // "" = ToPlan
	Title    string   // instead of the source's
	Validate []string // more validation commands
	Tag      string   // of a Task Master file; "" = master, else the first
}

// Result is a conversion.
type Result struct {
	Format Format
	Why    string  // why it was taken for that format
	Source *Source // what the reader found, in the order of the plan
	Output []byte
	Losses []Loss // in the order of the source
	Boxes  []Box  // of a plan: where its items came from
	Files  []File // that were read
}

// Title is what the plan is called.
func (r *Result) Title() string { return r.Source.Title }

// ErrNothing says that a source has no work in it.
var ErrNothing = errors.New("nothing in it could be a task")

// ErrUnclean says that the written plan does not pass the check, which is a fault of this package.
var ErrUnclean = errors.New("the plan that was made does not pass `ralphex check`")

// Convert reads a source and writes it as a plan, or as Options.To says. The same source gives the same output.
func Convert(in *Input, o Options) (*Result, error) {
	s, err := in.read(o)
	if err != nil {
		return nil, fmt.Errorf("convert %s: %w", in.Name, err)
	}
	if o.Title != "" {
		s.Title = o.Title
	}
	if err := s.finish(in); err != nil {
		return nil, fmt.Errorf("convert %s: %w", in.Name, err)
	}
	r := &Result{Format: s.Format, Why: s.Why, Source: s, Files: in.Files()}
	switch o.To {
	case ToPlan, "":
		err = r.plan(in, o)
	case ToJSON:
		err = r.json(in, o)
	case ToRalph:
		err = r.ralph(in, o)
	default:
		err = fmt.Errorf("there is no target %q: take plan, json or tasks.json", o.To)
	}
	if err != nil {
		return nil, fmt.Errorf("convert %s: %w", in.Name, err)
	}
	return r, nil
}

// finish brings what a reader found into the shape that is written.
func (s *Source) finish(in *Input) error {
	if s.items() == 0 && !slices.ContainsFunc(s.Tasks, func(t Task) bool { return hasWord(t.Title + t.Intro) }) {
		return ErrNothing
	}
	if word, _, rest, ok := isTaskHeading(s.Title); ok { // a title must not look like a task
		s.Counted = append(s.Counted, words(word)...)
		s.Title = rest
	}
	if !hasWord(s.Title) {
		s.Title = titleFromName(in.Name)
	}
	s.chunk()
	s.distinct()
	return s.order()
}

// titleFromName makes a title of a file's name.
func titleFromName(name string) string {
	base := path.Base(strings.ReplaceAll(name, "\\", "/"))
	if ext := path.Ext(base); len(ext) < len(base) {
		base = strings.TrimSuffix(base, ext)
	}
	t := oneLine(strings.NewReplacer("-", " ", "_", " ", ".", " ").Replace(base))
	if !hasWord(t) || name == "-" {
		return "Plan"
	}
	r, size := utf8.DecodeRuneInString(t)
	return string(unicode.ToUpper(r)) + t[size:]
}

// maxRounds is how often a plan is written anew because a piece of the source did not pass the check.
const maxRounds = 60

// plan writes the strict plan.
func (r *Result) plan(in *Input, o Options) error {
	w := writer{s: r.Source, drop: map[string]string{}, extra: o.Validate, from: r.cameFrom()}
	for round := range maxRounds {
		out := w.render()
		bad := strictErrors(out)
		if len(bad) == 0 {
			r.Output, r.Boxes = out, w.boxes
			for _, id := range w.implied {
				r.Source.Counted = append(r.Source.Counted, words(id)...)
			}
			r.Losses = r.account(in, w.losses, string(out))
			return nil
		}
		if !w.dropFindings(bad, round > maxRounds/2) {
			f := bad[0]
			return fmt.Errorf("%w: line %d: %s: %s", ErrUnclean, f.Line, f.Rule, f.Message)
		}
	}
	return ErrUnclean
}

// dropFindings marks the piece that the first finding is about: what comes behind it may be its doing. Where that
// goes on for long, all of them. It reports whether there was one.
func (w *writer) dropFindings(bad []check.Finding, all bool) bool {
	found := false
	for _, f := range bad {
		if f.Line < 1 || f.Line > len(w.keys) || found && !all {
			continue
		}
		if key := w.keys[f.Line-1]; key != "" && w.drop[key] == "" {
			w.drop[key] = "a plan can't hold it: " + f.Message + " (" + f.Rule + ")"
			found = true
		}
	}
	return found
}

// cameFrom is the sentence about the source, which stands in the Context.
func (r *Result) cameFrom() string {
	s := r.Source
	if s.Format == PlanFormat || s.Format == JSONFormat {
		return ""
	}
	var names []string
	for _, f := range r.Files {
		name := "standard input"
		if f.Path != "-" {
			name = "`" + strings.ReplaceAll(oneLine(f.Path), "`", "'") + "`"
		}
		names = append(names, name)
	}
	return "Converted from " + strings.Join(names, ", ") + " (" + string(s.Format) + ")."
}

// account gathers all losses.
func (r *Result) account(in *Input, written []Loss, out string) []Loss {
	losses := slices.Concat(r.Source.Losses, written)
	var units []unit
	for _, f := range in.files {
		units = append(units, unitsOf(f)...)
	}
	losses = append(losses, account(units, r.Source, losses, out)...)
	order := map[string]int{}
	for i, f := range in.files {
		order[f.Path] = i
	}
	for i := range losses {
		if losses[i].Path == "" {
			losses[i].Path = in.files[0].Path
		}
	}
	slices.SortStableFunc(losses, func(a, b Loss) int {
		if d := order[fileOf(a.Path)] - order[fileOf(b.Path)]; d != 0 {
			return d
		}
		return a.Line - b.Line
	})
	return losses
}

// fileOf is the file of a place in it.
func fileOf(p string) string {
	name, _, _ := strings.Cut(p, "#")
	return name
}

// unitsOf are the words of a file, by what it is.
func unitsOf(f *File) []unit {
	if looksJSON(f.text) {
		if v, err := parseJSON(f.text); err == nil {
			return jsonUnits(f, v)
		}
	}
	return markdownUnits(f)
}
