package cli

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"ralphex/internal/config"
	"ralphex/internal/term"
)

type configShowCmd struct {
	Keys   []string `arg:"" optional:"" help:"Only these keys."`
	All    bool     `short:"a" help:"Also the keys that nobody has set."`
	Origin bool     `short:"o" help:"Say where each value comes from: file and line, variable, default."`
	JSON   bool     `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (configShowCmd) Help() string {
	return `Shows the keys that somebody has set, as a run started here would see them without flags. Secrets are not printed.

Examples:
  ralphex config show --origin
  ralphex config show --all
  ralphex config show task_model review_model
  ralphex config show --json | jq -r '.keys[] | select(.origin.layer != "default") | .key'

Exit codes: 0, 2 a value that a key can't take, or a key that is not there.`
}

// shownKey is one setting as JSON.
type shownKey struct {
	Key     string      `json:"key"`
	Value   string      `json:"value"`
	Default string      `json:"default"`
	Type    string      `json:"type"`
	Secret  bool        `json:"secret,omitempty"` // the value is not printed
	Origin  shownOrigin `json:"origin"`
	// Untrusted: a run would refuse it, since a repository names a command in it.
	Untrusted bool `json:"untrusted,omitempty"`
}

type shownOrigin struct {
	Layer string `json:"layer"` // default, global, local, env
	Place string `json:"place,omitempty"`
	Line  int    `json:"line,omitempty"`
}

// Run prints the settings.
func (c configShowCmd) Run(p *Proc, g *root) error {
	o := settingsHere(p, g)
	o.Trusted = trusted(p, o)
	cfg, warnings, err := config.Load(o)
	refused := map[string]bool{}
	if errors.Is(err, config.ErrUntrusted) {
		for _, t := range config.Untrusted(err) {
			refused[t.Key] = true
		}
		o.TrustRepo = true
		cfg, warnings, err = config.Load(o)
	}
	if err != nil {
		return usage(err, hintOf(err))
	}
	for _, w := range warnings {
		fmt.Fprintln(p.Err, "warning: "+term.Clean(w.String()))
	}
	keys, err := c.chosen(cfg)
	if err != nil {
		return err
	}
	shown := make([]shownKey, 0, len(keys))
	for _, k := range keys {
		at := cfg.Origin(k.Name)
		s := shownKey{Key: k.Name, Value: cfg.Value(k.Name), Default: k.Default, Type: k.Type, Secret: k.Secret && cfg.Value(k.Name) != "",
			Origin: shownOrigin{at.Layer.String(), at.Name, at.Line}, Untrusted: refused[k.Name]}
		if s.Secret {
			s.Value = ""
		}
		shown = append(shown, s)
	}
	if c.JSON {
		return printJSON(p.Out, map[string]any{"version": 1, "keys": shown})
	}
	return c.print(p.Out, shown)
}

// chosen are the keys to show: those that were named, else those that are set, else all.
func (c configShowCmd) chosen(cfg *config.Config) ([]config.Key, error) {
	var list []config.Key
	for _, name := range c.Keys {
		k, ok := config.Lookup(name)
		if !ok {
			return nil, usage(fmt.Errorf("there is no key %s", name), config.DidYouMean(name, keyNames(), "ralphex config show --all lists them"))
		}
		list = append(list, k)
	}
	if len(c.Keys) > 0 {
		return list, nil
	}
	for _, k := range config.Keys() {
		if c.All || cfg.IsSet(k.Name) {
			list = append(list, k)
		}
	}
	return list, nil
}

func keyNames() []string {
	var names []string
	for _, k := range config.Keys() {
		names = append(names, k.Name)
	}
	return names
}

func (c configShowCmd) print(w io.Writer, shown []shownKey) error {
	if len(shown) == 0 {
		fmt.Fprintln(w, "nothing is set: all keys are at their defaults (ralphex config show --all)")
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range shown {
		value := s.Value
		if s.Secret {
			value = "(secret)"
		}
		if !c.Origin {
			fmt.Fprintf(t, "%s\t= %s\n", s.Key, value)
			continue
		}
		o := config.Origin{Name: s.Origin.Place, Line: s.Origin.Line}
		from := s.Origin.Layer
		if place := o.Place(); place != "" {
			from += " " + place
		}
		if s.Untrusted {
			from += " (refused: ralphex trust)"
		}
		fmt.Fprintf(t, "%s\t= %s\t%s\n", s.Key, value, from)
	}
	return t.Flush()
}
