package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ralphex/pkg/plan"
)

// namedPlan finds and reads the plan that an argument names.
func namedPlan(arg, dir string) (path string, p *plan.Plan, err error) {
	if path, err = findPlan(arg, dir); err != nil {
		return "", nil, err
	}
	if p, err = plan.ParsePlanFile(path); err != nil {
		return "", nil, usage(err, "")
	}
	return path, p, nil
}

// findPlan makes the plan argument absolute and checks that it is a file. A word that is nearly a command is
// taken for a typing error, not for a plan.
func findPlan(arg, dir string) (string, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		// A run renames and archives its plan: the command that started it still means that plan.
		if at, lerr := plan.Locate(path); lerr == nil {
			fi, err = os.Stat(at)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		hint := "give the path of a Markdown plan, relative to this folder"
		if near := nearVerb(arg); near != "" {
			hint = fmt.Sprintf("did you mean `ralphex %s`?", near)
		}
		return "", usage(fmt.Errorf("plan file not found: %s", arg), hint)
	case err != nil:
		return "", usage(fmt.Errorf("plan file: %w", err), "")
	case fi.IsDir():
		return "", usage(fmt.Errorf("%s is a folder, not a plan", arg), "name one of the .md files in it")
	case !fi.Mode().IsRegular():
		return "", usage(fmt.Errorf("%s is not a regular file", arg), "save the plan as a file: its boxes are ticked in it")
	}
	return path, nil
}

// onlyPlan picks the plan when none was named: the single one in the plans folder.
// The message names paths as a person in the folder here types them.
func onlyPlan(plansDir, here string) (string, error) {
	found, err := plansIn(plansDir)
	if err != nil {
		return "", err
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", &noPlansError{dir: relative(here, plansDir)}
	}
	for i, f := range found {
		found[i] = filepath.Base(f)
	}
	return "", usage(fmt.Errorf("no plan named, and %s has %d: %s", relative(here, plansDir), len(found), strings.Join(found, ", ")), "name one: ralphex "+shellQuote(filepath.Join(relative(here, plansDir), found[0])))
}

// plansIn lists the plans of a folder, by name.
func plansIn(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(globQuote(dir), "*.md"))
}

var globSpecial = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`)

func globQuote(s string) string {
	if filepath.Separator == '\\' {
		return s // no escapes in Windows patterns, and * ? can't be in its names
	}
	return globSpecial.Replace(s)
}

// readPlan parses a plan and refuses one that can't be run; nothing has been touched yet.
func readPlan(path string) (*plan.Plan, error) {
	p, err := plan.ParsePlanFile(path)
	if err != nil {
		return nil, usage(err, "")
	}
	if err := p.Validate(); err != nil {
		return nil, usage(err, "docs/plan-format.md shows the format; `ralphex show` what ralphex reads in a file")
	}
	return p, nil
}

// verbNames are the commands that a person can type.
var verbNames = sync.OnceValue(func() []string {
	names := []string{"help"}
	parser, err := newParser(new(root), Proc{Out: io.Discard, Err: io.Discard})
	if err != nil {
		return names
	}
	for _, v := range verbsOf(parser.Model.Node) {
		names = append(names, v.name)
	}
	return names
})

// nearVerb is the command that word was probably meant to be, or "".
func nearVerb(word string) string {
	if strings.ContainsAny(word, `/\.`) {
		return ""
	}
	best, at := "", 3
	for _, v := range verbNames() {
		if d := distance(word, v); d < at && d < len(v)-1 {
			best, at = v, d
		}
	}
	if best == "help" {
		return "--help"
	}
	return best
}

// mistyped is the command line that was probably meant where the first word of one is nearly a command, and no file; else "".
func mistyped(args []string, dir string) string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return ""
	}
	near := nearVerb(args[0])
	if _, err := os.Lstat(filepath.Join(dir, args[0])); near == "" || near == args[0] || err == nil {
		return ""
	}
	words := []string{near}
	for _, arg := range args[1:] {
		words = append(words, shellQuote(arg))
	}
	return strings.Join(words, " ")
}

// distance is the number of single-letter edits between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := slices.Clone(row)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(prev[j]+cost, prev[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
