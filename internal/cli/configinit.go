package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/progress"
)

type configInitCmd struct {
	Global bool `help:"Your own folder (~/.config/ralphex) instead of this repository's .ralphex/."`
}

// Help says what is written.
func (configInitCmd) Help() string {
	return `Writes config, prompts/*.txt and agents/*.txt as comments: they set nothing, and show what could be set. A file with anything but
comments in it is never touched; older templates are brought up to date. Nothing else of ralphex writes into these folders.

Examples:
  ralphex config init                        the same as ralphex --init
  ralphex config init --global

Exit codes: 0, 1 a file can't be written, or there is no repository here.`
}

// Run writes the templates.
func (c configInitCmd) Run(ctx context.Context, p *Proc, g *root) error {
	f, err := folderOf(ctx, p, g, !c.Global)
	if err != nil {
		return err
	}
	wrote, kept, err := f.install()
	if err != nil {
		return err
	}
	if f.local {
		fmt.Fprintf(p.Out, "local config initialized in %s/\n", f.shown)
	} else {
		fmt.Fprintf(p.Out, "global config initialized in %s\n", f.shown)
	}
	fmt.Fprintf(p.Out, "%d %s written", wrote, plural(wrote, "template", "templates"))
	if len(kept) > 0 {
		fmt.Fprintf(p.Out, ", %d of your own left as they are", len(kept))
	}
	fmt.Fprintln(p.Out)
	return nil
}

// install writes each template whose file is missing or has nothing but comments; kept are the others.
func (f settingsFolder) install() (wrote int, kept []string, err error) {
	dir, err := f.open()
	if err != nil {
		return 0, nil, err
	}
	defer dir.Close()
	for _, file := range config.BuiltIn() {
		have, err := readBelow(dir, file.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil: // what can't be read may be somebody's work
			kept = append(kept, file.Name)
			continue
		case !config.IsTemplate(string(have)):
			kept = append(kept, file.Name)
			continue
		case string(have) == file.Template():
			continue
		}
		if err := writeBelow(dir, file.Name, file.Template()); err != nil {
			return wrote, kept, err
		}
		wrote++
	}
	if !f.local {
		return wrote, kept, nil
	}
	_, err = progress.Ignore(f.path)
	return wrote, kept, err
}

// open makes the folder, which is for nobody else to read.
func (f settingsFolder) open() (*durable.Dir, error) {
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return nil, err
	}
	return durable.OpenDir(f.path)
}

// readBelow reads a file of a settings folder whole. A pipe would be waited for: it is refused.
func readBelow(dir *durable.Dir, name string) ([]byte, error) {
	fi, err := dir.Root().Stat(name)
	if err == nil && !fi.Mode().IsRegular() {
		return nil, hinted(fmt.Errorf("%s is no regular file", filepath.Join(dir.Path(), filepath.FromSlash(name))), "put a plain text file there, or take it away")
	}
	if err != nil {
		return nil, err
	}
	return dir.Root().ReadFile(name)
}

// writeBelow writes a file that may lie in a folder of its own.
func writeBelow(dir *durable.Dir, name, text string) error {
	if err := dir.Root().MkdirAll(path.Dir(name), 0o700); err != nil {
		return fmt.Errorf("make %s: %w", filepath.Join(dir.Path(), path.Dir(name)), err)
	}
	return dir.WriteFile(name, []byte(text), 0o600)
}

type configDumpCmd struct {
	Dir string `arg:"" help:"Folder to write to; it may not exist yet."`
}

// Help says what is written.
func (configDumpCmd) Help() string {
	return `Writes config, prompts/*.txt and agents/*.txt as they are built in, to be compared with your own or to be copied from. A file that is
there with another text is not overwritten.

Examples:
  ralphex config dump /tmp/defaults          the same as ralphex --dump-defaults /tmp/defaults
  diff -r /tmp/defaults ~/.config/ralphex

Exit codes: 0, 1 a file can't be written, or another one is there.`
}

// Run writes the files.
func (c configDumpCmd) Run(p *Proc) error {
	if c.Dir == "" {
		return usage(errors.New("the folder for the defaults is empty"), "ralphex config dump DIR")
	}
	to := c.Dir
	if !filepath.IsAbs(to) {
		to = filepath.Join(p.Dir, to)
	}
	dir, err := settingsFolder{path: to}.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, file := range config.BuiltIn() {
		switch have, err := readBelow(dir, file.Name); {
		case err == nil && string(have) == file.Text:
			continue
		case err == nil:
			return hinted(fmt.Errorf("%s is there already, with another text", filepath.Join(c.Dir, filepath.FromSlash(file.Name))), "name an empty folder")
		case !errors.Is(err, fs.ErrNotExist):
			return hinted(err, "name an empty folder")
		}
		if err := writeBelow(dir, file.Name, file.Text); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.Out, "defaults extracted to %s\n", c.Dir)
	return nil
}
