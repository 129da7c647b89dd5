package convert

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// reader reads one format.
type reader struct {
	format Format
	doc    string                        // for the list of formats
	detect func(in *Input) (int, string) // how sure it is, 0–100, and why
	read   func(s *Source, in *Input, o Options) error
}

// readers are asked in this order; of equally sure ones the first is taken.
var readers = []reader{
	{OpenSpec, "change folder: tasks.md, with proposal.md, design.md and specs/ beside it", detectOpenSpec, readOpenSpec},
	{SpecKit, "tasks.md with T001, [P], [US1]; spec.md and plan.md beside it", detectSpecKit, readSpecKit},
	{Kiro, "tasks.md with 1.1 and _Requirements: …_; requirements.md and design.md beside it", detectKiro, readKiro},
	{Superpowers, "### Task N, - [ ] **Step 1: …**, Files blocks", detectSuperpowers, readSuperpowers},
	{TaskMaster, "tasks.json with tags, subtasks, dependencies", detectTaskMaster, readTaskMaster},
	{Ralph, ".ralph/tasks.json", detectRalph, readRalph},
	{Todos, "todo list of a coding agent: JSON, a folder of it, or ☐ ☒ lines", detectTodos, readTodos},
	{Issue, "issue as Markdown, or the JSON of `gh issue view --json title,body,labels` and glab", detectIssue, readIssue},
	{PlanFormat, "a plan of ours, strict or not", detectPlan, readPlan},
	{JSONFormat, "what `convert --to json` and `show --json` print", detectJSON, readJSON},
	{List, "any Markdown list: boxes, numbers or bullets below headings", detectList, readList},
	{Prose, "any other text: each paragraph becomes a box", detectProse, readProse},
}

// Known is a format that can be read.
type Known struct {
	Format Format
	Doc    string
}

// Formats lists what can be read.
func Formats() []Known {
	out := make([]Known, len(readers))
	for i, r := range readers {
		out[i] = Known{r.format, r.doc}
	}
	return out
}

// Guess is one reader's opinion of an input.
type Guess struct {
	Format Format
	Sure   int // 0–100
	Why    string
}

// Detect asks all readers. The first guess is the one that is taken.
func Detect(in *Input) []Guess {
	var out []Guess
	for _, r := range readers {
		sure, why := r.detect(in)
		if sure == 0 {
			continue
		}
		g := Guess{r.format, sure, why}
		at := len(out)
		for at > 0 && out[at-1].Sure < sure {
			at--
		}
		out = append(out[:at], append([]Guess{g}, out[at:]...)...)
	}
	return out
}

// UnknownError says that no reader knows an input, or that the named one can't read it.
type UnknownError struct {
	Format Format // "" = none was named
	Reason string
	Next   string // what to do, where naming the format doesn't help
}

func (e *UnknownError) Error() string {
	if e.Format == "" {
		return "no known format: " + e.Reason
	}
	return fmt.Sprintf("not %s: %s", e.Format, e.Reason)
}

// Hint says what to do.
func (e *UnknownError) Hint() string {
	if e.Next != "" {
		return e.Next
	}
	return "name the format with --from; `ralphex convert --help` lists them"
}

// read finds the reader and lets it read.
func (in *Input) read(o Options) (*Source, error) {
	if in.main != nil {
		if err := in.main.mustBeText(); err != nil {
			return nil, err
		}
	}
	format, why := o.From, "as --from says"
	if format == "" {
		guesses := Detect(in)
		if len(guesses) == 0 {
			return nil, &UnknownError{Reason: in.unknown()}
		}
		format, why = guesses[0].Format, guesses[0].Why
	}
	for _, r := range readers {
		if r.format != format {
			continue
		}
		s := &Source{Format: format, Why: why}
		if err := r.read(s, in, o); err != nil {
			return nil, err
		}
		return s, nil
	}
	return nil, &UnknownError{Format: format, Reason: "there is no such format"}
}

func (in *Input) unknown() string {
	switch {
	case in.Folder:
		return "the folder has no tasks.md, no tasks.json and no todo list"
	case strings.TrimSpace(clean(in.main.text)) == "":
		return "it is empty"
	case looksJSON(in.main.text):
		if _, err := parseJSON(in.main.text); err != nil {
			return err.Error()
		}
		return "JSON of a shape that is not known"
	}
	return "it has no text"
}

var errNoFile = errors.New("a folder can't be read as this format: name a file of it")

// the main file, or one of the folder by its name.
func (in *Input) pick(names ...string) (*File, error) {
	if in.main != nil {
		return in.main, nil
	}
	for _, n := range names {
		if f, err := in.file(n); f != nil || err != nil {
			return f, err
		}
	}
	return nil, errNoFile
}

// fixedNames are files whose folder says more than they do.
var fixedNames = map[string]bool{"tasks.md": true, "tasks.json": true, "proposal.md": true, "todo.md": true, "todos.md": true, "plan.md": true, "issue.md": true}

// name is what the source is called.
func (in *Input) name(f *File) string {
	if (in.Folder || f != nil && fixedNames[strings.ToLower(path.Base(f.Path))]) && in.home != "" {
		return titleFromName(in.home)
	}
	return titleFromName(in.Name)
}

// markdownText is the text of a Markdown input, "" for JSON and for folders without that file.
func (in *Input) markdownText(name string) string {
	t := in.peek(name)
	if looksJSON(t) {
		return ""
	}
	return t
}

// readAside reads a file beside the main one into one section; nothing if there is none.
func (s *Source) readAside(in *Input, file string, name SectionName) error {
	f, err := in.file(file)
	if f == nil || err != nil {
		return err
	}
	o := s.readOutline(f)
	switch t := s.titled(o.title); {
	case t == "":
	case strings.Contains(s.Title, t):
		s.Counted = append(s.Counted, words(t)...)
	default:
		s.add(name, f.Path, 1, "### "+t)
	}
	for i := range o.parts {
		p := &o.parts[i]
		text := markdown(p.blocks, 0)
		if p.text != "" {
			text = strings.TrimSpace(strings.Repeat("#", min(p.level+1, 6)) + " " + p.text + "\n\n" + text)
		}
		s.add(name, f.Path, p.line, text)
	}
	return nil
}
