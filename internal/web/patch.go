package web

import (
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a Diff: what a page can hold, and a person look at.
const (
	maxFileLines = 20_000 // of a file; one with more is TooBig
	maxDiffLines = 60_000 // of all files; those behind are TooBig
	maxDiffLine  = 4 << 10
)

// ParsePatch reads a unified diff in Git's form. What it can't make sense of it passes over: a patch is what some program printed. Files that are
// too large keep their numbers and lose their lines. cut says that the patch is not whole: then the last file is TooBig, too.
func ParsePatch(text string, cut bool) []DiffFile {
	p := patchReader{files: []DiffFile{}}
	for line := range strings.Lines(text) {
		p.line(strings.TrimSuffix(line, "\n"))
	}
	p.endFile()
	if n := len(p.files); cut && n > 0 {
		p.files[n-1].TooBig, p.files[n-1].Hunks = true, []DiffHunk{}
	}
	return p.files
}

// patchReader stands between two lines of a patch.
type patchReader struct {
	files []DiffFile
	file  *DiffFile // that is read; nil = none yet
	lines int       // of the file, so far
	total int       // of all files that are shown

	binary   bool // the lines of a binary patch are passed over
	oldMode  string
	minus    int // lines of the hunk that are still to come
	plus     int
	old, new int // number of the next line
}

func (p *patchReader) line(text string) {
	if p.minus > 0 || p.plus > 0 {
		if p.hunkLine(text) {
			return
		}
		p.minus, p.plus = 0, 0
	}
	switch {
	case strings.HasPrefix(text, "diff --git "):
		p.begin(text)
	case p.file == nil || strings.HasPrefix(text, `\`):
	case p.binary && !strings.HasPrefix(text, "@@ "):
	case strings.HasPrefix(text, "@@ "):
		p.hunk(text)
	default:
		p.header(text)
	}
}

// begin opens a file. The names of its first line hold where no other line has them: it may be told in two ways where they have blanks.
func (p *patchReader) begin(text string) {
	p.endFile()
	p.files = append(p.files, DiffFile{Status: "modified", Hunks: []DiffHunk{}})
	p.file, p.lines, p.binary, p.oldMode = &p.files[len(p.files)-1], 0, false, ""
	rest := strings.TrimPrefix(text, "diff --git ")
	if half := len(rest) / 2; len(rest)%2 == 1 && rest[half] == ' ' {
		p.file.Path = patchName(rest[half+1:], "b/")
	} else if i := strings.LastIndex(rest, " b/"); i >= 0 {
		p.file.Path = patchName(rest[i+1:], "b/")
	}
}

// header reads a line between the first one and the hunks.
func (p *patchReader) header(text string) {
	word, rest, _ := strings.Cut(text, " ")
	f := p.file
	switch {
	case word == "---" && rest != "/dev/null":
		if name := patchName(rest, "a/"); f.Path == "" || f.Status == "deleted" {
			f.Path = name
		}
	case word == "+++" && rest != "/dev/null":
		f.Path = patchName(rest, "b/")
	case strings.HasPrefix(text, "new file mode "):
		f.Status = "added"
	case strings.HasPrefix(text, "deleted file mode "):
		f.Status = "deleted"
	case strings.HasPrefix(text, "rename from "):
		f.Status, f.OldPath = "renamed", patchName(text[len("rename from "):], "")
	case strings.HasPrefix(text, "rename to "):
		f.Path = patchName(text[len("rename to "):], "")
	case strings.HasPrefix(text, "copy from "):
		f.Status, f.OldPath = "copied", patchName(text[len("copy from "):], "")
	case strings.HasPrefix(text, "copy to "):
		f.Path = patchName(text[len("copy to "):], "")
	case strings.HasPrefix(text, "old mode "):
		p.oldMode = text[len("old mode "):]
	case strings.HasPrefix(text, "new mode "):
		if kind(p.oldMode) != kind(text[len("new mode "):]) {
			f.Status = "type"
		}
	case strings.HasPrefix(text, "Binary file"), strings.HasPrefix(text, "GIT binary patch"):
		f.Binary, p.binary = true, true
	}
}

// kind is the part of a mode that tells a file from a link.
func kind(mode string) string { return mode[:min(len(mode), 3)] }

// hunk opens a hunk: "@@ -1,2 +3,4 @@ func x". One whose numbers make no sense is passed over.
func (p *patchReader) hunk(text string) {
	ranges, section, ok := strings.Cut(strings.TrimPrefix(text, "@@ "), " @@")
	before, after, both := strings.Cut(ranges, " ")
	h := DiffHunk{Section: strings.TrimSpace(clip(section)), Lines: []DiffLine{}}
	var fine [2]bool
	h.OldStart, h.OldLines, fine[0] = span(before, '-')
	h.NewStart, h.NewLines, fine[1] = span(after, '+')
	if !ok || !both || !fine[0] || !fine[1] {
		return
	}
	p.binary = false
	p.minus, p.plus, p.old, p.new = h.OldLines, h.NewLines, h.OldStart, h.NewStart
	p.file.Hunks = append(p.file.Hunks, h)
}

// span reads "-12,3".
func span(text string, sign byte) (start, n int, ok bool) {
	if text == "" || text[0] != sign {
		return 0, 0, false
	}
	first, count, has := strings.Cut(text[1:], ",")
	start, err := strconv.Atoi(first)
	n = 1
	if has && err == nil {
		n, err = strconv.Atoi(count)
	}
	return start, n, err == nil && start >= 0 && n >= 0
}

// hunkLine takes a line of a hunk. false: it is none.
func (p *patchReader) hunkLine(text string) bool {
	if text == "" {
		text = " " // some programs take the blank of an empty line away
	}
	l := DiffLine{Op: text[:1], Text: clip(strings.TrimSuffix(text[1:], "\r"))}
	switch text[0] {
	case '-':
		l.Old = p.old
		p.file.Deletions++
	case '+':
		l.New = p.new
		p.file.Additions++
	case ' ':
		l.Old, l.New = p.old, p.new
	case '\\':
		return true
	default:
		return false
	}
	if text[0] != '+' {
		p.old, p.minus = p.old+1, p.minus-1
	}
	if text[0] != '-' {
		p.new, p.plus = p.new+1, p.plus-1
	}
	if p.lines++; p.lines > maxFileLines || p.total+p.lines > maxDiffLines {
		p.file.TooBig, p.file.Hunks = true, []DiffHunk{{}} // the numbers go on
		return true
	}
	if !p.file.TooBig {
		h := &p.file.Hunks[len(p.file.Hunks)-1]
		h.Lines = append(h.Lines, l)
	}
	return true
}

func (p *patchReader) endFile() {
	p.minus, p.plus = 0, 0
	if p.file == nil {
		return
	}
	if p.file.TooBig {
		p.file.Hunks = []DiffHunk{}
	} else {
		p.total += p.lines
	}
}

// patchName reads a name: git puts those with odd bytes into quotes, and a tab behind those with blanks.
func patchName(text, prefix string) string {
	text, _, _ = strings.Cut(text, "\t")
	if len(text) > 1 && text[0] == '"' {
		if plain, err := strconv.Unquote(text); err == nil {
			text = plain
		}
	}
	return strings.ToValidUTF8(path.Clean(strings.TrimPrefix(text, prefix)), "\uFFFD")
}

// clip is a line as a page can show it.
func clip(text string) string {
	if len(text) > maxDiffLine {
		cut := maxDiffLine
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// NewFile is the change that brings a file which the repository does not know yet.
func NewFile(path, text string, binary bool) DiffFile {
	f := DiffFile{Path: path, Status: "added", Binary: binary, Hunks: []DiffHunk{}}
	if binary || text == "" {
		return f
	}
	h := DiffHunk{NewStart: 1, Lines: []DiffLine{}}
	for line := range strings.Lines(text) {
		f.Additions++
		h.Lines = append(h.Lines, DiffLine{Op: "+", New: f.Additions, Text: clip(strings.TrimRight(line, "\r\n"))})
	}
	h.NewLines = f.Additions
	if f.TooBig = f.Additions > maxFileLines; !f.TooBig {
		f.Hunks = append(f.Hunks, h)
	}
	return f
}
