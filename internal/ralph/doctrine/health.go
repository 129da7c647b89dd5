package doctrine

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// Health is the state of a pack in one word or three.
type Health string

// The states. An invalid evidence index wins over what is incomplete.
const (
	Missing      Health = "missing"
	Incomplete   Health = "incomplete"
	InvalidIndex Health = "invalid evidence index"
	Healthy      Health = "healthy"
)

// The codes of findings.
const (
	CodeDirectoryMissing = "doctrine_directory_missing"
	CodeFileMissing      = "doctrine_required_file_missing"
	CodeHeadingMissing   = "doctrine_required_heading_missing"
	CodeIndexInvalid     = "doctrine_evidence_index_invalid"
	CodeHealthy          = "doctrine_pack_healthy"
	CodeProtectedChanged = "protected_doctrine_changed"
)

// Finding is one line about the pack. All but CodeHealthy, which is information, are warnings: doctrine never stops a run.
type Finding struct {
	Code    string
	Message string
}

// maxSize is the largest doctrine file that is looked at.
const maxSize = 16 << 20

const adoptHint = " Run `ralphex workspace adopt`."

// Report is the state of a pack.
type Report struct {
	Health   Health
	Findings []Finding
}

// Inspect looks at the pack of a workspace. It reads inside the workspace only, and writes nothing.
func Inspect(l layout.Layout) Report {
	root, err := os.OpenRoot(l.Root)
	if err != nil {
		return missing()
	}
	defer root.Close()
	if fi, err := root.Stat(filepath.FromSlash(layout.DoctrineDir)); err != nil || !fi.IsDir() {
		return missing()
	}
	r := Report{Health: Healthy}
	var found []Finding
	add := func(h Health, code, text string) {
		if r.Health != InvalidIndex {
			r.Health = h
		}
		found = append(found, Finding{code, text})
	}
	for _, f := range Files {
		at := path.Join(layout.DoctrineDir, f.Name)
		data, err := durable.ReadIn(root, filepath.FromSlash(at), maxSize)
		if err != nil {
			add(Incomplete, CodeFileMissing, unreadable(at, err))
			continue
		}
		for _, h := range f.missingHeadings(data) {
			add(Incomplete, CodeHeadingMissing, fmt.Sprintf("%s lacks the heading `## %s`.", at, h))
		}
	}
	at := path.Join(layout.DoctrineDir, EvidenceIndex)
	if data, err := durable.ReadIn(root, filepath.FromSlash(at), maxSize); err != nil {
		add(Incomplete, CodeFileMissing, unreadable(at, err))
	} else if why := checkEvidenceIndex(data); why != "" {
		add(InvalidIndex, CodeIndexInvalid, at+" is invalid: "+why+".")
	}
	if r.Health == Healthy {
		r.Findings = []Finding{{CodeHealthy, "Doctrine health: healthy. All nine files are there."}}
		return r
	}
	for _, f := range found {
		r.Findings = append(r.Findings, Finding{f.Code, fmt.Sprintf("Doctrine health: %s. %s%s", r.Health, f.Message, adoptHint)})
	}
	return r
}

func missing() Report {
	return Report{Missing, []Finding{{CodeDirectoryMissing, "Doctrine health: missing. There is no folder " + layout.DoctrineDir + "." + adoptHint}}}
}

func unreadable(at string, err error) string {
	if absent(err) {
		return at + " is missing."
	}
	return fmt.Sprintf("%s can't be read: %v.", at, err)
}

// Protection is what the protected files were at one moment: file → hash; a file that is not there has none.
type Protection map[string]string

// Take hashes the protected files. Take it before and after a session.
func Take(l layout.Layout) Protection {
	p := Protection{}
	root, err := os.OpenRoot(l.Root)
	if err != nil {
		return p
	}
	defer root.Close()
	for _, f := range Files {
		at := path.Join(layout.DoctrineDir, f.Name)
		if !f.Protected {
			continue
		}
		if data, err := durable.ReadIn(root, filepath.FromSlash(at), maxSize); err == nil {
			p[at] = stable.Hash(data)
		}
	}
	return p
}

// Changed returns one warning for each protected file that differs between before and after: changed, made or taken away.
func Changed(before, after Protection) []Finding {
	var out []Finding
	for _, f := range Files {
		at := path.Join(layout.DoctrineDir, f.Name)
		was, is := before[at], after[at]
		if was == is {
			continue
		}
		what := "was changed"
		switch {
		case was == "":
			what = "was made"
		case is == "":
			what = "was deleted"
		}
		out = append(out, Finding{CodeProtectedChanged, fmt.Sprintf(
			"%s %s during the session: it is protected doctrine, which an agent proposes changes to and does not write. Look at the change and keep it or take it back.", at, what)})
	}
	return out
}
