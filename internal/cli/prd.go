package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/prd"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/executor"
)

type prdCmd struct {
	New prdNewCmd `cmd:"" help:"Make an objective and a backlog of a few words: draft, review, confirm."`
}

type prdNewCmd struct {
	Objective string `help:"What is to be built, a sentence or Markdown; - reads it from standard input." placeholder:"TEXT" xor:"source"`
	Draft     string `help:"A draft that --dry-run --json printed and somebody reviewed; - reads it from standard input." placeholder:"FILE" xor:"source"`
	DryRun    bool   `name:"dry-run" short:"n" help:"Only show the draft."`
	Yes       bool   `short:"y" help:"Write it without a question."`
	Replace   bool   `help:"Also where there is an objective or a backlog: they are lost." xor:"how"`
	Append    bool   `help:"Leave the objective as it is, and put the tasks behind those that are there." xor:"how"`
	lockWait  `embed:""`
	JSON      bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (prdNewCmd) Help() string {
	return `No model is asked: the same words give the same draft. Entries of lists below headings such as Tasks, Requirements or Goals become tasks, one after the
other; without those, the other sections. Tasks are complete when the source is complete: what it does not say stays absent, and is a note. Written
are prd.md and tasks.json, both or none, and no other file.

At a terminal the draft is shown, and you confirm it, edit its text ($VISUAL, $EDITOR) or leave. Elsewhere say --yes, or review a file:

  ralphex prd new --objective - --dry-run --json < goal.md > draft.json
  ralphex prd new --draft draft.json --yes

More examples:
  ralphex prd new
  ralphex prd new --objective 'A limiter for the public API' --yes
  ralphex prd new --objective - --append --yes < feature.md

Exit codes: 0, 1 there is something already (--replace, --append), 2 wrong command line or nobody to confirm, 10 tasks.lock is held.`
}

// Run drafts, lets a person review, and writes.
func (c prdNewCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openToPropose(ctx, p, "prd new", c.DryRun)
	if err != nil {
		return err
	}
	budget, err := c.budget()
	if err != nil {
		return err
	}
	d, err := c.draft(p)
	if err != nil {
		return err
	}
	if c.DryRun {
		return c.print(p, d, nil)
	}
	if !c.Yes {
		if d, err = c.review(ctx, p, d); err != nil || d == nil {
			return err
		}
	}
	w, tasks := &prd.Written{}, s.taskStore(budget)
	if c.Append {
		w.Tasks, err = prd.Append(ctx, tasks, d)
	} else {
		w, err = prd.Write(ctx, s.PRD, tasks, d, c.Replace)
	}
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	if c.JSON {
		return c.print(p, d, w)
	}
	if w.PRD {
		fmt.Fprintln(p.Out, "wrote   "+s.Rel(s.PRD))
	}
	return s.printChange(p, false, w.Tasks)
}

// draft makes the draft, or reads the one that was reviewed.
func (c prdNewCmd) draft(p *Proc) (*prd.Draft, error) {
	if c.Draft != "" {
		return c.reviewed(p)
	}
	text := c.Objective
	switch {
	case text == "" && !interactive(p):
		return nil, usage(errors.New("what is to be built is not said"), "ralphex prd new --objective TEXT, or - for standard input")
	case text == "":
		fmt.Fprintln(p.Err, "What is to be built? One line, or Markdown up to a line with a dot alone:")
		var err error
		if text, err = readObjective(p); err != nil {
			return nil, err
		}
	default:
		var err error
		if text, err = readText(p, text, "the objective"); err != nil {
			return nil, err
		}
	}
	d, err := prd.Generate(text)
	if errors.Is(err, prd.ErrBlank) {
		return nil, usage(err, "say in a sentence what is to be built")
	}
	return d, err
}

// readObjective reads one line, or more up to a dot where the first one is a heading or ends in a colon.
func readObjective(p *Proc) (string, error) {
	var b strings.Builder
	for {
		line, err := readLine(p)
		if err != nil {
			return "", err
		}
		if line == "" || strings.TrimSpace(line) == "." {
			return b.String(), nil
		}
		b.WriteString(line)
		if first := strings.TrimSpace(b.String()); !strings.HasPrefix(first, "#") && !strings.HasSuffix(first, ":") && first != "" {
			return b.String(), nil
		}
	}
}

// reviewed reads a draft as JSON: what --dry-run --json prints, or its "draft" alone.
func (c prdNewCmd) reviewed(p *Proc) (*prd.Draft, error) {
	name := c.Draft
	text := ""
	if name == "-" {
		var err error
		if text, err = readText(p, name, "the draft"); err != nil {
			return nil, err
		}
		name = "standard input"
	} else {
		b, err := durable.ReadFile(absolute(p.Dir, name), 64<<20)
		if err != nil {
			return nil, usage(fmt.Errorf("read the draft: %w", err), "ralphex prd new --objective TEXT --dry-run --json > FILE makes one")
		}
		text = string(b)
	}
	v, err := stable.Parse([]byte(text))
	if err != nil {
		var at *stable.SyntaxError
		if errors.As(err, &at) {
			name = fmt.Sprintf("%s:%d:%d", name, at.Line, at.Column)
		}
		return nil, usage(fmt.Errorf("%s: the draft is no JSON: %w", name, err), "mend it there")
	}
	d, err := readDraft(v)
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", name, err), `it needs "prd", a text, and "tasks", a list`)
	}
	return d, nil
}

func readDraft(v any) (*prd.Draft, error) {
	o, ok := v.(*stable.Object)
	if !ok {
		return nil, errors.New("the draft is no JSON object")
	}
	if inner, _ := o.Get("draft"); inner != nil {
		if o, ok = inner.(*stable.Object); !ok {
			return nil, errors.New(`"draft" is no JSON object`)
		}
	}
	d := &prd.Draft{}
	if d.PRD, _ = o.String("prd"); strings.TrimSpace(d.PRD) == "" {
		return nil, errors.New("the draft has no PRD")
	}
	d.Title, _ = o.String("title")
	list, _ := o.Get("tasks")
	tasks, ok := list.(*stable.Array)
	if !ok || len(tasks.Items) == 0 {
		return nil, errors.New("the draft has no tasks")
	}
	for i, item := range tasks.Items {
		one, ok := item.(*stable.Object)
		if !ok {
			return nil, fmt.Errorf("task %d is no JSON object", i+1)
		}
		t, err := task.NormalizeNew(one, task.NewOptions{})
		if err != nil {
			return nil, fmt.Errorf("task %d: %w", i+1, err)
		}
		d.Tasks = append(d.Tasks, t)
	}
	return d, nil
}

// print shows a draft, and what was written of it.
func (c prdNewCmd) print(p *Proc, d *prd.Draft, w *prd.Written) error {
	if c.JSON {
		return printJSON(p.Out, struct {
			Version int          `json:"version"`
			Draft   *prd.Draft   `json:"draft"`
			Written *prd.Written `json:"written"` // null: nothing was
		}{1, d, w})
	}
	if _, err := io.WriteString(p.Out, showDraft(d)); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.Out, "\nnothing was written; next: the same command with --yes")
	return err
}

// showDraft is a draft as a person reviews it.
func showDraft(d *prd.Draft) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimRight(d.PRD, "\n"), "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		fmt.Fprintf(&b, "| %s%s\n", indent, task.Plain(line))
	}
	b.WriteByte('\n')
	for i := range d.Tasks {
		info := taskInfo{Task: d.Tasks[i]}
		b.WriteString(info.row(idWidth(d.Tasks)))
		if deps := d.Tasks[i].DependsOn; len(deps) > 0 {
			b.WriteString("  after " + some(deps))
		}
		b.WriteByte('\n')
		for _, a := range d.Tasks[i].Acceptance {
			fmt.Fprintf(&b, "    - %s\n", task.Plain(a))
		}
	}
	for _, w := range d.Warnings {
		fmt.Fprintf(&b, "note: %s\n", task.Plain(w))
	}
	return b.String()
}

// review shows the draft until a person confirms it, or leaves: then it is nil.
func (c prdNewCmd) review(ctx context.Context, p *Proc, d *prd.Draft) (*prd.Draft, error) {
	if !interactive(p) {
		return nil, nobodyToAsk(p, "look at the draft with --dry-run, then say --yes")
	}
	for {
		fmt.Fprint(p.Err, showDraft(d))
		answer, err := ask(p, "Write this? [y]es, [e]dit the text, [N]o ", "ralphex prd new --yes")
		switch {
		case err != nil:
			return nil, err
		case answer == "y" || answer == "yes":
			return d, nil
		case answer == "e" || answer == "edit":
			if d, err = edited(ctx, p, d); err != nil {
				return nil, err
			}
		default:
			fmt.Fprintln(p.Err, "nothing was written")
			return nil, nil
		}
	}
}

// edited is the draft of the text that a person changed in their editor.
func edited(ctx context.Context, p *Proc, d *prd.Draft) (*prd.Draft, error) {
	editor := getenv(p.Env, "VISUAL")
	if editor == "" {
		editor = getenv(p.Env, "EDITOR")
	}
	words := executor.SplitArgs(editor)
	if len(words) == 0 {
		return nil, usage(errors.New("neither VISUAL nor EDITOR names an editor"), "set one, or write the objective into a file: --objective - < FILE")
	}
	dir, err := os.MkdirTemp("", "ralphex-prd-")
	if err != nil {
		return nil, fmt.Errorf("edit the draft: %w", err)
	}
	path := filepath.Join(dir, "prd.md")
	if err := os.WriteFile(path, []byte(d.PRD), 0o600); err != nil {
		return nil, fmt.Errorf("edit the draft: %w", err)
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], path)...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Dir, p.Env, p.In, p.Err, p.Err
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("edit the draft: %s: %w (your text is in %s)", editor, err, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("edit the draft: %w", err)
	}
	out, err := prd.Generate(string(text))
	if err != nil {
		return nil, fmt.Errorf("edit the draft: %w", err)
	}
	_ = os.RemoveAll(dir) // the draft has the text; a folder that stays is the system's to sweep
	return out, nil
}
