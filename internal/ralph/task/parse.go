package task

import (
	"bytes"
	"errors"
	"fmt"

	"ralphex/internal/ralph/stable"
)

// Inspection is what a text says as a task file.
type Inspection struct {
	File        *File // nil: there is an error among the diagnostics, and nothing may be done with the file
	Diagnostics []Diagnostic
	Legacy      bool // the version is not the number 2: the next write makes it so
	Repaired    bool // a parent was taken off a task, see ParentCorrected
	Blank       bool // there is no text: File is the default graph, which is not written yet

	text []byte
}

// Text is the text that was looked at.
func (in *Inspection) Text() []byte { return in.text }

// Migrated tells whether a canonical file would be another one, blanks at the end apart. A file with errors never is.
func (in *Inspection) Migrated() bool {
	if in.File == nil {
		return false
	}
	if in.Legacy || in.Repaired || in.Blank {
		return true
	}
	return stable.TrimEnd(string(in.text)) != stable.TrimEnd(string(Stringify(in.File)))
}

// Err is the diagnostics as an *InvalidError, nil if the file can be used.
func (in *Inspection) Err(path string) error {
	if in.File != nil {
		return nil
	}
	return &InvalidError{Path: path, Diagnostics: in.Diagnostics}
}

// ParseText reads a task file (parseTaskFileText): required fields, misspelled keys, coercion, the one repair of parents, then the
// checks of the graph. It writes nothing and never fails; what is wrong stands in the diagnostics. After an entry that can't be
// read the graph is not looked at: half of it would be called broken for the lack of the other half.
func ParseText(text []byte) *Inspection {
	in := &Inspection{text: text}
	if blank(text) {
		in.Blank, in.File = true, defaultGraph()
		return in
	}
	f, ok := in.walk()
	if !ok {
		f = in.tree()
	}
	if f == nil || HasErrors(in.Diagnostics) {
		return in
	}
	g := NewGraph(f.Tasks)
	in.repairParents(g)
	in.Diagnostics = append(in.Diagnostics, g.Check()...)
	if !HasErrors(in.Diagnostics) {
		in.File = f
	}
	return in
}

// Parse reads a task file, or returns an *InvalidError (parseTaskFile).
func Parse(text []byte) (*File, error) {
	in := ParseText(text)
	if err := in.Err(""); err != nil {
		return nil, err
	}
	return in.File, nil
}

// tree reads the file from a tree of it, or reports why there are no tasks to be had.
func (in *Inspection) tree() *File {
	v, err := stable.Parse(in.text)
	if err != nil {
		in.fail(FileJSONInvalid, "The task file is not JSON: %v.", err)
		if se, ok := errors.AsType[*stable.SyntaxError](err); ok {
			in.Diagnostics[0].Location = &SourceLocation{ArrayIndex: -1, Line: se.Line, Column: se.Column}
		}
		return nil
	}
	var o *stable.Object
	switch v := v.(type) {
	case *stable.Object:
		o = v
	case *stable.Array: // an array is an object to other readers, and one without tasks
		o = new(stable.Object)
	default:
		in.fail(FileNotObject, `The task file must be a JSON object with the keys "version" and "tasks".`)
		return nil
	}
	tasks, _ := o.Get("tasks")
	list, ok := tasks.(*stable.Array)
	if !ok {
		in.fail(ArrayMissing, `The task file has no array "tasks".`)
		return nil
	}
	version, _ := o.Get("version")
	mutations, _ := o.Get("mutationCount")
	if newer(version) {
		in.fail(VersionNewer, "The task file has version %v; this program reads up to 2, and would lose what is new in it.", version)
		return nil
	}
	in.Legacy = version != any(2.0)
	f := &File{Tasks: make([]Task, 0, len(list.Items)), MutationCount: count(mutations)}
	ambiguous := o.Twice("tasks") // then no place can be told
	places := newPlaces(in.text)
	for i, v := range list.Items {
		var at *SourceLocation
		if !ambiguous {
			at = places.entry(i, list.At[i])
		}
		if t, ok := in.entry(i, v, at); ok {
			f.Tasks = append(f.Tasks, t)
		}
	}
	return f
}

// newer tells whether a version is one that came after us.
func newer(version any) bool {
	n, ok := version.(float64)
	return ok && n > 2
}

// count reads the count of changes. What can't be counted up is none.
func count(v any) *int64 {
	const most = 1<<53 - 1
	n, ok := v.(float64)
	if !ok || n < 0 || n >= most || n != float64(int64(n)) {
		return nil
	}
	whole := int64(n)
	return &whole
}

func (in *Inspection) fail(c Code, format string, args ...any) {
	in.Diagnostics = append(in.Diagnostics, Diagnostic{Severity: Error, Code: c, Message: fmt.Sprintf(format, args...)})
}

// entry reads one entry of the list.
func (in *Inspection) entry(i int, v any, at *SourceLocation) (Task, bool) {
	name := func() string {
		if at == nil {
			return fmt.Sprintf("Entry %d", i+1)
		}
		return fmt.Sprintf("Entry %d at %s", i+1, at)
	}
	bad := func(why string) (Task, bool) {
		in.Diagnostics = append(in.Diagnostics, Diagnostic{Severity: Error, Code: EntryInvalid, Location: at,
			Message: fmt.Sprintf("%s is no task: %s.", name(), why)})
		return Task{}, false
	}
	o, ok := v.(*stable.Object)
	if !ok {
		return bad("it must be an object")
	}
	for _, c := range correct(o) {
		in.Diagnostics = append(in.Diagnostics, Diagnostic{Severity: Warning, Code: FieldCorrected, Location: at,
			Message: fmt.Sprintf("%s has the field %q, which was read as %q.", name(), c.from, c.to)})
	}
	t, err := normalize(o)
	if err != nil {
		return bad(err.Error())
	}
	t.Source = at
	return t, true
}

// repairParents takes todo tasks out from under parents that are done: they were added after the fact, and would make the ledger
// contradict itself. Children that are in progress or blocked are left, for a person must decide about those.
func (in *Inspection) repairParents(g *Graph) {
	var strip []int
	for i := range g.tasks {
		t := &g.tasks[i]
		if t.Status != Todo || t.ParentID == "" {
			continue
		}
		if p, ok := g.index(t.ParentID); ok && g.tasks[p].Status == Done {
			strip = append(strip, i)
		}
	}
	for _, i := range strip {
		t := &g.tasks[i]
		in.Diagnostics = append(in.Diagnostics, Diagnostic{Severity: Warning, Code: ParentCorrected, TaskID: t.ID, RelatedTaskIDs: []string{t.ParentID},
			Location: t.Source, Message: fmt.Sprintf("%s is todo below %s, which is done: it stands by itself now.", t.name(), t.ParentID)})
		t.ParentID = ""
	}
	in.Repaired = len(strip) > 0
}

// defaultGraph is what a workspace begins with when its task file is blank.
func defaultGraph() *File {
	return &File{Tasks: []Task{
		{ID: "T1", Title: "Describe the objective", Status: Todo, Notes: "Write into prd.md what is to be reached, and how one will see that it is."},
		{ID: "T2", Title: "Replace these tasks by the first real ones", Status: Todo, Notes: "Small tasks that can be checked, each with acceptance criteria and a validation command."},
	}}
}

// blank tells whether a text has nothing in it. Most texts say so by their first byte.
func blank(text []byte) bool {
	rest := bytes.TrimLeft(text, " \t\r\n")
	return len(rest) == 0 || rest[0] != '{' && stable.Trim(string(rest)) == ""
}
