package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"ralphex/pkg/plan/convert"
	"ralphex/pkg/plan/format"
	"ralphex/pkg/plan/origin"
)

type convertCmd struct {
	Source []string `arg:"" optional:"" help:"File or folder to convert; - is stdin."`

	Output     string   `short:"o" help:"File to write, - is stdout (default: YYYYMMDD-<title>.md in the plans folder)." placeholder:"FILE"`
	From       string   `help:"Format of the source, if it is taken for another one." placeholder:"FORMAT"`
	To         string   `help:"plan, json (the model) or tasks.json (.ralph, version 2); the last two go to stdout." enum:"plan,json,tasks.json" default:"plan" placeholder:"TARGET"`
	Title      string   `help:"Title of the plan, instead of the source's." placeholder:"TEXT"`
	Validate   []string `help:"Validation command that the source does not name; may be given again." placeholder:"CMD" sep:"none"`
	Tag        string   `help:"Tag of a Task Master file (default: master, or the first)." placeholder:"NAME"`
	Sync       bool     `help:"Remember where each box came from, so that ticks can go back there (docs/sync.md)."`
	FailOnLoss bool     `help:"Write nothing and exit 1 if the plan can't say all of the source."`
	JSON       bool     `name:"json" help:"Report as JSON: what was written, and each loss."`

	convertedFlags `embed:""`
}

// Help lists the formats, and shows examples.
func (convertCmd) Help() string {
	var b strings.Builder
	b.WriteString(`Examples:
  ralphex convert openspec/changes/add-rate-limit
  ralphex convert specs/001-albums/tasks.md --validate 'pytest -q'
  gh issue view 12 --json title,body,labels | ralphex convert -
  ralphex convert TODO.md -o - | less
  ralphex convert docs/plans/feature.md --to tasks.json

No model is asked: the same source gives the same plan, and it passes ralphex check. What a plan can't say is told on stderr with its
line in the source. Nothing is ever overwritten: a name that is taken gets -v2, and -o FILE is refused.
Exit codes: 0, 1 losses with --fail-on-loss, 2 a source that can't be converted (unknown, empty, dependencies in a circle).

Formats for --from (docs/convert.md):
`)
	for _, f := range convert.Formats() {
		fmt.Fprintf(&b, "  %-12s %s\n", f.Format, f.Doc)
	}
	return b.String()
}

// Run converts a source, or looks after plans that were converted.
func (c convertCmd) Run(ctx context.Context, p *Proc, g *root) error {
	if c.given() {
		return c.run(ctx, p, g, c.Source)
	}
	if len(c.Source) != 1 {
		return usage(errors.New("convert takes one source"), "ralphex convert FILE, a folder, or - for stdin")
	}
	top, plans, err := projectPlaces(ctx, p, g)
	if err != nil {
		return err
	}
	toStdout := c.Output == "-" || c.Output == "" && c.To != "plan"
	if toStdout && c.JSON {
		return usage(errors.New("--json reports on stdout, where the result goes, too"), "name a file with -o FILE")
	}
	in, err := c.open(p, top)
	if err != nil {
		return err
	}
	r, err := convert.Convert(in, convert.Options{From: convert.Format(c.From), To: convert.Target(c.To), Title: c.Title, Validate: c.Validate, Tag: c.Tag})
	if err != nil {
		return convertError(err)
	}
	if c.To == "plan" {
		if err := c.remember(p, top, r); err != nil {
			return err
		}
	}
	if c.FailOnLoss && len(r.Losses) > 0 {
		if err := c.report(p, top, r, ""); err != nil {
			return err
		}
		return hinted(fmt.Errorf("%d %s of the source can't be said in the result; nothing was written", len(r.Losses), plural(len(r.Losses), "piece", "pieces")),
			"change the source, or leave --fail-on-loss out")
	}
	if toStdout {
		if _, err := p.Out.Write(r.Output); err != nil {
			return fmt.Errorf("print the result: %w", err)
		}
		return c.report(p, top, r, "-")
	}
	path, err := newCmd{Output: c.Output}.write(p, plans, format.FileName(r.Title(), time.Now()), r.Output)
	if err != nil {
		return err
	}
	return c.report(p, top, r, path)
}

// open reads the source. It is shown as it is called from the top of the project, wherever the person stands.
func (c convertCmd) open(p *Proc, top string) (*convert.Input, error) {
	arg := c.Source[0]
	if arg == "-" {
		if c.Sync {
			return nil, usage(errors.New("--sync needs a file that ticks can go back to"), "name the file instead of -")
		}
		in, err := convert.Read("-", p.In)
		if errors.Is(err, convert.ErrTooBig) {
			err = usage(err, "")
		}
		return in, err
	}
	path := absolute(p.Dir, arg)
	in, err := convert.OpenAs(path, sourceName(top, path, arg))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage(fmt.Errorf("there is no source %s", arg), "give a file or a folder, relative to this folder")
	case err != nil:
		return nil, usage(err, "")
	}
	return in, nil
}

// sourceName is the path of a source from the top, or as it was given where it lies elsewhere.
func sourceName(top, path, arg string) string {
	rel, err := filepath.Rel(top, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || rel == "." {
		return filepath.ToSlash(arg)
	}
	return filepath.ToSlash(rel)
}

// convertError makes errors of the source exit 2.
func convertError(err error) error {
	var unknown *convert.UnknownError
	var cycle *convert.CycleError
	if errors.As(err, &unknown) || errors.As(err, &cycle) || errors.Is(err, convert.ErrNothing) || errors.Is(err, convert.ErrTooBig) {
		return usage(err, hintOf(err))
	}
	return err
}

// remember notes the sources at the end of the plan and, with --sync, where each box came from.
func (c convertCmd) remember(p *Proc, top string, r *convert.Result) error {
	var files []origin.File
	index := map[string]int{}
	for _, f := range r.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) || f.Path == "-" {
			continue // elsewhere than below the top: there is no path that others could follow
		}
		if abs := filepath.Join(top, filepath.FromSlash(f.Path)); sourceName(top, abs, "") != f.Path {
			continue
		}
		index[f.Path] = len(files)
		files = append(files, origin.File{Path: f.Path, Format: string(r.Format), Content: f.Data})
	}
	if len(files) == 0 {
		if c.Sync {
			return usage(errors.New("--sync needs a source below the top of the project"), "convert it from there")
		}
		return nil
	}
	var links []origin.Link
	if c.Sync {
		for _, b := range r.Boxes {
			i, ok := index[b.Origin.Path]
			object := b.Origin.Offset < 0 && b.Origin.ID != "" && knownSources.Takes(string(r.Format))
			switch {
			case !ok:
			case object:
				links = append(links, origin.Link{File: i, Line: b.Origin.Line, Task: b.Task, Text: b.Text, ID: b.Origin.ID})
			case b.Origin.Offset >= 0:
				links = append(links, origin.Link{File: i, Line: b.Origin.Line, Task: b.Task, Text: b.Text})
			}
		}
		if len(links) == 0 {
			for _, f := range files {
				if err := (origin.Source{Path: f.Path, Format: f.Format}).Writable(top, knownSources); errors.Is(err, origin.ErrStore) {
					return usage(fmt.Errorf("--sync: %w", err), "leave --sync out; docs/sync.md says what can be synchronized")
				}
			}
			return usage(fmt.Errorf("%s has no boxes that could be ticked", c.Source[0]), "leave --sync out; docs/sync.md says what can be synchronized")
		}
	}
	record, unlinked := origin.New(files, links)
	for _, l := range unlinked {
		fmt.Fprintf(p.Err, "note: ticks of %q can't go back to line %d\n", l.Text, l.Line)
	}
	r.Output = append(r.Output, "\n"+record.Comment()...)
	return nil
}

// convertReport is what --json prints.
type convertReport struct {
	Version int            `json:"version"`
	Format  string         `json:"format"`
	Why     string         `json:"why"`
	Title   string         `json:"title"`
	Output  string         `json:"output"` // "" = nothing was written
	Tasks   int            `json:"tasks"`
	Items   int            `json:"items"`
	Losses  []convert.Loss `json:"losses"`
}

// report tells what was written where, and what could not be said. Losses go to stderr.
func (c convertCmd) report(p *Proc, top string, r *convert.Result, path string) error {
	losses := make([]convert.Loss, 0, len(r.Losses))
	for _, l := range r.Losses {
		if l.Path != "-" && filepath.IsLocal(filepath.FromSlash(l.Path)) {
			l.Path = filepath.ToSlash(relative(p.Dir, filepath.Join(top, filepath.FromSlash(l.Path))))
		}
		losses = append(losses, l)
		fmt.Fprintf(p.Err, "loss: %s\n", lossLine(l))
	}
	shown := path
	if path != "" && path != "-" {
		shown = relative(p.Dir, path)
	}
	items := 0
	for _, t := range r.Source.Tasks {
		items += len(t.Items)
	}
	if c.JSON {
		enc := json.NewEncoder(p.Out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(convertReport{1, string(r.Format), r.Why, r.Title(), shown, len(r.Source.Tasks), items, losses})
	}
	fmt.Fprintf(p.Err, "read as %s: %s; %d %s, %d %s\n", r.Format, r.Why, len(r.Source.Tasks), plural(len(r.Source.Tasks), "task", "tasks"), items, plural(items, "item", "items"))
	if path != "" && path != "-" {
		fmt.Fprintln(p.Out, shown)
		if c.To == "plan" && len(r.Source.Commands)+len(c.Validate) == 0 {
			fmt.Fprintln(p.Err, "note: the source names no validation commands, so tasks will be done unproven; add them with --validate CMD, or in the plan")
		}
	}
	return nil
}

// lossLine is a loss on one line, with its place first, as editors find it.
func lossLine(l convert.Loss) string {
	text := strings.Join(strings.Fields(l.Text), " ")
	if r := []rune(text); len(r) > 100 {
		text = string(r[:99]) + "…"
	}
	place := l.Path
	if rest, ok := strings.CutPrefix(place, "-"); ok && (rest == "" || rest[0] == '#') {
		place = "stdin" + rest
	}
	if l.Line > 0 {
		place += fmt.Sprintf(":%d", l.Line)
	}
	return fmt.Sprintf("%s: %q: %s", place, text, l.Why)
}
