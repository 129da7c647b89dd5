package check

import (
	"slices"
	"strings"
)

// shellWords are what a shell knows by itself, or what says nothing about a program.
var shellWords = strings.Fields(`! { } [ [[ . : alias bg bind break builtin case cd command continue declare dirs do done
	echo elif else esac eval exec exit export false fg fi for function getopts hash help history if in jobs kill let local
	popd printf pushd pwd read readonly return select set shift shopt source test then time times trap true type typeset
	ulimit umask unalias unset until wait while`)

// wrappers start the program that is named behind them.
var wrappers = []string{"time", "exec", "command", "!", "then", "do", "else", "if", "while", "until", "elif", "{"}

// programs lists the programs that a command of the shell starts by name, as far as that is certain. Paths
// depend on a working folder, and what is computed on a run; neither is listed.
func programs(command string) []string {
	if strings.Contains(command, "<<") || strings.Contains(command, "()") {
		return nil
	}
	var out []string
	for _, part := range splitCommand(command) {
		name := programOf(part)
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// programOf is the program of one simple command, "" if there is none that can be looked for.
func programOf(words []string) string {
	for _, w := range words {
		switch {
		case slices.Contains(wrappers, w) || isAssignment(w):
			continue
		case w == "" || strings.ContainsAny(w, "/$`\"'\\*?[(){}<>~#&=") || slices.Contains(shellWords, w):
			return ""
		}
		return w
	}
	return ""
}

func isAssignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	if !ok || name == "" {
		return false
	}
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// splitCommand cuts at what separates commands, outside of quotes, and each command into its words. A word
// in quotes keeps them.
func splitCommand(s string) [][]string {
	var all [][]string
	var words []string
	var word strings.Builder
	quote := byte(0)
	flushWord := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	flush := func() {
		flushWord()
		if len(words) > 0 {
			all = append(all, words)
			words = nil
		}
	}
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case quote != 0:
			word.WriteByte(ch)
			if ch == quote {
				quote = 0
			}
		case ch == '\'' || ch == '"':
			quote = ch
			word.WriteByte(ch)
		case ch == '\\' && i+1 < len(s):
			if s[i+1] != '\n' {
				word.WriteString(s[i : i+2])
			}
			i++
		case ch == '#' && word.Len() == 0:
			for i+1 < len(s) && s[i+1] != '\n' {
				i++
			}
		case ch == '\n' || ch == ';' || ch == '|':
			flush()
		case ch == '&' && (i == 0 || s[i-1] != '>' && s[i-1] != '<'):
			flush()
		case ch == ' ' || ch == '\t':
			flushWord()
		default:
			word.WriteByte(ch)
		}
	}
	if quote == 0 { // a quote that is never closed: nothing is certain
		flush()
	}
	return all
}
