package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/config"
	"ralphex/internal/term"
	"ralphex/internal/textdiff"
	"ralphex/pkg/vcs"
)

type configDiffCmd struct {
	Parts []string `arg:"" optional:"" help:"config, prompts, agents; without one: all."`
	JSON  bool     `name:"json" help:"Print it as JSON."`
}

// Help says what is compared.
func (configDiffCmd) Help() string {
	return `Compares what this version has built in with your own copies, of your own folder and of this repository's .ralphex/. A line with - is the
built-in one, a line with + is yours: after an update you see what yours lack. Prompts and agents are compared as texts, without comments at
their beginning; settings are compared key by key.

Examples:
  ralphex config diff
  ralphex config diff prompts | less

Exit codes: 0, also where there are differences; 2 a file can't be read.`
}

// fileDiff is one file that differs, as JSON.
type fileDiff struct {
	File string `json:"file"` // as shown to people
	Part string `json:"part"`
	Diff string `json:"diff,omitempty"` // empty: there is nothing like it built in
}

// Run prints the differences.
func (c configDiffCmd) Run(ctx context.Context, p *Proc, g *root) error {
	parts, err := chosenKinds(c.Parts)
	if err != nil {
		return err
	}
	var diffs []fileDiff
	folders, err := foldersHere(ctx, p, g)
	if err != nil {
		return err
	}
	for _, f := range folders {
		for _, part := range parts {
			found, err := f.diff(part)
			if err != nil {
				return usage(err, hintOf(err))
			}
			diffs = append(diffs, found...)
		}
	}
	if c.JSON {
		return printJSON(p.Out, map[string]any{"version": 1, "files": append([]fileDiff{}, diffs...)})
	}
	if len(diffs) == 0 {
		fmt.Fprintln(p.Out, "nothing differs from what is built in")
	}
	for _, d := range diffs {
		if d.Diff == "" {
			fmt.Fprintf(p.Out, "%s is yours alone\n", d.File)
			continue
		}
		fmt.Fprint(p.Out, term.Clean(d.Diff))
	}
	return nil
}

// foldersHere are the settings folders that count here: the person's own, and the repository's where there is one.
func foldersHere(ctx context.Context, p *Proc, g *root) ([]settingsFolder, error) {
	list := []settingsFolder{globalFolder(p, g)}
	local, err := localFolder(ctx, p)
	if errors.Is(err, vcs.ErrNotRepo) || errors.Is(err, vcs.ErrBare) {
		return list, nil
	}
	if err == nil && local.path != list[0].path {
		list = append(list, local)
	}
	return list, err
}

// diff compares the files of one part with the built-in ones.
func (f settingsFolder) diff(part string) ([]fileDiff, error) {
	if part == "config" {
		return f.diffSettings()
	}
	builtin := map[string]config.File{}
	for _, file := range config.BuiltIn() {
		builtin[file.Name] = file
	}
	within := ""
	if f.local {
		within = filepath.Dir(f.path)
	}
	texts, err := config.Texts(f.path, f.shown, within, part)
	if err != nil {
		return nil, err
	}
	var diffs []fileDiff
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		d := fileDiff{File: path.Join(f.shown, part, name+".txt"), Part: part}
		if file, ok := builtin[part+"/"+name+".txt"]; ok {
			d.Diff = textdiff.Unified("built-in/"+file.Name, d.File, file.PlainText()+"\n", texts[name]+"\n", 3)
			if d.Diff == "" {
				continue
			}
		}
		diffs = append(diffs, d)
	}
	return diffs, nil
}

// diffSettings compares the keys that the file sets with their defaults.
func (f settingsFolder) diffSettings() ([]fileDiff, error) {
	o := config.Options{GlobalDir: f.path, Executors: executorNames()} // read as if it were the only layer
	cfg, _, err := config.Load(o)
	if err != nil {
		return nil, err
	}
	var builtin, own strings.Builder
	for _, k := range config.Keys() {
		if !cfg.IsSet(k.Name) {
			continue
		}
		have, want := cfg.Value(k.Name), k.DefaultValue()
		if k.Secret && have != "" {
			have = "(secret)"
		}
		if have == want {
			continue
		}
		fmt.Fprintf(&builtin, "%s\n", strings.TrimRight(k.Name+" = "+want, " "))
		fmt.Fprintf(&own, "%s\n", strings.TrimRight(k.Name+" = "+have, " "))
	}
	name := path.Join(f.shown, "config")
	if diff := textdiff.Unified("built-in/config", name, builtin.String(), own.String(), 0); diff != "" {
		return []fileDiff{{File: name, Part: "config", Diff: diff}}, nil
	}
	return nil, nil
}
