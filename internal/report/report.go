package report

import (
	"io"
	"unicode/utf8"

	"ralphex/pkg/plan/check"
)

// Report is the result of one check.
type Report struct {
	Files   []File
	Profile check.Profile
	Version string // of ralphex

	// For text only.
	Color bool
	Width int  // columns; 0 = as many as there are
	Quiet bool // one line a finding, no source, no summary
}

// File is what was found in one file.
type File struct {
	Path     string // as people know it
	Src      []byte // what the findings are about: with Fixed, the text after it
	Findings []check.Finding
	Fixed    int // how many findings were mended
}

// Format is one way to write a report.
type Format struct {
	Name  string
	Write func(io.Writer, Report) error
}

// Formats lists the formats; the first one is for people.
func Formats() []Format {
	return []Format{{"text", Text}, {"json", JSON}, {"sarif", SARIF}, {"github", GitHub}, {"junit", JUnit}}
}

// Summary counts findings.
type Summary struct {
	Files    int `json:"files"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	Fixable  int `json:"fixable"`
	Fixed    int `json:"fixed"`
}

// Summary counts what the report holds.
func (r Report) Summary() Summary {
	s := Summary{Files: len(r.Files)}
	for _, f := range r.Files {
		s.Fixed += f.Fixed
		for _, x := range f.Findings {
			switch x.Severity {
			case check.Error:
				s.Errors++
			case check.Warning:
				s.Warnings++
			default:
				s.Notes++
			}
			if x.Fix != nil {
				s.Fixable++
			}
		}
	}
	return s
}

// lineAt returns the source line that holds an offset, without its line end, and where it begins.
func (f File) lineAt(offset int) (line string, start int) {
	start, end := offset, offset
	for start > 0 && f.Src[start-1] != '\n' {
		start--
	}
	for end < len(f.Src) && f.Src[end] != '\n' {
		end++
	}
	if end > start && f.Src[end-1] == '\r' && end > offset {
		end--
	}
	return string(f.Src[start:end]), start
}

// runeCol is a 1-based column in characters, of an offset.
func (f File) runeCol(offset int) int {
	start := offset
	for start > 0 && f.Src[start-1] != '\n' {
		start--
	}
	return utf8.RuneCount(f.Src[start:offset]) + 1
}
