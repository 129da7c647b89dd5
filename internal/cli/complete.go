package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"ralphex/internal/integrate"
	"ralphex/internal/ralph/task"
)

// completeCmd prints what may stand behind the words of a command line, one candidate a line. Completion scripts call it where the grammar alone
// does not tell: values of flags, commands of a command, and ids that only a look into the repository tells.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:"all"`
}

// planned are the verbs that take a plan: those of the plans folder are offered, wherever in the repository one is, beside the files.
var planned = []string{"run", "show", "tick", "check", "fmt"}

// completed are the verbs whose arguments completeCmd knows; those of all others are plans. The flags of all verbs are known to it.
var completed = []string{"task", "claim", "prd", "workspace", "worktrees", "restore", "findings", "answer", "cost", "budget", "prompt", "remediation", "replay", "timeline", "provenance", "latest", "retry-now", "integrations", "completion", "config", "pause", "resume", "stop", "skip", "notify"}

// plainWord is what a shell reads as one word and as nothing else. A shell expands candidates once more, and an id comes from a file that anybody may
// have written: one that is not plain is not offered.
var plainWord = sync.OnceValue(func() *regexp.Regexp { // its classes take longer to build than all else that the package has
	return regexp.MustCompile(`^(?:\.\./)*[\p{L}\p{N}_][\p{L}\p{N}_./:@+-]*$`)
})

// Run prints the candidates. Whatever goes wrong, there are just none: nobody reads an error in the middle of typing.
func (c completeCmd) Run(ctx context.Context, p *Proc, kctx *kong.Context) error {
	quiet := *p
	quiet.Err = nowhere{}
	for _, w := range candidates(ctx, &quiet, kctx.Model.Node, c.Words) {
		if plainWord().MatchString(w) {
			fmt.Fprintln(p.Out, w)
		}
	}
	return nil
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

// candidates are what the next word may be, by the words before it.
func candidates(ctx context.Context, p *Proc, app *kong.Node, words []string) []string {
	node := child(app, "run") // a bare plan, or a flag, is run's
	for i, w := range words {
		if found := child(app, w); found != nil && !found.Hidden {
			node, words = found, words[i+1:]
			break
		}
	}
	if len(node.Children) > 0 {
		if len(words) == 0 {
			words := subcommands(node)
			if node.DefaultCmd != nil { // the command of a command may be left out
				words = append(words, argValues(ctx, p, node.DefaultCmd, nil)...)
			}
			return words
		}
		if sub := child(node, words[0]); sub != nil {
			node, words = sub, words[1:]
		}
	}
	if n := len(words); n > 0 && strings.HasPrefix(words[n-1], "-") {
		return flagValues(ctx, p, node, strings.TrimLeft(words[n-1], "-"))
	}
	return argValues(ctx, p, node, words)
}

// child finds a command of a command.
func child(n *kong.Node, name string) *kong.Node {
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func subcommands(n *kong.Node) []string {
	var out []string
	for _, sub := range n.Children {
		if !sub.Hidden {
			out = append(out, sub.Name)
		}
	}
	return out
}

// flagValues are what a flag takes.
func flagValues(ctx context.Context, p *Proc, n *kong.Node, name string) []string {
	switch name {
	case "executor", "fallback-executors":
		return executorNames()
	case "parent", "depends-on", "below", "task":
		return taskIDs(ctx, p)
	case "explain":
		return ruleIDs()
	case "from":
		if n.Name == "convert" {
			return sourceFormats()
		}
	case "task-model", "review-model", "plan-model":
		return modelNames()
	case "status":
		return taskWords("status")
	}
	if n.Name == "run" {
		if choices := keyChoices(name); len(choices) > 0 {
			return choices
		}
	}
	for _, f := range n.Flags {
		if f.Name == name {
			return choices(f.Value)
		}
	}
	return nil
}

// choices are what a flag or an argument may be; nil = anything.
func choices(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return slices.DeleteFunc(strings.Split(v.Enum, ","), func(w string) bool { return w == "" })
}

// argValues are what the next argument may be, behind those that are there.
func argValues(ctx context.Context, p *Proc, n *kong.Node, args []string) []string {
	command := typed(n)
	switch command {
	case "ralphex task done":
		return taskIDs(ctx, p)
	case "ralphex task set":
		switch {
		case len(args) == 1:
			return task.SupportedFields()[1:]
		case len(args) > 1 && args[1] != "dependsOn" && args[1] != "parentId":
			return taskWords(args[1])
		}
		return taskIDs(ctx, p)
	case "ralphex restore":
		return keptWords(ctx, p, args)
	case "ralphex integrations install":
		return integrate.Commands()
	case "ralphex config show":
		return keyNames()
	case "ralphex config diff", "ralphex config reset":
		return kinds
	case "ralphex notify test":
		return channelNames()
	}
	if len(args) > 0 {
		return nil
	}
	switch command {
	case "ralphex run", "ralphex show", "ralphex tick", "ralphex check", "ralphex fmt":
		return planWords(ctx, p)
	case "ralphex task show", "ralphex task decompose", "ralphex task block":
		return taskIDs(ctx, p)
	case "ralphex claim resolve":
		return claimedTasks(ctx, p)
	case "ralphex pause", "ralphex resume", "ralphex stop", "ralphex skip", "ralphex note":
		return livingIDs(ctx, p)
	case "ralphex worktrees open":
		return treeNames(ctx, p)
	case "ralphex findings", "ralphex cost", "ralphex budget show", "ralphex budget add", "ralphex replay", "ralphex timeline":
		return runWords(ctx, p)
	case "ralphex answer":
		return creationWords(ctx, p)
	case "ralphex provenance verify":
		return bundleWords(ctx, p)
	case "ralphex retry-now":
		return waitingWords(ctx, p)
	case "ralphex workspace path":
		return placeNames()
	}
	if len(n.Positional) > 0 {
		return choices(n.Positional[0])
	}
	return nil
}
