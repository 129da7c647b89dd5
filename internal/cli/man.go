package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"ralphex/internal/durable"
)

type manCmd struct {
	Dir string `arg:"" optional:"" help:"Folder that gets a page for each command; without it, ralphex(1) is printed." placeholder:"DIR"`
}

// Help shows how to read and to install the pages.
func (manCmd) Help() string {
	return `Examples:
  ralphex man | man -l -
  ralphex man ~/.local/share/man/man1

The pages are written from the same tables as --help. Those of ralphex that are there already are replaced.`
}

// Run prints the first page, or writes all.
func (c manCmd) Run(_ context.Context, p *Proc, kctx *kong.Context) error {
	app := kctx.Model.Node
	if c.Dir == "" {
		_, err := io.WriteString(p.Out, manPage(app))
		return err
	}
	dir := absolute(p.Dir, c.Dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the pages: %w", err)
	}
	d, err := durable.OpenDir(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	pages := manNodes(app)
	for _, n := range pages {
		if err := d.WriteFile(manName(n)+".1", []byte(manPage(n)), 0o644); err != nil {
			return fmt.Errorf("write the page of %s: %w", typed(n), err)
		}
	}
	fmt.Fprintf(p.Out, "%d pages in %s: man -l %s\n", len(pages), c.Dir, shellQuote(filepath.Join(c.Dir, "ralphex.1")))
	return nil
}

// manNodes are the commands that have a page: all that are shown, the program first.
func manNodes(n *kong.Node) []*kong.Node {
	out := []*kong.Node{n}
	for _, c := range n.Children {
		if !c.Hidden {
			out = append(out, manNodes(c)...)
		}
	}
	return out
}

func manName(n *kong.Node) string { return strings.ReplaceAll(typed(n), " ", "-") }

// manPage is the page of a command in the man macros, which every man reads.
func manPage(n *kong.Node) string {
	var b strings.Builder
	root := n.Parent == nil
	help := n.Help
	if root {
		help = "work a Markdown plan off with a coding agent, task by task"
	}
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"ralphex\" \"ralphex\"\n", roff(strings.ToUpper(manName(n))))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(n)), roff(strings.TrimRight(help, ".")))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n%s\n", roff(typed(n)), roff(strings.TrimSpace(strings.TrimPrefix(n.Summary(), typed(n)))))
	if root {
		b.WriteString(".SH DESCRIPTION\n")
		manBlock(&b, description)
	} else if n.Detail != "" {
		b.WriteString(".SH DESCRIPTION\n")
		manBlock(&b, n.Detail)
	}
	if args := n.Positional; len(args) > 0 {
		b.WriteString(".SH ARGUMENTS\n")
		for _, a := range args {
			manItem(&b, a.Summary(), a.Help)
		}
	}
	flags := shownFlags(n)
	if root {
		flags = append(shownFlags(child(n, "run")), flags...)
	}
	if len(flags) > 0 {
		b.WriteString(".SH OPTIONS\n")
		for _, f := range flags {
			manItem(&b, strings.TrimSpace(flagName(f)), f.Help)
		}
	}
	manCommands(&b, n)
	switch {
	case root || n.Name == "run" || n.Name == "demo":
		b.WriteString(".SH EXIT STATUS\n")
		manBlock(&b, strings.TrimPrefix(exitCodes, "Exit codes:\n"))
	case silentExit(n):
		b.WriteString(".SH EXIT STATUS\n")
		manBlock(&b, verbExitCodes)
	}
	return b.String()
}

// manCommands lists the commands of a command, and where else to look.
func manCommands(b *strings.Builder, n *kong.Node) {
	var pages []string
	for i, c := range n.Children {
		if c.Hidden {
			continue
		}
		if i == 0 {
			b.WriteString(".SH COMMANDS\n")
		}
		manItem(b, typed(c), c.Help)
		pages = append(pages, ".BR "+roff(manName(c))+" (1)")
	}
	if n.Parent != nil {
		pages = append(pages, ".BR "+roff(manName(n.Parent))+" (1)")
	}
	b.WriteString(".SH SEE ALSO\n" + strings.Join(pages, ",\n") + "\n")
}

func manItem(b *strings.Builder, name, help string) {
	fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(name), roff(help))
}

// manBlock is text whose lines stay as they are.
func manBlock(b *strings.Builder, text string) {
	b.WriteString(".nf\n")
	for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		b.WriteString(roff(line) + "\n")
	}
	b.WriteString(".fi\n")
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ")

// roff makes text safe for the man macros: a line can't begin a request, dashes can be copied, and other letters than ASCII's are named.
func roff(text string) string {
	text = roffEscapes.Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}
