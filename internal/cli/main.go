package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"ralphex/internal/config"
)

// Proc is the process as the commands see it. The library never reads os.Args, os.Stdin or the environment.
type Proc struct {
	In       *os.File
	Out, Err io.Writer
	Env      []string
	Dir      string // working folder

	// keys takes the Ctrl+C of a view that is handed each key.
	keys chan os.Signal
	// noInput says that nobody may be asked: --no-input.
	noInput bool
	// layers are where the settings come from that a repository is opened by: --config-dir, and of a run its flags and its trust.
	layers config.Options
	// last are what is done when everything has been said; see atEnd. nil = at once.
	last *[]func()
	// input are the lines of In for all who ask; see lines. nil = nobody has asked yet.
	input *lineSource
}

// atEnd keeps f until the end of the process: what it waits for must not keep a person from reading how the command ended.
func (p *Proc) atEnd(f func()) {
	if p.last == nil {
		f()
		return
	}
	*p.last = append(*p.last, f)
}

// at is the same process in another folder.
func (p *Proc) at(dir string) *Proc {
	q := *p
	q.Dir = dir
	return &q
}

// Process is the process we are in.
func Process() Proc {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return Proc{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ(), Dir: dir}
}

// Main runs one command line and returns the exit code.
func Main(args []string, proc Proc) int {
	if len(args) == 1 && (args[0] == "--version" || args[0] == "-v") { // before any other processing, as the public one does
		return report(proc.Err, versionCmd{}.Run(&proc))
	}
	proc.keys = make(chan os.Signal, 2)
	ctx, stop := interruptible(context.Background(), proc.Err, proc.keys)
	defer stop()
	var last []func()
	proc.last, proc.input = &last, &lineSource{in: proc.In}
	code := report(proc.Err, dispatch(ctx, args, proc))
	for _, f := range last {
		f()
	}
	return code
}

// exitPanic carries kong's wish to exit (after --help, --version) out of its parser.
type exitPanic int

func dispatch(ctx context.Context, args []string, proc Proc) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case exitPanic:
			if p != 0 {
				err = &exitError{code: int(p)}
			}
		default:
			panic(p)
		}
	}()
	var grammar root
	parser, err := newParser(&grammar, proc)
	if err != nil {
		return err
	}
	if len(args) > 0 && args[0] == "help" { // ralphex help [COMMAND]
		args = append(args[1:len(args):len(args)], "--help")
	}
	if err := refuseBadText(args); err != nil { // the parser would make it UTF-8 by itself
		return err
	}
	kctx, err := parser.Parse(rewriteShort(args))
	if err != nil {
		if meant := mistyped(args, proc.Dir); meant != "" && strings.HasPrefix(err.Error(), "unexpected argument") {
			return usage(fmt.Errorf("no command %s, and no plan of that name", args[0]), "did you mean `ralphex "+meant+"`?")
		}
		return usage(clearer(err), helpHint(kctx, err))
	}
	kctx.BindTo(ctx, (*context.Context)(nil))
	proc.layers.GlobalDir, proc.noInput = grammar.ConfigDir, grammar.NoInput
	return kctx.Run(&grammar, &proc)
}

func newParser(grammar *root, proc Proc) (*kong.Kong, error) {
	parser, err := kong.New(grammar,
		kong.Name("ralphex"),
		kong.Description(description),
		kong.Vars{"version": "ralphex " + versionString()},
		kong.Writers(proc.Out, proc.Err),
		kong.Exit(func(code int) { panic(exitPanic(code)) }),
		kong.Help(help),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(durationValue)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.UsageOnError(),
		kong.PostBuild(func(k *kong.Kong) error { return nil }),
	)
	if err != nil {
		return nil, fmt.Errorf("build the command line: %w", err)
	}
	return parser, nil
}

// durationValue reads a flag that takes a duration.
func durationValue(k *kong.DecodeContext, target reflect.Value) error {
	var raw string
	if err := k.Scan.PopValueInto("duration", &raw); err != nil {
		return err
	}
	d, err := time.ParseDuration(raw)
	if err != nil {
		return fmt.Errorf("%q is no duration; write 90s, 30m or 1h30m", raw)
	}
	target.SetInt(int64(d))
	return nil
}

// shortEquals matches a short flag with a value behind =, be it behind switches of run. A switch has no value: -t=true stays, and is an error.
var shortEquals = regexp.MustCompile(`^-([trecsd]*[abf-qu-zA-Z])=(.*)$`)

// rewriteShort turns -m=5 and -rb=main, which the public ralphex takes and kong does not, into -m5 and -rbmain.
func rewriteShort(args []string) []string {
	out := make([]string, 0, len(args))
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		if m := shortEquals.FindStringSubmatch(a); m != nil {
			a = "-" + m[1] + m[2]
		}
		out = append(out, a)
	}
	return out
}

// typed is what a person types for a command: "ralphex task done".
func typed(n *kong.Node) string {
	if n.Parent == nil {
		return n.Name
	}
	return typed(n.Parent) + " " + n.Name
}

// missing is how the parser says that something is not there: a placeholder, or commands.
var missing = regexp.MustCompile(`^expected (?:one of )?"(.*)"$`)

// clearer puts the parser's words for what is missing into a sentence.
func clearer(err error) error {
	m := missing.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	what := strings.ReplaceAll(m[1], `", "`, ", ")
	if strings.HasPrefix(what, "<") {
		return fmt.Errorf("%s is missing", what)
	}
	return fmt.Errorf("a command is missing: %s", what)
}

func helpHint(kctx *kong.Context, err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil && parse.Context.Selected() != nil {
		n := parse.Context.Selected()
		if group := n.Parent; group.Parent != nil && group.DefaultCmd == n && strings.HasPrefix(err.Error(), "unexpected argument") {
			n = group // it was meant to be a command: `ralphex task lst`
		}
		return typed(n) + " --help"
	}
	return "ralphex --help"
}
