package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/integrate"
	"ralphex/pkg/vcs"
)

type commandsInstallCmd struct {
	Command []string `arg:"" optional:"" help:"ralphex, ralphex-plan, ralphex-convert, ralphex-adopt, ralphex-update; without one, all."`
	For     []string `name:"for" enum:"claude,codex" help:"Tool: claude, codex; without it, those whose folder is in your home folder." placeholder:"TOOL"`
	Here    bool     `help:"Into this repository (.claude/commands), for all who work in it, instead of your home folder."`
	List    bool     `help:"Show what is installed, and change nothing." xor:"what"`
	Remove  bool     `help:"Remove them." xor:"what"`
	Print   bool     `help:"Print the files, and change nothing." xor:"what"`
	DryRun  bool     `help:"Show what would be done, and change nothing."`
	JSON    bool     `name:"json" help:"Print it as JSON."`
}

// Help says which files are touched, and which never.
func (commandsInstallCmd) Help() string {
	return `A command file is what a coding agent does when you type /ralphex in it (in Codex /prompts:ralphex). They lie in ~/.claude/commands
(CLAUDE_CONFIG_DIR) and ~/.codex/prompts (CODEX_HOME). Installing again brings them up to date.

A file that you have changed, or that is not of ralphex, is left alone, by --remove, too: exit 3 and its name. Move it away, or give it
another name, then install again.

Examples:
  ralphex integrations install
  ralphex integrations install --dry-run
  ralphex integrations install --for claude --here
  ralphex integrations install ralphex-plan --print
  ralphex integrations install --remove`
}

// commandFile is what happened to one file. The field names are part of the JSON.
type commandFile struct {
	Tool    string          `json:"tool"`
	Command string          `json:"command"`
	Path    string          `json:"path"`
	State   integrate.State `json:"state"` // before
	Action  string          `json:"action"`
}

// The actions.
const (
	actNothing = "none"
	actInstall = "installed"
	actUpdate  = "updated"
	actRemove  = "removed"
	actLeave   = "left alone"
)

// Run does it for each file, or only looks.
func (c commandsInstallCmd) Run(p *Proc) error {
	names, err := c.names()
	if err != nil {
		return err
	}
	if c.Print {
		for _, name := range names {
			text, err := integrate.Text(name)
			if err != nil {
				return err
			}
			if _, err := p.Out.Write(text); err != nil {
				return err
			}
		}
		return nil
	}
	files, err := c.files(p, names)
	if err != nil {
		return err
	}
	list := []commandFile{}
	left := false
	for _, f := range files {
		did, err := c.place(f)
		if err != nil {
			return err
		}
		list = append(list, did)
		left = left || did.Action == actLeave
	}
	if c.JSON {
		err = json.NewEncoder(p.Out).Encode(map[string]any{"version": 1, "files": list})
	} else {
		err = c.tell(p.Out, list)
	}
	if err == nil && left && !c.List {
		return &exitError{code: exitLeft}
	}
	return err
}

// names are the commands that are meant.
func (c commandsInstallCmd) names() ([]string, error) {
	if len(c.Command) == 0 {
		return integrate.Commands(), nil
	}
	for _, name := range c.Command {
		if !slices.Contains(integrate.Commands(), name) {
			return nil, usage(fmt.Errorf("there is no command %q", name), "there are: "+strings.Join(integrate.Commands(), ", "))
		}
	}
	return c.Command, nil
}

// files are the places of the commands, tool by tool.
func (c commandsInstallCmd) files(p *Proc, names []string) ([]integrate.File, error) {
	env := func(name string) string { return getenv(p.Env, name) }
	top := vcs.Top(p.Dir)
	if c.Here && top == "" {
		return nil, hinted(fmt.Errorf("%s: %w", p.Dir, vcs.ErrNotRepo), "leave --here out, or go to the repository")
	}
	var files []integrate.File
	for _, tool := range integrate.Tools {
		if len(c.For) > 0 && !slices.Contains(c.For, tool.Name) || len(c.For) == 0 && !c.Here && !tool.IsThere(env) {
			continue
		}
		for _, name := range names {
			f := tool.File(name, env)
			if c.Here {
				here, ok := tool.FileIn(top, name)
				if !ok && len(c.For) > 0 {
					return nil, usage(fmt.Errorf("%s reads no commands of a repository", tool.Name), "leave --here out")
				}
				if !ok {
					continue
				}
				f = here
			}
			if !filepath.IsAbs(f.Dir) {
				return nil, usage(fmt.Errorf("the folder %s of %s is not absolute", f.Dir, tool.Name), "set HOME, or the tool's own variable")
			}
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil, usage(fmt.Errorf("neither Claude Code nor Codex has a folder in your home folder"), "name the tool: --for claude, --for codex")
	}
	return files, nil
}

// place installs or removes one file; with --list and --dry-run it only says what would be done.
func (c commandsInstallCmd) place(f integrate.File) (commandFile, error) {
	state, err := f.State()
	if err != nil {
		return commandFile{}, err
	}
	did := commandFile{Tool: f.Tool, Command: f.Command, Path: f.Path(), State: state, Action: actNothing}
	switch {
	case c.List:
		return did, nil
	case state == integrate.Changed, state == integrate.Foreign:
		did.Action = actLeave
		return did, nil
	case c.Remove && state != integrate.Missing:
		did.Action = actRemove
	case !c.Remove && state == integrate.Missing:
		did.Action = actInstall
	case !c.Remove && state == integrate.Outdated:
		did.Action = actUpdate
	}
	if c.DryRun || did.Action == actNothing {
		return did, nil
	}
	do := f.Install
	if c.Remove {
		do = f.Remove
	}
	before, done, err := do()
	if did.State = before; err == nil && !done { // somebody came in between
		did.Action = actLeave
	}
	return did, err
}

func (c commandsInstallCmd) tell(w io.Writer, list []commandFile) error {
	var b strings.Builder
	for _, d := range list {
		what := d.Action
		switch {
		case c.List || what == actNothing:
			what = string(d.State)
		case c.DryRun && what != actLeave:
			what = "would be " + what
		}
		if d.Action == actLeave {
			what += ", " + map[integrate.State]string{integrate.Changed: "it was changed", integrate.Foreign: "it is not of ralphex"}[d.State]
		}
		fmt.Fprintf(&b, "%s: %s\n", d.Path, what)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
