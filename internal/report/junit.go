package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"ralphex/pkg/plan/check"
)

type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes a suite for each plan and a case for each finding. An error is a failure; a warning or a note
// is a case that passed and has something to say. A clean plan is one case that passed.
func JUnit(w io.Writer, r Report) error {
	all := junitSuites{Name: "ralphex check"}
	for _, f := range r.Files {
		s := junitSuite{Name: f.Path}
		for _, x := range f.Findings {
			c := junitCase{Name: fmt.Sprintf("%s at line %d", x.Rule, x.Line), Class: f.Path, File: f.Path, Line: x.Line}
			place := fmt.Sprintf("%s:%d:%d: %s", f.Path, x.Line, f.runeCol(x.Offset), x.Message)
			if x.Severity == check.Error {
				c.Failure = &junitFailure{Type: x.Rule, Message: x.Message, Text: place}
				s.Failures++
			} else {
				c.Out = string(x.Severity) + ": " + place
			}
			s.Cases = append(s.Cases, c)
		}
		if len(s.Cases) == 0 {
			s.Cases = []junitCase{{Name: "plan format", Class: f.Path, File: f.Path}}
		}
		s.Tests = len(s.Cases)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
