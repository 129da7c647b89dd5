package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/task"
)

// completeCmd prints what may stand behind the words of a command line, one candidate a line. Completion scripts call it for the verbs of the
// store, whose ids only a look into the files tells.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:"all"`
}

// completed are the verbs whose arguments completeCmd knows.
var completed = []string{"task", "claim", "prd"}

// plainWord is what a shell reads as one word and as nothing else. A shell expands candidates once more, and an id comes from a file that anybody may
// have written: one that is not plain is not offered.
var plainWord = regexp.MustCompile(`^[\p{L}\p{N}_][\p{L}\p{N}_./:@+-]*$`)

// Run prints the candidates. Whatever goes wrong, there are just none: nobody reads an error in the middle of typing.
func (c completeCmd) Run(ctx context.Context, p *Proc, kctx *kong.Context) error {
	i := slices.IndexFunc(c.Words, func(w string) bool { return slices.Contains(completed, w) })
	if i < 0 {
		return nil
	}
	words := c.Words[i:]
	var out []string
	if len(words) == 1 {
		for _, verb := range kctx.Model.Node.Children {
			for _, sub := range verb.Children {
				if verb.Name == words[0] {
					out = append(out, sub.Name)
				}
			}
		}
	} else {
		quiet := *p
		quiet.Err = nowhere{}
		out = candidates(ctx, &quiet, words)
	}
	for _, w := range out {
		if plainWord.MatchString(w) {
			fmt.Fprintln(p.Out, w)
		}
	}
	return nil
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

// candidates are the values that the next word may have, by what stands before it.
func candidates(ctx context.Context, p *Proc, words []string) []string {
	verb, args, last := words[0]+" "+words[1], words[2:], words[len(words)-1]
	switch last {
	case "--status":
		return taskWords("status")
	case "--priority", "--mode", "--tier":
		return taskWords(last[2:])
	case "--format":
		return []string{"text", "mermaid", "dot"}
	case "--parent", "--depends-on", "--below":
		return taskIDs(ctx, p)
	}
	switch verb {
	case "task show", "task done", "task decompose", "task block":
		if verb == "task done" || len(args) == 0 {
			return taskIDs(ctx, p)
		}
	case "task set":
		switch {
		case len(args) == 0:
			return taskIDs(ctx, p)
		case len(args) == 1:
			return task.SupportedFields()[1:]
		case args[1] == "dependsOn" || args[1] == "parentId":
			return taskIDs(ctx, p)
		default:
			return taskWords(args[1])
		}
	case "claim resolve":
		if len(args) == 0 {
			return claimedTasks(ctx, p)
		}
	}
	return nil
}

// taskWords are the words that a field takes.
func taskWords(field string) []string {
	switch field {
	case "status":
		return asStrings(task.Statuses...)
	case "priority":
		return asStrings(task.Low, task.Normal, task.High)
	case "mode":
		return asStrings(task.Default, task.Documentation)
	case "tier":
		return asStrings(task.Simple, task.Medium, task.Complex)
	}
	return nil
}

func asStrings[T ~string](list ...T) []string {
	var out []string
	for _, w := range list {
		out = append(out, string(w))
	}
	return out
}

func taskIDs(ctx context.Context, p *Proc) []string {
	b, err := openBacklog(ctx, p, false)
	if err != nil {
		return nil
	}
	return ids(b.in.File.Tasks)
}

// claimedTasks are those whose claim a person can resolve.
func claimedTasks(ctx context.Context, p *Proc) []string {
	s, claims, err := openClaims(ctx, p)
	if err != nil {
		return nil
	}
	file, err := claims.Read(ctx)
	if err != nil {
		return nil
	}
	var out []string
	for _, t := range file.Inspect(time.Now(), s.settings.ClaimTTL).Tasks {
		if t.Canonical.Status == claim.Active && t.Canonical.Stale {
			out = append(out, t.TaskID)
		}
	}
	return out
}
