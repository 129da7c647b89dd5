package origin

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Version is the format that is written. A newer one is refused, not half-read.
const Version = 1

// Opening is how the comment begins; a version follows.
const Opening = "<!-- ralphex-origin "

// Source is one file that a plan was made from.
type Source struct {
	Path   string // relative to the root (the repository's, else the folder of the plan), with slashes
	Format string // what it was read as: "openspec"
	Sum    string // of its content, without what marks alone say; see Sum
}

// Entry says where one box of the plan came from.
type Entry struct {
	Source int    // index into Sources
	Line   int    // 1-based line of the source; 0 for an object of a JSON file, which is known by its ID
	ID     string // of the object; "" for a box
	From   string // short hash of the box's text there; of an object, the hash of the plan's box when it was made
	To     string // short hash of the box in the plan: title of its task, and text
}

// Record is what a plan remembers of its sources. Without entries it only knows whether they changed.
type Record struct {
	Sources []Source
	Entries []Entry
}

// ErrRecord is what every error about the comment itself is.
var ErrRecord = errors.New("the ralphex-origin comment of the plan can't be read")

// Comment returns the comment that holds the record, with a line feed at its end.
func (r *Record) Comment() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d\n", Opening, Version)
	for _, s := range r.Sources {
		fmt.Fprintf(&b, "source %s %s %s\n", escape(s.Format), s.Sum, escape(s.Path))
	}
	for _, e := range r.Entries {
		if e.ID != "" {
			fmt.Fprintf(&b, "object %d %s %s %s\n", e.Source+1, escape(e.ID), e.From, e.To)
			continue
		}
		fmt.Fprintf(&b, "box %d %d %s %s\n", e.Source+1, e.Line, e.From, e.To)
	}
	b.WriteString("-->\n")
	return b.String()
}

// escape writes a word of the comment: nothing in it ends the comment or the word.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c == '%' || c == '<' || c == '>' || c == 0x7f || c == '-' && (i == 0 || s[i-1] == '-') {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// find returns where the comment stands in a plan, -1 if there is none. The last one counts: what a plan
// quotes comes before what convert wrote.
func find(plan string) (start, end int) {
	start = strings.LastIndex(plan, "\n"+Opening) + 1
	if start == 0 && !strings.HasPrefix(plan, Opening) {
		return -1, -1
	}
	length := strings.Index(plan[start:], "-->")
	if length < 0 {
		return start, len(plan)
	}
	end = start + length + len("-->")
	if strings.HasPrefix(plan[end:], "\r") {
		end++
	}
	if strings.HasPrefix(plan[end:], "\n") {
		end++
	}
	return start, end
}

// Read returns the record of a plan, nil if it has none. Errors are ErrRecord.
func Read(plan []byte) (*Record, error) {
	text := string(plan)
	start, end := find(text)
	if start < 0 {
		return nil, nil
	}
	first := strings.Count(text[:start], "\n") + 1
	r := &Record{}
	for i, line := range strings.Split(strings.TrimRight(text[start:end], "\r\n"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if i == 0 {
			if err := checkVersion(line); err != nil {
				return nil, fmt.Errorf("line %d: %w", first, err)
			}
			continue
		}
		if strings.TrimSpace(line) == "-->" {
			return r, nil
		}
		if err := r.line(strings.FieldsFunc(line, isSpace)); err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", first+i, ErrRecord, err)
		}
	}
	return nil, fmt.Errorf("line %d: %w: it has no end", first, ErrRecord)
}

func checkVersion(line string) error {
	v, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, Opening)))
	switch {
	case err != nil:
		return fmt.Errorf("%w: it begins with %q", ErrRecord, line)
	case v > Version:
		return fmt.Errorf("%w: it has version %d, this ralphex reads up to %d", ErrRecord, v, Version)
	}
	return nil
}

// line reads one line of the comment, word by word.
func (r *Record) line(words []string) error {
	if len(words) == 0 {
		return nil
	}
	switch {
	case words[0] == "source" && len(words) == 4:
		format, ferr := url.PathUnescape(words[1])
		path, perr := url.PathUnescape(words[3])
		if err := errors.Join(ferr, perr); err != nil {
			return err
		}
		r.Sources = append(r.Sources, Source{Path: path, Format: format, Sum: words[2]})
		return nil
	case words[0] == "box" && len(words) == 5:
		source, serr := strconv.Atoi(words[1])
		line, lerr := strconv.Atoi(words[2])
		if serr != nil || lerr != nil || source < 1 || source > len(r.Sources) || line < 1 {
			return fmt.Errorf("no such place: source %q, line %q", words[1], words[2])
		}
		r.Entries = append(r.Entries, Entry{Source: source - 1, Line: line, From: words[3], To: words[4]})
		return nil
	case words[0] == "object" && len(words) == 5:
		source, serr := strconv.Atoi(words[1])
		id, ierr := url.PathUnescape(words[2])
		if serr != nil || ierr != nil || id == "" || source < 1 || source > len(r.Sources) {
			return fmt.Errorf("no such place: source %q, object %q", words[1], words[2])
		}
		r.Entries = append(r.Entries, Entry{Source: source - 1, ID: id, From: words[3], To: words[4]})
		return nil
	}
	return fmt.Errorf("%q is neither a source nor a box nor an object", strings.Join(words, " "))
}

// Attach returns the plan with the record as its comment, in the place of one that it has.
func Attach(plan []byte, r *Record) []byte {
	text := strings.TrimRight(string(Detach(plan)), "\r\n")
	if text != "" {
		text += "\n\n"
	}
	return []byte(text + r.Comment())
}

// Detach returns the plan without its comment. One that can't be read stays: what it swallowed may be text.
func Detach(plan []byte) []byte {
	if r, err := Read(plan); r == nil || err != nil {
		return plan
	}
	start, end := find(string(plan))
	rest := string(plan[end:])
	head := string(plan[:start])
	if strings.TrimSpace(rest) == "" {
		head, rest = strings.TrimRight(head, "\r\n")+"\n", ""
	}
	return []byte(head + rest)
}

// isSpace is what stands between two words of the comment; other white space is a part of a word.
func isSpace(c rune) bool { return c == ' ' || c == '\t' }
