package origin

import "strings"

// File is a source as it was read.
type File struct {
	Path    string // as in Source
	Format  string
	Content []byte
}

// Link says that a box of the plan was made from a line of a source.
type Link struct {
	File int    // index into the files
	Line int    // 1-based
	Task string // title of the box's task, as it stands in the plan
	Text string // text of the box, as it stands in the plan
	ID   string // of the object of a JSON file, "" for a line
}

// New makes the record of a plan. Links to lines without a box (an item of a list that was never one), and to objects
// without an id, cannot carry a tick back: they are left out and returned.
func New(files []File, links []Link) (r *Record, unlinked []Link) {
	r = &Record{}
	lines := make([][]string, len(files))
	for i, f := range files {
		r.Sources = append(r.Sources, Source{Path: f.Path, Format: f.Format, Sum: Sum(f.Path, f.Content)})
		lines[i] = strings.Split(string(f.Content), "\n")
	}
	for _, l := range links {
		if l.File < 0 || l.File >= len(files) || l.Line < 1 || l.Line > len(lines[l.File]) {
			unlinked = append(unlinked, l)
			continue
		}
		if l.ID != "" {
			r.Entries = append(r.Entries, Entry{Source: l.File, ID: l.ID, From: short(l.Text), To: short(l.Task, l.Text)})
			continue
		}
		_, text, ok := Mark(lines[l.File][l.Line-1])
		if !ok {
			unlinked = append(unlinked, l)
			continue
		}
		r.Entries = append(r.Entries, Entry{Source: l.File, Line: l.Line, From: short(text), To: short(l.Task, l.Text)})
	}
	return r, unlinked
}
