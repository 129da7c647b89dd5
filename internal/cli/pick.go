package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/term"
	"ralphex/pkg/plan"
)

// fzf is the finder that the public ralphex uses; where it is installed, people have it set up as they like.
const fzf = "fzf"

// somePlan is the plan when none was named: the only one in the plans folder, or the one that the person picks. Where nobody can be asked the
// error lists them.
func (j *job) somePlan(ctx context.Context, dir string) (string, error) {
	path, err := onlyPlan(dir, j.proc.Dir)
	if err == nil {
		return path, nil
	}
	found, gerr := plansIn(dir)
	if gerr != nil || len(found) < 2 || j.opts.json || !interactive(j.proc) {
		return "", err
	}
	tio := term.Of(j.proc.In, j.proc.Err, j.proc.Err, j.proc.Env, j.opts.plain)
	if !tio.IsTerminal || !tio.Live {
		return "", err
	}
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = relative(j.proc.Dir, f)
	}
	i := -1
	if finder, lerr := lookPath(j.proc.Env, j.proc.Dir, fzf); lerr == nil && !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "\n") }) {
		i, err = pickByFinder(ctx, j.proc, finder, names)
	} else {
		choices := make([]term.Choice, len(found))
		for n := range found {
			choices[n] = term.Choice{Name: names[n], Preview: func() string { return planPreview(found[n]) }}
		}
		i, err = term.Pick(ctx, tio, "plan:", choices)
	}
	if errors.Is(err, term.ErrNotPicked) {
		return "", hinted(errors.New("no plan selected"), "name one: ralphex "+shellQuote(names[0]))
	}
	if err != nil {
		return "", fmt.Errorf("select plan: %w", err)
	}
	return found[i], nil
}

// pickByFinder asks fzf, with the words and the preview of the public ralphex. It draws on the terminal itself.
func pickByFinder(ctx context.Context, p *Proc, finder string, names []string) (int, error) {
	cmd := exec.CommandContext(ctx, finder, "--prompt=select plan: ", "--preview=head -50 {}", "--preview-window=right:60%")
	cmd.Dir, cmd.Env, cmd.Stderr = p.Dir, p.Env, p.Err
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return 0, term.ErrNotPicked
	}
	if err != nil {
		return 0, err
	}
	if i := slices.Index(names, strings.TrimRight(out.String(), "\r\n")); i >= 0 {
		return i, nil
	}
	return 0, term.ErrNotPicked
}

// planPreview says what is in a plan, and how far it is.
func planPreview(path string) string {
	p, err := plan.ParsePlanFile(path)
	if err != nil {
		return err.Error()
	}
	done := 0
	var rows strings.Builder
	for _, t := range p.Tasks {
		mark := " "
		if t.Status == plan.TaskStatusDone {
			mark = "✓"
			done++
		}
		ticked := 0
		for _, b := range t.Checkboxes {
			if b.Checked {
				ticked++
			}
		}
		fmt.Fprintf(&rows, "%s %d %s (%d/%d)\n", mark, t.Position, t.Title, ticked, len(t.Checkboxes))
	}
	title := p.Title
	if title == "" {
		title = filepath.Base(path)
	}
	return fmt.Sprintf("%s\n\n%d of %d tasks done, %d validation %s\n\n%s", title, done, len(p.Tasks),
		len(p.ValidationCommands), plural(len(p.ValidationCommands), "command", "commands"), rows.String())
}
