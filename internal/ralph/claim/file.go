package claim

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/stable"
)

// File is what claims.json held at one moment.
type File struct {
	Path   string
	Claims []Claim // in file order, without the records that are none

	root    *stable.Object
	array   *stable.Array
	records []*stable.Object // the record of each claim
}

// BrokenError says that claims.json can't be read. No operation goes on then, and nothing resets the file.
type BrokenError struct {
	Path string
	Err  error
}

func (e *BrokenError) Error() string { return fmt.Sprintf("read %s: %v", e.Path, e.Err) }

func (e *BrokenError) Unwrap() error { return e.Err }

// Hint says what a person can do.
func (e *BrokenError) Hint() string {
	if errors.Is(e.Err, errNewer) {
		return "use a newer ralphex in this workspace"
	}
	return `repair it by hand: {"version": 1, "claims": […]}; claims tell who works on what, so it is not reset`
}

// errNewer says that a newer program wrote the file, and that something of it would be lost here.
var errNewer = errors.New("is newer than this program knows (1)")

// maxText is how large the file may be: some 300,000 claims.
const maxText = 64 << 20

// load reads the file. One that is missing or blank holds no claims.
func load(path string) (*File, error) {
	text, err := durable.ReadFile(path, maxText)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read claims: %w", err)
	}
	return Parse(path, text)
}

// Parse reads the text of a claims file; path is for messages.
func Parse(path string, text []byte) (*File, error) {
	f := &File{Path: path, root: &stable.Object{}, array: &stable.Array{}}
	var err error
	if stable.Trim(string(text)) == "" {
		f.root.Set("version", 1)
		f.root.Set("claims", f.array)
		return f, nil
	}
	if f.root, err = stable.ParseObject(text); err != nil {
		return nil, &BrokenError{path, err}
	}
	if err := f.fill(text); err != nil {
		return nil, &BrokenError{path, err}
	}
	return f, nil
}

func (f *File) fill(text []byte) error {
	if v, ok := f.root.Get("version"); ok {
		if n, isNumber := v.(float64); isNumber && n > 1 {
			return fmt.Errorf("version %v %w", n, errNewer)
		}
	}
	v, ok := f.root.Get("claims")
	if !ok {
		f.root.Set("claims", f.array)
		return nil
	}
	array, ok := v.(*stable.Array)
	if !ok {
		e := &stable.SyntaxError{Offset: f.root.ValueAt("claims"), Msg: `expected "claims" to be an array`}
		e.Line, e.Column = stable.NewLines(text).Position(e.Offset)
		return e
	}
	f.array = array
	for _, item := range array.Items {
		if c, ok := read(item); ok {
			f.Claims = append(f.Claims, c)
			f.records = append(f.records, item.(*stable.Object))
		}
	}
	return nil
}

// append adds a new record.
func (f *File) append(c Claim) {
	o := c.Stable().(*stable.Object)
	f.array.Items = append(f.array.Items, o)
	f.Claims = append(f.Claims, c)
	f.records = append(f.records, o)
}

// change writes status and recovery fields of the i-th claim. All else in its record stays.
func (f *File) change(i int, c Claim) {
	o := f.records[i]
	o.Set("status", string(c.Status))
	for _, field := range c.optional()[3:] {
		if *field.to != "" {
			o.Set(field.key, *field.to)
		}
	}
	f.Claims[i] = c
}

func (f *File) save() error {
	durable.Sweep(f.Path)
	return durable.WriteFile(f.Path, stable.Marshal(f.root), 0o644)
}

// Lost are the claims that were in a file and are not in this one: the list only grows.
func (f *File) Lost(was *File) (lost []Claim) {
	for _, c := range was.Claims {
		if !slices.ContainsFunc(f.Claims, c.Same) {
			lost = append(lost, c)
		}
	}
	return lost
}

// Added are the active claims that were not in a file and are in this one.
func (f *File) Added(was *File) (added []Claim) {
	for _, c := range f.Claims {
		if c.Status == Active && !slices.ContainsFunc(was.Claims, c.Same) {
			added = append(added, c)
		}
	}
	return added
}
