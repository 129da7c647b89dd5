package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help shows how to install the script.
func (completionCmd) Help() string {
	return `Put this where your shell reads it:

    bash:  source <(ralphex completion bash)
    zsh:   source <(ralphex completion zsh)
    fish:  ralphex completion fish > ~/.config/fish/completions/ralphex.fish`
}

// Run prints the script, read off the grammar.
func (c completionCmd) Run(p *Proc, kctx *kong.Context) error {
	verbs := verbsOf(kctx.Model.Node)
	switch c.Shell {
	case "bash":
		return bashCompletion(p.Out, verbs)
	case "zsh":
		return zshCompletion(p.Out, verbs)
	default:
		return fishCompletion(p.Out, verbs)
	}
}

// verb is a command as a completion script needs it.
type verb struct {
	name, help string
	flags      []option
	subs       []string // commands of the command
}

type option struct {
	long, short, help string
	takesValue        bool
}

func verbsOf(app *kong.Node) []verb {
	shared := optionsOf(app)
	var out []verb
	for _, n := range app.Children {
		if n.Hidden {
			continue
		}
		v := verb{name: n.Name, help: n.Help, flags: optionsOf(n)}
		for _, sub := range n.Children {
			v.subs = append(v.subs, sub.Name)
			for _, o := range optionsOf(sub) {
				if !slices.ContainsFunc(v.flags, func(f option) bool { return f.long == o.long }) {
					v.flags = append(v.flags, o)
				}
			}
		}
		v.flags = append(v.flags, shared...)
		out = append(out, v)
	}
	return out
}

func optionsOf(n *kong.Node) []option {
	var out []option
	for _, f := range shownFlags(n) {
		o := option{long: f.Name, help: f.Help, takesValue: !f.IsBool()}
		if f.Short != 0 {
			o.short = string(f.Short)
		}
		out = append(out, o)
		if f.Tag.Negatable != "" {
			out = append(out, option{long: "no-" + f.Name, help: "The opposite of --" + f.Name + "."})
		}
	}
	return out
}

func (v verb) words() string {
	var w []string
	for _, f := range v.flags {
		w = append(w, "--"+f.long)
		if f.short != "" {
			w = append(w, "-"+f.short)
		}
	}
	return strings.Join(w, " ")
}

func names(verbs []verb) string {
	var w []string
	for _, v := range verbs {
		w = append(w, v.name)
	}
	return strings.Join(w, " ")
}

func bashCompletion(w io.Writer, verbs []verb) error {
	var b strings.Builder
	b.WriteString("# bash completion for ralphex\n_ralphex() {\n")
	b.WriteString("  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=run word words\n  COMPREPLY=()\n")
	fmt.Fprintf(&b, "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case $word in %s) verb=$word; break;; esac\n  done\n", strings.ReplaceAll(names(verbs), " ", "|"))
	b.WriteString("  case $verb in\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "    %s) words=%q;;\n", v.name, v.words())
	}
	b.WriteString("  esac\n  if [[ $cur == -* ]]; then\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n    return\n  fi\n")
	words := "COMPREPLY=($(compgen -W \"$(" + wordsFor + " \"${COMP_WORDS[@]:1:COMP_CWORD-1}\" 2>/dev/null)\" -- \"$cur\"))"
	fmt.Fprintf(&b, "  if [[ $prev == --* ]]; then\n    %s\n    [[ ${#COMPREPLY[@]} -gt 0 ]] && return\n  fi\n  case $verb in\n", words)
	fmt.Fprintf(&b, "    %s) %s; [[ ${#COMPREPLY[@]} -gt 0 || $prev != --* && $prev != import ]] || COMPREPLY=($(compgen -f -- \"$cur\"));;\n", strings.Join(completed, "|"), words)
	fmt.Fprintf(&b, "    %s) %s; compopt -o filenames 2>/dev/null; mapfile -O ${#COMPREPLY[@]} -t COMPREPLY < <(compgen -f -X '!*.md' -- \"$cur\"; compgen -d -- \"$cur\");;\n", strings.Join(planned, "|"), words)
	b.WriteString("    *) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -X '!*.md' -- \"$cur\"; compgen -d -- \"$cur\");;\n  esac\n")
	fmt.Fprintf(&b, "  if (( COMP_CWORD == 1 )); then COMPREPLY+=($(compgen -W %q -- \"$cur\")); fi\n}\ncomplete -F _ralphex ralphex\n", names(verbs))
	_, err := io.WriteString(w, b.String())
	return err
}

func zshCompletion(w io.Writer, verbs []verb) error {
	var b strings.Builder
	b.WriteString("#compdef ralphex\n_ralphex_words() {\n  local -a found\n  found=(${(f)\"$(" + wordsFor + " ${(Q)words[2,CURRENT-1]} 2>/dev/null)\"})\n  compadd -a found || _files\n}\n" +
		"_ralphex_plans() {\n  local -a found\n  found=(${(f)\"$(" + wordsFor + " ${(Q)words[2,CURRENT-1]} 2>/dev/null)\"})\n  compadd -a found\n  _files -g '*.md'\n}\n" +
		"_ralphex() {\n  local -a verbs\n  verbs=(\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "    %s\n", zshQuote(v.name+":"+v.help))
	}
	fmt.Fprintf(&b, "  )\n  local verb=run word\n  for word in ${words[2,CURRENT-1]}; do\n    case $word in %s) verb=$word; break;; esac\n  done\n", strings.ReplaceAll(names(verbs), " ", "|"))
	b.WriteString("  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n    _describe command verbs\n    _ralphex_plans\n    return\n  fi\n  case $verb in\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "    %s)\n      _arguments \\\n", v.name)
		for _, f := range v.flags {
			value := ""
			if f.takesValue {
				value = ":value:_ralphex_words"
			}
			fmt.Fprintf(&b, "        %s \\\n", zshQuote("--"+f.long+"["+strings.NewReplacer("[", "(", "]", ")", ":", "\\:").Replace(f.help)+"]"+value))
		}
		arg := `'*:plan:_files -g "*.md"'`
		switch {
		case slices.Contains(completed, v.name):
			arg = `'*:word:_ralphex_words'`
		case slices.Contains(planned, v.name):
			arg = `'*:plan:_ralphex_plans'`
		}
		fmt.Fprintf(&b, "        %s;;\n", arg)
	}
	b.WriteString("  esac\n}\nif [ \"$funcstack[1]\" = _ralphex ]; then _ralphex \"$@\"; else compdef _ralphex ralphex; fi\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func zshQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func fishCompletion(w io.Writer, verbs []verb) error {
	var b strings.Builder
	b.WriteString("# fish completion for ralphex\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "complete -c ralphex -n __fish_use_subcommand -a %s -d %s\n", v.name, fishQuote(v.help))
	}
	for _, v := range verbs {
		for _, f := range v.flags {
			cond := "__fish_seen_subcommand_from " + v.name
			if v.name == "run" { // a bare plan is run's
				cond = "not __fish_seen_subcommand_from " + strings.TrimPrefix(names(verbs), "run ")
			}
			line := fmt.Sprintf("complete -c ralphex -n %s -l %s -d %s", fishQuote(cond), f.long, fishQuote(f.help))
			if f.short != "" {
				line += " -s " + f.short
			}
			if f.takesValue {
				line += " -r -a '(" + fishWords + ")'"
			}
			b.WriteString(line + "\n")
		}
	}
	fmt.Fprintf(&b, "complete -c ralphex -n '__fish_seen_subcommand_from %s; or __fish_use_subcommand' -a '(%s)'\n", strings.Join(planned, " "), fishWords)
	for _, name := range completed {
		fmt.Fprintf(&b, "complete -c ralphex -n '__fish_seen_subcommand_from %s' -a '(%s)'\n", name, fishWords)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wordsFor prints what may stand behind the words that follow it.
const wordsFor = "ralphex __complete"

// fishWords is wordsFor with the words that stand before the cursor.
const fishWords = wordsFor + " (commandline -opc)[2..-1] 2>/dev/null"

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
