package term

import (
	"bytes"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// IO is the world of a command that talks to a person.
type IO struct {
	In       io.Reader
	Out, Err io.Writer

	IsTerminal bool       // a person sits at In and Out: prompts make sense
	Live       bool       // Out can redraw a line
	Width      func() int // columns of Out, now
	Color      bool       // on Out
	ErrColor   bool       // on Err
	Env        []string   // tells how many colours there are; nil = all

	resized func(chan os.Signal) (stop func()) // tells of a changed size; nil = nobody does
}

// Of returns the IO of these streams and environment. Streams that are no files are no terminals. NO_COLOR, TERM=dumb and noColor
// (--no-color) switch colour off; TERM=dumb switches the status line off, too.
func Of(in io.Reader, out, err io.Writer, env []string, noColor bool) *IO {
	v := lookup(env)
	outTerm, errTerm := prepare(out), prepare(err)
	smart := v("TERM") != "dumb"
	color := smart && !noColor && v("NO_COLOR") == ""
	tio := &IO{
		In: in, Out: out, Err: err,
		IsTerminal: isTerminal(in) && outTerm,
		Live:       outTerm && smart,
		Width:      widthOf(out, v("COLUMNS")),
		Color:      outTerm && color,
		ErrColor:   errTerm && color,
		Env:        env,
	}
	if tio.Live {
		tio.resized = resized
	}
	return tio
}

// Test returns an IO that is no terminal, and its buffers.
func Test() (tio *IO, in, out, err *bytes.Buffer) {
	in, out, err = &bytes.Buffer{}, &bytes.Buffer{}, &bytes.Buffer{}
	return &IO{In: in, Out: out, Err: err, Width: func() int { return 80 }}, in, out, err
}

// prepare tells whether w is a terminal, and makes it understand escape sequences where that has to be asked for.
func prepare(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isTerminal(f) && understands(f)
}

// IsTerminal tells whether somebody looks at what is written to w.
func IsTerminal(w io.Writer) bool { return isTerminal(w) }

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf asks COLUMNS, then the terminal, then takes 80.
func widthOf(w io.Writer, columns string) func() int {
	if n, err := strconv.Atoi(columns); err == nil && n > 0 {
		return func() int { return n }
	}
	f, ok := w.(*os.File)
	return func() int {
		if ok {
			if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
				return n
			}
		}
		return 80
	}
}

// lookup returns the value of a variable, the last one where it is set twice.
func lookup(env []string) func(string) string {
	return func(name string) (value string) {
		for _, pair := range env {
			if len(pair) > len(name) && pair[len(name)] == '=' && pair[:len(name)] == name {
				value = pair[len(name)+1:]
			}
		}
		return value
	}
}
