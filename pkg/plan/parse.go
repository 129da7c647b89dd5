package plan

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Limits of what is read. Beyond them a file is no plan that anybody wrote, and reading it would cost
// seconds and gigabytes.
const (
	MaxSize  = 16 << 20 // bytes
	MaxDepth = maxDepth // lists and quotes inside each other
	MaxLines = 1 << 19  // lines that are not blank
)

// ErrLimit is what every LimitError is.
var ErrLimit = errors.New("plan is beyond a limit")

// LimitError says which limit a file breaks, and where.
type LimitError struct {
	Path      string // empty for ParsePlan
	Line, Col int    // 1-based; 0 = the whole file
	Reason    string
}

func (e *LimitError) Error() string {
	return place(e.Path, e.Line, e.Col) + e.Reason
}

// Is makes errors.Is(err, ErrLimit) work.
func (e *LimitError) Is(target error) bool { return target == ErrLimit }

// place is "file:line:col: ", as far as it is known.
func place(path string, line, col int) string {
	switch {
	case path == "" && line == 0:
		return ""
	case path == "":
		return fmt.Sprintf("%d:%d: ", line, col)
	case line == 0:
		return path + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", path, line, col)
}

const bom = "\xef\xbb\xbf"

// ParsePlan reads a plan. It reads any Markdown, and any bytes; the only error is a *LimitError. Whether the
// plan can be run is another question: see Validate. src is not kept.
func ParsePlan(src []byte) (*Plan, error) {
	if len(src) > MaxSize {
		return nil, &LimitError{Reason: fmt.Sprintf("%d bytes are more than a plan may have (%d)", len(src), MaxSize)}
	}
	p := &Plan{text: string(src)}
	base := 0
	if strings.HasPrefix(p.text, bom) {
		base = len(bom)
	}
	if (strings.HasPrefix(p.text, "\xff\xfe") || strings.HasPrefix(p.text, "\xfe\xff")) && strings.IndexByte(p.text, 0) > 0 { // no UTF-8 begins so, nor has text in it a zero
		return nil, &LimitError{Line: 1, Col: 1, Reason: "it is UTF-16, and a plan is UTF-8: `iconv -f UTF-16 -t UTF-8` makes that of it"}
	}
	r := &reading{p: p, base: base, body: p.text[base:], src: src[base:]}
	if line := lineBeyond(r.body, MaxLines); line > 0 {
		return nil, &LimitError{Line: line, Col: 1, Reason: fmt.Sprintf("a plan may have %d lines", MaxLines)}
	}
	deep := deepLine(r.body)
	if deep < 0 {
		r.o, deep = readOutline(r.src, r.body)
	}
	if deep >= 0 {
		line, col := position(r.body, deep)
		return nil, &LimitError{Line: line, Col: col,
			Reason: fmt.Sprintf("lists or quotes stand more than %d deep inside each other; put some of them side by side", MaxDepth)}
	}
	r.run()
	if r.o.broken {
		p.Problems = append(p.Problems, Problem{Code: NotMarkdown})
	}
	if strings.IndexByte(r.body, '\r') >= 0 && strings.IndexByte(r.body, '\n') < 0 {
		p.Problems = append(p.Problems, Problem{Code: BareCR, Line: 1, Col: strings.IndexByte(r.body, '\r') + 1})
	}
	slices.SortStableFunc(p.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return p, nil
}

// ParsePlanFile reads the plan at path. The errors are those of the file system (a missing file is
// fs.ErrNotExist) and *LimitError.
func ParsePlanFile(path string) (*Plan, error) {
	src, err := ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	p, err := ParsePlan(src)
	if limit, ok := errors.AsType[*LimitError](err); ok {
		limit.Path = path
	}
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	p.Path = path
	return p, nil
}

// readFile reads a regular file of at most MaxSize bytes. It never waits for a pipe.
func ReadFile(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		kind := "no regular file"
		if st.IsDir() {
			kind = "a folder, not a plan file"
		}
		return nil, fmt.Errorf("%s is %s", path, kind)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(src) > MaxSize {
		return nil, &LimitError{Path: path, Reason: fmt.Sprintf("more bytes than a plan may have (%d)", MaxSize)}
	}
	return src, nil
}

// lineBeyond returns the number of the line that is the first beyond limit non-blank ones, or 0.
func lineBeyond(s string, limit int) int {
	if strings.Count(s, "\n") <= limit {
		return 0
	}
	line, full := 0, 0
	for rest := s; rest != ""; {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		line++
		if skipBlanks(l, 0) < len(l) {
			full++
		}
		if full > limit {
			return line
		}
	}
	return 0
}

// deepLine looks for a very long line that begins with more than MaxDepth markers, and returns where it
// goes too far, or -1. goldmark would find it as well, but scans such a line once for each marker.
func deepLine(s string) int {
	for off := 0; off < len(s); {
		end := strings.IndexByte(s[off:], '\n')
		if end < 0 {
			end = len(s) - off
		}
		if line := s[off : off+end]; len(line) > 1<<16 {
			if n, i := leadingMarkers(line); n > MaxDepth && i < len(line) {
				return off
			}
		}
		off += end + 1
	}
	return -1
}

// leadingMarkers counts the bullets at the start of a line, and returns where the rest begins.
func leadingMarkers(line string) (n, end int) {
	for end < len(line) && isBullet(line[end]) && end+1 < len(line) && isBlank(line[end+1]) {
		n++
		end = skipBlanks(line, end+1)
	}
	return n, end
}

// position turns an offset into a line and a column, both 1-based.
func position(s string, at int) (line, col int) {
	return strings.Count(s[:at], "\n") + 1, at - strings.LastIndexByte(s[:at], '\n')
}
