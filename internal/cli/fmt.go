package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/term"
	"ralphex/internal/textdiff"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/format"
)

type fmtCmd struct {
	Files []string `arg:"" optional:"" name:"file" help:"Plans or folders; - is stdin to stdout. Without one, all plans of the plans folder."`
	Check bool     `help:"Change nothing, list the files that are not tidy, exit 1 if there are any."`
	Diff  bool     `help:"Change nothing, show what would change."`
}

// Help says what is formatted.
func (fmtCmd) Help() string {
	return `Examples:
  ralphex fmt docs/plans/feature.md
  ralphex fmt --check              all plans, in CI
  ralphex fmt --diff docs/plans

Numbers tasks from 1, writes one blank line around headings, one blank in boxes, one kind of line end. No word is changed:
lines that speak of a task by its old number are named. What else is wrong, ralphex check --fix repairs.

Exit 0: tidy, or made so; 1: --check or --diff found something; 2: wrong command line or unreadable plan.`
}

// Run formats.
func (c fmtCmd) Run(ctx context.Context, p *Proc, g *root) error {
	if slices.Contains(c.Files, "-") {
		return c.stdin(p)
	}
	files, err := c.files(ctx, p, g)
	if err != nil {
		return err
	}
	untidy := false
	for _, f := range files {
		changed, err := c.file(p, f)
		if err != nil {
			return err
		}
		untidy = untidy || changed
	}
	if untidy && (c.Check || c.Diff) {
		return &exitError{code: exitFailed}
	}
	return nil
}

func (c fmtCmd) stdin(p *Proc) error {
	if len(c.Files) > 1 {
		return usage(fmt.Errorf("- stands for stdin and goes alone"), "")
	}
	src, err := io.ReadAll(io.LimitReader(p.In, plan.MaxSize+1))
	if err != nil {
		return fmt.Errorf("read stdin: %w", err)
	}
	res, err := format.Format(src)
	if err != nil {
		return usage(fmt.Errorf("<stdin>: %w", err), "")
	}
	if !c.Check && !c.Diff {
		_, err := p.Out.Write(res.Text)
		return err
	}
	if bytes.Equal(res.Text, src) {
		return nil
	}
	c.show(p, "<stdin>", src, res)
	return &exitError{code: exitFailed}
}

// files are the plans that were named: files as they are, folders with the plans in them.
func (c fmtCmd) files(ctx context.Context, p *Proc, g *root) ([]string, error) {
	args := c.Files
	if len(args) == 0 {
		_, plans, err := projectPlaces(ctx, p, g)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(plans); err != nil {
			return nil, usage(fmt.Errorf("no plan named, and there is no folder %s", relative(p.Dir, plans)), "ralphex fmt PLAN.md")
		}
		args = []string{plans}
	}
	var out []string
	for _, a := range args {
		found, err := plansAt(a, p.Dir)
		if err != nil {
			return nil, usage(err, "")
		}
		for _, f := range found {
			out = append(out, f.path)
		}
	}
	return out, nil
}

// isPlanName tells whether a file is a plan by its name.
func isPlanName(name string) bool { return strings.EqualFold(filepath.Ext(name), ".md") }

// file formats one file, and tells whether it was not tidy.
func (c fmtCmd) file(p *Proc, path string) (changed bool, err error) {
	name := relative(p.Dir, path)
	look := c.Check || c.Diff
	var src []byte
	var res format.Result
	err = plan.Edit(path, func(now []byte) ([]byte, error) {
		src = now
		if res, err = format.Format(now); err != nil || look {
			return now, err
		}
		return res.Text, nil
	})
	if err != nil {
		return false, usage(fmt.Errorf("%s: %w", name, err), "")
	}
	if bytes.Equal(src, res.Text) {
		return false, nil
	}
	c.show(p, name, src, res)
	return true, nil
}

// show tells of one file that was not tidy.
func (c fmtCmd) show(p *Proc, name string, src []byte, res format.Result) {
	if c.Diff {
		slashed := filepath.ToSlash(name)
		out := p.Out // a patch, byte by byte
		if term.IsTerminal(p.Out) {
			out = plainly(p.Out)
		}
		io.WriteString(out, textdiff.Unified("a/"+slashed, "b/"+slashed, string(src), string(res.Text), 3))
	} else {
		fmt.Fprintln(plainly(p.Out), name)
	}
	for _, n := range res.Notes {
		line := n.Line
		if c.Check || c.Diff {
			line = n.Was
		}
		fmt.Fprintf(p.Err, "%s:%d: %s\n", name, line, n.Text)
	}
}
