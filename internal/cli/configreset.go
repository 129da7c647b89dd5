package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
)

type configResetCmd struct {
	Local bool     `help:"This repository's .ralphex/ instead of your own folder."`
	Yes   bool     `short:"y" help:"Reset without a question."`
	Parts []string `arg:"" optional:"" help:"config, prompts, agents; without one: each, with a question of its own."`
}

// Help says what happens to the files.
func (configResetCmd) Help() string {
	return `Files that say something else than the built-in ones become commented templates, which set nothing. What was in them is kept in a folder
backup-DATE-TIME beside them. Files of names that are not built in are yours and stay.

Examples:
  ralphex config reset                       asks three questions, as ralphex --reset does
  ralphex config reset --yes prompts
  ralphex config reset --local agents

Exit codes: 0 (also when nothing was to be done, or the answer was no), 1 a file can't be read or written, 2 nobody to ask and no --yes.`
}

// Run asks and resets.
func (c configResetCmd) Run(ctx context.Context, p *Proc, g *root) error {
	parts, err := chosenKinds(c.Parts)
	if err != nil {
		return err
	}
	f, err := folderOf(ctx, p, g, c.Local)
	if err != nil {
		return err
	}
	dir, err := f.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	backup := newBackup(dir, time.Now())
	var did, skipped []string
	for _, part := range parts {
		differing, err := c.look(p, dir, f, part)
		if err != nil {
			return err
		}
		yes := len(differing) > 0 && c.Yes
		if len(differing) > 0 && !c.Yes {
			if yes, err = agree(p, fmt.Sprintf("reset %s to the built-in ones?", part), c.command(part)); err != nil {
				return err
			}
		}
		if !yes {
			skipped = append(skipped, part)
			continue
		}
		for _, file := range differing {
			if err := setBack(dir, file, backup); err != nil {
				return err
			}
		}
		did = append(did, part)
	}
	fmt.Fprintf(p.Out, "Done. Reset: %s. Skipped: %s.\n", orNone(did), orNone(skipped))
	if len(did) > 0 {
		fmt.Fprintf(p.Out, "What was there is kept in %s\n", path.Join(f.shown, backup))
	}
	return nil
}

// newBackup names a folder that is not there yet: a second reset within a second overwrites nothing.
func newBackup(dir *durable.Dir, now time.Time) string {
	name := "backup-" + now.Format("20060102-150405")
	for n := 2; ; n++ {
		if _, err := dir.Root().Lstat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("backup-%s-%d", now.Format("20060102-150405"), n)
	}
}

// command is what to type to reset a part of the same folder without a question.
func (c configResetCmd) command(part string) string {
	if c.Local {
		return "ralphex config reset --local --yes " + part
	}
	return "ralphex config reset --yes " + part
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// look lists the files of a part that a reset would change, and tells of them.
func (configResetCmd) look(p *Proc, dir *durable.Dir, f settingsFolder, part string) ([]config.File, error) {
	var differing []config.File
	own, err := ownFiles(dir, part)
	if err != nil {
		return nil, err
	}
	for _, file := range config.BuiltIn() {
		if file.Kind() != part {
			continue
		}
		own = slices.DeleteFunc(own, func(name string) bool { return name == file.Name })
		have, err := readBelow(dir, file.Name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && (string(have) == file.Text || config.IsTemplate(string(have))) {
			continue
		}
		if err != nil {
			return nil, err
		}
		differing = append(differing, file)
	}
	if len(differing) == 0 {
		fmt.Fprintf(p.Out, "%s: as built in\n", part)
		return nil, nil
	}
	fmt.Fprintf(p.Out, "%s: these differ from the built-in ones:\n", part)
	for _, file := range differing {
		when := ""
		if fi, err := dir.Root().Stat(file.Name); err == nil {
			when = fi.ModTime().Format(time.DateOnly)
		}
		fmt.Fprintf(p.Out, "  %s (%s)\n", path.Join(f.shown, file.Name), when)
	}
	for _, name := range own {
		fmt.Fprintf(p.Out, "  %s is yours alone and stays\n", path.Join(f.shown, name))
	}
	return differing, nil
}

// ownFiles are the text files of a part, "prompts/task.txt".
func ownFiles(dir *durable.Dir, part string) ([]string, error) {
	if part == "config" {
		return nil, nil
	}
	entries, err := fs.ReadDir(dir.Root().FS(), part)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".txt") {
			names = append(names, path.Join(part, e.Name()))
		}
	}
	return names, err
}

// setBack keeps a copy of a file and puts the template in its place, in this order.
func setBack(dir *durable.Dir, file config.File, backup string) error {
	have, err := readBelow(dir, file.Name)
	if err != nil {
		return err
	}
	if err := writeBelow(dir, path.Join(backup, file.Name), string(have)); err != nil {
		return err
	}
	return writeBelow(dir, file.Name, file.Template())
}

// agree asks a question that is answered by yes or no. Answers may come through a pipe, as scripts of the public ralphex
// send them; where none comes, nobody is there to ask, and the command is what to type instead.
func agree(p *Proc, question, command string) (bool, error) {
	if p.In == nil || p.noInput {
		return false, nobodyToAsk(p, "add --yes when you have made sure: "+command)
	}
	fmt.Fprintf(p.Err, "%s\n  [y/N]: ", question)
	line, err := readLine(p)
	if err != nil {
		return false, err
	}
	if line == "" && !interactive(p) {
		fmt.Fprintln(p.Err)
		return false, nobodyToAsk(p, "add --yes when you have made sure: "+command)
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}
