package executor

import "strings"

// SplitArgs splits a line of arguments by the public rule: blanks separate, ' and " group, a backslash makes the next
// character plain everywhere, within quotes too. Quotes that hold nothing make no argument. It is no shell:
// nothing is expanded, an unclosed quote ends with the line, and a backslash at the very end stands for itself.
func SplitArgs(line string) []string {
	var args []string
	var arg strings.Builder
	var quote rune
	escaped := false
	flush := func() {
		if arg.Len() > 0 {
			args = append(args, arg.String())
			arg.Reset()
		}
	}
	for _, r := range line {
		switch {
		case escaped:
			escaped = false
			arg.WriteRune(r)
		case r == '\\':
			escaped = true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			arg.WriteRune(r)
		case r == '\'' || r == '"':
			quote = r
		case r == ' ':
			flush()
		default:
			arg.WriteRune(r)
		}
	}
	if escaped {
		arg.WriteByte('\\')
	}
	flush()
	return args
}

// WithFlag sets a flag that has a value, e.g. "--model": forms that are there already ("--model x", "--model=x", a bare "--model" at
// the end or before another flag) are removed, and "--model", value is appended. An empty value changes nothing.
func WithFlag(args []string, flag, value string) []string {
	if value == "" {
		return args
	}
	out := make([]string, 0, len(args)+2)
	for i := 0; i < len(args); i++ {
		switch {
		case strings.HasPrefix(args[i], flag+"="):
		case args[i] == flag:
			if i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
				i++ // its value
			}
		default:
			out = append(out, args[i])
		}
	}
	return append(out, flag, value)
}
