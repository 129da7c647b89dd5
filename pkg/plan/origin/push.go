package origin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
	"ralphex/pkg/plan"
)

// ErrMoved is what every MovedError is.
var ErrMoved = errors.New("the source changed under its boxes")

// ErrStore is returned for sources that are no Markdown and that no Store takes: a tick there is no matter of one byte.
var ErrStore = errors.New("ticks are written to Markdown boxes, and to task files that are known")

// Store writes ticks to sources whose tasks are objects.
type Store interface {
	// Takes tells whether sources of a format can be ticked.
	Takes(format string) bool
	// Tick marks objects of the file at path as done and returns the ids that were not so before. What can't be done is an
	// error that names the ids; the others are done all the same.
	Tick(ctx context.Context, path, format string, objects []Object) (ids []string, err error)
}

// Object is an object of a JSON file that shall be done.
type Object struct {
	ID   string
	Text string // of the plan's box
	from string
}

// Was tells whether the object's text was this one when the plan was made, blanks apart.
func (o Object) Was(text string) bool { return short(text) == o.from }

// MovedError says that boxes of a source are not where they were read. Nothing was written to it.
type MovedError struct {
	Path  string // as in Source
	Boxes []Moved
}

// Moved is one box that is not where it was read.
type Moved struct {
	Line  int    // where it was
	Want  string // text of the plan's box
	Found string // what the line holds now, "" = nothing
	Now   int    // where a box with its text is now, 0 = nowhere or at several places
}

func (e *MovedError) Error() string {
	lines := make([]string, len(e.Boxes))
	for i, m := range e.Boxes {
		found := "the line is not there any more"
		if m.Found != "" {
			found = fmt.Sprintf("now the line is %q", m.Found)
		}
		if m.Now > 0 {
			found += fmt.Sprintf("; the box seems to be at line %d", m.Now)
		}
		lines[i] = fmt.Sprintf("%s:%d: here was the box of %q, %s", e.Path, m.Line, m.Want, found)
	}
	return strings.Join(lines, "\n")
}

// Is makes errors.Is(err, ErrMoved) work.
func (e *MovedError) Is(target error) bool { return target == ErrMoved }

// Hint says what to do.
func (e *MovedError) Hint() string {
	return "nothing was written there: tick these boxes by hand, or convert the source again"
}

// Tick is one box of a source that was ticked.
type Tick struct {
	Path string // as in Source
	Line int    // 0 for an object
	ID   string // "" for a box
	Text string // of the plan's box
}

// Report is what Push did.
type Report struct {
	Ticked []Tick
	Before int // boxes that were ticked in the source already
	// Unlinked are ticked boxes of the plan that came from no box of a source: items that convert added, and
	// boxes whose text or task title was changed since.
	Unlinked int
}

// wanted is a box of a source that shall be ticked.
type wanted struct {
	Entry
	text string
}

// Push ticks, in the sources below root, the boxes whose boxes in p are ticked, one byte each; which picks
// the tasks that count, nil = all. Boxes that are open in the plan change nothing, and no box is ever opened.
//
// A source gets all of its ticks or none: if any of its boxes is not where it was read, it is left alone and
// the error holds a *MovedError. Other sources are written all the same, and the report tells which. Sources whose tasks are
// objects are given to store; nil = they are refused.
func (r *Record) Push(ctx context.Context, p *plan.Plan, root string, which func(plan.Task) bool, store Store) (Report, error) {
	var report Report
	bySource := make([][]wanted, len(r.Sources))
	for _, w := range r.ticked(p, which, &report) {
		bySource[w.Source] = append(bySource[w.Source], w)
	}
	var errs []error
	for i, boxes := range bySource {
		if len(boxes) == 0 {
			continue
		}
		ticks, before, err := r.Sources[i].tick(ctx, root, boxes, store)
		if err != nil {
			errs = append(errs, err)
		}
		report.Ticked = append(report.Ticked, ticks...)
		report.Before += before
	}
	return report, errors.Join(errs...)
}

// ticked are the entries whose boxes are ticked. The nth box with a title and text is that of the nth entry. A
// line that several boxes of the plan came from is ticked when all of them are.
func (r *Record) ticked(p *plan.Plan, which func(plan.Task) bool, report *Report) []wanted {
	entries := map[string][]Entry{}
	for _, e := range r.Entries {
		entries[e.To] = append(entries[e.To], e)
	}
	type place struct {
		source, line int
		id           string
	}
	open := map[place]bool{}
	var out []wanted
	for _, task := range p.Tasks {
		for _, box := range task.Checkboxes {
			key := short(task.Title, box.Text)
			var e *Entry
			if left := entries[key]; len(left) > 0 {
				e, entries[key] = &left[0], left[1:]
			}
			counts := box.Checked && (which == nil || which(task))
			switch {
			case !counts && e != nil:
				open[place{e.Source, e.Line, e.ID}] = true
			case !counts:
			case e == nil:
				report.Unlinked++
			default:
				out = append(out, wanted{*e, box.Text})
			}
		}
	}
	return slices.DeleteFunc(out, func(w wanted) bool { return open[place{w.Source, w.Line, w.ID}] })
}

// Where returns the file of a source. A source outside of root is refused, through links, too: a plan may come
// from a stranger.
func (s Source) Where(root string) (string, error) {
	local := filepath.FromSlash(s.Path)
	if !filepath.IsLocal(local) {
		return "", fmt.Errorf("%s lies outside of %s", s.Path, root)
	}
	path := filepath.Join(root, local)
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(top, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s lies outside of %s", s.Path, root)
	}
	return path, nil
}

// Has tells whether any box came from the source with this index.
func (r *Record) Has(source int) bool {
	return slices.ContainsFunc(r.Entries, func(e Entry) bool { return e.Source == source })
}

// Writable tells why ticks can't be written to a source: nil, ErrStore, or an error of its place.
func (s Source) Writable(root string, store Store) error {
	_, err := s.writable(root, store)
	return err
}

func (s Source) writable(root string, store Store) (path string, err error) {
	if s.isJSON() && (store == nil || !store.Takes(s.Format)) {
		return "", fmt.Errorf("%s is no Markdown, and has no ids that name its tasks for good: %w", s.Path, ErrStore)
	}
	if path, err = s.Where(root); err != nil {
		return "", fmt.Errorf("push ticks: %w", err)
	}
	return path, nil
}

func (s Source) isJSON() bool { return strings.EqualFold(filepath.Ext(s.Path), ".json") }

// tick writes the ticks of one source. before counts those that were there.
func (s Source) tick(ctx context.Context, root string, boxes []wanted, store Store) (ticks []Tick, before int, err error) {
	path, err := s.writable(root, store)
	if err != nil {
		return nil, 0, err
	}
	if s.isJSON() {
		return s.tickObjects(ctx, path, boxes, store)
	}
	slices.SortStableFunc(boxes, func(a, b wanted) int { return a.Line - b.Line })
	err = plan.Edit(path, func(src []byte) ([]byte, error) {
		var out []byte
		out, ticks, err = s.tickIn(src, boxes)
		return out, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("push ticks: %w", err)
	}
	return ticks, len(boxes) - len(ticks), nil
}

// tickObjects lets the store tick. Several boxes of the plan may be one object.
func (s Source) tickObjects(ctx context.Context, path string, boxes []wanted, store Store) (ticks []Tick, before int, err error) {
	var objects []Object
	text := map[string]string{}
	for _, b := range boxes {
		if _, known := text[b.ID]; !known && b.ID != "" {
			text[b.ID] = b.text
			objects = append(objects, Object{ID: b.ID, Text: b.text, from: b.From})
		}
	}
	ids, err := store.Tick(ctx, path, s.Format, objects)
	for _, id := range ids {
		ticks = append(ticks, Tick{Path: s.Path, ID: id, Text: text[id]})
	}
	if err != nil {
		return ticks, 0, fmt.Errorf("push ticks: %s: %w", s.Path, err)
	}
	return ticks, len(objects) - len(ids), nil
}

// tickIn returns src with the boxes ticked, and those that were not ticked before.
func (s Source) tickIn(src []byte, boxes []wanted) ([]byte, []Tick, error) {
	lines := newLines(string(src))
	out := slices.Clone(src)
	var ticks []Tick
	moved := &MovedError{Path: s.Path}
	for _, b := range boxes {
		line, off, ok := lines.at(b.Line)
		at, text, isBox := Mark(line)
		if !ok || !isBox || short(text) != b.From {
			moved.Boxes = append(moved.Boxes, Moved{Line: b.Line, Want: b.text, Found: strings.TrimSpace(line), Now: lines.find(b.From)})
			continue
		}
		if c := line[at]; c == 'x' || c == 'X' {
			continue
		}
		out[off+at] = 'x'
		ticks = append(ticks, Tick{Path: s.Path, Line: b.Line, Text: b.text})
	}
	if len(moved.Boxes) > 0 {
		return nil, nil, moved
	}
	return out, ticks, nil
}

// Stale is a source that is not any more what the plan was made from.
type Stale struct {
	Source
	Gone bool
}

// ErrUnknown is what a reader of sources answers when it cannot know one: it counts as unchanged.
var ErrUnknown = errors.New("the source is not known here")

// Stale lists the sources that changed, ticks apart, or vanished. read returns the content of a source by its
// Path; fs.ErrNotExist means that it is gone, ErrUnknown that nobody can tell, any other error ends the search.
func (r *Record) Stale(read func(path string) ([]byte, error)) ([]Stale, error) {
	var out []Stale
	for _, s := range r.Sources {
		content, err := read(s.Path)
		switch {
		case errors.Is(err, ErrUnknown):
		case errors.Is(err, fs.ErrNotExist):
			out = append(out, Stale{s, true})
		case err != nil:
			return nil, fmt.Errorf("read source %s: %w", s.Path, err)
		case Sum(s.Path, content) != s.Sum:
			out = append(out, Stale{s, false})
		}
	}
	return out, nil
}

// mostSource is more than a list of tasks takes.
const mostSource = 64 << 20

// FromDisk reads sources below root, for Stale.
func FromDisk(root string) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		at, err := Source{Path: path}.Where(root)
		if err != nil {
			return nil, err
		}
		return durable.ReadFile(at, mostSource)
	}
}
