package convert

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
)

// maxInput bounds what is read, in bytes, all files of a folder together. It is the bound of a plan.
const maxInput = 16 << 20

// File is one file of a source.
type File struct {
	Path string // slash-separated, as it is named in messages and in the plan
	Data []byte

	text    string // Data as UTF-8
	shifted bool   // text has other offsets than Data

	parsed   *value // of JSON, once it was asked for
	parseErr error
}

// Input is what is to be converted: one file with its neighbours, or a folder.
type Input struct {
	Name   string // of the file or folder, as it is shown; "-" for stdin
	Folder bool
	main   *File   // nil for a folder
	files  []*File // that were read, in the order of reading
	fsys   fs.FS   // of the folder, or of the folder around the file; nil = there is none
	prefix string  // of the names in fsys
	home   string  // name of the folder that the source is or stands in, for titles
	size   int
}

// FromBytes makes an input of text that has no neighbours.
func FromBytes(name string, data []byte) *Input {
	in := &Input{Name: name}
	in.main = in.keep(name, data)
	return in
}

// FromFS makes an input of a folder. name is shown before the names of its files.
func FromFS(name string, fsys fs.FS) *Input {
	return &Input{Name: name, Folder: true, fsys: fsys, home: path.Base(filepath.ToSlash(name)), prefix: strings.TrimSuffix(filepath.ToSlash(name), "/")}
}

// Open reads a source: a file, or a folder. Only what a reader asks for is read from a folder.
func Open(name string) (*Input, error) { return OpenAs(name, name) }

// OpenAs is Open for a source that is shown under another name, such as a path from the repository's root.
func OpenAs(file, name string) (*Input, error) {
	fi, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	if fi.IsDir() {
		in := FromFS(name, os.DirFS(file))
		in.home = filepath.Base(abs)
		return in, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	defer f.Close()
	in, err := Read(name, f)
	if err != nil {
		return nil, err
	}
	in.fsys, in.prefix = os.DirFS(filepath.Dir(file)), path.Dir(filepath.ToSlash(name))
	in.home = filepath.Base(filepath.Dir(abs))
	return in, nil
}

// Read makes an input of a stream.
func Read(name string, r io.Reader) (*Input, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("read source %s: %w", name, err)
	}
	if len(data) > maxInput {
		return nil, fmt.Errorf("read source %s: %w", name, ErrTooBig)
	}
	return FromBytes(filepath.ToSlash(name), data), nil
}

// ErrTooBig says that a source has more than 16 MB.
var ErrTooBig = errors.New("it is bigger than 16 MB")

// mustBeText refuses an image, an archive, a program: prose could be found in any of them.
func (f *File) mustBeText() error {
	at := strings.IndexByte(f.text, 0)
	if at < 0 {
		return nil
	}
	before := f.text[:at]
	return &UnknownError{Reason: fmt.Sprintf("%s:%d:%d: a byte 0: this is no text", f.Path, 1+strings.Count(before, "\n"), at-strings.LastIndexByte(before, '\n')),
		Next: "name a text file in UTF-8, or in UTF-16 with its mark; `ralphex convert --help` lists the formats"}
}

func (in *Input) keep(name string, data []byte) *File {
	f := &File{Path: name, Data: data}
	f.text, f.shifted = decode(data)
	in.files = append(in.files, f)
	in.size += len(data)
	return f
}

// decode turns UTF-16 with a byte order mark, which some shells write into files, into UTF-8.
func decode(data []byte) (text string, shifted bool) {
	s := string(data)
	var at func(i int) uint16
	switch {
	case strings.HasPrefix(s, "\xff\xfe"):
		at = func(i int) uint16 { return uint16(s[i]) | uint16(s[i+1])<<8 }
	case strings.HasPrefix(s, "\xfe\xff"):
		at = func(i int) uint16 { return uint16(s[i])<<8 | uint16(s[i+1]) }
	default:
		return s, false
	}
	units := make([]uint16, 0, len(s)/2)
	for i := 2; i+1 < len(s); i += 2 {
		units = append(units, at(i))
	}
	return string(utf16.Decode(units)), true
}

// base is the name of the source's file without folders, "" for a folder.
func (in *Input) base() string {
	if in.main == nil {
		return ""
	}
	return path.Base(in.main.Path)
}

// has tells whether a file stands in the folder, or beside the file.
func (in *Input) has(name string) bool {
	if in.fsys == nil {
		return false
	}
	fi, err := fs.Stat(in.fsys, name)
	return err == nil && fi.Mode().IsRegular()
}

// file reads a file of the folder, or beside the file; nil if there is none. The main file is read once only.
func (in *Input) file(name string) (*File, error) {
	if in.main != nil && path.Base(in.main.Path) == name {
		return in.main, nil
	}
	full := path.Join(in.prefix, name)
	for _, f := range in.files {
		if f.Path == full {
			return f, nil
		}
	}
	if !in.has(name) {
		return nil, nil
	}
	data, err := fs.ReadFile(in.fsys, name)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	if in.size+len(data) > maxInput {
		return nil, fmt.Errorf("read source %s: %w", in.Name, ErrTooBig)
	}
	f := in.keep(full, data)
	if err := f.mustBeText(); err != nil {
		return nil, err
	}
	return f, nil
}

// glob lists files of the folder below dir whose name ends so, in order, at most 1,000.
func (in *Input) glob(dir, suffix string) []string {
	var out []string
	if in.fsys == nil {
		return nil
	}
	_ = fs.WalkDir(in.fsys, dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // a folder that can't be read has no files for us
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && p != "." || strings.Count(p, "/") > 6):
			return fs.SkipDir
		case len(out) >= 1000:
			return fs.SkipAll
		case d.Type().IsRegular() && strings.HasSuffix(d.Name(), suffix):
			out = append(out, p)
		}
		return nil
	})
	slices.Sort(out)
	return out
}

// peek is the text of the file that decides what a source is: the main file, else one of the folder.
func (in *Input) peek(name string) string {
	if in.main != nil {
		return in.main.text
	}
	if f, err := in.file(name); err == nil && f != nil {
		return f.text
	}
	return ""
}

// Files are the files that were read.
func (in *Input) Files() []File {
	out := make([]File, len(in.files))
	for i, f := range in.files {
		out[i] = *f
	}
	return out
}
