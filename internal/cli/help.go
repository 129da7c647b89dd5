package cli

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

const description = `Works a Markdown plan off with a coding agent, task by task in fresh sessions, proves each task by running
the plan's validation commands itself, commits, and archives the plan.

  ralphex docs/plans/feature.md        run a plan (short for: ralphex run docs/plans/feature.md)
  ralphex -t --executor runbook p.md   run the plan's own sh blocks, no agent, no reviews
  ralphex demo                         watch one being worked off
  ralphex show p.md --json             what ralphex reads in it
  ralphex tick p.md 2 --box 1          tick a box by hand

A plan whose file is called like a command needs ./ before its name.`

const exitCodes = `Exit codes:
  0    done (or aborted after a pause)
  1    failed: a task could not be finished, or something went wrong
  2    wrong command line, configuration or plan
  3    done, but items are left for a person, or the plan was changed during
       the run; or a task would delete more of the repository than
       max_delete_share allows
  4    a budget or usage limit ended the run
  5    the agent needs a person: a login, credit, or an admin
  10   another run holds this checkout
  130  interrupted (Ctrl+C)    143  terminated`

// verbExitCodes are those of a verb whose own text tells none.
const verbExitCodes = `0 done, 1 not done, 2 wrong command line or settings, 10 another
process holds what it needs. docs/exit-codes.md has all.`

// silentExit tells whether a command is a verb whose own text tells no exit code.
func silentExit(n *kong.Node) bool {
	return len(n.Children) == 0 && !strings.Contains(strings.ToLower(n.Detail), "exit")
}

// help prints kong's help; the root's also has the flags of run, since a bare plan runs it.
func help(o kong.HelpOptions, ctx *kong.Context) error {
	root := ctx.Selected() == nil
	o.Compact = root
	if err := kong.DefaultHelpPrinter(o, ctx); err != nil {
		return err
	}
	if root {
		fmt.Fprintln(ctx.Stdout, "\nFlags of run:")
		for _, f := range shownFlags(child(ctx.Model.Node, "run")) {
			printFlag(ctx.Stdout, flagName(f), f.Help)
		}
	}
	switch n := ctx.Selected(); {
	case root || n.Name == "run" || n.Name == "demo":
		fmt.Fprintf(ctx.Stdout, "\n%s\n", exitCodes)
	case silentExit(n):
		fmt.Fprintf(ctx.Stdout, "\nExit codes: %s\n", verbExitCodes)
	}
	return nil
}

// shownFlags are the flags of a command that help, manual and completion tell of.
func shownFlags(n *kong.Node) []*kong.Flag {
	var out []*kong.Flag
	for _, f := range n.Flags {
		if !f.Hidden {
			out = append(out, f)
		}
	}
	return out
}

// Columns of a flag's text: where it begins, and where a terminal of the usual width ends.
const (
	flagText  = 28
	lineWidth = 80
)

// printFlag prints a flag with its text behind it, or below it if its name is long.
func printFlag(w io.Writer, name, text string) {
	line := "  " + name
	if len(line) > flagText-2 {
		fmt.Fprintln(w, line)
		line = ""
	}
	line += strings.Repeat(" ", flagText-1-len(line))
	empty := true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > lineWidth {
			fmt.Fprintln(w, line)
			line = strings.Repeat(" ", flagText-1)
		}
		line, empty = line+" "+word, false
	}
	fmt.Fprintln(w, line)
}

func flagName(f *kong.Flag) string {
	s := "    "
	if f.Short != 0 {
		s = "-" + string(f.Short) + ", "
	}
	if s += "--"; f.Tag.Negatable != "" {
		s += "[no-]"
	}
	s += f.Name
	if !f.IsBool() {
		s += "=" + strings.ToUpper(f.FormatPlaceHolder())
	}
	return s
}

// revision is set by the linker in releases.
var revision = ""

// versionString is the release, the module's version, or the revision that the binary was built from.
func versionString() string {
	if revision != "" {
		return revision
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 7 {
			return s.Value[:7]
		}
	}
	return "unknown"
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(p *Proc) error {
	_, err := fmt.Fprintln(p.Out, "ralphex "+versionString())
	return err
}
