package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/trust"
	"ralphex/pkg/vcs"
)

type trustCmd struct {
	List   bool `help:"Show what was allowed, of all repositories." xor:"what"`
	Revoke bool `help:"Forget what was allowed in this repository." xor:"what"`
	Yes    bool `short:"y" help:"Allow it without a question: you have read it."`
	JSON   bool `name:"json" help:"Print it as JSON."`
}

// Help says what trust is for.
func (trustCmd) Help() string {
	return `A repository's own .ralphex/config may name commands, of the agent, of a review script, of hooks. Whoever clones it would run them, so they are
refused until you have read and allowed them. Allowed are just these commands in just this place: a changed value, or a changed byte of a file of the
repository that a value names, asks again. What such a file calls in its turn is not looked at. In a terminal a run asks by itself; elsewhere it
refuses. --trust-repo-config allows them for one run and remembers nothing.

Examples:
  ralphex trust                              show the commands, and ask
  ralphex trust --list
  ralphex trust --revoke

Exit codes: 0, 1 the answer was no, 2 nobody to ask, or nothing that could be allowed.`
}

// Run shows, asks and remembers.
func (c trustCmd) Run(p *Proc, g *root) error {
	o := settingsHere(p, g)
	store := trustStore(p, o)
	if c.List {
		return c.list(p, store)
	}
	if err := refuseInSession(p, "trust"); err != nil {
		return err
	}
	if o.RepoRoot == "" {
		return usage(fmt.Errorf("%s: %w", p.Dir, vcs.ErrNotRepo), "trust is given to the settings of a repository: go there")
	}
	if c.Revoke {
		n, err := store.Revoke(o.RepoRoot)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.Out, "%s: %d %s forgotten\n", o.RepoRoot, n, plural(n, "permission", "permissions"))
		return nil
	}
	w, err := lookForTrust(o)
	if err != nil {
		return usage(err, hintOf(err))
	}
	own, err := workspaceTrust(o.RepoRoot)
	if err != nil {
		return usage(err, hintOf(err))
	}
	if c.JSON {
		return c.printState(p, store, w, own)
	}
	if len(w.commands)+len(own.commands) == 0 {
		fmt.Fprintln(p.Out, "the settings of this repository name no command: nothing to allow")
		return nil
	}
	for _, w := range []wanted{w, own} {
		if len(w.commands) == 0 {
			continue
		}
		has, err := store.Has(o.RepoRoot, w.print.Hash)
		if has {
			w.tell(p.Out)
			fmt.Fprintln(p.Out, "allowed already")
			continue
		}
		if err == nil {
			err = w.askAndRemember(p, store, c.Yes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printState prints the commands of the configuration, and under workspace those of the `.ralph` workspace, where there are any.
func (trustCmd) printState(p *Proc, store trust.Store, w, own wanted) error {
	out, err := w.state(store)
	if err != nil {
		return err
	}
	out["version"], out["root"] = 1, w.root
	if len(own.commands) > 0 {
		if out["workspace"], err = own.state(store); err != nil {
			return err
		}
	}
	return printJSON(p.Out, out)
}

func (trustCmd) list(p *Proc, store trust.Store) error {
	grants, err := store.List()
	if err != nil {
		return err
	}
	if len(grants) == 0 {
		fmt.Fprintln(p.Err, "nothing was allowed yet")
	}
	for _, g := range grants {
		fmt.Fprintf(p.Out, "%s  %s\n", g.Root, g.At.Local().Format(time.DateTime))
		for _, line := range g.Commands {
			fmt.Fprintf(p.Out, "  %s\n", line)
		}
	}
	return nil
}

// trustStore is where permissions are remembered: the person's own folders, which no repository can bring along.
func trustStore(p *Proc, o config.Options) trust.Store {
	if dir := getenv(p.Env, "XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return trust.Store{Path: filepath.Join(dir, "ralphex", "trust.json")}
	}
	return trust.Store{Path: filepath.Join(config.GlobalDir(o), "trust.json")}
}

// trusted answers config.Load whether commands of a repository were allowed. place is the repository that the permission
// was given to, where it is another folder than the one that is read: of a worktree, the main checkout.
func trusted(p *Proc, o config.Options, place ...string) func(string, []config.Command) error {
	return func(root string, commands []config.Command) error {
		print, err := trust.Fingerprint(root, asTrust(commands))
		if err != nil {
			return err
		}
		for _, at := range append(place, root) {
			has, err := trustStore(p, o).Has(at, print.Hash)
			if has || err != nil {
				return err
			}
		}
		return config.ErrUntrusted
	}
}

func asTrust(commands []config.Command) []trust.Command {
	var list []trust.Command
	for _, c := range commands {
		list = append(list, trust.Command{Key: c.Key, Value: c.Value})
	}
	return list
}

// wanted is what the settings of a repository want to be allowed.
type wanted struct {
	root     string
	commands []config.Command
	print    trust.Print
}

// lookForTrust finds the commands of a repository's settings. No commands are no error.
func lookForTrust(o config.Options) (wanted, error) {
	w := wanted{root: o.RepoRoot}
	o.TrustRepo = false
	o.Trusted = func(_ string, commands []config.Command) error {
		w.commands = commands
		return config.ErrUntrusted
	}
	if _, _, err := config.Load(o); err != nil && !errors.Is(err, config.ErrUntrusted) {
		return w, err
	}
	var err error
	w.print, err = trust.Fingerprint(w.root, asTrust(w.commands))
	return w, err
}

func (w wanted) lines() []string {
	var lines []string
	for _, c := range w.commands {
		lines = append(lines, fmt.Sprintf("%s = %q", c.Key, c.Value))
	}
	return lines
}

// tell shows the commands. They are printed quoted: what a stranger wrote does not get to a terminal as it is.
func (w wanted) tell(out io.Writer) {
	fmt.Fprintf(out, "The settings of the repository %s say what is executed, or where something is sent:\n", w.root)
	for _, c := range w.commands {
		fmt.Fprintf(out, "  %s\n", c)
	}
	for _, s := range w.print.Scripts {
		fmt.Fprintf(out, "  with the file %q of the repository\n", s)
	}
}

// askAndRemember asks a person, and remembers a yes.
func (w wanted) askAndRemember(p *Proc, store trust.Store, yes bool) error {
	w.tell(p.Err)
	if !yes {
		answer, err := ask(p, "Allow these, here, until they change? [y/N]: ", "ralphex trust --yes")
		if err != nil {
			return err
		}
		if answer != "y" && answer != "yes" {
			return hinted(errors.New("not allowed"), "ralphex trust asks again; what the repository says can be set otherwise in your global config or by flags")
		}
	}
	// What was shown is what is allowed: a file that changed while the person read is asked about again.
	if err := store.Add(trust.Grant{Root: w.root, Hash: w.print.Hash, Commands: w.lines(), Scripts: w.print.Scripts, At: time.Now().UTC()}); err != nil {
		return err
	}
	fmt.Fprintf(p.Err, "allowed; ralphex trust --revoke takes it back\n")
	return nil
}

// askTrust asks at a terminal, before anything of a run, whether new commands of the repository may be obeyed. Elsewhere
// nothing is asked: reading the settings refuses them.
func (j *job) askTrust(context.Context) error {
	o := config.Options{GlobalDir: j.opts.configDir, RepoRoot: vcs.Top(j.proc.Dir), Env: j.proc.Env, Flags: j.opts.flags, Executors: executorNames()}
	if j.opts.trustRepo || o.RepoRoot == "" || !interactive(j.proc) || inSession(j.proc) {
		return nil
	}
	w, err := lookForTrust(o)
	if err != nil || len(w.commands) == 0 {
		return nil // what is wrong is told when the settings are read
	}
	store := trustStore(j.proc, o)
	if has, err := store.Has(w.root, w.print.Hash); has || err != nil {
		return nil
	}
	return w.askAndRemember(j.proc, store, false)
}
