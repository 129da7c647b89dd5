package origin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// ErrMoved is what every MovedError is.
var ErrMoved = errors.New("the source changed under its boxes")

// ErrStore is returned for sources that are no Markdown: a tick there is no matter of one byte.
var ErrStore = errors.New("ticks are written to Markdown boxes only")

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
	Line int
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
// the error holds a *MovedError. Other sources are written all the same, and the report tells which.
func (r *Record) Push(p *plan.Plan, root string, which func(plan.Task) bool) (Report, error) {
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
		ticks, err := r.Sources[i].tick(root, boxes)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		report.Ticked = append(report.Ticked, ticks...)
		report.Before += len(boxes) - len(ticks)
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
	type place struct{ source, line int }
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
				open[place{e.Source, e.Line}] = true
			case !counts:
			case e == nil:
				report.Unlinked++
			default:
				out = append(out, wanted{*e, box.Text})
			}
		}
	}
	return slices.DeleteFunc(out, func(w wanted) bool { return open[place{w.Source, w.Line}] })
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
func (s Source) Writable(root string) error {
	_, err := s.writable(root)
	return err
}

func (s Source) writable(root string) (path string, err error) {
	if strings.EqualFold(filepath.Ext(s.Path), ".json") {
		return "", s.storeError()
	}
	if path, err = s.Where(root); err != nil {
		return "", fmt.Errorf("push ticks: %w", err)
	}
	return path, nil
}

// tick writes the ticks of one source.
func (s Source) tick(root string, boxes []wanted) ([]Tick, error) {
	path, err := s.writable(root)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(boxes, func(a, b wanted) int { return a.Line - b.Line })
	var ticks []Tick
	err = plan.Edit(path, func(src []byte) ([]byte, error) {
		var out []byte
		out, ticks, err = s.tickIn(src, boxes)
		return out, err
	})
	if err != nil {
		return nil, fmt.Errorf("push ticks: %w", err)
	}
	return ticks, nil
}

// storeError says why a JSON source can't be ticked.
func (s Source) storeError() error {
	if strings.Contains("/"+s.Path, "/.ralph/") {
		return fmt.Errorf("%s belongs to the task store and is written by it alone, under its lock; this build has no store yet: %w", s.Path, ErrStore)
	}
	return fmt.Errorf("%s is no Markdown: %w", s.Path, ErrStore)
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

// FromDisk reads sources below root, for Stale.
func FromDisk(root string) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		at, err := Source{Path: path}.Where(root)
		if err != nil {
			return nil, err
		}
		return os.ReadFile(at)
	}
}
