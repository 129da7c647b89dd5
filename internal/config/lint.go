package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Fault is a mistake in settings, prompts or agents.
type Fault struct {
	Origin Origin
	Error  bool // a run would not start, or not with this file; else it starts, and something is not as it looks
	Text   string
	Hint   string // may be empty
}

// String is one line for a person, ".ralphex/prompts/task.txt:3: warning: …".
func (f Fault) String() string {
	kind := "warning"
	if f.Error {
		kind = "error"
	}
	s := f.Text
	if place := f.Origin.Place(); place != "" {
		s = place + ": " + kind + ": " + f.Text
	}
	if f.Hint != "" {
		s += "; " + f.Hint
	}
	return s
}

// Lint looks at all files of both folders and at the environment, in the order in which they count. Trust is no matter
// of right or wrong: untrusted commands are not reported.
func Lint(o Options) []Fault {
	o.TrustRepo = true
	_, warnings, err := Load(o)
	faults := append(fromWarnings(warnings), Faults(err)...)
	folders := places(o, environment(o.Env)).folders
	for _, f := range slices.Backward(folders) {
		faults = append(faults, f.lintSecrets()...)
		faults = append(faults, f.lintKind("prompts", folders, lintPrompt)...)
		faults = append(faults, f.lintKind("agents", folders, lintAgent)...)
	}
	return faults
}

func fromWarnings(warnings []Warning) []Fault {
	var faults []Fault
	for _, w := range warnings {
		faults = append(faults, Fault{Origin: w.Origin, Text: w.Text, Hint: w.Hint})
	}
	return faults
}

// Faults takes an error of Load or LoadChecks apart.
func Faults(err error) []Fault {
	var faults []Fault
	for _, e := range each(err) {
		faults = append(faults, faultOf(e))
	}
	return faults
}

// each takes joined errors apart.
func each(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []error
		for _, e := range joined.Unwrap() {
			list = append(list, each(e)...)
		}
		return list
	}
	if inner := errors.Unwrap(err); inner != nil {
		if _, ok := inner.(interface{ Unwrap() []error }); ok {
			return each(inner)
		}
	}
	return []error{err}
}

// faultOf makes a fault of an error of Load.
func faultOf(err error) Fault {
	f := Fault{Error: true, Text: err.Error()}
	if v, ok := errors.AsType[*ValueError](err); ok {
		f.Origin, f.Text = v.Origin, v.Key+": "+v.Reason
	}
	if l, ok := errors.AsType[*LinkError](err); ok {
		f.Origin, f.Text, f.Hint = Origin{Name: l.File}, "a symbolic link out of the repository, to "+l.Target, l.Hint()
	}
	if r, ok := errors.AsType[*FileError](err); ok {
		f.Origin, f.Text, f.Hint = r.Origin, r.reason(), r.Hint()
	}
	return f
}

// lintSecrets warns of secrets that a repository would hand to everybody who clones it.
func (f folder) lintSecrets() []Fault {
	if f.layer != Local {
		return nil
	}
	settings, _, err := readFile(file{layer: f.layer, path: filepath.Join(f.path, "config"), shown: filepath.Join(f.shown, "config"), within: f.within})
	if err != nil {
		return nil // Load has told it
	}
	var faults []Fault
	for _, s := range settings {
		if s.key.Secret && s.raw != "" {
			faults = append(faults, Fault{Origin: s.origin, Text: s.key.Name + " is a secret, and a repository's settings are read by all who have the repository",
				Hint: "set it in your global config, or as " + s.key.Env()})
		}
	}
	return faults
}

// lintKind looks at all files of a kind in one folder.
func (f folder) lintKind(kind string, folders []folder, look func(name, raw string, at Origin, c *Config) []Fault) []Fault {
	names, err := f.names(kind)
	if err != nil {
		return []Fault{faultOf(err)}
	}
	c := &Config{folders: folders}
	var faults []Fault
	for _, name := range names {
		at := Origin{Layer: f.layer, Name: f.show(kind, name)}
		raw, err := f.read(kind, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			faults = append(faults, Fault{Origin: at, Error: true, Text: "a link that leads nowhere"})
		case err != nil:
			e := faultOf(err)
			e.Origin = at
			faults = append(faults, e)
		case hasText(raw):
			if !utf8.ValidString(raw) {
				faults = append(faults, Fault{Origin: at, Text: "there are bytes in it that are no UTF-8", Hint: "save it as UTF-8"})
			}
			faults = append(faults, look(name, raw, at, c)...)
		}
	}
	return faults
}

func lintPrompt(name, raw string, at Origin, c *Config) []Fault {
	if !slices.Contains(PromptNames(), name) {
		f := Fault{Origin: at, Text: "there is no prompt " + name + ": the file has no effect", Hint: "there are " + strings.Join(PromptNames(), ", ")}
		if near := nearest(name, PromptNames()); near != "" {
			f.Hint = "did you mean " + near + ".txt?"
		}
		return []Fault{f}
	}
	return lintReferences(name, raw, at, c)
}

func lintAgent(name, raw string, at Origin, c *Config) []Fault {
	a, warnings := parseAgent(name, raw, at)
	faults := fromWarnings(warnings)
	if !agentName.MatchString(name) {
		faults = append(faults, Fault{Origin: at, Text: fmt.Sprintf("no prompt can call an agent named %q", name), Hint: "name the file with letters, digits, - and _ only"})
	}
	if a.Body == "" {
		return faults
	}
	return append(faults, lintReferences("", raw, at, c)...)
}

// lintReferences finds variables and agents that stay as they are. An empty prompt name stands for the text of an agent.
func lintReferences(prompt, raw string, at Origin, c *Config) []Fault {
	var faults []Fault
	for i, line := range strings.Split(raw, "\n") {
		at.Line = i + 1
		for _, m := range reference.FindAllStringSubmatch(line, -1) {
			var f *Fault
			if m[1] != "" {
				f = lintCall(prompt, m[1], c)
			} else {
				f = lintVariable(prompt, m[2])
			}
			if f != nil {
				f.Origin = at
				faults = append(faults, *f)
			}
		}
	}
	return faults
}

func lintCall(prompt, name string, c *Config) *Fault {
	switch prompt {
	case "":
		return &Fault{Text: "an agent calls no agents: {{agent:" + name + "}} stays as it is"}
	case "make_plan":
		return &Fault{Text: "plan creation calls no agents: {{agent:" + name + "}} stays as it is"}
	}
	if _, _, err := c.agent(name); !errors.Is(err, fs.ErrNotExist) {
		return nil // a file that can't be read is told of where it lies
	}
	w := c.noAgent(name, "")
	return &Fault{Text: w.Text, Hint: w.Hint}
}

func lintVariable(prompt, name string) *Fault {
	v, ok := lookupVariable(name)
	switch {
	case !ok:
		f := &Fault{Text: "unknown variable {{" + name + "}} stays as it is"}
		var names []string
		for _, v := range Variables() {
			names = append(names, v.Name)
		}
		if near := nearest(name, names); near != "" {
			f.Hint = "did you mean {{" + near + "}}?"
		}
		return f
	case v.In != nil && !slices.Contains(v.In, prompt):
		return &Fault{Text: "{{" + name + "}} stays as it is here", Hint: "it is filled in only in " + strings.Join(v.In, " and ")}
	}
	return nil
}
