package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ralphex/internal/config"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/trust"
)

// hookKey begins the name of a hook's command.
const hookKey = "ralphCodex.hooks."

// workspaceTrust is what the settings of a `.ralph` workspace want executed: hooks, and commands of agents. They come with the repository, as its
// .ralphex/config does. Commands of tasks are none of them: whoever starts a loop asks for just these.
func workspaceTrust(root string) (wanted, error) {
	set, err := settings.Load(root)
	if err != nil {
		return wanted{root: root}, err
	}
	w := wanted{root: root}
	add := func(key, name, value string) {
		w.commands = append(w.commands, config.Command{Key: name, Value: value, Origin: config.Origin{Layer: config.Local, Name: set.Origin[key]}})
	}
	for _, event := range slices.Sorted(maps.Keys(set.Hooks)) {
		add("hooks", hookKey+event, set.Hooks[event])
	}
	usual := settings.Defaults()
	for _, name := range slices.Sorted(maps.Keys(providers)) {
		p := providers[name]
		if p.command != nil && p.command(set) != p.command(usual) {
			add(p.key, "ralphCodex."+p.key, p.command(set))
		}
	}
	w.print, err = trust.Fingerprint(root, asTrust(w.commands))
	return w, err
}

// mustBeTrusted refuses to start where the workspace names commands that nobody has allowed: those of agents, and with hooks those, too.
func (s *store) mustBeTrusted(p *Proc, configDir string, once, hooks bool) error {
	w, err := workspaceTrust(s.Root)
	if err != nil || once || len(w.commands) == 0 || !hooks && !slices.ContainsFunc(w.commands, func(c config.Command) bool { return !strings.HasPrefix(c.Key, hookKey) }) {
		return err
	}
	has, err := trustStore(p, config.Options{GlobalDir: configDir, Env: p.Env}).Has(s.Root, w.print.Hash)
	if err != nil || has {
		return err
	}
	var all []error
	for _, c := range w.commands {
		all = append(all, &config.TrustError{Command: c})
	}
	return usage(errors.Join(all...), "read them, then allow them for good: ralphex trust; or this once: --trust-repo-config")
}

// state is what a person, or a program, is told of a set of commands.
func (w wanted) state(store trust.Store) (map[string]any, error) {
	has, err := store.Has(w.root, w.print.Hash)
	if err != nil {
		return nil, fmt.Errorf("read what was allowed: %w", err)
	}
	return map[string]any{"hash": w.print.Hash, "commands": append([]string{}, w.lines()...), "scripts": append([]string{}, w.print.Scripts...), "trusted": has || len(w.commands) == 0}, nil
}
